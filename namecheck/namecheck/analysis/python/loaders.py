"""Datasets and their loaders: `for x, y in DataLoader(dataset, batch_size=64)`.

A loader stacks the elements of its dataset, tensor by tensor, with the batch in front. The batch
has a size of its own, since the last one may be smaller. An element is what `__getitem__` returns,
or the slices of the tensors that the dataset was made of. Source: PyTorch,
`torch.utils.data.default_collate`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from namecheck.analysis.asking import elements
from namecheck.analysis.objects import literal_texts, own_objects
from namecheck.analysis.python import classes
from namecheck.analysis.state.argument import Argument, Keywords, given_as
from namecheck.analysis.state.joining import element_of
from namecheck.analysis.state.scalars import rests_on_claim
from namecheck.analysis.state.values import (
    NONE,
    Anything,
    Bound,
    Constant,
    Dict,
    Instance,
    List,
    Number,
    Repeated,
    Tensor,
    Text,
    Tuple,
    Value,
    inherited,
    known,
)
from namecheck.frameworks import torch
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dim, Size

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

Arguments = Sequence[Argument]


def _dataset(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """A dataset of tensors: an element has one slice of each."""
    if not arguments or keywords:
        return Anything()
    tensors = [ev.resolve(argument.value) for argument in arguments]
    element = Tuple([_slice(ev, tensor) for tensor in tensors])
    count = elements.dim_size(ev, tensors[0], 0) if isinstance(tensors[0], Tensor) else NONE
    return _row(ev, element, _number(ev, count))


def _number(ev: Evaluator, value: Value) -> int | None:
    """A number that the program computes; None for others."""
    number = known(ev.resolve(value))
    if number is None or type(number[0]) is not int or rests_on_claim(ev, value):
        return None
    return number[0]


def _row(ev: Evaluator, element: Value, length: int | None) -> Value:
    """A dataset whose elements have the same dims; in a drive, with its length."""
    if ev.reach.driven and length is not None and 0 <= length <= MOST_ELEMENTS:
        return Tuple([element] * length)
    return Repeated(element)


MOST_ELEMENTS: Final = 1000
"""The most elements of a dataset whose length is kept."""

MOST_BATCHES: Final = 8
"""The most batches that a loop over a loader goes through one by one."""


def _slice(ev: Evaluator, value: Value) -> Value:
    if isinstance(value, Tensor) and isinstance(value.shape, tuple) and value.shape:
        return value.derived(value.shape[1:])
    return Tensor(library=torch.TENSOR)


def _part(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """Some of the elements of a dataset."""
    if not arguments:
        return Anything()
    places = given_as(arguments, keywords, 1, "indices")
    chosen = None if places is None else elements.iterate(ev, places.value)
    return _cut(ev, arguments[0].value, len(chosen) if isinstance(chosen, tuple) else None)


def _cut(ev: Evaluator, dataset: Value, length: int | None) -> Value:
    """A part of a dataset with so many elements."""
    dataset = ev.resolve(dataset)
    if isinstance(dataset, Tuple) and dataset.elements:
        return _row(ev, dataset.elements[0], length)
    return dataset


def _parts(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """The parts of a dataset that is split: each has some of its elements."""
    if not arguments:
        return Anything()
    lengths = given_as(arguments, keywords, 1, "lengths")
    dataset = arguments[0].value
    parts = None if lengths is None else elements.iterate(ev, lengths.value)
    if not isinstance(parts, tuple):
        return Repeated(_cut(ev, dataset, None))
    return Tuple([_cut(ev, dataset, _number(ev, part)) for part in parts])


def _loader(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """A loader, as the sequence of its batches."""
    dataset = given_as(arguments, keywords, 0, "dataset")
    if dataset is None or keywords.keys() & {"collate_fn", "batch_sampler"} or len(arguments) > 3:
        return Anything()
    element = _element(ev, ev.resolve(dataset.value))
    size = given_as(arguments, keywords, 1, "batch_size")
    if size is not None:
        value = ev.resolve(size.value)
        if value is NONE or known(value) == (None,):
            return Repeated(element)
    batches = _batches(ev, ev.resolve(dataset.value), element, size, keywords)
    if batches is not None:
        return batches
    return Repeated(_batch(ev, element, sizes.symbol("batch", sizes.Origin.FRESH)))


def _batches(
    ev: Evaluator, dataset: Value, element: Value, size: Argument | None, keywords: Keywords
) -> Value | None:
    """The batches of a loader in a drive, one by one, if they are few and their sizes known."""
    if not ev.reach.driven or isinstance(dataset, Repeated):
        return None
    sampler = ev.resolve(keywords["sampler"].value) if "sampler" in keywords else NONE
    if known(sampler) != (None,):
        return None  # it may take some elements only, or some twice
    most = 1 if size is None else _number(ev, size.value)
    drops = known(ev.resolve(keywords["drop_last"].value)) if "drop_last" in keywords else (False,)
    count = _length(ev, dataset)
    if most is None or drops is None or count is None or most < 1:
        return None
    if count > MOST_BATCHES * most:
        return None
    full, left = divmod(count, most)
    counts = [most] * full + [left] * (left > 0 and not drops[0])
    return Tuple([_batch(ev, element, one) for one in counts])


def _length(ev: Evaluator, dataset: Value) -> int | None:
    """How many elements a dataset has."""
    if isinstance(dataset, Instance):
        with ev.frame.quietly():
            count = own_objects.length(ev, dataset)
        return None if count is None else _number(ev, count)
    contents = elements.iterate(ev, dataset) if isinstance(dataset, (Tuple, List)) else None
    return len(contents) if isinstance(contents, tuple) else None


def _element(ev: Evaluator, dataset: Value) -> Value:
    """An element of a dataset."""
    if not isinstance(dataset, Instance):
        if isinstance(dataset, Tuple) and dataset.elements:
            first = dataset.elements[0]
            if all(one is first for one in dataset.elements):
                return first
        contents = elements.iterate(ev, dataset)
        return Anything() if contents is None else element_of(contents)
    method = classes.instance_attribute(ev, dataset, "__getitem__")
    if not isinstance(method, Bound):
        return Anything()
    # Its mistakes are reported where the method is evaluated alone.
    with ev.frame.quietly():
        element = ev.call(method, [Argument(Number(ev.some_int("i")))], {}, None)
    return ev.resolve(element)


def _batch(ev: Evaluator, element: Value, count: Size) -> Value:
    """A batch of elements."""
    element = ev.resolve(element)
    match element:
        case Tensor():
            if not isinstance(element.shape, tuple):
                return Tensor(UNKNOWN, element.kind, torch.TENSOR)
            dims = (Dim(UNKNOWN, count), *element.shape)
            return Tensor(dims, element.kind, torch.TENSOR, inherited(element.claimed))
        case Number():
            kind = "unknown" if element.kind == "number" else element.kind
            return Tensor((Dim(UNKNOWN, count),), kind, torch.TENSOR)
        case Constant(value=bool() | int() | float()):
            return Tensor((Dim(UNKNOWN, count),), type(element.value).__name__, torch.TENSOR)
        case Tuple() if not element.of_shape:
            return Tuple([_batch(ev, part, count) for part in element.elements], element.fields)
        case Text() | Constant(value=str()):
            return Repeated(element)
        case List():
            contents = ev.cells.get(element)
            if isinstance(contents, tuple):
                return Tuple([_batch(ev, part, count) for part in contents])
        case Dict():
            contents = ev.cells.get(element)
            if isinstance(contents, dict):
                batch = Dict()
                ev.cells[batch] = {key: _batch(ev, part, count) for key, part in contents.items()}
                return batch
    return Anything()


CALLS: Final[Mapping[str, Callable[[Evaluator, Arguments, Keywords], Value]]] = {
    torch.LOADER: _loader,
    torch.TENSORS: _dataset,
    torch.SUBSET: _part,
    torch.SPLIT: _parts,
    **literal_texts.CALLS,
}
"""The evaluation of each of these classes and functions, by path."""

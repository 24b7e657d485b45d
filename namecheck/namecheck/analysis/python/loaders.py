"""Datasets and their loaders: `for x, y in DataLoader(dataset, batch_size=64)`.

A loader stacks the elements of its dataset, tensor by tensor, with the batch in front. The batch
has a size of its own, since the last one may be smaller. An element is what `__getitem__` returns,
or the slices of the tensors that the dataset was made of. Source: PyTorch,
`torch.utils.data.default_collate`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from namecheck.analysis.asking import elements, rows
from namecheck.analysis.objects import literal_texts
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
    values = [ev.resolve(argument.value) for argument in arguments]
    row = Tuple([_slice(ev, value) for value in values])
    first = elements.dim_size(ev, values[0], 0) if isinstance(values[0], Tensor) else NONE
    count = known(first) if ev.reach.driven and not rests_on_claim(ev, first) else None
    if count is None or type(count[0]) is not int or count[0] > rows.MOST:
        return Repeated(row)
    return Tuple([row] * count[0])


def _slice(ev: Evaluator, value: Value) -> Value:
    if isinstance(value, Tensor) and isinstance(value.shape, tuple) and value.shape:
        return value.derived(value.shape[1:])
    return Tensor(library=torch.TENSOR)


def _part(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """Some of the elements of a dataset."""
    return _some(ev, arguments[0].value) if arguments else Anything()


def _some(ev: Evaluator, dataset: Value) -> Value:
    """An unknown number of the elements of a dataset."""
    dataset = ev.resolve(dataset)
    return Repeated(element_of(dataset.elements)) if isinstance(dataset, Tuple) else dataset


def _parts(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """The parts of a dataset that is split: each has some of its elements."""
    if not arguments:
        return Anything()
    lengths = given_as(arguments, keywords, 1, "lengths")
    dataset = _some(ev, arguments[0].value)
    parts = None if lengths is None else elements.iterate(ev, lengths.value)
    return Tuple([dataset] * len(parts)) if isinstance(parts, tuple) else Repeated(dataset)


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
    return Repeated(_batch(ev, element, sizes.symbol("batch", sizes.Origin.FRESH)))


def _element(ev: Evaluator, dataset: Value) -> Value:
    """An element of a dataset."""
    if not isinstance(dataset, Instance):
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


CALLS: Mapping[str, Callable[[Evaluator, Arguments, Keywords], Value]] = {
    torch.LOADER: _loader,
    torch.TENSORS: _dataset,
    torch.SUBSET: _part,
    torch.SPLIT: _parts,
    **literal_texts.CALLS,
}
"""The evaluation of each of these classes and functions, by path."""

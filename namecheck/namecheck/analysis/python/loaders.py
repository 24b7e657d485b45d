"""Datasets and their loaders: `for x, y in DataLoader(dataset, batch_size=64)`.

A loader stacks what its dataset gives for one index, tensor by tensor, with the batch in front. How
many there are in a batch is a size of its own, since the last one may be smaller. What a dataset
gives is what its `__getitem__` does, or the slices of the tensors that it was made of. Source:
PyTorch, `torch.utils.data.default_collate`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from namecheck.analysis.asking import elements
from namecheck.analysis.python import classes
from namecheck.analysis.state.argument import Argument, Keywords, given_as
from namecheck.analysis.state.joining import element_of
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
    known,
)
from namecheck.frameworks import torch
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dim, Size

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

Arguments = Sequence[Argument]


def _dataset(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """A dataset made of tensors: an element has one slice of each."""
    if not arguments or keywords:
        return Anything()
    return Repeated(Tuple([_slice(ev, ev.resolve(one.value)) for one in arguments]))


def _slice(ev: Evaluator, value: Value) -> Value:
    if isinstance(value, Tensor) and isinstance(value.shape, tuple) and value.shape:
        return Tensor(value.shape[1:], value.kind, value.library)
    return Tensor(library=torch.TENSOR)


def _part(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """Some of the elements of a dataset."""
    return arguments[0].value if arguments else Anything()


def _parts(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """A dataset that is split: each part has some of its elements."""
    if not arguments:
        return Anything()
    lengths = given_as(arguments, keywords, 1, "lengths")
    whole = arguments[0].value
    rows = None if lengths is None else elements.iterate(ev, lengths.value)
    return Tuple([whole] * len(rows)) if isinstance(rows, tuple) else Repeated(whole)


def _loader(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """What a loader gives, batch by batch."""
    dataset = given_as(arguments, keywords, 0, "dataset")
    if dataset is None or keywords.keys() & {"collate_fn", "batch_sampler"} or len(arguments) > 3:
        return Anything()
    one = _element(ev, ev.resolve(dataset.value))
    size = given_as(arguments, keywords, 1, "batch_size")
    if size is not None:
        value = ev.resolve(size.value)
        if value is NONE or known(value) == (None,):
            return Repeated(one)
    return Repeated(_batch(ev, one, sizes.symbol("batch", sizes.Origin.FRESH)))


def _element(ev: Evaluator, dataset: Value) -> Value:
    """What a dataset gives for one index."""
    if not isinstance(dataset, Instance):
        contents = elements.iterate(ev, dataset)
        return Anything() if contents is None else element_of(contents)
    method = classes.instance_attribute(ev, dataset, "__getitem__")
    if not isinstance(method, Bound):
        return Anything()
    # Its mistakes are told where it is evaluated by itself.
    with ev.frame.quietly():
        one = ev.call(method, [Argument(Number(ev.some_int("i")))], {}, None)
    return ev.resolve(one)


def _batch(ev: Evaluator, one: Value, count: Size) -> Value:
    """Several of what a dataset gives, put together."""
    one = ev.resolve(one)
    match one:
        case Tensor():
            if not isinstance(one.shape, tuple):
                return Tensor(UNKNOWN, one.kind, torch.TENSOR)
            return Tensor((Dim(UNKNOWN, count), *one.shape), one.kind, torch.TENSOR)
        case Number():
            kind = "unknown" if one.kind == "number" else one.kind
            return Tensor((Dim(UNKNOWN, count),), kind, torch.TENSOR)
        case Constant(value=bool() | int() | float()):
            return Tensor((Dim(UNKNOWN, count),), type(one.value).__name__, torch.TENSOR)
        case Tuple() if not one.of_shape:
            return Tuple([_batch(ev, each, count) for each in one.elements], one.fields)
        case Text() | Constant(value=str()):
            return Repeated(one)
        case List():
            contents = ev.cells.get(one)
            if isinstance(contents, tuple):
                return Tuple([_batch(ev, each, count) for each in contents])
        case Dict():
            contents = ev.cells.get(one)
            if isinstance(contents, dict):
                made = Dict()
                ev.cells[made] = {key: _batch(ev, each, count) for key, each in contents.items()}
                return made
    return Anything()


CALLS: Mapping[str, Callable[[Evaluator, Arguments, Keywords], Value]] = {
    torch.LOADER: _loader,
    torch.TENSORS: _dataset,
    torch.SUBSET: _part,
    torch.SPLIT: _parts,
}
"""What is called, by its path."""

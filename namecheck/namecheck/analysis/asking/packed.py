"""Sequences that are packed before a recurrent layer reads them, and padded again.

A packed sequence has the dims of the padded one that it was made of, whether batch or time came
first. The layer reads it in its own order, whatever its `batch_first` says, and its output is
packed too. Padded again, all sequences are as long as the longest was. Source: PyTorch,
`torch.nn.utils.rnn`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from namecheck.analysis.state import conversion
from namecheck.analysis.state.argument import Argument, Keywords, given_as
from namecheck.analysis.state.values import (
    Anything,
    Layer,
    Packed,
    Tensor,
    Tuple,
    Value,
    inherited,
    known,
)
from namecheck.frameworks import torch
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dim, Shape

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

Arguments = Sequence[Argument]


def _turned(shape: Shape, first: bool | None) -> Shape:
    """A shape with batch and time swapped, unless the batch is `first`; UNKNOWN if unsure."""
    if first is None or not isinstance(shape, tuple) or len(shape) < 2:
        return UNKNOWN
    return shape if first else (shape[1], shape[0], *shape[2:])


def _is_first(ev: Evaluator, argument: Argument | None) -> bool | None:
    if argument is None:
        return False
    value = known(ev.resolve(argument.value))
    return bool(value[0]) if value is not None else None


def _pack(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """`pack_padded_sequence(input, lengths, batch_first)`."""
    argument = given_as(arguments, keywords, 0, "input")
    padded = ev.resolve(argument.value) if argument is not None else Anything()
    if not isinstance(padded, Tensor):
        return Packed(Tensor(library=torch.TENSOR))
    shape = _turned(padded.shape, _is_first(ev, given_as(arguments, keywords, 2, "batch_first")))
    return Packed(Tensor(shape, padded.kind, torch.TENSOR, inherited(padded.claimed)))


def _pad(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """`pad_packed_sequence(sequence, batch_first, padding_value, total_length)`."""
    argument = given_as(arguments, keywords, 0, "sequence")
    packed = ev.resolve(argument.value) if argument is not None else Anything()
    lengths = Tensor((Dim(UNKNOWN, UNKNOWN),), "int", torch.TENSOR)
    padded = ev.resolve(packed.padded) if isinstance(packed, Packed) else Anything()
    if not isinstance(padded, Tensor) or not isinstance(padded.shape, tuple):
        return Tuple((Tensor(library=torch.TENSOR), lengths))
    batch, time, *rest = padded.shape
    total = given_as(arguments, keywords, 3, "total_length")
    size = UNKNOWN if total is None else conversion.as_size(ev, total.value)
    if size is UNKNOWN:
        size = sizes.symbol("longest", sizes.Origin.FRESH)
    shape = (batch, Dim(time.name, size), *rest)
    turned = _turned(shape, _is_first(ev, given_as(arguments, keywords, 1, "batch_first")))
    lengths = Tensor((batch,), "int", torch.TENSOR)
    claimed = inherited(padded.claimed)
    return Tuple((Tensor(turned, padded.kind, torch.TENSOR, claimed), lengths))


def read(ev: Evaluator, layer: Layer, packed: Packed) -> Tensor:
    """The input of a layer, in the order that the layer takes."""
    padded = ev.resolve(packed.padded)
    first = layer.instance.layer.batch_first(layer.instance.fields)
    if not isinstance(padded, Tensor) or not isinstance(first, bool):
        return Tensor(library=torch.TENSOR)
    claimed = inherited(padded.claimed)
    return Tensor(_turned(padded.shape, first), padded.kind, torch.TENSOR, claimed)


def written(ev: Evaluator, layer: Layer, result: Value) -> Value:
    """The results of a layer for a packed input: a packed output, and the states."""
    if not isinstance(result, Tuple) or len(result.elements) != 2:
        return Anything()
    out, states = result.elements
    out = ev.resolve(out)
    first = layer.instance.layer.batch_first(layer.instance.fields)
    if not isinstance(out, Tensor) or not isinstance(first, bool):
        return Tuple((Packed(Tensor(library=torch.TENSOR)), states))
    turned = _turned(out.shape, first)
    return Tuple((Packed(Tensor(turned, out.kind, torch.TENSOR, inherited(out.claimed))), states))


CALLS: Final[Mapping[str, Callable[[Evaluator, Arguments, Keywords], Value]]] = {
    torch.PACK: _pack,
    torch.PAD: _pad,
}
"""The functions that pack and pad, by path."""

"""One sample taken of a batch: `x[0, :]` where `x[:, 0]` is meant.

A model returns as many results as it gets samples. A subscript that takes one element of the batch,
and all of the next dim, gives a result that begins with that dim: it runs, and every sample but one
is lost. It is reported if `forward` returns such a result and nothing that has the batch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from namecheck.analysis.reading import ir
from namecheck.analysis.state.independence import BATCH
from namecheck.analysis.state.values import Constant, Tensor, Tuple, Value
from namecheck.frameworks.torch import FORWARD
from namecheck_runtime import sizes
from namecheck_runtime.lattice import Dims, Size
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import SampleTaken
from namecheck_runtime.sizes import Origin, Symbol, plain_symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.argument import Argument
    from namecheck.analysis.state.evaluate import Evaluator


class Sample(NamedTuple):
    """A subscript that takes one element of the batch."""

    node: ir.Subscript
    operand: Argument
    dims: Dims
    batch: Symbol
    kept: Size
    """The size of the first dim of the result."""


def take(ev: Evaluator, node: ir.Subscript, operand: Argument) -> None:
    """Remember a subscript of a tensor if it takes one sample of a batch."""
    frame = ev.frame
    function = frame.function
    if frame.depth or function is None or function.name != FORWARD or frame.receiver is None:
        return
    if not isinstance(node.index, ir.Tuple) or not _takes_one(node.index.elements):
        return
    tensor = ev.resolve(operand.value)
    shape = ev.current(tensor.shape) if isinstance(tensor, Tensor) else None
    if not isinstance(shape, tuple) or len(shape) < 3:
        return
    atom = plain_symbol(shape[0].size)
    if atom is None or atom.origin is not Origin.DATA or atom.label.lower() not in BATCH:
        return
    sample = Sample(node, operand, shape, atom, shape[1].size)
    frame.samples = (*(one for one in frame.samples if one.node is not node), sample)


def _takes_one(elements: tuple[ir.Expression, ...]) -> bool:
    """Whether an index is a number and then `:`, once or more."""
    first, *rest = elements
    if isinstance(first, ir.Unary) and first.operator == "-":
        first = first.operand
    return isinstance(first, ir.Int) and bool(rest) and all(map(_is_whole, rest))


def _is_whole(index: ir.Expression) -> bool:
    return isinstance(index, ir.Slice) and index.lower is index.upper is index.step is None


def check_returned(ev: Evaluator, value: Value) -> None:
    """Check that the value that `forward` returns is not of one sample alone (NC306)."""
    for sample in ev.frame.samples:
        question = (sample.node.id, "sample")
        ev.frame.look(question)
        returned = _shapes(ev, value)
        if not returned or any(_has(dims, sample.batch) for dims in returned):
            continue
        if any(dims and dims[0].size == sample.kept for dims in returned):
            mistake = SampleTaken(
                input=sample.dims, size=sample.dims[0].size, blame=(Blame("input"),)
            )
            named = {"input": sample.operand}
            ev.blame(mistake, mistake.level, sample.node, named, question=question)


def _shapes(ev: Evaluator, value: Value) -> list[Dims]:
    """The dims of all tensors that are returned; none if the dims of one are not known."""
    value = ev.resolve(value)
    parts = value.elements if isinstance(value, Tuple) else (value,)
    shapes = []
    for part in map(ev.resolve, parts):
        if isinstance(part, Constant):
            continue
        shape = ev.current(part.shape) if isinstance(part, Tensor) else None
        if not isinstance(shape, tuple):
            return []
        shapes.append(shape)
    return shapes


def _has(dims: Dims, atom: Symbol) -> bool:
    return any(atom in sizes.symbols(dim.size) for dim in dims)


__all__ = ["Sample", "check_returned", "take"]

"""Whether a softmax makes the samples of a batch compete, or is over one element (NC305).

Weights are shares of something within one sample: over keys, classes, slots. Over the batch they
are shares of whichever samples happen to be together. A matrix of samples against samples, as in
contrastive losses, is different: it has the batch twice, or something of unknown origin beside it.
Classes, whose number a model is built with, are no samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.independence import is_batch, is_configured
from namecheck.analysis.state.values import Tensor
from namecheck_runtime import sizes
from namecheck_runtime.lattice import Size, known_dims
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import NormalisedBatch, NormalisedOne

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def check_batch(
    ev: Evaluator, operand: Tensor, dim: int, node: ir.Node, name: str, argument: Argument
) -> bool:
    """Whether a softmax over one dim of a tensor is over the batch; it is blamed then."""
    shape = ev.current(operand.shape)
    if not isinstance(shape, tuple) or len(shape) < 2 or dim not in (0, -len(shape)):
        return False
    batch = shape[0].size
    if not _holds_batch(batch) or any(_holds_batch(other.size) for other in shape[1:]):
        return False
    if len(shape) == 2 and not (is_batch(batch) and _is_built(shape[1].size)):
        return False
    question = (node.id, "batch")
    ev.frame.look(question)
    mistake = NormalisedBatch(weights=shape, normalised=dim, op=name, blame=(Blame("input", 0),))
    ev.blame(mistake, mistake.level, node, {"input": argument}, question=question)
    return True


def check_one(
    ev: Evaluator, operand: Tensor, dim: int, node: ir.Node, name: str, argument: Argument
) -> None:
    """Blame a softmax over a dim that has one element, in a tensor with sizes read from data."""
    shape = ev.current(operand.shape)
    frame = ev.frame
    if frame.depth or ev.by_defaults or frame.flow.driven or operand.claimed is not None:
        return
    known = known_dims(shape)
    if not -len(known) <= dim < (len(known) if isinstance(shape, tuple) else 0):
        return
    question = (node.id, "one element")
    frame.look(question)
    if known[dim].size != 1 or all(isinstance(one.size, int) for one in known):
        return
    mistake = NormalisedOne(weights=shape, normalised=dim, op=name, blame=(Blame("input", dim),))
    ev.blame(mistake, mistake.level, node, {"input": argument}, question=question)


def _is_built(size: Size) -> bool:
    """Whether a model is built with a size, and it is more than one."""
    if isinstance(size, int):
        return size > 1
    return isinstance(size, sizes.Polynomial) and is_configured(size)


def _holds_batch(size: Size) -> bool:
    """Whether a size is the batch, or the batch folded with something: `b*h`."""
    if not isinstance(size, sizes.Polynomial) or len(size.terms) != 1 or size.opaque:
        return False
    ((monomial, _),) = size.terms
    parts: Sequence[Size] = [sizes.of_symbol(atom) for atom in size.symbols()]
    return all(exponent > 0 for _, exponent in monomial) and any(map(is_batch, parts))

"""Whether a softmax makes the samples of a batch compete (NC305).

Weights are shares of something within one sample: over keys, classes, slots. Over the batch they
are shares of whichever samples happen to be together. A matrix of samples against samples, as in
contrastive losses, is different: it has two dims, or the batch twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.independence import is_batch
from namecheck.analysis.state.values import Tensor
from namecheck_runtime import sizes
from namecheck_runtime.lattice import Size
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import NormalisedBatch

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def check_batch(
    ev: Evaluator, operand: Tensor, dim: int, node: ir.Node, name: str, argument: Argument
) -> bool:
    """Whether a softmax over one dim of a tensor is over the batch; it is blamed then."""
    shape = ev.current(operand.shape)
    if not isinstance(shape, tuple) or len(shape) < 3 or dim not in (0, -len(shape)):
        return False
    batch = shape[0].size
    if not _holds_batch(batch) or any(_holds_batch(other.size) for other in shape[1:]):
        return False
    question = (node.id, "batch")
    ev.frame.look(question)
    mistake = NormalisedBatch(weights=shape, normalised=dim, op=name, blame=(Blame("input", 0),))
    ev.blame(mistake, mistake.level, node, {"input": argument}, question=question)
    return True


def _holds_batch(size: Size) -> bool:
    """Whether a size is the batch, or the batch folded with something: `b*h`."""
    if not isinstance(size, sizes.Polynomial) or len(size.terms) != 1 or size.opaque:
        return False
    ((monomial, _),) = size.terms
    parts: Sequence[Size] = [sizes.of_symbol(atom) for atom in size.symbols()]
    return all(exponent > 0 for _, exponent in monomial) and any(map(is_batch, parts))

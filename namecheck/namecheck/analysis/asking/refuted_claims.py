"""Parameters whose written number of dims the body of the function denies (NC402).

A comment or a docstring says `(b, n)`, and the function begins with `x.permute(0, 2, 1)`. What
needs another number of dims raises for the shape that is written, so the claim is wrong, unless the
function takes several kinds of values: then it tests which one it has got, or leaves early.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from namecheck.analysis.asking.blaming import blamed_arguments
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.any_rank import tests_ranks
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.values import Claimed, Tensor
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.mistakes.claims import CommentSlip

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def refute(
    ev: Evaluator,
    operands: Iterable[Argument],
    need: str,
    node: ir.Node,
    question: Any = None,
) -> bool:
    """Report that a parameter among the operands cannot have the rank that is written (NC402).

    `need` says what the code at `node` needs instead.
    """
    frame = ev.frame
    if frame.depth or frame.quiet or frame.flow.branches or frame.returned:
        return False
    for operand in operands:
        claimed = _written(ev, operand)
        if claimed is None:
            continue
        said, _, shape = claimed.said.partition(" says ")
        mistake = CommentSlip(
            found=UNKNOWN, claimed=shape, reason=need, said=said.removeprefix("the ")
        )
        note = (claimed.said, claimed.source, claimed.line)
        ev.blame(mistake, mistake.level, node, {}, question=question, notes=(note,), root=claimed)
        return True
    return False


def doubt_claim(
    ev: Evaluator, mistake: Mistake, operands: Mapping[str, Argument], node: ir.Node
) -> None:
    """Hold back a mistake about a number of dims that a claim alone gives.

    The claim is reported instead if it is refuted.
    """
    ev.hearsay.hinted = True
    refute(ev, _blamed(ev, mistake, operands), mistake.message(), node)


def _blamed(
    ev: Evaluator, mistake: Mistake, operands: Mapping[str, Argument]
) -> Sequence[Argument]:
    """The operands whose rank a mistake is about."""
    tensors = [one for one in operands.values() if isinstance(ev.resolve(one.value), Tensor)]
    if len(tensors) == 1:
        return tensors
    return blamed_arguments(mistake, operands)


def _written(ev: Evaluator, operand: Argument) -> Claimed | None:
    """The claim that a parameter of the function has its rank from, if an operand is that value."""
    tensor = ev.resolve(operand.value)
    function = ev.frame.function
    claimed = tensor.claimed if isinstance(tensor, Tensor) else None
    if claimed is None or function is None or claimed.source is not ev.frame.source:
        return None
    if not claimed.rank or claimed.result or claimed.open:
        return None
    if not isinstance(tensor, Tensor) or ev.current(tensor.shape) != ev.current(claimed.shape):
        return None
    if not any(parameter.id == claimed.node for parameter in function.parameters):
        return None
    return None if tests_ranks(function.record) else claimed


__all__ = ["doubt_claim", "refute"]

"""The batch that a layer presumes of an operand of unknown rank.

A convolution takes `[N, C, L]` and `[C, L]`. It reads an operand of unknown rank as the first, so
that its dims have names and sizes; but nothing shows that there is a batch, and the `unsqueeze(0)`
behind an encoder shows that there is none. So the symbol of that dim is remembered, and wherever it
is still unknown, a mistake about a rank is one only if the operand is wrong without it as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from namecheck.analysis.asking.guesses import is_accepted
from namecheck_runtime import declare, layers
from namecheck_runtime.lattice import Dim, Dims
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.sizes import plain_symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def _place(ev: Evaluator, shape: Any) -> int | None:
    """Where a shape has a batch that a layer presumed; None if it has none.

    A size that the program has tied to another one, or unpacked, is no longer presumed.
    """
    if not ev.ranks.batches or type(shape) is not tuple:
        return None
    for index, dim in enumerate(shape):
        if type(dim) is not Dim:
            return None
        atom = plain_symbol(ev.facts.representative(dim.size))
        if atom is not None and atom in ev.ranks.batches:
            return index
    return None


def without(ev: Evaluator, shape: Dims) -> Dims | None:
    """The shape without a presumed batch; None if it has none."""
    at = _place(ev, shape)
    return None if at is None else (*shape[:at], *shape[at + 1 :])


def fits_without(
    ev: Evaluator,
    mistake: Mistake,
    call: declare.Spelling | layers.Instance,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
) -> bool:
    """Whether a mistake about a rank is none if a layer above got no batch."""
    if mistake.about != "rank" or not ev.ranks.batches:
        return False
    if isinstance(mistake, RankMismatch) and " or " in mistake.wanted:
        # The op may have a batch of its own. Channels cannot be it, a dim in front of them can.
        at = _place(ev, mistake.shape)
        if at is None or at == 0:
            return False
    changed = [_asked_without(ev, one) for one in arguments]
    named = {name: _asked_without(ev, one) for name, one in keywords.items()}
    if changed == list(arguments) and named == dict(keywords):
        return False
    return is_accepted(call, changed, named)


def _asked_without(ev: Evaluator, argument: Any) -> Any:
    """An argument for a rule, a shape or several, without presumed batches."""
    if type(argument) is not tuple or not argument:
        return argument
    if type(argument[0]) is tuple:
        return tuple([_asked_without(ev, one) for one in argument])
    fewer = without(ev, argument)
    return argument if fewer is None else fewer


__all__ = ["fits_without", "without"]

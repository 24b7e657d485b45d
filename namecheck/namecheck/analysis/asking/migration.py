"""Code for what a library has taken out (NC6xx): whether a file is concerned, and saying so.

What is gone is declared in the rulebook (`namecheck_runtime.rules.removed`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.conversion import convert
from namecheck.frameworks import WITH_NAMES
from namecheck_runtime.declare import Spelling
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.rules.removed import removed

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def is_concerned(text: str) -> bool:
    """Whether tensors with names would be PyTorch's own in a file.

    Others have the same methods: `namecheck_runtime`, of which a file speaks that is moving
    already, tensordict, whose dicts of tensors keep their names, and pandas. Whose is whose is not
    known there.
    """
    return not any(other in text for other in WITH_NAMES)


def check(
    ev: Evaluator,
    call: Spelling,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    by_name: Mapping[str, Argument],
    node: ir.Node,
) -> None:
    """Say what a call of PyTorch needs that newer releases do not have."""
    mistake = removed(call, arguments, keywords)
    if mistake is not None:
        ev.blame(mistake, mistake.level, node, by_name)


def is_tensor(
    ev: Evaluator,
    call: Spelling,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument],
    node: ir.Node,
) -> bool:
    """Whether something unknown may be taken for a tensor, seeing what method it has.

    `x.refine_names("N", "C")` is one, and is told. `table.rename("a")` and `grid.mean("lat")` are
    probably none, now that PyTorch's have no names.
    """
    if not ev.migrates:
        return True
    given = [convert(ev, argument.value) for argument in arguments]
    named = {name: convert(ev, argument.value) for name, argument in keywords.items()}
    mistake = removed(call, (UNKNOWN, *given), named)
    if mistake is None:
        return True
    removal = call.op.removed
    if removal is None or not removal.telling or not all(map(_is_name, given)):
        return False
    if ev.tensor_class == "Tensor":
        ev.blame(mistake, mistake.level, node, {})
    return True


def _is_name(given: Any) -> bool:
    if isinstance(given, (tuple, list)):
        return all(map(_is_name, given))
    return given is None or given is ... or isinstance(given, str)

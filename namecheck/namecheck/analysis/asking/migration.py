"""Code that uses what a library has removed (NC6xx): which files are concerned, and the report.

The rulebook declares what was removed (`namecheck_runtime.rules.removed`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from namecheck.analysis.asking.attribute_tests import runs_only_with
from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.conversion import convert
from namecheck_runtime.declare import REGISTRY, Spelling
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.rules.removed import removed

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def check(
    ev: Evaluator,
    call: Spelling,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    by_name: Mapping[str, Argument],
    node: ir.Node,
) -> None:
    """Blame a call of PyTorch that needs what newer releases do not have."""
    mistake = removed(call, arguments, keywords)
    if mistake is not None and not _is_asked_for(ev, node):
        ev.blame(mistake, mistake.level, node, by_name)


def is_tensor(
    ev: Evaluator,
    call: Spelling,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument],
    node: ir.Node,
) -> bool:
    """Whether something unknown may be taken for a tensor, given the method called on it.

    The x of `x.refine_names("N", "C")` is one, and the call is blamed. In `table.rename("a")` and
    `grid.mean("lat")` it probably is not, now that PyTorch's tensors have no names, and neither is
    it in `image.abs().rename("a")`.
    """
    if not ev.migrates:
        return True
    converted = [convert(ev, argument.value) for argument in arguments]
    named = {name: convert(ev, argument.value) for name, argument in keywords.items()}
    mistake = removed(call, (UNKNOWN, *converted), named)
    if mistake is None:
        return True
    removal = call.op.removed
    if removal is None or not removal.telling or not all(map(_is_name, converted)):
        return False
    if ev.tensor_class == "Tensor" and not _is_asked_for(ev, node):
        ev.blame(mistake, mistake.level, node, {})
    return True


def _is_asked_for(ev: Evaluator, node: ir.Node) -> bool:
    """Whether the program asks first whether tensors have names."""
    file = ev.frame.source.file
    known = file.asked_for.get(node.id)
    if known is None or known[0] is not node:
        asked = runs_only_with(file.statements(), node, _removed_attributes())
        known = file.asked_for[node.id] = (node, asked)
    return known[1]


@cache
def _removed_attributes() -> frozenset[str]:
    """The attributes and functions that are gone, from the whole rulebook.

    They went together, so a test for one is a test for each of them.
    """
    return frozenset(
        spelling.path.rpartition(".")[2].rstrip("=")
        for spelling in REGISTRY.values()
        if spelling.op.removed is not None
    )


def _is_name(argument: Any) -> bool:
    if isinstance(argument, (tuple, list)):
        return all(map(_is_name, argument))
    return argument is None or argument is ... or isinstance(argument, str)

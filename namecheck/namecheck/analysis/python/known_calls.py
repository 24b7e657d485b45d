"""Calls of other files' functions whose results are known without evaluating them.

`frameworks` lists them; `functions` evaluates all others.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from namecheck.analysis.python import higher_order
from namecheck.analysis.python.libraries import let_go
from namecheck.analysis.reading import ir
from namecheck.analysis.state.values import NONE, Anything, Function, Instance, Value
from namecheck.frameworks.transformers import CALLERS, KEPT, NAMES, UNTOLD

if TYPE_CHECKING:
    from namecheck.analysis.state.argument import Argument
    from namecheck.analysis.state.evaluate import Evaluator


def result_of(
    ev: Evaluator,
    function: Function,
    arguments: Sequence[Argument] | None,
    keywords: Mapping[str, Argument] | None,
    node: ir.Node | None,
) -> Value | None:
    """The value of such a call; None if the function has to be evaluated."""
    if function.name not in NAMES or function.source.file is ev.source.file:
        return None
    path = _path(function)
    if path in UNTOLD:
        let_go(ev, arguments or (), keywords)
        return Anything()
    if path in CALLERS and arguments is not None and keywords is not None:
        passed = arguments[1:] if function.owner is not None else arguments
        called = node if isinstance(node, ir.Call) else None
        return higher_order.CALLS[CALLERS[path]](ev, passed, keywords, called)
    stored = KEPT.get(path)
    if stored is None or not arguments:
        return None
    instance = ev.resolve(arguments[0].value)
    if not isinstance(instance, Instance):
        return None
    by_name = {
        parameter.name: argument.value
        for parameter, argument in zip(function.parameters, arguments, strict=False)
    }
    by_name.update((name, argument.value) for name, argument in (keywords or {}).items())
    if not by_name.keys() >= set(stored):
        return None
    for name in stored:
        ev.cells[instance, name] = by_name[name]
    return NONE


def _path(function: Function) -> str:
    """The dotted path of a function, beginning with the name of its module."""
    module, _ = os.path.splitext(os.path.basename(function.source.file.path))
    owner = f"{function.owner.name}." if function.owner is not None else ""
    return f"{module}.{owner}{function.name}"

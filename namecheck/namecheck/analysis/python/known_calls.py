"""Calls of other files' functions whose results are known without evaluating them.

`frameworks` lists them; `functions` evaluates all others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from namecheck.analysis.asking import own_objects
from namecheck.analysis.python import attributes, higher_order
from namecheck.analysis.python.libraries import let_go
from namecheck.analysis.reading import ir
from namecheck.analysis.state.lineage import path_of
from namecheck.analysis.state.values import NONE, Anything, Function, Instance, Tuple, Value, known
from namecheck.frameworks.transformers import AS_ROWS, CALLERS, KEPT, NAMES, READERS, UNTOLD

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
    path = path_of(function)
    if path in UNTOLD:
        let_go(ev, arguments or (), keywords)
        return Anything()
    if path in CALLERS and arguments is not None and keywords is not None:
        passed = arguments[1:] if function.owner is not None else arguments
        called = node if isinstance(node, ir.Call) else None
        return higher_order.CALLS[CALLERS[path]](ev, passed, keywords, called)
    stored = KEPT.get(path)
    if not arguments or (stored is None and path not in READERS and path not in AS_ROWS):
        return None
    instance = ev.resolve(arguments[0].value)
    if not isinstance(instance, Instance):
        return None
    if path in AS_ROWS:
        row, is_all = own_objects.row_of_fields(ev, instance)
        return Tuple(row) if is_all else Anything()
    if stored is None:
        name = known(ev.resolve(arguments[1].value)) if len(arguments) == 2 else None
        return attributes.stored_in(ev, instance, str(name[0])) if name is not None else Anything()
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

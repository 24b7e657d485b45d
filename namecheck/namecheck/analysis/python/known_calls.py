"""Calls of other files' functions whose results are known without evaluating them.

`frameworks` lists them; `functions` evaluates all others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from namecheck.analysis.objects import own_objects
from namecheck.analysis.objects.given_away import let_go
from namecheck.analysis.python import attributes, higher_order
from namecheck.analysis.reading import ir
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.lineage import fields_of, path_of
from namecheck.analysis.state.scalars import truth_of
from namecheck.analysis.state.values import NONE, Anything, Function, Instance, Tuple, Value, known
from namecheck.frameworks.transformers import (
    AS_ROWS,
    CALLERS,
    CAPTURED,
    CAPTURING,
    KEPT,
    NAMES,
    READERS,
    RETURNS_ROW,
    UNTOLD,
)

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
    if path == CAPTURING:
        return _captured(ev, function, arguments, keywords, node)
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
        word = known(ev.resolve(arguments[1].value)) if len(arguments) == 2 else None
        return attributes.stored_in(ev, instance, str(word[0])) if word is not None else Anything()
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


def _captured(
    ev: Evaluator,
    function: Function,
    arguments: Sequence[Argument] | None,
    keywords: Mapping[str, Argument] | None,
    node: ir.Node | None,
) -> Value | None:
    """The result of a method to which a decorator adds what the layers of the model compute.

    Where the program asks for that, the fields that the method leaves None are unknown.
    """
    inner = function.scope.variables.get("func") if isinstance(function.scope, Frame) else None
    model = ev.resolve(arguments[0].value) if arguments else None
    if inner is None or keywords is None or not isinstance(model, Instance):
        return None
    config = attributes.read(ev, model, "config")
    asked = [ev.resolve(keywords[name].value) for name in CAPTURED if name in keywords]
    asked += [attributes.read(ev, config, name) for name in CAPTURED]
    rest = {name: argument for name, argument in keywords.items() if name != RETURNS_ROW}
    called = node if isinstance(node, ir.Call) else None
    result = ev.resolve(ev.call(inner, arguments, rest, called))
    if not isinstance(result, Instance) or not own_objects.is_row_of_fields(result):
        return Anything()
    if any(truth_of(ev, one) is not False for one in asked):
        for name, _, _ in fields_of(result.cls):
            if ev.resolve(ev.cells.get((result, name), NONE)) is NONE:
                ev.cells[result, name] = Anything()
    given = keywords.get(RETURNS_ROW)
    as_object = truth_of(ev, given.value if given else attributes.read(ev, config, RETURNS_ROW))
    if as_object is True:
        return result
    row, is_all = own_objects.row_of_fields(ev, result)
    return Tuple(row) if as_object is False and is_all else Anything()

"""Commands of the command line that are functions: what they are called with by default."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from namecheck import frameworks
from namecheck.analysis.objects.marks_of_tests import at_definition
from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.scalars import truth_of
from namecheck.analysis.state.values import (
    NONE,
    Anything,
    Constant,
    Function,
    Library,
    Text,
    Value,
    known,
)
from namecheck.frameworks import click

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def is_command(ev: Evaluator, function: Function) -> bool:
    """Whether a decorator makes a function a command: `@click.command()`, `@app.command()`."""
    record = function.record
    if not isinstance(record, ir.FunctionDef) or function.owner is not None or record.is_async:
        return False
    names = [
        callee.name
        for node in record.decorators
        if isinstance(callee := node.function if isinstance(node, ir.Call) else node, ir.Attribute)
    ]
    if click.COMMAND.isdisjoint(names):
        return False
    values = function.scope.module().variables.values()
    roots = [value.path.partition(".")[0] for value in values if isinstance(value, Library)]
    return not click.PACKAGES.isdisjoint(roots)


def run(ev: Evaluator, arguments: Sequence[Argument]) -> Value:
    """Call the function that a library calls with the options of the command line."""
    function = ev.resolve(arguments[0].value) if arguments else NONE
    if isinstance(function, Function) and function.owner is None:
        values = given(ev, function)
        ev.call(function, (), {name: Argument(value) for name, value in values.items()}, None)
    return Anything()


def given(ev: Evaluator, function: Function) -> dict[str, Value]:
    """What a command is called with by a user who gives no options; it is noted that one may."""
    values: dict[str, Value] = {}
    options = _options(ev, function)
    for parameter in function.parameters:
        if parameter.kind.startswith("variadic"):
            continue
        value = options.get(parameter.name)
        if value is None and parameter.default is not None:
            value = _declared(ev, function, parameter.default)
        if value is None or ev.units.options_unknown:
            value = Anything(parameter.name)
        values[parameter.name] = value
    if values and ev.units.reads_options is None:
        ev.units.reads_options = (function.source, function.line)
    return values


def _declared(ev: Evaluator, function: Function, default: ir.Expression) -> Value | None:
    """The value of a default, or of `typer.Option(8, help="...")`."""
    node: ir.Expression | None = default
    if isinstance(default, ir.Call):
        callee = _at(ev, function, default.function)
        if isinstance(callee, Library) and frameworks.canonical(callee.path) in click.DECLARED:
            named = [one.value for one in default.keywords if one.name == click.DEFAULT]
            node = next(iter((*default.positional, *named)), None)
    value = None if node is None else _at(ev, function, node)
    is_left_out = isinstance(value, Constant) and value.value is ...
    return None if is_left_out else value


def _options(ev: Evaluator, function: Function) -> dict[str, Value]:
    """The defaults of the options that decorators declare, by the names of the parameters."""
    options: dict[str, Value] = {}
    record = function.record
    assert isinstance(record, ir.FunctionDef)
    for node in record.decorators:
        if not isinstance(node, ir.Call):
            continue
        callee = _at(ev, function, node.function)
        path = frameworks.canonical(callee.path) if isinstance(callee, Library) else ""
        if path in click.OPTIONS or path in click.ARGUMENTS:
            flags = [one.value for one in node.positional if isinstance(one, ir.Str)]
            if flags:
                is_option = path in click.OPTIONS
                options[_name_of(flags)] = _default(ev, function, node, flags, is_option)
    return options


def _name_of(flags: Sequence[str]) -> str:
    """The parameter of `"-w", "--in-width"`, or of `"--in-width", "width"`."""
    plain = [flag for flag in flags if flag.isidentifier()]
    first = sorted(flags, key=lambda flag: len(flag) - len(flag.lstrip("-")), reverse=True)[0]
    name = plain[0] if plain else first.partition("/")[0]
    return name.lstrip("-").replace("-", "_").lower()


def _default(
    ev: Evaluator, function: Function, node: ir.Call, flags: Sequence[str], is_option: bool
) -> Value:
    """The default of an option, which a type or a callback may change."""
    words = {one.name: one.value for one in node.keywords if one.name is not None}
    required = words.get(click.REQUIRED)
    if required is not None and truth_of(ev, _at(ev, function, required)) is not False:
        return Anything()
    if click.DEFAULT not in words:
        is_switch = click.FLAG in words or any("/" in flag for flag in flags)
        return Constant(False) if is_switch else NONE if is_option else Anything()
    value = _at(ev, function, words[click.DEFAULT])
    constant = known(value)
    is_text = isinstance(value, Text) or (constant is not None and isinstance(constant[0], str))
    if is_text and any(word in words for word in click.SEVERAL):
        return Anything()  # it is converted
    return value


def _at(ev: Evaluator, function: Function, node: ir.Expression) -> Value:
    return at_definition(ev, function.source, function.scope, node)


__all__ = ["given", "is_command", "run"]

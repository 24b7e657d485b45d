"""Statements that bind names to functions, classes and modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from namecheck import frameworks
from namecheck.analysis.objects import shared_names
from namecheck.analysis.python import attributes, classes
from namecheck.analysis.python.imports import Imported, Module
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.bindings import bindings
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.evaluate import Evaluator
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.lineage import look_up
from namecheck.analysis.state.paths import Path
from namecheck.analysis.state.values import (
    NONE,
    Anything,
    Class,
    Decorated,
    Function,
    Instance,
    Library,
    Partial,
    Transformed,
    Value,
)
from namecheck.frameworks import python
from namecheck_runtime.readers.decorators import TRANSPARENT


def run_function(ev: Evaluator, node: ir.FunctionDef) -> None:
    """Bind the name of a function to it, behind its decorators."""
    kind = "function"
    opaque = mapped = False
    wrappers: list[tuple[ir.Expression, Value]] = []
    every: list[tuple[ir.Expression, Value]] = []
    for decorator in node.decorators:
        function = decorator.function if isinstance(decorator, ir.Call) else decorator
        if isinstance(function, ir.Attribute) and function.name in ("setter", "deleter"):
            _add_setter(ev, node, function)
            return
        path = ""
        value = ev.resolve(ev.value(function))
        if isinstance(value, Library):
            path = value.path
        if path == python.PARTIAL:
            value = _applied(ev.resolve(ev.value(decorator)))
            path = value.path if isinstance(value, Library) else path
        mapped = mapped or path in frameworks.MAPPING
        if path not in python.METHOD_KINDS and path not in _UNCHANGED:
            every.append((decorator, value))
        if path in python.METHOD_KINDS:
            kind = python.METHOD_KINDS[path]
        elif isinstance(value, Function) or path in frameworks.TRANSFORMS:
            opaque = opaque or ev.frame.class_body
            wrappers.append((decorator, value))
        elif path not in _UNCHANGED:
            # Most others do not change a function: `show` takes them for transparent.
            opaque = opaque or ev.trials.calls is None or not path or path in frameworks.CHANGING
    defined = Function(node, ev.frame, ev.frame.source, kind)
    defined.mapped = mapped
    outer = enclosing_function(ev.frame)
    if ev.frame.depth == 0 and not ev.frame.quiet:
        if outer is None:
            ev.units.functions.append(defined)
        elif id(node) not in ev.units.nested_done:
            around = ev.fork()
            ev.units.nested[id(node)] = (
                defined,
                outer,
                Path(outer.variables, around.cells, around.facts),
            )
    behind: Value
    described = _described(ev, defined, [value for _, value in every])
    if described is not None:
        behind = described
    elif opaque:
        behind = Decorated(defined, tuple(every), ev.frame)
    else:
        behind = _wrapped(ev, defined, wrappers, every)
    ev.frame.variables[node.name] = behind
    _give_up_shared(ev, node)


def _described(ev: Evaluator, made: Function, decorators: Sequence[Value]) -> Instance | None:
    """The object of a class of the program that says what reading it gives: `@lazy_property`."""
    if len(decorators) != 1 or not ev.frame.class_body:
        return None
    (cls,) = decorators
    if not isinstance(cls, Class) or not isinstance(look_up(cls.lineage, python.GET), Function):
        return None
    with ev.frame.quietly():
        value = ev.resolve(ev.call(cls, (Argument(made),), {}, None))
    return value if isinstance(value, Instance) else None


def _add_setter(ev: Evaluator, node: ir.FunctionDef, decorator: ir.Attribute) -> None:
    """Let a property call this function when it is assigned: `@size.setter`."""
    held = ev.resolve(ev.value(decorator.value))
    if isinstance(held, Function) and held.kind == "property" and decorator.name == "setter":
        held.setter = Function(node, ev.frame, ev.frame.source)
        if held.owner is not None:
            held.setter = None  # one of another class, which keeps what it has


def enclosing_function(frame: Frame | None) -> Frame | None:
    """The frame of the innermost function around; None at the top of a module."""
    while frame is not None and frame.function is None:
        frame = frame.parent
    return frame


def _applied(value: Value) -> Value:
    """The decorator in `functools.partial(jax.jit, static_argnums=0)`; other values as they are."""
    return value.function if isinstance(value, Partial) else value


def _wrapped(
    ev: Evaluator,
    made: Function,
    wrappers: list[tuple[ir.Expression, Value]],
    every: list[tuple[ir.Expression, Value]],
) -> Value:
    """What its decorators make of a function; `Decorated` if that is not a function."""
    value: Value = made
    for decorator, function in reversed(wrappers):
        with ev.frame.quietly():
            wrapper = (
                ev.resolve(ev.value(decorator)) if isinstance(decorator, ir.Call) else function
            )
            known = isinstance(wrapper, (Function, Library, Partial))
            if known and not (isinstance(wrapper, Function) and registers(wrapper)):
                value = ev.resolve(ev.call(wrapper, (Argument(value),), {}, None))
        if not known or not isinstance(value, (Function, Transformed)):
            return Decorated(made, tuple(every), ev.frame)
    return value


def registers(function: Function) -> bool:
    """Whether a function returns its argument, so that it need not be evaluated.

    A package may decorate each of its models to enter them in tables.
    """
    if function.registers is None:
        function.registers = _hands_back(function.record)
    return function.registers


def _hands_back(record: ir.Record) -> bool:
    match record:
        case ir.FunctionDef(parameters=(ir.Parameter(name=parameter),), body=(*_, ir.Return())):
            if record.is_async or bindings(record)[parameter] > 1:
                return False
        case _:
            return False
    for inner in walk(record):
        match inner:
            case ir.Return(ir.Name(name)) if name == parameter:
                continue
            case ir.Return() | ir.Yield() | ir.YieldFrom():
                return False
    return True


def _give_up_shared(ev: Evaluator, node: ir.FunctionDef | ir.ClassDef) -> None:
    """Forget the variables that a function, or a method of a class, assigns outside itself.

    They are not known from its definition on.
    """
    text = ev.frame.source.text
    if "nonlocal " not in text and "global " not in text:
        return
    for record in walk(node):
        if isinstance(record, (ir.Global, ir.Nonlocal)):
            outer = ev.module_frame() if isinstance(record, ir.Global) else ev.frame
            for name in record.names:
                bound = _inner_bindings(outer, name) if isinstance(record, ir.Nonlocal) else 2
                if isinstance(record, ir.Global) and name not in outer.shared:
                    shared_names.note(outer, name, outer.variables.get(name, Anything()))
                if bound:
                    outer.globals_ |= {name}
                if bound > 1 or (bound and outer.variables.get(name) is not NONE):
                    outer.variables[name] = Anything()


def _inner_bindings(outer: Frame, name: str) -> int:
    """How often a function binds a name again that an inner function declares nonlocal.

    A cache that is a dict is bound never, and one that is None at first is bound once.
    """
    if outer.function is None:
        return 2
    # `bindings` counts a declaration as two.
    return max(bindings(outer.function.record)[name] - 3, 0)


_UNCHANGED: Final = TRANSPARENT | python.UNCHANGING
"""Decorators, and calls that give one, under which a function computes what it did."""


def run_class(ev: Evaluator, node: ir.ClassDef) -> None:
    cls = classes.make_class(ev, node)
    ev.frame.variables[node.name] = cls
    if ev.frame.depth == 0 and not ev.frame.quiet:
        ev.units.classes.append(cls)
    _give_up_shared(ev, node)


def _module(ev: Evaluator, level: int, name: str) -> Module | None:
    """The module of the project that an import in the current file means; None if there is none."""
    file = ev.frame.source.file
    return None if file.program is None else file.program.find(file, level, name)


def is_followed(ev: Evaluator, body: Sequence[ir.Statement]) -> bool:
    """Whether statements only import from files of the project."""
    for statement in body:
        match statement:
            case ir.Import(names):
                modules = [_module(ev, 0, alias.name) for alias in names]
            case ir.ImportFrom(name, _, level):
                modules = [_module(ev, level, name)]
            case _:
                return False
        if any(module is None or module.found.path is None for module in modules):
            return False
    return bool(body)


def run_import(ev: Evaluator, node: ir.Import) -> None:
    for alias in node.names:
        # `import a.b` binds `a`, `import a.b as c` binds `a.b`.
        name = alias.name if alias.alias is not None else alias.name.partition(".")[0]
        target = _module(ev, 0, name)
        ev.frame.variables[alias.alias or name] = (
            Library(frameworks.canonical(name)) if target is None else target
        )


def run_import_from(ev: Evaluator, node: ir.ImportFrom) -> None:
    target = _module(ev, node.level, node.module)
    if target is not None:
        for alias in node.names:
            if alias.name == "*":
                ev.module_frame().stars += (target,)
            else:
                imported = Imported(target, alias.name)
                ev.frame.variables[alias.alias or alias.name] = imported
        return
    module = "." * node.level + node.module
    for alias in node.names:
        path = f"{module}.{alias.name}" if module else alias.name
        path = frameworks.canonical(path)
        value = attributes.of_library(ev, path)
        ev.frame.variables[alias.alias or alias.name] = value

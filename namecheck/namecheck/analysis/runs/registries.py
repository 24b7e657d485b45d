"""What decorators enter in the tables of modules: `@register("conv")` above a class.

A drive finds the classes and functions of the file itself, and of the modules that the file
imports, by itself or through others, in the order in which Python imports them. What it finds
belongs to the file: another may import other modules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.objects.module_rows import World, decorators_of
from namecheck.analysis.python.definitions import registers
from namecheck.analysis.python.imports import Definition, Module, Program, key_of
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.unreadable import SourceError
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.evaluate import Exhausted, Reach
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.program_pieces import Source, SourceFile
from namecheck.analysis.state.values import (
    Anything,
    Bound,
    Deferred,
    Function,
    Instance,
    Partial,
    Tensor,
    Value,
)

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

MOST_LOADED: Final = 60
"""The most modules that are loaded for what their decorators enter in tables."""

MOST_DECORATED: Final = 200
"""The most decorated definitions of them that are entered."""

ENTERING: Final = (5_000, 20, True, 5_000, 5_000, 64)
"""What a decorator may cost, as `Reach` takes it."""


def enter_imported(ev: Evaluator, program: Program, world: World) -> None:
    """Let the decorators of the modules that a file imports enter their definitions in tables."""
    file = ev.source.file
    order: dict[str, Module | None] = {file.real: None}
    _load_imported(ev, program, file, order)
    count = 0
    for module in order.values():
        for definition in () if module is None else module.decorated:
            count += 1
            if count <= MOST_DECORATED and _may_enter(ev, definition):
                _enter(ev, program, definition, world)


def _load_imported(
    ev: Evaluator, program: Program, file: SourceFile, order: dict[str, Module | None]
) -> None:
    """Load the modules that a file imports, those first which they import themselves."""
    for module in list(_imported(program, file)):
        key = key_of(module.found)
        if key in order or len(order) > MOST_LOADED or program.is_installed(key):
            continue
        order[key] = None
        module.load(ev)
        if module.file is not None:
            _load_imported(ev, program, module.file, order)
            del order[key]  # it runs behind what it imports
            order[key] = module


def _imported(program: Program, file: SourceFile) -> Iterator[Module]:
    """The modules of the project that the import statements of a file name."""
    for statement in file.statements():
        for record in walk(statement):
            match record:
                case ir.Import(names):
                    for alias in names:
                        yield from _on_the_way(program, file, 0, alias.name)
                case ir.ImportFrom(name, names, level):
                    yield from _on_the_way(program, file, level, name)
                    package = program.find(file, level, name)
                    for alias in names:
                        found = package.found if package is not None else None
                        inside = found and program.project.submodule(found, alias.name)
                        if found is not None and inside is not None:
                            yield program.module(inside, key_of(found))


def _on_the_way(program: Program, file: SourceFile, level: int, name: str) -> Iterator[Module]:
    """The packages that an import runs, and the module."""
    parts = name.split(".") if name else []
    for count in range(level == 0, len(parts) + 1):
        module = program.find(file, level, ".".join(parts[:count]))
        if module is not None:
            yield module


def _may_enter(ev: Evaluator, definition: Definition) -> bool:
    """Whether a decorator of a definition is of the project: a function, or an object."""
    frame = definition.module.frame
    for name in decorators_of(definition.text):
        root = None if frame is None else frame.variables.get(name)
        value = root.give(ev) if isinstance(root, Deferred) else root
        if isinstance(value, (Function, Instance, Module)):
            return True
    return False


def _enter(ev: Evaluator, program: Program, definition: Definition, world: World) -> None:
    """Let the decorators of a definition of a module enter it in tables."""
    module = definition.module
    assert module.file is not None
    chunk = definition.chunk()
    try:
        records = program.lowered.lower(chunk)
    except SourceError:
        ev.used.add((module.file.real, definition.name))
        return
    piece = Source(module.file, chunk.text, chunk.line, records)
    inner = ev.another(piece, world)
    inner.frame = inner.module = Frame(piece, module.frame)
    inner.frame.quiet = 1
    inner.reach, inner.memory = Reach(*ENTERING), inner.memory.for_drives()
    node = records.statements[-1]
    if isinstance(node, (ir.FunctionDef, ir.ClassDef)):
        try:
            enter(inner, node, definition.give(inner))
        except (Exhausted, RecursionError):
            return
        finally:
            ev.used |= inner.used
        world.note_entered(inner)


def enter_own(ev: Evaluator, pieces: Sequence[Source]) -> dict[Any, Any]:
    """What the decorators of a file enter in tables, where its drives find them."""
    ev.cells = ev.module_cells = ev.cells.copy()
    ev.cells.recent.update(ev.units.kept)
    before = dict(ev.cells.recent)
    for piece in pieces:
        ev.module.source = piece
        for statement in piece.chunk.statements:
            value = ev.module.variables.get(getattr(statement, "name", ""))
            if isinstance(statement, (ir.FunctionDef, ir.ClassDef)) and value is not None:
                if statement.decorators:
                    enter(ev, statement, ev.resolve(value))
    return {
        key: value
        for key, value in ev.cells.recent.items()
        if before.get(key) is not value and not isinstance(key, (Anything, Tensor))
    }


def enter(ev: Evaluator, node: ir.FunctionDef | ir.ClassDef, value: Value) -> None:
    """Let the decorators of a class or function enter it in their tables: `@register("conv")`.

    Those of the project are called; what such a decorator may make of a function is known already.
    """
    with ev.frame.quietly():
        for decorator in reversed(node.decorators):
            callee = decorator.function if isinstance(decorator, ir.Call) else decorator
            wrapper = ev.resolve(ev.value(callee))
            if isinstance(wrapper, (Function, Bound)) and isinstance(decorator, ir.Call):
                wrapper = ev.resolve(ev.value(decorator))
            if not isinstance(wrapper, (Function, Bound, Partial)):
                return
            if isinstance(node, ir.FunctionDef):
                if not isinstance(wrapper, Function) or not registers(wrapper):
                    return
            ev.call(wrapper, (Argument(value),), {}, None)
            if not ev.alive:
                ev.alive = True
                return


__all__ = ["enter", "enter_imported", "enter_own"]

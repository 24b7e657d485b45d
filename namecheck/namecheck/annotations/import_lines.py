"""Import statements for the names in annotations: each once, among the other imports.

A name is added to a statement that imports from the same module; or a new statement is put among
those at the top, in sorted order. Imports for type checkers alone (`if TYPE_CHECKING:`) do not
count, since Python evaluates annotations when it defines a function.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from namecheck.annotations.arrays import Imports
from namecheck.annotations.changes import Annotation
from namecheck.fixes.code import Code
from namecheck.fixes.edits import Change
from namecheck.frameworks import ARRAY_PACKAGES

__all__ = ["with_imports"]


def with_imports(code: Code, annotations: Sequence[Annotation]) -> tuple[Change, ...]:
    """The changes of annotations, with those for the imports that they need."""
    needs = {path for annotation in annotations for path in annotation.needs}
    imports = Imports(code)
    missing = sorted(path for path in needs if imports.called(path) is None)
    modules: dict[str, list[str]] = {}
    for path in missing:
        module, _, name = path.rpartition(".")
        modules.setdefault(module, []).append(name)
    added = [change for item in modules.items() for change in _added(code, *item)]
    # Two new statements at one place are one change.
    places: dict[tuple[int, int], str] = {}
    for change in added:
        places[change[:2]] = places.get(change[:2], "") + change.content
    new = [Change(start, end, text) for (start, end), text in places.items()]
    return tuple(sorted([*new, *(change for a in annotations for change in a.made)]))


def _added(code: Code, module: str, names: Sequence[str]) -> Iterator[Change]:
    if code.tree is None:
        return
    for node in code.tree.body:
        match node:
            case ast.ImportFrom(module=imported, names=[*_, last], level=0) if imported == module:
                if last.name != "*":
                    _, end = code.stretch_of(last)
                    yield Change(end, end, "".join(f", {name}" for name in names))
                    return
    statement = f"from {module} import {', '.join(names)}"
    yield _statement(code, code.tree, module, statement)


def _statement(code: Code, tree: ast.Module, module: str, statement: str) -> Change:
    """The change that adds a statement in its place among those at the top."""
    run = _run(code, tree.body)
    for node in run:
        if isinstance(node, ast.ImportFrom) and not node.level and (node.module or "") > module:
            return _before(code, node, statement)
    if run:
        return _after(code, run[-1], statement)
    for node in tree.body:
        if not _goes_first(node):
            return _before(code, node, statement)
    return _after(code, tree.body[-1], statement)


def _run(code: Code, body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The run of import statements, each alone on its line, with that of an array library; empty if
    there is none.
    """
    runs: list[list[ast.stmt]] = [[]]
    last = 0
    for node in body:
        if not isinstance(node, (ast.Import, ast.ImportFrom)) or not _is_alone(code, node):
            runs.append([])
            continue
        if node.lineno != last + 1:
            runs.append([])
        runs[-1].append(node)
        last = node.end_lineno or node.lineno
    for run in runs:
        if any(_root(node) in ARRAY_PACKAGES for node in run):
            return run
    return []


def _root(node: ast.stmt) -> str:
    match node:
        case ast.Import([first, *_]):
            return first.name.partition(".")[0]
        case ast.ImportFrom(module=str(module), level=0):
            return module.partition(".")[0]
    return ""


def _goes_first(node: ast.stmt) -> bool:
    """Whether a statement must stay first: a docstring, or an import from `__future__`."""
    match node:
        case ast.Expr(ast.Constant(str())) | ast.ImportFrom(module="__future__"):
            return True
    return False


def _is_alone(code: Code, node: ast.stmt) -> bool:
    start, end = code.stretch_of(node)
    begin = code.offset(node.lineno, 1)
    rest = code.text[end : code.offset((node.end_lineno or 1) + 1, 1)].strip()
    return start == begin and (not rest or rest.startswith("#"))


def _before(code: Code, node: ast.stmt, statement: str) -> Change:
    decorators = getattr(node, "decorator_list", None)
    place = code.offset((decorators[0] if decorators else node).lineno, 1)
    return Change(place, place, statement + _newline(code))


def _after(code: Code, node: ast.stmt, statement: str) -> Change:
    place = code.offset((node.end_lineno or 1) + 1, 1)
    newline = _newline(code)
    if code.text[:place].endswith(("\n", "\r")):
        return Change(place, place, statement + newline)
    return Change(place, place, newline + statement)


def _newline(code: Code) -> str:
    first = code.lines[0] if code.lines else ""
    return first[len(first.rstrip("\r\n")) :] or "\n"

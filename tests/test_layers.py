"""The rooms of docs/architecture.md, compared with the imports of our sources.

`docs/hooks/rooms.py` lists the rooms in their order, and draws the picture of the page from the
same imports.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

import pathspec
import pytest

from loading import load_file

ROOT = Path(__file__).parent.parent


rooms = load_file(ROOT / "docs/hooks/rooms.py")
MODULES: dict[str, Path] = rooms.modules()
IMPORTS = rooms.all_imports()

_NAMES = [room.name for room in rooms.ROOMS["namecheck_runtime"]]
RULEBOOK = rooms.ROOMS["namecheck_runtime"][: _NAMES.index("(names of methods)")]
HEAVY = {"numpy", "libcst", "mypy", "torch", "jax", "rich", "click"}

DOORS = {*rooms.PACKAGES, "namecheck_runtime.console"}
"""The entry points of users: a package imports all that it offers, a console script the linter."""

MOST_MODULES = 25
"""The most modules that a folder may have."""

MOST_LINES = 600
MOST_LINES_OF_A_FUNCTION = 60

SIDES = (
    # what is written of an op, read of it, ruled, wrong with it, computed and differentiated
    {
        *("notation", "readers", "rules", "rules.nn", "mistakes", "tensors.kernels"),
        *("autograd.derivatives", "nn.modules"),
    },
    # a name of the package that old pickles and programs use, and where the thing is
    {"", "tensors", "tensors.computing", "tensors.kernels", "tensors.making", "tensors.values"},
    {"", "tensors.kernels", "rules"},
    {"nn", "autograd"},  # PyTorch has a module `functional` in both
    {"nn.modules", "nn.utils"},  # and a module `rnn` in both
    {"rules", "tensors.computing"},  # the rule of a question, and its answer
    {"analysis.reading.ir", "analysis.python"},  # a record, and what it does
    {"analysis.python", "frameworks"},  # a habit of libraries, and what follows from it
    {"commands", "lsp", "running"},  # a command, and what it starts
)
"""Folders of a package whose modules may have the same name: they are sides of one thing."""

FAMILIES = re.compile(r"namecheck_runtime\.(rules|tensors\.kernels)\b")
"""Folders with one module per family of ops, which may have more."""


@pytest.mark.parametrize("module", MODULES, ids=list(MODULES))
def test_every_module_is_in_one_room(module: str) -> None:
    assert rooms.room_of(module) is not None, "docs/hooks/rooms.py must list it in a room"


def upward(imports: Iterable) -> Iterator[str]:  # type: ignore[type-arg]
    for edge in imports:
        above, below = rooms.room_of(edge.importer), rooms.room_of(edge.imported)
        if above is None or below is None:
            continue
        packages = list(rooms.PACKAGES)
        if edge.kind == "late" and edge.importer in DOORS:
            continue
        if above[0] != below[0]:
            is_up = packages.index(below[0]) > packages.index(above[0])
        else:
            is_up = below[1] > above[1]
        if is_up:
            yield f"{edge.importer}:{edge.line} imports {edge.imported} ({edge.kind})"


def test_imports_lead_down() -> None:
    assert list(upward(IMPORTS)) == []


def cycles(imports: Iterable) -> list[list[str]]:  # type: ignore[type-arg]
    """The modules in import cycles, and those on a path from one cycle to another."""
    below: dict[str, set[str]] = {}
    for edge in imports:
        below.setdefault(edge.importer, set()).add(edge.imported)
        below.setdefault(edge.imported, set())
    # A module that imports none of them, or that none imports, is in no cycle: remove such modules
    # until none is left.
    while True:
        above: dict[str, int] = dict.fromkeys(below, 0)
        for targets in below.values():
            for target in targets:
                above[target] += 1
        free = {name for name, targets in below.items() if not targets or not above[name]}
        if not free:
            break
        below = {name: t - free for name, t in below.items() if name not in free}
    return [sorted(below)] if below else []


def test_no_imports_form_a_cycle() -> None:
    assert cycles(IMPORTS) == []


def test_the_linter_and_the_plugin_do_not_import_each_other() -> None:
    other = {"namecheck": "namecheck_plugin", "namecheck_plugin": "namecheck"}
    strangers = [
        edge
        for edge in IMPORTS
        if other.get(edge.importer.partition(".")[0]) == edge.imported.partition(".")[0]
    ]
    assert strangers == []


def test_the_analysis_is_entered_by_its_door() -> None:
    door = "namecheck.analysis"
    beside = [
        f"{imported.importer}:{imported.line} imports {imported.imported}"
        for imported in IMPORTS
        if imported.imported.startswith(f"{door}.")
        and imported.importer != door
        and not imported.importer.startswith(f"{door}.")
    ]
    assert beside == []


def test_no_folder_is_crowded() -> None:
    counts: dict[str, int] = {}
    for name, path in MODULES.items():
        if path.name != "__init__.py":
            folder = name.rpartition(".")[0]
            counts[folder] = counts.get(folder, 0) + 1
    crowded = {f: n for f, n in counts.items() if n > MOST_MODULES and not FAMILIES.match(f)}
    assert crowded == {}


def test_long_modules_and_functions_are_split() -> None:
    long: list[str] = []
    for module, path in MODULES.items():
        text = path.read_text(encoding="utf-8")
        if text.count("\n") > MOST_LINES:
            long.append(module)
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                assert node.end_lineno is not None
                if node.end_lineno - node.lineno >= MOST_LINES_OF_A_FUNCTION:
                    long.append(f"{module}.{node.name}")
    assert long == []


def test_modules_share_a_name_only_as_sides_of_one_thing() -> None:
    by_name: dict[tuple[str, str], set[str]] = {}
    for module, path in MODULES.items():
        folder, _, name = module.rpartition(".")
        if path.name != "__init__.py" and name != "__main__":
            package, _, inner = folder.partition(".")
            by_name.setdefault((package, name), set()).add(inner)
    confusing = {
        key: folders
        for key, folders in by_name.items()
        if len(folders) > 1 and not any(folders <= sides for sides in SIDES)
    }
    assert confusing == {}


@pytest.mark.parametrize("module", MODULES, ids=list(MODULES))
def test_the_rulebook_is_light(module: str) -> None:
    place = rooms.room_of(module)
    if place is None or rooms.ROOMS[place[0]][place[1]] not in RULEBOOK:
        return
    tree = ast.parse(MODULES[module].read_bytes())
    libraries = {name.partition(".")[0] for name in _outside(tree)}
    assert not libraries & HEAVY


def _outside(tree: ast.AST) -> Iterator[str]:
    """The imports of a module at runtime, at any depth in it."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=module):
                yield module or ""
            case ast.If(test=ast.Name("TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING")):
                yield from _outside(ast.Module(node.orelse, []))
            case _:
                yield from _outside(node)


def test_every_module_opens_with_a_paragraph() -> None:
    silent = [
        name
        for name, path in MODULES.items()
        if not ast.get_docstring(ast.parse(path.read_bytes()))
    ]
    assert not silent


def test_the_picture_shows_these_imports() -> None:
    assert rooms.PICTURE.read_text(encoding="utf-8") == rooms.picture(), (
        "python docs/hooks/rooms.py redraws it"
    )


# The page about it


PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
PATHS = sorted(set(re.findall(r"`([\w./]+/[\w./]*)`", PAGE)))


@pytest.mark.parametrize("path", PATHS)
def test_paths_on_the_page_exist(path: str) -> None:
    assert (ROOT / path).exists()


NAMED = re.findall(r"`([A-Za-z_][\w.]*)`(?:\s+in)\s+`([\w./]+\.py)`", PAGE)
"""`name` in `path`."""


@pytest.mark.parametrize(("name", "path"), NAMED)
def test_names_on_the_page_are_where_it_says(name: str, path: str) -> None:
    node: ast.AST = ast.parse((ROOT / path).read_bytes())
    for part in name.split("."):
        inside = [
            child
            for child in ast.iter_child_nodes(node)
            if getattr(child, "name", None) == part
            or (isinstance(child, ast.AnnAssign) and ast.unparse(child.target) == part)
        ]
        assert inside, f"{name} is not in {path}"
        node = inside[0]


def test_the_page_names_enough() -> None:
    assert len(PATHS) > 40
    assert len(NAMED) > 10


# The tests above depend on reading imports correctly, which is tested here on small sources.


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from namecheck.findings import Finding", [("namecheck.findings", "run")]),
        ("from namecheck import findings", [("namecheck.findings", "run")]),
        ("import namecheck.findings as f", [("namecheck.findings", "run")]),
        ("def f():\n    from namecheck import terms", [("namecheck.terms", "late")]),
        ("class A:\n    from namecheck import terms", [("namecheck.terms", "run")]),
        (
            "if TYPE_CHECKING:\n    from namecheck.terms import T\nelse: import namecheck.source",
            [("namecheck.terms", "typing"), ("namecheck.source", "run")],
        ),
        (
            "import typing as t\nif t.TYPE_CHECKING:\n    import namecheck.terms",
            [("namecheck.terms", "typing")],
        ),
        ("from ..findings import Finding", [("namecheck.findings", "run")]),
        ("from . import layout", [("namecheck.text.layout", "run")]),
        ("from numpy import array", []),
    ],
)
def test_imports_are_read(source: str, expected: list[tuple[str, str]]) -> None:
    read = rooms._imports(ast.parse(source), "namecheck.text.it", "namecheck.text", MODULES, "run")
    assert [(edge.imported, edge.kind) for edge in read] == expected


@pytest.mark.parametrize(
    ("arrows", "expected"),
    [
        ("ab bc", []),
        ("ab ba", [["a", "b"]]),
        ("ab bc ca cd", [["a", "b", "c"]]),
        ("ab bc ad dc", []),
    ],
)
def test_cycles_are_found(arrows: str, expected: list[list[str]]) -> None:
    imports = [rooms.Import(arrow[0], arrow[1], "run", 1) for arrow in arrows.split()]
    assert cycles(imports) == expected


def test_no_match_statement_binds_the_rest_of_a_tuple() -> None:
    """mypyc 2.4.1 compiles `case (first, *others)` to code that raises TypeError on tuples."""
    bound = [
        f"{path}:{node.lineno}"
        for path in MODULES.values()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.MatchStar) and node.name is not None
    ]
    assert bound == []


def test_no_compiled_module_has_a_cached_property() -> None:
    """mypyc 2.4.1 makes a plain property of a `cached_property`: it is computed at each access."""
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    compiled = pathspec.GitIgnoreSpec.from_lines(
        wheel["targets"]["wheel"]["hooks"]["custom"]["modules"]
    )
    wrong = [
        f"{path}:{node.lineno}"
        for path in MODULES.values()
        if compiled.match_file(path.relative_to(ROOT).as_posix())
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "functools"
        if any(alias.name == "cached_property" for alias in node.names)
    ]
    assert wrong == []

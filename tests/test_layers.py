"""The layers of design.md section 2, read off the imports of our own sources.

    {light, slots} <- {lattice, lazy_rules} <- sizes <- mistakes <- duties
            <- {binding, algebra, strides, notation, declare} <- {infer, rules} <- readers
            <- {tensors (runtime), analysis (linter), plugin}

Imports under `if TYPE_CHECKING:` do not count: they do not exist when the program runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOTS = {
    name: Path(__file__).parent.parent / root / name
    for root, name in [
        ("runtime", "namecheck_runtime"),
        ("namecheck", "namecheck"),
        ("plugin", "namecheck_plugin"),
    ]
}

LEVELS = (
    {"light", "slots"},
    {"lattice", "lazy_rules"},
    {"sizes"},
    {"mistakes"},
    {"duties"},
    {"binding", "algebra", "strides", "notation", "declare"},
    {"infer", "rules"},
    {"readers"},
)
LEVEL_OF = {part: level for level, parts in enumerate(LEVELS) for part in parts}
READER = len(LEVELS)  # everything that is not the rulebook
HEAVY = {"numpy", "libcst", "mypy", "torch", "jax", "rich", "click"}


def level(module: str) -> int:
    """The level of a module by its dotted name; the package's own __init__ belongs to nobody."""
    package, _, rest = module.partition(".")
    if package == "namecheck_runtime":
        return LEVEL_OF.get(rest.partition(".")[0], READER)
    return READER


def imports(tree: ast.AST, package: str) -> Iterator[str]:
    """Dotted names imported by a module whose parent package is `package`, at any depth in it."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=module, names=names, level=dots):
                base = module or ""
                if dots:
                    parents = package.split(".")
                    base = ".".join([*parents[: len(parents) - dots + 1], *base.split(".")])
                base = base.strip(".")
                # `from package import x`: x may be a module, so both names count
                yield from (f"{base}.{alias.name}" for alias in names)
            case ast.If(test=ast.Name("TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING")):
                for branch in node.orelse:
                    yield from imports(ast.Module([branch], []), package)
            case _:
                yield from imports(node, package)


def modules() -> list[tuple[str, Path]]:
    found = []
    for package, folder in ROOTS.items():
        for path in sorted(folder.rglob("*.py")):
            parts = [package, *path.relative_to(folder).with_suffix("").parts]
            found.append((".".join(p for p in parts if p != "__init__"), path))
    return found


def imports_of(module: str, path: Path) -> list[str]:
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    return list(imports(ast.parse(path.read_bytes()), package))


def climbs(module: str, imported: str) -> bool:
    """Whether an import goes up: from a level of the rulebook to a higher one, or to a reader."""
    if imported.partition(".")[0] not in ROOTS or level(module) == READER:
        return False
    if imported in ("namecheck_runtime", "namecheck_runtime.__version__"):
        return False
    return level(imported) > level(module)


@pytest.mark.parametrize(("module", "path"), modules(), ids=[name for name, _ in modules()])
def test_imports_go_down(module: str, path: Path) -> None:
    upward = [name for name in imports_of(module, path) if climbs(module, name)]
    assert not upward, f"{module} stands below what it imports: {upward}"


@pytest.mark.parametrize(("module", "path"), modules(), ids=[name for name, _ in modules()])
def test_the_rulebook_is_light(module: str, path: Path) -> None:
    if level(module) == READER and module != "namecheck_runtime":
        return
    heavy = [name for name in imports_of(module, path) if name.partition(".")[0] in HEAVY]
    assert not heavy, f"{module} belongs to the rulebook and imports {heavy}"


def test_the_plugin_and_the_linter_know_nothing_of_each_other() -> None:
    other = {"namecheck": "namecheck_plugin", "namecheck_plugin": "namecheck"}
    for module, path in modules():
        stranger = other.get(module.partition(".")[0])
        assert stranger not in {name.partition(".")[0] for name in imports_of(module, path)}, module


def test_every_module_opens_with_a_paragraph() -> None:
    silent = [
        name for name, path in modules() if not ast.get_docstring(ast.parse(path.read_bytes()))
    ]
    assert not silent


# The test above is only as good as its reading of imports, so that is tested on small sources.


@pytest.mark.parametrize(
    ("module", "source", "upward"),
    [
        ("namecheck_runtime.lattice", "from namecheck_runtime.sizes import Size", True),
        ("namecheck_runtime.sizes", "from namecheck_runtime.lattice import UNKNOWN", False),
        ("namecheck_runtime.sizes", "from .mistakes import Mistake", True),
        ("namecheck_runtime.sizes", "from . import mistakes", True),
        ("namecheck_runtime.mistakes.names", "from ..algebra import unify", True),
        ("namecheck_runtime.mistakes.names", "from . import base", False),
        ("namecheck_runtime.algebra", "def f():\n    import namecheck_runtime.rules.keep", True),
        ("namecheck_runtime.algebra", "from namecheck_runtime import infer", True),
        ("namecheck_runtime.algebra", "from namecheck_runtime.strides import offset", False),
        ("namecheck_runtime.rules.keep", "from namecheck_runtime.infer import infer", False),
        (
            "namecheck_runtime.rules.keep",
            "from namecheck_runtime.tensors.object import Tensor",
            True,
        ),
        ("namecheck_runtime.rules.keep", "import namecheck.findings", True),
        ("namecheck_runtime.tensors.object", "from namecheck_runtime.rules import keep", False),
        ("namecheck.analysis.state.evaluate", "from namecheck_runtime.infer import infer", False),
        (
            "namecheck_runtime.lattice",
            "import typing as t\nif t.TYPE_CHECKING:\n    from .sizes import Size\n",
            False,
        ),
        (
            "namecheck_runtime.lattice",
            "if TYPE_CHECKING:\n    pass\nelse:\n    from .sizes import Size\n",
            True,
        ),
    ],
)
def test_reading_of_imports(module: str, source: str, upward: bool) -> None:
    found = list(imports(ast.parse(source), module.rpartition(".")[0]))
    assert any(climbs(module, name) for name in found) is upward

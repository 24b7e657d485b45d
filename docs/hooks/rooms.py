"""The rooms of our packages in the order in which they build on each other, and their picture.

`python docs/hooks/rooms.py` draws `docs/assets/rooms.svg` from the imports of the sources.
`tests/test_layers.py` checks every import against the same order, and compares the picture.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Final, Literal, NamedTuple

ROOT: Final = Path(__file__).parents[2]
PICTURE: Final = ROOT / "docs/assets/rooms.svg"

Kind = Literal["run", "late", "typing"]
"""When an import happens: with the module, inside a function, or only for type checkers."""


class Room(NamedTuple):
    """A folder of a package, or some modules of the package's own folder, by their names."""

    name: str
    modules: tuple[str, ...] = ()

    def holds(self, module: str) -> bool:
        """Whether a module, by its dotted name in the package, is in this room."""
        if self.modules:
            return module in self.modules
        return module == self.name or module.startswith(f"{self.name}.")


PACKAGES: Final = {
    "namecheck_runtime": ROOT / "runtime/namecheck_runtime",
    "namecheck_plugin": ROOT / "plugin/namecheck_plugin",
    "namecheck": ROOT / "namecheck/namecheck",
}
"""The folder of each package. Each may import the ones before it, except that the linter and the
plugin do not import each other.
"""

ROOMS: Final[dict[str, tuple[Room, ...]]] = {
    "namecheck_runtime": (
        Room("(ground)", ("",)),
        Room("light"),
        Room("(what a dim is)", ("slots", "lattice", "lazy_rules")),
        Room("sizes"),
        Room("mistakes"),
        Room("strides"),
        Room("notation"),
        Room(
            "(how rules are written)",
            (
                *("duties", "binding", "algebra", "alignment"),
                *("memory_effects", "declare", "layers"),
            ),
        ),
        Room("(how rules are asked)", ("infer", "errors")),
        Room("rules"),
        Room("readers"),
        Room("(names of methods)", ("_surface",)),
        Room("tensors.values"),
        Room("(the tensor)", ("tensors.object",)),
        Room("tensors.calls"),
        Room("tensors.kernels"),
        Room("(kernels by device)", ("tensors.backends",)),
        Room("tensors.layouts"),
        Room("tensors.making"),
        Room("tensors.views"),
        Room("tensors.computing"),
        Room(
            "(how gradients are declared)",
            ("autograd.calls", "autograd.node_names", "autograd.shapes", "autograd.table"),
        ),
        Room("autograd.derivatives"),
        Room(
            "(gradients)",
            (
                *("autograd", "autograd.attributes", "autograd.checks", "autograd.engine"),
                *("autograd.function", "autograd.functional", "autograd.graph", "autograd.modes"),
                *("autograd.plain_operands", "autograd.rebasing", "autograd.recipes"),
                *("autograd.recording", "autograd.routes"),
                "autograd.tracing",
            ),
        ),
        Room(
            "(what tensors do)",
            (
                "tensors",
                "tensors.call_plans",
                "tensors.constructor",
                "tensors.dispatch",
                "tensors.functions",
                "tensors.methods",
                "tensors.name_caches",
                "tensors.operators",
                "tensors.printing",
                "tensors.protocol_methods",
                "tensors.protocols",
                "tensors.quick",
                "tensors.storages",
                "tensors.subclasses",
                "tensors.typed_constructors",
            ),
        ),
        Room("saving"),
        Room("sharing"),
        Room("(doors of old pickles)", ("dtypes", "factories", "packing", "several", "storage")),
        Room(
            "(what users import)",
            (
                *("console", "fft", "linalg", "multiprocessing", "random"),
                *("serialization", "special", "surface"),
            ),
        ),
        Room("backends"),
        Room("nn"),
        Room("optim"),
        Room("utils"),
        Room("amp"),
        Room("cuda"),
        Room("fx"),
        Room("overrides"),
        Room("jit"),
        Room("compiler"),
        Room("distributed"),
        Room("distributions"),
        Room("as_torch"),
    ),
    "namecheck_plugin": (
        Room("(ground)", ("codes", "settings", "version")),
        Room("types"),
        Room("expressions"),
        Room("(questions of mypy)", ("keys", "passing", "unasked", "calls", "answers", "hooks")),
        Room("(what mypy loads)", ("entry", "")),
    ),
    "namecheck": (
        Room("(ground)", ("", "findings", "module_tree", "source", "terms", "times", "exit_codes")),
        Room("text"),
        Room("printing"),
        Room("codes"),
        Room("frameworks"),
        Room("analysis.reading"),
        Room("analysis.state"),
        Room("analysis.usage"),
        Room("analysis.measuring"),
        Room("analysis.gradients"),
        Room("analysis.objects"),
        Room("analysis.comments"),
        Room("analysis.asking"),
        Room("analysis.evidence"),
        Room("analysis.python"),
        Room("analysis.runs"),
        Room("(the door of the analysis)", ("analysis",)),
        Room("fixes"),
        Room("documentation"),
        Room("files"),
        Room("report"),
        Room("settings"),
        Room("running"),
        Room("jupyter"),
        Room("applying"),
        Room("annotations"),
        Room("lsp"),
        Room("commands"),
        Room("(front door)", ("main", "__main__")),
    ),
}
"""From the ground up: a room may import the ones before it; its own modules must not import each
other in a circle.
"""


class Import(NamedTuple):
    """An import of one module by another at a line, both by their full dotted names."""

    importer: str
    imported: str
    kind: Kind
    line: int


def modules() -> dict[str, Path]:
    """All modules of our packages by their dotted names."""
    paths = {}
    for package, folder in PACKAGES.items():
        for path in sorted(folder.rglob("*.py")):
            parts = [package, *path.relative_to(folder).with_suffix("").parts]
            paths[".".join(part for part in parts if part != "__init__")] = path
    return paths


def room_of(module: str) -> tuple[str, int] | None:
    """The package of a module and the number of its room; None if it is not in exactly one."""
    package, _, inside = module.partition(".")
    numbers = [k for k, room in enumerate(ROOMS[package]) if room.holds(inside)]
    return (package, numbers[0]) if len(numbers) == 1 else None


def imports_of(name: str, path: Path, known: dict[str, Path]) -> Iterator[Import]:
    """The imports of our packages in a module, at every depth."""
    inside = name if path.name == "__init__.py" else name.rpartition(".")[0]
    yield from _imports(ast.parse(path.read_bytes()), name, inside, known, "run")


def _imports(
    tree: ast.AST, importer: str, package: str, known: dict[str, Path], kind: Kind
) -> Iterator[Import]:
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.Import(names=names):
                for alias in names:
                    target = _module(alias.name, known)
                    if target:
                        yield Import(importer, target, kind, node.lineno)
            case ast.ImportFrom(module=module, names=names, level=dots):
                base = module or ""
                if dots:
                    parents = package.split(".")
                    base_parts = parents[: len(parents) - dots + 1]
                    base = ".".join([*base_parts, base]).rstrip(".")
                for alias in names:
                    target = _module(f"{base}.{alias.name}", known)
                    if target and target != importer:
                        yield Import(importer, target, kind, node.lineno)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                inner: Kind = "late" if kind == "run" else kind
                yield from _imports(node, importer, package, known, inner)
            case ast.If(test=ast.Name("TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING")):
                body = ast.Module(node.body, [])
                yield from _imports(body, importer, package, known, "typing")
                yield from _imports(ast.Module(node.orelse, []), importer, package, known, kind)
            case _:
                yield from _imports(node, importer, package, known, kind)


def _module(dotted: str, known: dict[str, Path]) -> str:
    """The module of ours that a dotted name is or begins with; "" if there is none."""
    while dotted and dotted not in known:
        dotted = dotted.rpartition(".")[0]
    return dotted


def all_imports() -> list[Import]:
    """Every import of one of our modules by another."""
    known = modules()
    return [imported for name, path in known.items() for imported in imports_of(name, path, known)]


# The picture

_WIDTH, _LEFT, _BOX, _ROW, _GAP, _TOP = 920, 24, 560, 34, 6, 58
_COLOURS = {"namecheck": "#3949ab", "namecheck_plugin": "#00796b", "namecheck_runtime": "#b0562b"}


def picture() -> str:
    """The rooms as an SVG: those above build on those below, and each arc stands for imports.

    An arc is as wide as there are few or many of them, and no number is written: a new module or
    import seldom changes the picture.
    """
    places: dict[tuple[str, int], float] = {}
    rows: list[str] = []
    y = 20.0
    for package in reversed(PACKAGES):
        rows.append(
            f'<text x="{_LEFT}" y="{y + 18}" class="package" fill="{_COLOURS[package]}">'
            f"{package}</text>"
        )
        y += 30
        for number in reversed(range(len(ROOMS[package]))):
            places[package, number] = y + _ROW / 2
            rows.append(_row(package, number, y))
            y += _ROW + _GAP
        y += 22
    counts: Counter[tuple[tuple[str, int], tuple[str, int]]] = Counter()
    for import_ in all_imports():
        above, below = room_of(import_.importer), room_of(import_.imported)
        if above is not None and below is not None and above != below:
            counts[above, below] += 1
    arcs = [
        _arc(places[above], places[below], count, _COLOURS[above[0]])
        for (above, below), count in sorted(counts.items())
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {y:.0f}" '
        'font-family="system-ui, sans-serif" role="img" '
        'aria-label="The rooms of the packages; every import leads down">\n'
        "<style>.package{font-size:17px;font-weight:600}.room{font-size:13px;font-weight:600}"
        ".what{font-size:11px}</style>\n"
        f'<rect width="{_WIDTH}" height="{y:.0f}" rx="10" fill="#fbfbfd"/>\n'
        + "\n".join([*arcs, *rows])
        + "\n</svg>\n"
    )


def _row(package: str, number: int, y: float) -> str:
    room = ROOMS[package][number]
    colour = _COLOURS[package]
    return (
        f'<rect x="{_LEFT}" y="{y}" width="{_BOX}" height="{_ROW}" rx="5" fill="#fff" '
        f'stroke="{colour}"/>'
        f'<text x="{_LEFT + 10}" y="{y + 14}" class="room" fill="{colour}">{room.name}</text>'
        f'<text x="{_LEFT + 10}" y="{y + 28}" class="what" fill="#333">'
        f"{escape(_what(package, room))}</text>"
    )


_MOST = 88
"""The limit of a room's description, in characters."""


def _what(package: str, room: Room) -> str:
    """The description of a room: its docstring's first paragraph, or its modules if it has no
    folder.
    """
    if room.modules:
        text = ", ".join(name.rpartition(".")[2] or package for name in room.modules)
    else:
        path = PACKAGES[package] / room.name.replace(".", "/")
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        words = ast.get_docstring(ast.parse(path.read_bytes())) or ""
        text = " ".join(words.partition("\n\n")[0].split())
    return text if len(text) <= _MOST else text[: _MOST - 1].rpartition(" ")[0] + " ..."


def _arc(start: float, end: float, count: int, colour: str) -> str:
    """The imports of a room by another as an arc, on the left if they lead up."""
    side = 1 if end > start else -1
    x = _LEFT + _BOX
    reach = x + side * min(40 + abs(end - start) * 0.42, _WIDTH - x - 12)
    width = 0.8 if count < 5 else 1.6 if count < 25 else 3.2
    return (
        f'<path d="M{x} {start:.0f}C{reach:.0f} {start:.0f} {reach:.0f} {end:.0f} {x} {end:.0f}" '
        f'fill="none" stroke="{colour}" stroke-opacity="0.35" stroke-width="{width}"/>'
    )


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")

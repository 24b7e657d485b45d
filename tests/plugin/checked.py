"""Programs for the plugin, what mypy says of them, and what they say themselves.

Three folders, as NumPy has them:

* `reveal/`: `reveal_type(x.sum("T"))  # Tensor[N, C]`.  The type stands as mypy prints it, without
  modules, a literal as its value, and `*tuple[Any, ...]` as `...`.
* `fail/`: a line on which something is wrong carries `# type: ignore[named-tensor-NC103]`; the line
  below has a `^` under the argument that the error stands at, if that does not begin the line.
* `pass/`: nothing is wrong.

`python tests/plugin/checked.py` writes the marks as they come out.  Read the difference.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
FOLDERS = ("pass", "fail", "reveal")

CONFIG = f"""\
[mypy]
plugins = namecheck_plugin
strict = true
mypy_path = {ROOT / "runtime"}
explicit_package_bases = true
namespace_packages = true
"""

UNTYPED = """\
[mypy]
plugins = namecheck_plugin
mypy_path = {path}
check_untyped_defs = true
allow_redefinition = true
namespace_packages = true
explicit_package_bases = true
"""
"""For programs that are not written for a type checker."""


class Report(NamedTuple):
    """One thing that mypy says; lines count from 1, columns from 0."""

    file: str
    line: int
    column: int
    severity: str
    code: str
    message: str
    hint: str | None

    def __str__(self) -> str:
        return (
            f"{self.file}:{self.line}:{self.column}: {self.severity}: {self.message} [{self.code}]"
        )


def environment(**more: str) -> dict[str, str]:
    """That of a process which finds our packages, installed or not."""
    paths = os.pathsep.join(map(str, (ROOT / "runtime", ROOT / "plugin", ROOT / "namecheck")))
    return {**os.environ, "PYTHONPATH": paths, **more}


def mypy(folder: Path, *arguments: str, status: Iterable[int] = (0, 1)) -> str:
    """What the `mypy` command prints in a folder, whose `mypy.ini` is made if it is missing."""
    config = folder / "mypy.ini"
    if not config.exists():
        config.write_text(CONFIG)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *arguments],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode in status, f"{arguments}\n{done.stdout}\n{done.stderr}"
    return done.stdout


class Daemon:
    """`dmypy` in a folder, with a status file of its own; it is ended with the `with` block."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "mypy.ini").write_text(CONFIG)

    def __enter__(self) -> Daemon:
        return self

    def __exit__(self, *raised: object) -> None:
        self("kill")

    def __call__(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "mypy.dmypy", "--status-file", "status.json", *arguments],
            cwd=self.folder,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode in (0, 1), done.stdout + done.stderr
        return done.stdout


def read_reports(said: str) -> list[Report]:
    """What `--output json` prints."""
    found = []
    for line in said.splitlines():
        if line.startswith("{"):
            one = json.loads(line)
            found.append(Report(*(one[field] for field in Report._fields)))
    return found


def programs(folder: str) -> list[Path]:
    """The programs of one of the three folders."""
    return sorted((HERE / folder).glob("*.py"))


# What is revealed.

_PARTS = (
    (re.compile(r"Literal\['([^']*)'\]\??"), r"\1"),
    (re.compile(r"Literal\[(-?\d+)\]\??"), r"\1"),
    (re.compile(r"\b(?:[A-Za-z_]\w*\.)+(?=[A-Za-z_])"), ""),
    (re.compile(r"\*tuple\[Any, \.\.\.\]"), "..."),
    (re.compile(r", fallback=\w+(?=\])"), ""),  # a tuple whose parts have names
)
_REVEALED = re.compile(r'Revealed type is "(.*)"')
_MARK = re.compile(r"^(.*reveal_type\(.*\)\)?,?)(?:  # (.*))?$")


def shortened(message: str) -> str | None:
    """The type in mypy's note as marks have it; None of another message."""
    found = _REVEALED.fullmatch(message)
    if found is None:
        return None
    text = found[1]
    for pattern, instead in _PARTS:
        text = pattern.sub(instead, text)
    return text


def revealed_marks(text: str) -> dict[int, str]:
    """The types that a program says it reveals, by line."""
    found = {}
    for number, line in enumerate(text.splitlines(), 1):
        if match := _MARK.match(line):
            found[number] = match[2] or ""
    return found


def with_revealed(text: str, types: Mapping[int, str]) -> str:
    """A program with these types as its marks."""
    lines = text.splitlines()
    for number, type_ in types.items():
        match = _MARK.match(lines[number - 1])
        assert match is not None, lines[number - 1]
        lines[number - 1] = f"{match[1]}  # {type_}"
    return "\n".join(lines) + "\n"


# What is wrong.

_IGNORE = re.compile(r"  # type: ignore\[([\w, -]+)\]")
_CARETS = re.compile(r"\s*#[ ^]*\^\s*")


def wrong_marks(text: str) -> dict[int, tuple[tuple[str, ...], tuple[int, ...]]]:
    """The codes and columns of errors that a program says it has, by line."""
    found = {}
    lines = [*text.splitlines(), ""]
    for number, line in enumerate(lines, 1):
        if match := _IGNORE.search(line):
            below = lines[number]
            columns = [at for at, sign in enumerate(below) if sign == "^"]
            placed = tuple(columns) if _CARETS.fullmatch(below) else (0,)
            found[number] = (tuple(match[1].split(", ")), placed)
    return found


def without_ignores(text: str) -> str:
    """A program in which nothing is ignored; lines keep their numbers."""
    return _IGNORE.sub("", text)


def with_wrong(text: str, reports: Iterable[Report]) -> str:
    """A program with marks for these errors."""
    by_line: defaultdict[int, list[Report]] = defaultdict(list)
    for report in reports:
        if report.severity == "error":
            by_line[report.line].append(report)
    lines: list[str] = []
    for number, line in enumerate(without_ignores(text).splitlines(), 1):
        if _CARETS.fullmatch(line):
            continue
        found = by_line.get(number, [])
        if not found:
            lines.append(line)
            continue
        code, _, comment = line.partition("  # ")
        ignore = f"  # type: ignore[{', '.join(sorted({r.code for r in found}))}]"
        lines.append(code + ignore + (f"  # {comment}" if comment else ""))
        columns = sorted({report.column for report in found})
        below = list(" " * (columns[-1] + 1))
        for column in columns:
            below[column] = "^"
        indent = len(line) - len(line.lstrip())
        start = min(indent, columns[0] - 1) if columns[0] else None
        if start is not None:
            below[start] = "#"
            lines.append("".join(below))
    return "\n".join(lines) + "\n"


# One run over all of them.


def laid_out(folder: Path) -> None:
    """The three folders, and two more: `bare`, what fails without its ignores, and `redefined`,
    what passes with `allow_redefinition`.
    """
    for name in FOLDERS:
        shutil.copytree(HERE / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("bare", "redefined"):
        (folder / name).mkdir()
    for path in programs("fail"):
        (folder / "bare" / path.name).write_text(without_ignores(path.read_text()))
    for path in programs("pass"):
        header = "# mypy: allow-redefinition\n"
        text = path.read_text()
        # In place of a line, so that the others keep their numbers.
        text = text.replace("from __future__ import annotations\n", header, 1)
        (folder / "redefined" / path.name).write_text(text)


def run(folder: Path) -> dict[str, list[Report]]:
    """What mypy says of each file, by its path under `folder`."""
    laid_out(folder)
    said = mypy(folder, "--output", "json", *FOLDERS, "bare", "redefined")
    found: dict[str, list[Report]] = defaultdict(list)
    for report in read_reports(said):
        found[report.file].append(report)
    return found


# What the runtime says to the marks.

_VARIABLE = re.compile(r"^(\w+) = TypeVar\(", re.MULTILINE)


def of_any(mark: str, text: str) -> str:
    """A mark in which the type variables of a program stand for whatever a call gives them."""
    variables = set(_VARIABLE.findall(text))
    return re.sub(r"\w+", lambda word: "Any" if word[0] in variables else word[0], mark)


def parted(text: str) -> list[str]:
    """`A, B[C, D]` at its outermost commas."""
    parts, depth, start = [], 0, 0
    for at, sign in enumerate(text):
        depth += (sign in "[(") - (sign in "])")
        if sign == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


def contradicts(mark: str, value: Any) -> bool:
    """Whether a value cannot have the type of a mark.  What is no tensor, tuple, list or number is
    not judged.
    """
    if " | " in mark and mark.count("[") == mark.count(" | ") + 1:
        return all(contradicts(one, value) for one in mark.split(" | "))
    outer, _, inner = mark.partition("[")
    inner = inner.removesuffix("]")
    if outer == "Tensor":
        dims = [] if inner == "()" else parted(inner)
        names, sizes = list(value.names), list(value.shape)
        if "*" in inner:
            return False  # a type variable's
        if dims[:1] == ["..."]:
            count = len(dims) - 1
            dims, names, sizes = dims[1:], names[len(names) - count :], sizes[len(sizes) - count :]
        return len(dims) != len(names) or any(map(_dim_contradicts, dims, names, sizes))
    if outer in ("tuple", "list") and inner:
        parts = parted(inner)
        if outer == "list" or parts[-1] == "...":
            parts = parts[:1] * len(value)
        return len(parts) != len(value) or any(map(contradicts, parts, value))
    if outer == "int":
        return not isinstance(value, int)
    return bool(re.fullmatch(r"-?\d+", mark)) and int(mark) != value


def _dim_contradicts(dim: str, name: str | None, size: int) -> bool:
    if dim == "Any":
        return False
    if dim == "int" or dim.isdigit():
        return name is not None or (dim != "int" and int(dim) != size)
    return dim != name


def update() -> None:
    """Write the marks as they come out."""
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        reports = run(Path(name))
    for path in programs("reveal"):
        said = reports[f"reveal/{path.name}"]
        types = {r.line: t for r in said if (t := shortened(r.message)) is not None}
        path.write_text(with_revealed(path.read_text(), types))
    for path in programs("fail"):
        path.write_text(with_wrong(path.read_text(), reports[f"bare/{path.name}"]))
    for file, said in reports.items():
        for report in said:
            if file.startswith(("pass/", "reveal/", "redefined/")) and report.severity == "error":
                print(report)


if __name__ == "__main__":
    update()

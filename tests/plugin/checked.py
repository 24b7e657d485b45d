"""Programs for the plugin, the reports of mypy about them, and the marks in them.

Three folders, as NumPy has them:

* `reveal/`: `reveal_type(x.sum("T"))  # Tensor[N, C]`.  The type is written as mypy prints it, but
  without modules, a literal as its value, and `*tuple[Any, ...]` as `...`.
* `fail/`: a line with a mistake carries `# type: ignore[named-tensor-NC103]`; the line below has a
  `^` under the argument that mypy marks, if the argument does not begin the line.
* `pass/`: nothing is wrong.

`python tests/plugin/checked.py` writes the marks from the reports of mypy.  Read the difference.
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
"""The configuration for programs that are not written for a type checker."""


class Report(NamedTuple):
    """One report of mypy; lines count from 1, columns from 0."""

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
    """The environment of a process that finds our packages, installed or not."""
    paths = os.pathsep.join(map(str, (ROOT / "runtime", ROOT / "plugin", ROOT / "namecheck")))
    return {**os.environ, "PYTHONPATH": paths, **more}


def mypy(folder: Path, *arguments: str, status: Iterable[int] = (0, 1)) -> str:
    """The output of the `mypy` command in a folder; writes a `mypy.ini` if there is none."""
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
    """`dmypy` in a folder, with a status file of its own; it ends with the `with` block."""

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


def read_reports(output: str) -> list[Report]:
    """The reports in the output of `--output json`."""
    reports = []
    for line in output.splitlines():
        if line.startswith("{"):
            record = json.loads(line)
            reports.append(Report(*(record[field] for field in Report._fields)))
    return reports


def programs(folder: str) -> list[Path]:
    """The programs of one of the three folders."""
    return sorted((HERE / folder).glob("*.py"))


# Revealed types.

_PARTS = (
    (re.compile(r"Literal\['([^']*)'\]\??"), r"\1"),
    (re.compile(r"Literal\[(-?\d+)\]\??"), r"\1"),
    (re.compile(r"\b(?:[A-Za-z_]\w*\.)+(?=[A-Za-z_])"), ""),
    (re.compile(r"\*tuple\[Any, \.\.\.\]"), "..."),
    (re.compile(r", fallback=\w+(?=\])"), ""),  # a named tuple
)
_REVEALED = re.compile(r'Revealed type is "(.*)"')
_MARK = re.compile(r"^(.*reveal_type\(.*\)\)?,?)(?:  # (.*))?$")


def shortened(message: str) -> str | None:
    """The type in a note of mypy, written as in marks; None for another message."""
    match = _REVEALED.fullmatch(message)
    if match is None:
        return None
    text = match[1]
    for pattern, instead in _PARTS:
        text = pattern.sub(instead, text)
    return text


def revealed_marks(text: str) -> dict[int, str]:
    """The revealed types that the marks of a program state, by line."""
    types = {}
    for number, line in enumerate(text.splitlines(), 1):
        if match := _MARK.match(line):
            types[number] = match[2] or ""
    return types


def with_revealed(text: str, types: Mapping[int, str]) -> str:
    """A program with these types as its marks."""
    lines = text.splitlines()
    for number, type_ in types.items():
        match = _MARK.match(lines[number - 1])
        assert match is not None, lines[number - 1]
        lines[number - 1] = f"{match[1]}  # {type_}"
    return "\n".join(lines) + "\n"


# Mistakes.

_IGNORE = re.compile(r"  # type: ignore\[([\w, -]+)\]")
_CARETS = re.compile(r"\s*#[ ^]*\^\s*")


def wrong_marks(text: str) -> dict[int, tuple[tuple[str, ...], tuple[int, ...]]]:
    """The codes and columns of the errors that the marks of a program state, by line."""
    marks = {}
    lines = [*text.splitlines(), ""]
    for number, line in enumerate(lines, 1):
        if match := _IGNORE.search(line):
            below = lines[number]
            columns = [column for column, sign in enumerate(below) if sign == "^"]
            placed = tuple(columns) if _CARETS.fullmatch(below) else (0,)
            marks[number] = (tuple(match[1].split(", ")), placed)
    return marks


def without_ignores(text: str) -> str:
    """A program without its ignores; lines keep their numbers."""
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
        errors = by_line.get(number, [])
        if not errors:
            lines.append(line)
            continue
        code, _, comment = line.partition("  # ")
        ignore = f"  # type: ignore[{', '.join(sorted({r.code for r in errors}))}]"
        lines.append(code + ignore + (f"  # {comment}" if comment else ""))
        columns = sorted({report.column for report in errors})
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
    """Copy the three folders and write two more: `bare`, the programs of `fail` without ignores,
    and `redefined`, the programs of `pass` with `allow_redefinition`.
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
        # This replaces a line, so the others keep their numbers.
        text = text.replace("from __future__ import annotations\n", header, 1)
        (folder / "redefined" / path.name).write_text(text)


def run(folder: Path) -> dict[str, list[Report]]:
    """The reports of mypy about each file, by its path under `folder`."""
    laid_out(folder)
    output = mypy(folder, "--output", "json", *FOLDERS, "bare", "redefined")
    reports: dict[str, list[Report]] = defaultdict(list)
    for report in read_reports(output):
        reports[report.file].append(report)
    return reports


# The marks against the runtime.

_VARIABLE = re.compile(r"^(\w+) = TypeVar\(", re.MULTILINE)


def of_any(mark: str, text: str) -> str:
    """A mark with `Any` for the type variables of a program."""
    variables = set(_VARIABLE.findall(text))
    return re.sub(r"\w+", lambda word: "Any" if word[0] in variables else word[0], mark)


def parted(text: str) -> list[str]:
    """The parts of `A, B[C, D]` between its outermost commas."""
    parts, depth, start = [], 0, 0
    for index, sign in enumerate(text):
        depth += (sign in "[(") - (sign in "])")
        if sign == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    return [*parts, text[start:].strip()]


def contradicts(mark: str, value: Any) -> bool:
    """Whether a value cannot have the type of a mark.  False for anything but tensors, tuples,
    lists and numbers.
    """
    if " | " in mark and mark.count("[") == mark.count(" | ") + 1:
        return all(contradicts(alternative, value) for alternative in mark.split(" | "))
    outer, _, inner = mark.partition("[")
    inner = inner.removesuffix("]")
    if outer == "Tensor":
        dims = [] if inner == "()" else parted(inner)
        names, sizes = list(value.names), list(value.shape)
        if "*" in inner:
            return False  # of a type variable
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
    """Write the marks from the reports of mypy."""
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        reports = run(Path(name))
    for path in programs("reveal"):
        file_reports = reports[f"reveal/{path.name}"]
        types = {r.line: t for r in file_reports if (t := shortened(r.message)) is not None}
        path.write_text(with_revealed(path.read_text(), types))
    for path in programs("fail"):
        path.write_text(with_wrong(path.read_text(), reports[f"bare/{path.name}"]))
    for file, file_reports in reports.items():
        for report in file_reports:
            if file.startswith(("pass/", "reveal/", "redefined/")) and report.severity == "error":
                print(report)


if __name__ == "__main__":
    update()

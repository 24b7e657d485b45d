"""The cost of a run of a command, ours or another tool's.

The packages are laid out as an installer leaves them, with bytecode and a RECORD, because users run
them like this.  Every run has a folder of its own, so that it never uses another run's cache.

The benchmark measures the packages installed in the Python that runs it, or else the sources:
`VENV/bin/python tests/benchmarks/linter.py` measures a wheel compiled by mypyc.
"""

from __future__ import annotations

import compileall
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).parents[2]
ROOTS = {root: REPOSITORY / root for root in ("runtime", "namecheck", "plugin")}


class Cost(NamedTuple):
    """CPU seconds of a process and its children, and the peak memory of the largest of them."""

    seconds: float
    mebibytes: float


_LAUNCHER = """
import os, sys
command = sys.argv[1:]
null = os.open(os.devnull, os.O_RDWR)
files = [(os.POSIX_SPAWN_DUP2, null, number) for number in (1, 2)]
process = os.posix_spawnp(command[0], command, os.environ, file_actions=files)
_, status, usage = os.wait4(process, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
"""
"""A process counts the memory of its parent as its own, so this one is small."""


def cost(command: Sequence[str], folder: Path, rounds: int = 1, search: Path | None = None) -> Cost:
    """The cost of a command in a folder, the minimum of several rounds.

    `search` is the path of its modules.
    """
    environment = {name: value for name, value in os.environ.items() if "PYTHON" not in name}
    if search is not None:
        environment["PYTHONPATH"] = str(search)
    launcher = [sys.executable, "-I", "-S", "-c", _LAUNCHER, *command]
    costs = []
    for _ in range(rounds):
        process = subprocess.run(
            launcher, cwd=folder, env=environment, check=True, capture_output=True, text=True
        )
        code, seconds, kibibytes = process.stdout.split()
        if code not in ("0", "1"):
            raise RuntimeError(f"{' '.join(command)[:200]} ended with {code}")
        costs.append(Cost(float(seconds), int(kibibytes) / 1024))
    return Cost(*map(min, zip(*costs, strict=True)))


def ours() -> list[Path]:
    """The folders of our imported packages, and the library that mypyc put beside them."""
    if find_spec("namecheck") is None:
        sys.path[:0] = map(str, ROOTS.values())
    packages = []
    for name in ("namecheck_runtime", "namecheck", "namecheck_plugin"):
        spec = find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        packages.append(Path(spec.origin).parent)
    return [*packages, *packages[0].parent.glob("namecheck__mypyc.*")]


def install(folder: Path) -> Path:
    """Lay out our packages in a folder as an installer leaves them, and return their path."""
    packages = ours()
    from namecheck import __version__

    folder.mkdir()
    for package in packages:
        if package.is_dir():
            shutil.copytree(
                package, folder / package.name, ignore=shutil.ignore_patterns("__pycache__")
            )
        else:
            shutil.copy2(package, folder)
    lines = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest = sha256(path.read_bytes()).hexdigest()
        lines.append(f"{path.relative_to(folder)},sha256={digest},{path.stat().st_size}\n")
    record = folder / f"namecheck_tensors-{__version__}.dist-info" / "RECORD"
    record.parent.mkdir()
    record.write_text("".join(lines))
    compileall.compile_dir(folder, quiet=1)
    return folder


def headline() -> str:
    """The first line of a benchmark, which says what it measures."""
    packages = ours()
    from namecheck import __version__

    compiled = "yes" if packages[3:] else "no"
    return f"namecheck {__version__} (compiled: {compiled}), {packages[0].parent}"


LEVELS = 4
"""The depth of nested packages for the files, so that relative imports stay within."""


def lay_out(sources: Iterable[bytes], folder: Path) -> list[str]:
    """Copy files of any origin into one package, so that every tool reads only these."""
    place = folder.joinpath(*["package"] * LEVELS)
    place.mkdir(parents=True)
    for inner in (place, *place.parents[: LEVELS - 1]):
        (inner / "__init__.py").touch()
    paths = []
    for number, source in enumerate(sources):
        path = place / f"part{number}.py"
        path.write_bytes(source)
        os.utime(path, (1_500_000_000, 1_500_000_000))  # an old file: it was not just written
        paths.append(str(path))
    return paths


def namecheck(*arguments: str) -> list[str]:
    """The command `namecheck check`."""
    return [sys.executable, "-m", "namecheck", "check", *arguments]


OURS = "namecheck"

Command = Callable[[str, Sequence[str], bool], list[str]]
"""A tool's command line, from its executable, the files, and whether it may use its cache."""

RIVALS: dict[str, Command] = {
    "torchfix": lambda tool, files, warm: [tool, "--select", "ALL", *files],
    "mypy": lambda tool, files, warm: [
        tool,
        "--follow-imports=skip",
        "--ignore-missing-imports",
        *(() if warm else ("--cache-dir=/dev/null",)),
        *files,
    ],
    "pyright": lambda tool, files, warm: [tool, *files],
    "pyrefly": lambda tool, files, warm: [tool, "check", "--threads=1", *files],
    "ty": lambda tool, files, warm: [tool, "check", *files],
    "ruff": lambda tool, files, warm: [
        tool, "check", "--isolated", *(() if warm else ("--no-cache",)), *files
    ],
}  # fmt: skip
"""The other tools, and the arguments to check only these files."""

REMEMBERS = ("mypy", "ruff")
"""The tools with a cache."""


def installed(folder: str | None) -> dict[str, str]:
    """The tools that exist in a folder or on PATH, with their executables."""
    executables = {name: shutil.which(name, path=folder) for name in RIVALS}
    return {name: path for name, path in executables.items() if path is not None}

"""The cost of whole runs, ours and other tools', over that of Python's parser on the same files."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from processes import OURS, REMEMBERS, RIVALS, Cost, cost, installed, lay_out, namecheck
from shared_edits import LEFT_OUT

PARSER = "ast.parse"
PARSERS = {
    PARSER: "import ast\ndef read(text): ast.parse(text)",
    "libcst.parse_module": "import libcst\ndef read(text): libcst.parse_module(text)",
}
_READ = """
import gc, sys
gc.disable()
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        try:
            read(file.read())
        except Exception:
            pass
"""
"""Parses the files of its arguments, one after another; it frees each tree before the next."""

NO_DRIVES = f"{OURS} --no-drive"
BUDGETS = {"torchfix": "12 x ours"}


def whole_row(
    path: str, sources: Sequence[bytes] | None, rivals: str | None, search: Path, folder: Path
) -> None:
    """Cold and warm runs over a folder; `sources` are the files of a sample of it.

    A sample is laid out as one package, so that every tool reads only its files; a whole folder
    keeps its structure, without its tests.
    """
    place = folder / f"whole-{Path(path).name}-{'all' if sources is None else len(sources)}"
    if sources is None:
        shutil.copytree(path, place, ignore=shutil.ignore_patterns(*LEFT_OUT))
        paths = sorted(map(str, place.rglob("*.py")))
        given = [str(place)]
    else:
        given = paths = lay_out(sources, place)
    lines = sum(Path(file).read_bytes().count(b"\n") for file in paths)
    print(f"whole process on {len(paths)} files of {lines:,} lines of {path}, CPU seconds")
    cold = dict(_parsers(paths, place))
    arguments = ("-j1", "--exit-zero", *given)
    for name, option in ((NO_DRIVES, "--no-drive"), (OURS, "--drive")):
        cold[name] = cost(namecheck("-n", option, *arguments), place, 2, search)
    cost(namecheck(*arguments), place, 1, search)
    warm = {OURS: cost(namecheck(*arguments), place, 5, search)}
    tools = installed(rivals)
    for name, executable in tools.items():
        command = RIVALS[name]
        try:
            cold[name] = cost(command(executable, given, False), place)
        except RuntimeError as failure:  # mypy ends if two files have one name
            print(f"  {name}: {failure}")
            continue
        if name in REMEMBERS:
            cost(command(executable, given, True), place)
            warm[name] = cost(command(executable, given, True), place, 3)
    _print(cold, warm)
    for name in RIVALS.keys() - tools.keys():
        print(f"  {name} is not installed (--rivals FOLDER)")


def _parsers(paths: Sequence[str], place: Path) -> Iterable[tuple[str, Cost]]:
    for name, read in PARSERS.items():
        yield name, cost([sys.executable, "-c", read + _READ, *paths], place, 3)


def _print(cold: dict[str, Cost], warm: dict[str, Cost]) -> None:
    parsed, ours = cold[PARSER].seconds, cold[NO_DRIVES].seconds
    for name, spent in cold.items():
        again = warm.get(name)
        then = "" if again is None else f", nothing changed {again.seconds:.2f} s"
        budget = f" (budget {BUDGETS[name]})" if name in BUDGETS else ""
        print(
            f"  {name + budget:26} {spent.seconds:7.2f} s = {spent.seconds / parsed:6.2f} x parser,"
            f" {spent.seconds / ours:5.2f} x ours, peak {spent.mebibytes:4.0f} MiB{then}"
        )

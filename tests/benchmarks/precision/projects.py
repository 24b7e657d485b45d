"""Checks real projects as they are, with their tests and READMEs, with drives and without.

    python tests/benchmarks/precision/projects.py [FOLDER] [--only NAME] [--lost]

`projects.txt` has the projects, pinned; FOLDER has their sdists unpacked as `name-version`, and
those that it lacks are downloaded into it (`sdists/` beside this file, which git ignores). Printed
for each: its lines, the seconds of CPU without drives and with them, how many entry points were
driven and how many of these were cut off by the bound, and the findings of each run.

`--lost` shows where the drives lose the thread instead: how many entry points were followed to
their end, and the first call of each of the others that was given a tensor whose sizes are all
known, and returned what is not. It listens inside the analyzer, so it needs modules that are not
compiled.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from processes import ours  # noqa: E402

ours()  # from here on our packages can be imported, from PYTHONPATH, this Python or the sources

PROJECTS = [line for line in (HERE / "projects.txt").read_text().splitlines() if line[0] != "#"]
"""Pinned, `name==version`."""

SIMPLE = "https://pypi.org/simple"
DRIVEN = re.compile(r"(\d+) entry points? driven(?:, (\d+) cut off)?")
FOUND = re.compile(r"^(?:error|warning)\[NC(\d)", re.MULTILINE)


def fetch(package: str, folder: Path) -> Path:
    """The unpacked sdist of a pinned project; it is downloaded if it is not there.

    Raises ValueError if the registry has no sdist of that version.
    """
    name, _, version = package.partition("==")
    place = folder / f"{name}-{version}"
    if place.exists():
        return place
    form = {"Accept": "application/vnd.pypi.simple.v1+json"}
    with urllib.request.urlopen(urllib.request.Request(f"{SIMPLE}/{name}/", headers=form)) as page:
        files = json.load(page)["files"]
    ending = re.compile(rf"-{re.escape(version)}\.(tar\.gz|tar\.bz2|zip)$")
    found = [file for file in files if ending.search(file["filename"])]
    if not found:
        raise ValueError(f"no sdist of {package}")
    with tempfile.TemporaryDirectory() as scratch:
        archive = Path(scratch, found[0]["filename"])
        with urllib.request.urlopen(found[0]["url"]) as content:
            archive.write_bytes(content.read())
        opened = Path(scratch, "opened")
        safe = None if archive.suffix == ".zip" else "data"
        shutil.unpack_archive(archive, opened, filter=safe)
        (root,) = (path for path in opened.iterdir() if path.is_dir())
        shutil.copytree(root, place, symlinks=True)
    return place


class Run(NamedTuple):
    """What one run of the command said of a project, and the seconds of CPU that it took."""

    seconds: float
    driven: int
    cut_off: int
    findings: int


def check(place: Path, *options: str) -> Run:
    """Check a project, as a user would who does not have its dependencies."""
    command = [sys.executable, "-m", "namecheck", "check", "--isolated", "--no-cache"]
    command += ["--exit-zero", "--output-format", "full", "--jobs", "1", *options, "."]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    counted = DRIVEN.search(done.stdout + done.stderr)
    driven, cut_off = (int(number or 0) for number in counted.groups()) if counted else (0, 0)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    findings = sum(number != "9" for number in FOUND.findall(done.stdout))
    return Run(seconds, driven, cut_off, findings)


def table(places: Iterable[Path]) -> str:
    """The text of a line for each project."""
    lines = [
        f"{'':42}{'lines':>8}{'s':>7}{'driven s':>9}{'driven':>8}{'cut off':>8}{'findings':>14}"
    ]
    totals = Counter[str]()
    for place in places:
        size = sum(len(path.read_bytes().splitlines()) for path in place.rglob("*.py"))
        plain, driven = check(place, "--no-drive"), check(place)
        found = f"{plain.findings} -> {driven.findings}"
        lines.append(
            f"{place.name:42}{size:8}{plain.seconds:7.1f}{driven.seconds:9.1f}"
            f"{driven.driven:8}{driven.cut_off:8}{found:>14}"
        )
        print(lines[-1], file=sys.stderr, flush=True)
        totals.update(size=size, driven=driven.driven, cut=driven.cut_off)
        totals.update(plain=int(10 * plain.seconds), seconds=int(10 * driven.seconds))
    seconds = totals["plain"] / 10, totals["seconds"] / 10
    lines.append(
        f"{'all':42}{totals['size']:8}{seconds[0]:7.1f}{seconds[1]:9.1f}"
        f"{totals['driven']:8}{totals['cut']:8}"
    )
    return "\n".join(lines)


# Where the thread is lost


def rebind(name: str, old: object, new: object) -> None:
    """Have every module that knows a function by its name call another one."""
    for module in list(sys.modules.values()):
        if getattr(module, name, None) is old:
            setattr(module, name, new)


class Lost(NamedTuple):
    """The first call of an entry point behind which the dims of a tensor are not known."""

    place: str
    callee: str


def listen(ends: dict[str, Lost | None]) -> None:
    """Keep for each entry point that is driven from now on where it loses the thread first."""
    from namecheck.analysis.python import calls
    from namecheck.analysis.reading import ir
    from namecheck.analysis.runs import drives
    from namecheck.analysis.state.values import Anything, Method, Tensor
    from namecheck_runtime.lattice import known_dims

    current: list[str] = []
    call_value: Callable[..., Any] = calls.call_value
    is_finished: Callable[..., Any] = drives._is_finished

    def is_known(ev: Any, value: Any) -> bool:
        value = ev.resolve(value)
        return isinstance(value, Tensor) and known_dims(ev.current(value.shape))

    def called(ev: Any, callee: Any, arguments: Any, keywords: Any, node: Any) -> Any:
        given = [one.value for one in (*(arguments or ()), *(keywords or {}).values())]
        given += [callee.receiver] if isinstance(callee, Method) else []
        known = bool(current) and ev.alive and any(is_known(ev, value) for value in given)
        result = call_value(ev, callee, arguments, keywords, node)
        if known and ends.get(current[-1]) is None and node is not None:
            callee_text, frame = ir.describe(node.function, 60), ev.frame
            is_statement = frame.source.text_of(frame.line).strip().startswith(callee_text)
            if isinstance(ev.resolve(result), Anything) and ev.alive and not is_statement:
                place = f"{frame.source.file.path}:{frame.line + frame.source.line - 1}"
                ends[current[-1]] = Lost(place, callee_text)
        return result

    def driven(ev: Any, evaluate: Any, entry: str) -> bool:
        current.append(f"{ev.module.source.file.path} {entry}")
        ends.setdefault(current[-1], None)
        try:
            finished: bool = is_finished(ev, evaluate, entry)
            if not finished:
                ends[current[-1]] = Lost("", "cut off by the bound")
            elif entry not in ev.units.driven:
                del ends[current[-1]]
            return finished
        finally:
            current.pop()

    rebind("call_value", call_value, called)
    rebind("_is_finished", is_finished, driven)


def lost(places: Iterable[Path]) -> str:
    """The text of where the drives of projects end."""
    from namecheck.analysis.python.imports import Program
    from namecheck.analysis.runs.file_analysis import analyze_text
    from namecheck.files.project import Project
    from namecheck.running.discovery import discover

    ends: dict[str, Lost | None] = {}
    listen(ends)
    lines = []
    whys = Counter[str]()
    for place in places:
        ends.clear()
        program = Program(Project([str(place)]))
        for file in discover([str(place)]).files:
            text = Path(file).read_text(encoding="utf-8", errors="replace")
            try:
                analyze_text(file, text, program=program)
            except Exception as error:
                print(f"{file}: {error!r}", file=sys.stderr)
        whole = sum(end is None for end in ends.values())
        lines.append(f"{place.name}: {whole} of {len(ends)} entry points to their end")
        here = Counter(end for end in ends.values() if end is not None)
        for end, number in here.most_common(12):
            where = end.place.removeprefix(f"{place}/")
            lines.append(f"    {number:4}  {end.callee}  {where}")
        whys.update(end.callee for end in ends.values() if end is not None)
        print("\n".join(lines[-1 - min(12, len(here)) :]), file=sys.stderr, flush=True)
    lines += ["", *(f"{number:5}  {callee}" for callee, number in whys.most_common(40))]
    return "\n".join(lines)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=HERE / "sdists")
    parser.add_argument("--only", metavar="NAME", action="append", default=[])
    parser.add_argument("--lost", action="store_true", help="where drives lose the thread")
    options = parser.parse_args()
    chosen = [p for p in PROJECTS if not options.only or p.partition("==")[0] in options.only]
    places = [fetch(package, options.folder) for package in chosen]
    print(lost(places) if options.lost else table(places))


if __name__ == "__main__":
    main()

"""Runs `namecheck check` on real packages, and compares the findings with a list made by hand.

    python tests/benchmarks/precision/real_code.py [--corpus DIR] [--jobs N] [--only NAME] [--write]

`real_code.txt` holds every finding on the packages of `packages.txt`, each read by a person and
classified: true (the code is wrong), false (the code is right, the finding is not), debatable (the
code works, but its author may want to know).  New and missing findings are printed as a diff, and
then the script exits with 1.  `--write` updates the list: a new finding is marked `unread` until a
person has read the code and classified it; an `unread` line counts as a diff.

DIR holds unpacked packages in folders called `name-version`.  Without it the pinned wheels are
downloaded with pip into `wheels/` beside this file, which git ignores.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from typing import NamedTuple

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from processes import ours  # noqa: E402

ROOTS = list(dict.fromkeys(package.parent for package in ours()[:3]))
"""The folders of the packages that are measured: those of PYTHONPATH or this Python, or sources."""

from namecheck.running.discovery import discover  # noqa: E402

LIST = HERE / "real_code.txt"
WHEELS = HERE / "wheels"

PACKAGES = (HERE / "packages.txt").read_text().split()
"""Pinned, `name==version`."""

CLASSES = ("true", "false", "debatable", "unread")
BATCH = 40_000
"""The approximate number of lines per process."""
PATIENCE = 1800
"""The time limit of a batch, in seconds."""

HEADER = """\
# The findings of namecheck on real packages, each read and classed by a person (see real_code.py).
# package  file:line  code  level  class  reason
"""


class Found(NamedTuple):
    """A finding, by the properties that stay if only its words or its column change."""

    package: str
    file: str
    line: int
    code: str
    level: str

    def __str__(self) -> str:
        return f"{self.package}  {self.file}:{self.line}  {self.code}  {self.level}"


class Judgement(NamedTuple):
    """A reader's verdict on a finding."""

    verdict: str
    reason: str


class Told(NamedTuple):
    """A finding as one process reports it."""

    found: Found
    place: tuple[int, ...]
    message: str


class Run(NamedTuple):
    """The report of one process on some files of a package and their imports."""

    package: str
    told: tuple[Told, ...] = ()
    trouble: str = ""


def read_list(text: str) -> dict[Found, list[Judgement]]:
    """The committed list. A place may have the same code more than once."""
    judged: dict[Found, list[Judgement]] = {}
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        package, place, code, level, verdict, *reason = line.split(maxsplit=5)
        assert verdict in CLASSES, line
        file, _, number = place.rpartition(":")
        finding = Found(package, file, int(number), code, level)
        judged.setdefault(finding, []).append(Judgement(verdict, " ".join(reason)))
    return judged


def write_list(judged: dict[Found, list[Judgement]]) -> str:
    lines = [
        f"{finding}  {judgement.verdict}  {judgement.reason}".rstrip()
        for finding in sorted(judged)
        for judgement in judged[finding]
    ]
    return HEADER + "".join(f"{line}\n" for line in lines)


def folder_of(package: str, corpus: Path | None) -> Path | None:
    """The sources of a package: in the corpus, or downloaded."""
    name, _, version = package.partition("==")
    folder = (corpus or WHEELS) / f"{name}-{version}"
    if folder.is_dir():
        return folder
    if corpus is not None:
        return None
    WHEELS.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps"]
    command += ["--only-binary=:all:", "-d", str(WHEELS), package]
    subprocess.run(command, check=True)
    (wheel,) = WHEELS.glob(f"{name}-{version}-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    wheel.unlink()
    return folder


def batches(folder: Path, files: Iterable[str]) -> Iterator[tuple[list[str], int]]:
    """Batches of files, relative to the folder, with their numbers of lines."""
    batch: list[str] = []
    lines = 0
    for file in files:
        batch.append(os.path.relpath(file, folder))
        lines += Path(file).read_bytes().count(b"\n")
        if lines >= BATCH:
            yield batch, lines
            batch, lines = [], 0
    if batch:
        yield batch, lines


def check(package: str, folder: Path, files: list[str], bytecode: str) -> Run:
    """Run `namecheck check` on files of one package; `bytecode` is a folder for our bytecode."""
    command = [sys.executable, "-m", "namecheck", "check", "--output-format", "json", *files]
    path = os.pathsep.join(map(str, ROOTS))
    try:
        process = subprocess.run(
            command,
            cwd=folder,
            env={
                **os.environ,
                "PYTHONPATH": path,
                "PYTHONPYCACHEPREFIX": bytecode,
                "PYTHONDONTWRITEBYTECODE": "",
            },
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        records = json.loads(process.stdout)
    except subprocess.TimeoutExpired:
        return Run(package, trouble=f"{files[0]} .. {files[-1]}: more than {PATIENCE} s")
    except ValueError:
        return Run(package, trouble=f"{files[0]} .. {files[-1]}: {process.stderr[-2000:]}")
    reported = []
    for record in records:
        start, end = record["location"], record["end_location"]
        place = (start["row"], start["column"], end["row"], end["column"])
        finding = Found(package, record["filename"], place[0], record["code"], record["level"])
        reported.append(Told(finding, place, record["message"]))
    return Run(package, tuple(reported))


def run(
    folders: dict[str, Path], jobs: int, known: Container[Found]
) -> tuple[list[Run], Counter[str]]:
    """All findings, and the lines read of each package. New findings are printed at once."""
    work: list[tuple[int, str, Path, list[str]]] = []
    lines: Counter[str] = Counter()
    for package, folder in folders.items():
        for batch, count in batches(folder, discover([str(folder)]).files):
            lines[package] += count
            work.append((count, package, folder, batch))
    work.sort(key=lambda item: -item[0])
    runs: list[Run] = []
    with ThreadPoolExecutor(jobs) as pool, TemporaryDirectory() as bytecode:
        for outcome in pool.map(lambda item: check(*item[1:], bytecode), work):
            runs.append(outcome)
            for report in outcome.told:
                if report.found not in known:
                    news = f"{len(runs)}/{len(work)} {report.found}  {report.message}"
                    print(news, file=sys.stderr, flush=True)
    return runs, lines


def compare(
    runs: Iterable[Run], judged: dict[Found, list[Judgement]]
) -> tuple[list[str], dict[Found, list[Judgement]]]:
    """The diff against the list, and the updated list."""
    messages: dict[Found, list[str]] = {}
    # Two processes may report a mistake that depends on callers: one place counts once.
    places = {(report.found, report.place): report for run in runs for report in run.told}
    for report in places.values():
        messages.setdefault(report.found, []).append(report.message)
    diff: list[str] = []
    now: dict[Found, list[Judgement]] = {}
    for finding in sorted({*messages, *judged}):
        reported, judgements = messages.get(finding, []), judged.get(finding, [])
        current = judgements[: len(reported)]
        for judgement in judgements[len(reported) :]:
            diff.append(f"- {finding}  {judgement.verdict}  {judgement.reason}")
        for message in reported[len(judgements) :]:
            diff.append(f"+ {finding}  {message}")
            current = [*current, Judgement("unread", "")]
        diff += [
            f"? {finding}  not read yet"
            for judgement in judgements
            if judgement.verdict == "unread"
        ]
        if current:
            now[finding] = current
    return diff, now


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--corpus", type=Path, help="folder of unpacked packages")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument(
        "--only", action="append", default=[], help="packages (all)", metavar="NAME"
    )
    parser.add_argument("--write", action="store_true", help="bring the list up to date")
    options = parser.parse_args()

    chosen = [p for p in PACKAGES if not options.only or p.partition("==")[0] in options.only]
    folders: dict[str, Path] = {}
    for package in chosen:
        folder = folder_of(package, options.corpus)
        if folder is None:
            print(f"left out, not in {options.corpus}: {package}")
        else:
            folders[package] = folder
    before = getrusage(RUSAGE_CHILDREN)
    listed = read_list(LIST.read_text(encoding="utf-8")) if LIST.exists() else {}
    runs, lines = run(folders, options.jobs, listed)
    after = getrusage(RUSAGE_CHILDREN)

    measured = {finding: judged for finding, judged in listed.items() if finding.package in folders}
    diff, now = compare(runs, measured)
    troubles = [run for run in runs if run.trouble]
    for line in diff:
        print(line)
    for trouble in troubles:
        print(f"! {trouble.package}  {trouble.trouble}")
    if options.write:
        elsewhere = {
            finding: judged for finding, judged in listed.items() if finding.package not in folders
        }
        LIST.write_text(write_list({**elsewhere, **now}), encoding="utf-8")

    read = sum(lines.values())
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    counts = Counter(judgement.verdict for judgements in now.values() for judgement in judgements)
    errors = sum(
        judgement.verdict == "false" and finding.level == "error"
        for finding, judgements in now.items()
        for judgement in judgements
    )
    print(
        f"{len(folders)} packages, {read:,} lines, {seconds:.0f} s of CPU: "
        f"{sum(counts.values())} findings, "
        + ", ".join(f"{counts[verdict]} {verdict}" for verdict in CLASSES)
    )
    rate = counts["false"] / read * 100_000 if read else 0.0
    print(f"false alarms per 100,000 lines: {rate:.2f}; of level error: {errors}")
    return 1 if diff or troubles else 0


if __name__ == "__main__":
    sys.exit(main())

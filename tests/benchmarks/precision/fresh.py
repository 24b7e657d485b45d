"""Corpora that nobody has looked at: drawn by lot, checked once, every finding read.

    python tests/benchmarks/precision/fresh.py draw ROUND FOLDER --known FOLDERS [--candidates FILE]
    python tests/benchmarks/precision/fresh.py run ROUND FOLDER [--jobs N]
    python tests/benchmarks/precision/fresh.py table ROUND FOLDER [--write]

A corpus measures false alarms only until somebody mends them. So each round draws its own, from
a list beside this file: `fresh_models.txt`, projects that are model code, or
`fresh_candidates.txt`, projects that use tensors (round 1). Both were committed before their first
run. `draw` shuffles the candidates by the number of the round, leaves out those of earlier rounds,
and downloads one after another into FOLDER until there are enough. It writes
`fresh/round_ROUND.txt`: from which list, what was drawn, in which version, how many of its lines
are in files that import torch, JAX or einops, and what was passed over. There are two reasons for
that: a candidate cannot be downloaded, or it is a copy of code that was measured before. A copy is
a package more than half of whose lines stand in the folders that `--known` names: those of
`real_code.py` and of the earlier rounds.

`run` checks each package by itself with the namecheck that PYTHONPATH leads to, in its default
settings, and writes the findings to FOLDER. `table` compares them with `fresh/round_ROUND.tsv`, in
which a person has read and classed every finding as `real_code.py` has it, and prints the figures.
With `--write` it adds new findings to the table, as `unread`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray
from real_code import HERE, Found, Judgement, read_list  # which puts our packages on the path

from namecheck.running.discovery import discover

CANDIDATES = "fresh_models.txt"
"""The list of candidates that a round draws from, unless it is told another."""
LISTS = HERE / "fresh"

PACKAGES = 60
LINES = 2_000_000
"""The least that a round draws."""
SHARE = 0.5
"""The least share of packages that import torch, JAX or einops."""
FRAMEWORKS = ("torch", "jax", "einops")
IMPORTS = (*FRAMEWORKS, "numpy")

PASSED_OVER = ("download failed: ", "copy: ")
"""How the list of a round begins what it says of a candidate that was passed over."""

COPIED = 0.5
"""The share of lines known from elsewhere from which on a package is a copy.

Of the 799 packages of rounds 1 to 5 it is at most 0.05 for 487, and above 0.5 for 8: the largest
is omy, transformers under another name, with 0.89.
"""
LINE = 30
"""The least length of a line that can show a copy; `import torch` stands everywhere."""

DOWNLOAD = 300
"""The time limit of a download, in seconds."""

HEADER = """\
# {using} of {packages} packages of round {number} import torch, JAX or einops; from {candidates}.
# {lines:,} lines of .py files, {tensor_lines:,} in files that import torch, JAX or einops.
# package  lines  lines in files that import torch, JAX or einops  imports
"""
TABLE = """\
# The findings on the packages of round {0}, each read and classed by a person (see fresh.py).
# package\tfile:line\tcode\tlevel\tclass\treason
"""


Record = dict[str, Any]
"""A finding in namecheck's JSON, and its package."""


class Drawn(NamedTuple):
    """A package of a round: its lines and imports, or why it was passed over.

    `tensor_lines` are those in files that import torch, JAX or einops.
    """

    package: str
    lines: int = 0
    tensor_lines: int = 0
    imports: tuple[str, ...] = ()
    failure: str = ""

    def __str__(self) -> str:
        if self.failure:
            return f"{self.package}  {self.failure}"
        imports = ",".join(self.imports) or "-"
        return f"{self.package}  {self.lines}  {self.tensor_lines}  {imports}"


class Checked(NamedTuple):
    """The findings in one package, as namecheck writes them, or what went wrong."""

    records: tuple[Record, ...] = ()
    trouble: str = ""


def normalized(name: str) -> str:
    """The name of a project as the registry compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def list_of(number: int) -> Path:
    """What a round drew."""
    return LISTS / f"round_{number}.txt"


def read_drawn(number: int) -> list[Drawn]:
    """The packages of a round, in the order in which they were drawn."""
    drawn: list[Drawn] = []
    for line in list_of(number).read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        package, _, rest = line.partition("  ")
        if rest.startswith(PASSED_OVER):
            drawn.append(Drawn(package, failure=rest))
        else:
            lines, tensor_lines, imports = rest.split()
            drawn.append(Drawn(package, int(lines), int(tensor_lines), tuple(imports.split(","))))
    return drawn


def candidates(number: int, listed: Path) -> list[str]:
    """The candidates of a list that no earlier round drew, in the order of the round.

    Packages of which a model file is driven (`fresh/drives_*.txt`) have been looked at, too.
    """
    earlier = {
        normalized(drawn.package.partition("==")[0])
        for before in range(1, number)
        for drawn in read_drawn(before)
    }
    for drives in LISTS.glob("drives_*.txt"):
        lines = drives.read_text(encoding="utf-8").splitlines()
        earlier |= {normalized(line.partition("==")[0]) for line in lines if line.endswith(".py")}
    lines = listed.read_text(encoding="utf-8").splitlines()
    names = sorted(line for line in lines if line and not line.startswith("#"))
    random.Random(f"fresh corpus {number}").shuffle(names)
    return [name for name in names if normalized(name) not in earlier]


def download(name: str, folder: Path) -> Path:
    """A wheel or, if there is none, an sdist. Raises RuntimeError with the reason."""
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--prefer-binary"]
    # A package may want torch in order to say its own name; that is not worth a gigabyte.
    command += ["--no-build-isolation", "--disable-pip-version-check", "-d", str(folder), name]
    try:
        process = subprocess.run(command, capture_output=True, text=True, timeout=DOWNLOAD)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"more than {DOWNLOAD} s") from None
    archives = list(folder.iterdir())
    if process.returncode or not archives:
        output = process.stderr + process.stdout
        errors = re.findall(r"^(?:ERROR: |\s*)(\w*Error: .*|No matching.*)$", output, re.MULTILINE)
        last = output.strip().splitlines() or ["pip failed"]
        raise RuntimeError((errors or last)[-1].strip()[:120])
    return archives[0]


def unpack(archive: Path, folder: Path) -> None:
    """The `.py` files of an archive; the rest is not needed."""
    if archive.suffix in {".whl", ".zip"}:
        with zipfile.ZipFile(archive) as wheel:
            for name in wheel.namelist():
                keep(folder, name, partial(wheel.read, name))
        return
    with tarfile.open(archive) as sdist:
        for member in sdist:
            content = sdist.extractfile(member) if member.isfile() else None
            if content is not None:
                keep(folder, member.name, content.read)


def keep(folder: Path, name: str, read: Callable[[], bytes]) -> None:
    """Write one file of an archive, if it is Python."""
    path = PurePosixPath(name)
    if path.suffix == ".py" and not path.is_absolute() and ".." not in path.parts:
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(read())


def version_in(archive: Path) -> str:
    """The version in the file name of a wheel or an sdist."""
    stem = re.sub(r"\.(whl|zip|tar\.\w+|tgz)$", "", archive.name)
    return stem.split("-")[1] if archive.suffix == ".whl" else stem.rpartition("-")[2]


def measured(package: str, folder: Path) -> Drawn:
    """A package with the lines of the files that namecheck reads, and what they import."""
    pattern = re.compile(rb"^\s*(?:import|from)\s+(torch|jax|einops|numpy)\b", re.MULTILINE)
    lines = tensor_lines = 0
    imports: set[str] = set()
    for file in discover([str(folder)]).files:
        content = Path(file).read_bytes()
        here = {name.decode() for name in pattern.findall(content)}
        lines += content.count(b"\n")
        if not here.isdisjoint(FRAMEWORKS):
            tensor_lines += content.count(b"\n")
        imports |= here
    return Drawn(package, lines, tensor_lines, tuple(name for name in IMPORTS if name in imports))


def marks(folder: Path) -> NDArray[np.uint32]:
    """The checksums of the lines in the files of a folder that are long enough to show a copy."""
    lines = (
        line.strip() for file in folder.rglob("*.py") for line in file.read_bytes().split(b"\n")
    )
    return np.fromiter((zlib.crc32(line) for line in lines if len(line) >= LINE), np.uint32)


def known_lines(folders: Iterable[Path]) -> NDArray[np.uint32]:
    """The checksums of the lines that were measured before, in order, each once."""
    return np.unique(np.concatenate([marks(folder) for folder in folders]))


def share_known(folder: Path, known: NDArray[np.uint32]) -> float:
    """The share of the lines of a package that stand among the known ones."""
    lines = marks(folder)
    if not lines.size:
        return 0.0
    places = np.minimum(np.searchsorted(known, lines), known.size - 1)
    return float((known[places] == lines).mean())


def one(name: str, folder: Path, known: NDArray[np.uint32]) -> Drawn:
    """Download and unpack one candidate, unless it turns out to be a copy."""
    with TemporaryDirectory() as temporary:
        try:
            archive = download(name, Path(temporary))
            package = f"{name}=={version_in(archive)}"
            target = folder / package
            target.mkdir(parents=True, exist_ok=True)
            unpack(archive, target)
        except (RuntimeError, OSError, tarfile.TarError, zipfile.BadZipFile) as error:
            return Drawn(name, failure=PASSED_OVER[0] + " ".join(str(error).split()))
    share = share_known(target, known)
    if share > COPIED:
        shutil.rmtree(target)
        known_share = f"{share:.0%} of its lines stand in packages that were measured before"
        return Drawn(package, failure=PASSED_OVER[1] + known_share)
    return measured(package, target)


def uses_tensors(drawn: Drawn) -> bool:
    """Whether a package imports one of the frameworks."""
    return any(name in FRAMEWORKS for name in drawn.imports)


def draw(number: int, listed: Path, folder: Path, measured_before: Iterable[Path]) -> None:
    """Draw packages until there are enough, and write the list of the round."""
    known = known_lines(measured_before)
    drawn: list[Drawn] = []
    usable: list[Drawn] = []
    for name in candidates(number, listed):
        drawn.append(one(name, folder, known))
        print(drawn[-1], flush=True)
        usable = [package for package in drawn if package.lines]
        share = sum(map(uses_tensors, usable)) / max(len(usable), 1)
        lines = sum(package.lines for package in usable)
        if len(usable) >= PACKAGES and lines >= LINES and share >= SHARE:
            break
    else:
        print("the candidates are used up", file=sys.stderr)
    head = HEADER.format(
        packages=len(usable),
        number=number,
        candidates=listed.name,
        using=sum(map(uses_tensors, usable)),
        lines=sum(package.lines for package in usable),
        tensor_lines=sum(package.tensor_lines for package in usable),
    )
    LISTS.mkdir(exist_ok=True)
    list_of(number).write_text(head + "".join(f"{d}\n" for d in drawn), encoding="utf-8")


def check(package: str, folder: Path) -> Checked:
    """The findings in one package, whose folders must not stand in for modules of ours."""
    command = [sys.executable, "-m", "namecheck", "check", "--isolated", "--no-cache"]
    command += ["--exit-zero", "--output-format", "json", "."]
    process = subprocess.run(
        command,
        cwd=folder / package,
        env={**os.environ, "PYTHONSAFEPATH": "1"},
        capture_output=True,
        text=True,
    )
    try:
        records = json.loads(process.stdout)
    except ValueError:
        return Checked(trouble=process.stderr[-2000:] or "no output")
    findings = tuple(
        {"package": package, **record} for record in records if record["level"] != "note"
    )
    return Checked(findings, process.stderr[-2000:] if process.returncode else "")


def found_in(record: Record) -> Found:
    """What the table calls a finding. A path there has no spaces."""
    file, line = quote(record["filename"]), record["location"]["row"]
    return Found(record["package"], file, line, record["code"], record["level"])


def run(number: int, folder: Path, jobs: int) -> int:
    """Check the packages of a round; the findings go to `round_N.jsonl` in the folder."""
    packages = [drawn.package for drawn in read_drawn(number) if drawn.lines]
    troubles = 0
    with ThreadPoolExecutor(jobs) as pool, raw_of(number, folder).open("w") as raw:
        outcomes = pool.map(lambda package: check(package, folder), packages)
        for package, outcome in zip(packages, outcomes, strict=True):
            print(f"{package}  {len(outcome.records)}", flush=True)
            for record in outcome.records:
                print(json.dumps(record), file=raw, flush=True)
            if outcome.trouble:
                troubles += 1
                print(f"! {package}  {outcome.trouble}", flush=True)
    return 1 if troubles else 0


def raw_of(number: int, folder: Path) -> Path:
    """What the last run found."""
    return folder / f"round_{number}.jsonl"


def in_order(judged: dict[Found, list[Judgement]]) -> str:
    """The lines of a table."""
    return "".join(
        "\t".join(
            [found.package, f"{found.file}:{found.line}", found.code, found.level, *judgement]
        ).rstrip()
        + "\n"
        for found in sorted(judged)
        for judgement in judged[found]
    )


def figures(judged: Iterable[tuple[Found, Judgement]], lines: int) -> str:
    """The figures of the issue: findings per million lines, by class."""
    counts = Counter(
        f"{judgement.verdict} {found.level}s" if judgement.verdict == "false" else judgement.verdict
        for found, judgement in judged
    )
    total = sum(counts.values())
    shown = ("true", "debatable", "false errors", "false warnings", "unread")
    per_million = ", ".join(
        f"{counts[kind]} {kind} ({counts[kind] * 1e6 / lines:.2f})" for kind in shown
    )
    share = counts["true"] / total if total else 0.0
    return f"{total} findings (per million lines): {per_million}; {share:.0%} true"


def table(number: int, folder: Path, write: bool) -> int:
    """Compare the findings of the last run with those that were read, and print the figures."""
    path = LISTS / f"round_{number}.tsv"
    judged = read_list(path.read_text(encoding="utf-8")) if path.exists() else {}
    now: dict[Found, list[Judgement]] = {}
    different = False
    for line in raw_of(number, folder).read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        found = found_in(record)
        before, current = judged.get(found, []), now.setdefault(found, [])
        if len(current) < len(before):
            current.append(before[len(current)])
        else:
            current.append(Judgement("unread", ""))
        if current[-1].verdict == "unread":
            different = True
            print(f"? {found}  {record['message']}")
    for found, judgements in judged.items():
        for judgement in judgements[len(now.get(found, ())) :]:
            different = True
            print(f"- {found}  {judgement.verdict}  {judgement.reason}")
    if write:
        merged = {
            found: max(judged.get(found, []), now.get(found, []), key=len)
            for found in {*judged, *now}
        }
        path.write_text(TABLE.format(number) + in_order(merged), encoding="utf-8")
    usable = [drawn for drawn in read_drawn(number) if drawn.lines]
    lines = sum(drawn.lines for drawn in usable)
    print(f"{len(usable)} packages, {lines:,} lines")
    rows = [(found, judgement) for found, judgements in now.items() for judgement in judgements]
    print(figures(rows, lines))
    return 1 if different else 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("step", choices=("draw", "run", "table"))
    parser.add_argument("round", type=int, help="the number of the round, from 1")
    parser.add_argument("folder", type=Path, help="where the packages are, one folder each")
    parser.add_argument(
        "--candidates",
        type=Path,
        default=HERE / CANDIDATES,
        metavar="FILE",
        help=f"the list that draw draws from ({CANDIDATES})",
    )
    parser.add_argument(
        "--known",
        type=Path,
        nargs="+",
        metavar="FOLDER",
        help="folders of packages that were measured before; draw passes over their copies",
    )
    parser.add_argument("--jobs", type=int, default=1, help="packages checked at a time (1)")
    parser.add_argument("--write", action="store_true", help="add new findings to the table")
    options = parser.parse_args()
    folder = options.folder.resolve()
    if options.step == "draw":
        if not options.known:
            parser.error(
                "draw needs --known: the folders of the packages that were measured before"
            )
        draw(options.round, options.candidates, folder, options.known)
        return 0
    if options.step == "run":
        return run(options.round, folder, options.jobs)
    return table(options.round, folder, options.write)


if __name__ == "__main__":
    sys.exit(main())

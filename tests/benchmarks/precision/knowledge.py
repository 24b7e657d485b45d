"""Driven knowledge: the sizes that a drive knows, against the sizes that torch computes.

Every driver runs under torch with a hook behind each assignment in the files of its package, and
the sizes of the tensors that were assigned are kept in knowledge.jsonl. Then namecheck evaluates
the same program as a drive (`drives.py`), without torch. A fact is a file, a line, a target and the
sizes that it had there: a line that is executed ten times with the same sizes is one fact, and a
line that three layers of other sizes execute is three. Places whose sizes are others when the
driver runs with other random numbers are left out, and their facts counted as "drawn". A fact is
*known* if the drive has these sizes at that place, all of them. A value that the program is sure to
have according to the drive, and whose sizes never occurred there, is wrong.

    python tests/benchmarks/precision/knowledge.py [FOLDER] [--only REGEX] [--lost N]
    python tests/benchmarks/precision/knowledge.py [FOLDER] --measure PYTHON

FOLDER has the sources, as for benchmark.py. Exits with 1 if any value is wrong.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import drives
import inlay

if TYPE_CHECKING:
    from namecheck_runtime.lattice import Shape

HERE = Path(__file__).parent
REPOS = HERE / "repos"
FACTS = HERE / "knowledge.jsonl"
SETS = ("drivers", "fresh/drives")

MOST_SIZES = 64
"""The most facts of one target on one line: a loop over lengths adds no information."""

Sizes: TypeAlias = tuple[int, ...]

Place: TypeAlias = tuple[str, int, str]
"""A file below the folder of its distribution, a line, and the target that is assigned there."""

Facts: TypeAlias = dict[Place, list[Sizes]]
"""The sizes that torch computed at each place, in the order of their execution."""

Claim: TypeAlias = "tuple[int | None, ...] | None"
"""The sizes that a drive has at a place: None is a size, or a rank, that is not known."""

Claims: TypeAlias = Mapping[Place, Mapping[Claim, bool]]
"""The sizes that the drive has at each place, and whether the program is sure to have them there.

In an undecided branch it may never have them.
"""


# Under torch


class Observer:
    """Keeps the sizes of the tensors that are assigned in the files of a folder."""

    def __init__(self, top: str) -> None:
        self.top = top + os.sep
        self.facts: Facts = {}

    def enter(self, line: int) -> None:
        """A function's body begins: nothing is assigned."""

    def assigned(self, line: int, target: str, value: object) -> None:
        """A target was assigned on a line."""
        if not is_tensor(value):
            return
        sizes = inlay.shape_of(value)
        file = os.path.realpath(sys._getframe(1).f_code.co_filename)
        if sizes is not None and file.startswith(self.top):
            seen = self.facts.setdefault((file.removeprefix(self.top), line, target), [])
            if sizes not in seen and len(seen) < MOST_SIZES:
                seen.append(sizes)

    def returned(self, line: int, target: str, value: Any) -> Any:
        """A value is about to be returned."""
        return value

    def hook_imports(self) -> None:
        """Hook the files of the folder when they are imported."""
        from importlib.machinery import SourceFileLoader

        own = SourceFileLoader.get_code

        def get_code(loader: SourceFileLoader, name: str) -> Any:
            path = loader.get_filename(name)
            if not os.path.realpath(path).startswith(self.top):
                return own(loader, name)
            return compile(hooked(loader.get_data(path)), path, "exec", dont_inherit=True)

        SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]


def is_tensor(value: object) -> bool:
    """Whether a value is a tensor or an array with one shape, and no number of a library."""
    names = {cls.__name__ for cls in type(value).__mro__}
    return bool(names & {"Tensor", "ndarray"}) and not getattr(value, "is_nested", False)


def hooked(source: str | bytes) -> ast.Module:
    """A file with a call of the observer behind each assignment."""
    return ast.fix_missing_locations(inlay.Hook().visit(ast.parse(source)))


def trace(name: str, seed: int) -> None:
    """Run a driver in the interpreter that has torch, and print the facts."""
    sys.path[:0] = [str(HERE), str(HERE / "drivers")]
    import builtins
    import random

    import harness  # type: ignore[import-not-found]
    import numpy
    import torch

    driver = harness.load_driver(os.path.relpath(name, "drivers"))
    observer = Observer(os.path.realpath(REPOS / driver.FILE.split("/")[0]))
    builtins.__inlay_enter__ = observer.enter  # type: ignore[attr-defined]
    builtins.__inlay_assigned__ = observer.assigned  # type: ignore[attr-defined]
    builtins.__inlay_returned__ = observer.returned  # type: ignore[attr-defined]
    observer.hook_imports()
    silent = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if hasattr(driver, "setup"):
        driver.setup()
    for draw_from in (random.seed, numpy.random.seed, torch.manual_seed):
        draw_from(seed)
    module = harness.load_target(driver, hooked((REPOS / driver.FILE).read_bytes()))
    driver.run(module)
    sys.stdout.flush()
    os.dup2(silent, 1)
    print(row_of(name, observer.facts))


def row_of(driver: str, facts: Facts, drawn: int = 0) -> str:
    """The line of knowledge.jsonl for a driver; `drawn` facts were left out."""
    files = list(dict.fromkeys(file for file, _, _ in facts))
    seen = [[files.index(file), line, target, s] for (file, line, target), s in facts.items()]
    row = {"driver": driver, "drawn": drawn, "files": files, "facts": seen}
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


class Row(NamedTuple):
    """A line of knowledge.jsonl."""

    driver: str
    drawn: int
    facts: Facts


def read_row(line: str) -> Row:
    """The driver and the facts in a line of knowledge.jsonl."""
    row = json.loads(line)
    facts = {
        (row["files"][file], at, target): [tuple(sizes) for sizes in seen]
        for file, at, target, seen in row["facts"]
    }
    return Row(row["driver"], row["drawn"], facts)


def same_in_both(facts: Facts, others: Facts) -> tuple[Facts, int]:
    """The facts at places that have the same sizes in two runs, and how many are left out."""
    same = {place: seen for place, seen in facts.items() if set(seen) == set(others.get(place, ()))}
    return same, sum(map(len, facts.values())) - sum(map(len, same.values()))


def measure(python: str, names: Iterable[str]) -> dict[str, str]:
    """The lines of the drivers that ran to their end."""
    lines = {}
    for name in names:
        runs: list[Facts] = []
        for seed in (0, 1):
            command = [python, __file__, "--trace", name, "--seed", str(seed)]
            process = subprocess.run(command, capture_output=True, text=True, timeout=900)
            if process.returncode:
                print(f"{name} failed: {process.stderr.strip()[-600:]}", file=sys.stderr)
                break
            runs.append(read_row(process.stdout.splitlines()[-1]).facts)
        else:
            facts, drawn = same_in_both(*runs)
            lines[name] = row_of(name, facts, drawn)
            print(f"{name}: {sum(map(len, facts.values()))} facts, {drawn} drawn", flush=True)
    return lines


# Without torch


def drive_at(folder: Path, driver: str) -> Path:
    """The program of a driver, in a folder that stands in for its distribution."""
    text = (HERE / f"{driver}.py").read_text()
    distribution, _, file = file_of(text).partition("/")
    for path in (REPOS / distribution).iterdir():
        (folder / path.name).symlink_to(path.resolve())
    module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    program = folder / "drive.py"
    program.write_text(drives.program(text, module))
    return program


def file_of(text: str) -> str:
    """The file that a driver names, below repos/."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "FILE":
            return str(ast.literal_eval(node.value))
    raise ValueError("the driver names no FILE")


def claims_of(program: Path, python: str | None) -> Claims:
    """What the drive in a program has at the assignments in the files of its folder."""
    from namecheck.analysis import DrivenShapes, open_program
    from namecheck.files.documents import read_document
    from namecheck.files.environment import environment_at
    from namecheck.files.project import Project
    from namecheck.running.examination import examine

    path = os.path.realpath(program)
    top = os.path.dirname(path) + os.sep
    environment = environment_at(python) if python else None
    opened = open_program(Project([str(program.parent)], {path: path}, environment))
    opened.driven = DrivenShapes(path)
    seen = opened.driven.seen = {}
    for finding in examine(read_document(path), opened).findings:
        print(f"{finding.path}:{finding.span.line} {finding.code} {finding.message}")
    claims: dict[Place, dict[Claim, bool]] = defaultdict(dict)
    for real, shapes in seen.items():
        for (line, target, kind), values in shapes.items():
            if kind == "assign" and real.startswith(top):
                here = claims[real.removeprefix(top), line, target]
                for shape, is_sure in values.items():
                    sizes = sizes_of(shape)
                    here[sizes] = is_sure or here.get(sizes, False)
    return claims


def sizes_of(shape: Shape) -> Claim:
    """The sizes in a shape of the analyzer; None if not even the rank is known."""
    if not isinstance(shape, tuple):
        return None
    return tuple(dim.size if isinstance(dim.size, int) else None for dim in shape)


class Verdict(NamedTuple):
    """What the drive knows of one fact: "known", "sizes", "rank", "reached" or "not reached"."""

    place: Place
    sizes: Sizes
    kind: str
    claim: str


KINDS = ("known", "sizes", "rank", "elsewhere", "not reached")
"""Known; some sizes are not known; the rank is not known; all that the drive has there are sizes of
other facts, or wrong; and the drive has nothing there.
"""


def compare(facts: Facts, claims: Claims) -> tuple[list[Verdict], list[Verdict]]:
    """What is known of each fact, and the values of the drive that never occurred."""
    verdicts: list[Verdict] = []
    wrong: list[Verdict] = []
    for place, seen in facts.items():
        have = claims.get(place, {})
        for sizes in seen:
            verdicts.append(Verdict(place, sizes, *_known_of(sizes, have)))
        for claim, is_sure in have.items():
            if is_sure and claim is not None and not any(_agree(claim, sizes) for sizes in seen):
                wrong.append(Verdict(place, seen[0], "wrong", show(claim)))
    return verdicts, wrong


def _known_of(sizes: Sizes, have: Mapping[Claim, bool]) -> tuple[str, str]:
    if sizes in have:
        return "known", show(sizes)
    for claim in have:
        if claim is not None and _agree(claim, sizes):
            return "sizes", show(claim)
    if None in have:
        return "rank", "[?]"
    return ("elsewhere", show(next(iter(have)))) if have else ("not reached", "-")


def _agree(claim: tuple[int | None, ...], sizes: Sizes) -> bool:
    return len(claim) == len(sizes) and all(
        mine is None or mine == size for mine, size in zip(claim, sizes, strict=True)
    )


def show(sizes: Claim) -> str:
    """Sizes as `namecheck show` prints them."""
    if sizes is None:
        return "[?]"
    return "[" + ", ".join("?" if size is None else str(size) for size in sizes) + "]"


# The table


def table_line(name: str, counts: Mapping[str, int]) -> str:
    """The line of a driver, or of all."""
    total = sum(counts.get(kind, 0) for kind in KINDS)
    share = f"{100 * counts.get('known', 0) / total:5.1f} %" if total else "      -"
    cells = "".join(f"{counts.get(kind, 0):12d}" for kind in KINDS)
    rest = f"{counts.get('wrong', 0):7d}{counts.get('drawn', 0):7d}"
    return f"{name:36s}{total:7d}{cells}{rest}  {share}"


def told(verdicts: Sequence[Verdict], wrong: Sequence[Verdict], lost: int) -> Iterator[str]:
    """The wrong values, and the first facts that are not known."""
    for verdict in wrong:
        file, line, target = verdict.place
        yield f"    WRONG {file}:{line} {target}: {verdict.claim}, not {show(verdict.sizes)}"
    missing = [verdict for verdict in verdicts if verdict.kind != "known"]
    for verdict in missing[:lost]:
        file, line, target = verdict.place
        is_ = f"{verdict.claim} is {show(verdict.sizes)}"
        yield f"    {verdict.kind:11s} {file}:{line} {target}: {is_}"


def drivers() -> list[str]:
    """The drivers of published files, below this folder."""
    return [
        f"{folder}/{path.stem}"
        for folder in SETS
        for path in sorted((HERE / folder).glob("*.py"))
        if not path.stem.startswith(("_", "example_"))
    ]


def judge(driver: str, facts: Facts, python: str | None) -> tuple[list[Verdict], list[Verdict]]:
    """What namecheck knows of the facts of a driver."""
    with tempfile.TemporaryDirectory() as folder:
        return compare(facts, claims_of(drive_at(Path(folder), driver), python))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", nargs="?", type=Path, help="a folder of unpacked distributions")
    parser.add_argument("--measure", metavar="PYTHON", help="run the drivers with its torch first")
    parser.add_argument("--only", default="", help="only drivers that match this expression")
    parser.add_argument("--lost", type=int, default=0, help="list so many unknown facts of each")
    parser.add_argument("--facts", type=Path, default=FACTS, help="the file of the facts")
    parser.add_argument(
        "--environment", metavar="PYTHON", help="follow calls into packages installed there, too"
    )
    parser.add_argument("--trace", help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.trace:
        trace(options.trace, options.seed)
        return
    from benchmark import link

    chosen = [name for name in drivers() if re.search(options.only, name)]
    link({file_of((HERE / f"{name}.py").read_text()) for name in chosen}, options.corpus)
    lines = options.facts.read_text().splitlines() if options.facts.exists() else []
    kept = {read_row(line).driver: line for line in lines}
    if options.measure:
        kept |= measure(options.measure, chosen)
        options.facts.write_text("".join(f"{kept[name]}\n" for name in sorted(kept)))
    head = "".join(f"{kind:>12s}" for kind in KINDS)
    print(f"{'driver':36s}{'facts':>7s}{head}{'wrong':>7s}{'drawn':>7s}")
    totals: dict[str, Counter[str]] = defaultdict(Counter)
    for name in chosen:
        if name not in kept:
            continue
        row = read_row(kept[name])
        verdicts, wrong = judge(name, row.facts, options.environment)
        counts = Counter(verdict.kind for verdict in verdicts)
        counts += Counter(wrong=len(wrong), drawn=row.drawn)
        print(table_line(name, counts))
        for line in told(verdicts, wrong, options.lost):
            print(line, flush=True)
        for total in (name.rpartition("/")[0], "all"):
            totals[total] += counts
    for name, counts in sorted(totals.items(), key=lambda item: item[0] == "all"):
        print(table_line(name, counts))
    sys.exit(1 if totals["all"]["wrong"] else 0)


if __name__ == "__main__":
    main()

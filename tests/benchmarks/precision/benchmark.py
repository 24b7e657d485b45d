"""Mutates model files of published packages and reports which mutants namecheck finds.

This module finds the sources and the measured classes, and prints the table.  Other modules make
the mutations (mutate.py), run them under torch (harness.py) and count the diagnostics of a checker
(score.py).

A class (CRASH, SILENT, EQUIVALENT, ANNOTATION) belongs to a mutant and not to a checker, so it
is measured once, with `--classify`, and kept in classes.jsonl: ids, files, operators and classes,
without any line of the packages.  Scoring needs neither torch nor the models' packages installed.

`--set` takes the drivers of another folder, such as those of a fresh draw, whose classes are kept
in the file that `--classes` names.
"""

from __future__ import annotations

import argparse
import ast
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import drives
import mutate

HERE = Path(__file__).parent
REPOS = HERE / "repos"
CLASSES = HERE / "classes.jsonl"
ORIGINALS = HERE / "originals.txt"
MUTANTS = HERE / "mutants.jsonl"  # it has lines of the packages, so git ignores it
COUNTED = ("CRASH", "SILENT", "ANNOTATION")
CHECK = f"{sys.executable} -m namecheck check --exit-zero --output-format concise --jobs 1"
"""One process: `--workers` says how many there are."""

Row = dict[str, Any]


def drivers(folder: Path) -> dict[str, str]:
    """The drivers of published files: the path of each below drivers/, and the file it runs."""
    files = {}
    for path in sorted(folder.glob("*.py")):
        if not path.stem.startswith(("_", "example_")):
            for node in ast.parse(path.read_text()).body:
                if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "FILE":
                    name = os.path.relpath(path.with_suffix(""), HERE / "drivers")
                    files[Path(name).as_posix()] = ast.literal_eval(node.value)
    return files


def link(files: set[str], corpus: Path | None) -> None:
    """Put the distributions of `files` (`name-version/...`) into repos/, from `corpus` or PyPI."""
    REPOS.mkdir(exist_ok=True)
    for distribution in sorted({file.split("/")[0] for file in files}):
        place = REPOS / distribution
        if place.exists():
            continue
        if corpus is not None and (corpus / distribution).is_dir():
            place.symlink_to((corpus / distribution).resolve())
            continue
        name, _, version = distribution.rpartition("-")
        with tempfile.TemporaryDirectory() as folder:
            download = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet"]
            subprocess.run([*download, "--dest", folder, f"{name}=={version}"], check=True)
            (archive,) = Path(folder).iterdir()
            unpack(archive, place)


def unpack(archive: Path, place: Path) -> None:
    """A wheel as it is installed, or an sdist, whose packages may lie in a folder src."""
    if archive.suffix == ".whl":
        zipfile.ZipFile(archive).extractall(place)
        return
    with tempfile.TemporaryDirectory() as folder:
        shutil.unpack_archive(archive, folder, filter=None if archive.suffix == ".zip" else "data")
        (root,) = Path(folder).iterdir()
        shutil.copytree(root, place)
    source = place / "src"
    if source.is_dir() and not (source / "__init__.py").exists():
        shutil.copytree(source, place, dirs_exist_ok=True)
        shutil.rmtree(source)


def read_rows(path: Path) -> list[Row]:
    """The rows of a file of JSON lines; none if the file does not exist."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines()]


def write_rows(path: Path, rows: list[Row]) -> None:
    """Write one row per line."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def classify(python: str, names: list[str], limit: int, workers: int, kept: Path) -> None:
    """Run every mutant of the drivers `names` under torch, and keep the rows of other drivers."""
    with tempfile.TemporaryDirectory() as folder:
        parts = [Path(folder, f"{n}.jsonl") for n in range(workers)]
        command = [python, HERE / "harness.py", "classify", "--max", str(limit)]
        runs = [
            subprocess.Popen([*command, "--shard", f"{n}/{workers}", "--out", part, *names])
            for n, part in enumerate(parts)
        ]
        if max(run.wait() for run in runs):
            raise SystemExit("the harness failed")
        fresh = [row for part in parts for row in read_rows(part)]
    keep(fresh, kept)


def keep(fresh: list[Row], kept: Path) -> None:
    """Replace the rows of the same files by rows of the harness."""
    measured = {row["file"] for row in fresh}
    others = [row for row in read_rows(MUTANTS) if row["file"] not in measured]
    write_rows(MUTANTS, sorted(others + fresh, key=lambda row: (row["file"], row["start"])))
    classes = [row for row in read_rows(kept) if row["file"] not in measured]
    classes += [
        {"id": row["id"], "file": row["file"], "operator": row["op"], "class": row["class"]}
        for row in fresh
    ]
    write_rows(kept, sorted(classes, key=lambda row: (row["file"], row["operator"], row["id"])))


def restore_mutants(classes: list[Row]) -> list[Row]:
    """The mutants of `classes`, made again from the sources if mutants.jsonl lacks them."""
    rows_by_id = {row["id"]: row for row in read_rows(MUTANTS)}
    for file in sorted({row["file"] for row in classes if row["id"] not in rows_by_id}):
        source = (REPOS / file).read_bytes().decode("utf8")  # the offsets count every "\\r"
        rows_by_id |= {row["id"]: row for row in mutate.mutants(source, file)}
    lost = [row["id"] for row in classes if row["id"] not in rows_by_id]
    if lost:
        raise SystemExit(f"{len(lost)} mutants are no longer made: {' '.join(lost[:9])}")
    mutants = [rows_by_id[row["id"]] | {"class": row["class"]} for row in classes]
    write_rows(MUTANTS, mutants)
    return mutants


def programs(names: dict[str, str]) -> dict[str, str]:
    """The drive of each driven file, in which `{module}` stands for its dotted name."""
    return {
        file: drives.program((HERE / "drivers" / f"{name}.py").read_text(), "MODULE").replace(
            "import MODULE as", "import {module} as"
        )
        for name, file in names.items()
    }


def score(
    mutants: list[Row], workers: int, driven: dict[str, str], elsewhere: bool = False
) -> dict[str, Row]:
    """The rows of score.py for the caught mutants, by id; `driven` has programs beside files.

    With `elsewhere` a finding in any other file that only the mutant has counts, too.
    """
    with tempfile.TemporaryDirectory() as folder:
        listed, scores = Path(folder, "mutants.jsonl"), Path(folder, "score.json")
        write_rows(listed, mutants)
        command = [sys.executable, HERE / "score.py", "--name", "namecheck", "--out", scores]
        command += ["--cmd", f"{CHECK} {{files}}", "--workers", str(workers), "--batch", "25"]
        command += ["--layout", "package", "--repos", REPOS]
        if driven:
            beside = Path(folder, "drives.json")
            beside.write_text(json.dumps(driven))
            command += ["--drives", beside]
        command += ["--elsewhere"] if elsewhere else []
        subprocess.run([*command, "--mutants", listed], check=True)
        return {row["id"]: row for row in json.loads(scores.read_text())["caught"]}


def table(mutants: list[Row], caught: dict[str, Row]) -> str:
    """The text of caught and all mutants of each operator and class, then of each file."""
    counts: dict[tuple[str, str], list[int]] = collections.defaultdict(lambda: [0, 0])
    for row in mutants:
        hit = row["id"] in caught
        for key in (row["op"], "all", row["file"]):
            counts[key, row["class"]][0] += hit
            counts[key, row["class"]][1] += 1
    columns = (*COUNTED, "EQUIVALENT")

    def line(key: str, width: int) -> str:
        cells = (counts.get((key, column), (0, 0)) for column in columns)
        return f"{key:{width}}" + "".join(
            f"{f'{hits}/{total}' if total else '':>12}" for hits, total in cells
        )

    lines = [" " * 18 + "".join(f"{column:>12}" for column in columns)]
    lines += [line(operator, 18) for operator in sorted({row["op"] for row in mutants})]
    lines.append(line("all", 18))
    shares = (counts.get(("all", column), (0, 0)) for column in columns)
    percent = (f"{100 * hits / total:.1f} %" if total else "" for hits, total in shares)
    lines += [" " * 18 + "".join(f"{share:>12}" for share in percent), ""]
    files = sorted({row["file"] for row in mutants})
    width = max(map(len, files)) + 1
    return "\n".join(lines + [line(file, width) for file in files]) + "\n"


def true_findings() -> set[tuple[str, str]]:
    """The places and codes of the mistakes in the originals themselves."""
    lines = ORIGINALS.read_text().splitlines()
    rows = (line.split(maxsplit=2) for line in lines if not line.startswith("#"))
    return {(place, code) for place, code, _ in rows}


def is_known(finding: str, places: set[tuple[str, str]]) -> bool:
    """Whether a finding, as `check` prints it, is a known one."""
    match = re.search(r"repos/(\S+:\d+):\d+: (NC\d+)", finding)
    return match is not None and match.groups() in places


def missed(mutants: list[Row], caught: dict[str, Row]) -> str:
    """The mutants that were not caught, with their lines."""
    lines = []
    for row in mutants:
        if row["class"] in COUNTED and row["id"] not in caught:
            lines.append(f"{row['id']} {row['op']} {row['class']} {row['file']}:{row['line']}")
            lines.append(f"    - {row['before'].strip()}\n    + {row['after'].strip()}")
            if row.get("error"):
                lines.append(f"    line {row['error_line']}: {row['error'][:160]!r}")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Classify the mutants on request, score namecheck, print the table and the false alarms."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", nargs="?", type=Path, help="a folder of unpacked distributions")
    parser.add_argument("--classify", metavar="PYTHON", help="an interpreter that has torch")
    parser.add_argument("--max", type=int, default=40, help="mutants of one file (40)")
    parser.add_argument("--only", default="", help="only files that match this expression")
    parser.add_argument("--workers", type=int, default=2, help="processes at once (2)")
    parser.add_argument("--driven", action="store_true", help="with a program beside each file")
    parser.add_argument("--elsewhere", action="store_true", help="count findings in other files")
    parser.add_argument(
        "--set", type=Path, default=Path("drivers"), help="the folder of the drivers (drivers)"
    )
    parser.add_argument("--classes", type=Path, help="the classes of the set (classes.jsonl)")
    parser.add_argument("--table", type=Path, help="write the table to this file too")
    parser.add_argument(
        "--missed", type=Path, help="write what was missed, with lines, to this file"
    )
    options = parser.parse_args()
    if (options.set == Path("drivers")) != (options.classes is None):
        parser.error("--set and --classes go together")
    kept = HERE / options.classes if options.classes else CLASSES
    known = {
        n: file for n, file in drivers(HERE / options.set).items() if re.search(options.only, file)
    }
    link(set(known.values()), options.corpus)
    if options.classify:
        classify(options.classify, list(known), options.max, options.workers, kept)
    chosen = set(known.values())
    classes = [row for row in read_rows(kept) if row["file"] in chosen]
    mutants = restore_mutants(classes)
    driven = programs(known) if options.driven else {}
    caught = score(mutants, options.workers, driven, options.elsewhere)
    text = table(mutants, caught)
    files = [str(REPOS / file) for file in sorted(chosen)]
    alarms = subprocess.run([*CHECK.split(), *files], capture_output=True, text=True, check=True)
    lines = [line for line in alarms.stdout.splitlines() if re.search(r":\d+:\d+: ", line)]
    known = true_findings()
    lines = [line + (" (true)" if is_known(line, known) else "") for line in lines]
    wrong = sum(not line.endswith(" (true)") for line in lines)
    head = f"{wrong} false findings on originals, {len(lines) - wrong} true ones (originals.txt)"
    text += "".join(f"{line}\n" for line in ["", head, *lines])
    print(text)
    if options.table:
        options.table.write_text(text)
    if options.missed:
        options.missed.write_text(missed(mutants, caught))


if __name__ == "__main__":
    main()

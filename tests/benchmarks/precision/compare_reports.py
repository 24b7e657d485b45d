"""Compares two runs over the same packages, when a change was meant to change words alone.

    python tests/benchmarks/precision/compare_reports.py BEFORE AFTER

BEFORE and AFTER are folders with a file for each package, of what `namecheck check --output-format
json-lines` printed.  Printed are the findings whose code, level, place, dims, labels, places of
notes or fix differ, and then the sentences that differ, with how often.  Ends with 1 if anything
but sentences differs.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

Record = dict[str, Any]

_DIMS = re.compile(r"\[[^\]]*\]|'[^']*'")
_PARTS = re.compile(r"`[^`]*`|'[^']*'|\[[^\]]*\]|\d+")


def records_of(path: Path) -> dict[tuple[Any, ...], list[Record]]:
    """The findings of a package by code, level and place."""
    by_place: dict[tuple[Any, ...], list[Record]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("{"):
            record = json.loads(line)
            places = [*record["location"].values(), *record["end_location"].values()]
            place = (record["filename"], record["cell"], *places)
            by_place[(record["code"], record["level"], *place)].append(record)
    for records in by_place.values():
        records.sort(key=lambda record: json.dumps(record["labels"]))
    return by_place


def facts_of(record: Record) -> tuple[Any, ...]:
    """What a finding says in dims and places, without its words."""
    fix = record["fix"]
    return (
        record["labels"],
        [(note["filename"], note["location"]) for note in record["notes"]],
        fix and (fix["applicability"], fix["edits"]),
        _DIMS.findall(record["message"]),
    )


def sentences_of(record: Record) -> Iterator[tuple[str, str]]:
    """The sentences of a finding, each with its kind."""
    yield "message", record["message"]
    yield "hint", record["hint"] or ""
    for note in record["notes"]:
        yield "note", note["message"]
    yield "fix", record["fix"]["message"] if record["fix"] else ""


def main(before: Path, after: Path) -> int:
    differences: list[str] = []
    sentences: Counter[tuple[str, str, str]] = Counter()
    count = 0
    for path in sorted(before.glob("*.jsonl")):
        old, new = records_of(path), records_of(after / path.name)
        for place in sorted({*old, *new}, key=str):
            for left, right in zip_longest(old.get(place, []), new.get(place, [])):
                count += left is not None
                if left is None or right is None or facts_of(left) != facts_of(right):
                    differences.append(f"{path.stem}: {place}")
                    continue
                for (kind, was), (_, now) in zip(
                    sentences_of(left), sentences_of(right), strict=True
                ):
                    if was != now:
                        sentences[kind, _PARTS.sub("*", was), _PARTS.sub("*", now)] += 1
    print(*differences, sep="\n")
    print(f"{count} findings, {len(differences)} differ in more than words")
    for (kind, was, now), times in sentences.most_common():
        print(f"{times} {kind}: {was} => {now}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))

"""What a run costs after an edit of a file that many others import, beside a cold run."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from statistics import median

from processes import cost, namecheck

from namecheck.text.layout import read_layout

Edits = Iterator[str]
"""Texts of a file, each with one edit of the first one."""

LEFT_OUT = ("tests", "test", "__pycache__")
"""Folders that are no part of the measured project."""


def shared_row(source: Path, shared: str | None, count: int, search: Path, folder: Path) -> None:
    """The cost of runs after seeded edits of each kind of a file, `shared` or the most imported."""
    place = folder / "shared" / source.name
    shutil.copytree(source, place, ignore=shutil.ignore_patterns(*LEFT_OUT))
    file = place / shared if shared else _most_imported(place)
    text = file.read_text(encoding="utf-8")
    command = namecheck("-j1", "--exit-zero", "--no-drive", str(place))

    def run() -> float:
        return cost(command, folder, 1, search).seconds

    cold = run()
    run()
    warm = run()
    print(f"edits of {file.relative_to(place)}, {count} of each kind, CPU of the whole process")
    print(f"  {cold:6.2f} s  cold; nothing changed: {_share(warm, cold)}")
    for kind, edits in KINDS.items():
        spent = []
        for _, edited in zip(range(count), edits(Random(47), text), strict=False):
            file.write_text(edited, encoding="utf-8")
            spent.append(run())
            file.write_text(text, encoding="utf-8")
            run()
        if spent:
            budget = BUDGETS.get(kind, "no budget")
            shares = f"median {_share(median(spent), cold)}, worst {_share(max(spent), cold)}"
            print(f"  {shares} of cold  {kind} ({budget})")


def _share(part: float, whole: float) -> str:
    return f"{part / whole:6.1%}"


def _most_imported(folder: Path) -> Path:
    """The file whose name most other files have in a line with an import."""
    files = {file.stem: file for file in folder.rglob("*.py") if file.stem != "__init__"}
    counts: Counter[str] = Counter()
    for file in folder.rglob("*.py"):
        lines = re.findall(r"^\s*(?:from|import) .*", file.read_text(encoding="utf-8"), re.M)
        counts.update(set(re.findall(r"\w+", " ".join(lines))) & files.keys())
    return files[counts.most_common(1)[0][0]]


def comments(random: Random, text: str) -> Edits:
    """A comment of its own above a statement."""
    layout = read_layout(text)
    lines = text.splitlines(keepends=True)
    while True:
        start = random.choice(layout.starts) - 1
        margin = re.match(r"[ \t]*", lines[start])
        assert margin is not None
        remark = f"{margin[0]}# this is what remains to be done\n"
        yield "".join([*lines[:start], remark, *lines[start:]])


def docstrings(random: Random, text: str) -> Edits:
    """Another word in the first sentence of a docstring."""
    places = list(re.finditer(r'(?<=""")[A-Z][a-z]+(?= )', text))
    while places:
        place = random.choice(places)
        yield f"{text[: place.start()]}Gracefully{text[place.end() :]}"


def bodies(random: Random, text: str) -> Edits:
    """Another statement in the body of a function at the top level: a number that nothing reads."""
    lines = text.splitlines(keepends=True)
    places = _places(text, r"    (?:\w+ = |return\b|if |for |raise )")
    while places:
        place = random.choice(places)
        yield "".join([*lines[:place], "    _edited = 1\n", *lines[place:]])


def messages(random: Random, text: str) -> Edits:
    """Another word in the message of an error or a warning in a function at the top level."""
    lines = text.splitlines(keepends=True)
    layout = read_layout(text)
    ends = dict(zip(layout.starts, layout.ends, strict=True))
    words = []
    for first in _places(text, r" +(?:raise|assert|warnings\.warn)\b"):
        for place in range(first, ends[first + 1]):
            words += [
                (place, word) for word in re.finditer(r"(?<=[a-z] )[a-z]+(?= )", lines[place])
            ]
    quoted = [(place, word) for place, word in words if '"' in lines[place][: word.start()]]
    while quoted:
        place, word = random.choice(quoted)
        edited = f"{word.string[: word.start()]}gracefully{word.string[word.end() :]}"
        yield "".join([*lines[:place], edited, *lines[place + 1 :]])


def results(random: Random, text: str) -> Edits:
    """Another constant in what a function at the top level computes."""
    lines = text.splitlines(keepends=True)
    places = [
        (place, constant)
        for place in _places(text, r" +(?:\w+ = |return\b|if |for )")
        for constant in re.finditer(r"\b(?:\d+|True|False|None)\b", lines[place])
    ]
    while places:
        place, constant = random.choice(places)
        other = {"True": "False", "False": "True", "None": "3"}.get(constant[0], "None")
        edited = f"{lines[place][: constant.start()]}{other}{lines[place][constant.end() :]}"
        yield "".join([*lines[:place], edited, *lines[place + 1 :]])


def _places(text: str, pattern: str) -> list[int]:
    """The lines (from 0) on which such statements of functions at the top level begin."""
    layout = read_layout(text)
    lines = text.splitlines(keepends=True)
    begun, places = False, []
    for start, indent in zip(layout.starts, layout.indents, strict=True):
        if indent == 0:
            begun = lines[start - 1].startswith("def ")
        elif begun and re.match(pattern, lines[start - 1]):
            places.append(start - 1)
    return places


def names(random: Random, text: str) -> Edits:
    """Another name of a public function at the top level."""
    places = list(re.finditer(r"^def [a-z]\w*", text, re.MULTILINE))
    while places:
        place = random.choice(places)
        yield f"{text[: place.end()]}_2{text[place.end() :]}"


KINDS: Mapping[str, Callable[[Random, str], Edits]] = {
    "a comment": comments,
    "a word of a docstring": docstrings,
    "a number in the body of a function that nothing reads": bodies,
    "a word of a message": messages,
    "a constant in the body of a function": results,
    "the name of a public function": names,
}
BUDGETS = {
    "a comment": "budget 1% if nothing reads it",
    "a word of a docstring": "budget 1% if nothing reads it",
    "a number in the body of a function that nothing reads": "budget: median 5%, worst 30%",
    "a word of a message": "budget: median 5%, worst 30%",
    "a constant in the body of a function": "budget: median 5%, worst 30%",
}

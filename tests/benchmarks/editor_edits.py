"""The work of an editor's server from an edit to its findings, in process."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from itertools import chain, islice
from random import Random
from statistics import median
from time import process_time

from shared_edits import Edits, comments

from namecheck.lsp.desk import Desk
from namecheck.lsp.texts import Sheet
from namecheck.settings.config import Configuration
from namecheck.source import decode
from namecheck.text.layout import read_layout


def editor_row(path: str, source: bytes, edits: int) -> None:
    """Median and maximum of seeded edits of one file: half are comments, half change dims."""
    text = decode(source)
    real = os.path.realpath(path)
    desk = Desk((), Configuration(isolated=True))
    turns = iter(range(2 * edits + 2))

    def take(edited: str) -> None:
        sheet = Sheet(real, True, {None: edited}, {None: ""}, {None: next(turns)}, "")
        desk.take({real: sheet})

    take(text)
    desk.look(real)
    desk.reported()
    first, whole = [], []
    for edited in islice(_alternating(text), edits):
        start = process_time()
        take(edited)
        desk.look(real)
        desk.reported()
        first.append(process_time() - start)
        start = process_time()
        while desk.stale():
            desk.look(real)
            desk.reported()
        whole.append(first[-1] + process_time() - start)
        take(text)
        while desk.stale():
            desk.look(real)
    lines = f"{text.count(chr(10)):,} lines, {os.path.basename(path)}"
    print(f"  {_spread(first)}  until the first findings: {lines}")
    print(f"  {_spread(whole)}  until those of the whole file: {lines}")


def _spread(seconds: Sequence[float]) -> str:
    return f"{median(seconds) * 1e3:6.0f} ms, at most {max(seconds) * 1e3:6.0f}"


def _alternating(text: str) -> Edits:
    random = Random(47)
    pairs = zip(comments(random, text), _dims(random, text), strict=False)
    return chain.from_iterable(pairs)


def _dims(random: Random, text: str) -> Edits:
    """One more dim of a variable in the body of a method."""
    layout = read_layout(text)
    lines = text.splitlines(keepends=True)
    places = [
        (end, found)
        for start, end in zip(layout.starts, layout.ends, strict=True)
        if start == end and (found := _ASSIGNED.match(lines[start - 1])) is not None
    ]
    while places:
        place, found = random.choice(places)
        put = f"{found['margin']}{found['name']} = {found['name']}[None]\n"
        yield "".join([*lines[:place], put, *lines[place:]])


_ASSIGNED = re.compile(r"(?P<margin>[ ]{8,})(?P<name>[a-z_]\w*) = .*[)\]]\s*$")
"""A line that assigns the result of a call or a subscript to a variable of a method."""

"""Where the time of a run went, by kind of work, by file, and by function: `check --profile`.

The times are those of the processors, summed over all processes; the clock may show less, or more.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from namecheck.printing.counts import counted, plural
from namecheck.printing.escapes import visible
from namecheck.printing.output import print_lines
from namecheck.printing.terminal import columns_of_messages
from namecheck.times import BY_ITSELF, DRIVES, IMPORTS, KINDS, Part

__all__ = ["Profile", "table"]

ROWS: Final = 15
"""The most files, and the most functions, that are listed."""

_WIDTH: Final = 8
"""Characters of a column of seconds."""

_NARROWEST: Final = 20
"""The fewest characters that a path is cut to."""


class Profile:
    """The times of a run, as they come in."""

    def __init__(self) -> None:
        self.begun = time.monotonic()
        self.files: dict[str, dict[Part, float]] = {}
        """The seconds of the parts of the analysis of each file."""
        self.recalled = 0
        """How many files the cache had the results of."""
        self.recalling = 0.0
        """The seconds that it took to look for them."""

    def add(self, path: str, times: Mapping[Part, float]) -> None:
        """Add the times of the analysis of a file; a run with fixes has several."""
        spent = self.files.setdefault(path, {})
        for part, seconds in times.items():
            spent[part] = spent.get(part, 0.0) + seconds

    def show(self) -> None:
        """Print the times on standard error, whatever format is on standard output."""
        print_lines(table(self, columns_of_messages()), err=True)


def table(profile: Profile, columns: int | None) -> str:
    """The times as lines of text, with an empty line in front.

    Long paths are cut at their beginning if there are only so many columns.
    """
    by_kind = _summed((part.kind, s) for of in profile.files.values() for part, s in of.items())
    total = sum(by_kind.values())
    clock = time.monotonic() - profile.begun
    files = counted(len(profile.files), "file")
    lines = ["", f"Time: {total:.2f} s of CPU for {files}, {clock:.2f} s by the clock."]
    if profile.recalled:
        recalled = counted(profile.recalled, "file")
        lines.append(
            f"The cache had the results of {recalled} ({profile.recalling:.2f} s); -n does without."
        )
    if not profile.files:
        return "\n".join(lines) + "\n"
    lines.append("")
    for kind, meaning in KINDS.items():
        seconds = by_kind.get(kind, 0.0)
        share = round(100 * seconds / total) if total else 0
        lines.append(f"{_seconds(seconds)} s {share:>3} %  {kind:<8} {meaning}")
    per_file = {
        path: _summed((part.kind, seconds) for part, seconds in times.items())
        for path, times in profile.files.items()
    }
    lines += ["", *_rows(per_file, tuple(KINDS), "file", columns)]
    of_functions = [
        (part, seconds)
        for times in profile.files.values()
        for part, seconds in times.items()
        if part.name
    ]
    per_function: dict[str, dict[str, float]] = {}
    for part, seconds in of_functions:
        place = part.path if part.line == 0 else f"{part.path}:{part.line}"
        kinds = per_function.setdefault(f"{place} {part.name}", {})
        kinds[part.kind] = kinds.get(part.kind, 0.0) + seconds
    if per_function:
        shown = tuple(kind for kind in KINDS if kind in (IMPORTS, BY_ITSELF, DRIVES))
        lines += ["", *_rows(per_function, shown, "function", columns)]
    return "\n".join(lines) + "\n"


def _summed(times: Iterable[tuple[str, float]]) -> dict[str, float]:
    sums: dict[str, float] = {}
    for kind, seconds in times:
        sums[kind] = sums.get(kind, 0.0) + seconds
    return sums


def _rows(
    times: Mapping[str, Mapping[str, float]],
    kinds: tuple[str, ...],
    noun: str,
    columns: int | None,
) -> Iterator[str]:
    """The rows of the files or functions that took most, below a head."""
    yield "".join(f"{title:>{_WIDTH}}" for title in ("total", *kinds)) + f"  {noun}"
    room = None
    if columns is not None:
        room = max(columns - _WIDTH * (len(kinds) + 1) - 2, _NARROWEST)
    sums = {name: sum(of.values()) for name, of in times.items()}
    ranked = sorted(sums, key=lambda name: (-sums[name], name))
    for name in ranked[:ROWS]:
        seconds = [sums[name], *(times[name].get(kind, 0.0) for kind in kinds)]
        yield "".join(map(_seconds, seconds)) + f"  {_cut(visible(name), room)}"
    rest = ranked[ROWS:]
    if rest:
        seconds_of_rest = sum(sums[name] for name in rest)
        yield f"{_seconds(seconds_of_rest)}  {len(rest):,} other {plural(noun, len(rest))}"


def _seconds(seconds: float) -> str:
    return f"{seconds:{_WIDTH}.2f}" if seconds < 1000 else f"{seconds:{_WIDTH}.0f}"


def _cut(text: str, room: int | None) -> str:
    """The end of a text that is too long."""
    return text if room is None or len(text) <= room else f"…{text[1 - room :]}"

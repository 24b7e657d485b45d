"""Which codes are reported, and at which level: selectors (`NC2`, `NC202`, `misaligned-broadcast`,
`ALL`), and which of them decides.

A `Layer` holds the selectors of one source: the defaults, a file, the command line. Within a layer
the longest selector that covers a code decides, and at equal length `ignore` does; a later layer
takes precedence over an earlier one, and one with a `select` starts over. Each code is decided by
itself: the list of all codes is needed only to check settings.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from typing import Final

from namecheck.codes.troubles import TROUBLES, UNREAD
from namecheck.findings import Level
from namecheck_runtime.light.records import NamedTuple

__all__ = [
    "ALL",
    "DEFAULT",
    "EXITS",
    "LEVELS",
    "OFF",
    "SEVERITIES",
    "STRICT",
    "Layer",
    "canonical",
    "covers",
    "is_selected",
    "known_codes",
    "meant",
    "severity_of",
]

ALL: Final = "ALL"

STRICT: Final = frozenset({"NC108", "NC209"})
"""The codes of mistakes that break a stricter rule than the libraries' (`Mistake.is_strict`). A run
that finds all results in the cache needs them and does not import the mistakes, so they are listed
here; a test compares.

`strict` turns them on, or their own code or name, or `ALL`; a shorter selector does not: a user who
selects the family NC2 has not asked to forbid every `x + bias`.
"""

DEFAULT: Final = ("NC1", "NC2", "NC3", "NC4", "NC5", "NC6", "NC803", "NC9")
"""What is selected by default: the families, and of NC8 only the code that a call of `reveal_names`
asks for. Codes in `STRICT` are left out.
"""

OFF: Final = "off"
"""The severity of a code that is not reported."""

LEVELS: Final = tuple(level.value for level in Level)
"""The levels, the gravest first."""

SEVERITIES: Final = (*LEVELS, OFF)
"""The values of `severity` for a code."""

EXITS: Final = (*LEVELS, "never")
"""The values of `exit-on`."""


class Layer(NamedTuple):
    """The selectors of one source; without a `select` they add to the layers below.

    `severity` pairs selectors with levels, or with `OFF`.
    """

    select: tuple[str, ...] | None = None
    extend: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: tuple[tuple[str, str], ...] = ()


def is_selected(code: str, layers: Sequence[Layer]) -> bool:
    """Whether a code is on after all layers, the first one at the bottom."""
    if code in UNREAD:
        return True
    on = False
    off = False  # by its severity, which does not change whether it was selected
    for layer in layers:
        chosen = _strength(code, [*(layer.select or ()), *layer.extend], selecting=True)
        ignored = _strength(code, layer.ignore)
        if chosen < 0 and ignored < 0:
            on = on and layer.select is None
        else:
            on = chosen > ignored
        severity = _severity_in(layer, code)
        if severity is not None:
            off = severity == OFF
        elif chosen >= 0:
            off = False
    return on and not off


def severity_of(code: str, layers: Sequence[Layer]) -> str | None:
    """The level, or `OFF`, that the last layer with a severity for a code gives it.

    None if no layer has one: the finding keeps its own level.
    """
    for layer in reversed(layers):
        severity = _severity_in(layer, code)
        if severity is not None:
            return severity
    return None


def _severity_in(layer: Layer, code: str) -> str | None:
    """The severity of the longest selector that covers a code; for `UNREAD` only the full code."""
    covering = [
        (len(selector) * (selector != ALL), severity)
        for selector, severity in layer.severity
        if (selector == code if code in UNREAD else covers(selector, code))
    ]
    return max(covering)[1] if covering else None


def _strength(code: str, selectors: Collection[str], selecting: bool = False) -> int:
    """The length of the longest selector that covers a code, 0 for `ALL`, or -1."""
    lengths = (len(s) * (s != ALL) for s in selectors if covers(s, code, selecting))
    return max(lengths, default=-1)


def covers(selector: str, code: str, selecting: bool = False) -> bool:
    """Whether a selector covers a code; a prefix does not *select* one of `STRICT`."""
    if selector == ALL:
        return True
    if selecting and code in STRICT:
        return selector == code
    return code.startswith(selector)


@cache
def known_codes() -> dict[str, str]:
    """All codes with their names, in order."""
    # Needed only to check settings: most runs do not import the mistakes.
    from namecheck.codes.coverage import COVERAGE
    from namecheck_runtime.mistakes import CODES

    names = {code: mistake.name for code, mistake in CODES.items()}
    names |= {code: about.name for code, about in (COVERAGE | TROUBLES).items()}
    return dict(sorted(names.items()))


def canonical(selector: str) -> str | None:
    """A selector with a name replaced by its code; None if it is unknown."""
    codes = known_codes()
    if selector == ALL or selector in codes:
        return selector
    for code, name in codes.items():
        if selector == name:
            return code
    is_prefix = selector.startswith("NC") and any(code.startswith(selector) for code in codes)
    return selector if is_prefix else None


def meant(selector: str) -> str | None:
    """The selector that was probably meant, as it is written; None if there is none."""
    import difflib

    codes = known_codes()
    if selector.upper() == ALL:
        return ALL
    if selector[:2].casefold() == "nc":
        spelling, words = selector.upper().replace("O", "0"), list(codes)
    else:
        spelling, words = selector.casefold().replace("_", "-"), list(codes.values())
    if canonical(spelling) is not None:
        return spelling
    near = difflib.get_close_matches(spelling, words, n=1)
    return near[0] if near else None

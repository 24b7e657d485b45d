"""Which codes are reported, and at which level: selectors (`NC2`, `NC202`, `misaligned-broadcast`,
`ALL`), and which of them decides.

A `Layer` is what one source says: the defaults, a file, the command line. Within a layer the
longest selector that covers a code decides, and at equal length `ignore` does; a later layer goes
over an earlier one, and one with a `select` begins anew. All of it is decided code by code: the
list of all codes is needed only to check what somebody wrote.
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
that remembers its findings needs them, and loads no mistakes, so they stand here; a test compares.

`strict` turns them on, or their own code or name, or `ALL`; a shorter selector does not: a user who
chooses the family NC2 has not asked to forbid every `x + bias`.
"""

DEFAULT: Final = ("NC1", "NC2", "NC3", "NC4", "NC5", "NC6", "NC803", "NC9")
"""What is selected where nobody says anything: the families, and of the NC8 what was asked for by a
call of `reveal_names`. Of the codes in them, all but those in `STRICT`.
"""

OFF: Final = "off"
"""The severity of a code that is not reported."""

LEVELS: Final = tuple(level.value for level in Level)
"""The levels, the gravest first."""

SEVERITIES: Final = (*LEVELS, OFF)
"""What `severity` says of a code."""

EXITS: Final = (*LEVELS, "never")
"""What `exit-on` says."""


class Layer(NamedTuple):
    """What one source says of codes; without a `select` it goes on from what it is laid on.

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
    off = False  # by its severity: a layer that gives it another one leaves it as it was chosen
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
    """The level that the last of the layers which speaks of a code gives it, or `OFF`.

    None: the finding's own level counts.
    """
    for layer in reversed(layers):
        severity = _severity_in(layer, code)
        if severity is not None:
            return severity
    return None


def _severity_in(layer: Layer, code: str) -> str | None:
    """What the longest selector says that covers a code; of `UNREAD` only the whole code does."""
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
    """Whether a selector means a code; to *select* one of `STRICT` takes more than a prefix."""
    if selector == ALL:
        return True
    if selecting and code in STRICT:
        return selector == code
    return code.startswith(selector)


@cache
def known_codes() -> dict[str, str]:
    """Every code there is, with its name, in order."""
    # Needed only to check settings: most runs do without the mistakes.
    from namecheck.codes.coverage import COVERAGE
    from namecheck_runtime.mistakes import CODES

    names = {code: mistake.name for code, mistake in CODES.items()}
    names |= {code: about.name for code, about in (COVERAGE | TROUBLES).items()}
    return dict(sorted(names.items()))


def canonical(selector: str) -> str | None:
    """A selector as codes are compared with it: a name becomes its code. None: there is no such."""
    codes = known_codes()
    if selector == ALL or selector in codes:
        return selector
    for code, name in codes.items():
        if selector == name:
            return code
    is_prefix = selector.startswith("NC") and any(code.startswith(selector) for code in codes)
    return selector if is_prefix else None


def meant(selector: str) -> str | None:
    """The selector that was probably meant, as one writes it."""
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

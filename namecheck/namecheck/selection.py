"""Which codes are told: selectors (`NC2`, `NC202`, `misaligned-broadcast`, `ALL`) and who wins.

A `Layer` is what one source says: the defaults, a file, the command line. Within a layer the
longest selector that covers a code decides, and at equal length `ignore` does; a later layer goes
over an earlier one, and one with a `select` begins anew. All of it is decided code by code: the
list of all codes is needed only to check what somebody wrote.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from typing import Final

from namecheck.troubles import INTERNAL_ERROR, SYNTAX_ERROR
from namecheck_runtime.records import NamedTuple

__all__ = [
    "ALL",
    "DEFAULT",
    "NOTES",
    "STRICT",
    "Layer",
    "canonical",
    "covers",
    "is_selected",
    "known_codes",
    "meant",
]

ALL: Final = "ALL"

STRICT: Final = frozenset({"NC108", "NC209"})
"""Codes that speak of programs nothing is wrong with, by a stricter reading than the libraries'.

`strict` turns them on, or their own code or name, or `ALL`; a shorter selector does not: who
chooses the family NC2 has not asked to forbid every `x + bias`.
"""

NOTES: Final = "NC8"
"""What `notes` selects: where inference stopped."""

DEFAULT: Final = ("NC1", "NC2", "NC3", "NC4", "NC5", "NC6", "NC803", "NC9")
"""What is selected where nobody says anything."""

ALWAYS: Final = frozenset({SYNTAX_ERROR, INTERNAL_ERROR})
"""Told whatever is selected: a file that was not checked must not pass for a clean one."""


class Layer(NamedTuple):
    """What one source says of codes; without a `select` it goes on from what it is laid on."""

    select: tuple[str, ...] | None = None
    extend: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


def is_selected(code: str, layers: Sequence[Layer]) -> bool:
    """Whether a code is on after all layers, the first one at the bottom."""
    if code in ALWAYS:
        return True
    on = False
    for layer in layers:
        chosen = _strength(code, [*(layer.select or ()), *layer.extend], selecting=True)
        ignored = _strength(code, layer.ignore)
        if chosen < 0 and ignored < 0:
            on = on and layer.select is None
        else:
            on = chosen > ignored
    return on


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
    from namecheck.pages import pages  # brings the mistakes along: needed only to check settings

    return {page.code: page.name for page in pages()}


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

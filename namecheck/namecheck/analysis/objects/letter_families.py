"""Letters that stand for one kind of dim: rows and columns, numbered parts."""

from __future__ import annotations

from typing import Final

from namecheck_runtime.light.regexes import regex

__all__ = ["are_rows_and_columns", "belong_together", "has_turned"]

_NUMBERED: Final = regex(r"([A-Za-z_]+)(\d)$")
_SPELLED: Final = (("height", "width"), ("h", "w"), ("H", "W"), ("x", "y"), ("X", "Y"))
_AROUND: Final = regex(r"[A-Za-z]?\d?|[A-Za-z]+_|_[A-Za-z\d]+")
"""What may stand around `h` and `w`: `ph`, `h1`, `patch_h`, `h_out`."""


def are_rows_and_columns(first: str, second: str) -> bool:
    """Whether two letters are those of rows and columns, in this order."""
    for rows, columns in _SPELLED:
        place = first.find(rows)
        if place < 0 or second[place : place + len(columns)] != columns:
            continue
        before, behind = first[:place], first[place + len(rows) :]
        if second == before + columns + behind and not (before and behind):
            return _AROUND.fullmatch(before + behind) is not None
    return False


def belong_together(first: str, second: str) -> bool:
    """Whether two letters are of one family, in this order: `h w`, `p1 p2`."""
    if are_rows_and_columns(first, second):
        return True
    one, other = _NUMBERED.match(first), _NUMBERED.match(second)
    if one is None or other is None:
        return False
    return one[1] == other[1] and (one[2], other[2]) == ("1", "2")


def has_turned(text: str) -> bool:
    """Whether a text has two letters of one family side by side the other way round: `w h`."""
    return any(belong_together(second, first) for first, second in _SIDE_BY_SIDE.findall(text))


_SIDE_BY_SIDE: Final = regex(r"(?<!\w)(\w+) (?=(\w+))")

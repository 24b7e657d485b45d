"""Names that spell arithmetic: `batch_minus_one`, `two_x_keypoints`, `half_dim`, `hw` beside `h w`.

Such a name is a size that a program computes from others, so that it may be equal to what the
program makes of these. `batch_or_1` is one of two sizes, and either may be meant.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Final

__all__ = ["operands"]

_BETWEEN: Final = frozenset(("minus", "plus", "times", "mul", "div", "over", "by", "x", "or"))
"""Words between two operands."""
_BEFORE: Final = frozenset(
    ("half", "double", "twice", "triple", "two", "three", "four", "six", "eight", "sum", "prod")
)
"""Words before the only operand."""
_BEHIND: Final = frozenset(("squared", "doubled", "halved", "cubed", "minus1", "plus1"))
"""Words behind the only operand."""


def operands(name: str, names: Collection[str]) -> frozenset[str] | None:
    """Those of `names` that a name which spells arithmetic is made of; None for any other name.

    No name need be among them: `half_dim` may stand in a signature without `dim`.
    """
    words = name.lower().split("_")
    others = {other.lower(): other for other in names if other != name}
    if len(words) == 1:
        return _of_letters(words[0], others)
    is_arithmetic = (
        not _BETWEEN.isdisjoint(words[1:-1])
        or words[0] in _BEFORE
        or words[-1] in _BEHIND
        or all(word in others for word in words)
    )
    if not is_arithmetic:
        return None
    spans = (
        "_".join(words[start:stop])
        for start in range(len(words))
        for stop in range(start + 1, len(words) + 1)
    )
    return frozenset(others[span] for span in spans if span in others)


def _of_letters(word: str, others: dict[str, str]) -> frozenset[str] | None:
    """The operands of `hw` (h * w), `tm1` (t - 1) and `np1` (n + 1)."""
    if len(word) > 1 and all(letter in others for letter in word):
        return frozenset(others[letter] for letter in word)
    stem, sign, number = word[:-2], word[-2:-1], word[-1:]
    if stem in others and sign in ("m", "p") and number.isdigit():
        return frozenset((others[stem],))
    return None

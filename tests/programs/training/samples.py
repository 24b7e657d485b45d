"""What the programs of this folder learn from: handwritten digits and sentences about numbers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

import numpy as np

DIGITS: Final = Path(__file__).parent / "digits.npz"
"""The test set of the Optical Recognition of Handwritten Digits (E. Alpaydin, C. Kaynak, UCI
Machine Learning Repository, 1998, CC BY 4.0), as scikit-learn has it: 1797 images of 8 x 8 grey
values from 0 to 16.
"""

HELD_OUT: Final = 297
"""How many digits are kept to judge by: the last ones."""


def steps_wanted(usual: int = 200) -> int:
    """How many steps the command line asks for: `program.py --steps 20`."""
    arguments = sys.argv[1:]
    return int(arguments[arguments.index("--steps") + 1]) if "--steps" in arguments else usual


def digits() -> tuple[Any, Any, Any, Any]:
    """Images between 0 and 1 (count, 8, 8) and labels (count): to learn from, and to judge by."""
    with np.load(DIGITS) as kept:
        images, labels = kept["images"] / 16.0, kept["labels"].astype(np.int64)
    return images[:-HELD_OUT], labels[:-HELD_OUT], images[-HELD_OUT:], labels[-HELD_OUT:]


_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def spelled(number: int) -> str:
    """A number below 100 in words."""
    if number < 20:
        return _ONES[number]
    ten, one = divmod(number, 10)
    return _TENS[ten - 2] + (f"-{_ONES[one]}" if one else "")


def sentences(count: int) -> list[str]:
    """Sums in words, `"two plus nine is eleven."`, in an order without a pattern."""
    found = []
    for k in range(count):
        a, b = (37 * k + k * k // 3) % 50, (61 * k + 5 * (k // 7)) % 50
        found.append(f"{spelled(a)} plus {spelled(b)} is {spelled(a + b)}.")
    return found

"""A few numbers that stand for an array, and what PyTorch's arrays of `drive.py` were by them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

DATA: Final = Path(__file__).parents[1] / "data/programs_torch.jsonl"
"""A line for each driver that `compare.py --write` has run under PyTorch."""

TOLERANCE: Final = 1e-9
"""By how much sums may differ, of the largest element and the root of the number of elements."""

SMALL: Final = {"float32": 1e-2, "float64": 1e-5}
"""Gradients below this part of a program's largest one are compared on that scale: sums that cancel
out, as that of a bias in front of a batch norm, have no digits of their own. A tolerance of this
part is about the smallest difference of two numbers of the dtype, or some tens of it.
"""


def digest(array: Any) -> list[Any]:
    """The sizes of an array, its largest element, how many are not finite, two sums of the rest."""
    flat = array.reshape(-1)
    finite = np.isfinite(flat)
    flat = np.where(finite, flat, 0.0)
    places = np.arange(flat.size)
    sums = [(flat * np.cos(step * places + step)).sum() for step in (0.7, 1.9)]
    is_complex = array.dtype.kind == "c"
    numbers = [
        part for total in sums for part in ((total.real, total.imag) if is_complex else (total,))
    ]
    largest = float(np.max(np.abs(flat), initial=0.0))
    rounded = [float(f"{number:.12g}") for number in (largest, *map(float, numbers))]
    return [list(array.shape), int((~finite).sum()), *rounded]


def digests(arrays: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The digest of each array."""
    return {name: digest(array) for name, array in arrays.items()}


def differences(mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> list[str]:
    """The names of the arrays whose digests differ, of all that PyTorch had or that are here."""
    most = max((facts[2] for name, facts in theirs.items() if name[:4] == "grad"), default=0.0)
    found = [f"{name} is too much" for name in mine if name not in theirs]
    for name, (sizes, odd, *numbers) in theirs.items():
        if name not in mine:
            found.append(f"{name} is missing")
            continue
        least = SMALL["float64"] * most if name[:4] == "grad" else 0.0
        allowed = TOLERANCE * max(numbers[0], least) * math.sqrt(max(math.prod(sizes), 1))
        others = mine[name][2:]
        if [sizes, odd] != mine[name][:2] or len(others) != len(numbers):
            found.append(f"{name} has sizes {mine[name][0]} instead of {sizes}")
        elif any(abs(a - b) > allowed for a, b in zip(others, numbers, strict=True)):
            found.append(f"{name}: {others} instead of {numbers}")
    return found


def measured() -> dict[str, dict[str, Any]]:
    """The digests of each driver's arrays under PyTorch, in float64."""
    lines = DATA.read_text(encoding="utf-8").splitlines() if DATA.exists() else []
    return {facts["driver"]: facts["arrays"] for facts in map(json.loads, lines)}


def write(known: Mapping[str, Mapping[str, Any]]) -> None:
    """Write the digests of all drivers."""
    lines = [
        json.dumps({"driver": name, "arrays": known[name]}, separators=(",", ":"))
        for name in sorted(known)
    ]
    DATA.write_text("\n".join(lines) + "\n", encoding="utf-8")

"""Calls with measured values: making their operands and writing down their results.

Used by `data/read_torch_values.py`, which runs the calls on torch, and by
`runtime/test_torch_values.py`, which runs them on the runtime.  Calls are spelled as in
`shapes_torch.jsonl` (see `data/README.md`); the elements of the tensors follow from the call
alone, so the file has calls and results and no operands.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np

MOST = 24
"""The number of elements that are written down of a longer result."""

DIGITS = {"float16": 4, "float32": 6, "float64": 11, "complex64": 6, "complex128": 11}
"""Significant digits that are written down."""

EDGES = (0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 30.0, -100.0, 1e-3, math.inf, -math.inf, math.nan)
"""Values where elementwise functions change their behaviour."""


def elements(record: dict[str, Any], place: int) -> Any:
    """The array of a tensor of a call; `place` is the number of tensors before it.

    Without `v` (values) or `range` (evenly between two bounds) the elements are distinct as far as
    possible, and every dtype holds them exactly: floats are within [-2, 2), integers within
    [-10, 10] or below `hi`.
    """
    sizes, dtype = tuple(record["T"]), np.dtype(record.get("d", "float32"))
    count = math.prod(sizes)
    if "v" in record:
        return np.array(record["v"], dtype).reshape(sizes)
    steps = np.arange(count, dtype=np.int64) + 1
    fill = record.get("fill")
    if fill == "edges":
        return np.resize(np.array(EDGES), sizes).astype(dtype)
    if fill == "spd":
        return _positive_definite(sizes, dtype, place)
    if fill == "distinct":
        return (steps - 1).reshape(sizes).astype(dtype)
    if "range" in record:
        low, high = record["range"]
        return (low + (high - low) * (steps - 0.5) / count).reshape(sizes).astype(dtype)
    if "hi" in record:
        return (steps * 7 + 3 * place).__mod__(record["hi"]).reshape(sizes).astype(dtype)
    if dtype.kind == "b":
        return ((steps * 5 + place) % 7 % 2 == 0).reshape(sizes)
    if dtype.kind in "iu":
        numbers = (steps * 8 + 5 * place) % 21 - (10 if dtype.kind == "i" else 0)
        return numbers.reshape(sizes).astype(dtype)
    floats = _fractions(steps, place, dtype)
    if fill == "prob":
        floats = floats * 0.5 + 0.5
    else:
        floats = floats * 2
    if dtype.kind == "c":
        floats = floats + 1j * _fractions(steps, place + 1, dtype)
    return floats.reshape(sizes).astype(dtype)


@functools.cache
def _powers(prime: int, root: int) -> Any:
    """The powers of a primitive root: all numbers below a prime, in an order without a pattern."""
    powers = [1]
    while len(powers) < prime - 1:
        powers.append(powers[-1] * root % prime)
    return np.array(powers)


def _fractions(steps: Any, place: int, dtype: Any) -> Any:
    """Numbers within (-1, 1), fewer of them for half floats."""
    prime, root, scale = (2039, 7, 1024) if dtype == np.float16 else (65521, 17, 32768)
    return (_powers(prime, root)[(steps + 331 * place + 40) % (prime - 1)] + 0.5) / scale - 1


def _positive_definite(sizes: tuple[int, ...], dtype: Any, place: int) -> Any:
    """Symmetric matrices of distinct positive eigenvalues."""
    if len(sizes) < 2 or sizes[-1] != sizes[-2]:
        return elements({"T": list(sizes), "d": str(dtype)}, place)
    half = elements({"T": list(sizes), "d": "float64"}, place)
    more = np.diag(np.arange(sizes[-1]) + 1.0)
    return (half @ half.swapaxes(-1, -2) + more).round(3).astype(dtype)


class Decoder:
    """Makes the arguments of a call for one library.

    `tensor` makes a tensor from an array, and `dtype` a dtype of the library from its name.
    """

    def __init__(self, tensor: Callable[[Any], Any], dtype: Callable[[str], Any]) -> None:
        self.tensor = tensor
        self.dtype = dtype
        self.made: list[Any] = []
        """The tensors of the last call, in order."""

    def decode(self, value: Any) -> Any:
        """An argument of a call."""
        if isinstance(value, list):
            return [self.decode(entry) for entry in value]
        if not isinstance(value, dict):
            return value
        if "T" in value:
            self.made.append(self.tensor(elements(value, len(self.made))))
            return self.made[-1]
        if "E" in value:
            return Ellipsis
        if "S" in value:
            return slice(*value["S"])
        if "L" in value:
            return [self.decode(entry) for entry in value["L"]]
        if "F" in value:
            return float(value["F"])
        if "D" in value:
            return self.dtype(value["D"])
        if "C" in value:
            return complex(*value["C"])
        raise LookupError(value)

    def call(self, row: dict[str, Any], library: Any) -> Any:
        """The result of the call of a row, or the tensor itself for a call in place."""
        self.made = []
        arguments = [self.decode(argument) for argument in row["args"]]
        keywords = {name: self.decode(value) for name, value in row.get("kw", {}).items()}
        owner, _, name = row["op"].partition(".")
        if row["op"] == "Tensor.__getitem__":
            key = tuple(arguments[1])
            return arguments[0][key[0] if len(key) == 1 else key]
        if owner == "Tensor":
            member = getattr(arguments[0], name)
            if not callable(member):
                return member
            result = member(*arguments[1:], **keywords)
            return arguments[0] if name.endswith("_") else result
        function = library
        for part in name.split("."):
            function = getattr(function, part)
        return function(*arguments, **keywords)


def identity(row: dict[str, Any]) -> str:
    """The name of a row in lists of exceptions: its op and a digest of the call."""
    call = json.dumps([row[key] for key in ("op", "args", "kw") if key in row])
    return f"{row['op']}:{hashlib.sha256(call.encode()).hexdigest()[:8]}"


def sampled(array: Any) -> Any:
    """The elements that are written down, in row-major order."""
    flat = np.asarray(array).reshape(-1)
    if flat.size <= MOST:
        return flat
    # An odd step avoids staying in one column.
    return flat[:: flat.size // MOST | 1]


def written(array: Any) -> dict[str, Any]:
    """A result as written in the file: sizes, dtype unless it is float32, some elements."""
    record: dict[str, Any] = {"s": list(array.shape)}
    if array.dtype != np.float32:
        record["d"] = array.dtype.name
    some = sampled(array)
    if array.dtype.kind == "c":
        some = np.stack([some.real, some.imag], -1).reshape(-1)
    if array.dtype.kind in "fc":
        digits = DIGITS[array.dtype.name]
        record["v"] = [_short(float(x), digits) for x in some]
    else:
        record["v"] = [int(x) for x in some]
    return record


def _short(number: float, digits: int) -> float:
    if not math.isfinite(number):
        return number
    short = float(f"{number:.{digits}g}")
    return int(short) if short.is_integer() and abs(short) < 1e6 and short else short


def wanted(record: dict[str, Any]) -> Any:
    """The elements of a result that were written down, as an array."""
    dtype = np.dtype(record.get("d", "float32"))
    values = np.array(record["v"], np.float64 if dtype.kind in "fc" else None)
    if dtype.kind == "c":
        values = values.view(np.complex128)
    return values.astype(dtype)


def in_bfloat16(row: dict[str, Any]) -> dict[str, Any] | None:
    """A call on tensors of bfloat16 in place of float32; None if it has none of these.

    Also None if it has tensors of other dtypes of numbers with fractions, or names a dtype.
    """
    places: list[None] = []

    def changed(value: Any) -> Any:
        if isinstance(value, list):
            return [changed(entry) for entry in value]
        if not isinstance(value, dict):
            return value
        if "T" not in value:
            return {name: changed(entry) for name, entry in value.items()}
        if value.get("d", "float32").startswith(("float16", "float64", "complex")):
            raise LookupError(value)
        if value.get("d", "float32") != "float32":
            return value
        places.append(None)
        return {**value, "d": "bfloat16"}

    try:
        call: dict[str, Any] = changed(row)
    except LookupError:
        return None
    return call if places and '"D"' not in json.dumps(row) else None

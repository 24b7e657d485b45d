"""Every function and ufunc of NumPy on tensors: it does what NumPy does, or refuses in our words
before a byte is written.

Each is called with arguments of many kinds.  If NumPy accepts the call on arrays, the results and
the written operands are compared.
"""

from __future__ import annotations

import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import namecheck_runtime as nt

Arguments = dict[str, Any]
PACKAGE: Final = str(Path(nt.__file__).parent)


def arrays() -> Arguments:
    """Arrays of each kind by a letter: float matrices, places, masks, vectors."""
    return {
        "x": np.array([[4, 1, 2], [3, 6, 5]], np.float32),
        "y": np.array([[1, 2, 3], [6, 5, 4]], np.float32),
        "z": np.zeros((2, 3), np.float32),
        "i": np.array([[0, 1, 1], [1, 0, 1]]),
        "m": np.array([[True, False, True], [False, True, False]]),
        "v": np.array([3, 1, 2], np.float32),
        "w": np.array([1, 2, 3], np.float32),
        "k": np.array([0, 1, 1]),
        "c": np.array([True, False, True]),
        "s": np.array([[4, 1], [1, 3]], np.float32),
    }


CALLS: Final = tuple(
    f"({text},)"
    for text in [
        "x",
        "v",
        "s",
        "i",
        "m",
        "k",
        "x,y",
        "v,w",
        "s,s",
        "x,i",
        "i,x",
        "x,m",
        "m,x",
        "v,k",
        "k,v",
        "x,1",
        "1,x",
        "v,1",
        "i,1",
        "k,2",
        "x,9.0",
        "s,9.0",
        "x,0,1",
        "x,i,y",
        "x,i,y,1",
        "x,i,1",
        "x,k,y",
        "x,m,y",
        "x,m,v",
        "x,y,m",
        "z,x,m",
        "v,k,w",
        "v,c,w",
        "c,v,w",
        "m,x,y",
        "x,v",
        "v,x",
        "x,k",
        "[x,y]",
        "[v,w]",
        "[s,s]",
        "[i,i]",
        "v,w,v",
        "x,0",
        "x,1,0",
        "v,w,2",
        "k,v,3",
        "x,x,x",
        "k,(2,3)",
        "x,(3,2)",
        "[c],[v]",
    ]
)


def functions() -> dict[str, Callable[..., Any]]:
    """NumPy's functions that dispatch on their arguments, by path."""
    return {
        f"{function.__module__}.{function.__name__}": function
        for module in (np, np.linalg, np.fft)
        for function in vars(module).values()
        if type(function) is type(np.sum)
    }


UFUNCS: Final = {
    name: ufunc
    for name, ufunc in vars(np).items()
    if isinstance(ufunc, np.ufunc) and ufunc.nin < 3 and ufunc.signature is None and name != "isnat"
}


def ways(f: np.ufunc) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The ways in which a ufunc is called: options and methods."""
    yield "", f
    yield "(where=, out=)", lambda *a: f(*a[:-2], out=a[-2], where=a[-1])
    yield "(out=)", lambda *a: f(*a[:-1], out=a[-1])
    yield "(casting=)", lambda *a: f(*a, casting="no")
    yield ".at", f.at
    if f.nin == 2 and f.nout == 1:
        yield ".outer", f.outer
        yield ".reduce", f.reduce
        yield ".reduce(None)", lambda a: f.reduce(a, axis=None)
        yield ".reduce(keepdims=)", lambda a: f.reduce(a, 0, keepdims=True)
        yield ".reduce(initial=)", lambda a: f.reduce(a, initial=2)
        yield ".reduce(where=)", lambda a, b: f.reduce(a, where=b, initial=1)
        yield ".accumulate", f.accumulate
        yield ".reduceat", f.reduceat


def unchanged(left: Any, right: Any) -> bool:
    return all(np.array_equal(left[k], right[k], equal_nan=True) for k in left)


def agree(expected: Any, got: Any) -> bool:
    """Whether two results are equal, up to rounding; PyTorch's dtypes are narrower."""
    if isinstance(expected, tuple | list):
        pairs = zip(expected, got, strict=True)
        return isinstance(got, tuple | list) and all(agree(w, g) for w, g in pairs)
    if expected is None or isinstance(expected, np.dtype | str | bool | type):
        return bool(expected == got)
    left, right = np.asarray(expected), np.asarray(got)
    if left.dtype.kind not in "biufc":
        return bool((left == right).all())
    return left.shape == right.shape and np.allclose(
        left, right, rtol=1e-3, atol=1e-5, equal_nan=True
    )


def outcome(function: Callable[..., Any], call: str, named: bool) -> str | None:
    """The outcome of a call on tensors; None if NumPy refuses the call on arrays."""
    theirs = arrays()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            expected = function(*eval(call, {}, theirs))
        except Exception:
            return None
        memory, before = arrays(), arrays()
        tensors = {letter: nt.from_numpy(array) for letter, array in memory.items()}
        if named:
            for letter, tensor in tensors.items():
                if letter not in "sz":
                    tensor.names = ("N", "C")[-tensor.ndim :]
        versions = {letter: tensor._version for letter, tensor in tensors.items()}
        names = {letter: tensor.names for letter, tensor in tensors.items()}
        try:
            got = function(*eval(call, {}, tensors))
        except Exception as refusal:
            place = traceback.extract_tb(refusal.__traceback__)[-1].filename
            if not place.startswith(PACKAGE) or isinstance(
                refusal, AttributeError | AssertionError | RecursionError | KeyError
            ):
                return f"is refused by {place}: {type(refusal).__name__}: {refusal}"
            if not unchanged(memory, before):
                return f"writes, and then: {refusal}"
            if any(tensors[k]._version != versions[k] for k in versions):
                return f"counts a write that was refused: {refusal}"
            if any(tensors[k].names != names[k] for k in names):
                return f"renames what it refuses to write: {refusal}"
            return "refused"
    if function is np.empty_like:
        return "works"
    if not all(agree(theirs[letter], memory[letter]) for letter in memory):
        return "writes something else than NumPy"
    for letter, version in versions.items():
        wrote = not np.array_equal(memory[letter], before[letter], equal_nan=True)
        if wrote and tensors[letter]._version == version:
            return f"does not count the write to {letter}"
    return "works" if agree(expected, got) else f"gives {got!r}, NumPy {expected!r}"


OTHERWISE: Final = {
    # These are PyTorch's functions under NumPy's name.
    "numpy.linalg.lstsq",
    "reciprocal",
    "reciprocal(out=)",
    # float32 here, float64 there, and the written number is the next one of that dtype.
    "nextafter(out=)",
    "arctan2(out=)",
    "logaddexp2(out=)",
    # NumPy converts a list of arrays to an array before it dispatches.
    "numpy.busday_offset",
}


def check(name: str, function: Callable[..., Any], calls: tuple[str, ...]) -> Counter[str]:
    counts: Counter[str] = Counter()
    wrong = []
    for call in calls:
        for named in (False, True):
            result = outcome(function, call, named)
            counts[result if result in ("works", "refused", None) else "wrong"] += 1  # type: ignore[index]
            if result not in ("works", "refused", None):
                wrong.append(f"{name}{call}{' named' if named else ''} {result}")
    assert not wrong or name in OTHERWISE, "\n".join(wrong)
    return counts


@pytest.mark.parametrize("name", sorted(functions()))
def test_a_function_works_or_refuses(name: str) -> None:
    check(name, functions()[name], CALLS)


UFUNC_CALLS: Final = tuple(
    f"({text},)"
    for text in [
        "x,y",
        "x,i",
        "i,i",
        "x,m",
        "m,m",
        "v,k",
        "k,k",
        "x",
        "i",
        "m",
        "v",
        "x,z,m",
        "i,z,m",
        "m,z,m",
        "x,z",
        "i,z",
        "m,z",
        "x,y,z,m",
        "i,y,z,m",
        "x,i,z,m",
        "x,y,z",
        "i,i,z",
        "x,k",
        "i,k",
        "x,k,x[:1]",
        "i,k,i[:1]",
        "m,k,m[:1]",
    ]
)


@pytest.mark.parametrize("name", sorted(UFUNCS))
def test_a_ufunc_works_or_refuses(name: str) -> None:
    counts: Counter[str] = Counter()
    for way, function in ways(UFUNCS[name]):
        counts += check(name + way, function, UFUNC_CALLS)
    assert counts["works"] + counts["refused"] > 10


def test_most_functions_work() -> None:
    """A protocol that refused everything would pass the other tests."""
    every = functions()
    counts = {name: check(name, function, CALLS[:12]) for name, function in every.items()}
    assert sum(count["works"] > 0 for count in counts.values()) > 150
    for name in ("copyto", "put", "place", "putmask", "fill_diagonal", "put_along_axis"):
        assert check(f"numpy.{name}", every[f"numpy.{name}"], CALLS)["works"], name

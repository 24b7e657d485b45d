"""Values of ops that NumPy has, too: NumPy computes the same call.

The comparison is with NumPy's function of the same name or declaration; ops that only NumPy has are
called as NumPy's function on a tensor.  Calls are the measured ones, changed ones and calls drawn
from the annotations (`laws/calls`), on arrays of every dtype, of any size down to none, in
row-major order or not.  Deliberate differences are listed as data.
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest

import namecheck_runtime as nt
from listed import read_listed
from namecheck_runtime.binding import name_arguments
from namecheck_runtime.declare import OPS, REGISTRY, Memory, Op, bind
from namecheck_runtime.tensors.calls.operands import for_rules
from namecheck_runtime.tensors.dispatch import function_of
from namecheck_runtime.tensors.kernels import kernel_of
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.views import view_ops
from oracle import in_order, oracle

sys.path.insert(0, str(Path(__file__).parents[1] / "laws"))

from calls import Call, changed, drawn, is_sequence, is_tensor, like, measured

OTHERWISE = read_listed(Path(__file__).parents[1] / "data" / "numpy_values_otherwise.txt")
"""Ops whose values deliberately differ from NumPy's, or that cannot be called in NumPy."""

DTYPES = (
    *("bool", "uint8", "int8", "int16", "int32", "int64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
)
EXAMPLES = 8
"""The number of drawn calls of each op."""
SEARCH = 300
"""The number of further calls, to find one that both answer."""


class Pair(NamedTuple):
    """Our spelling of an op, and NumPy's."""

    ours: str
    theirs: str


def paired(op: Op) -> Pair | None:
    """The spellings of an op on both sides; None if NumPy or the runtime does not have it."""
    if kernel_of(op) is None and op.memory is not Memory.VIEW and op.name not in view_ops.VIEWS:
        return None
    torchs = [
        path for path in op.spellings if path.startswith("torch.") and not _is_no_function(path)
    ]
    numpys = [path for path in op.spellings if path.startswith("numpy.")]
    if not torchs:
        return next((Pair(path, path) for path in numpys if oracle(path) is not None), None)
    numpys += [f"numpy.{path.removeprefix('torch.')}" for path in torchs]
    in_numpy = (path for path in numpys if path in REGISTRY and oracle(path) is not None)
    return next((Pair(torchs[0], path) for path in in_numpy), None)


def _is_no_function(path: str) -> bool:
    """Whether a spelling is not a function."""
    return REGISTRY[path].attribute or REGISTRY[path].inplace


PAIRS = {name: pair for name, op in OPS.items() if (pair := paired(op)) is not None}


def draw(name: str, random: Random) -> Call:
    """A call of an op in our spelling: a measured one, unchanged or changed, or a drawn one."""
    ours = REGISTRY[PAIRS[name].ours]
    measured_calls = [call for call in measured().get(name, ()) if call.path in like(ours)]
    if measured_calls and random.random() < 0.7:
        call = random.choice(measured_calls)
        if random.random() < 0.5:
            call = changed(call, random)
    else:
        call = drawn(ours, random)
    return call._replace(
        path=ours.path, keywords={k: v for k, v in call.keywords.items() if k != "out"}
    )


class Filling:
    """Makes the arrays of a call."""

    def __init__(self, random: Random, dtype: str) -> None:
        self._random = random
        self._numbers = np.random.default_rng(random.getrandbits(32))
        self._dtype = dtype
        self._rest = random.choice((dtype, dtype, dtype, "int64", "bool", random.choice(DTYPES)))
        """The dtype of all arrays but the first: the same, indices, flags or any."""
        self._least: int | None = None
        """The smallest size of the first array; indices are less than it."""

    def arrays(self, value: Any) -> Any:
        """An argument with arrays in place of shapes; `()` is a shape, too."""
        if is_tensor(value):
            return self._array(tuple(dim.size for dim in value))
        return type(value)(map(self.arrays, value)) if is_sequence(value) else value

    def _array(self, sizes: tuple[int, ...]) -> Any:
        dtype = np.dtype(self._dtype if self._least is None else self._rest)
        count = int(np.prod(sizes))
        if dtype.kind == "b":
            flat: Any = self._numbers.random(count) < 0.6
        elif dtype.kind in "iu":
            low, high = (1 if dtype.kind == "u" else -4), 5
            if self._least is not None and dtype == np.int64:
                low, high = 0, max(self._least, 1)
            flat = self._numbers.integers(low, high, count)
        else:
            flat = self._numbers.choice([-2.0, -1.5, -0.5, 0.25, 0.5, 1.0, 1.75, 3.0], count)
            if dtype.kind == "c":
                flat = flat + 1j * self._numbers.permutation(flat)
        if self._least is None:
            self._least = min(sizes, default=1)
        array = flat.reshape(sizes).astype(dtype)
        if (
            len(sizes) > 1
            and sizes[-1] == sizes[-2]
            and dtype.kind in "fc"
            and self._numbers.random() < 0.7
        ):
            # Every decomposition accepts these: they are most of the square matrices.
            array = (array @ array.swapaxes(-1, -2).conj() / 4 + 3 * np.eye(sizes[-1])).astype(
                dtype
            )
        return self._turned(array) if self._numbers.random() < 0.4 else array

    def _turned(self, array: Any) -> Any:
        """An equal array that is not in row-major order."""
        room = np.zeros((*array.shape[::-1], 2), array.dtype)[..., 0].T
        room[...] = array
        return room


def tensors(value: Any) -> Any:
    """An argument with tensors over copies in place of arrays, in the same order of memory."""
    if isinstance(value, np.ndarray):
        return nt.from_numpy(value.copy(order="K"))
    return type(value)(map(tensors, value)) if is_sequence(value) else value


def theirs(pair: Pair, call: Call) -> Any:
    """NumPy's result of a call in our spelling: with NumPy's keywords, or else by position."""
    function = oracle(pair.theirs)
    assert function is not None
    if pair.ours == pair.theirs:
        return function(*call.arguments, **call.keywords)
    spelling = REGISTRY[pair.ours]
    arguments = [for_rules(argument) for argument in call.arguments]
    bound = bind(spelling, arguments, {k: for_rules(v) for k, v in call.keywords.items()})
    assert bound is not None
    values, _ = name_arguments(bound.rule, call.arguments, call.keywords, spelling.order)
    named = {
        p.name: values[p.name]
        for p in bound.rule.parameters
        if values[p.name] is not p.default or p.kind == "variadic"
    }
    first = [p.name for p in bound.rule.parameters if p.kind != "keyword"]
    unbroken = next((k for k, name in enumerate(first) if name not in named), len(first))
    leading = next((k for k in range(unbroken) if not _has_arrays(named[first[k]])), unbroken) or 1
    several = {p.name for p in bound.rule.parameters if p.kind == "variadic"}
    for count in (leading, unbroken):
        by_place: list[Any] = []
        for name in first[:count]:
            apart = name in several and _has_arrays(named[name])
            by_place += named[name] if apart else [named[name]]
        if any(
            name == "axis" and isinstance(value, np.ndarray)
            for name, value in zip(in_order(pair.theirs), by_place, strict=False)
        ):
            raise ValueError("a second array would be taken for a dim")
        by_word = {name: value for name, value in named.items() if name not in first[:count]}
        try:
            return function(*by_place, **by_word)
        except (TypeError, ValueError) as error:
            refusal = error
    raise refusal


def _has_arrays(value: Any) -> bool:
    return any(True for _ in _arrays_in(value))


def converted(op: Op, call: Call, result: Any) -> Call:
    """The call with arrays in the dtype in which the runtime computes: their common dtype."""
    arrays = list(_arrays_in(call.arguments))
    dtype = result.dtype if isinstance(result, nt.Tensor) else None
    kernel = kernel_of(op)
    if dtype is None or not arrays or (len(arrays) > 1 and (kernel is None or not kernel.converts)):
        return call
    to = (
        nt.result_type(*map(nt.from_numpy, arrays))
        if len(arrays) > 1
        else nt.from_numpy(arrays[0]).dtype
    )
    if dtype.kind in ("float", "complex") and to.kind in ("bool", "int"):
        to = dtypes.get_default_dtype()
    return call._replace(arguments=tuple(_each_as(to.numpy, a) for a in call.arguments))


def _arrays_in(value: Any) -> Iterator[Any]:
    if isinstance(value, np.ndarray):
        yield value
    elif is_sequence(value):
        for entry in value:
            yield from _arrays_in(entry)


def _each_as(dtype: Any, value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.astype(dtype)
    return type(value)(_each_as(dtype, entry) for entry in value) if is_sequence(value) else value


ROUNDING = {2: 2e-2, 4: 1e-4, 8: 1e-9}
"""The allowed error of values, by the bytes of a float."""


def same(ours: Any, reference: Any, coarse: float) -> bool:
    """Whether a result of ours is NumPy's, rounded to what the dtypes hold.

    For values with indices NumPy gives the values alone, for one result it gives no tuple, and the
    result along a single element has a dim.
    """
    if isinstance(ours, tuple | list):
        is_one = isinstance(reference, np.ndarray | np.generic) and len(ours) in (1, 2)
        if is_one and (len(ours) == 1 or ours[1].dtype is dtypes.int64):
            return same(ours[0], reference, coarse)
        several = isinstance(reference, tuple | list) and len(reference) == len(ours)
        return several and all(same(m, w, coarse) for m, w in zip(ours, reference, strict=True))
    if not isinstance(ours, nt.Tensor):
        return isinstance(ours, np.ndarray | float) or bool(np.all(ours == reference))
    array, expected = ours.numpy(), np.asarray(reference)
    if array.shape != expected.shape and {array.shape, expected.shape} != {(), (1,)}:
        return False
    expected = expected.reshape(array.shape)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if array.dtype.kind in "fc" or expected.dtype.kind in "fc":
            expected = expected.astype(array.dtype) if array.dtype.kind in "fc" else expected
            return bool(np.allclose(array, expected, coarse, coarse, equal_nan=True))
        return bool(np.array_equal(array, expected.astype(array.dtype)))


def roundings(values: Any) -> float:
    """The coarsest rounding of the arrays among some values."""
    if isinstance(values, nt.Tensor):
        values = values.numpy()
    if isinstance(values, np.ndarray | np.generic):
        kind = values.dtype.kind
        return (
            ROUNDING.get(values.dtype.itemsize // (2 if kind == "c" else 1), 0.0)
            if kind in "fc"
            else 0.0
        )
    return max(map(roundings, values), default=0.0) if is_sequence(values) else 0.0


def compare(name: str, call: Call) -> tuple[str, str]:
    """The verdict on a call of arrays, and a report."""
    pair, op = PAIRS[name], OPS[name]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            keywords = {key: tensors(value) for key, value in call.keywords.items()}
            function: Any = (
                oracle(pair.ours) if pair.ours == pair.theirs else function_of(pair.ours)
            )
            ours = function(*map(tensors, call.arguments), **keywords)
        except Exception as error:
            return "we refuse", f"{type(error).__name__}: {error}"
        try:
            asked = call if pair.ours == pair.theirs else converted(op, call, ours)
            expected = theirs(pair, asked)
        except Exception as error:
            return "NumPy refuses", f"{type(error).__name__}: {error}"
        coarse = max(roundings(call.arguments), roundings(ours), roundings(expected), 1e-9)
        if same(ours, expected, coarse):
            tensor = isinstance(ours, nt.Tensor) or (is_sequence(ours) and bool(ours))
            return ("agreed" if tensor or pair.ours != pair.theirs else "no tensor"), ""
        return "differs", f"ours   {ours!r}\nNumPy  {expected!r}"


def attempt(name: str, random: Random, dtype: str) -> tuple[str, str]:
    call = draw(name, random)
    if any(isinstance(value, int | float) for value in call.arguments[:1]) and _takes_tensor(name):
        return "we refuse", "a number in place of the first tensor"
    filling = Filling(random, dtype)
    filled = call._replace(
        arguments=tuple(map(filling.arrays, call.arguments)),
        keywords={key: filling.arrays(value) for key, value in call.keywords.items()},
    )
    if name.startswith("torch.fft.") and any(a.size == 0 for a in _arrays_in(filled.arguments)):
        return "NumPy refuses", "its transforms of no elements are memory that nothing has set"
    if isinstance(filled.keywords.get("shape"), np.ndarray):
        return "we refuse", "an array in place of sizes"
    verdict, report = compare(name, filled)
    return verdict, f"{PAIRS[name].theirs}: {filled}\n{report}"


def _takes_tensor(name: str) -> bool:
    """Whether the first argument of an op of torch has to be a tensor, not a number."""
    first = OPS[name].rules[0].parameters[:1]
    return PAIRS[name].ours.startswith("torch.") and any("Operand" in p.takes for p in first)


def hold(name: str, examples: int) -> None:
    """Compare an op with NumPy's on `examples` calls, and on more until both have answered one."""
    counts: Counter[str] = Counter()
    refusals: Counter[str] = Counter()
    # Not drawn by Hypothesis: its numbers depend on the modules that other tests have imported.
    for number in range(examples):
        random = Random(f"{name} {number}")
        verdict, report = attempt(name, random, random.choice(DTYPES))
        counts[verdict] += 1
        if "refuse" in verdict:
            refusals[report[-300:]] += 1
        assert verdict != "differs" or name in OTHERWISE, report
    random = Random(name)
    for _ in range(SEARCH):
        if counts["differs"] if name in OTHERWISE else counts["agreed"]:
            break
        counts[attempt(name, random, random.choice(DTYPES))[0]] += 1
    if OTHERWISE.get(name, "").startswith("not the same each time"):
        return
    if name in OTHERWISE:
        assert counts["differs"] or not counts["agreed"], f"is listed, and agrees: {counts}"
    else:
        agreed = counts["agreed"] + counts["no tensor"]
        assert agreed, f"both answered no call: {counts}\n{refusals.most_common(3)}"


@pytest.mark.parametrize("name", sorted(PAIRS))
def test_values_are_numpys(name: str) -> None:
    hold(name, EXAMPLES)


@pytest.mark.deep
@pytest.mark.parametrize("name", sorted(PAIRS))
def test_values_are_numpys_on_many_calls(name: str) -> None:
    hold(name, 15 * EXAMPLES)


def test_enough_is_compared() -> None:
    torchs = [pair for pair in PAIRS.values() if pair.ours != pair.theirs]
    assert len(torchs) > 200
    assert len(PAIRS) - len(torchs) > 150
    assert not OTHERWISE.keys() - PAIRS.keys()
    assert len(OTHERWISE) < len(PAIRS) / 4


def test_negative_powers_of_whole_numbers() -> None:
    """Measured on torch 2.13."""
    powers = nt.pow(nt.tensor([1, 2, -1, -1, 0]), nt.tensor([-1, -1, -1, -2, -1]))
    assert powers.tolist() == [1, 0, -1, 1, 0]
    assert nt.pow(2, nt.tensor([-1, 2])).tolist() == [0, 4]
    with pytest.raises(RuntimeError, match="negative integer powers"):
        nt.pow(nt.tensor([2]), -1)


@pytest.mark.parametrize(
    ("equation", "plain", "shapes"),
    [
        ("bij,bjk->bik", "bij,bjk->bik", [(4, 16, 80), (4, 80, 3)]),
        ("ij,jk,kl->il", "ij,jk,kl->il", [(70, 70), (70, 70), (70, 70)]),
        ("ii,ij->j", "ii,ij->j", [(80, 80), (80, 5)]),
        ("...ij,jk", "aij,jk->aik", [(3, 40, 40), (40, 5)]),
        ("...ij,jk->ik", "aij,jk->ik", [(3, 40, 40), (40, 5)]),
    ],
)
def test_einsum_of_large_operands(equation: str, plain: str, shapes: list[tuple[int, ...]]) -> None:
    """They go through products of matrices, pair by pair; small ones are summed at once."""
    arrays = [np.random.default_rng(k).standard_normal(shape) for k, shape in enumerate(shapes)]
    result = nt.einsum(equation, *map(nt.tensor, arrays))
    np.testing.assert_allclose(result.numpy(), np.einsum(plain, *arrays), rtol=1e-9, atol=1e-9)
    assert result.is_contiguous()

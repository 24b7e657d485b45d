"""Values of ops that NumPy has under the same declaration: NumPy computes them too.

The op and NumPy's function of the same registry entry get the same arrays, of every dtype, empty
and 0-d ones included.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import namecheck_runtime as nt
from namecheck_runtime import dtypes
from namecheck_runtime.declare import OPS, Op
from namecheck_runtime.dispatch import function_of
from namecheck_runtime.kernels import kernel_of

DTYPES = ("bool", "uint8", "int8", "int32", "int64", "float16", "float32", "float64", "complex64")


def numpys(op: Op) -> Any:
    """NumPy's ufunc of an op; None if NumPy has none."""
    for path in op.spellings:
        name = path.removeprefix("numpy.")
        function = getattr(np, name, None) if path.startswith("numpy.") else None
        if isinstance(function, np.ufunc):
            return function
    return None


UFUNCS = {
    name: found
    for name, op in OPS.items()
    if name.startswith("torch.") and (found := numpys(op)) is not None and kernel_of(op) is not None
}
UNARY = sorted(name for name, found in UFUNCS.items() if found.nin == 1 and found.nout == 1)
BINARY = sorted(name for name, found in UFUNCS.items() if found.nin == 2 and not found.signature)


@st.composite
def arrays(draw: st.DrawFn, shape: Any = None, dtype: str | None = None) -> Any:
    """Small arrays of every dtype; of floats small numbers, so that no rounding is at issue."""
    kind = np.dtype(dtype or draw(st.sampled_from(DTYPES)))
    sizes = draw(npst.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3))
    if kind.kind == "b":
        elements: Any = st.booleans()
    elif kind.kind in "iu":
        elements = st.integers(1 if kind.kind == "u" else -4, 4)
    else:
        elements = st.sampled_from([-2.0, -1.5, -0.5, 0.25, 0.5, 1.0, 1.75, 3.0])
    return draw(npst.arrays(kind, sizes if shape is None else shape, elements=elements))


compared: Counter[str] = Counter()
"""How often the values of an op were."""


def same(name: str, made: Any, wanted: Any) -> None:
    """Hold a tensor against what NumPy computed, in the tensor's dtype."""
    compared[name] += 1
    array = made.numpy()
    assert array.shape == np.shape(wanted)
    half = array.dtype in (np.float16,)
    with np.errstate(all="ignore"):
        expected = np.asarray(wanted).astype(array.dtype)
    np.testing.assert_allclose(
        array, expected, rtol=1e-2 if half else 1e-5, atol=1e-2 if half else 1e-6, equal_nan=True
    )


def refused(call: Any) -> Any:
    """What a call gives; None where the dtype is refused."""
    try:
        return call()
    except (RuntimeError, TypeError, NotImplementedError):
        return None


PROFILE = settings(
    max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)


@pytest.mark.parametrize("name", UNARY)
def test_unary(name: str) -> None:
    @PROFILE
    @given(arrays())
    def check(array: Any) -> None:
        made = refused(lambda: function_of(name)(nt.from_numpy(array.copy())))
        if made is None:
            return
        floats = made.dtype.kind in ("float", "complex") and array.dtype.kind in "biu"
        operand = array.astype(dtypes.get_default_dtype().numpy) if floats else array
        with np.errstate(all="ignore"):
            try:
                wanted = UFUNCS[name](operand)
            except TypeError:
                return
        same(name, made, wanted)

    check()
    assert compared[name] > 5


@pytest.mark.parametrize("name", BINARY)
def test_binary(name: str) -> None:
    @PROFILE
    @given(st.data())
    def check(data: st.DataObject) -> None:
        shapes = data.draw(
            npst.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, min_side=0, max_side=3)
        )
        # Some ops take whole numbers alone: often both are.
        dtype = data.draw(st.none() | st.sampled_from(("uint8", "int32", "int64")))
        left, right = (data.draw(arrays(shape, dtype)) for shape in shapes.input_shapes)
        a, b = nt.from_numpy(left.copy()), nt.from_numpy(right.copy())
        made = refused(lambda: function_of(name)(a, b))
        if made is None:
            return
        if name == "torch.pow" and right.dtype.kind == "i" and (right < 0).any():
            return  # NumPy refuses it of whole numbers: see below
        if not np.iscomplexobj(left) and np.iscomplexobj(right) and left.ndim and not right.ndim:
            return
        to = nt.result_type(a, b).numpy
        if made.dtype.kind == "float" and to.kind in "biu":
            to = dtypes.get_default_dtype().numpy
        with np.errstate(all="ignore"):
            try:
                whole = name == "torch.ldexp"  # NumPy's wants a whole exponent
                wanted = UFUNCS[name](left.astype(to), right if whole else right.astype(to))
            except (TypeError, ValueError):
                return
        same(name, made, wanted)

    check()
    assert compared[name] > 5


def test_negative_powers_of_whole_numbers() -> None:
    """Measured on torch 2.13."""
    made = nt.pow(nt.tensor([1, 2, -1, -1, 0]), nt.tensor([-1, -1, -1, -2, -1]))
    assert made.tolist() == [1, 0, -1, 1, 0]
    assert nt.pow(2, nt.tensor([-1, 2])).tolist() == [0, 4]
    with pytest.raises(RuntimeError, match="negative integer powers"):
        nt.pow(nt.tensor([2]), -1)


REDUCTIONS = ("sum", "prod", "mean", "amax", "amin", "all", "any", "argmax", "argmin", "cumsum")


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name: str) -> None:
    @PROFILE
    @given(arrays(), st.data())
    def check(array: Any, data: st.DataObject) -> None:
        dims = st.integers(0, max(array.ndim - 1, 0))
        dim = data.draw(dims if name == "cumsum" else st.none() | dims)
        x = nt.from_numpy(array.copy())
        keywords = {} if dim is None else {"dim": dim}
        made = refused(lambda: getattr(nt, name)(x, **keywords))
        if made is None or (dim is not None and not array.ndim):
            return
        operand = array.astype(np.int64) if array.dtype.kind in "biu" and name in _WHOLE else array
        with np.errstate(all="ignore"):
            try:
                wanted = getattr(np, name)(operand, axis=dim)
            except (TypeError, ValueError):
                return
        same(name, made, wanted)

    check()
    assert compared[name] > 5


_WHOLE = ("sum", "prod", "cumsum")


def test_enough_is_compared() -> None:
    assert len(UNARY) > 25
    assert len(BINARY) > 20

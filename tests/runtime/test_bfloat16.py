"""Calls in bfloat16 give the results and gradients of torch 2.15 (`data/bfloat16_torch.jsonl`)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import namecheck_runtime as nt
from listed import read_listed
from namecheck_runtime import rules  # noqa: F401  (fills the registry)
from namecheck_runtime.declare import OPS, REGISTRY
from value_calls import Decoder, sampled

ml_dtypes = pytest.importorskip("ml_dtypes")

DATA = Path(__file__).parents[1] / "data"
ROWS = [
    json.loads(line)
    for line in (DATA / "bfloat16_torch.jsonl").read_text(encoding="utf-8").splitlines()
]
OTHERWISE = read_listed(DATA / "bfloat16_otherwise.txt")
"""Calls whose result differs (`op:digest`), or whose gradient does (`op:digest:g`)."""


def ulps(expected: Any, elements: Any, smallest: float = 0) -> float:
    """The largest difference of two vectors in units of the last place of bfloat16.

    Infinite where one is not finite and the other is not the same.  Elements below `smallest` of
    the largest one count as that: sums that cancel have the error of what was added.
    """
    expected, elements = (np.asarray(part, np.float64) for part in (expected, elements))
    finite = np.isfinite(expected) & np.isfinite(elements)
    if not np.array_equal(expected[~finite], elements[~finite], equal_nan=True):
        return np.inf
    expected, elements = expected[finite], elements[finite]
    floor = smallest * np.abs(expected).max(initial=0)
    _, exponents = np.frexp(np.maximum(np.maximum(np.abs(expected), np.abs(elements)), floor))
    spacing = np.ldexp(1.0, np.maximum(exponents, -125) - 8)
    return float(np.max(np.abs(expected - elements) / spacing, initial=0))


def differs(expected: Any, result: Any, allowed: float = 1, smallest: float = 0) -> str:
    """The difference of a result from the recorded one; empty if there is none."""
    if "seq" in expected:
        if not isinstance(result, tuple | list) or len(result) != len(expected["seq"]):
            return f"{len(expected['seq'])} results, not {result!r}"
        reports = (
            differs(e, r, allowed, smallest) for e, r in zip(expected["seq"], result, strict=True)
        )
        return next((report for report in reports if report), "")
    if "p" in expected:
        values = list(result) if isinstance(result, tuple) else result
        return "" if values == expected["p"] else f"{expected['p']!r}, not {values!r}"
    if not isinstance(result, nt.Tensor):
        return f"a tensor, not {result!r}"
    if (list(result.shape), result.dtype.name) != (expected["s"], expected["d"]):
        return f"{expected['d']} {expected['s']}, not {result.dtype.name} {list(result.shape)}"
    exact = result.detach().float() if result.dtype is nt.bfloat16 else result.detach()
    array = exact.numpy()
    if array.dtype.kind == "c":
        array = np.stack([array.real, array.imag], -1)
    ours = sampled(array)
    theirs = np.array([float(v) if isinstance(v, str) else v for v in expected["v"]])
    if expected["d"] == "bfloat16":
        off = ulps(theirs, ours, smallest)
        same = off <= allowed
    else:
        off = np.nan
        same = np.allclose(ours.astype(np.float64), theirs, 2e-5, 1e-6, equal_nan=True)
    return "" if same else f"{off:.1f} ulps\n  torch {theirs.tolist()}\n  ours  {ours.tolist()}"


def leaves_and(row: dict[str, Any]) -> tuple[Decoder, list[nt.Tensor]]:
    """A decoder that makes tensors with gradients, and the tensors."""
    leaves: list[nt.Tensor] = []

    def leaf(array: Any) -> nt.Tensor:
        tensor = nt.from_numpy(array.copy())
        if tensor.is_floating_point():
            leaves.append(tensor.requires_grad_(True))
        return tensor

    return Decoder(leaf, lambda name: getattr(nt, name)), leaves


PLAIN = Decoder(lambda array: nt.from_numpy(array.copy()), lambda name: getattr(nt, name))


def check(row: dict[str, Any]) -> str:
    """The difference of a result from the measured one."""
    try:
        return differs(row["r"], PLAIN.call(row, nt))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def check_gradients(row: dict[str, Any]) -> str:
    """The difference of gradients from the measured ones."""
    decoder, leaves = leaves_and(row)
    try:
        result: Any = decoder.call(row, nt)
        first = result[0] if isinstance(result, tuple | list) else result
        first.backward(nt.ones_like(first))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    for expected, leaf in zip(row["g"], leaves, strict=True):
        if expected is None:
            if leaf.grad is not None and leaf.grad.float().abs().sum().item():
                return f"no gradient, not {leaf.grad!r}"
        elif leaf.grad is None or (difference := differs(expected, leaf.grad, 2, 1 / 4)):
            return "no gradient" if leaf.grad is None else difference
    return ""


BY_OP: dict[str, list[dict[str, Any]]] = {}
for _row in ROWS:
    BY_OP.setdefault(REGISTRY[_row["op"]].op.name, []).append(_row)


@pytest.mark.parametrize("op", sorted(BY_OP))
def test_results_are_torchs(op: str) -> None:
    failures = []
    for row in BY_OP[op]:
        difference = check(row)
        if bool(difference) != (row["id"] in OTHERWISE):
            failures.append(f"{json.dumps(row)[:300]}: {difference or 'is listed, and right'}")
        if "g" in row:
            difference = check_gradients(row)
            if bool(difference) != (f"{row['id']}:g" in OTHERWISE):
                failures.append(f"gradient {json.dumps(row)[:300]}: {difference or 'is listed'}")
    assert not failures, "\n".join(failures)


def test_there_are_enough_calls() -> None:
    right = [row for row in ROWS if row["id"] not in OTHERWISE]
    families = {OPS[name].rules[0].function.__module__ for name in BY_OP}
    assert len(right) >= 850
    assert len(families) >= 30


def test_text_is_torchs() -> None:
    x = nt.tensor([[1.0, 2.5], [3.14159, -4]], dtype=nt.bfloat16, names=("N", "C"))
    assert repr(x) == (
        "tensor([[ 1.0000,  2.5000],\n        [ 3.1406, -4.0000]], dtype=torch.bfloat16, "
        "names=('N', 'C'))"
    )
    assert repr(nt.tensor(3.14159, dtype=nt.bfloat16)) == "tensor(3.1406, dtype=torch.bfloat16)"
    assert repr(nt.finfo(nt.bfloat16)) == (
        "finfo(resolution=0.01, min=-3.38953e+38, max=3.38953e+38, eps=0.0078125, "
        "smallest_normal=1.17549e-38, tiny=1.17549e-38, dtype=bfloat16)"
    )
    assert (x.type(), x.element_size(), x[0, 1].item()) == ("torch.BFloat16Tensor", 2, 2.5)


def test_numpy_is_refused_as_in_torch() -> None:
    x = nt.ones(2, dtype=nt.bfloat16)
    for refused in (x.numpy, lambda: x.numpy(force=True), lambda: np.asarray(x), x.__dlpack__):
        with pytest.raises(TypeError, match="Got unsupported ScalarType BFloat16"):
            refused()
    there = nt.from_numpy(np.ones(2, ml_dtypes.bfloat16))
    assert there.dtype is nt.bfloat16


def test_views_writes_and_names() -> None:
    x = nt.zeros(2, 3, dtype=nt.bfloat16, names=("N", "C"))
    x[0] = 2.5
    x.transpose("N", "C")[1] += 1
    assert x.tolist() == [[2.5, 3.5, 2.5], [0.0, 1.0, 0.0]]
    assert x._version == 3
    assert x.view(nt.int16).names == ("N", "C")
    assert x[:, :0].shape == (2, 0)
    assert x[:, :0].dtype is nt.bfloat16
    x.share_memory_()
    assert x.is_shared()
    with pytest.raises(nt.NamesError):
        x + nt.ones(3, dtype=nt.bfloat16, names=("D",))


def test_modules_and_training() -> None:
    nt.manual_seed(0)
    net = nt.nn.Sequential(nt.nn.Linear(3, 4), nt.nn.LayerNorm(4), nt.nn.GELU(), nt.nn.Linear(4, 1))
    net.bfloat16()
    assert {p.dtype for p in net.parameters()} == {nt.bfloat16}
    x = nt.randn(8, 3, dtype=nt.bfloat16)
    target = x.sum(1, keepdim=True)
    optimizer = nt.optim.Adam(net.parameters(), lr=0.05)
    losses = []
    for _ in range(40):
        optimizer.zero_grad()
        loss = nt.nn.functional.mse_loss(net(x), target)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 10
    assert {p.grad.dtype for p in net.parameters()} == {nt.bfloat16}


def test_the_default_dtype_may_be_bfloat16() -> None:
    nt.set_default_dtype(nt.bfloat16)
    try:
        assert nt.ones(2).dtype is nt.tensor([1.5]).dtype is nt.bfloat16
        assert nt.exp(nt.tensor([1, 2])).dtype is nt.bfloat16
        assert repr(nt.ones(2)) == "tensor([1., 1.])"
    finally:
        nt.set_default_dtype(nt.float32)


def test_numpys_functions_and_draws() -> None:
    x = nt.tensor([[1.0, 2.5], [-3.0, 4.0]], dtype=nt.bfloat16, names=("N", "C"))
    for result in (np.sum(x, axis="N"), np.median(x), np.concatenate([x, x]), nt.rand_like(x)):
        assert result.dtype is nt.bfloat16
    assert np.argsort(x, axis="C").dtype is nt.int64
    assert np.add(x, np.ones(2, np.float32)).dtype is nt.float32
    draws = nt.zeros(1000, dtype=nt.bfloat16).random_()
    assert draws.max().item() < 256  # all whole numbers up to there are exact
    assert nt.tensor(x, dtype=nt.float64).tolist() == x.tolist()
    with pytest.raises(NotImplementedError, match="scalar type: BFloat16"):
        nt.view_as_complex(x.rename(None))


def test_second_derivatives() -> None:
    x = nt.tensor([1.0, 2.0], dtype=nt.bfloat16, requires_grad=True)
    (first,) = nt.autograd.grad((x**3).sum(), x, create_graph=True)
    (second,) = nt.autograd.grad(first.sum(), x)
    assert (first.dtype, first.tolist()) == (nt.bfloat16, [3.0, 12.0])
    assert (second.dtype, second.tolist()) == (nt.bfloat16, [6.0, 12.0])


def test_without_the_library() -> None:
    code = """
import sys
sys.modules["ml_dtypes"] = None
import namecheck_runtime as nt
assert nt.promote_types(nt.bfloat16, nt.float16) is nt.float32
assert (nt.bfloat16.itemsize, repr(nt.bfloat16)) == (2, "torch.bfloat16")
assert nt.ones(2).dtype is not nt.bfloat16
for call in (lambda: nt.ones(2, dtype=nt.bfloat16), lambda: nt.ones(2).bfloat16()):
    try:
        call()
    except ImportError as error:
        assert "pip install 'namecheck-tensors[bfloat16]'" in str(error)
    else:
        raise AssertionError
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_unsigned_whole_numbers() -> None:
    x = nt.tensor([1, 2, 65535], dtype=nt.uint16, names=("N",))
    assert repr(x) == "tensor([    1,     2, 65535], dtype=torch.uint16, names=('N',))"
    assert (x + x).tolist() == [2, 4, 65534]
    assert (x.sum().dtype, x.sum().item()) == (nt.int64, 65538)
    assert (x * 1.5).dtype is nt.float32
    assert x[nt.tensor([2, 0])].tolist() == x.gather(0, nt.tensor([2, 0])).tolist() == [65535, 1]
    assert nt.iinfo(nt.uint64).max == 2**64 - 1
    assert x.numpy().dtype == np.uint16
    assert nt.tensor([2**63], dtype=nt.uint64).tolist() == [2**63]
    with pytest.raises(RuntimeError, match="cannot be converted to type uint16 without overflow"):
        nt.tensor([70000], dtype=nt.uint16)
    with pytest.raises(RuntimeError, match="attempted to promote UInt16 and Long"):
        x + nt.tensor([1, 2, 3])


def test_eight_bits_are_held_and_moved() -> None:
    x = nt.tensor([1.0, 2.3, -4.0]).to(nt.float8_e4m3fn)
    assert repr(x) == "tensor([ 1.0000,  2.2500, -4.0000], dtype=torch.float8_e4m3fn)"
    assert nt.cat([x, x[:1]]).float().tolist() == [1.0, 2.25, -4.0, 1.0]
    assert x.view(nt.uint8).tolist() == [56, 65, 200]
    with pytest.raises(NotImplementedError, match="\"add\" not implemented for 'Float8_e4m3fn'"):
        x + x
    with pytest.raises(RuntimeError, match="Promotion for Float8 Types is not supported, attemp"):
        x + nt.ones(3)

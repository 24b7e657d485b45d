"""A refused call leaves all tensors unchanged; a successful one writes only to its destination.

Torch checks some names after it has written (`copy_`, `masked_fill_`, `logsumexp(out=)`); the
runtime does not.  The calls are the measured ones, and random ones.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import case_runner
import numpy as np
import pytest
from golden_runtime import rows_of
from hypothesis import given, settings
from hypothesis import strategies as st

import namecheck_runtime as nt


def state(tensor: nt.Tensor) -> tuple[Any, ...]:
    """Everything of a tensor that a call could change."""
    return (
        tensor.names,
        tuple(tensor.shape),
        tensor.stride(),
        tensor.storage_offset(),
        tensor.dtype,
        tensor.requires_grad,
        tensor._version,
        tensor.data_ptr(),
        tensor.untyped_storage().nbytes(),
        tensor.numpy(force=True).tobytes(),
    )


def tensors_in(value: Any) -> Iterator[nt.Tensor]:
    """The tensors in arguments, at any depth."""
    if isinstance(value, nt.Tensor):
        yield value
    elif isinstance(value, list | tuple):
        for entry in value:
            yield from tensors_in(entry)


def writes(row: dict[str, Any]) -> bool:
    """Whether a measured call has a destination."""
    # The function `torch.dropout_` works in place, too.
    in_place = case_runner.mutated(row) or row["op"].endswith("_")
    return in_place or "out" in row.get("k", {})


def outcome(row: dict[str, Any]) -> tuple[bool, bool] | None:
    """Whether a measured call was refused, and whether a tensor was changed."""
    arguments, keywords, ask = case_runner.call(row, nt)
    tensors = [*tensors_in(arguments), *tensors_in(list(keywords.values()))]
    before = [state(tensor) for tensor in tensors]
    refused = False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ask()
        except Exception:
            refused = True
    return refused, [state(tensor) for tensor in tensors] != before


@pytest.fixture(scope="module")
def outcomes() -> list[tuple[dict[str, Any], bool, bool]]:
    # requires_grad_ and the rest of autograd change their operand.
    left_out = {"requires_grad_", "retain_grad", "requires_grad", "backward"}
    results = []
    for row in rows_of("name_inference_visible.jsonl"):
        if row["f"] != "grad" and row["op"] not in left_out:
            refused, changed = outcome(row)
            results.append((row, refused, changed))
    return results


def test_a_refused_call_changes_nothing(
    outcomes: list[tuple[dict[str, Any], bool, bool]],
) -> None:
    refused = [(row, changed) for row, refused, changed in outcomes if refused]
    assert [row for row, changed in refused if changed] == []
    assert len(refused) > 1900
    assert sum(writes(row) for row, _ in refused) > 200


def test_a_call_without_a_destination_changes_nothing(
    outcomes: list[tuple[dict[str, Any], bool, bool]],
) -> None:
    without = [(row, changed) for row, _, changed in outcomes if not writes(row)]
    assert [row for row, changed in without if changed] == []
    assert len(without) > 3000


names = st.sampled_from(["N", "C", None])
shapes = st.lists(st.tuples(names, st.sampled_from([0, 1, 2, 3])), max_size=3)
kinds = st.sampled_from([nt.float32, nt.int64, nt.bool, nt.complex64])


@st.composite
def tensors(draw: st.DrawFn) -> nt.Tensor:
    """A small tensor of any layout: row-major, transposed, expanded, or a part of another."""
    dims = draw(shapes.filter(lambda dims: _distinct([name for name, _ in dims])))
    sizes = [size for _, size in dims]
    tensor = nt.ones(*sizes, dtype=draw(kinds)) if sizes else nt.tensor(1.0)
    form = draw(st.sampled_from(["plain", "turned", "expanded", "part"]))
    if form == "turned" and sizes:
        tensor = nt.ones(*sizes[::-1], dtype=tensor.dtype).permute(*range(len(sizes) - 1, -1, -1))
    elif form == "expanded" and sizes:
        tensor = nt.ones(1, *sizes[1:], dtype=tensor.dtype).expand(*sizes)
    elif form == "part" and sizes:
        tensor = nt.ones(sizes[0] + 2, *sizes[1:], dtype=tensor.dtype)[1:-1]
    return tensor.rename(*[name for name, _ in dims]) if dims else tensor


def _distinct(names: list[str | None]) -> bool:
    given_names = [name for name in names if name is not None]
    return len(given_names) == len(set(given_names))


CALLS: dict[str, Any] = {
    "add_": lambda x, y: x.add_(y),
    "mul_": lambda x, y: x.mul_(y),
    "div_": lambda x, y: x.div_(y),
    "copy_": lambda x, y: x.copy_(y),
    "masked_fill_": lambda x, y: x.masked_fill_(y != 0, 7),
    "lerp_": lambda x, y: x.lerp_(y, 0.5),
    "cumsum_": lambda x, y: x.cumsum_("N"),
    "index_fill_": lambda x, y: x.index_fill_(0, nt.tensor([1]), 3),
    "index_add_": lambda x, y: x.index_add_(0, nt.tensor([0, 1]), y),
    "fill_": lambda x, y: x.fill_(1j),
    "exp_": lambda x, y: x.exp_(),
    "resize_": lambda x, y: x.resize_(2, 3),
    "resize_as_": lambda x, y: x.resize_as_(y),
    "t_": lambda x, y: x.t_(),
    "rename_": lambda x, y: x.rename_("A", "B"),
    "setitem": lambda x, y: x.__setitem__(0, y),
    "setitem, a mask": lambda x, y: x.__setitem__(x != 0, y),
    "setitem, places": lambda x, y: x.__setitem__([0, 2], y),
    "itself": lambda x, y: x[1:].add_(x[:-1]),
    "add(out=)": lambda x, y: nt.add(y, y, out=x),
    "exp(out=)": lambda x, y: nt.exp(y, out=x),
    "sum(out=)": lambda x, y: nt.sum(y, "N", out=x),
    "logsumexp(out=)": lambda x, y: nt.logsumexp(y, 0, out=x),
    "cat(out=)": lambda x, y: nt.cat([y, y], 0, out=x),
    "mm(out=)": lambda x, y: nt.mm(y, y, out=x),
    "max(out=)": lambda x, y: nt.max(y, 0, out=(x, nt.zeros(0, dtype=nt.int64))),
}


@settings(max_examples=600, deadline=None)
@given(st.sampled_from(sorted(CALLS)), tensors(), tensors())
def test_random_calls_write_all_or_nothing(call: str, x: nt.Tensor, y: nt.Tensor) -> None:
    before = state(x), state(y)
    version = x._version
    try:
        CALLS[call](x, y)
    except (RuntimeError, IndexError, TypeError, ValueError, NotImplementedError):
        assert (state(x), state(y)) == before
    else:
        assert state(y) == before[1]
        assert x._version == version + (call != "rename_")
        assert np.shape(x.numpy()) == tuple(x.shape)

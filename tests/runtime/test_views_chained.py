"""Views chained in any order: a write through the last one reaches the base, and nothing else.

The elements of the base are their own positions, so the elements of a view give its place.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import namecheck_runtime as nt


@st.composite
def step(draw: st.DrawFn, x: nt.Tensor) -> nt.Tensor:
    """One more view of a tensor."""
    sizes, rank = tuple(x.shape), x.ndim
    choices = ["unsqueeze", "none", "detach", "squeeze", "rename", "view_as"]
    if rank:
        choices += ["transpose", "permute", "select", "slice", "narrow", "flip_slice", "expand"]
        choices += ["split", "unbind", "T", "unfold", "flatten", "index", "as_strided"]
    if rank >= 2:
        choices += ["diagonal", "movedim", "mT"]
    kind = draw(st.sampled_from(choices))
    dim = draw(st.integers(0, max(rank - 1, 0)))
    size = sizes[dim] if rank else 1
    match kind:
        case "unsqueeze":
            return x.unsqueeze(draw(st.integers(-rank - 1, rank)))
        case "none":
            return x[None] if draw(st.booleans()) else x[..., None]
        case "detach":
            return x.detach()
        case "squeeze":
            return x.squeeze()
        case "rename":
            return x.rename(*[f"d{k}" for k in range(rank)]) if rank else x
        case "view_as":
            return x.view_as(x)
        case "transpose":
            return x.transpose(dim, draw(st.integers(-rank, rank - 1)))
        case "permute":
            return x.permute(*draw(st.permutations(range(rank))))
        case "select" if size:
            return x.select(dim, draw(st.integers(-size, size - 1)))
        case "slice" | "flip_slice":
            start = draw(st.integers(-size - 1, size + 1))
            key = [slice(None)] * rank
            key[dim] = slice(start, None, draw(st.integers(1, 3)))
            return x[tuple(key)]
        case "narrow":
            start = draw(st.integers(0, size))
            return x.narrow(dim, start, draw(st.integers(0, size - start)))
        case "expand":
            return x.unsqueeze(0).expand(draw(st.integers(0, 2)), *sizes)
        case "split" if size:
            return draw(st.sampled_from(x.split(draw(st.integers(1, size)), dim)))
        case "unbind" if size:
            return draw(st.sampled_from(x.unbind(dim)))
        case "T":
            return x.T
        case "mT":
            return x.mT
        case "unfold" if size:
            return x.unfold(dim, draw(st.integers(1, size)), draw(st.integers(1, 2)))
        case "flatten":
            return x.flatten()
        case "index" if sizes[0]:
            return x[draw(st.integers(-sizes[0], sizes[0] - 1))]
        case "as_strided":
            return x.as_strided(sizes, x.stride(), x.storage_offset())
        case "diagonal":
            second_dim = draw(st.integers(0, rank - 1).filter(lambda k: k != dim))
            return x.diagonal(draw(st.integers(-2, 2)), dim, second_dim)
        case "movedim":
            return x.movedim(dim, draw(st.integers(0, rank - 1)))
    return x


@st.composite
def chains(draw: st.DrawFn) -> tuple[nt.Tensor, nt.Tensor]:
    """A base and the last of some views of it."""
    sizes = draw(st.lists(st.sampled_from([0, 1, 2, 3]), max_size=3))
    count = int(np.prod(sizes))
    base = nt.arange(float(count)).view(sizes) if sizes else nt.tensor(0.0)
    x = base
    for _ in range(draw(st.integers(1, 6))):
        x = draw(step(x))
    return base, x


@settings(max_examples=300, deadline=None)
@given(chains())
def test_a_write_reaches_the_base_and_nothing_else(
    chain: tuple[nt.Tensor, nt.Tensor],
) -> None:
    base, view = chain
    shared = view.untyped_storage()._cdata == base.untyped_storage()._cdata
    touched = {int(element) for element in view.reshape(-1).tolist()} if shared else set()
    expected = [-1.0 if k in touched else float(k) for k in range(base.numel())]
    before = base._version
    view.fill_(-1)
    assert base.reshape(-1).tolist() == expected
    assert set(view.reshape(-1).tolist()) <= {-1.0}
    assert base._version == before + shared


@settings(max_examples=300, deadline=None)
@given(chains())
def test_the_elements_of_a_view_are_where_its_strides_say(
    chain: tuple[nt.Tensor, nt.Tensor],
) -> None:
    base, view = chain
    if view.untyped_storage()._cdata != base.untyped_storage()._cdata:
        assert view.is_contiguous()
        return
    for place in np.ndindex(*view.shape):
        position = view.storage_offset() + sum(
            k * stride for k, stride in zip(place, view.stride(), strict=True)
        )
        assert view[place].item() == position
        assert view[place].storage_offset() == position

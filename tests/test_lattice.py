"""What can be known about a dim, and the three-valued answers about it."""

from __future__ import annotations

import pytest

from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Mark,
    Trace,
    Trailing,
    Truth,
    known_dims,
    show,
    trailing,
    unknown_dims,
)


@pytest.mark.parametrize("truth", list(Truth))
def test_a_truth_is_never_a_bool(truth: Truth) -> None:
    with pytest.raises(TypeError, match="three values"):
        bool(truth)


@pytest.mark.parametrize(
    ("truth", "definite", "possible"),
    [(Truth.YES, True, True), (Truth.MAYBE, False, True), (Truth.NO, False, False)],
)
def test_the_questions_of_a_truth(truth: Truth, definite: bool, possible: bool) -> None:
    assert truth.definite is definite
    assert truth.possible is possible


def test_unknown_is_neither_true_nor_none() -> None:
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(UNKNOWN)
    assert Dim(None, 3) != Dim(UNKNOWN, 3)


def test_equality_compares_only_name_and_size() -> None:
    assert Dim("N", 3, Trace(marks=frozenset({Mark.INSERTED}))) == Dim("N", 3)
    assert hash(Dim("N", 3, Trace(marks=frozenset({Mark.INSERTED})))) == hash(Dim("N", 3))
    assert Dim("N", 3) != Dim("N", 4)


def test_resize_drops_the_trace_and_rename_keeps_it() -> None:
    dim = Dim("N", 6, Trace(factors=(Dim(None, 2), Dim(None, 3))))
    assert dim.resize(1).trace is None
    assert dim.rename("M").trace is dim.trace


@pytest.mark.parametrize(
    ("dim", "text"),
    [
        (Dim("N", 3), "N=3"),
        (Dim("N", UNKNOWN), "N"),
        (Dim(None, 3), "3"),
        (Dim(None, UNKNOWN), "?"),
        (Dim(UNKNOWN, UNKNOWN), "?"),
    ],
)
def test_how_a_dim_is_shown(dim: Dim, text: str) -> None:
    assert str(dim) == text


def test_a_trailing_shape_has_its_last_dims() -> None:
    dims = (Dim("T", 2), Dim("C", 3))
    assert known_dims(Trailing(dims)) == known_dims(dims) == dims
    assert known_dims(UNKNOWN) == ()
    assert trailing(()) is UNKNOWN
    assert Trailing(dims) != dims
    assert show(Trailing(dims)) == "[..., T=2, C=3]"
    assert show(UNKNOWN) == "[?]"
    with pytest.raises(ValueError, match="UNKNOWN"):
        Trailing(())


def test_unknown_dims_have_no_known_properties() -> None:
    assert unknown_dims(2) == (Dim(UNKNOWN, UNKNOWN),) * 2

"""An argument that the runtime does not heed is refused if it would change the result; so is a call
that would have to move memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import namecheck_runtime as nt

X = nt.tensor([[4.0, 1.0, 2.0], [3.0, 6.0, 5.0]])
V = nt.tensor([1.0, 2.0, 3.0])
F: Any = nt.nn.functional


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: np.add(X, X, where=X > 2), "where"),
        (lambda: np.exp(X, where=X > 2), "where"),
        (lambda: np.clip(X, 0, 1, where=X > 2), "where"),
        (lambda: np.add(X, X, casting="no"), "casting"),
        (lambda: np.zeros_like(X, order="F"), "order"),
        (lambda: np.median(X, overwrite_input=True), "overwrite_input"),
        (lambda: np.nan_to_num(X, copy=False), "copy"),
        (lambda: nt.linalg.lu(X, pivot=False), "pivot"),
        (lambda: nt.svd_lowrank(X, M=X), "M"),
        (lambda: nt.stft(V, 2, align_to_window=True), "align_to_window"),
        (
            lambda: F.embedding_bag(nt.tensor([0]), X, nt.tensor([0]), max_norm=0.1),
            "max_norm",
        ),
    ],
)
def test_an_argument_that_is_not_heeded_is_refused(call: Callable[[], Any], word: str) -> None:
    with pytest.raises(
        NotImplementedError, match=rf"does not support the (option|argument) '{word}'"
    ):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda x: np.add(x, x, where=True),
        lambda x: np.add(x, x, casting="same_kind"),
        lambda x: np.zeros_like(x, order="K"),
        lambda x: np.sum(x, where=np.array([[True, False, True], [False, True, True]])),
        lambda x: np.sum(x, initial=3),
        lambda x: np.max(x, initial=100),
        lambda x: np.std(x, ddof=1),
        lambda x: np.var(x, axis=0, ddof=1),
        lambda x: np.quantile(x, 0.5, method="lower"),
        lambda x: np.sort(x, kind="stable"),
        lambda x: np.reshape(x, (3, 2), order="F"),
        lambda x: np.add.reduce(x, axis=(0, 1), keepdims=True),
        lambda x: np.allclose(x, x, rtol=x),
        lambda x: np.iscomplexobj(x),
        lambda x: np.result_type(x, x),
    ],
)
def test_an_argument_that_is_heeded_works(call: Callable[[Any], Any]) -> None:
    expected, got = call(X.numpy()), call(X)
    if isinstance(expected, bool | np.dtype):
        assert expected == got
    else:
        assert got.shape == np.shape(expected)
        assert np.allclose(got.numpy(), expected)


@pytest.mark.parametrize(
    "call",
    [
        lambda: nt.tensor([1.0], pin_memory=True),
        lambda: nt.zeros(2, pin_memory=True),
        lambda: nt.rand(2, pin_memory=True),
        lambda: nt.zeros_like(X, pin_memory=True),
        lambda: X.new_ones(2, pin_memory=True),
        lambda: X.pin_memory(),
    ],
)
def test_pinned_memory_is_refused(call: Callable[[], Any]) -> None:
    with pytest.raises(RuntimeError, match="reads"):
        call()
    assert not X.is_pinned()
    assert not X.is_shared()


def test_memory_that_is_not_to_be_pinned() -> None:
    assert nt.zeros(2, pin_memory=False).tolist() == [0, 0]
    assert nt.tensor([1.0], pin_memory=False).tolist() == [1]


@pytest.mark.parametrize("view", [np.conj, np.positive, np.conjugate])
def test_a_view_is_written_to_a_destination(view: Callable[..., Any]) -> None:
    target = nt.zeros(2, 3)
    assert view(X, out=target) is target
    assert target.tolist() == X.tolist()
    assert target._version == 1


def test_an_array_that_would_be_copied_is_not_written_to() -> None:
    array = np.zeros(3, np.float32)
    for call in (
        lambda a: np.add(V, V, out=a),
        lambda a: np.copyto(a, V),
        lambda a: np.put(a, [0], V),
    ):
        with pytest.raises(ValueError, match="negative strides"):
            call(array[::-1])
        assert array.tolist() == [0, 0, 0]
    np.copyto(array, V)
    assert array.tolist() == [1, 2, 3]


def test_numpy_writes_to_tensors_or_is_refused() -> None:
    x = nt.zeros(2, 3, names=("N", "C"))
    np.copyto(x, nt.ones(3, names=("C",)))
    np.fill_diagonal(x, 5)
    np.put(x, [2], 7)
    np.add.at(x, ([0, 0], [1, 1]), 10)
    assert (x.tolist(), x.names, x._version) == ([[5, 21, 7], [1, 5, 1]], ("N", "C"), 4)
    before = x.tolist()
    refused: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: np.copyto(x, nt.ones(3, names=("T",))), nt.NamesError, "do not match"),
        (lambda: np.put(x, [99], 1), IndexError, "out of bounds"),
        (lambda: np.add.at(x, ([0, 9],), 1), IndexError, "out of bounds"),
        (lambda: np.copyto(nt.zeros(1).expand(3), V), RuntimeError, "single memory location"),
        (lambda: np.copyto(nt.zeros(3, dtype=nt.int64), V), TypeError, "cast"),
    ]
    for call, error, text in refused:
        with pytest.raises(error, match=text):
            call()
    assert (x.tolist(), x._version) == (before, 4)


def test_places_of_a_broadcast_by_name() -> None:
    x, y = nt.ones(2, 3, names=("N", "C")), nt.tensor([1.0, 2.0])
    by_name: Any = nt.add(x, y, broadcast_dimensions=("N",))
    assert by_name.tolist() == nt.add(x, y, broadcast_dimensions=(0,)).tolist()
    with pytest.raises(nt.NamesError, match="'Q' not found"):
        nt.add(x, y, broadcast_dimensions=("Q",))
    for places in ("N", 0, 0.5):
        with pytest.raises(TypeError, match="one place for each dim of the operand"):
            nt.add(x, y, broadcast_dimensions=places)
    with pytest.raises(TypeError, match="position of a dim or its name, not None"):
        nt.add(x, y, broadcast_dimensions=(None,))
    with pytest.raises(TypeError, match="given by position"):
        nt.add(x, other=y, broadcast_dimensions=(0,))


def test_a_subscript_by_name_suggests_select() -> None:
    x = nt.ones(2, names=("N",))
    keys: list[tuple[Any, type[Exception], str]] = [
        ("N", TypeError, "new(): invalid data type 'str'"),
        ({"N": 0}, IndexError, "valid indices (got dict)"),
    ]
    for key, error, text in keys:
        for use in (x.__getitem__, lambda k: x.__setitem__(k, 1.0)):
            with pytest.raises(error) as caught:
                use(key)
            assert text in str(caught.value)
            assert any("x.select('N', 0)" in note for note in caught.value.__notes__)


def test_dtypes_are_not_operands() -> None:
    with pytest.raises(TypeError, match=r"got \(dtype, dtype\)") as caught:
        nt.result_type(nt.float32, nt.int64)
    assert "nt.promote_types(torch.float32, torch.int64)" in caught.value.__notes__[0]
    with pytest.raises(TypeError, match="expected two tensors or numbers"):
        nt.result_type("a", X)


@pytest.mark.parametrize("call", [lambda x, n: nt.flip(x, dims=n), lambda x, n: x.flip(dims=n)])
def test_a_tensor_in_place_of_dims_is_refused_as_in_torch(call: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match=r"^flip\(\): argument 'dims' must be tuple of ints"):
        call(nt.ones(2, 3, dtype=nt.bool), nt.tensor(1))

"""Parts of a tensor and diagonals, on partly known shapes."""

from __future__ import annotations

from typing import Any

import pytest

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.mistakes import Mistake
from shapes import dims, shape, size, sym

C, D, K, M = map(sym, "cdkm")


@pytest.mark.parametrize(
    ("path", "source", "arguments", "expected"),
    [
        ("torch.unbind", "N:2 C:c", (), ("C:c",) * 2),
        ("torch.unbind", "N:b C:3", ("C",), ("N:b",) * 3),
        ("torch.unbind", "N:b C:c", (), None),
        ("torch.unbind", "... C:2", (-1,), ("...",) * 2),
        ("torch.unbind", "N:2 ?:c", ("C",), None),
        ("builtins.iter", "N:2 C:c", (), ("C:c",) * 2),
        ("numpy.unstack", "2 c", (), ("c",) * 2),
        ("torch.chunk", "N:b C:3*c", (3, -1), ("N:b C:c",) * 3),
        ("torch.chunk", "... C:6*c", (3, -1), ("... C:2*c",) * 3),
        ("torch.chunk", "N:7", (3,), ("N:3", "N:3", "N:1")),
        ("torch.chunk", "N:2", (5,), ("N:1", "N:1")),
        ("torch.chunk", "N:0", (2,), ("N:0", "N:0")),
        ("torch.chunk", "N:b C:c", (2, 1), ("N:b C:ceil(c,2)", "N:b C:c-ceil(c,2)")),
        ("torch.chunk", "N:b C:c", (3, 1), None),
        ("torch.chunk", "N:b C:?", (2, 1), None),
        ("torch.chunk", "N:b C:?", (1, 1), ("N:b C:?",)),
        ("torch.chunk", "N:b C:c", (UNKNOWN, 1), None),
        ("Tensor.split", "N:b C:3*c", (C, 1), ("N:b C:c",) * 3),
        ("Tensor.split", "N:7", (3,), ("N:3", "N:3", "N:1")),
        ("Tensor.split", "N:t", (size("t+1"),), ("N:t",)),
        ("Tensor.split", "N:t", (2,), None),
        ("Tensor.split", "N:?", (2,), None),
        ("torch.split", "N:b C:c+d", ((C, D), 1), ("N:b C:c", "N:b C:d")),
        ("torch.split", "... C:c+d", ((C, D), -1), ("... C:c", "... C:d")),
        ("torch.split", "N:b C:?", ((C, D), 1), ("N:b C:c", "N:b C:d")),
        ("torch.split", "N:b C:5", ((UNKNOWN, 2), 1), ("N:b C:?", "N:b C:2")),
        ("torch.split_with_sizes", "N:3", ((1, 2),), ("N:1", "N:2")),
        ("torch.tensor_split", "N:5", (2,), ("N:3", "N:2")),
        ("torch.tensor_split", "N:2*t", (2,), ("N:t", "N:t")),
        ("torch.tensor_split", "N:t", (2,), ("N:?", "N:?")),
        ("torch.tensor_split", "N:t", ((1, -1),), ("N:1", "N:t-min(2,t)", "N:1")),
        ("torch.hsplit", "N:b C:4", (2,), ("N:b C:2",) * 2),
        ("torch.hsplit", "N:4", (2,), ("N:2",) * 2),
        ("torch.vsplit", "N:3 C:c", ((1, 2),), ("N:1 C:c",) * 3),
        ("torch.dsplit", "a b 2*c", (2,), ("a b c",) * 2),
        ("numpy.split", "t c", (2,), ("t/2 c",) * 2),
        ("numpy.split", "? c", (2,), ("? c",) * 2),
        ("numpy.split", "5 c", ((1, 3),), ("1 c", "2 c", "2 c")),
        ("numpy.array_split", "5 c", (2,), ("3 c", "2 c")),
        ("jax.lax.split", "5 c", ((2, 3),), ("2 c", "3 c")),
    ],
)
def test_pieces(
    path: str, source: str, arguments: tuple[Any, ...], expected: tuple[str, ...] | None
) -> None:
    result = infer(path, (shape(source), *arguments)).result
    assert result == (UNKNOWN if expected is None else tuple(map(shape, expected)))


def test_halves_add_up_to_the_whole() -> None:
    halves = infer("torch.chunk", (shape("b c"), 2, -1)).result
    assert infer("torch.cat", (halves, -1)).result == shape("b c")
    thirds = infer("torch.tensor_split", (shape("t"), (1, -1))).result
    assert infer("torch.cat", (thirds,)).result[0].size == size("t-min(2,t)+2")


def test_splits_have_a_duty() -> None:
    duties = infer("torch.split", (shape("b k"), (C, D), 1)).duties
    assert [(d.left, d.right, d.or_one) for d in duties] == [(K, size("c+d"), False)]
    assert not infer("torch.split", (shape("b ?"), (C, D), 1)).duties


@pytest.mark.parametrize(
    ("path", "source", "arguments", "expected"),
    [
        ("torch.narrow", "N:b T:t", (1, 0, K), "N:b T:k"),
        ("torch.narrow", "N:b T:t", (1, UNKNOWN, 2), "N:b T:2"),
        ("torch.narrow", "... T:t", (-1, 0, UNKNOWN), "... T:?"),
        ("torch.narrow", "N:b T:t", (1, 0, sym("t")), "N:b T:t"),
        ("torch.slice_scatter", "2 3 4", (dims("2 3 2"), 2, 0, 2), "2 3 4"),
        ("torch.select_scatter", "N:b T:t C:c", (dims("b c"), 1, 0), "N:b T:t C:c"),
        ("torch.diagonal_scatter", "b n n", (UNKNOWN, 0, 1, 2), "b n n"),
        ("torch.diagonal", "N:b H:n W:n", (0, 1, 2), "N:b n"),
        ("torch.diagonal", "... H:n W:n", (0, -2, -1), "... n"),
        ("torch.diagonal", "H:h W:w", (), "min(h,w)"),
        ("torch.diagonal", "H:3 W:4", (2,), "2"),
        ("torch.diagonal", "H:3 W:4", (9,), "0"),
        ("torch.diagonal", "H:3 W:4", (UNKNOWN,), "?"),
        ("torch.linalg.diagonal", "b n n", (), "b n"),
        ("numpy.diagonal", "n n c", (), "c n"),
        ("torch.diag", "N:n", (), "n n"),
        ("torch.diag", "N:n", (1,), "n+1 n+1"),
        ("torch.diag", "N:n C:n", (), "n"),
        ("numpy.diag", "3", (-2,), "5 5"),
        ("torch.diagflat", "a b", (), "a*b a*b"),
        ("torch.diag_embed", "N:b C:c", (), "N:b c c"),
        ("torch.diag_embed", "N:b C:c", (1, 0, 2), "c+1 N:b c+1"),
        ("torch.tril", "... H:n W:n", (), "... H:n W:n"),
        ("numpy.triu", "n", (), "n n"),
    ],
)
def test_ranges_and_diagonals(
    path: str, source: str, arguments: tuple[Any, ...], expected: str
) -> None:
    assert infer(path, (shape(source), *arguments)).result == shape(expected)


def test_a_diagonal_may_be_given_a_name() -> None:
    keywords = {"outdim": "D", "dim1": "H", "dim2": "W"}
    assert infer("Tensor.diagonal", (shape("N:b H:n W:n"),), keywords).result == shape("N:b D:n")
    with pytest.raises(Mistake) as caught:
        infer("Tensor.diagonal", (shape("N:b H:n W:n"),), {**keywords, "outdim": "N"})
    assert caught.value.code == "NC104"


@pytest.mark.parametrize(
    ("path", "source", "arguments", "sentence"),
    [
        ("torch.unbind", "", (), "Dimension specified as 0 but tensor has no dimensions"),
        ("torch.chunk", "2 3", (0, 1), "chunk expects `chunks` to be greater than 0, got: 0"),
        ("torch.chunk", "", (1,), "chunk expects at least a 1-dimensional tensor"),
        (
            "torch.split",
            "2 3",
            (0, 1),
            "split_size can only be 0 if dimension size is 0, but got dimension size of 3",
        ),
        (
            "torch.split",
            "2 3",
            ((1, 1), 1),
            (
                "split_with_sizes expects split_sizes to sum exactly to 3 (input tensor's size at "
                "dimension 1), but got split_sizes=[1, 1]"
            ),
        ),
        (
            "torch.split",
            "b 3*c",
            ((C, C), 1),
            (
                "split_with_sizes expects split_sizes to sum exactly to 3*c (input tensor's size "
                "at dimension 1), but got split_sizes=[c, c]"
            ),
        ),
        ("torch.tensor_split", "2 3", (0,), "number of sections must be larger than 0, got 0"),
        (
            "torch.hsplit",
            "2 3",
            (2,),
            (
                "torch.hsplit attempted to split along dimension 1, but the size of the dimension "
                "3 is not divisible by the split_size 2!"
            ),
        ),
        (
            "torch.vsplit",
            "2",
            (2,),
            (
                "torch.vsplit requires a tensor with at least 2 dimension, but got a tensor with "
                "1 dimensions!"
            ),
        ),
        ("torch.narrow", "2 3", (0, 0, 5), "start (0) + length (5) exceeds dimension size (2)."),
        ("torch.narrow", "b t", (1, 1, sym("t")), None),
        ("torch.narrow", "2 3", (0, 0, -1), "narrow(): length must be non-negative."),
        ("torch.slice_scatter", "2 3", (dims("2 2"),), None),
        ("torch.select_scatter", "2 3 4", (dims("2 3"), 1, 0), None),
        ("torch.diagonal", "2 3", (0, 1, 1), "diagonal dimensions cannot be identical 1, 1"),
        ("torch.diag", "2 3 4", (), "diag(): Supports 1D or 2D tensors. Got 3D"),
        ("torch.tril", "2", (), "tril: input tensor must have at least 2 dimensions"),
        ("torch.diagonal_scatter", "2 3 4", (dims("4 3"),), None),
    ],
)
def test_refused(path: str, source: str, arguments: tuple[Any, ...], sentence: str | None) -> None:
    with pytest.raises(Mistake) as caught:
        infer(path, (shape(source), *arguments))
    assert sentence in (None, caught.value.sentence())
    assert caught.value.message()

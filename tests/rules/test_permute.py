"""Dims in another order, on partly known shapes."""

from __future__ import annotations

from typing import Any

import pytest

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from namecheck_runtime import sizes
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN, Dim
from namecheck_runtime.mistakes import Mistake
from shapes import dims, shape


@pytest.mark.parametrize(
    ("path", "source", "arguments", "expected"),
    [
        ("torch.permute", "N:b C:c H:h", ((0, 2, 1),), "N:b H:h C:c"),
        ("Tensor.permute", "N:b C:c H:h", (0, -1, 1), "N:b H:h C:c"),
        ("Tensor.permute", "N:b C:c", ("C", "N"), "C:c N:b"),
        # The number of listed dims is the rank.
        ("Tensor.permute", "...", (0, 2, 1), "?:? ?:? ?:?"),
        ("Tensor.permute", "... C:c", (1, 0), "C:c ?:?"),
        ("Tensor.permute", "N:b C:c", (UNKNOWN, 0), "?:? N:b"),
        ("torch.permute", "N:b C:c", (UNKNOWN,), "?:? ?:?"),
        ("torch.permute", "...", (UNKNOWN,), "..."),
        ("numpy.transpose", "N:b C:c H:h", (), "H:h C:c N:b"),
        ("numpy.transpose", "N:b C:c H:h", (None,), "H:h C:c N:b"),
        ("numpy.transpose", "N:b C:c H:h", ((1, 0, 2),), "C:c N:b H:h"),
        ("ndarray.transpose", "N:b C:c H:h", (1, 0, 2), "C:c N:b H:h"),
        ("numpy.transpose", "... C:c", (), "..."),
        ("jax.lax.transpose", "a b", ((1, 0),), "b a"),
        ("torch.transpose", "N:b T:t C:c", (1, 2), "N:b C:c T:t"),
        ("torch.transpose", "N:b T:t C:c", ("N", "C"), "C:c T:t N:b"),
        ("Tensor.transpose", "... T:t C:c", (-2, -1), "... C:c T:t"),
        ("Tensor.transpose", "... T:t C:c", ("T", "C"), "... C:c T:t"),
        ("Tensor.transpose", "... T:t C:c", (1, 2), "..."),
        ("Tensor.transpose", "... C:c", (-2, -1), "..."),
        ("Tensor.transpose", "N:b ?:c", ("N", "C"), "?:? ?:?"),
        ("Tensor.transpose_", "N:2 C:3", (0, 1), "C:3 N:2"),
        ("Tensor.t_", "N:2 C:3", (), "C:3 N:2"),
        ("torch.swapaxes", "a b c", (0, -1), "c b a"),
        ("numpy.swapaxes", "a b c", (0, -1), "c b a"),
        ("Tensor.T", "N:b C:c H:h", (), "H:h C:c N:b"),
        ("ndarray.T", "... C:c", (), "..."),
        ("Tensor.mT", "N:b C:c H:h", (), "N:b H:h C:c"),
        ("Tensor.mT", "... C:c H:h", (), "... H:h C:c"),
        ("Tensor.mT", "... H:h", (), "... H:h ?:?"),
        ("Tensor.mT", "", (), ""),
        ("Tensor.H", "N:b C:c", (), "C:c N:b"),
        ("torch.adjoint", "...", (), "..."),
        ("torch.t", "N:b", (), "N:b"),
        ("torch.movedim", "a b c d", (1, -1), "a c d b"),
        ("torch.movedim", "a b c d", ((0, 1), (-1, 0)), "b c d a"),
        ("torch.movedim", "... b c", (-1, -2), "... c b"),
        ("numpy.moveaxis", "N:b H:h W:w C:c", (-1, 1), "N:b C:c H:h W:w"),
        ("numpy.rollaxis", "a b c", (2,), "c a b"),
        ("numpy.rollaxis", "a b c", (0, 3), "b c a"),
        ("torch.flip", "... T:t", ((-1,),), "... T:t"),
        ("numpy.flip", "T:t", (), "T:t"),
        ("torch.roll", "N:b T:t", (1, 0), "N:b T:t"),
        ("torch.rot90", "N:b H:h W:w", (1, (1, 2)), "N:b W:w H:h"),
        ("torch.rot90", "N:b H:h W:w", (2, (1, 2)), "N:b H:h W:w"),
        ("torch.rot90", "N:b H:h W:w", (UNKNOWN, (1, 2)), "N:b ?:? ?:?"),
        ("torch.rot90", "n n", (UNKNOWN,), "n n"),
        ("numpy.rot90", "... h w", (1, (-2, -1)), "... w h"),
    ],
)
def test_order(path: str, source: str, arguments: tuple[Any, ...], expected: str) -> None:
    assert infer(path, (shape(source), *arguments)).result == shape(expected)


@pytest.mark.parametrize(
    ("path", "source", "arguments", "code", "sentence"),
    [
        (
            "Tensor.permute",
            "2 3",
            (0, 1, 2),
            "NC303",
            (
                "permute(sparse_coo): number of dimensions in the tensor input does not match the "
                "length of the desired ordering of dimensions i.e. input.dim() = 2 is not equal to "
                "len(dims) = 3"
            ),
        ),
        (
            "Tensor.permute",
            "2 3",
            (0, -2),
            "NC302",
            "permute(): duplicate dims are not allowed.",
        ),
        ("Tensor.permute", "... 2 3 4", (0, 1), "NC303", None),
        (
            "Tensor.transpose",
            "2 3",
            (0, 2),
            "NC301",
            "Dimension out of range (expected to be in range of [-2, 1], but got 2)",
        ),
        (
            "Tensor.transpose",
            "N:2 C:3",
            ("N", "Q"),
            "NC103",
            "Name 'Q' not found in Tensor['N', 'C'].",
        ),
        (
            "Tensor.t",
            "2 3 4",
            (),
            "NC303",
            "t() expects a tensor with <= 2 dimensions, but self is 3D",
        ),
        (
            "Tensor.mT",
            "2",
            (),
            "NC303",
            "tensor.mT is only supported on matrices or batches of matrices. Got 1-D tensor.",
        ),
        ("Tensor.H", "2 3 4", (), "NC303", None),
        (
            "torch.movedim",
            "2 3",
            ((0, 1), (0,)),
            "NC303",
            (
                "movedim: Invalid source or destination dims: source ([0, 1] dims) should contain "
                "the same number of dims as destination ([0] dims)"
            ),
        ),
        (
            "torch.movedim",
            "2 3",
            ((0, 0), (0, 1)),
            "NC302",
            "movedim: repeated dim in `source` ([0, 0])",
        ),
        (
            "torch.flip",
            "2 3",
            ((0, 0),),
            "NC302",
            "dim 0 appears multiple times in the list of dims",
        ),
        ("torch.fliplr", "2", (), "NC303", "Input must be >= 2-d."),
        (
            "torch.roll",
            "2 3",
            (1, (0, 1)),
            "NC212",
            "shifts and dimensions must align. shifts: 1, dims:2",
        ),
        (
            "torch.rot90",
            "2 3",
            (1, (0, 0)),
            "NC302",
            "expected rotation dims to be different, but got dim0 = 0 and dim1 = 0",
        ),
    ],
)
def test_refused(
    path: str, source: str, arguments: tuple[Any, ...], code: str, sentence: str | None
) -> None:
    with pytest.raises(Mistake) as caught:
        infer(path, (shape(source), *arguments))
    assert caught.value.code == code
    assert sentence in (None, caught.value.sentence())
    assert caught.value.message()


def test_the_dims_are_the_same_objects() -> None:
    source = dims("N:b T:t C:c")
    result = infer("torch.permute", (source, (2, 0, 1))).result
    assert [id(dim) for dim in result] == [id(source[k]) for k in (2, 0, 1)]


def test_a_configured_shift_may_be_a_sequence() -> None:
    image = (Dim("H", 4), Dim("W", 6))
    shift = sizes.symbol("shift", sizes.Origin.CONFIG, least=0)
    assert infer("torch.roll", (image, shift, (0, 1))).result == image

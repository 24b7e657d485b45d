"""Dims that grow, on partly known shapes."""

from __future__ import annotations

from typing import Any

import pytest

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.mistakes import Mistake
from shapes import dims, shape, size, sym


@pytest.mark.parametrize(
    ("path", "source", "arguments", "expected"),
    [
        ("Tensor.expand", "N:1 C:3", (4, -1), "N:4 C:3"),
        ("Tensor.expand", "N:1 C:c", (sym("b"), -1), "N:b C:c"),
        ("Tensor.expand", "N:1 C:c", (2, sym("b"), sym("c")), "2 N:b C:c"),
        ("Tensor.expand", "C:c", (sym("b"), -1), "b C:c"),
        ("Tensor.expand", "C:c", ((sym("b"), -1),), "b C:c"),
        # A size that is not known may be -1.
        ("Tensor.expand", "N:1 C:c", (UNKNOWN, -1), "N:? C:c"),
        ("Tensor.expand", "N:3 C:c", (UNKNOWN, -1), "N:3 C:c"),
        ("Tensor.expand", "N:b C:c", (UNKNOWN, -1), "N:? C:c"),
        ("Tensor.expand", "N:? C:c", (4, -1), "N:4 C:c"),
        ("Tensor.expand", "...", (4, -1), "?:4 ?:?"),
        ("Tensor.expand", "... C:1", (4, 5), "?:4 C:5"),
        ("torch.broadcast_to", "N:1", ((2, 3),), "2 N:3"),
        ("numpy.broadcast_to", "1", ((2, 3),), "2 3"),
        ("Tensor.expand_as", "N:1 C:c", (shape("M:b D:c"),), "N:b C:c"),
        ("Tensor.expand_as", "C:c", (shape("M:b D:c"),), "b C:c"),
        ("Tensor.expand_as", "C:1", (shape("... D:c"),), "... C:c"),
        ("Tensor.expand_as", "... C:1", (shape("... E:e D:c"),), "... ?:e C:c"),
        ("Tensor.expand_as", "N:1", (UNKNOWN,), "..."),
        ("Tensor.repeat", "N:b C:c", (2, 1), "N:2*b C:c"),
        ("Tensor.repeat", "C:c", (sym("b"), 1), "b C:c"),
        ("Tensor.repeat", "N:b C:c", (UNKNOWN, 1), "N:? C:c"),
        ("Tensor.repeat", "...", (2, 1), "?:? ?:?"),
        ("Tensor.repeat", "... C:c", (2, 3), "?:? C:3*c"),
        ("torch.tile", "N:b C:c", ((2,),), "N:b C:2*c"),
        ("numpy.tile", "C:c", ((2, 3),), "2 C:3*c"),
        ("numpy.tile", "... C:c", (2,), "... C:2*c"),
        ("torch.repeat_interleave", "N:b T:t", (2, 1), "N:b T:2*t"),
        ("torch.repeat_interleave", "N:b T:t", (2,), "2*b*t"),
        ("torch.repeat_interleave", "N:b T:t", (sym("g"), -1), "N:b T:g*t"),
        ("torch.repeat_interleave", "N:b T:3", ((1, 0, 2), 1), "N:b T:3"),
        ("torch.repeat_interleave", "N:b T:t", (shape("t"), 1), "N:b T:?"),
        ("torch.repeat_interleave", "N:b T:t", (UNKNOWN, 1), "N:b T:?"),
        ("torch.repeat_interleave", "... T:t", (2, -1), "... T:2*t"),
        ("torch.repeat_interleave", "n", (), "?"),
        # repeat of NumPy is another op than repeat of torch.
        ("numpy.repeat", "a b", (2, 0), "2*a b"),
        ("ndarray.repeat", "a b", (2,), "2*a*b"),
    ],
)
def test_growth(path: str, source: str, arguments: tuple[Any, ...], expected: str) -> None:
    assert infer(path, (shape(source), *arguments)).result == shape(expected)


@pytest.mark.parametrize(
    ("source", "sizes", "duty"),
    [
        ("N:b C:c", "t c", ("b", "t", True)),
        ("N:2*b C:c", "t c", ("2*b", "t", False)),
        ("N:b C:c", "1 c", ("b", "1", False)),
        ("N:1 C:c", "t c", None),
        ("N:b C:c", "b c", None),
        ("N:? C:c", "t c", None),
    ],
)
def test_an_expansion_has_a_duty(
    source: str, sizes: str, duty: tuple[str, str, bool] | None
) -> None:
    target = tuple(map(size, sizes.split()))
    duties = infer("Tensor.expand", (shape(source), *target)).duties
    sides = [(duty.left, duty.right, duty.or_one) for duty in duties]
    assert sides == ([] if duty is None else [(size(duty[0]), size(duty[1]), duty[2])])


@pytest.mark.parametrize(
    ("path", "source", "arguments", "sentence"),
    [
        (
            "Tensor.expand",
            "2 3",
            (4, 3),
            (
                "The expanded size of the tensor (4) must match the existing size (2) at "
                "non-singleton dimension 0.  Target sizes: [4, 3].  Tensor sizes: [2, 3]"
            ),
        ),
        (
            "Tensor.expand",
            "2 3",
            (-1, 2, 3),
            (
                "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing "
                "dimension 0"
            ),
        ),
        (
            "Tensor.expand",
            "2 3",
            (3,),
            (
                "expand(torch.FloatTensor{[2, 3]}, size=[3]): the number of sizes provided (1) "
                "must be greater or equal to the number of dimensions in the tensor (2)"
            ),
        ),
        ("Tensor.expand", "2*b 3", (1, 3), None),
        ("numpy.broadcast_to", "2", ((3,),), None),
        (
            "Tensor.repeat",
            "2 3",
            (2,),
            (
                "Number of dimensions of repeat dims can not be smaller than number of dimensions "
                "of tensor"
            ),
        ),
        ("Tensor.repeat", "2 3", (-1, 2), None),
        ("torch.repeat_interleave", "2 3", (-2, 0), "Repeats must be non-negative"),
        (
            "torch.repeat_interleave",
            "2 3",
            (dims("3"), 0),
            (
                "repeats must have the same size as input along dim, but got repeats.size(0) = 3 "
                "and input.size(0) = 2"
            ),
        ),
        (
            "torch.repeat_interleave",
            "2 3",
            (dims("1 3"), 0),
            "repeats must be 0-dim or 1-dim tensor",
        ),
    ],
)
def test_refused(path: str, source: str, arguments: tuple[Any, ...], sentence: str | None) -> None:
    with pytest.raises(Mistake) as caught:
        infer(path, (shape(source), *arguments))
    assert sentence in (None, caught.value.sentence())
    assert caught.value.message()


def test_each_result_keeps_its_own_names() -> None:
    answer = infer("torch.broadcast_tensors", (shape("N:b C:c"), shape("M:b 1")))
    assert answer.result == (shape("N:b C:c"), shape("M:b c"))
    answer = infer("torch.broadcast_tensors", (shape("C:c"), shape("... M:b 1")))
    assert answer.result == (shape("... b C:c"), shape("... M:b c"))
    assert not answer.doubts


def test_dims_that_do_not_grow_are_the_same_objects() -> None:
    source = dims("N:b C:c")
    for path, sizes in (("Tensor.expand", (2, -1, -1)), ("Tensor.repeat", (2, 1, 1))):
        result = infer(path, (source, *sizes)).result
        assert result[1] is source[0]
        assert result[2] is source[1]


def test_grids() -> None:
    vectors = (shape("H:h"), shape("W:w"))
    assert infer("torch.meshgrid", vectors).result == (shape("H:h W:w"),) * 2
    turned = infer("torch.meshgrid", vectors, {"indexing": "xy"}).result
    assert turned == (shape("W:w H:h"),) * 2
    assert infer("numpy.meshgrid", vectors).result == turned
    sparse = infer("numpy.meshgrid", vectors, {"indexing": "ij", "sparse": True}).result
    assert sparse == (shape("H:h 1"), shape("1 W:w"))
    unsure = infer("torch.meshgrid", vectors, {"indexing": UNKNOWN}).result
    assert unsure == (shape("?:? ?:?"),) * 2
    assert infer("torch.meshgrid", (shape("n"), shape("..."))).result == (shape("n ?:?"),) * 2
    with pytest.raises(Mistake) as caught:
        infer("torch.meshgrid", (shape("H:h"), shape("H:h")))
    assert caught.value.code == "NC104"
    with pytest.raises(Mistake) as caught:
        infer("torch.meshgrid", (shape("2 3"),))
    assert caught.value.code == "NC303"

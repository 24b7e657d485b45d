"""Joins of partly known tensors."""

from __future__ import annotations

from typing import Any

import pytest

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN, Shape
from namecheck_runtime.mistakes import Mistake
from shapes import dims, shape, size


def shapes(text: str) -> tuple[Shape, ...]:
    """Several shapes, separated by `|`."""
    return tuple(map(shape, text.split("|")))


@pytest.mark.parametrize(
    ("path", "tensors", "arguments", "expected"),
    [
        ("torch.cat", "N:2 C:c | N:3 C:c", (), "N:5 C:c"),
        ("torch.cat", "N:b C:c | N:b C:d", (1,), "N:b C:c+d"),
        ("torch.cat", "N:b C:c | N:b C:d", ("C",), "N:b C:c+d"),
        ("torch.cat", "N:b C:c | N:b C:c | N:b C:c", (-1,), "N:b C:3*c"),
        # Names unify, and known sizes replace unknown ones.
        ("torch.cat", "N:b c | b C:c", (1,), "N:b C:2*c"),
        ("torch.cat", "?:b c | N:b c", (1,), "N:b 2*c"),
        ("torch.cat", "?:b c | b c", (1,), "?:b 2*c"),
        ("torch.cat", "? C:c | b C:c", (1,), "b C:2*c"),
        ("torch.cat", "b ? | b c", (1,), "b ?"),
        ("torch.cat", "b c | b c", (UNKNOWN,), "?:? ?:?"),
        ("torch.cat", "N:b C:c", (0,), "N:b C:c"),
        # Of an unknown rank, the certain dims stay.
        ("torch.cat", "b c | ...", (0,), "?:? ?:c"),
        ("torch.cat", "N:b C:c | ... c", (1,), "N:b C:2*c"),
        ("torch.cat", "... t c | ... t d", (-1,), "... t c+d"),
        ("torch.cat", "... T:t c | ... c", (-1,), "... 2*c"),
        ("torch.cat", "... t c | ... t d", (1,), "... ? ?"),
        ("torch.cat", "... t c | ... t c", (-3,), "... t c"),
        ("torch.cat", "... | ...", (-1,), "..."),
        # An empty vector joins with everything, as long as no dim has a name.
        ("torch.cat", "0 | 2 3", (1,), "2 3"),
        ("torch.cat", "? | 2 3", (1,), "2 3"),
        ("torch.cat", "0 | 5", (), "5"),
        ("torch.cat", "? | 5", (), "?"),
        ("numpy.concatenate", "2 c | 3 c", (), "5 c"),
        ("numpy.concatenate", "2 c | 3 c", (None,), "5*c"),
        ("numpy.concatenate", "2 c | 3 c", (UNKNOWN,), "..."),
        ("jax.lax.concatenate", "2 c | 3 c", (0,), "5 c"),
        ("torch.stack", "N:b C:c | N:b C:c", (), "2 N:b C:c"),
        ("torch.stack", "N:b C:c | b c | b c", (-1,), "N:b C:c 3"),
        ("torch.stack", "N:b C:? | b c", (1,), "N:b 2 C:c"),
        ("torch.stack", "... C:c | ... c", (-1,), "... C:c 2"),
        ("torch.stack", "... C:c | ... c", (0,), "... C:c"),
        ("torch.stack", "... T:t C:c | ... C:c", (-2,), "... 2 C:c"),
        ("torch.stack", "b c | ...", (0,), "2 ?:b ?:c"),
        ("torch.stack", "b c | b c", (UNKNOWN,), "?:? ?:? ?:?"),
        ("numpy.stack", "b c | b c", (1,), "b 2 c"),
        ("torch.hstack", "b c | b d", (), "b c+d"),
        ("torch.hstack", "N:b | d", (), "N:b+d"),
        ("torch.hstack", " | 3", (), "4"),
        ("torch.vstack", "b c | d c", (), "b+d c"),
        ("torch.vstack", "C:c | C:c", (), "2 C:c"),
        ("torch.dstack", "a b | a b", (), "a b 2"),
        ("torch.dstack", "n | n", (), "1 n 2"),
        ("torch.column_stack", "N:n | n 2", (), "N:n 3"),
        ("torch.column_stack", "... 3 | n", (), "?:n ?:?"),
        ("numpy.column_stack", "n | n | n", (), "n 3"),
    ],
)
def test_joins(path: str, tensors: str, arguments: tuple[Any, ...], expected: str) -> None:
    assert infer(path, (shapes(tensors), *arguments)).result == shape(expected)


def test_other_joins() -> None:
    assert infer("numpy.append", (shape("b c"), shape("3"))).result == shape("b*c+3")
    assert infer("numpy.append", (shape("b c"), shape("3 c"), 0)).result == shape("b+3 c")
    assert infer("torch.cartesian_prod", shapes("a | b | c")).result == shape("a*b*c 3")
    assert infer("torch.combinations", (shape("5"), 3)).result == shape("10 3")
    assert infer("torch.combinations", (shape("n"),)).result == shape("? 2")
    assert infer("torch.block_diag", shapes("a b | c d")).result == shape("a+c b+d")


@pytest.mark.parametrize(
    ("path", "tensors", "arguments", "duties"),
    [
        ("torch.cat", "b c | d c", (1,), [("b", "d")]),
        ("torch.cat", "b c | b c", (1,), []),
        ("torch.cat", "? c | b c | d c", (1,), [("b", "d")]),
        ("torch.stack", "b c | b d", (), [("c", "d")]),
    ],
)
def test_joins_have_duties(
    path: str, tensors: str, arguments: tuple[Any, ...], duties: list[tuple[str, str]]
) -> None:
    from_rule = infer(path, (shapes(tensors), *arguments)).duties
    assert [(duty.left, duty.right) for duty in from_rule] == [
        (size(left), size(right)) for left, right in duties
    ]
    assert not any(duty.or_one for duty in from_rule)


def test_other_dims_are_the_same_objects() -> None:
    source = dims("N:b T:t C:c")
    result = infer("torch.cat", ((source, dims("b t d")), -1)).result
    assert result[0] is source[0]
    assert result[1] is source[1]
    result = infer("torch.stack", ((source, source),)).result
    assert result[1:] == source
    assert result[1] is source[0]


@pytest.mark.parametrize(
    ("path", "tensors", "arguments", "code", "sentence"),
    [
        (
            "torch.cat",
            "2 3 | 2 4",
            (),
            "NC207",
            (
                "Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 "
                "for tensor number 1 in the list."
            ),
        ),
        ("torch.cat", "b t | b t+1", (), "NC207", None),
        (
            "torch.cat",
            "2 3 | 3",
            (),
            "NC303",
            "Tensors must have same number of dimensions: got 2 and 1",
        ),
        ("torch.cat", "2 3 | ... 2 3 4", (), "NC303", None),
        (
            "torch.cat",
            "N:2 C:3 | 0",
            (),
            "NC303",
            "Tensors must have same number of dimensions: got 2 and 1",
        ),
        ("numpy.concatenate", "2 3 | 0", (), "NC303", None),
        (
            "torch.cat",
            "2 3 | ",
            (),
            "NC303",
            "zero-dimensional tensor (at position 1) cannot be concatenated",
        ),
        (
            "torch.cat",
            "N:2 C:3 | N:2 X:3",
            (),
            "NC101",
            (
                "Error when attempting to cat dims ['N', 'C'] and dims ['N', 'X']: dim 'C' and dim "
                "'X' are at the same position from the right but do not match."
            ),
        ),
        ("torch.cat", "N:3 3 | 3 N:3", (), "NC102", None),
        ("torch.cat", "N:2 C:3 | 2 3", ("Q",), "NC103", None),
        ("torch.cat", "2 3 | 2 3", (2,), "NC301", None),
        (
            "torch.stack",
            "2 3 | 2 4",
            (),
            "NC207",
            (
                "stack expects each tensor to be equal size, but got [2, 3] at entry 0 and [2, 4] "
                "at entry 1"
            ),
        ),
        ("torch.stack", "2 3 | 3", (), "NC207", None),
        ("torch.stack", "2 3 | 2 3", (3,), "NC301", None),
        ("torch.hstack", "2 1 | 2", (), "NC303", None),
        ("torch.vstack", "2 3 | 4", (), "NC207", None),
    ],
)
def test_refused(
    path: str, tensors: str, arguments: tuple[Any, ...], code: str, sentence: str | None
) -> None:
    with pytest.raises(Mistake) as caught:
        infer(path, (shapes(tensors), *arguments))
    assert caught.value.code == code
    assert sentence in (None, caught.value.sentence())
    assert caught.value.message()


def test_nothing_to_join() -> None:
    with pytest.raises(Mistake) as caught:
        infer("torch.cat", ((), 0))
    assert caught.value.sentence() == "torch.cat(): expected a non-empty list of Tensors"
    assert caught.value.exception is ValueError
    with pytest.raises(Mistake) as caught:
        infer("torch.stack", ((),))
    assert caught.value.sentence() == "stack expects a non-empty TensorList"


def test_an_unknown_list_gives_an_unknown_tensor() -> None:
    assert infer("torch.cat", (UNKNOWN, 0)).result is UNKNOWN
    assert infer("torch.stack", ((shape("n"), UNKNOWN), 0)).result == shape("2 ?:n")


def test_the_out_tensor_takes_the_names() -> None:
    out = {"out": dims("5 3")}
    assert infer("torch.cat", (shapes("N:2 C:3 | N:3 C:3"),), out).result == shape("N:5 C:3")

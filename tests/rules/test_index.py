"""Subscripts and tensors of indices, on partly known shapes."""

from __future__ import annotations

from typing import Any

import pytest

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN, Mark, Shape
from namecheck_runtime.mistakes import Mistake
from namecheck_runtime.rules.index import IndexKind, IndexTensor
from shapes import dims, shape, size, sym


def ints(text: str) -> IndexTensor:
    """A tensor of indices."""
    return IndexTensor(shape(text), "int")


def mask(text: str) -> IndexTensor:
    """A tensor of truth values."""
    return IndexTensor(shape(text), "bool")


def some(text: str) -> IndexTensor:
    """A tensor of indices or of truth values."""
    return IndexTensor(shape(text), "unknown")


class Subscript:
    """`at[1:, None]` is the index between the brackets."""

    def __getitem__(self, index: Any) -> Any:
        return index


at = Subscript()
ALL = slice(None)
B, T, C, D, K = map(sym, "btcdk")


SUBSCRIPTS = [
    # Numbers drop a dim, slices keep it, None inserts one, `...` stands for the rest.
    ("N:b T:t C:c", at[0], "T:t C:c"),
    ("N:b T:t C:c", at[:, -1], "N:b C:c"),
    ("N:b T:t C:c", at[T], "T:t C:c"),
    ("N:b T:t C:c", at[:], "N:b T:t C:c"),
    ("N:b T:t C:c", at[..., 0], "N:b T:t"),
    ("N:b T:t C:c", at[0, ..., 0], "T:t"),
    ("N:b T:t C:c", at[:, None], "N:b 1 T:t C:c"),
    ("N:b T:t C:c", at[..., None], "N:b T:t C:c 1"),
    ("N:b T:t C:c", at[None, :, None, 0], "1 N:b 1 C:c"),
    ("N:b T:t", at[()], "N:b T:t"),
    ("N:b T:t", at[...], "N:b T:t"),
    ("N:b T:t", at[..., :, :], "N:b T:t"),
    ("", at[...], ""),
    ("", at[None], "1"),
    # Slices, exact even if a bound is outside.
    ("T:5", at[1:3], "T:2"),
    ("T:5", at[:9], "T:5"),
    ("T:5", at[9:], "T:0"),
    ("T:5", at[::2], "T:3"),
    ("T:5", at[-2:], "T:2"),
    ("T:t", at[1:], "T:t-1"),
    ("T:t", at[:-1], "T:t-1"),
    ("T:t", at[:1], "T:1"),
    ("T:t", at[-1:], "T:1"),
    ("T:t", at[0:], "T:t"),
    ("T:t", at[::1], "T:t"),
    ("T:t", at[::2], "T:ceil(t,2)"),
    ("T:t", at[:3], "T:min(3,t)"),
    ("T:t", at[3:], "T:t-min(3,t)"),
    ("T:t", at[:-3], "T:t-min(3,t)"),
    ("T:t", at[-3:], "T:min(3,t)"),
    ("T:t", at[1:-1], "T:t-min(2,t)"),
    ("T:t", at[2:2], "T:0"),
    ("T:t", at[3:2], "T:0"),
    ("T:t", at[-2:-3], "T:0"),
    ("T:t", at[:K], "T:min(k,t)"),
    ("T:t", at[:T], "T:t"),
    ("T:3*c", at[:C], "T:c"),
    ("T:3*c", at[C : size("2*c")], "T:c"),
    ("T:3*c", at[size("2*c") :], "T:c"),
    ("T:3*c", at[size("-1*c") :], "T:c"),
    ("T:t+1", at[1:], "T:t"),
    ("T:2*t", at[::2], "T:t"),
    ("T:t", at[size("t-k") :], "T:?"),
    ("T:?", at[1:], "T:?"),
    ("T:?", at[:], "T:?"),
    ("T:?", at[0:], "T:?"),
    ("T:t", at[:UNKNOWN], "T:?"),
    ("T:t", at[::-1], "T:t"),
    # Of an unknown rank, the dims that the entries cannot reach stay.
    ("... T:t C:c", at[..., 0], "... T:t"),
    ("... T:t C:c", at[..., :D], "... T:t C:min(d,c)"),
    ("... T:t C:c", at[..., None], "... T:t C:c 1"),
    ("... T:t C:c", at[..., None, :], "... T:t 1 C:c"),
    ("... T:t C:c", at[0], "... C:c"),
    ("... T:t C:c", at[:, 0], "..."),
    ("... T:t C:c", at[None], "... T:t C:c"),
    ("...", at[..., None], "... 1"),
    ("...", at[..., 0], "..."),
    ("...", at[..., :, None], "... ?:? 1"),
    ("...", at[:, 0], "..."),
    # An unknown entry may take any number of dims.
    ("N:b T:t C:c", at[UNKNOWN], "..."),
    ("N:b T:t C:c", at[UNKNOWN, ..., :, 0], "... T:t"),
    ("N:b T:t C:c", at[..., UNKNOWN, :], "... C:c"),
    # The result has the dims of the tensors of indices.
    ("N:b C:c", at[ints("k")], "k C:c"),
    ("N:b C:c", at[ints("K:k J:3")], "K:k J:3 C:c"),
    ("N:b C:c", at[:, ints("k")], "N:b k"),
    ("N:b C:c", at[ints("")], "C:c"),
    ("N:b T:t C:c", at[ints("k"), ints("k")], "k C:c"),
    ("N:b T:t C:c", at[ints("k 1"), ints("3")], "k 3 C:c"),
    ("N:b T:t C:c", at[:, ints("k"), ints("k")], "N:b k"),
    ("N:b T:t C:c", at[ints("k"), :, ints("k")], "k T:t"),
    ("N:b T:t C:c", at[ints("k"), None, ints("k")], "k 1 C:c"),
    ("N:b T:t C:c", at[:, ints("k"), None, ints("k")], "k N:b 1"),
    ("N:b T:t H:h C:c", at[:, ints("k"), :, ints("k")], "k N:b H:h"),
    ("N:b T:t H:h C:c", at[:, ints("k"), ints("k")], "N:b k C:c"),
    ("N:b T:t C:c", at[..., ints("k")], "N:b T:t k"),
    ("... T:t C:c", at[..., ints("k")], "... T:t k"),
    ("... T:t C:c", at[ints("k")], "... C:c"),
    ("N:b C:c", at[ints("...")], "... C:c"),
    ("N:b C:c", at[[0, 2]], "2 C:c"),
    ("N:b C:c", at[:, [0, 2, 1]], "N:b 3"),
    ("N:b C:c", at[[[0], [1]]], "2 1 C:c"),
    # Masks take as many dims as they have.
    ("N:b C:c", at[mask("b")], "? C:c"),
    ("N:b T:t C:c", at[mask("b t")], "? C:c"),
    ("N:b T:t C:c", at[:, mask("t")], "N:b ? C:c"),
    ("N:b T:t C:c", at[..., mask("c")], "N:b T:t ?"),
    ("N:b C:c", at[mask("...")], "..."),
    ("N:b C:c", at[[True, False]], None),
    ("N:2 C:c", at[[True, False]], "? C:c"),
    ("N:b C:c", at[True], "1 N:b C:c"),
    ("N:b C:c", at[False], "0 N:b C:c"),
    # One dim of either kind takes one dim and gives one; more dims may be any number.
    ("N:b C:c", at[some("k")], "? C:c"),
    ("N:b C:c", at[some("K:k")], "?:? C:c"),
    ("N:b T:t C:c", at[some("b t")], "... C:c"),
    ("N:b T:t C:c", at[some("...")], "..."),
    ("N:b T:t C:c", at[some("")], "... T:t C:c"),
    ("N:b T:t C:c", at[dims("k")], "? T:t C:c"),
]


@pytest.mark.parametrize(("source", "index", "expected"), SUBSCRIPTS)
def test_subscripts(source: str, index: Any, expected: str | None) -> None:
    answer = infer("operator.getitem", (shape(source), index))
    if expected is None:
        assert [(duty.left, duty.right) for duty in answer.duties] == [(2, B)]
        return
    assert answer.result == shape(expected)
    if index != at[::-1]:
        assert infer("Tensor.__getitem__", (shape(source), index)).result == shape(expected)


def test_a_number_beside_index_tensors() -> None:
    """PyTorch applies it first, to NumPy it is an index tensor; for both the rank is certain."""
    index = (0, ALL, ints("k"))
    source = shape("N:b T:t C:c")
    assert infer("Tensor.__getitem__", (source, index)).result == shape("T:t k")
    assert infer("ndarray.__getitem__", (source, index)).result == shape("k T:t")
    assert infer("operator.getitem", (source, index)).result == shape("?:? ?:?")
    side_by_side = (ints("k"), 0)
    for path in ("Tensor.__getitem__", "ndarray.__getitem__", "operator.getitem"):
        assert infer(path, (source, side_by_side)).result == shape("k C:c")


def test_dims_that_stay_are_the_same_objects() -> None:
    source = dims("N:b T:t C:c")
    result = infer("operator.getitem", (source, (ALL, 0, slice(0, None)))).result
    assert result[0] is source[0]
    assert result[1] is source[2]
    (inserted, _) = infer("operator.getitem", (dims("b"), (None,))).result
    assert inserted.trace is not None
    assert Mark.INSERTED in inserted.trace.marks


def test_a_mask_has_the_sizes_of_the_masked_dims() -> None:
    answer = infer("operator.getitem", (shape("b t c"), (ALL, mask("k"))))
    assert [(duty.left, duty.right) for duty in answer.duties] == [(K, T)]
    with pytest.raises(Mistake) as caught:
        infer("operator.getitem", (shape("2 3 4"), mask("3 2")))
    assert caught.value.sentence() == (
        "The shape of the mask [3, 2] at index 0 does not match the shape of the indexed tensor "
        "[2, 3, 4] at index 0"
    )


@pytest.mark.parametrize(
    ("source", "index", "code", "sentence"),
    [
        ("2 3", at[0, 0, 0], "NC301", "too many indices for tensor of dimension 2"),
        ("b t", at[:, :, None, :], "NC301", "too many indices for tensor of dimension 2"),
        ("b t", at[UNKNOWN, 0, 0, 0], "NC301", "too many indices for tensor of dimension 2"),
        ("2 3", at[5], "NC301", "index 5 is out of bounds for dimension 0 with size 2"),
        ("2 b 3", at[..., -4], "NC301", "index -4 is out of bounds for dimension 1 with size 3"),
        ("", at[:], "NC301", "slice() cannot be applied to a 0-dim tensor."),
        ("2 3", at[::0], "NC212", "slice step cannot be zero"),
        ("N:b C:c", at[:, ints("N:k")], "NC104", None),
        ("b t", at[ints("2"), ints("3")], "NC201", None),
    ],
)
def test_refused_subscripts(source: str, index: Any, code: str, sentence: str | None) -> None:
    with pytest.raises(Mistake) as caught:
        infer("operator.getitem", (shape(source), index))
    assert caught.value.code == code
    assert sentence in (None, caught.value.sentence())
    assert caught.value.message()


def test_only_torch_refuses_a_negative_step() -> None:
    with pytest.raises(Mistake) as caught:
        infer("Tensor.__getitem__", (shape("t"), at[::-1]))
    assert caught.value.sentence() == "step must be greater than zero"
    assert caught.value.exception is ValueError


@pytest.mark.parametrize(
    ("source", "index", "value", "code"),
    [
        ("N:b C:c", at[0], "C:c", None),
        ("N:b C:c", at[0], "", None),
        ("N:b C:c", at[0], "1 c", None),
        ("N:b C:c", at[0], "...", None),
        ("N:b C:c", at[:], "c", None),
        ("2 3", at[0], "1", None),
        ("2 3", at[0], "2", "NC206"),
        ("2 3", at[0], "2 3", "NC206"),
        ("2 3", at[0], "b 3", None),
        ("N:b C:c", at[0], "D:c", "NC101"),
        ("2 3", at[mask("2")], "5 3", None),
        ("2 3", at[:, 1:], "2 3", "NC206"),
        ("... 3", at[..., 0], "2", None),
    ],
)
def test_assignment(source: str, index: Any, value: str, code: str | None) -> None:
    call = (shape(source), index, shape(value))
    if code is None:
        assert infer("operator.setitem", call).result == shape(source)
        return
    with pytest.raises(Mistake) as caught:
        infer("operator.setitem", call)
    assert caught.value.code == code


def test_an_assignment_has_a_duty() -> None:
    answer = infer("operator.setitem", (shape("b c"), at[0], shape("d")))
    assert [(d.left, d.right, d.or_one) for d in answer.duties] == [(D, C, True)]


@pytest.mark.parametrize(
    ("path", "source", "arguments", "expected"),
    [
        ("torch.select", "N:b T:t C:c", (1, 0), "N:b C:c"),
        ("torch.select", "N:b T:t C:c", ("T", K), "N:b C:c"),
        ("torch.select", "... T:t C:c", (-2, 0), "... C:c"),
        ("torch.select", "N:b ?:t", ("T", 0), "?:?"),
        ("torch.index_select", "N:b C:c", (1, dims("k")), "N:b C:k"),
        ("torch.index_select", "N:b C:c", (1, UNKNOWN), "N:b C:?"),
        ("torch.index_select", "... C:c", (-1, dims("k")), "... C:k"),
        ("torch.gather", "N:b C:c", (1, dims("b k")), "N:b k"),
        ("torch.gather", "N:b C:c", (1, UNKNOWN), "N:? ?:?"),
        ("torch.gather", "...", (1, dims("b k")), "?:b ?:k"),
        ("torch.gather", "N:b C:c", (UNKNOWN, dims("b k")), "?:b ?:k"),
        ("torch.scatter", "N:b C:c", (1, dims("b k"), 1.0), "N:b C:c"),
        ("torch.scatter", "N:b C:c", (1, dims("b k"), UNKNOWN), "N:b C:c"),
        ("Tensor.scatter_", "N:b C:c", (1, dims("b k"), dims("b k")), "N:b C:c"),
        ("torch.scatter_add", "... C:c", (-1, UNKNOWN, UNKNOWN), "... C:c"),
        ("torch.index_add", "N:b C:c", (0, dims("k"), dims("k c")), "N:b C:c"),
        ("torch.index_fill", "N:b C:c", ("C", dims("k"), 0.0), "N:b C:c"),
        ("torch.index_put", "b c", ((ints("k"),), dims("k c")), "b c"),
        ("torch.take", "N:b C:c", (dims("k 2"),), "k 2"),
        ("numpy.take", "b c", (dims("k 2"),), "k 2"),
        ("numpy.take", "b t c", (dims("k 2"), 1), "b k 2 c"),
        ("numpy.take", "b t c", (0, 1), "b c"),
        ("numpy.take", "b t c", ([0, 2], -1), "b t 2"),
        ("numpy.take", "... t c", (dims("k"), -2), "... k c"),
        ("numpy.take", "b t", (dims("k"), UNKNOWN), "..."),
        ("torch.take_along_dim", "N:b C:c", (dims("b k"), 1), "N:b k"),
        ("torch.take_along_dim", "N:b C:c", (dims("1 k"), 1), "N:b k"),
        ("torch.take_along_dim", "N:b C:c", (dims("b k"),), "b*k"),
        ("numpy.take_along_axis", "b c", (dims("b k"), -1), "b k"),
        ("numpy.compress", "?", (shape("b c"), 1), "b ?"),
        ("numpy.delete", "b c", (0, 1), "b c-1"),
        ("numpy.delete", "b c", (UNKNOWN, 1), "b ?"),
        ("numpy.insert", "b c", (0, 1.0, 1), "b ?"),
        ("jax.lax.dynamic_slice", "b c", (UNKNOWN, (1, C)), "1 c"),
        ("jax.lax.slice_in_dim", "b c", (1, None), "b-1 c"),
        ("jax.lax.dynamic_index_in_dim", "b c", (UNKNOWN, 0, False), "c"),
    ],
)
def test_indices(path: str, source: str, arguments: tuple[Any, ...], expected: str) -> None:
    assert infer(path, (shape(source), *arguments)).result == shape(expected)


@pytest.mark.parametrize(
    ("path", "source", "arguments", "sentence"),
    [
        (
            "torch.select",
            "N:2 C:3",
            (0, 2),
            "select(): index 2 out of range for tensor of size [2, 3] at dimension 'N'",
        ),
        ("torch.index_select", "2 3", (0, dims("2 2")), None),
        (
            "torch.gather",
            "2 3",
            (1, dims("3 5")),
            (
                "Size does not match at dimension 0 expected index [3, 5] to be no larger than "
                "self [2, 3] apart from dimension 1"
            ),
        ),
        ("torch.gather", "N:2 C:3", (1, dims("M:2 K:5")), None),
        (
            "torch.gather",
            "2 3",
            (1, dims("5")),
            "Index tensor must have the same number of dimensions as input tensor",
        ),
        ("torch.scatter", "2 3", (1, dims("3 2"), 1.0), None),
        ("torch.scatter", "2 3", (1, dims("2 4"), dims("2 3")), None),
        ("torch.index_add", "2 3", (0, dims("2"), dims("2 4")), None),
        ("torch.index_copy", "2 3", (0, dims("2"), dims("3")), None),
        ("torch.index_fill", "2 3", (0, dims("2"), dims("1")), None),
        (
            "torch.take_along_dim",
            "2 3",
            (dims("5"), 1),
            (
                "torch.take_along_dim(): input and indices should have the same number of "
                "dimensions, but got 2 dimensions for input, and 1 dimensions for indices"
            ),
        ),
        ("torch.put", "2 3", (dims("4"), dims("3")), None),
    ],
)
def test_refused_indices(
    path: str, source: str, arguments: tuple[Any, ...], sentence: str | None
) -> None:
    with pytest.raises(Mistake) as caught:
        infer(path, (shape(source), *arguments))
    assert sentence in (None, caught.value.sentence())
    assert caught.value.message()


@pytest.mark.parametrize("kind", ["int", "bool", "unknown"])
@pytest.mark.parametrize("text", ["k", "K:k", "b t", "..."])
@pytest.mark.parametrize("source", ["N:b T:t C:c", "N:b T:3 C:c", "... T:t C:c"])
def test_an_unknown_index_admits_the_known_result(source: str, text: str, kind: IndexKind) -> None:
    """Less knowledge of the indexed tensor or of the index never contradicts the dims."""

    def ask(source: Shape, index: IndexTensor) -> Shape:
        result: Shape = infer("Tensor.__getitem__", (source, (index, ..., ALL))).result
        return result

    exact = ask(shape(source), IndexTensor(shape(text), kind))
    for vague in (
        ask(shape(source), IndexTensor(shape(text), "unknown")),
        ask(shape(source), IndexTensor(UNKNOWN, kind)),
        ask(shape("... C:c"), IndexTensor(shape(text), kind)),
    ):
        assert admits(vague, exact)


def admits(vague: Shape, exact: Shape) -> bool:
    """Whether `vague` may be `exact`, counted from the right."""
    if vague is UNKNOWN or exact is UNKNOWN:
        return vague is UNKNOWN or not isinstance(vague, tuple)
    ours = vague if isinstance(vague, tuple) else vague.dims
    theirs = exact if isinstance(exact, tuple) else exact.dims
    if isinstance(vague, tuple) and len(ours) != len(theirs):
        return False
    return all(
        mine.size in (UNKNOWN, other.size) and mine.name in (UNKNOWN, other.name)
        for mine, other in zip(reversed(ours), reversed(theirs), strict=False)
    )

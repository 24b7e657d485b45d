"""Reshape, flatten, squeeze and similar ops, on partly known shapes."""

from __future__ import annotations

from typing import Any

import pytest

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from namecheck_runtime.algebra import merge
from namecheck_runtime.infer import Answer, infer
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Mark, Trace
from namecheck_runtime.mistakes import Mistake
from namecheck_runtime.mistakes.sizes import ReshapeSize, ScrambledReshape
from namecheck_runtime.sizes import Origin, symbol
from shapes import dims, shape, size, sym


def target(text: str) -> tuple[Any, ...]:
    """Sizes as they are passed: `-1`, `?`, `3`, `t*h`."""
    return tuple(-1 if word == "-1" else size(word) for word in text.split())


def ask(source: str, sizes: str) -> Answer:
    return infer("torch.reshape", (shape(source), target(sizes)))


RESHAPES = [
    # Dims that stay keep their names, merged and split ones have none.
    ("N:2 C:3", "2 3", "N:2 C:3"),
    ("N:2 C:3", "6", "6"),
    ("N:2 C:3 H:4", "2 12", "N:2 12"),
    ("N:2 C:3 H:4", "6 4", "6 H:4"),
    ("N:2 C:6", "2 2 3", "N:2 2 3"),
    ("N:2 C:3", "3 2", "3 2"),
    ("N:2 C:3", "-1", "6"),
    ("N:b T:t C:c", "b t c", "N:b T:t C:c"),
    ("N:b T:t C:h*d", "b t h d", "N:b T:t h d"),
    ("N:b T:t H:h D:d", "b t h*d", "N:b T:t h*d"),
    ("N:b H:h T:t D:d", "b*h t d", "b*h T:t D:d"),
    ("b*h T:t D:d", "b h t d", "b h T:t D:d"),
    # -1 is solved exactly.
    ("b t c", "b -1", "b t*c"),
    ("b t c", "b t h -1", "b t h c/h"),
    ("b t c", "-1 c", "b*t c"),
    ("b t 3*c", "b t 3 -1", "b t 3 c"),
    ("N:b T:t C:c", "b -1 c", "N:b T:t C:c"),
    ("6*b 4", "b -1", "b 24"),
    ("b t", "-1 2", "(b*t)/2 2"),
    ("2 0 3", "0 -1 7", None),
    # Of unknown sizes, the certain dims stay.
    ("N:b T:? C:c", "b -1 c", "N:b T:? C:c"),
    ("N:b T:? C:c", "b t c", "N:b T:t C:c"),
    ("N:b T:? C:c", "b ? c", "N:b T:? C:c"),
    ("N:b T:t C:c", "b ? c", "N:b T:t C:c"),
    ("N:? C:3", "2 3", "N:2 C:3"),
    ("N:? C:3", "3", "C:3"),
    ("N:? C:?", "6", "?:6"),
    ("? ?", "6", "6"),
    ("N:? C:? H:4", "6 4", "?:6 H:4"),
    ("N:b T:t", "x y", "?:x ?:y"),
    ("N:b T:t C:c", "b x c", "N:b T:x C:c"),
    ("?:b ?:t C:c", "b*t c", "b*t C:c"),
    ("?:b T:t", "b t", "?:b T:t"),
    # Dims of size 1 come and go.
    ("N:1 C:4", "4", "C:4"),
    ("N:1 C:4", "1 4", "N:1 C:4"),
    ("C:4", "1 4", "1 C:4"),
    ("C:4", "4 1 1", "C:4 1 1"),
    ("N:b 1 T:t", "b t", "N:b T:t"),
    ("N:b T:t", "b 1 t 1", "N:b 1 T:t 1"),
    ("N:1 M:1 C:4", "1 4", "1 C:4"),
    ("N:2 O:1 C:3", "6", "6"),
    ("N:?", "1 5", "?:1 ?:5"),
    ("N:1 C:?", "1 5", "N:1 C:5"),
    ("", "1 1", "1 1"),
    ("1 1", "", ""),
    # Empty dims.
    ("N:0 C:3", "0 3", "N:0 C:3"),
    ("N:0 C:3", "5 0 3", "5 N:0 C:3"),
    ("N:0 C:4 D:2", "-1 2", "N:0 D:2"),
    ("N:? C:3", "0 5", "?:0 ?:5"),
    # The number of sizes is the rank of an unknown tensor.
    ("...", "b -1", "?:b ?:?"),
    ("... T:t", "b 2", "?:b ?:2"),
]


@pytest.mark.parametrize(("source", "sizes", "expected"), RESHAPES)
def test_reshape(source: str, sizes: str, expected: str | None) -> None:
    if expected is None:
        with pytest.raises(ReshapeSize):
            ask(source, sizes)
        return
    assert ask(source, sizes).result == shape(expected)


@pytest.mark.parametrize(("source", "sizes", "expected"), RESHAPES)
def test_a_view_gives_the_shape_of_a_reshape(source: str, sizes: str, expected: str | None) -> None:
    if expected is not None:
        assert infer("Tensor.view", (shape(source), *target(sizes))).result == shape(expected)


def test_dims_that_stay_are_the_same_objects() -> None:
    source = dims("N:b T:t H:h D:d")
    result = infer("torch.reshape", (source, target("b t h*d"))).result
    assert result[0] is source[0]
    assert result[1] is source[1]
    assert result[2].trace == Trace(factors=source[2:])


def test_a_merged_dim_is_split_into_its_factors() -> None:
    inner = merge(dims("H:h W:w"))
    source = (*dims("N:b"), Dim("F", inner.size, inner.trace))
    result = infer("torch.reshape", (source, target("b h w"))).result
    assert result == shape("N:b h w")


@pytest.mark.parametrize(
    ("source", "sizes", "duty"),
    [
        ("b t c", "b t h d", ("b*t*c", "b*t*h*d")),
        ("b t c", "b t h c", ("b*t*c", "b*t*h*c")),
        ("b t", "x y", ("b*t", "x*y")),
        ("b t c", "b t c", None),
        ("b t c", "b -1", None),
        ("? t c", "b x", None),
        ("? t c", "? x", None),
        ("b ? c", "b x y", None),
    ],
)
def test_element_counts_are_required_equal(
    source: str, sizes: str, duty: tuple[str, str] | None
) -> None:
    duties = ask(source, sizes).duties
    sides = [(duty.left, duty.right, duty.or_one) for duty in duties]
    assert sides == ([] if duty is None else [(size(duty[0]), size(duty[1]), False)])


@pytest.mark.parametrize(
    ("source", "sizes", "sentence"),
    [
        ("2 3", "4 2", "shape '[4, 2]' is invalid for input of size 6"),
        ("2 3", "4 -1", "shape '[4, -1]' is invalid for input of size 6"),
        ("2 3", "-1 -1", "only one dimension can be inferred"),
        ("b t", "-1 -1", "only one dimension can be inferred"),
        ("...", "-1 -1", "only one dimension can be inferred"),
        ("2 3", "-2 3", "invalid shape dimension -2 at index 0 of shape [-2, 3]"),
        (
            "0 3",
            "0 -1",
            (
                "cannot reshape tensor of 0 elements into shape [0, -1] because the unspecified "
                "dimension size -1 can be any value and is ambiguous"
            ),
        ),
        ("b 6", "b 4 -1", "shape '[b, 4, -1]' is invalid for input of size 6*b"),
        # No other test uses these letters: factors are shown in the order of their creation.
        ("row col", "row col+1", "shape '[row, col + 1]' is invalid for input of size row*col"),
        ("one 3*two", "one two", "shape '[one, two]' is invalid for input of size 3*one*two"),
    ],
)
def test_impossible_sizes_are_refused(source: str, sizes: str, sentence: str) -> None:
    with pytest.raises(ReshapeSize) as caught:
        ask(source, sizes)
    assert caught.value.sentence() == sentence


# NC205.

SCRAMBLED = [
    # The transpose before the merge is missing.
    ("b h t d", "b t h*d", "t"),
    ("b h t d", "b t C", None),  # only a duty: C may be h*d
    ("b h t c/h", "b t c", "t"),
    ("b t h d", "b h t*d", "h"),
    ("b t n c", "b*n t c", "b*n"),
    # A reshape is used as a transpose.
    ("b t v", "b v t", "v"),
    ("b v t", "v b t", "v"),
    ("h w", "w h", "w"),
    ("b c h w", "b h w c", "h"),
    ("b c h w", "b h*w c", "h*w"),
    ("b h*w c", "b c h w", "c"),
    ("t b c", "b t*c", "b"),
    ("b t c", "t*c b", "t*c"),
    # Heads are split without the transpose that moves them to the front.
    ("b t h*d", "b h t d", "h"),
    ("b t c", "b h t c/h", "h"),
    ("b t h c/h", "b h t c/h", "h"),
    ("b 1 t v", "b v t", "v"),
    # Dims that stay may be numbers, or expressions whose form says nothing.
    ("8 t v", "8 v t", "v"),
    ("b//2 t v 64", "b//2 v t 64", "v"),
    # Numbers count beside a named size.
    ("2 n c", "n 2 c", "n"),
    ("2 n c", "n 2*c", "n"),
    ("3 h w", "h w 3", "h"),
    ("b t 2 d", "b t d 2", "d"),
    ("2*t v", "v 2*t", "v"),
    # Each of two sizes divides one of the source: what stands beside them does not matter.
    ("n h/p w/p p p c", "n w/p h/p p p c", "w/p"),
    ("b*n t+t*k c", "b t n k+1 c", "t"),
    # One size is solved for; one is rounded.
    ("b t v", "b v -1", "v"),
    ("b h t d", "b t -1", "t"),
    ("b t//2 v", "b v t//2", "v"),
]

IN_ORDER = [
    ("b t h*d", "b t h d"),
    ("b t h d", "b t h*d"),
    ("b t c", "b t h c/h"),
    ("b t h c/h", "b t c"),
    # Merged sizes have no order of their own.
    ("b t d h", "b t h*d"),
    ("h*w c", "w h c"),
    ("b*t c", "t b c"),
    # Folding heads or time into the batch.
    ("b h t d", "b*h t d"),
    ("b*h t d", "b h t d"),
    ("t b h*d", "t b*h d"),
    ("t b c", "t b*h c/h"),
    ("t b*h c/h", "t*b c"),
    ("b t n c", "b*t n c"),
    # Windows, patches, pixel and channel shuffle.
    ("b h w c", "b h/p p w/p p c"),
    ("b h/p w/p p p c", "(b*h*w)/(p*p) p*p c"),
    ("b h/p p w/p p c", "b h w c"),
    ("b c*r*r h w", "b c r r h w"),
    ("b c h r w r", "b c h*r w*r"),
    ("b g c h w", "b g*c h w"),
    ("b c g h w", "b c*g h w"),
    ("b c h w", "b c h*w"),
    ("b c h*w", "b c h w"),
    ("n l m*d", "n l m d"),
    ("n m*d h*w", "n*m d h w"),
    # Rotary halves and pairs.
    ("b t d", "b t -1 2"),
    ("b t d", "b t 2 -1"),
    ("b t 2*d", "b t d 2"),
    ("b t 2*d", "b t 2 d"),
    # Numbers and unknown sizes are no evidence.
    ("b 8 t 64", "b t 512"),
    ("3 4", "4 3"),
    ("b 12 64", "b 64 12"),
    ("b h t d", "b t ?"),
    ("b h ? d", "b t h*d"),
    # The shift of relative positions: a sum is not a factor.
    ("b h t t+1", "b h t+1 t"),
    ("b h t s+1", "b h s+1 t"),
    # Equal sizes are ambiguous.
    ("b n n d", "b n n*d"),
    ("b n d n", "b n n d"),
    ("b t n n", "b n t n"),
    ("b t t v", "b v t t"),
    ("...", "b v t"),
]


@pytest.mark.parametrize(("source", "sizes", "moved"), SCRAMBLED)
def test_scrambled(source: str, sizes: str, moved: str | None) -> None:
    doubts = ask(source, sizes).doubts
    assert [type(doubt) for doubt in doubts] == ([] if moved is None else [ScrambledReshape])
    if moved is not None:
        assert isinstance(doubts[0], ScrambledReshape)
        assert doubts[0].moved == size(moved)


@pytest.mark.parametrize(("source", "sizes"), IN_ORDER)
def test_in_order(source: str, sizes: str) -> None:
    assert ask(source, sizes).doubts == ()


def test_the_order_of_a_merge_is_remembered() -> None:
    batch, heads, width = dims("b"), dims("h"), dims("d")
    merged = (*batch, merge((*heads, *width)))
    assert infer("torch.reshape", (merged, target("b h d"))).doubts == ()
    assert infer("torch.reshape", (merged, target("b d h"))).doubts != ()
    merged_twice = (merge((*batch, merge((*heads, *width)))),)
    assert infer("torch.reshape", (merged_twice, target("b h*d"))).doubts == ()
    assert infer("torch.reshape", (merged_twice, target("b d h"))).doubts != ()


def test_a_folded_batch_is_unfolded_in_the_same_order() -> None:
    folded: Dims = (merge(dims("b t")), *dims("c"))
    assert infer("torch.reshape", (folded, target("b t c"))).doubts == ()
    assert infer("torch.reshape", (folded, target("t b c"))).doubts != ()


def test_unnamed_sizes_are_evidence_only_if_the_target_spells_them_out() -> None:
    first, second = symbol("?", Origin.FRESH), symbol("?", Origin.FRESH)
    source = (Dim(None, first), Dim(None, second), *dims("c"))
    assert infer("torch.reshape", (source, target("-1 c"))).doubts == ()
    assert infer("torch.reshape", (source, (*target("c"), -1))).doubts == ()
    assert infer("torch.reshape", (source, (second, first, *target("c")))).doubts != ()


def test_a_scrambled_reshape_is_reported_with_its_call() -> None:
    doubt = infer("Tensor.view", (shape("b t v"), *target("b v t"))).doubts[0]
    assert doubt.op == "Tensor.view"
    assert "'v'" in doubt.message()
    assert [blame.argument for blame in doubt.blame] == ["self", "size"]


# Other ops.


@pytest.mark.parametrize(
    ("path", "source", "arguments", "expected"),
    [
        ("torch.flatten", "N:b C:c H:h W:w", (1,), "N:b c*h*w"),
        ("torch.flatten", "N:b C:c H:h W:w", (2, 3), "N:b C:c h*w"),
        ("torch.flatten", "N:b C:c", (1,), "N:b C:c"),
        ("torch.flatten", "N:b C:?", (), "?"),
        ("torch.flatten", "", (), "1"),
        ("torch.flatten", "...", (1,), "?:? ?:?"),
        ("torch.flatten", "...", (0, 1), "..."),
        ("torch.flatten", "... T:t C:c H:h", (0, 1), "... H:h"),
        ("torch.flatten", "... T:t C:c H:h", (-2, -1), "... T:t c*h"),
        ("torch.flatten", "... T:t C:c H:h", (1, -2), "... ?:? H:h"),
        ("torch.flatten", "N:b C:c H:h", ("N", "C", "F"), "F:b*c H:h"),
        ("torch.flatten", "N:b C:c H:h", (("C", "H"), "F"), "N:b F:c*h"),
        ("torch.flatten", "N:b C:c H:h", (1, 2, "F"), "N:b F:c*h"),
        ("torch.flatten", "N:b C:c", ("N", "N", "F"), "F:b C:c"),
        ("torch.flatten", "?:b C:c H:h", (("C", "H"), "F"), "?:b F:c*h"),
        ("torch.flatten", "N:b ?:c", (("N", "C"), "F"), "..."),
        ("torch.unflatten", "b c", (1, (sym("h"), -1)), "b h c/h"),
        ("torch.unflatten", "b c", (-1, (sym("h"), sym("d"))), "b h d"),
        ("torch.unflatten", "b ?", (1, (2, -1)), "b 2 ?"),
        ("torch.unflatten", "...", (-1, (2, -1)), "... 2 ?"),
        ("torch.unflatten", "... t c", (-1, (2, -1)), "... t 2 c/2"),
        ("torch.unflatten", "...", (1, (2, -1)), "..."),
        ("torch.unflatten", "N:b C:c", ("C", (("H", 2), ("D", -1))), "N:b H:2 D:c/2"),
        ("torch.unflatten", "N:b ?:c", ("C", (("H", 2), ("D", -1))), "?:? ?:? ?:?"),
        ("torch.ravel", "N:b C:c", (), "b*c"),
        ("torch.ravel", "N:b", (), "N:b"),
        ("torch.ravel", "...", (), "?:?"),
        ("numpy.ravel", "N:2 C:3", (), "6"),
        ("ndarray.flatten", "2 3", (), "6"),
        # If there is a written 1, squeeze() is meant for it, and the symbols are larger than 1.
        ("torch.squeeze", "N:b 1 T:t", (), "N:b T:t"),
        ("torch.squeeze", "N:b T:t", (), "..."),
        ("torch.squeeze", "N:3 T:2*t", (), "N:3 T:2*t"),
        ("torch.squeeze", "N:b ? 1", (), "..."),
        ("torch.squeeze", "... 1", (), "..."),
        ("torch.squeeze", "N:b O:1", (-1,), "N:b"),
        ("torch.squeeze", "N:b O:1", ("O",), "N:b"),
        ("torch.squeeze", "N:b T:3", (1,), "N:b T:3"),
        ("torch.squeeze", "N:b T:t C:2*c", (1,), "... C:2*c"),
        ("torch.squeeze", "N:b T:?", (1,), "..."),
        ("torch.squeeze", "... T:t 1", (-1,), "... T:t"),
        ("torch.squeeze", "... T:t C:3", (1,), "... C:3"),
        ("torch.squeeze", "N:b 1 1", ((1, 2),), "N:b"),
        ("numpy.squeeze", "N:b 1", (1,), "N:b"),
        ("numpy.squeeze", "N:b ?", (1,), "N:b"),
        ("torch.unsqueeze", "N:b C:c", (1,), "N:b 1 C:c"),
        ("torch.unsqueeze", "N:b C:c", (-1,), "N:b C:c 1"),
        ("torch.unsqueeze", "N:b C:c", (UNKNOWN,), "?:? ?:? ?:?"),
        ("torch.unsqueeze", "...", (-1,), "... 1"),
        ("torch.unsqueeze", "... C:c", (-2,), "... 1 C:c"),
        ("torch.unsqueeze", "... T:t C:c", (0,), "... T:t C:c"),
        ("torch.unsqueeze", "... T:t C:c", (1,), "... C:c"),
        ("numpy.expand_dims", "N:b C:c", ((0, 2),), "1 N:b 1 C:c"),
        ("numpy.expand_dims", "N:b C:c", (-1,), "N:b C:c 1"),
        ("torch.atleast_2d", "N:b", (), "1 N:b"),
        ("torch.atleast_3d", "N:b", (), "1 N:b 1"),
        ("torch.atleast_3d", "N:b C:c", (), "N:b C:c 1"),
        ("torch.atleast_1d", "...", (), "..."),
        ("Tensor.unfold", "N:b T:10", (1, 4, 2), "N:b T:4 4"),
        ("Tensor.unfold", "N:b T:t", (-1, 3, 1), "N:b T:t-2 3"),
        ("Tensor.unfold", "N:b T:?", (-1, 3, 1), "N:b T:? 3"),
        ("Tensor.view_as", "N:b C:c", (shape("M:b D:c"),), "N:b C:c"),
        ("Tensor.view_as", "N:b", (shape("... D:c"),), "... ?:c"),
        ("torch.as_strided", "N:2 C:3", ((2, 2), (1, 1)), "2 2"),
        ("torch.view_as_real", "N:b", (), "N:b 2"),
        ("torch.view_as_real", "... N:b", (), "... N:b 2"),
        ("torch.view_as_complex", "N:b 2", (), "N:b"),
        ("torch.view_as_complex", "...", (), "..."),
        ("jax.lax.reshape", "b t c", ((sym("b"), -1),), "b t*c"),
        ("jax.lax.squeeze", "b 1", ((1,),), "b"),
        ("jax.lax.expand_dims", "b", ((0, 2),), "1 b 1"),
        ("numpy.reshape", "N:2 C:3", ((3, 2),), "3 2"),
        ("numpy.reshape", "N:b T:t C:c", ((sym("b"), -1), "F"), "N:b t*c"),
        ("ndarray.reshape", "N:2 C:3", (6,), "6"),
        ("Tensor.resize", "N:2 C:3", (6,), "6"),
    ],
)
def test_views(path: str, source: str, arguments: tuple[Any, ...], expected: str) -> None:
    assert infer(path, (shape(source), *arguments)).result == shape(expected)


def test_several_tensors_give_several_results() -> None:
    answer = infer("torch.atleast_2d", (shape("N:b"), shape("")))
    assert answer.result == (shape("1 N:b"), shape("1 1"))


def test_a_new_dim_is_marked_as_inserted() -> None:
    (_, inserted) = infer("torch.unsqueeze", (shape("N:b"), -1)).result
    assert inserted.trace is not None
    assert Mark.INSERTED in inserted.trace.marks
    (_, inserted, _) = infer("torch.reshape", (shape("N:b T:t"), target("b 1 t"))).result
    assert inserted.trace is not None
    assert Mark.INSERTED in inserted.trace.marks


@pytest.mark.parametrize(
    ("path", "source", "arguments", "code"),
    [
        ("torch.flatten", "N:2 C:3", (1, 0), "NC107"),
        ("torch.flatten", "2 3", (0, 5), "NC301"),
        ("torch.flatten", "N:2 C:3", ("C", "N", "F"), "NC107"),
        ("torch.flatten", "N:2 C:3 H:4", (1, 2, "N"), "NC104"),
        ("torch.flatten", "N:2 C:3", ("N", "Q", "F"), "NC103"),
        ("torch.flatten", "N:2 C:3", ((), "F"), "NC107"),
        ("torch.unflatten", "b 3", (1, (2, 2)), "NC204"),
        ("torch.unflatten", "b 3", (1, (2, -1)), "NC204"),
        ("torch.unflatten", "b 3", (1, ()), "NC107"),
        ("torch.unflatten", "N:b 3", (1, (3, 1)), "NC107"),
        ("torch.unflatten", "N:b C:3", ("C", (("H", 2), ("D", 2))), "NC204"),
        ("torch.unflatten", "N:b C:4", ("C", (("N", 2), ("D", 2))), "NC104"),
        ("torch.squeeze", "N:b 1", (2,), "NC301"),
        ("torch.squeeze", "N:b 1", ("Q",), "NC103"),
        ("torch.squeeze", "N:b 1", ((1, -1),), "NC302"),
        ("numpy.squeeze", "b 3", (1,), "NC212"),
        ("torch.unsqueeze", "b t", (4,), "NC301"),
        ("numpy.expand_dims", "b t", ((0, 0),), "NC302"),
        ("Tensor.unfold", "b 3", (1, 4, 1), "NC212"),
        ("Tensor.unfold", "b 3", (1, 2, 0), "NC212"),
        ("torch.as_strided", "2 3", ((2,), (1, 1)), "NC212"),
        ("torch.view_as_complex", "b 3", (), "NC212"),
        ("torch.view_as_complex", "", (), "NC303"),
        ("Tensor.resize", "2 3", (7,), "NC204"),
    ],
)
def test_refused(path: str, source: str, arguments: tuple[Any, ...], code: str) -> None:
    with pytest.raises(Mistake) as caught:
        infer(path, (shape(source), *arguments))
    assert caught.value.code == code
    assert caught.value.op == path
    assert caught.value.message()


@pytest.mark.parametrize(
    "call", [("torch.unflatten", (), 0, (3,)), ("torch.unflatten", (), 0, (-1, -1))]
)
def test_a_sentence_of_two_lines_is_a_message_of_one(call: tuple[Any, ...]) -> None:
    with pytest.raises(Mistake) as raised:
        infer(call[0], call[1:])
    assert "\n" in raised.value.sentence()
    assert "\n" not in raised.value.message()

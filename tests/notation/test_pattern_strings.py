"""einsum, einops and signature strings: their meaning, and the refusals with their places."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from einops import EinopsError
from einops import einsum as einops_einsum
from einops.parsing import ParsedExpression
from hypothesis import assume, given
from hypothesis import strategies as st

from namecheck_runtime.notation import (
    Arithmetic,
    NotationError,
    Side,
    WrittenShape,
    read_einops,
    read_einops_einsum,
    read_einops_pack,
    read_einops_shape,
    read_einsum,
    read_signature,
    render,
)


def sides(*shapes: WrittenShape) -> list[str]:
    return [render(shape) for shape in shapes]


# --------------------------------------------------------------------------------------- einsum

EINSUMS = [
    ("bij,bjk->bik", ["b i j", "b j k"], "b i k"),
    ("b i j, b j k -> b i k", ["b i j", "b j k"], "b i k"),
    ("...ij,...jk->...ik", ["... i j", "... j k"], "... i k"),
    ("ii->", ["i i"], ""),
    (",ij->ij", ["", "i j"], "i j"),
    ("aB->Ba", ["a B"], "B a"),
    # implicit: letters that occur once, sorted, capitals first, the ellipsis in front of them
    ("ij,jk", ["i j", "j k"], "i k"),
    ("ba", ["b a"], "a b"),
    ("bA", ["b A"], "A b"),
    ("ii", ["i i"], ""),
    ("i...", ["i ..."], "... i"),
    ("...i,...j", ["... i", "... j"], "... i j"),
    ("", [""], ""),
]


@pytest.mark.parametrize(("equation", "operands", "result"), EINSUMS)
def test_einsum(equation: str, operands: list[str], result: str) -> None:
    read = read_einsum(equation)
    assert sides(*read.operands) == operands
    assert render(read.result) == result
    assert read.implicit == ("->" not in equation)


@given(st.lists(st.text("abcD", max_size=3), min_size=1, max_size=3))
def test_the_implicit_result_is_that_of_numpy(operands: list[str]) -> None:
    sizes = {"a": 2, "b": 3, "c": 5, "D": 7}
    arrays = [np.zeros([sizes[letter] for letter in operand]) for operand in operands]
    equation = ",".join(operands)
    result = read_einsum(equation).result
    computed: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = np.einsum(equation, *arrays)
    assert computed.shape == tuple(sizes[str(dim.term)] for dim in result.dims)


def test_einsum_dims_know_their_place() -> None:
    equation = "b ij, ...j -> b..."
    read = read_einsum(equation)
    places = [(dim.start, dim.end) for shape in (*read.operands, read.result) for dim in shape.dims]
    assert [equation[start:end] for start, end in places] == [*"bij", "...", "j", "b", "..."]


# --------------------------------------------------------------------------------------- einops


def groups(side: Side) -> str:
    return " | ".join(render(WrittenShape(group.dims, 0, 0)) for group in side.groups)


EINOPS = [
    ("b c h w -> b h w c", "b | c | h | w", "b | h | w | c"),
    ("b (h p1) (w p2) c -> b (h w) (p1 p2 c)", "b | h p1 | w p2 | c", "b | h w | p1 p2 c"),
    ("b c -> b 1 c ()", "b | c", "b | 1 | c | "),
    ("... d -> (...) d", "... | d", "... | d"),
    ("b ... -> b (... )", "b | ...", "b | ..."),
    ("b n->b n 2", "b | n", "b | n | 2"),
    ("(a b)(c d) -> a(b c)d", "a b | c d", "a | b c | d"),
    (" -> 1", "", "1"),
]


@pytest.mark.parametrize(("pattern", "left", "right"), EINOPS, ids=[case[0] for case in EINOPS])
def test_einops(pattern: str, left: str, right: str) -> None:
    read = read_einops(pattern)
    assert groups(read.left) == left
    assert groups(read.right) == right


def test_einops_groups_know_their_place() -> None:
    pattern = "b (h  d) -> b h () d"
    read = read_einops(pattern)
    written = [
        pattern[group.start : group.end] for group in (*read.left.groups, *read.right.groups)
    ]
    assert written == ["b", "(h  d)", "b", "h", "()", "d"]
    assert [pattern[dim.start : dim.end] for dim in read.left.groups[1].dims] == ["h", "d"]


def refused_by_einops(side: str) -> bool:
    try:
        ParsedExpression(side)
    except EinopsError:
        return True
    return False


@given(st.text("ab_1 ()2-.", max_size=9))
def test_einops_refuses_the_same_sides(side: str) -> None:
    # To einops a '...' without a space is part of the name beside it; to us it is a dim.
    assume(".." not in side)
    if refused_by_einops(side):
        with pytest.raises(NotationError):
            read_einops(f"{side} -> z")
    else:
        read_einops(f"{side} -> z")


def test_einops_einsum() -> None:
    read = read_einops_einsum("batch i d, batch j d -> batch i j")
    assert sides(*read.operands, read.result) == ["batch i d", "batch j d", "batch i j"]
    assert sides(read_einops_einsum("i i ->").result) == [""]
    assert sides(*read_einops_einsum("... i, _ i -> ...").operands) == ["... i", "_ i"]


def test_einops_einsum_agrees_with_einops_about_repeats() -> None:
    assert einops_einsum(np.eye(3), "i i ->") == 3
    with pytest.raises(EinopsError):
        einops_einsum(np.eye(3), "i j -> i i")
    with pytest.raises(NotationError):
        read_einops_einsum("i j -> i i")


def test_einops_pack_and_shape() -> None:
    assert render(read_einops_pack("b * d"), ", ") == "b, ..., d"
    assert groups(read_einops_shape("b _ h 3 ...")) == "b | _ | h | 3 | ..."


# ----------------------------------------------------------------------------------- signatures

SIGNATURES = [
    ("*b m k', *b k' n -> *b m n", ["*b m k'", "*b k' n"], ["*b m n"]),
    ("*b in_features -> *b out_features", ["*b in_features"], ["*b out_features"]),
    ("q h*d -> h q d", ["q h*d"], ["h q d"]),
    ("l b n=input_size -> l b d, layers b d", ["l b n=input_size"], ["l b d", "layers b d"]),
    ("... 3 _ -> ... 3", ["... 3 _"], ["... 3"]),
    ("b c h -> b c (h+2*p)//s", ["b c h"], ["b c (h+2*p)//s"]),
    ("b -> ", ["b"], [""]),
]


@pytest.mark.parametrize(("text", "operands", "results"), SIGNATURES)
def test_signatures(text: str, operands: list[str], results: list[str]) -> None:
    read = read_signature(text)
    assert sides(*read.operands) == operands
    assert sides(*read.results) == results


def test_signature_dims() -> None:
    (operand,) = read_signature("*b k' n=P 2*h -> h").operands
    several, primed, bound, product = operand.dims
    assert several.many
    assert several.term == "b"
    assert primed.primed
    assert primed.term == "k"
    assert (bound.alias, bound.term) == ("n", "P")
    assert product.term == Arithmetic("*", 2, "h")


# -------------------------------------------------------------------------------------- refusals

REFUSED: list[tuple[Callable[[str], object], str, str, str]] = [
    (read_einsum, "ij,jk->ik->i", "->", "a second '->'"),
    (read_einsum, "i1->i", "1", "'1' is not a letter"),
    (read_einsum, "i..j->ij", ".", "'.' is not a letter"),
    (read_einsum, "...i...->i", "...", "a second '...'"),
    (read_einsum, "ij->ik", "k", "in no operand"),
    (read_einsum, "ij->ii", "i", "twice in the result"),
    (read_einops_einsum, "i j", "i j", "no '->'"),
    (read_einops_einsum, "(i j) -> i", "(i j)", "not groups or sizes"),
    (read_einops_einsum, "i 2 -> i", "2", "not groups or sizes"),
    (read_einops_einsum, "i j -> k", "k", "in no operand"),
    (read_einops, "b c", "b c", "no '->'"),
    (read_einops, "b -> b -> b", "->", "a second '->'"),
    (read_einops, "b (h w -> b h w", "(", "not closed"),
    (read_einops, "b h) -> b h", ")", "no matching '('"),
    (read_einops, "(b (h w)) -> b h w", "(", "inside parentheses"),
    (read_einops, "b b -> b", "b", "'b' occurs twice"),
    (read_einops, "b -> b (c b)", "b", "'b' occurs twice"),
    (read_einops, "... a ... -> a", "...", "a second '...'"),
    (read_einops, "a -> ... a", "...", "on the right side only"),
    (read_einops, "(... a) -> a", "...", "inside parentheses on the left"),
    (read_einops, "_ -> a", "_", "starts or ends with '_'"),
    (read_einops, "a_ -> a", "a_", "starts or ends with '_'"),
    (read_einops, "2a -> a", "2a", "neither a name nor a size"),
    (read_einops, "a, b -> a", ",", "neither a name nor a size"),
    (read_einops_pack, "a b", "a b", "no '*'"),
    (read_einops_pack, "a * *", "*", "'*' occurs twice"),
    (read_einops_pack, "a * 2", "2", "neither"),
    (read_einops_shape, "b (h w)", "(h w)", "no single size"),
    (read_signature, "a b", "a b", "no '->'"),
    (read_signature, "a 2b -> a", "2b", "neither"),
    (read_signature, "*a b *c -> a", "*c", "a second dim"),
    (read_signature, "a (b c) -> a", "(b", "neither"),
    (read_signature, "2=P -> a", "2=P", "'2' is not a name"),
]


@pytest.mark.parametrize(("read", "text", "part", "reason"), REFUSED)
def test_refuses(read: Callable[[str], object], text: str, part: str, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        read(text)
    error = caught.value
    assert text[error.start : error.end] == part
    assert reason in error.reason


def test_the_second_of_two_is_the_refused_one() -> None:
    with pytest.raises(NotationError) as caught:
        read_einops("b c -> b (c b)")
    assert (caught.value.start, caught.value.end) == (12, 13)

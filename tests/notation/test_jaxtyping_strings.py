"""Strings of jaxtyping: the meaning of each form, compared with jaxtyping itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jaxtyping import Float

from namecheck_runtime.notation import (
    Arithmetic,
    NotationError,
    WrittenDim,
    names_of,
    read_jaxtyping,
    render,
)

ANY = {"term": None}

CASES = [
    ("", []),
    ("   ", []),
    ("b", [{"term": "b"}]),
    ("batch  seq\tdim", [{"term": "batch"}, {"term": "seq"}, {"term": "dim"}]),
    ("3 224", [{"term": 3}, {"term": 224}]),
    ("-1", [{"term": -1}]),
    ("...", [{**ANY, "many": True}]),
    ("... c", [{**ANY, "many": True}, {"term": "c"}]),
    ("*batch n", [{"term": "batch", "many": True}, {"term": "n"}]),
    ("#n", [{"term": "n", "broadcastable": True}]),
    ("#4", [{"term": 4, "broadcastable": True}]),
    ("*#batch", [{"term": "batch", "many": True, "broadcastable": True}]),
    ("#*batch", [{"term": "batch", "many": True, "broadcastable": True}]),
    ("_", [ANY]),
    ("_ _", [ANY, ANY]),
    ("_rows", [{**ANY, "alias": "rows"}]),
    ("*_rows", [{**ANY, "many": True, "alias": "rows"}]),
    ("?n", [{"term": "n", "tree": True}]),
    ("rows=4", [{"term": 4, "alias": "rows"}]),
    ("rows=n", [{"term": "n", "alias": "rows"}]),
    ("#rows=4", [{"term": 4, "alias": "rows", "broadcastable": True}]),
    ("rows=n+1", [{"term": Arithmetic("+", "n", 1), "alias": "rows"}]),
    ("2*C", [{"term": Arithmetic("*", 2, "C")}]),
    ("#2*C", [{"term": Arithmetic("*", 2, "C"), "broadcastable": True}]),
    ("h*d n-1", [{"term": Arithmetic("*", "h", "d")}, {"term": Arithmetic("-", "n", 1)}]),
    ("a-b-c", [{"term": Arithmetic("-", Arithmetic("-", "a", "b"), "c")}]),
    ("a-(b-c)", [{"term": Arithmetic("-", "a", Arithmetic("-", "b", "c"))}]),
    ("a+b*c", [{"term": Arithmetic("+", "a", Arithmetic("*", "b", "c"))}]),
    ("(a+b)//2", [{"term": Arithmetic("//", Arithmetic("+", "a", "b"), 2)}]),
    ("2**n**3", [{"term": Arithmetic("**", 2, Arithmetic("**", "n", 3))}]),
    ("n*-1", [{"term": Arithmetic("*", "n", -1)}]),
    # Legal in jaxtyping, but we do not read it: the size is unknown.
    ("min(a,b)", [ANY]),
    ("{self.n}", [ANY]),
    ("x.size", [ANY]),
    ("a%2", [ANY]),
    ("n=min(a,b)", [{**ANY, "alias": "n"}]),
]


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[case[0] for case in CASES])
def test_reads(text: str, expected: list[dict[str, object]]) -> None:
    fields = read_jaxtyping(text).dims
    assert [dim._replace(start=0, end=0) for dim in fields] == [
        WrittenDim(start=0, end=0, **fields)
        for fields in expected  # type: ignore[arg-type]
    ]
    assert [text[dim.start : dim.end] for dim in fields] == text.split()


REFUSED = [
    ("b, c", "b,", "commas"),
    ("a b* c", "b*", "neither a name, a size nor arithmetic"),
    ("##n", "##n", "'#' is repeated"),
    ("**n", "**n", "'*' is repeated"),
    ("n#", "n#", "in front of the dim"),
    ("a...", "a...", "has to stand alone"),
    ("... a *b", "*b", "a second dim that stands for any number of dims"),
    ("*4", "*4", "a size cannot stand for several dims"),
    ("_4", "_4", "a size cannot be anonymous"),
    ("?4", "?4", "a size cannot depend on the place in a tree"),
    ("*a+b", "*a+b", "arithmetic cannot stand for several dims"),
    ("#_", "#_", "cannot be broadcastable"),
    ("(a b)", "(a", "neither"),
    ("2C", "2C", "neither"),
    ("a b]", "b]", "neither"),
]


@pytest.mark.parametrize(("text", "part", "reason"), REFUSED, ids=[case[0] for case in REFUSED])
def test_refuses(text: str, part: str, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_jaxtyping(text)
    error = caught.value
    assert text[error.start : error.end] == part
    assert reason in error.reason
    # jaxtyping 0.3.11 makes an annotation of these, and raises SyntaxError when it checks an array.
    assert error.is_late == reason.startswith("neither")


def test_the_message_shows_the_wrong_part() -> None:
    with pytest.raises(NotationError) as caught:
        read_jaxtyping("batch 2C dim")
    assert str(caught.value) == (
        "'2C' is neither a name, a size nor arithmetic\n    batch 2C dim\n          ^^"
    )


WORDS = st.text("abn_#*?=+-/(.){}, 24", max_size=10)


def refused_by_jaxtyping(text: str) -> bool:
    try:
        Float[np.ndarray, text]
    except ValueError:
        return True
    return False


@given(WORDS)
def test_refuses_all_that_jaxtyping_refuses(text: str) -> None:
    if refused_by_jaxtyping(text):
        with pytest.raises(NotationError):
            read_jaxtyping(text)


@given(WORDS)
@example("==2")
def test_refuses_besides_only_texts_that_do_not_compile(text: str) -> None:
    """jaxtyping evaluates a symbolic dim at the check; one that does not compile fails there."""
    try:
        read_jaxtyping(text)
    except NotationError as error:
        if not refused_by_jaxtyping(text):
            word = text[error.start : error.end].lstrip("#")
            if word.count("=") == 1:
                word = word.partition("=")[2].lstrip("#")
            with pytest.raises((SyntaxError, ValueError)):
                compile(word, "", "eval")


def terms(depth: int = 3) -> st.SearchStrategy[object]:
    leaves = st.sampled_from(["a", "n_1", "C"]) | st.integers(0, 99)
    return st.recursive(
        leaves,
        lambda inner: st.builds(
            Arithmetic, st.sampled_from(["+", "-", "*", "/", "//", "**"]), inner, inner
        ),
        max_leaves=6,
    )


DIMS = st.one_of(
    st.builds(lambda term: {"term": term}, terms()),
    st.builds(lambda term: {"term": term, "broadcastable": True}, terms()),
    st.builds(lambda term: {"term": term, "alias": "rows"}, terms()),
    st.just({"term": "x", "tree": True}),
    st.just(ANY),
    st.just({**ANY, "alias": "rows"}),
)


@given(st.lists(DIMS, max_size=4), st.sampled_from(["", "...", "*batch", "*#batch", "*_rest"]))
def test_rendered_dims_read_back(dims: list[dict[str, object]], several: str) -> None:
    written = [WrittenDim(start=0, end=0, **dim) for dim in dims]  # type: ignore[arg-type]
    text = render(read_jaxtyping("")._replace(dims=tuple(written)))
    text = f"{several} {text}"
    read = read_jaxtyping(text)
    assert [dim._replace(start=0, end=0) for dim in read.dims][bool(several) :] == written
    assert render(read) == " ".join(text.split())


def test_the_names_of_a_term_are_in_order() -> None:
    assert names_of(read_jaxtyping("h*(d+2)-h").dims[0].term) == ("h", "d", "h")
    assert names_of(4) == names_of(None) == ()


def test_render_with_another_separator() -> None:
    assert render(read_jaxtyping("b 2*c ..."), ", ") == "b, 2*c, ..."

"""Laws of every reader on any text: no unexpected error, no wrong place, no blow-up."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from namecheck_runtime.notation import (
    NotationError,
    WrittenShape,
    comments,
    docstrings,
    read_comment,
    read_docstring,
    read_einops,
    read_einops_einsum,
    read_einops_pack,
    read_einops_shape,
    read_einsum,
    read_jaxtyping,
    read_signature,
    render,
)

STRICT = [
    read_jaxtyping,
    read_einsum,
    read_einops,
    read_einops_einsum,
    read_einops_pack,
    read_einops_shape,
    read_signature,
]

# These have enough of a shape to reach most branches of the readers.
WRITTEN = """
    B T C n_heads seq_len batch 1 2 0 -1 3.5 ( ) [ ] < > , , x × * # ? _ ... -> --> => → : ; = ==
    . + - / // ** ^ ' " ` | or and to is shape shape: of with tensor label NCHW BSC BxTxC H'W'
    :math: if dim=1 f( Args: Returns: parameters \\ {x} torch.Size([
"""
PIECES = st.sampled_from(WRITTEN.split())
TEXTS = st.one_of(
    st.text(max_size=40),
    st.lists(PIECES, max_size=14).map(" ".join),
    st.lists(PIECES, max_size=14).map("".join),
    st.lists(st.lists(PIECES, max_size=6).map(" ".join), max_size=5).map("\n".join),
)


def refusal(read: Callable[[str], object], text: str) -> NotationError | None:
    try:
        read(text)
    except NotationError as error:
        return error
    return None


@pytest.mark.parametrize("read", STRICT)
@given(text=TEXTS)
def test_raises_only_notation_errors_with_a_place(read: Callable[[str], object], text: str) -> None:
    error = refusal(read, text)
    if error is not None:
        assert 0 <= error.start <= error.end <= len(text)
        assert error.text == text
        assert error.reason
        assert "^" in str(error)


def within(shape: WrittenShape, start: int, end: int) -> bool:
    places = [start, *(place for dim in shape.dims for place in (dim.start, dim.end)), end]
    return places == sorted(places) and start <= shape.start <= shape.end <= end


@settings(max_examples=300)
@given(text=TEXTS)
@example("# (B, T) -> B T C")
def test_comments_never_raise_and_claims_are_inside_the_text(text: str) -> None:
    for claim in read_comment(text):
        assert 0 <= claim.start < claim.end <= len(text)
        assert claim.alternatives
        assert claim.label != ""
        for shape in (*claim.before, *claim.alternatives):
            assert shape.dims
            assert within(shape, claim.start, claim.end)
            assert sum(dim.many for dim in shape.dims) <= 1
            render(shape)


@settings(max_examples=300)
@given(text=TEXTS)
def test_docstrings_never_raise_and_claims_are_inside_the_text(text: str) -> None:
    read = read_docstring(text)
    assert len({name for name, _ in read}) == len(read)
    for name, claim in read:
        assert name == "return" or name in text
        assert all(within(shape, claim.start, claim.end) for shape in claim.alternatives)


@given(st.lists(st.sampled_from(["B", "T", "2", "n_heads", "2*C", "...", "H//p"]), min_size=2,
                max_size=5, unique=True))  # fmt: skip
def test_all_forms_of_one_shape_mean_the_same(dims: list[str]) -> None:
    dims.insert(0, "N")
    expected = " ".join(dims)
    forms = [
        f"# ({', '.join(dims)})",
        f"# [{','.join(dims)}]",
        f"# shape: ({', '.join(dims)})",
        f"# x: [{', '.join(dims)}]",
        f"# (N, 1) -> ({', '.join(dims)})",
    ]
    for form in forms:
        (claim,) = read_comment(form)
        assert [render(shape) for shape in claim.alternatives] == [expected]


LONG = [
    "(" * 5000,
    "[(" * 2500 + ")]" * 2500,
    "(B, " * 3000,
    "(B, T, C) -> " * 800,
    "B x " * 4000,
    "B, T, " * 3000,
    "a b " * 4000,
    "is " * 5000,
    "x: " * 5000,
    "a.b.c." * 2000,
    "a, " * 4000 + "= f(x)",
    "shape of " * 2000,
    "`" * 8000,
    "'" * 8000,
    "a'" * 4000,
    "1e" * 4000,
    "-" * 8000,
    "*" * 8000,
    "a+" * 4000 + "a",
    "a**" * 4000 + "a",
    "((((a" * 1000,
    "9" * 9000,
    "... " * 3000,
    "a->" * 3000,
    "a-b-c-" * 2000,
    "BCHW" * 2000,
    "(a" * 3000 + ")" * 3000,
    "x (Tensor): shape " * 500,
    "x: (B, T)\n" * 2000,
    "Returns:\n" * 2000,
]


@pytest.mark.parametrize("read", [*STRICT, read_comment, read_docstring])
@pytest.mark.parametrize("text", LONG, ids=[text[:12] for text in LONG])
def test_long_texts_are_read_in_time(
    read: Callable[[str], object], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The limits on length are lifted, since the grammar itself must not blow up.
    monkeypatch.setattr(comments, "_LONGEST", 10**9)
    monkeypatch.setattr(docstrings, "_LONGEST", 10**9)
    error = refusal(read, text)
    assert len(str(error)) < 4 * len(text) + 200


def test_signatures_are_read_without_the_machinery_for_prose() -> None:
    script = (
        "import sys\n"
        "from namecheck_runtime.notation import read_signature\n"
        "read_signature('*b n -> *b m')\n"
        "heavy = {'numpy', 'libcst', 'mypy', 'ast', 'dataclasses', 'inspect'} & set(sys.modules)\n"
        "ours = {name for name in sys.modules if name.startswith('namecheck_runtime.notation.')}\n"
        "print(sorted(heavy), sorted(name.rpartition('.')[2] for name in ours))\n"
    )
    run = subprocess.run(
        [sys.executable, "-S", "-c", script],
        env={"PYTHONPATH": ":".join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == "[] ['patterns', 'syntax']\n"


def test_the_package_has_all_names() -> None:
    from namecheck_runtime import notation

    assert all(hasattr(notation, name) for name in notation.__all__)
    with pytest.raises(AttributeError, match="no attribute 'read_nothing'"):
        _ = notation.read_nothing

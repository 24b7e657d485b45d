"""Python's own parser gives the same records as LibCST, or leaves the text to LibCST."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from sources import ODD, OWN, expressions, modules

from namecheck.analysis.reading import from_libcst as lowering
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.from_ast import lower_quickly
from namecheck.analysis.reading.from_libcst import lower_module, parse
from namecheck.analysis.reading.positions import Span, locate
from namecheck.analysis.reading.records import lower
from namecheck.analysis.reading.unreadable import SourceError
from namecheck.text.chunks import split
from namecheck.text.layout import read_layout


def quickly(text: str) -> ir.Chunk | None:
    """The records from Python's parser, if it can read the text; LibCST's have to be the same."""
    layout = read_layout(text)
    chunk = lower_quickly(text, layout)
    if chunk is not None:
        assert chunk == lower_module(parse(text, layout), layout)
    return chunk


LEFT_TO_LIBCST = {
    "backslash first",
    "nested quotes",
    "nested quotes over lines",
}


@pytest.mark.parametrize("name", ODD)
def test_odd_texts(name: str) -> None:
    assert (quickly(ODD[name]) is None) == (name in LEFT_TO_LIBCST)


@settings(deadline=None)
@given(modules())
def test_generated_texts(text: str) -> None:
    quickly(text)


@settings(deadline=None)
@given(expressions)
def test_generated_expressions(text: str) -> None:
    quickly(f"x = ({text})\n")


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_our_own_sources(path: Path) -> None:
    for chunk in split(path.read_text()):
        quickly(chunk.text)


@pytest.mark.parametrize(
    "text",
    [
        "f(k=1, *a)",
        "f(*a, k=1, *b, **c)",
        "x[a, b:c, (d, e)], y[(a), b], z[(a, b)], w[()]",
        "del (a, b)",
        "del a, b",
        "raise a from b",
        "f'a{x!r:>{w}}{{b}}' 'c' f''",
        "lambda a, /, b=1, *c, d, e=2, **f: (yield)",
        "if a: b; c\nelif d: e\nelse:\n    if f: g\n    elif h: i",
        "class A(B, *c, metaclass=D, **e): pass",
        "try: a\nexcept* B as c: d\nelse: e\nfinally: f",
        "(a and b) and c or (d and e)",
        "((a + b) * c) - (d - e)",
        "def f(\n    a,\n) -> b: return a",
        "if (a and\n        b): c; d",
        "match x, y:\n    case (1 | -2j) as a, *_: pass\n    case 'a' 'b', None: b",
        "match x:  # x\n    case a.b | {1: [c, *d], **e} if f: pass\n    # no\n    case _: g",
        "match x:\n    case A(1, (b), c=[d]):  # e\n        f\n    case {}: pass\n    case (): g",
    ],
)
def test_forms(text: str) -> None:
    assert quickly(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "x = (\n    # of both\n    a, b)",
        "x = (  # no\n    (a), b  # b\n)",
        "x[\n    a,  # a\n    (b, c),  # both\n]",
        "x[(a,  # a\n   b)]",
        "f((\n    # it\n    (a) for b in (c)  # c\n), d)",
        "f(a and (\n    b\n)  # both\n  and c)",
        "x = (\n    # sum\n    (a + b) * c)",
        "def f(a=(\n    (1, 2),  # two\n), *, b: int = 1,  # b\n) -> C:  # out\n    pass",
        "def f(\n    é='é', b=((1)),  # b\n):\n    pass\n",
    ],
)
def test_comments_beside_parts_of_expressions(text: str) -> None:
    assert quickly(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "f'{f(x)=}'",  # an expression whose text Python does not keep
        "f'{{x=}} {x=}'",
        "f'{x:{y=}}'",
        "f'{x=:>{n}}'",
        "x = 0x8000000000000000",
        "µ = 1",  # Python reads this letter as another one
        "match x:\n    case (\n        1  # one\n    ): pass",
        "def f(\n    a,  # a\n): return a",
        "if a: \\\n    b",
        "del a,",
        'x = (\n    f"a"  # a\n    f"{b}")',
        "def",
        "x = [",
        "\0",
    ],
)
def test_texts_that_are_left_to_libcst(text: str) -> None:
    assert quickly(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "f'{x=}'",
        "f'{x = !r:>3}'",
        "f'a{x=}b {y.z = } {w}'",
        "f'x={x!r}'",
        "f'x={x:=5}'",
        "f'{x=!s}' 'y={z!r}'",
        "f'{a=}' if x else f'{b=:>9}'",
        "f'\\n{x=}é{y=}'",
        "def f():\n    \"default=:func:\"\n    return f'a={b}'",
        "x = 1  # m² …，",
        'x = (a,  # a\n     f"""{\nb}""")',
        'raise E(\n    f"a {b}"\n    f"c {d}"  # both\n)',
    ],
)
def test_texts_that_could_be_read_otherwise(text: str) -> None:
    assert quickly(text) is not None


def test_libcst_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(lowering, "parse")
    assert len(lower("def f(x):  # (B, T)\n    return x\n").statements) == 1


def test_places_in_a_text_that_only_python_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a = 1\nb = x.t()\n"
    (_, second) = lower(text).statements

    def refuse(text: str, layout: object) -> object:
        raise SourceError("cannot be read", 1, 1)

    monkeypatch.setattr("namecheck.analysis.reading.positions.parse", refuse)
    assert locate(text, [second.id + 1]) == {second.id + 1: Span(2, 1, 2, 10)}

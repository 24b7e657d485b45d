"""Positions on demand are those that LibCST's own provider computes for all nodes."""

from __future__ import annotations

from pathlib import Path

import libcst as cst
import pytest
from hypothesis import given, settings
from libcst.metadata import MetadataWrapper, PositionProvider
from sources import ODD, OWN, modules

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.from_ast import _Locating, _walked, locate_quickly, lower_quickly
from namecheck.analysis.reading.from_ast_spans import Gaps
from namecheck.analysis.reading.from_libcst import nodes_by_id
from namecheck.analysis.reading.positions import Span, locate
from namecheck.analysis.reading.records import lower
from namecheck.analysis.reading.walking import walk
from namecheck.text.chunks import split
from namecheck.text.layout import read_layout


def provided(module: cst.Module, text: str) -> dict[int, Span]:
    """The spans of all numbers, by PositionProvider."""
    positions = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    spans = {}
    for number, node in nodes_by_id(module, read_layout(text)).items():
        first, last = node if isinstance(node, tuple) else (node, node)
        start, end = positions[first].start, positions[last].end
        spans[number] = Span(start.line, start.column + 1, end.line, end.column + 1)
    return spans


def numbers(text: str) -> set[int]:
    return {record.id for record in walk(lower(text)) if hasattr(record, "id")}


def check_all(text: str) -> None:
    module = cst.parse_module(text)
    expected = provided(module, text)
    ids = numbers(text)
    assert ids <= expected.keys()
    assert locate(text, ids, module) == {number: expected[number] for number in ids}
    quick = located_quickly(text)
    assert quick == {number: expected[number] for number in quick}


def located_quickly(text: str) -> dict[int, Span]:
    """The spans that can be located without LibCST, each on its own."""
    layout = read_layout(text)
    walk = _Locating(layout)
    if "\f" in text or _walked(walk, text) is None:
        return {}
    gaps = Gaps(layout.lines)
    spans = {number: gaps.exact_span(*pair) for number, pair in walk.nodes.items()}
    exact = {number: span for number, span in spans.items() if span is not None}
    if exact:
        assert locate_quickly(text, layout, exact) == exact
    return exact


def test_nearly_all_expressions_are_located_without_libcst() -> None:
    asked = located = 0
    for path in OWN:
        for chunk in split(path.read_text()):
            quick = located_quickly(chunk.text)
            if quick or lower_quickly(chunk.text, chunk.layout) is not None:
                nodes = [
                    node for node in walk(lower(chunk.text)) if isinstance(node, ir.Expression)
                ]
                asked += len(nodes)
                located += sum(node.id in quick for node in nodes)
    assert asked > 10_000
    assert located > 0.95 * asked


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x = f'{a + b}'", "columns in a formatted string are not known to Python 3.11"),
        ("x = 1\n\fy = 2", "to LibCST a line begins behind a form feed"),
        ("x = ()", "LibCST's place of an empty tuple is between its parentheses"),
        ("def f(): pass", "a function is not an expression"),
        ("x = (", "not Python"),
    ],
)
def test_texts_that_need_libcst(text: str, why: str) -> None:
    ids = range(20) if text == "x = (" else sorted(numbers(text))
    assert locate_quickly(text, read_layout(text), ids) is None, why


# LibCST does not reproduce these texts, so its provider is wrong; or it cannot write them at all.
UNLIKE = {"form feeds", "form feed in a block", "backslash first", "long sum", "long string"}


@pytest.mark.parametrize("name", [name for name in ODD if name not in UNLIKE])
def test_all_positions_in_odd_texts(name: str) -> None:
    check_all(ODD[name])


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_all_positions_in_our_own_sources(path: Path) -> None:
    check_all(path.read_text())


@given(modules())
@settings(max_examples=80, deadline=None)
def test_all_positions_in_generated_sources(text: str) -> None:
    if "\f" not in text:
        check_all(text)


def cut(text: str, span: Span) -> str:
    """The text that the span covers."""
    lines = text.split("\n")[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return "\n".join(lines)


def expressions(text: str) -> dict[str, str]:
    """The text that the span of each expression covers, by the rendering of the expression."""
    nodes = [node for node in walk(lower(text)) if isinstance(node, ir.Expression)]
    spans = locate(text, [node.id for node in nodes])
    return {ir.describe(node): cut(text, spans[node.id]) for node in nodes}


@pytest.mark.parametrize(
    ("text", "rendering", "covered"),
    [
        ("y = x . transpose(1 , 2)", "x.transpose(1, 2)", "x . transpose(1 , 2)"),
        ("y = (a + b)", "a + b", "a + b"),
        ("y = f(\n  a.b,\n  *c)", "*c", "*c"),
        ("y = x[ a , 1:b ]", "(a, 1:b)", "a , 1:b"),
        ("y = x[*a]", "(*a,)", "*a"),
        ("y = x[*a]", "*a", "*a"),
        ("y = x[a:b]", "a:b", "a:b"),
        ("y = a + b + c", "a + b", "a + b"),
        ("y = a or b or c", "a or b", "a or b"),
        ("y = 'a' 'b'", "'ab'", "'a' 'b'"),
        ("y = f(x for x in y)", "(x for x in y)", "x for x in y"),
        ("if a:\n\ty = é[0]", "é[0]", "é[0]"),
        ("\tx".strip() + " = 'é\U0001f600' + b", "b", "b"),
        ("def f(\n    a: A[0] = 1,\n): pass", "A[0]", "A[0]"),
        ("x = 1\n\n\fy = a.b\n", "a.b", "a.b"),
        ("if a:\n    b\n\f    c = d.e\n", "d.e", "d.e"),
        ("\\\nx = y.z", "y.z", "y.z"),
        ("x = 1\n\\\ny = f(\n  z.w)", "z.w", "z.w"),
        ("type A[*Ts = *B[0]] = C", "*B[0]", "*Ts = *B[0]"),
    ],
)
def test_a_span_covers_its_expression(text: str, rendering: str, covered: str) -> None:
    assert expressions(text)[rendering] == covered


def test_columns_count_characters() -> None:
    text = "if x:\n\ty = 'é\U0001f600', z\n"
    (if_,) = lower(text).statements
    assert isinstance(if_, ir.If)
    (assign,) = if_.body
    assert isinstance(assign, ir.Assign)
    z = assign.value.elements[1]
    assert locate(text, [z.id, assign.id]) == {
        z.id: Span(2, 12, 2, 13),
        assign.id: Span(2, 2, 2, 13),
    }


def test_statements_and_parameters() -> None:
    text = "@d\ndef f(a, b: int = 1):\n    # in\n    return a  # end\n    # below\n\nx = 1\n"
    function, assign = lower(text).statements
    assert isinstance(function, ir.FunctionDef)
    b = function.parameters[1]
    assert locate(text, [function.id, b.id, assign.id]) == {
        function.id: Span(2, 1, 4, 13),
        b.id: Span(2, 10, 2, 11),
        assign.id: Span(7, 1, 7, 6),
    }


@pytest.mark.parametrize("name", ["long sum", "long string"])
def test_an_omitted_expression_is_located_by_its_statement(name: str) -> None:
    text = f"if a:\n    y = b\n{ODD[name]}"
    if_, assign = lower(text).statements
    assert isinstance(if_, ir.If)
    assert isinstance(assign, ir.Assign)
    last = len(text.splitlines())
    b, x = if_.body[0].value, assign.targets[0]
    assert locate(text, [b.id, x.id]) == {
        b.id: Span(2, 5, 2, 10),
        x.id: Span(3, 1, last, len(text.splitlines()[-1]) + 1),
    }


def test_only_the_requested_numbers_are_located() -> None:
    text = "x = a + b\n"
    assert len(locate(text, [])) == 0
    assert list(locate(text, [1])) == [1]
    with pytest.raises(KeyError):
        locate(text, [1000])

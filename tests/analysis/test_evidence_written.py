"""Annotations and claims as each module reads them; `tests/cases` has their findings."""

from __future__ import annotations

import pytest

from namecheck.analysis import analyze
from namecheck.analysis.evidence.contradictions import against_pattern
from namecheck.analysis.evidence.docstrings import read
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.annotation_strings import read_forward
from namecheck.analysis.reading.records import lower_chunks
from namecheck_runtime.notation.comments import read_comment


@pytest.mark.parametrize(
    "text",
    [
        "Float[Tensor, 'b t']",
        "torch.Tensor | None",
        "Optional[Float[Array, '...']]",
        "tuple[Float[Tensor, 'a'], ...]",
        "TensorType['b', 3]",
    ],
)
def test_a_string_is_read_as_the_annotation_without_quotes(text: str) -> None:
    ((_, written),) = lower_chunks(f"x: {text}")
    (statement,) = written.statements
    assert isinstance(statement, ir.AnnotatedAssign)
    assert _shape(read_forward(text, 7)) == _shape(statement.annotation)


def _shape(record: object) -> object:
    """A record without the numbers of its nodes."""
    if isinstance(record, ir.Record):
        fields = [getattr(record, name) for name in record.__match_args__ if name != "id"]
        return (type(record).__name__, *map(_shape, fields))
    if isinstance(record, tuple):
        return tuple(map(_shape, record))
    return record


@pytest.mark.parametrize("text", ["the input", "x +", "f(x)", "lambda: 0", "[" * 3000, "True"])
def test_other_strings_are_not_annotations(text: str) -> None:
    assert read_forward(text, 7) is None


@pytest.mark.parametrize(
    ("comment", "letters", "contradicts"),
    [
        ("# (b, c, t)", ("b", "t", "c"), True),
        ("# (b, t, c)", ("b", "t", "c"), False),
        ("# (B, C, T)", ("b", "t", "c"), False),
        ("# (b, c)", ("b", "t", "c"), False),
        ("# (b, n, n)", ("b", "n", "n"), False),
        ("# (b, c, t)", ("b", None, "c"), False),
    ],
)
def test_a_comment_may_contradict_the_letters_of_its_pattern(
    comment: str, letters: tuple[str | None, ...], contradicts: bool
) -> None:
    (claim,) = read_comment(comment)
    assert (against_pattern(claim.alternatives[0], letters) is not None) is contradicts


def test_a_docstring_is_read_with_the_lines_of_its_claims() -> None:
    text = 'def f(x, n):\n    """Pools.\n\n    Args:\n        x: of shape (B, T)\n    """\n'
    ((_, records),) = lower_chunks(text + "    return x\n")
    (function,) = records.statements
    assert isinstance(function, ir.FunctionDef)
    claims = read(function)
    assert set(claims) == {"x"}
    assert claims["x"].line == 5


def test_a_note_says_where_a_label_was_bound() -> None:
    text = "def f(x):  # x: (B, T, C)\n    y = x * 2\n    z = y.transpose(1, 2)  # (B, T, C)\n"
    (finding,) = analyze("x.py", text.encode()).findings
    assert finding.code == "NC402"
    assert [(note.text, note.span.line) for note in finding.notes if note.span] == [
        ("'T' names that size", 1),
        ("'C' names that size", 1),
    ]

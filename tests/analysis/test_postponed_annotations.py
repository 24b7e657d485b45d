"""Annotations that Python does not evaluate: a warning if they do not parse, and once per file."""

from __future__ import annotations

from namecheck.analysis import analyze
from namecheck.findings import Level

PROGRAM = """\
from jaxtyping import Float
from torch import Tensor


def f(x: Float[Tensor, "*s b *f"]) -> Float[Tensor, "*s b *o"]:
    return x


class C:
    def g(self, x: Float[Tensor, "*s b *f"], y: Float[Tensor, "b, t"]):
        return [x, y]

    def h(self, x: Float[Tensor, "*s *b"], y: Float[Tensor, "*s *c"], z: Float[Tensor, "t, b"]):
        return x
"""


def test_each_is_an_error_where_it_raises() -> None:
    findings = analyze("x.py", PROGRAM.encode()).findings
    assert [finding.code for finding in findings] == ["NC403"] * 7
    assert {finding.level for finding in findings} == {Level.ERROR}


def test_one_warning_for_each_way_of_writing_where_nothing_raises() -> None:
    text = f"from __future__ import annotations\n{PROGRAM}"
    starred, commas = analyze("x.py", text.encode()).findings
    assert starred.level is commas.level is Level.WARNING
    assert (starred.span.line, commas.span.line) == (6, 11)
    assert [(note.text, note.span and note.span.line) for note in starred.notes] == [
        ('also "*s b *o"', 6),
        ('also "*s b *f"', 11),
        ('also "*s *b"', 14),
        ("and 1 more place", 6),
    ]
    assert [note.text for note in commas.notes] == ['also "t, b"']

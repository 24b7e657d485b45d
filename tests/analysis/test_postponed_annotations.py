"""Annotations that do not parse and raise nowhere: a warning, and once per file.

Python does not evaluate them, or jaxtyping notices what is wrong when it first checks an array.
"""

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


ARITHMETIC = """\
from jaxtyping import Float
from numpy import ndarray


def f(x: Float[ndarray, "t* cell+2"], y: list[tuple[str, Float[ndarray, "t* cell+2"]]]):
    return x


class C:
    def g(self, x: Float[ndarray, "n t*"], y: Float[ndarray, "M + 1"]) -> Float[ndarray, "3C"]:
        return x
"""


def test_one_warning_for_arithmetic_that_raises_when_it_is_checked() -> None:
    """jaxtyping 0.3 makes these annotations, and evaluates them for an array of that rank."""
    findings = analyze("x.py", ARITHMETIC.encode()).findings
    assert [(f.span.line, f.level, f.code) for f in findings] == [
        (5, Level.WARNING, "NC403"),
        (10, Level.WARNING, "NC403"),
        (10, Level.WARNING, "NC403"),
    ]
    assert [[note.text for note in f.notes] for f in findings] == [
        ['also "t* cell+2"', 'also "n t*"'],
        [],
        [],
    ]


def test_what_raises_where_it_is_made_stays_an_error() -> None:
    text = ARITHMETIC.replace("M + 1", "m+ 1, 2").replace("3C", "*m+1")
    findings = analyze("x.py", text.encode()).findings
    assert [f.level for f in findings] == [Level.WARNING, Level.ERROR, Level.ERROR]

"""The agreed terms of a project: two words for one dim, words that may meet, and strict codes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from namecheck.analysis import analyze, open_program
from namecheck.files.project import Project
from namecheck.terms import Terms, agreed

ONE_DIM = agreed({"B": "batch", "T": "time"}, (), frozenset())
MAY_MEET = agreed({}, (("B", "batch", "n"), ("T", "C")), frozenset())
STRICT = agreed({}, (), frozenset({"NC108", "NC209"}))


def codes(source: str, terms: Terms, tmp_path: Path) -> list[tuple[int, str]]:
    """The lines and codes of the findings in a program."""
    path = os.path.realpath(tmp_path / "program.py")
    program = open_program(Project([path], {path: path}), lambda _: terms)
    findings = analyze(path, source.encode(), program=program, shapes=False).findings
    return sorted((finding.span.line, finding.code) for finding in findings)


def without_terms(source: str, tmp_path: Path) -> list[tuple[int, str]]:
    return codes(source, Terms(), tmp_path)


NAMES = """\
import namecheck_runtime as nt
a = nt.zeros(2, 3, names=("B", "C"))
b = nt.zeros(2, 3, names=("batch", "C"))
c = a + b
d = a.sum("batch") + b.sum("B")
e = a.rename(B="N").sum("N")
f = a.rename(batch="N").sum("N")
g = a.align_to("C", "batch")
"""


def test_two_words_for_one_name(tmp_path: Path) -> None:
    findings = without_terms(NAMES, tmp_path)
    assert [line for line, _ in findings] == [4, 5, 5, 7, 8]
    assert codes(NAMES, ONE_DIM, tmp_path) == []


def test_words_that_choose_an_option_are_not_names(tmp_path: Path) -> None:
    source = """\
import torch
import torch.nn.functional as F
x = F.mse_loss(torch.zeros(3, 4), torch.zeros(3, 4), reduction="none")
y = x + torch.zeros(5)
"""
    terms = agreed({"none": "sum"}, (), frozenset())
    assert codes(source, terms, tmp_path) == without_terms(source, tmp_path) == [(4, "NC201")]


ANNOTATED = """\
from jaxtyping import Float
from torch import Tensor
def f(x: Float[Tensor, "B C"], y: Float[Tensor, "batch C"]):
    return x + y
"""


def test_two_words_in_annotations(tmp_path: Path) -> None:
    assert without_terms(ANNOTATED, tmp_path) == [(4, "NC201")]
    assert codes(ANNOTATED, ONE_DIM, tmp_path) == []
    assert codes(ANNOTATED, MAY_MEET, tmp_path) == []


def test_a_named_annotation(tmp_path: Path) -> None:
    source = """\
from typing import Literal as L
import namecheck_runtime as nt
def f(x: nt.Tensor[L["B"], L["C"]]):
    return x.sum("batch")
"""
    assert without_terms(source, tmp_path) == [(4, "NC103")]
    assert codes(source, ONE_DIM, tmp_path) == []


TURNED = """\
def f(x):
    B, T, C = x.shape
    x = x.transpose(1, 2)  # (batch, time, c)
    return x
"""


def test_a_comment_in_the_other_words(tmp_path: Path) -> None:
    assert without_terms(TURNED, tmp_path) == []
    assert codes(TURNED, ONE_DIM, tmp_path) == [(3, "NC402")]
    right = TURNED.replace("batch, time, c", "Batch, C, TIME")
    assert codes(right, ONE_DIM, tmp_path) == []


def test_two_comments_in_different_words(tmp_path: Path) -> None:
    source = """\
def f(x, y):
    x = g(x)  # (batch, time, C)
    y = x.transpose(0, 1)  # (B, T, C)
    return y
"""
    assert without_terms(source, tmp_path) == []
    assert codes(source, ONE_DIM, tmp_path) == [(3, "NC402")]


@pytest.mark.parametrize(
    "source",
    [
        TURNED.replace("batch, time, c", "B, T, C"),
        """\
import namecheck_runtime as nt
a = nt.zeros(2, 3, names=("B", "C"))
b = nt.zeros(2, 3, names=("batch", "C"))
c = a + b
""",
    ],
)
def test_words_that_may_meet(source: str, tmp_path: Path) -> None:
    assert len(without_terms(source, tmp_path)) == 1
    assert codes(source, MAY_MEET, tmp_path) == []


def test_other_words_are_still_different_dims(tmp_path: Path) -> None:
    source = ANNOTATED.replace("batch C", "batch D")
    assert codes(source, ONE_DIM, tmp_path) == [(4, "NC201")]
    assert codes(source, MAY_MEET, tmp_path) == [(4, "NC201")]


STRICTLY = """\
import torch
import namecheck_runtime as nt
def f(x, bias):
    B, T, C = x.shape
    D, = bias.shape
    y = x * 2.0 + torch.tensor(1.0)
    return y + bias
a = nt.zeros(2, 3, names=("B", "C"))
b = nt.zeros(3, 4, names=("D", "E"))
c = a @ b
"""


def test_strict(tmp_path: Path) -> None:
    assert without_terms(STRICTLY, tmp_path) == []
    assert codes(STRICTLY, STRICT, tmp_path) == [(7, "NC209"), (10, "NC108")]
    paired = agreed({}, (("C", "D"),), frozenset({"NC108"}))
    assert codes(STRICTLY, paired, tmp_path) == []


def test_another_file_has_its_own_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("layers.py").write_text(
        'import namecheck_runtime as nt\n\n\ndef total(x):\n    return x.sum("batch")\n'
    )
    source = (
        'import namecheck_runtime as nt\nimport layers\n\nlayers.total(nt.zeros(2, names=("B",)))\n'
    )
    path = os.path.realpath("program.py")
    for terms, count in ((ONE_DIM, 0), (Terms(), 1)):
        program = open_program(Project(["."], {path: "program.py"}), lambda _, terms=terms: terms)
        findings = analyze("program.py", source.encode(), program=program, shapes=False).findings
        assert len(findings) == count


def test_chains_and_circles() -> None:
    assert agreed({"B": "bs", "bs": "batch"}, (), frozenset()).name("B") == "batch"
    with pytest.raises(ValueError, match=r"^a$"):
        agreed({"a": "b", "b": "a"}, (), frozenset())
    with pytest.raises(ValueError, match=r"^a$"):
        agreed({"a": "a"}, (), frozenset())

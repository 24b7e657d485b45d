"""The worked example, changed one line at a time: which changes cause findings, and which do not.

The program is the first one of `cases/worked_example.md`; the other tests of cases cover it without
changes. Here a row is a change and the finding that it should cause, at the line that contains a
piece of text, or no finding.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from lessons import programs
from namecheck.analysis import analyze
from namecheck.findings import Finding, Level

PROGRAM = next(programs(Path(__file__).parent / "cases" / "worked_example.md")).marks.text


class Change(NamedTuple):
    """Lines of the program to replace, and the finding besides the loss, and its place."""

    title: str
    old: str
    new: str
    code: str = ""
    where: str = ""
    warning: bool = False
    not_yet: str = ""


VIEW = "D // self.heads).transpose(1, 2) for t"
MERGE = "y.transpose(1, 2).reshape(B, N, D)"

TOLD = [
    Change(
        "heads are not moved before positions",
        VIEW,
        "D // self.heads) for t",
        "NC402",
        "# (B, h, N, d)",
    ),
    Change(
        "keys are not transposed",
        "q @ k.transpose(-2, -1)",
        "q @ k",
        "NC203",
        "scores = q @ k",
    ),
    # The table of the specification says NC204, its policy of degenerate sizes NC211.
    Change(
        "the width is not divided among the heads",
        "self.heads, D // self.heads).transpose",
        "self.heads, D).transpose",
        "NC211",
        "t.view(",
        warning=True,
    ),
    Change(
        "normalised over the queries",
        "softmax(dim=-1)",
        "softmax(dim=-2)",
        "NC305",
        "weights @ v",
    ),
    Change(
        "normalised over the heads",
        "softmax(dim=-1)",
        "softmax(dim=1)",
        "NC305",
        "weights @ v",
    ),
    Change(
        "the mask lines up with the heads",
        "mask[:, None, None, :]",
        "mask[:, :, None]",
        "NC202",
        "masked_fill",
    ),
    Change(
        "heads are not moved back",
        MERGE,
        "y.reshape(B, N, D)",
        "NC205",
        "y.reshape(B, N, D)",
    ),
    Change(
        "a view of what is not contiguous",
        MERGE,
        "y.transpose(1, 2).view(B, N, D)",
        "NC501",
        ".view(B, N, D)",
    ),
    Change(
        "the block gives another width",
        "self.out = nn.Linear(cfg.dim, cfg.dim)",
        "self.out = nn.Linear(cfg.dim, 3 * cfg.dim)",
        "NC201",
        "x + block",
    ),
    Change(
        "the norm takes another size of the config",
        "nn.LayerNorm(cfg.dim)",
        "nn.LayerNorm(cfg.heads)",
        "NC208",
        "self.norm(x)",
        warning=True,
    ),
    Change(
        "the image's tokens are not turned about",
        "x.flatten(2).transpose(1, 2)",
        "x.flatten(2)",
        "NC208",
        "self.norm(x)",
        warning=True,
    ),
    Change(
        "a comment with two dims swapped",
        "# (B, h, N, d)",
        "# (B, N, h, d)",
        "NC402",
        "# (B, N, h, d)",
    ),
    Change(
        "unpacked in another order than the comment says",
        "B, N, D = x.shape",
        "B, D, N = x.shape",
        "NC402",
        "B, D, N = x.shape",
    ),
]

SKIPS = """

class {name}(nn.Module):
    def __init__(self, a, b, stride=1):
        super().__init__()
        self.body = nn.Linear(a, b)
        {choice}

    def forward(self, x):
        {forward}
"""

SILENT = [
    Change("the mean over another dim", "x.mean(dim=1)", "x.mean(dim=-1)"),
    Change(
        "an underscore for the width",
        "B, N, D = x.shape",
        "B, N, _ = x.shape\n        D = x.shape[-1]",
    ),
    Change(
        "one name for several shapes",
        "scores = q @ k.transpose(-2, -1)",
        "q = q.transpose(1, 2)\n        q = q.transpose(1, 2)\n"
        "        scores = q @ k.transpose(-2, -1)",
    ),
    Change(
        "the heads read by two paths",
        "self.heads = cfg.heads",
        "self.heads = cfg.heads\n        self.cfg = cfg",
    ),
    Change(
        "the heads read from the config that is kept",
        "self.heads = cfg.heads",
        "self.cfg = cfg\n        self.heads = self.cfg.heads",
    ),
    Change("the last size left open", "reshape(B, N, D)", "reshape(B, N, -1)"),
    Change(
        "two ways to one result",
        "weights = scores.softmax(dim=-1)\n        y = weights @ v",
        "if self.flash:\n            y = F.scaled_dot_product_attention(q, k, v)\n"
        "        else:\n            y = scores.softmax(dim=-1) @ v",
    ),
    Change(
        "a mask of which nothing is known",
        "# mask: (B, N)\n            scores = scores.masked_fill(mask[:, None, None, :] == 0",
        "\n            scores = scores.masked_fill(mask == 0",
    ),
    Change(
        "a skip chosen by the sizes",
        "\n\ndef loss_fn",
        SKIPS.format(
            name="Skip",
            choice="self.skip = nn.Identity() if a == b else nn.Linear(a, b)",
            forward="return self.body(x) + self.skip(x)",
        )
        + "\n\ndef loss_fn",
    ),
    Change(
        "a skip under a flag kept earlier",
        "\n\ndef loss_fn",
        SKIPS.format(
            name="Skip",
            choice="self.use_res = stride == 1 and a == b",
            forward="return x + self.body(x) if self.use_res else self.body(x)",
        )
        + "\n\ndef loss_fn",
    ),
    Change(
        "a skip replaced where the sizes differ",
        "\n\ndef loss_fn",
        SKIPS.format(
            name="Skip",
            choice="self.shortcut = nn.Identity()\n        if a != b:\n"
            "            self.shortcut = nn.Linear(a, b)",
            forward="return self.body(x) + self.shortcut(x)",
        )
        + "\n\ndef loss_fn",
    ),
]

RENAMED = [
    *("B", "N", "D", "qkv", "q", "k", "v", "t", "scores", "weights", "y", "mask"),
    *("img", "block", "pred", "target", "model", "cfg", "heads", "dim", "proj", "blocks"),
]


def found(program: str) -> list[Finding]:
    """The findings that the user sees, without the loss, which is wrong from the beginning."""
    analysis = analyze("program.py", program.encode())
    lines = program.splitlines()
    shown = [finding for finding in analysis.findings if finding.level is not Level.NOTE]
    loss = [f for f in shown if f.code == "NC202" and "mse_loss" in lines[f.span.line - 1]]
    return [finding for finding in shown if finding not in loss]


def changed(change: Change) -> str:
    assert change.old in PROGRAM, "the change has no effect"
    return PROGRAM.replace(change.old, change.new, 1)


def row(change: Change) -> object:
    marks = [pytest.mark.xfail(reason=change.not_yet, strict=True)] if change.not_yet else []
    return pytest.param(change, id=change.title, marks=marks)


def sentences(findings: list[Finding]) -> str:
    return "\n".join(f"{f.span.line}: {f.level}[{f.code}] {f.message}" for f in findings)


@pytest.mark.parametrize("change", [row(change) for change in TOLD])
def test_a_wrong_change_is_reported_at_its_place(change: Change) -> None:
    program = changed(change)
    findings = found(program)
    (line,) = [n for n, text in enumerate(program.splitlines(), 1) if change.where in text]
    assert [(f.span.line, f.code) for f in findings] == [(line, change.code)], sentences(findings)
    if change.warning:
        assert findings[0].level is Level.WARNING


@pytest.mark.parametrize("change", [row(change) for change in SILENT])
def test_a_correct_change_is_not_reported(change: Change) -> None:
    findings = found(changed(change))
    assert not findings, sentences(findings)


@pytest.mark.parametrize("name", RENAMED)
def test_a_variable_may_have_any_name(name: str) -> None:
    """Labels in comments are renamed along, in any case, since they refer to the variable."""
    program = re.sub(rf"\b{name}\b(?!=)", f"{name}_renamed", PROGRAM)
    assert program != PROGRAM
    findings = found(program)
    assert not findings, sentences(findings)
    analysis = analyze("program.py", program.encode())
    assert [finding.code for finding in analysis.findings] == ["NC202"]


def test_the_loss_is_the_only_finding_of_the_program() -> None:
    analysis = analyze("program.py", PROGRAM.encode())
    (finding,) = analysis.findings
    assert finding.code == "NC202"
    assert "mse_loss" in PROGRAM.splitlines()[finding.span.line - 1]
    assert not found(PROGRAM)


def test_a_width_that_does_not_fit_is_reported_with_the_calls_that_lead_there() -> None:
    change = next(change for change in TOLD if change.title == "the block gives another width")
    (finding,) = found(changed(change))
    assert "cfg.dim" in finding.message
    assert "3*cfg.dim" in finding.message

"""The page of a code states the facts of its findings."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
from tests.lessons import programs

from namecheck.analysis.runs.file_analysis import analyze_text
from namecheck.analysis.runs.findings_of import Mistakes
from namecheck.codes.selection import STRICT
from namecheck.documentation.pages import Page, pages
from namecheck.findings import Applicability, Level
from namecheck.fixes.candidates import MAKERS
from namecheck.fixes.proposals import propose

CASES = Path(__file__).parent / "cases"
GRAVEST_FIRST = [Level.ERROR, Level.WARNING, Level.NOTE]
PAGES = {page.code: page for page in pages()}

FIXED = {
    "NC101": """\
from namecheck_runtime import zeros
x = zeros(3, 3, names=("N", "C"))
y = x - x.sum("C")
""",
    "NC102": """\
from namecheck_runtime import zeros
x = zeros(3, 1, names=("N", "C"))
y = x.rename(C=None) - x.sum("C")
""",
    "NC201": "import torch\nx = torch.zeros(5, 6, 7)\ny = x - x.mean(1)\n",
    "NC202": "def f(x):\n    B, T, C = x.shape\n    return x - x.mean(-1)\n",
    "NC402": """\
def f(x):
    B, T, C = x.shape
    y = x.transpose(1, 2)  # (B, T, C)
    return y
""",
    "NC501": "import torch\ny = torch.zeros(2, 3, 4).mT.view(-1)\n",
    "NC601": "import torch\nx = torch.zeros(2, names=('N',))\n",
}
"""A program for each code that has fixes, with one that is proven."""


@pytest.fixture(scope="module")
def levels() -> dict[str, set[str]]:
    """The levels at which the lessons expect each code."""
    seen: dict[str, set[str]] = defaultdict(set)
    for lesson in CASES.glob("*.md"):
        for program in programs(lesson):
            for finding in program.marks.found:
                seen[finding.code].add(finding.level)
    return seen


def test_a_page_states_the_gravest_level_of_its_findings(levels: dict[str, set[str]]) -> None:
    assert len(levels) > 25
    stated = {code: PAGES[code].level for code in levels}
    gravest = {
        code: next(level for level in GRAVEST_FIRST if level in seen)
        for code, seen in levels.items()
    }
    assert stated == gravest


@pytest.mark.parametrize("code", sorted(MAKERS))
def test_a_page_states_how_far_its_fixes_may_be_trusted(code: str) -> None:
    mistakes: Mistakes = {}
    text = FIXED[code]
    analysis = analyze_text("a.py", text, mistakes=mistakes)
    findings = propose("a.py", text, None, analysis, mistakes).findings
    fixes = [f.fix.applicability for f in findings if f.code == code and f.fix]
    assert fixes == [PAGES[code].fix]


def test_a_code_without_a_maker_has_no_fix() -> None:
    """The codes about suppression comments are an exception: see `test_suppressions`."""
    fixed = {page.code for page in PAGES.values() if page.fix is not None}
    assert fixed == {*MAKERS, "NC901", "NC902"}
    assert PAGES["NC901"].fix is PAGES["NC902"].fix is Applicability.SAFE


def test_strict_codes_and_notes_are_off_by_default() -> None:
    off = {page.code for page in PAGES.values() if not page.default}
    assert off == {*STRICT, "NC801", "NC802"}


def test_a_summary_is_one_line() -> None:
    page = Page("NC000", "none", "One\nthought.\n\nAnother.", Level.NOTE, True, None)
    assert page.summary == "One thought."

"""The page of every rule shows a wrong program and a right one, and they are wrong and right.

`# NC202` at the end of a line marks a finding there; the programs are whole files.
"""

from __future__ import annotations

import re
import traceback

import pytest

from namecheck.analysis import analyze, open_program
from namecheck.codes.selection import STRICT
from namecheck.findings import Level
from namecheck.terms import Terms
from namecheck_runtime.mistakes import CODES, Mistake

ON_THE_RUNTIME = {code for code, mistake in CODES.items() if mistake.is_runtime_only}
"""Raised when the program runs; the linter does not find them yet (README)."""

ASKED = {"NC803"}
"""Not mistakes: the program asks for these notes."""

RULES = sorted(set(CODES) - ASKED)


def blocks(code: str) -> list[str]:
    """The programs of a page."""
    page = CODES[code].documentation()
    return re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def marks(program: str) -> list[tuple[int, str]]:
    lines = enumerate(program.splitlines(), 1)
    return [(n, m[1]) for n, line in lines if (m := re.search(r"  # (NC\d{3})$", line))]


def unmarked(program: str) -> str:
    """The program without its marks, which must not become a part of shape comments."""
    return re.sub(r"  # NC\d{3}$", "", program, flags=re.MULTILINE)


def found(program: str, strict: frozenset[str] = frozenset()) -> list[tuple[int, str]]:
    asked = open_program(terms_of=lambda _: Terms(strict=strict))
    analysis = analyze("page.py", unmarked(program).encode(), program=asked)
    return [(f.span.line, f.code) for f in analysis.findings if f.level is not Level.NOTE]


def raised(program: str) -> list[tuple[int, str]]:
    """The mistake that ends the program when it runs."""
    try:
        exec(compile(unmarked(program), "page.py", "exec"), {})
    except Exception as error:
        mistake = getattr(error, "mistake", None)
        if not isinstance(mistake, Mistake):
            raise
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)]
        return [(lines[1] or 0, mistake.code)]
    return []


@pytest.mark.parametrize("code", RULES)
def test_a_page_has_four_parts_and_two_programs(code: str) -> None:
    page = CODES[code].documentation()
    titles = ["What it finds", "Why it is bad", "Example", "Use instead"]
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == titles
    wrong, right = blocks(code)
    assert [marked for _, marked in marks(wrong)] == [code]
    assert marks(right) == []


@pytest.mark.parametrize("code", sorted({*RULES} - ON_THE_RUNTIME))
def test_the_linter_flags_the_wrong_program_and_not_the_right_one(code: str) -> None:
    wrong, right = blocks(code)
    strict = frozenset({code}) & STRICT
    assert found(wrong, strict) == marks(wrong)
    assert found(right, strict) == []
    if strict:  # a stricter reading than the libraries'
        assert found(wrong) == []


@pytest.mark.parametrize(
    "code", [code for code in RULES if "namecheck_runtime" in blocks(code)[0] and code != "NC108"]
)
def test_the_runtime_raises_in_the_wrong_program_and_not_in_the_right_one(code: str) -> None:
    wrong, right = blocks(code)
    assert raised(wrong) == marks(wrong)
    assert raised(right) == []


def test_codes_that_only_the_runtime_finds_have_pages() -> None:
    assert all("namecheck_runtime" in blocks(code)[0] for code in ON_THE_RUNTIME)

"""Regular expressions that are compiled on first use, and those that look for words first."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from namecheck.analysis.objects import module_parts, module_rows
from namecheck.frameworks import scipy, torch
from namecheck_runtime.light import regexes

ROOT = Path(__file__).parent.parent
WITH_WORDS = [
    (f"{module.__name__}.{name}", value)
    for module in (module_parts, module_rows, scipy, torch)
    for name, value in vars(module).items()
    if isinstance(value, regexes._Regex) and value._words
]
TEXTS = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for folder in ("namecheck", "runtime", "tests/analysis")
    for path in sorted((ROOT / folder).rglob("*.py"))
}


def test_there_are_expressions_with_words() -> None:
    assert len(WITH_WORDS) > 5


@pytest.mark.parametrize("value", [value for _, value in WITH_WORDS], ids=dict(WITH_WORDS))
def test_each_match_contains_one_of_the_words(value: regexes._Regex) -> None:
    plain = re.compile(value._text, value._flags)
    found = {match[0] for text in TEXTS.values() for match in plain.finditer(text)}
    assert all(any(word in match for word in value._words) for match in found)


def test_a_text_without_the_words_has_no_matches() -> None:
    seen = regexes.regex(r"\bshape\b", words=("size",))
    assert seen.search("a shape") is None
    assert seen.findall("a shape") == []
    assert seen.search("the size of a shape", 5) is not None
    assert seen.findall("the size of a shape") == ["shape"]
    assert seen.sub("x", "a shape") == "a x"

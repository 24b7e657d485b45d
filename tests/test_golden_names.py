"""Every measured row is answered by a rule, or left out for a reason that stands in a list."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from golden_names import DTYPE_TEXTS, EXCEPTIONS, Outcome, category, read_rows, replay, replay_all

WITHOUT_RULE: dict[str, str] = {}
"""Ops of the file that have no rule, and why."""


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return replay_all()


def _told(outcomes: list[Outcome]) -> str:
    return "\n".join(
        f"{o.row['id']} {json.dumps(o.row['a'])} {json.dumps(o.row.get('k', {}))}\n"
        f"  want {json.dumps(o.row['r'])}\n  got  {o.got}"
        for o in outcomes[:20]
    )


def test_no_row_is_wrong(outcomes: list[Outcome]) -> None:
    wrong = [o for o in outcomes if o.verdict == "wrong"]
    assert not wrong, f"{len(wrong)} rows\n{_told(wrong)}"


def test_every_op_has_a_rule(outcomes: list[Outcome]) -> None:
    missing = Counter(o.row["op"] for o in outcomes if o.verdict == "no rule")
    assert missing.keys() == WITHOUT_RULE.keys()


def test_enough_rows_are_replayed(outcomes: list[Outcome]) -> None:
    """Leaving rows out must not become the way to pass."""
    counts = Counter(o.verdict for o in outcomes)
    assert counts["right"] >= 5000, counts


def test_refusals_are_in_torchs_words(outcomes: list[Outcome]) -> None:
    """A tool that reads PyTorch's errors reads ours: nearly every sentence is the same."""
    told = [o.exact for o in outcomes if o.exact is not None]
    assert sum(told) >= 0.99 * len(told)


def test_exceptions_are_exceptions(outcomes: list[Outcome]) -> None:
    """A row that a rule answers as measured needs no excuse."""
    excused = [o.row for o in outcomes if o.row["id"] in EXCEPTIONS]
    assert {row["id"] for row in excused} == EXCEPTIONS.keys()
    for row in excused:
        assert replay(row, excuse=False).verdict == "wrong", row


def test_the_categories_are_the_measured_ones() -> None:
    rows = [row["r"] for row in read_rows() if "err" in row["r"]]
    assert rows
    for result in rows:
        assert category(result["msg"], result["err"]) == result["cat"], result


def test_each_text_left_out_for_its_dtype_occurs() -> None:
    texts = [row["r"].get("msg", "") for row in read_rows()]
    for fragment in DTYPE_TEXTS:
        assert any(fragment in text for text in texts), fragment

"""A rule answers every measured row, or a list states the reason for leaving it out."""

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


def _described(outcomes: list[Outcome]) -> str:
    return "\n".join(
        f"{o.row['id']} {json.dumps(o.row['a'])} {json.dumps(o.row.get('k', {}))}\n"
        f"  want {json.dumps(o.row['r'])}\n  got  {o.got}"
        for o in outcomes[:20]
    )


def test_no_row_is_wrong(outcomes: list[Outcome]) -> None:
    wrong = [o for o in outcomes if o.verdict == "wrong"]
    assert not wrong, f"{len(wrong)} rows\n{_described(wrong)}"


def test_every_op_has_a_rule(outcomes: list[Outcome]) -> None:
    missing = Counter(o.row["op"] for o in outcomes if o.verdict == "no rule")
    assert missing.keys() == WITHOUT_RULE.keys()


def test_enough_rows_are_replayed(outcomes: list[Outcome]) -> None:
    """Leaving rows out must not become a way to pass."""
    counts = Counter(o.verdict for o in outcomes)
    assert counts["right"] >= 5000, counts


def test_refusals_use_the_words_of_torch(outcomes: list[Outcome]) -> None:
    """Nearly every sentence is PyTorch's, so that tools that read its errors can read ours."""
    exact = [o.exact for o in outcomes if o.exact is not None]
    assert sum(exact) >= 0.99 * len(exact)


def test_every_exception_is_needed(outcomes: list[Outcome]) -> None:
    """A row that a rule answers as measured must not be in the list."""
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

"""The page that says which ops have gradients says what the table of derivatives does."""

from __future__ import annotations

from pathlib import Path

import pytest

import namecheck_runtime as nt
from gradient_calls import DATA, Program, rows
from listed import read_listed
from loading import load_file
from namecheck_runtime.autograd.table import entries
from value_calls import identity

gradients = load_file(Path(__file__).parents[2] / "docs/hooks/gradients.py")
ANSWERS = gradients.answers()
REFUSED = {
    entry.removeprefix("-")
    for entry in read_listed(DATA / "gradients_otherwise.txt")
    if entry.startswith("-")
}
ROWS = {identity(row): row for row in rows()}


def test_the_page_is_that_of_the_table() -> None:
    assert gradients.PAGE.read_text(encoding="utf-8") == gradients.page(), (
        "python docs/hooks/gradients.py writes it"
    )


def test_the_page_has_all_ops_with_an_entry() -> None:
    assert set(entries()) <= set(ANSWERS)


def test_no_op_waits_for_its_derivative() -> None:
    assert gradients.NONE not in ANSWERS.values()


def test_ops_that_refuse_are_those_of_the_list() -> None:
    refusing = {op for op, word in ANSWERS.items() if word == gradients.AS_TORCH}
    assert refusing <= REFUSED
    # The others have a derivative for some of their operands.
    assert {ANSWERS[op] for op in REFUSED - refusing} <= {gradients.DERIVATIVE}


@pytest.mark.parametrize("identity_", [i for i, row in ROWS.items() if row["op"] in REFUSED])
def test_an_op_without_a_derivative_refuses_with_its_name(identity_: str) -> None:
    made = Program(ROWS[identity_], nt, nt.from_numpy)
    with pytest.raises(NotImplementedError, match=ROWS[identity_]["op"].replace(".", r"\.")):
        made.run(made.arrays(), True)

"""Correct programs of other people's kind, about which the checker must say nothing.

Each is the smallest program for a cause of false findings that was seen in real projects.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from namecheck.analysis import analyze

PROGRAMS: Final = sorted((Path(__file__).parent / "silence").glob("*.py"))

NOT_YET: Final[dict[str, str]] = {
    "arrow_comment_runs_into_next_line": "the right side of the arrow is the next line's value",
    "attribute_replaced_in_method_of_middle_class": "a method replaces the attribute",
    "attribute_set_on_earlier_object": "the attribute was set on another object",
    "comment_above_is_an_unknown_operand": "the comment is about the operand",
    "comment_above_is_the_operand": "the comment is about the operand",
    "comment_above_is_the_operand_behind_branch": "the comment is about the operand",
    "comment_before_branch_is_of_what_follows": "the comment is about what follows",
    "comment_behind_bracket_is_of_inner_matmul": "the comment is about a part of the value",
    "comment_leaves_starred_dims_out": "the comment leaves the starred dims out",
    "comment_lists_members_of_tuple": "the comment lists the members of a tuple",
    "comment_names_columns": "the comment names the columns",
    "comment_names_columns_of_unknown": "the comment names the columns",
    "dist_method_of_unknown_object": "an unknown object is taken for a tensor",
    "einsum_letter_of_unknown_operand": "the letter names a size of an unknown value",
    "label_of_docstring_and_local_of_same_name": "the label is the docstring's, not the local",
    "labels_whose_product_is_known_number": "the labels' product is a known size",
    "name_spells_arithmetic": "the name spells another name minus one",
    "reshape_of_no_elements": "an unknown size may be 0",
    "return_annotation_decides_branch_on_ndim": "the annotated rank may not be the real one",
    "return_annotation_of_base_class": "the annotation is of the base class",
    "second_bracket_names_entries": "the second bracket names the entries",
    "unsqueeze_in_place_by_flag": "the rank is that after the unsqueeze_",
    "unsqueeze_in_place_by_flag_of_conditional": "the rank is that after the unsqueeze_",
    "view_that_next_view_undoes": "the next view restores the order",
}
"""Programs that are still flagged, with what is misread in them."""


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.stem for program in PROGRAMS])
def test_nothing_is_reported_on_a_correct_program(program: Path) -> None:
    findings = analyze(program.name, program.read_bytes()).findings
    reported = [f"{finding.span.line}: {finding.code} {finding.message}" for finding in findings]
    if program.stem in NOT_YET:
        assert reported, "silent now: remove it from NOT_YET"
    else:
        assert reported == []


def test_every_program_that_is_still_flagged_exists() -> None:
    assert NOT_YET.keys() <= {program.stem for program in PROGRAMS}

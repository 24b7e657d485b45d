"""What is known of a test with `and` or `or` whose parts were not decided one by one."""

from __future__ import annotations

import pytest
from snippets import check_marks

from namecheck.analysis.python.alternatives import are_impossible
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.decisions import parts, truth_of_form
from namecheck.analysis.reading.from_libcst import lower_module, parse
from namecheck.text.layout import read_layout


def _parts(test: str, holds: bool) -> dict[object, bool]:
    text = f"if {test}:\n    pass\n"
    layout = read_layout(text)
    statement = lower_module(parse(text, layout), layout).statements[0]
    assert isinstance(statement, ir.If)
    return dict(parts(statement.test, holds))


@pytest.mark.parametrize(
    ("first", "later", "impossible"),
    [
        (("a and b", False), [("a", True), ("b", True)], True),
        (("a and b", False), [("a", True), ("b", False)], False),
        (("a and b", False), [("a", True)], False),
        (("a and (b or c > 0)", False), [("a", True), ("c > 0", True)], True),
        (("a and (b or c > 0)", False), [("a", False), ("c > 0", True)], False),
        (("a or not b", True), [("a", False), ("b", True)], True),
        (("a or not b", True), [("a", False), ("b", False)], False),
        (("a or b is None", True), [("a", False), ("b is not None", True)], True),
        (("a or f(g)(x)", True), [("a", False)], False),
    ],
)
def test_parts_that_contradict_the_whole(
    first: tuple[str, bool], later: list[tuple[str, bool]], impossible: bool
) -> None:
    decided = _parts(*first)
    for test, holds in later:
        decided |= _parts(test, holds)
    assert are_impossible(decided) is impossible


def test_a_form_that_nothing_decides_is_unknown() -> None:
    assert truth_of_form("a", {"b": True}) is None


def test_a_branch_that_its_tests_rule_out_is_silent() -> None:
    check_marks(
        """
        import torch

        def whole(x: torch.Tensor, fuse: bool, deep: bool):
            b, c, h, w = x.shape
            y = x.flatten(2)
            if not (fuse and deep):
                if fuse:
                    if deep:
                        y = y.permute(0, 1, 2, 3)
                    z = y.permute(0, 1, 2, 3)  # NC303
            if fuse and deep:
                y = y.permute(0, 1, 2, 3)  # NC303
            return y
        """
    )

"""A view of a part of each sample is right for a batch of one: it is no error.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import textwrap

import pytest
from snippets import check_marks

from namecheck.analysis import analyze_text

PARTS = {
    "positions after the first ones": "buf[:, start:].view(-1, d)",
    "half of the positions": "buf.chunk(2, dim=1)[0].view(-1)",
    "one position of each sample": "buf[:, 0].view(-1)",
    "the first positions": "buf.narrow(1, 0, 3).view(b * 3, d)",
}

ELSE = {
    "heads after a transpose": "torch.zeros(b, 4, t, d).transpose(1, 2).view(b, t, 4 * d)",
    "the batch and heads": "buf.view(b, t, 4, d // 4).transpose(1, 2).view(b * 4, t, d // 4)",
    "the batch behind the positions": "buf.transpose(0, 1).view(t * b, d)",
}


def levels(expression: str) -> list[tuple[str, str]]:
    program = f"""
        import torch

        def f(x, start):
            b, t, d = x.shape
            buf = torch.zeros(b, t, d)
            return {expression}
        """
    return [
        (one.code, one.level) for one in analyze_text("x.py", textwrap.dedent(program)).findings
    ]


@pytest.mark.parametrize("expression", PARTS.values(), ids=PARTS)
def test_what_is_right_for_a_batch_of_one_is_at_most_a_warning(expression: str) -> None:
    assert set(levels(expression)) <= {("NC501", "warning")}


@pytest.mark.parametrize("expression", ELSE.values(), ids=ELSE)
def test_a_transpose_is_an_error(expression: str) -> None:
    assert levels(expression) == [("NC501", "error")]


def test_a_caller_may_pass_a_part_of_the_only_sample() -> None:
    check_marks("""
        import torch

        def into(x, out):
            torch.mm(x.reshape(-1, x.shape[-1]), torch.zeros(8, 8), out=out.view(-1, out.shape[-1]))

        def joined(x, start):
            b, t, _ = x.shape
            buf = torch.empty(b, start + t, 8)
            into(x, buf[:, start:])
            return buf

        def four(x, start):
            _, t, d = x.shape
            buf = torch.empty(4, t, d)
            return buf[:, start:].view(-1, d)
        """)

"""Consecutive elements that are packed into words are regrouped on purpose.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "the last dim is packed": """
        import numpy as np
        import torch

        def item_by_item(weight, lanes, width):
            n, k = weight.shape
            cells = weight.reshape(n // lanes, lanes, k // width, width).transpose(0, 2, 1, 3)
            cells = cells.reshape(n // lanes, k // width, width, lanes)
            words = cells[..., 0] | (cells[..., 1] << 4) | (cells[..., 2] << 8)
            return words.reshape(n // lanes, k)

        def in_a_loop(weight, lanes, width):
            n, k = weight.shape
            cells = weight.reshape(n // lanes, lanes, k // width, width).transpose(0, 2, 1, 3)
            cells = cells.reshape(n // lanes, k // width, width, lanes)
            words = np.zeros((n // lanes, k // width, width), dtype=np.int16)
            for i in range(4):
                part = cells[..., i]
                words |= part << (4 * i)
            return words

        def at_once(weight: torch.Tensor, lanes, width, shifts):
            n, k = weight.shape
            cells = weight.view(n // lanes, lanes, k // width, width).permute(0, 2, 1, 3)
            return (cells.reshape(n // lanes, k // width, width, lanes) << shifts).sum(-1)
        """,
    "something else is shifted": """
        import torch

        def scrambled(x: torch.Tensor, bits):
            b, c, t = x.shape
            y = x.reshape(b, t, c)  # NC205
            limit = 1 << bits
            return y, limit

        def taken_apart(boxes: torch.Tensor):
            b, c, t = boxes.shape
            y = boxes.reshape(b, t, c)  # NC205
            return y[..., 0], y[..., 1]
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])

"""Branches that treat a tensor without elements: `[b, 0]` reshaped to `[b, 0, 3]`.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "a branch gives dims to what has no elements": """
        import torch
        import numpy as np

        def positions(rows, dim):
            out = torch.nn.utils.rnn.pad_sequence([torch.tensor(r) for r in rows])
            if out.ndim == 2:
                out = out.view(*out.shape, dim + 1, 2)
            return out

        class Boxes:
            def collect(self, items):
                for item in items:
                    a = np.asarray(item)
                    if len(a.shape) == 1:
                        a = a.reshape(*a.shape, 4)
                    yield a

        def boxes(x):
            a = np.asarray(x)
            return a.reshape((a.shape[0], 4)) if a.ndim == 1 else a
        """,
    "a program that names the sizes has elements": """
        import torch

        def always(x):
            b, n = x.shape
            return x.reshape(b, n, 3)  # NC204

        def in_a_branch(x):
            if x.ndim == 3:
                b, t, c = x.shape
                x = x.reshape(b, t, 8, c)  # NC204
            return x

        def stated(x):
            assert x.ndim == 2
            return x.reshape(*x.shape, 3)  # NC204
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])

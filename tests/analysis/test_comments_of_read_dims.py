"""Comments beside dims that are read in part, cut off or listed below a heading (NC402).

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "a part of the shape": """
        def by_slice(x):
            # x: (T, B, C)
            B, T = x.shape[:2]  # NC402
            return x.new_zeros(B, T)

        def by_size(x):
            # x: (T, B, C)
            B, T = x.size(0), x.size(1)  # NC402
            return x.new_zeros(B, T)

        def from_the_end(x):
            # x: (B, C, T)
            T, C = x.shape[-2:]  # NC402
            return x.new_zeros(T, C)

        def right(x):
            # x: (B, T, C)
            B, T = x.shape[:2]
            T, C = x.shape[-2:]
            return x.new_zeros(B, T, C)

        def of_another(x, y):
            # x: (T, B, C)
            B, T = y.shape[:2]
            return x.new_zeros(B, T)
        """,
    "a table cut off": """
        import torch
        from torch import nn

        class Wrong(nn.Module):
            def __init__(self, seq_len, dim):
                super().__init__()
                self.register_buffer("table", torch.zeros(seq_len, dim // 2))

            def forward(self, x):
                B, H, T, D = x.shape
                freqs = self.table[:T].unsqueeze(0)  # (1, D // 2, T)  # NC402
                return x * freqs

        class Right(nn.Module):
            def __init__(self, seq_len, dim):
                super().__init__()
                self.register_buffer("table", torch.zeros(seq_len, dim // 2))

            def forward(self, x):
                B, H, T, D = x.shape
                freqs = self.table[:T].unsqueeze(0)  # (1, T, D // 2)
                rows = self.table[:T]  # (seq_len, D // 2)
                return freqs, rows
        """,
    "a list below a heading": """
        import torch

        def wrong(q, k, v):
            # Linear attention: the trace
            # q, k, v: (B, N, D)
            kv = torch.matmul(k.transpose(-2, -1), v)  # (D, B, D)  # NC402
            return torch.matmul(q, kv)

        def right(q, k, v):
            # Linear attention: the trace
            # q, k, v: (B, N, D)
            kv = torch.matmul(k.transpose(-2, -1), v)  # (B, D, D)
            return torch.matmul(q, kv)

        def unfinished(q, k, v):
            # Linear attention takes the trace of
            # q, k, v: (B, N, D)
            kv = torch.matmul(k.transpose(-2, -1), v)  # (D, B, D)
            return torch.matmul(q, kv)
        """,
    "a dim in front of the known ones": """
        import torch

        def wrong(x, c):
            M, D = c.shape
            norms = c.sum(dim=1)  # (codes,)
            dot = torch.matmul(x, c.t())  # (codes, rows)  # NC402
            return dot, norms

        def right(x, c):
            M, D = c.shape
            norms = c.sum(dim=1)  # (codes,)
            dot = torch.matmul(x, c.t())  # (rows, codes)
            return dot, norms

        def of_a_square(x, c):
            M, D = c.shape
            norms = c.sum(dim=1)  # (codes,)
            dot = torch.matmul(x, c.t())  # (codes, codes)
            return dot, norms
        """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_comment_is_held_against_the_dims_that_are_read(program: str) -> None:
    check_marks(program)

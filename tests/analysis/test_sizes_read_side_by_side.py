"""Two variables side by side that are given the size of one dim.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "one dim for two names": """
        import torch

        def positions(x):
            batch_size, seq_len = x.shape[1], x.shape[1]  # NC306
            return torch.arange(seq_len).expand(batch_size, seq_len)

        def method(x):
            B, T = x.size(0), x.size(0)  # NC306
            return torch.zeros(B, T)

        def among_others(maps):
            B, C, rows, cols = maps.shape[0], maps.shape[1], maps.shape[2], maps.shape[2]
            return torch.zeros(B, C, rows, cols)

        def one_by_one(tokens):
            batch = tokens.shape[0]
            length = tokens.shape[0]  # NC306
            return torch.zeros(batch, length)

        class Layer(torch.nn.Module):
            def forward(self, x):
                n = x.size(-1)
                channels = x.size(-1)  # NC306
                return x.view(-1, n, channels)
        """,
    "dims that are read right": """
        import torch

        def positions(x):
            batch_size, seq_len = x.shape[0], x.shape[1]
            return torch.arange(seq_len).expand(batch_size, seq_len)

        def of_two(x, y):
            B, T = x.shape[0], y.shape[0]
            return torch.zeros(B, T)

        def attention(x):
            bsz, qlen, klen = x.size(0), x.size(1), x.size(1)
            return torch.zeros(bsz, qlen, klen)

        def counted(waveform):
            original_samples = waveform.shape[0]
            total_samples = waveform.shape[0]
            n, n_before = waveform.shape[0], waveform.shape[0]
            return original_samples, total_samples, n, n_before

        def on_two_paths(x, first: bool):
            if first:
                rows = x.shape[0]
            else:
                cols = x.shape[0]
            _, last = x.shape[0], x.shape[0]
            return last

        def further_down(x):
            rows = x.shape[0]
            x = x.t()
            cols = x.shape[0]
            return rows, cols
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])

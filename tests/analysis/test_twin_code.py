"""Expressions side by side that are alike, of which one reads another dim.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "all but one of a tuple": """
        import torch

        def columns(R):
            return R[:, 0], R[:, 1], R[2, :]  # NC306

        def first(points):
            x, y, z = points[0, ...], points[..., 1], points[..., 2]  # NC306
            return x, y, z

        def halves(A):
            return A[..., 0:4].flip(-1), A[..., 4:8].flip(-1), A[..., 8:12].flip(-2)  # NC306

        class Boxes:
            def corners(self):
                return [0], (
                    self.boxes[:, 0].sum(dim=0),
                    self.boxes[:, 1].sum(dim=1),  # NC306
                    self.boxes[:, 2].sum(dim=0),
                    self.boxes[:, 3].sum(dim=0),
                )
        """,
    "rows that are what they should be": """
        import torch

        def faces(array):
            return (
                array[0, :, :],
                array[-1, :, :],
                array[:, 0, :],
                array[:, -1, :],
            )

        def of_two(U, V):
            return U[:, 0], V[0, :]

        def mixed(R, S):
            return R[:, 0], R[:, 1], S[2, :]

        def projected(x):
            return x.sum(0), x.sum(1), x.sum(2)

        def sizes(x):
            return x.size(0), x.size(1), x.size(2)

        def repeated(m):
            return m[:, 0], m[:, 0], m[0, :]

        def crossed(m):
            return m[:, 0], m[:, 1], m[0, :]
        """,
    "two reductions of which one is chosen": """
        import numpy as np
        import torch

        def estimate(data, plain):
            return np.mean(data, axis=1) if plain else np.median(data, axis=0)  # NC306

        def pooled(x, largest: bool):
            return x.amax(-1) if largest else x.mean(-2)  # NC306

        def by_method(x, robust):
            y = x.h.sum(dim=1) if robust else x.h.mean(dim=2)  # NC306
            return y
        """,
    "reductions that are chosen right": """
        import numpy as np
        import torch

        def last(x, seq_last):
            return torch.max(x, -1)[0] if seq_last else torch.max(x, 1)[0]

        def by_layout(x, last):
            return x.mean(-1) if last else x.mean(1)

        def of_others(x, y, flag):
            return x.mean(1) if flag else y.sum(0)

        def agree(x, flag):
            return x.mean(1) if flag else x.sum(1)

        def both_ends(x, flag):
            return x.mean(1) if flag else x.sum(-1)
        """,
    "mean and spread, line below line": """
        import torch

        def moments(batch):
            mean = batch.mean(-1, keepdim=True)
            var = batch.var(-2, unbiased=False, keepdim=True)  # NC306
            return mean, var

        def of_function(x):
            m = torch.mean(x, dim=0)
            s = torch.std(x, dim=1)  # NC306
            return m, s

        class Scaler:
            def fit(self, table):
                self.scale = table.std(axis=1)
                self.centre = table.mean(axis=0)  # NC306
        """,
    "moments that agree": """
        import torch

        def moments(batch):
            mean = batch.mean(-1, keepdim=True)
            var = batch.var(-1, keepdim=True)
            return mean, var

        def in_steps(x):
            x = x.mean(1)
            y = x.std(0)
            return y

        def of_two(x, y):
            m = x.mean(0)
            s = y.std(1)
            return m, s

        def further(x):
            m = x.mean(0)
            x = x - m
            s = x.std(1)
            return s

        def sums(x):
            rows = x.sum(1)
            cols = x.sum(0)
            return rows, cols
        """,
    "cosines and sines": """
        import torch

        def rotate(q, cos, sin, apply):
            return apply(q, cos.unsqueeze(1), sin.unsqueeze(0))  # NC306

        def tables(freqs):
            return freqs.cos()[None, :, None, :], freqs.sin()[None, None, :, :]  # NC306

        def lines(rope_cos, rope_sin):
            rope_cos = rope_cos.unsqueeze(2)
            rope_sin = rope_sin.unsqueeze(1)  # NC306
            return rope_cos, rope_sin

        def turned(x, half, cos, sin):
            return x * cos[:, None, :] + half(x) * sin[:, :, None]  # NC306

        def limits(table, i):
            low = table[:, i].min()
            high = table[i, :].max()  # NC306
            return low, high

        def normalised(x, pixel_mean, pixel_std):
            return (x - pixel_mean[:, None, None]) / pixel_std[None, :, None]  # NC306
        """,
    "cosines and sines of one shape": """
        import torch

        def rotate(q, cos, sin, apply):
            return apply(q, cos.unsqueeze(1), sin.unsqueeze(1))

        def outer(a, b, apply):
            return apply(a.unsqueeze(1), b.unsqueeze(0))

        def grid(h_cos, w_cos, h_sin, w_sin, grow):
            return grow(h_cos[:, None], w_cos[None, :]), grow(h_sin[:, None], w_sin[None, :])

        def lines(cos, sin):
            cos = cos[:, None]
            sin = sin[:, None]
            return cos, sin

        def turned(x, half, cos, sin):
            return x * cos[:, None, :] + half(x) * sin[:, None, :]

        def outer(cos, sin):
            return cos[:, None] * sin[None, :]

        def extents(x):
            return x[:, 0].min(), x[:, 1].max()
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])

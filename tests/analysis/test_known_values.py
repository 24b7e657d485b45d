"""Values that stay known: through NumPy's functions, and in attributes that are moved or cast.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "NumPy's functions of numbers": """
        import numpy as np
        import torch

        waves = torch.randn(3, 20)
        crests = int(np.ceil(np.log(waves.shape[1])))
        foam = waves[:, :crests] + torch.randn(3, 4)  # NC201
        fits = waves[:, :crests] + torch.randn(3, 3)
        side = int(np.sqrt(16))
        grid = torch.zeros(side, side) @ torch.zeros(5, 2)  # NC203
        deep = torch.zeros(int(np.log2(8)), 2) + torch.zeros(3, 1)

        def f(n: int, k):
            half, root = int(np.ceil(n / 2)), int(np.sqrt(k))
            return torch.zeros(half) + torch.zeros(root), np.sqrt(waves.shape) + np.zeros(2)
        """,
    "lists as arrays": """
        import numpy as np

        scale = np.squeeze([1.0, 0.7, 2.0]).astype(float)
        ratio = np.zeros((7, 4)) / scale  # NC201
        right = np.zeros((7, 3)) / scale
        mean = np.mean([[1, 2], [3, 4]], axis=0) + np.zeros(3)  # NC201
        spread = np.std([[1, 2], [3, 4], [5, 6]], axis=1) + np.zeros(3)
        total = np.prod(np.zeros((2, 3)).shape) + np.sum((1, 2, 3))

        def of_unknown(values, rows):
            values = [float(value) for value in values]
            rows = [row for row in rows]
            return np.mean(values) + np.zeros(3), np.mean(rows, axis=0) + np.zeros(3)

        def collected(batches):
            sums = []
            for batch in batches:
                sums.append(batch)
            return np.max(sums, axis=0) + np.zeros(3)
        """,
    "attributes that are moved or cast": """
        import torch
        from torch import nn

        class Ledger(nn.Module):
            def __init__(self):
                super().__init__()
                self.bank = torch.zeros(6, 5)
                self.rate = torch.ones(6, 2)
                self.other = torch.ones(6, 2)

            def forward(self, x):
                self.bank = self.bank.to(x.device)
                self.rate = self.rate.float().clone()
                return self.bank @ torch.ones(6, 2)  # NC203

            def right(self, x):
                self.bank = self.bank.to(x)
                return self.bank.T @ torch.ones(6, 2)

            def grown(self):
                self.other = self.other.repeat(2, 1)
                return self.other + torch.zeros(12, 2)

            def replaced(self, x):
                return self.other + torch.zeros(3, 2)
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])

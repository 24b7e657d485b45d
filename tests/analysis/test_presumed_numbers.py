"""Parameters of constructors are numbers as operands; but they may be arrays that are indexed.

And one that the program makes a size of may be no size elsewhere: where it is at most 0.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "an array is given to a constructor": """
        import numpy as np

        def negative(a):
            return -a

        class Direct:
            def __init__(self, rate):
                self.t = np.exp(-rate).astype(np.float32)
                self.u = np.sqrt(2 * rate + 1)
                self.v = np.log(1.0 / np.exp(-rate))
                self.w = np.clip(np.abs(-rate), 0, 1)

            def state(self, day):
                rows, columns = self.w.shape
                return self.t[0], self.u[:, day], self.v.sum(axis=0), [w for w in self.w]

        class Through:
            def __init__(self, rate):
                self.t = np.exp(negative(rate))
                self.u = self.squash(rate, 2)
                self.v = np.exp(negative(rate))

            def squash(self, a, by):
                return np.tanh(-a / by).copy()

            def state(self):
                return self.t[0], self.u.T, self.v[1:], self.u.reshape(3, -1).sum(1)

        class Looped:
            def __init__(self, rates):
                self.rows = []
                for k in range(3):
                    self.rows.append(np.exp((k + 1) * rates))

            def state(self):
                return self.rows[0][1]
        """,
    "a tensor is given to a constructor": """
        import torch

        class Cell(torch.nn.Module):
            def __init__(self, rate):
                super().__init__()
                self.rate = torch.exp(torch.as_tensor(-rate))
                self.register_buffer("half", torch.sigmoid(torch.tensor(rate / 2)))

            def forward(self, x):
                return self.rate[0] * x, self.half.mean(0), self.half[None, :]
        """,
    "as an operand it is a number": """
        import numpy as np
        import torch

        class Attention(torch.nn.Module):
            def __init__(self, dim, heads):
                super().__init__()
                self.scale = np.sqrt(dim // heads)
                self.rate = -dim
                self.half = torch.exp(dim**-0.5).float()

            def forward(self, x):
                b, t, c = x.shape
                y = x / self.scale
                z = (1 / np.exp(self.rate)) * x
                w = torch.mul(x, self.half)
                v = np.multiply(self.scale, y)  # an array
                y.transpose(0, 3)  # NC301
                z.transpose(0, 3)  # NC301
                w.transpose(0, 3)  # NC301
                v.transpose(0, 1)  # NC303
                return y + x.sum(1)  # NC202

        class Known(torch.nn.Module):
            def __init__(self, scale=0.5):
                super().__init__()
                self.scale = np.sqrt(scale)

            def forward(self, x):
                return self.scale[0]  # NC301
        """,
    "its use as a size proves it": """
        import numpy as np

        class Table:
            def __init__(self, dim, heads):
                self.table = np.zeros((dim, heads))
                self.scale = np.sqrt(dim // heads)
                self.first = self.scale[0]  # NC301
        """,
    "an offset that may be negative": """
        import numpy as np
        import torch
        from torch import nn

        class Shifted(nn.Module):
            def __init__(self, offset):
                super().__init__()
                self.offset = offset

            def forward(self, x):
                n, m = x.size()
                if self.offset == 0:
                    return torch.eye(n, m)
                if self.offset > 0:
                    front = torch.zeros(n, self.offset)
                    return torch.cat([front, torch.eye(n, m - self.offset)], 1)
                return torch.cat([torch.zeros(-self.offset, m), torch.eye(n + self.offset, m)])

        class Typed(nn.Module):
            def __init__(self, offset: int):
                super().__init__()
                self.offset = offset

            def forward(self, x):
                if 0 < self.offset:
                    return torch.zeros(2, self.offset)
                return torch.zeros(-self.offset, 2)

        def choose(x, k: int):
            return np.zeros((3, k)) if k >= 1 else np.zeros((-k, 3))

        def either(x, k):
            if k > 0:
                pad = np.zeros((k, 3))
            else:
                pad = np.zeros((-k, 3))
            return np.concatenate([x, pad])

        def negative(x, k: int):
            y = torch.zeros(3, k)
            return y, torch.zeros(-k, 3)  # NC212

        def checked(x, k: int):
            if k <= 0:
                raise ValueError(k)
            y = torch.zeros(3, k)
            return y, torch.zeros(-k, 3)  # NC212
        """,
    "an array of one element below 0": """
        import numpy as np

        def penalty(true, found):
            total = 0
            for t, f in zip(true, found):
                late = f - t
                if late < 0:
                    total += np.exp(-late / 10)[0]
                else:
                    total += np.exp(late / 13)[0]
            return total

        def growth(x):
            if x < 0:
                return np.exp(-x)[0]
            return np.exp(x)[0]
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name], but="NC209")

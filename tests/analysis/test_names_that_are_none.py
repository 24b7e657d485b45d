"""Names of an unpacking that say nothing: `_`, and those of dims that one layer has fixed.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "dims that are ignored": """
        import jax.numpy as jnp
        import numpy as np
        import torch

        def one(w):
            a, b, _, _ = w.shape
            return w - w.conj().transpose((0, 1, 3, 2))

        def two(x: torch.Tensor):
            b, _, _ = x.shape
            y = x.relu()
            return y - y.transpose(1, 2)

        def three(x):
            B, N, _, _ = x.size()
            y = torch.relu(x)
            return y + y.permute(0, 1, 3, 2)

        def four(x):
            x = np.asarray(x)
            _, _ = x.shape
            y = np.exp(x)
            return y + y.T

        def five(w, v):
            _, _, n = v.shape
            x = jnp.pad(v, ((0, 1), (0, 1), (0, 0)))
            b, _, _ = x.shape
            z = jnp.tanh(x)
            return z + z.swapaxes(1, 2)

        def f(v, x):
            H, W, C = x.shape
            w = v / jnp.linalg.norm(v)
            Kx, Ky, _1, _2 = w.shape
            p = jnp.pad(w, ((0, H - Kx), (0, W - Ky), (0, 0), (0, 0)))
            return p - p.conj().transpose((0, 1, 3, 2))
        """,
    "dims with names": """
        import jax.numpy as jnp
        import numpy as np
        import torch

        def wrong(x):
            x = torch.relu(x)
            a, b, m, n = x.shape
            p = x.exp()
            return p - p.exp().transpose(2, 3)  # NC202

        def wrong2(v, x):
            H, W, C = x.shape
            w = v / jnp.linalg.norm(v)
            Kx, Ky, M, N = w.shape
            p = jnp.pad(w, ((0, H - Kx), (0, W - Ky), (0, 0), (0, 0)))
            return p - p.conj().transpose((0, 1, 3, 2))  # NC202
        """,
    "a layer norm over several dims": """
        import torch
        from torch import nn

        class Inline(nn.Module):
            def __init__(self, ch: int):
                super().__init__()
                self.pre = nn.LayerNorm((8, 8))

            def forward(self, x):
                y = self.pre(self.part(x))
                n, c, h, w = y.shape
                return y.reshape(n, c, h * w)

            def part(self, x):
                return partition(x)

        class Channels(nn.Module):
            def __init__(self):
                super().__init__()
                self.pre = nn.LayerNorm([16, 16, 16])

            def forward(self, x):
                y = self.pre(x)
                b, c, h, w = y.shape
                return y.reshape(b, c, h * w)

        class Known(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 16, 3)
                self.pre = nn.LayerNorm([16, 16, 16])

            def forward(self, x):
                y = self.pre(self.conv(x))
                b, c, h, w = y.shape
                return y.reshape(b, c, h * w)

        class Square(nn.Module):
            def __init__(self, n: int = 7):
                super().__init__()
                self.n = n
                self.pre = nn.LayerNorm([n, n])

            def forward(self, x):
                x = torch.relu(x)
                y = self.pre(x)
                b, h, w = y.shape
                return y.reshape(b, h * w)
        """,
    "a layer norm over the wrong dim": """
        import torch
        from torch import nn

        class Wrong(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv1d(3, 64, 3)
                self.norm = nn.LayerNorm(64)

            def forward(self, x):
                y = self.norm(self.conv(x))  # NC208
                b, c, t = y.shape
                return y.reshape(b, c * t)
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])

"""Factors of a merged dim keep their order until a view splits them again.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "which part is outermost in what is joined, stacked and repeated": """
        import torch

        def joined(x):
            n, d = x.shape
            y = torch.cat([x.sin(), x.cos()], dim=0).view(n, -1)  # NC205
            z = torch.cat([x.sin(), x.cos()], dim=1).view(n, -1)
            both = torch.cat([x, x]).view(2, n, d)
            turned = torch.cat([x, x], dim=-1).view(n, d, 2)  # NC205
            return y, z, both, turned

        def stacked(x):
            b, t, d = x.shape
            y = torch.stack([x, x * 2], 0).flatten(0, 1)
            z = torch.stack([x, x * 2], 1).flatten(0, 1)
            first, second = torch.stack([x.reshape(b * t, d), x.reshape(b * t, d)]).unbind(0)
            turned = first.view(t, b, d)  # NC205
            return y.view(2, b, t, d), z.view(b, 2, t, d), y.view(b, 2, t, d)  # NC205

        def repeated(x, k: int):
            b, n, d = x.shape
            copies = x.repeat(k, 1, 1)
            beside = x.repeat_interleave(k, dim=0)
            right = copies.view(k, b, n, d), beside.view(b, k, n, d)
            wrong = beside.view(k, b, n, d)  # NC205
            return right, wrong, copies.view(b, k, n, d)  # NC205

        def channels(x, y, heads: int):
            b, n, c = x.shape
            z = torch.cat([x, y.reshape(b, n, c)], dim=-1)
            return z.view(b, n, heads, -1), z.view(b, n, heads, 2 * c // heads)
        """,
    "arrays of NumPy and patterns of einops": """
        import einops
        import numpy as np
        from einops import rearrange, repeat

        def copies(x: np.ndarray, k: int):
            b, n = x.shape
            beside = np.repeat(x, k, axis=0)
            tiled = np.tile(x, (k, 1))
            right = beside.reshape(b, k, n), tiled.reshape(k, b, n)
            wrong = beside.reshape(k, b, n)  # NC205
            return right, wrong, tiled.reshape(b, k, n)  # NC205

        def joined(x: np.ndarray):
            n, d = x.shape
            y = np.concatenate([x, x], axis=0)
            return y.reshape(2, n, d), y.reshape(n, 2, d)  # NC205

        def folded(x, y):
            b, t, c = x.shape
            x = rearrange(x, "b t c -> (b t) c") * 2
            y = einops.rearrange(y, "n t c -> (n t) c")
            return x.reshape(b, t, c), x.reshape(t, b, c)  # NC205
        """,
    "directions of a recurrent layer": """
        import torch
        from torch import nn

        class Encoder(nn.Module):
            def __init__(self, width, hidden, layers):
                super().__init__()
                self.hidden, self.layers = hidden, layers
                self.rnn = nn.LSTM(width, hidden, layers, bidirectional=True, batch_first=True)

            def forward(self, x):
                b, t, _ = x.shape
                y, (h, c) = self.rnn(x)
                right = y.view(b, t, 2, self.hidden), h.view(self.layers, 2, b, self.hidden)
                first = y.view(b, t, self.hidden, 2)  # NC205
                second = h.view(2, self.layers, b, self.hidden)  # NC205
                third = h.view(b, -1)  # NC205
                return right, first, second, third, h.transpose(0, 1).reshape(b, -1)

            def heads(self, x, heads: int):
                b, t, _ = x.shape
                y, _ = self.rnn(x)
                return y.view(b, t, heads, 2 * self.hidden // heads)
        """,
    "a dim that is split by itself": """
        import torch
        import torch.nn.functional as F

        def frames(x: torch.Tensor):
            b, s, c, h, w = x.shape
            y = F.relu(F.interpolate(x.flatten(0, 1), scale_factor=2))
            return y.unflatten(0, (b, s)), y.unflatten(0, (s, b))  # NC205

        def products(q: torch.Tensor, k: torch.Tensor):
            b, h, n, d = q.shape
            q, k = q.reshape(b * h, n, d), k.reshape(b * h, -1, d)
            out = torch.bmm(torch.bmm(q, k.transpose(1, 2)).softmax(-1), k)
            return out.view(b, h, n, d), out.view(h, b, n, d)  # NC205
        """,
    "windows": """
        import torch

        def partition(x: torch.Tensor, ws: int):
            B, H, W, C = x.shape
            x = x.view(B, H // ws, ws, W // ws, ws, C)
            return x.permute(0, 1, 3, 2, 4, 5).reshape(-1, ws, ws, C)

        def reverse(windows, ws: int, H, W):
            B = int(windows.shape[0] / (H * W / ws / ws))
            x = windows.view(B, H // ws, W // ws, ws, ws, -1)
            return x.permute(0, 1, 3, 2, 4, 5).reshape(B, H, W, -1)

        def turned(windows, ws: int, H, W):
            B = int(windows.shape[0] / (H * W / ws / ws))
            x = windows.view(B, W // ws, H // ws, ws, ws, -1)  # NC205
            return x.permute(0, 1, 3, 2, 4, 5).reshape(B, H, W, -1)

        def right(x, ws: int):
            B, H, W, C = x.shape
            return reverse(partition(x, ws), ws, H, W)

        def wrong(x, ws: int):
            B, H, W, C = x.shape
            return turned(partition(x, ws), ws, H, W)
        """,
    "sizes that are read where they are used": """
        import torch
        from torch import nn

        class Merged(nn.Module):
            def __init__(self, width, hidden):
                super().__init__()
                self.gru = nn.GRU(width, hidden, batch_first=True)

            def forward(self, x):
                h, _ = self.gru(x)
                s = tuple(h.size())
                right = h.reshape(s[0] * s[1], s[2]), h.reshape(s[0], s[1] * s[2])
                wrong = h.reshape(s[2], s[0] * s[1])  # NC205
                return right, wrong, h.reshape(h.shape[0], h.shape[2], h.shape[1])  # NC205
        """,
    "a number among the factors": """
        import torch

        def chunks(x: torch.Tensor):
            B, N, K, S = x.shape
            y = x.transpose(2, 3).contiguous().view(B, N, -1, K * 2)
            z = x.contiguous().view(B, N, -1, K * 2)  # NC205
            return y[..., :K], y[..., K:], z.view(B, N, -1)

        def points(x: torch.Tensor):
            B, three, N = x.shape
            y = torch.zeros(B, 3, N)
            return y.transpose(1, 2).reshape(-1, 3), y.view(-1, 3)  # NC205

        def numbers():
            x = torch.arange(12).reshape(3, 4)
            return x.reshape(4, 3), x.reshape(2, 6)
        """,
    "heads that are merged in the other order than they were split": """
        import torch

        def attention(q, k, v, heads: int):
            b, n, c = q.shape
            d = c // heads
            q, k, v = (x.view(b, n, heads, d).transpose(1, 2) for x in (q, k, v))
            y = (q @ k.transpose(-2, -1)).softmax(-1) @ v
            right = y.transpose(1, 2).reshape(b, n, c)
            wrong = y.permute(0, 2, 3, 1).reshape(b, n, c)  # NC205
            return right, wrong

        def shuffle(x, groups: int):
            b, c, h, w = x.shape
            x = x.view(b, groups, c // groups, h, w).transpose(1, 2)
            return x.reshape(b, c, h, w)

        def interleaved(q, k, v, heads: int):
            b, n, c = q.shape
            d = c // heads
            q, k, v = (x.view(b, n, d, heads).permute(0, 3, 1, 2) for x in (q, k, v))
            y = (q @ k.transpose(-2, -1)).softmax(-1) @ v
            return y.permute(0, 2, 3, 1).reshape(b, n, c)
        """,
    "a parameter is learned in the order in which it is read": """
        import torch
        from torch import nn

        class Queries(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.width = width
                self.queries = nn.Parameter(torch.randn(128, width))

            def forward(self, h):
                b, t, d = h.shape
                return h + self.queries.view(1, self.width, 128)
        """,
    "a comparison of other sizes excuses nothing": """
        import torch
        import torch.nn.functional as F

        def maps(x: torch.Tensor, c: torch.Tensor, conv):
            B, C, H, W = x.shape
            _, _, h, w = c.shape
            if H != h:
                c = F.interpolate(c, size=(H, W))
            y = x.permute(0, 2, 1, 3).reshape(-1, 1, C)  # NC205
            return x.permute(0, 2, 3, 1).reshape(-1, 1, C), y, c

        def squares(x: torch.Tensor):
            B, C, H, W = x.shape
            if H != W:
                raise ValueError
            return x.view(B, C, W, H)
        """,
    "a relative shift": """
        import torch
        import torch.nn.functional as F

        def shift(x: torch.Tensor):
            B, H, T, S = x.shape
            x = F.pad(x, (1, 0)).view(B, H, S + 1, T)
            return x[:, :, 1:].view(B, H, T, S)

        def shift_of_joined(x: torch.Tensor):
            T, S, B, H = x.shape
            pad = torch.zeros(T, 1, B, H)
            x = torch.cat([pad, x], dim=1).view(S + 1, T, B, H)
            return x[1:].view(T, S, B, H)
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_factors_keep_their_order(name: str) -> None:
    check_marks(PROGRAMS[name])


def test_the_words_of_a_program_with_numbers_are_factors_too() -> None:
    check_marks(
        """
        import torch

        x = torch.zeros(2, 3, 5)
        b, t, d = x.shape
        y = x.flatten(0, 1) * 2
        z = y.view(t, b, d)  # NC205
        right = y.view(b, t, d)
        """
    )

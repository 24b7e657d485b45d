"""Comments that contradict the program: names of one unpacking stand for different dims.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import re
from textwrap import dedent

import pytest

from namecheck.analysis import analyze_text

PROGRAMS = {
    "an ellipsis behind a size, of a value with more dims in front": """
        import torch

        def gradient(values, g, a):
            g = g.reshape(4, 3, 5, 6, 7)
            y = torch.fft.fftn(values, dim=(-3, -2, -1))
            y = g.unsqueeze(1) * y.unsqueeze(2)  # (B, C, 3, ...)
            z = a @ torch.ones(5, 9)  # (9, ...)  # NC402
            return y, z
        """,
    "a comment goes on below the one at the end of its statement": """
        import torch
        from torch import nn

        class Encoder(nn.Module):
            def __init__(self, encoders, norm):
                super().__init__()
                self.encoders = encoders
                self.norm = norm

            def forward(self, x, masks):
                x = torch.cat([encoder(x, masks) for encoder in self.encoders], dim=-1)
                x = self.norm(x).transpose(1, 2)  # (batch, L, size)
                # to (batch, size, L)

                return x

            def named(self, x):
                y = self.norm(x).mT  # (B, L, C)
                # to (B, C, L)
                return y

            def wrong(self, x):
                y = self.norm(x)  # (B, L, C)
                y = y.transpose(1, 2)  # (B, L, C)  # NC402
                return self.encoders(y)
        """,
    "a product of two dims that the value has apart": """
        import torch

        def apart(x, levels, features):
            x = x.reshape(-1, levels, features)
            return x.relu() * 2  # (..., levels * features)  # NC402

        def merged(x, levels, features):
            x = x.reshape(-1, levels, features)
            return x.flatten(-2)  # (..., levels * features)

        def of_three(x, a, b, c):
            x = x.reshape(-1, a, b, c)
            return x.flatten(-2)  # (..., a, b * c)

        def unknown(x, layer, levels, features):
            y = layer(x)  # (..., levels * features)
            return y
        """,
    "a product that is scaled by what nobody knows": """
        import torch
        import torch.nn.functional as F

        def denied(q, k, v, scale):
            '''
            Args:
                q: (b, t, d)
                k: (b, s, d)
                v: (b, s, d)
            '''
            att = torch.bmm(q, k.transpose(1, 2)) * scale  # (b, t, t)
            return torch.bmm(att.softmax(-1), v)

        def denied_by_label(q, k, v, scale):
            '''
            Args:
                q: (b, t, d)
                k: (b, s, d)
                v: (b, s, d)
            '''
            att = scale * (q @ k.mT)  # att: (b, t, t)
            att = F.softmax(att, dim=-1)
            return att @ v

        def denied_in_a_sum(q, k, v, bias):
            '''
            Args:
                q: (b, t, d)
                k: (b, s, d)
                v: (b, s, d)
            '''
            att = torch.einsum("btd,bsd->bts", q, k) / 8 + bias  # (b, t, t)
            return torch.einsum("bts,bsd->btd", att, v)

        def denied_twice(q, k, v, scale):
            '''
            Args:
                q: (b, t, d)
                k: (b, s, d)
                v: (b, s, d)
            '''
            att = torch.bmm(q, k.transpose(1, 2)) * scale  # (b, t, d)
            att = F.softmax(att, dim=-1)  # (b, t, d)  # NC402
            return torch.bmm(att, v)

        def right_but_the_values_are_wrong(q, k, v, scale):
            '''
            Args:
                q: (b, t, d)
                k: (b, s, d)
                v: (b, s, d)
            '''
            att = torch.bmm(q, k.transpose(1, 2)) * scale  # (b, t, s)
            return torch.bmm(att, q)  # NC203

        def repeated(q, k, v, bias):
            '''
            Args:
                q: (b, t, d)
                k: (b, s, d)
                v: (b, s, d)
            '''
            att = q.sum(-1, keepdim=True) + bias  # (b, t, s)
            return torch.bmm(att, v)
        """,
    "a reduction over the wrong axis": """
        import jax.numpy as jnp
        import numpy as np

        def unpacked(x):
            B, T, C = x.shape
            y = x.mean(0)  # (B, C)  # NC402
            return y

        def right(x):
            B, T, C = x.shape
            y = x.mean(1)  # (B, C)
            z = x.mean(0)  # (T, C)
            return y, z

        def of_jax(x):
            rows, columns = x.shape
            return jnp.sum(x, axis=0)  # (rows,)  # NC402

        def of_numpy(x):
            rows, columns = x.shape
            return np.sum(x, axis=1)  # (rows,)

        class Pool:
            def forward(self, x):
                for _ in range(3):
                    batch, time, width = x.shape
                    # (batch, width)
                    y = x.sum(2)  # NC402
                return y
        """,
    "labels of a commented parameter": """
        def beside(x):  # x: (B, T, C)
            y = x.mean(0)  # (B, C)  # NC402
            return y

        def above(x):
            # x: (B, T, C)
            y = x.mean(0)  # (B, C)  # NC402
            return y

        def right(x):
            # x: (B, T, C)
            y = x.mean(0)  # (T, C)
            return y

        def in_docstring(x):
            '''Pool.

            Args:
                x: input of shape (B, T, C)
            '''
            y = x.mean(2)  # (B, C)  # NC402
            return y

        def of_another_value(x):
            q = layer(x)  # (B, Q, K)
            y = q.mean(1)  # (B, Q)
            return y
        """,
    "a factor at another dim": """
        import torch

        def joined(a):
            B, C = a.shape
            y = torch.cat([a, a], 0)  # (B, 2*C)  # NC402
            return y

        def right(a):
            B, C = a.shape
            y = torch.cat([a, a], 1)  # (B, 2*C)
            z = torch.cat([a, a], 0)  # (2*B, C)
            return y, z

        def folded(x):
            B, T, C = x.shape
            y = x.reshape(B, T * C)  # (B * T, C)  # NC402
            return y

        def rebound(a):
            B, C = a.shape
            y = torch.cat([a, a], 0)  # (B, C)
            return y
        """,
    "an attention over the wrong dims": """
        import torch

        def equation(q, k):
            B, H, T, D = q.shape
            scores = torch.einsum("bhtd,bgtd->bthg", q, q)  # (B, H, T, T)  # NC402
            return scores

        def not_transposed(q):
            B, T, H, D = q.shape
            scores = q @ q.transpose(-2, -1)  # (B, H, T, T)  # NC402
            return scores

        def right(q):
            B, T, H, D = q.shape
            q = q.transpose(1, 2)
            scores = q @ q.transpose(-2, -1)  # (B, H, T, T)
            return scores

        def of_another(q, k):
            B, H, T, D = q.shape
            S = k.shape[2]
            scores = q @ k.transpose(-2, -1)  # (B, H, T, T)
            return scores
        """,
    "names that may be one size": """
        import torch

        def sides(x):
            b, c, h, w = x.shape
            rows = x.mean(-2)  # (b, c, h)
            return rows

        def grid(x):
            batch, height, width, depth = x.shape
            y = x.mean(1)  # (batch, height, depth)
            return y

        def of_patches(x):
            b, nh, nw, c = x.shape
            y = x.mean(1)  # (b, nh, c)
            return y

        def not_of_a_map(x):
            batch, width = x.shape
            y = x.mean(0)  # (batch,)  # NC402
            return y

        def compared(x):
            B, N, M = x.shape
            assert N == M
            y = x.mean(1)  # (B, N)
            return y

        def square(x):
            B, N, M = x.shape
            x = x + x.transpose(1, 2)
            y = x.mean(1)  # (B, N)
            return y

        def dropped(x):
            _, T, _ = x.shape
            y = x.mean(1)  # (T, C)
            return y
        """,
    "names that are bound again": """
        import torch

        def unpacked_again(x):
            B, T, C = x.shape
            x = x.transpose(1, 2)
            B, T, C = x.shape
            y = x.mean(1)  # (B, C)
            return y

        def computed(x, width):
            B, T, C = x.shape
            y = x.mean(1).mean(1)
            T = B
            return y  # (T,)

        def label_and_then_name(x, rates):
            '''x: shape (b, l, d_in)'''
            (d_in, n) = rates.shape
            y = rates.exp()  # (n, d_in)  # NC402
            z = rates.exp()  # (d_in, n)
            return x * y.sum(1), z
        """,
    "another rank than a comment lets expect": """
        def pooled(x):  # x: (B, T, C)
            y = x.mean(1)  # (B, T, C)  # NC402
            return y

        def of_a_value(x):
            y = layer(x)  # (B, T, C)
            y = y.mean(1)  # (B, T, C)  # NC402
            return y

        def kept(x):  # x: (B, T, C)
            y = x.mean(1, keepdim=True)  # (B, C)
            return y

        def said_twice(x):
            y = layer(x)  # (B, T, C)
            # y: (B, C)
            return y

        def points(grid, camera):
            xyz = camera[:, None, None] * grid  # (H, W, 3)
            return xyz

        def of_a_call(depth, camera):
            xyz = points(depth, camera)  # (B, H, W, 3)
            return xyz
        """,
    "a comment erases no numbers of a caller": """
        import torch

        def temper(glow, heat):
            B, H, T, D = glow.shape
            heat = heat.unsqueeze(0).unsqueeze(1)  # B x 1 x 1 x 1
            return glow * heat  # NC201

        temper(torch.randn(2, 3, 7, 11), torch.rand(2, 1))

        def right(glow, heat):
            B, H, T, D = glow.shape
            heat = heat.unsqueeze(1).unsqueeze(1)  # B x 1 x 1 x 1
            return glow * heat

        right(torch.randn(2, 3, 7, 11), torch.rand(2, 1))

        def turned():
            x = torch.zeros(2, 3)
            n, m = x.shape
            y = x * 2  # (m, n)  # NC402
            return y + torch.zeros(4, 3)
        """,
    "words of the batch": """
        import torch

        def pooled(s):
            (batch_size, num_nodes, _), C = s.size(), s.size(-1)
            y = torch.einsum("ijk->ik", s)  # C x B  # NC402
            z = torch.einsum("ijk->ik", s)  # B x C
            return y, z
        """,
    "names in a circle": """
        def merged(x):
            '''Merge.

            Args:
                x: Input of shape [B, C, H, W].
            '''
            B, H, W, C = x.shape  # NC402
            return x.mean(3)

        def right(x):
            '''Merge.

            Args:
                x: Input of shape [B, C, H, W].
            '''
            B, C, H, W = x.shape
            return x.mean(3)
        """,
    "numbers keep the names of their unpacking": """
        import torch

        x = torch.randn(2, 3, 5, 4)
        b, h, t, d = x.shape
        y = x.reshape(b, t, h * d)  # NC205
        z = x.transpose(1, 2).reshape(b, t, h * d)
        u = x.mean(1)  # (b, h, d)  # NC402
        v = x.mean(2)  # (b, h, d)
        w = x.view(b, h, t * d)

        def local():
            q = torch.zeros(2, 3, 5, 4)
            B, H, T, D = q.shape
            return q.reshape(B, T, H * D)  # NC205

        def numbers():
            q = torch.zeros(2, 3, 5, 4)
            return q.reshape(2, 5, 12)

        def alike():
            q = torch.zeros(2, 3, 3, 4)
            B, H, T, D = q.shape
            return q.reshape(B, T, H, D), q.reshape(B, T, H * D)

        def several_ways():
            q = torch.zeros(2, 3, 6, 4)
            B, H, T, D = q.shape
            return q.reshape(12, 12)

        def bound_again():
            q = torch.zeros(5, 7)
            n, m = q.shape
            n = 7
            return q.mean(0)  # (n,)

        def sides():
            q = torch.zeros(5, 7)
            h, w = q.shape
            return q.mean(0)  # (h,)
        """,
    "a comment of one branch says nothing in the other": """
        import torch
        import numpy as np

        class Mixer:
            def forward(self, x):
                if x.ndim != 4:
                    raise ValueError
                if self.channel_first:
                    b, c, h, w = x.shape
                    x = x.permute(0, 2, 3, 1)  # -> (B, H, W, C)
                else:
                    b, h, w, c = x.shape
                return x

            def other_way(self, x):
                assert x.ndim == 4
                if self.channel_last:
                    y = x.permute(0, 3, 1, 2)  # (B, C, H, W)
                elif self.turned:
                    y = x.permute(0, 1, 3, 2)  # (B, C, W, H)
                else:
                    b, c, h, w = x.shape
                    y = x
                return y

            def returns(self, x):
                assert x.ndim == 3
                if self.time_first:
                    x = x.transpose(0, 1)  # (batch, time, channels)
                    return x
                batch, time, channels = x.shape
                return x + 1

            def in_one_branch(self, x):
                if x.ndim != 4:
                    raise ValueError
                if self.channel_first:
                    x = x.permute(0, 2, 3, 1)  # -> (B, H, W, C)
                    b, c, h, w = x.shape  # NC402
                else:
                    b, h, w, c = x.shape
                return x

            def before_the_branch(self, x):
                assert x.ndim == 3
                y = x + 1  # (batch, time, channels)
                if self.flag:
                    batch, channels, time = y.shape  # NC402
                else:
                    y = y.transpose(1, 2)  # (batch, time, channels)  # NC402
                return y

            def after_the_branch(self, x, f):
                if self.flag:
                    y = f(x)  # (batch, time, channels)
                else:
                    y = self.g(x)  # (batch, time, channels)
                return y.transpose(1, 2)  # (batch, time, channels)  # NC402

            def from_one_branch(self, x):
                assert x.ndim == 3
                if self.flag:
                    y = x * 2  # (batch, time, channels)
                else:
                    y = x * 3
                return y.transpose(1, 2)  # (batch, time, channels)  # NC402

        def cases(x, layout):
            assert x.ndim == 3
            match layout:
                case "last":
                    y = x.permute(1, 2, 0)  # (height, width, channels)
                case "turned":
                    y = x.permute(0, 2, 1)  # (channels, width, height)
                case "wrong":
                    y = x.permute(0, 2, 1)  # (channels, width, height)
                    channels, height, width = y.shape  # NC402
                case _:
                    height, width, channels = x.shape
                    y = x
            return y

        def arrays(x, first):
            assert x.ndim == 3
            if first:
                y = np.transpose(x, (1, 2, 0))  # (height, width, channels)
            else:
                height, width, channels = x.shape
                y = x
            return y
        """,
}


def expected(source: str) -> list[tuple[int, str]]:
    """The lines that end in a code, with it."""
    lines = enumerate(source.splitlines(), 1)
    return [(line, found[1]) for line, text in lines if (found := re.search(r"# (NC\d+)$", text))]


@pytest.mark.parametrize("name", PROGRAMS)
def test_wrong_comments_are_reported_and_right_ones_are_not(name: str) -> None:
    source = dedent(PROGRAMS[name])
    findings = analyze_text("program.py", source).findings
    assert [(one.span.line, one.code) for one in findings] == expected(source)


def test_the_finding_says_where_the_names_come_from() -> None:
    source = "def f(x):\n    B, T, C = x.shape\n    y = x.mean(0)  # (B, C)\n    return y\n"
    (finding,) = analyze_text("program.py", source).findings
    assert finding.level == "warning"
    assert finding.message.endswith("the value is [T, C]: dim 0 is 'T', not 'B'")
    assert [note.span.line for note in finding.notes if note.span] == [2, 2]


def test_names_of_numbers_are_shown() -> None:
    source = "import torch\nx = torch.zeros(2, 3)\nb, c = x.shape\ny = x.T\nz = y + 1\n"
    shapes = {shape.target: shape.dims_text for shape in analyze_text("program.py", source).shapes}
    assert shapes["y"] == shapes["z"] == "[c=3, b=2]"

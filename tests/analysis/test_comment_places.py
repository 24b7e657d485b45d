"""Shape comments that speak of something else than the line beside them.

A comment right between two statements belongs to the one that it fits, a label of two comments is
one size only while nothing says otherwise, and an example claims nothing. The programs without a
mark are correct; a mark `# NC402` is at the end of the line that is reported.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

from namecheck.analysis import analyze_text

PROGRAMS = {
    "comments stand below, and one above the first statement": """
        from einops.layers.torch import Rearrange
        from torch import Tensor, nn

        class Shuffled(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.shuffle = Rearrange("batch C T -> batch T C")
                self.norm = nn.LayerNorm(width)

            def forward(self, X):
                # Dimension: (batch_size, F2, Tw)
                X = self.shuffle(X)
                # Dimension: (batch_size, Tw, F2)

                out = self.norm(X)
                return out

            def wrong(self, X: Tensor):
                # Dimension: (batch_size, F2, Tw)
                X = self.shuffle(X)  # NC402
                # Dimension: (batch_size, F2, Tw)

                out = self.norm(X)
                return out

        class Transposed(nn.Module):
            def forward(self, x):
                # (batch, rows, steps)
                x = x.transpose(1, 2)
                # (batch, steps, rows)
                return x * 2
        """,
    "comments stand below": """
        import torch

        class Heads:
            def __init__(self, heads):
                self.heads = heads

            def forward(self, x):
                B, T, C = x.shape
                # (B, T, C)
                x = x.reshape(B, T, self.heads, C // self.heads)
                # (B, T, H, D)
                x = x.transpose(1, 2)
                # (B, H, T, D)
                x = x.mean(dim=2)
                # (B, H, D)
                return x

            def wrong(self, x):
                B, T, C = x.shape
                x = x.reshape(B, T, self.heads, C // self.heads)
                # (B, T, H, D)
                x = x.transpose(1, 2)  # NC402
                # (B, T, H, D)
                x = x.mean(dim=2)
                # (B, H, D)
                return x

        def in_loop(xs, steps):
            b, t, c = xs.shape
            for _ in range(steps):
                xs = xs.transpose(1, 2)
                # [b, c, t]
                xs = xs.transpose(1, 2)
                # [b, t, c]
            return xs
        """,
    "comments stand below in JAX": """
        import jax.numpy as jnp

        def of_jax(x):
            n, h, w, c = x.shape
            x = jnp.transpose(x, (0, 3, 1, 2))
            # n x c x h x w
            x = x.reshape(n, c, h * w)
            # n x c x hw
            return x
        """,
    "comments stand below, with lines between": """
        import torch

        def right(x: torch.Tensor):
            b, t, c = x.shape
            y = x.transpose(1, 2)
            # (b, c, t)

            z = y.mean(2)
            # (b, c)

            return z.sum(1)

        def wrong(x: torch.Tensor):
            b, t, c = x.shape
            y = x.transpose(1, 2)  # NC402
            # (b, t, c)

            z = y.mean(2)
            # (b, c)

            return z.sum(1)
        """,
    "comments stand above": """
        import torch

        def right(x: torch.Tensor):
            b, t, c = x.shape

            # (b, c, t)
            y = x.transpose(1, 2)

            # (b, c)
            return y.mean(2)

        def wrong(x: torch.Tensor):
            b, t, c = x.shape

            # (b, t)
            m = x.mean(2)

            # (b, 1, t)
            m = m.unsqueeze(1)

            # (b, t, c)
            y = x.transpose(1, 2)  # NC402

            # (b, c)
            return (y * m).mean(2)

        def close(x: torch.Tensor):
            b, t, c = x.shape
            # (b, c, t)
            y = x.mean(2)  # NC402
            # (b, c)
            z = y.clone()
            return z

        def announced(x: torch.Tensor, h: int):
            b, n, d = x.shape
            q = x.view(b, n, h, d // h)
            # split the heads -> (b, n, h, e)
            return q.transpose(1, 2)  # NC402
        """,
    "a comment that fits the value above": """
        import numpy as np

        def once(x):
            b, t, c = x.shape
            y = x.swapaxes(1, 2)
            # (b, c, t)
            z = y.swapaxes(1, 2)
            return z

        def of_the_parameter(x: np.ndarray):
            # (B, C, H, W)
            y = x.reshape(x.shape[0], -1)
            B, D = y.shape
            # (B, D)
            return y.T

        def of_neither(x):
            b, t, c = x.shape
            y = x.swapaxes(1, 2)
            # (c, b, t)
            z = y.swapaxes(0, 2)  # NC402
            return z
        """,
    "a sentence names the parameter": """
        import torch

        def settled(forces, fmax=0.05):
            # the forces are in the shape of (batch_size, n_atoms, 3)
            return forces.norm(dim=-1).norm(dim=-1) < fmax

        def pooled(tokens):
            # tokens come in the shape of [batch, time]
            return tokens.unsqueeze(0).unsqueeze(0)

        def step(forces, p, n, m):
            p = p.reshape(n)
            p *= settled(forces)
            return p

        def wrong(edges):
            # edges are in the shape of (n_edges, 2)
            return edges + torch.zeros(1, 3)  # NC201
        """,
    "words in parentheses explain a dim": """
        def right(q, heads: int, width: int):
            B, N, C = q.shape
            q = q.reshape(B, N, heads, width)  # B x N (tokens) x heads (h) x width
            return q.permute(0, 2, 1, 3)  # B x heads x N (=tokens) x width

        def wrong(q, heads: int, width: int):
            B, N, C = q.shape
            q = q.reshape(B, N, heads, width)
            return q.permute(0, 2, 1, 3)  # B x N (tokens) x heads x width  # NC402
        """,
    "examples and contents": """
        import numpy as np
        import torch

        def in_letters(ids, perm):
            # before = [A B C D]
            # after = [B A D C]
            before = ids.copy()
            after = before.copy()
            after[perm] = ids
            return after

        def announced(ids: np.ndarray, perm):
            # Sorted by length, for example:
            # ids = [a, b, c]
            # order = [b, a, c]
            order = ids.copy()
            order[perm] = 0
            return order

        def beside_numbers(x: torch.Tensor):
            # tokens = [5, 7, 0, 0]
            # x = [a, b, c, d]
            # mask = [b, a, d, c]
            mask = x.clone()
            return mask

        def wrong(ids: torch.Tensor):
            # ids:   (B, T, C)
            # mixed: (B, C, T)
            mixed = ids.clone()  # NC402
            return mixed
        """,
    "a label of two comments": """
        import torch
        from torch import nn
        import torch.nn.functional as F

        class Net(nn.Module):
            def __init__(self, f, g):
                super().__init__()
                self.narrow = nn.Conv2d(64, 64, 1)
                self.wide = nn.Conv2d(128, 128, 1)
                self.f, self.g = f, g

            def forward(self, x):
                x = self.f(x)  # (B, C, H, W)
                y = self.g(x)  # (B, C, H, W)
                return self.wide(y), self.narrow(x)

            def derived(self, x):
                x = self.f(x)  # (B, C, H, W)
                y = self.g(x)  # (B, C, H, W)
                return self.narrow(F.relu(x)), self.wide(F.relu(y))

            def learned_before(self, x):
                x = self.f(x)  # (B, C, H, W)
                x = self.narrow(x)
                y = self.g(x).permute(0, 2, 3, 1)  # (B, H, W, C)
                return self.wide(y.permute(0, 3, 1, 2))

            def of_a_variable(self, x):
                B, C, H, W = x.shape
                x = self.narrow(x)
                y = self.g(x).permute(0, 2, 3, 1)  # (B, H, W, C)
                return self.wide(y.permute(0, 3, 1, 2))

            def in_loop(self, x):
                for stage in self.stages:
                    x = stage(x)  # (B, C, H, W)
                    x = self.narrow(x)
                y = self.g(x)  # (B, C, H, W)
                return self.wide(y)

            def wrong(self, x):
                x = self.f(x)  # (B, C, H, W)
                a = self.narrow(x)
                return a, self.wide(x)  # NC208

        def doubled(x, mix):
            b, t, d = x.shape
            qk = x.repeat(1, 1, 2)  # (B, T, D)
            s = mix(qk)  # (B, T, D)
            return s.reshape(b, t, d)

        def swapped(f, g):
            x = torch.abs(f())  # (B, T, C)
            y = torch.abs(g())  # (B, T, C)
            return x + y.transpose(1, 2)  # NC202
        """,
    "a label of a callee": """
        import torch

        def distances(rows, columns):
            '''columns: (batch, dim)'''
            d = torch.cdist(rows, columns)
            # (classes, batch)
            return d

        def counted(x):
            y = torch.abs(look_up(x))  # (B, N)
            return y

        def test(rows):
            d = distances(rows, torch.zeros(2, 3))
            assert (d.argmax(0) == torch.tensor([0, 1])).all()

        def test_counted():
            rows = counted(torch.zeros(5, 3))
            return rows + torch.zeros(5, 7)

        def wrong(x, y):
            # x: (batch, 3)
            z = x.abs()
            return z + torch.zeros(1, 4)  # NC201
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])


ERRORS = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, f):
        super().__init__()
        self.out = nn.Linear(256, 32)
        self.f = f

    def forward(self, x, h: int):
        x = torch.abs(self.f(x)).permute(0, 2, 1)  # (B, T, 3*C)
        y = torch.abs(self.f(x)).permute(0, 2, 1)  # (B, T, C)
        return torch.cat([x, y], 1), self.out(x)
"""


def test_what_a_comment_says_makes_no_error() -> None:
    findings = analyze_text("a.py", ERRORS).findings
    assert [finding.level for finding in findings if finding.level == "error"] == []

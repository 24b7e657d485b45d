"""The findings of the evaluator in small programs, and programs in which it finds nothing.

Every program that is wrong has a twin beside it that differs in one place and is right.
"""

from __future__ import annotations

import pytest
from snippets import read, reported

WRONG = {
    "sizes that meet": """
        def f(x):
            return torch.zeros(3, 4) + torch.zeros(3)  # <- NC201
    """,
    "a dim that is not there": """
        def f(x):
            B, T, C = x.shape
            return x.sum(dim=3)  # <- NC301
    """,
    "a matrix product": """
        def f():
            return torch.zeros(2, 3) @ torch.zeros(4, 5)  # <- NC203
    """,
    "names of one unpacking": """
        def f(q, k):
            B, N, D = k.shape
            return k @ k  # <- NC203
    """,
    "a layer in a method": """
        class Block(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.up = nn.Linear(dim, 4 * dim)
                self.down = nn.Linear(dim, dim)

            def forward(self, x):
                return self.down(self.up(x))  # <- NC208
    """,
    "layers in a row": """
        class Block(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.net = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(dim, dim))

            def forward(self, x):
                return self.net(x)  # <- NC208
    """,
    "a residual of another width": """
        class Inner(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.out = nn.Linear(dim, 3 * dim)

            def forward(self, x):
                return self.out(x)

        class Outer(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.norm = nn.LayerNorm(dim)
                self.blocks = nn.ModuleList([Inner(dim) for _ in range(4)])

            def forward(self, x):
                for block in self.blocks:
                    x = x + block(self.norm(x))  # <- NC201
                return x
    """,
    "heads forgotten in a view": """
        class Heads(nn.Module):
            def __init__(self, dim, heads):
                super().__init__()
                self.heads = heads
                self.q = nn.Linear(dim, dim)

            def forward(self, x):
                B, N, D = x.shape
                return self.q(x).view(B, N, self.heads, D)  # <- NC211
    """,
    "a reshape where a transpose belongs": """
        def f(y):
            B, H, T, D = y.shape
            return y.reshape(B, T, H * D)  # <- NC205
    """,
    "predictions against targets": """
        class Model(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.head = nn.Linear(width, 1)

            def forward(self, x):
                return self.head(x)

        def loss(model: Model, x, target):  # x: (B, F), target: (B,)
            return ((model(x) - target) ** 2).mean()  # <- NC202
    """,
    "a mask that lines up with something else": """
        def f(scores, mask):  # mask: (B, M)
            B, H, N, M = scores.shape
            return scores.masked_fill(mask[:, :, None] == 0, 0.0)  # <- NC202
    """,
    "unpacking another rank": """
        def f():
            x = torch.zeros(2, 3, 4)
            B, T = x.shape  # <- NC303
    """,
    "inside a function of the file": """
        def total(x):
            return x.sum(dim=2)  # <- NC301

        def f():
            return total(torch.zeros(2, 3))
    """,
    "a lambda": """
        def f():
            first = lambda x: x.sum(dim=2)  # <- NC301
            return first(torch.zeros(2, 3))
    """,
    "in a loop once": """
        def f(xs):
            w = torch.zeros(5, 6)
            for x in xs:
                y = torch.zeros(3, 4) @ w  # <- NC203
            return y
    """,
    "in one branch": """
        def f(x, flag):
            if flag:
                y = torch.zeros(3, 4) @ torch.zeros(3, 4)  # <- NC203
            else:
                y = torch.zeros(3, 4) @ torch.zeros(4, 3)
            return y
    """,
    "NumPy's words": """
        def f(x: np.ndarray):
            n, d = x.shape
            return x - x.mean(axis=1)  # <- NC202
    """,
    "in place": """
        def f():
            x = torch.zeros(3, 1)
            x += torch.zeros(3, 4)  # <- NC106
    """,
    "assigning to a part": """
        def f():
            x = torch.zeros(3, 4)
            x[0] = torch.zeros(5)  # <- NC206
    """,
    "an einops pattern": """
        def f(x):
            B, T, C = x.shape
            return rearrange(x, "b c h w -> b h w c")  # <- NC304
    """,
    "einsum letters": """
        def f():
            return torch.einsum("ij,jk->ik", torch.zeros(2, 3), torch.zeros(4, 5))  # <- NC203
    """,
    "our own named tensors": """
        import namecheck_runtime as nt

        def f():
            x = nt.randn(2, 3, names=("N", "C"))
            return x.mean("T")  # <- NC103
    """,
    "a stated rank": """
        def f(x):
            assert x.ndim == 2
            return x.permute(0, 2, 1)  # <- NC303
    """,
    "a stated shape": """
        def f(x, B, T):
            assert x.shape == (B, T, 8)
            return x @ torch.zeros(4, 4)  # <- NC203
    """,
    "a guard that raises": """
        def f(x):
            if x.shape[-1] != 8:
                raise ValueError
            return x @ torch.zeros(4, 4)  # <- NC203
    """,
    "through super": """
        class Base(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.proj = nn.Linear(dim, 2 * dim)

        class Child(Base):
            def forward(self, x):
                return self.proj(self.proj(x))  # <- NC208
    """,
    "a subclass of a layer": """
        class Wide(nn.Linear):
            def __init__(self, dim):
                super().__init__(dim, 2 * dim)

        class Twice(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.wide = Wide(dim)

            def forward(self, x):
                return self.wide(self.wide(x))  # <- NC208
    """,
}

RIGHT = {
    "sizes that meet": """
        def f(x):
            return torch.zeros(3, 4) + torch.zeros(4)
    """,
    "a dim that is not there": """
        def f(x):
            B, T, C = x.shape
            return x.sum(dim=2)
    """,
    "names of one unpacking": """
        def f(q, k):
            B, N, D = k.shape
            return k @ k.transpose(-2, -1)
    """,
    "a square that the function asks for": """
        def f(k):
            N, D = k.shape
            assert N == D
            return k @ k
    """,
    "a square that is a square": """
        def f(q):
            B, N, D = q.shape
            scores = q @ q.transpose(-2, -1)
            B, I, J = scores.shape
            return scores @ scores
    """,
    "a layer in a method": """
        class Block(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.up = nn.Linear(dim, 4 * dim)
                self.down = nn.Linear(4 * dim, dim)

            def forward(self, x):
                return self.down(self.up(x))
    """,
    "a projection chosen in the constructor": """
        class Block(nn.Module):
            def __init__(self, inp, oup):
                super().__init__()
                self.conv = nn.Conv2d(inp, oup, 3, padding=1)
                self.skip = nn.Identity() if inp == oup else nn.Conv2d(inp, oup, 1)

            def forward(self, x):
                return self.conv(x) + self.skip(x)
    """,
    "a residual under a flag": """
        class Block(nn.Module):
            def __init__(self, inp, oup, stride):
                super().__init__()
                self.use_res = stride == 1 and inp == oup
                self.conv = nn.Conv2d(inp, oup, 3, stride, 1)

            def forward(self, x):
                if self.use_res:
                    return x + self.conv(x)
                return self.conv(x)
    """,
    "a channel mixer": """
        class Mixer(nn.Module):
            def __init__(self, dim, tokens):
                super().__init__()
                self.tokens = nn.Linear(tokens, tokens)
                self.channels = nn.Linear(dim, dim)

            def forward(self, x):
                B, N, D = x.shape
                x = x + self.tokens(x.transpose(1, 2)).transpose(1, 2)
                return x + self.channels(x)
    """,
    "heads in a view": """
        class Heads(nn.Module):
            def __init__(self, dim, heads):
                super().__init__()
                self.heads = heads
                self.q = nn.Linear(dim, dim)

            def forward(self, x):
                B, N, D = x.shape
                q = self.q(x).view(B, N, self.heads, -1)
                return q.transpose(1, 2).reshape(B * self.heads, N, D // self.heads)
    """,
    "a written one": """
        def f(x):
            N, D = x.shape
            return x[:, None] - x
    """,
    "what may be None": """
        def f(scores, mask=None):
            B, H, N, M = scores.shape
            if mask is not None:  # mask: (B, M)
                scores = scores.masked_fill(mask[:, None, None, :] == 0, 0.0)
            return scores.softmax(-1)
    """,
    "a mistake that is expected": """
        import pytest

        def test():
            with pytest.raises(RuntimeError):
                torch.zeros(3, 4) + torch.zeros(3)
    """,
    "a mistake that is caught": """
        def f():
            try:
                return torch.zeros(3, 4) + torch.zeros(3)
            except RuntimeError:
                return None
    """,
    "known only in the first pass": """
        def f(ys):
            x = torch.zeros(3)
            for y in ys:
                x = torch.cat([x, y])
                x = x + torch.zeros(3)
            return x
    """,
    "what another method sets": """
        class Cache(nn.Module):
            def __init__(self):
                super().__init__()
                self.past = torch.zeros(2, 3)

            def fill(self, past):
                self.past = past

            def forward(self):
                return self.past.sum(dim=2)
    """,
    "a rank that depends": """
        def f(x, flat):
            x = torch.zeros(2, 3) if flat else torch.zeros(2, 3, 4)
            return x.sum(dim=2)
    """,
    "a comment for the other way through": """
        class Both(nn.Module):
            def __init__(self, conv):
                super().__init__()
                self.conv = conv

            def forward(self, x):  # x: (B, C, H, W)
                if self.conv:
                    B, C, H, W = x.shape
                else:
                    B, N, C = x.shape
                return x
    """,
    "two names of one size": """
        def f(x, y):
            n, d = x.shape
            m, d = y.shape
            return x @ y.T
    """,
    "another library's function": """
        from mylib import squeeze_all

        def f():
            x = squeeze_all(torch.zeros(2, 3))
            return x.sum(dim=5)
    """,
    "a shape in one variable": """
        def f(shape):
            return torch.zeros(shape).cumsum(2)
    """,
    "shapes that are added": """
        class Spread(nn.Module):
            def __init__(self, batch_shape, event_shape):
                super().__init__()
                self.batch = batch_shape
                self.event = event_shape

            def forward(self, x):
                a, b = x.shape
                return x.expand(self.batch + self.event + self.event)
    """,
    "padding that may be nothing": """
        def f(x, pad=0):
            B, T, C = x.shape
            y = torch.zeros(B, T + pad, C)
            return x + y
    """,
    "a list of whatever there was": """
        def f(xs):
            out = []
            for x in xs:
                B, C = x.shape
                out.append(x)
            return torch.cat(out, dim=1)
    """,
    "a relative shift": """
        def shift(scores, context):
            B, H, Q, R = scores.shape
            scores = torch.reshape(scores, [B, H, R, Q])
            scores = scores[:, :, 1:, :]
            scores = torch.reshape(scores, [B, H, Q, R - 1])
            return scores[..., :context]
    """,
    "names that differ by a mark": """
        def f(x):
            B, h0, w0, h1, w1 = x.shape
            y = x.view(B, h0 * w0, h1 * w1)
            return torch.cat([y.sum(1), y.sum(2)])
    """,
    "comments above that disagree": """
        def f(q, keys, values):
            # k: [b, k, p]
            k = keys(q)
            # v: [b, p, k]
            v = values(q)
            return F.scaled_dot_product_attention(q, k, v)
    """,
    "a layer called like a method": """
        def f(model, x):
            y = model.norm(x)
            B, T, C = y.shape
            return y
    """,
    "a comment above a block": """
        class Block(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.conv = nn.Conv1d(dim, dim, 1)
                self.norm = nn.LayerNorm(dim)

            def forward(self, x):
                # x has shape [batch, chars, dim]
                # we transpose it to be [batch, dim, chars]
                x = torch.transpose(x, 1, 2)
                # `y`: shape (batch, chars, dim)
                y = self.conv(x)
                y = torch.transpose(y, 1, 2)
                return self.norm(y)
    """,
    "isinstance": """
        def pair(t):
            return t if isinstance(t, tuple) else (t, t)

        def f(x):
            h, w = pair(4)
            return torch.zeros(h, w) @ torch.zeros(w, h)
    """,
}


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_reported_once_and_in_its_place(name: str) -> None:
    analysis, marks = read(WRONG[name])
    assert marks
    assert reported(analysis) == marks, [str(finding.message) for finding in analysis.findings]


@pytest.mark.parametrize("name", RIGHT)
def test_a_program_that_may_be_right_has_no_findings(name: str) -> None:
    analysis, _ = read(RIGHT[name])
    assert reported(analysis) == [], [str(finding.message) for finding in analysis.findings]

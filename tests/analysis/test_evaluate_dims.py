"""The dims that the evaluator infers, as `namecheck show` prints them."""

from __future__ import annotations

import pytest
from snippets import dims

CASES = {
    "unpacking names the dims": (
        """
        def f(x):
            B, T, C = x.shape
            y = x.transpose(1, 2)
        """,
        {"y": "[B, C, T]"},
    ),
    "an alias learns with what it stands for": (
        """
        def f(x):
            y = x
            B, T, C = x.size()
            z = y.exp()
        """,
        {"z": "[B, T, C]"},
    ),
    "sizes read one by one": (
        """
        def f(x):
            batch = x.shape[0]
            n = x.size(1)
            assert x.ndim == 3
            y = x.sum(-1)
        """,
        {"y": "[batch, n]"},
    ),
    "the last dims": (
        """
        def f(x):
            H, W = x.shape[-2:]
            y = x.transpose(-2, -1)
        """,
        {"y": "[..., W, H]"},
    ),
    "a starred unpacking": (
        """
        def f(x):
            *batch, T, C = x.shape
            y = x @ torch.zeros(C, 8)
        """,
        {"y": "[..., T, 8]"},
    ),
    "a linear layer tells its input": (
        """
        class M(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.up = nn.Linear(dim, 4 * dim)

            def forward(self, x):
                y = self.up(x)
                z = x.sum(-1, keepdim=True)
                return y
        """,
        {"y": "[..., 4*dim]", "z": "[..., 1]", "return": "[..., 4*dim]"},
    ),
    "a convolution takes a batch": (
        """
        class M(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.conv = nn.Conv2d(3, dim, 3, padding=1)

            def forward(self, x):
                B, C, H, W = x.shape
                return self.conv(x)
        """,
        {"return": "[B, dim, H, W]"},
    ),
    "layers in a row, in a list, chosen": (
        """
        class M(nn.Module):
            def __init__(self, dim, deep):
                super().__init__()
                self.net = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU())
                self.more = nn.ModuleList([nn.Linear(4 * dim, 4 * dim) for _ in range(deep)])
                self.last = nn.Linear(4 * dim, 10) if deep else nn.Linear(4 * dim, 10)

            def forward(self, x):
                B, T, _ = x.shape
                x = self.net(x)
                for layer in self.more:
                    x = x + layer(x)
                y = self.last(x)
        """,
        {"x": "[B, T, 4*dim]", "y": "[B, T, 10]"},
    ),
    "a module within a module": (
        """
        class Inner(nn.Module):
            def __init__(self, width, out):
                super().__init__()
                self.fc = nn.Linear(width, out)

            def forward(self, x):
                return self.fc(x)

        class Outer(nn.Module):
            def __init__(self, cfg):
                super().__init__()
                self.inner = Inner(cfg.dim, out=2 * cfg.dim)
                self.scale = nn.Parameter(torch.ones(cfg.dim))

            def forward(self, x):
                B, T, C = x.shape
                y = self.inner(x)
                w = self.inner.fc.weight
                z = x * self.scale
        """,
        {"y": "[B, T, 2*cfg.dim]", "w": "[2*cfg.dim, cfg.dim]", "z": "[B, T, cfg.dim]"},
    ),
    "one block called twice keeps its calls apart": (
        """
        def pool(x):
            B, C, H, W = x.shape
            return x.reshape(B, C, H * W)

        def f(x, y):
            b, c, h, w = x.shape
            n, d, u, v = y.shape
            p = pool(x)
            q = pool(y)
        """,
        {"p": "[b, c, h*w]", "q": "[n, d, u*v]"},
    ),
    "what a callee learns of its argument": (
        """
        def check(x):
            B, T, C = x.shape
            return B

        def f(x):
            check(x)
            y = x.exp()

        def g(x):
            check(x)
            y = x.sum(1)
        """,
        {"y": "[B, C]"},
    ),
    "both branches agree": (
        """
        def f(x, flag):
            B, T = x.shape
            if flag:
                y = x.exp()
            else:
                y = x.tanh()
            z = y
        """,
        {"z": "[B, T]"},
    ),
    "branches of different rank are unknown": (
        """
        def f(x, flag):
            B, T = x.shape
            if flag:
                y = x.sum(0)
            else:
                y = x
            z = y.exp()
        """,
        {"z": "[..., T]"},
    ),
    "an early return leaves the other path": (
        """
        def f(x, flag):
            B, T = x.shape
            if flag:
                return x.sum(1)
            y = x.exp()
        """,
        {"y": "[B, T]", "return": "[B]"},
    ),
    "what was tried": (
        """
        def f(x):
            B, T = x.shape
            try:
                y = x.exp()
            except ValueError:
                y = x.tanh()
            finally:
                pass
            z = y
        """,
        {"z": "[B, T]"},
    ),
    "a loop that only adds": (
        """
        def f(xs):
            total = torch.zeros(3, 4)
            for x in xs:
                total = total + 1
            y = total
        """,
        {"y": "[3, 4]"},
    ),
    "a list of known tensors": (
        """
        def f(n):
            parts = []
            for i in range(3):
                parts.append(torch.zeros(2, 5))
            y = torch.cat(parts, dim=1)
            z = torch.stack(parts)
        """,
        {"y": "[2, 15]", "z": "[3, 2, 5]"},
    ),
    "comprehension, map and zip": (
        """
        def f(qkv):
            B, T, C = qkv.shape
            q, k = (t.transpose(1, 2) for t in (qkv, qkv))
            a, b = map(lambda t: t.sum(1), (qkv, qkv))
            c, d = [x + 1 for x, _ in zip((qkv, qkv), (1, 2))]
        """,
        {"q": "[B, C, T]", "k": "[B, C, T]", "a": "[B, C]", "b": "[B, C]", "c": "[B, T, C]"},
    ),
    "a walrus, a lambda, a default": (
        """
        def f(x):
            B, T = x.shape
            g = lambda t, dim=0: t.sum(dim)
            if (y := g(x)) is not None:
                z = y.exp()
        """,
        {"z": "[T]"},
    ),
    "arguments by star and by name": (
        """
        def g(x, *rest, dim=0, **more):
            return x.sum(dim)

        def f(x):
            B, T = x.shape
            args = (x, 1)
            options = {"dim": 1}
            y = g(*args, **options)
        """,
        {"y": "[B]"},
    ),
    "partial": (
        """
        from functools import partial

        def f(x):
            B, T = x.shape
            y = partial(torch.sum, dim=1)(x)
        """,
        {"y": "[B]"},
    ),
    "indexing": (
        """
        def f(x):
            B, T, C = x.shape
            a = x[:, 0]
            b = x[:, None]
            c = x[..., :2]
            d = x[0, 1:]
            e = x[x > 0]
        """,
        {"a": "[B, C]", "b": "[B, 1, T, C]", "c": "[B, T, min(2, C)]", "d": "[T - 1, C]"},
    ),
    "einops names what it takes": (
        """
        def f(x):
            y = rearrange(x, "b (h d) n -> b h n d", h=8)
            z = x.sum(1)
        """,
        {"y": "[b, 8, n, d]", "z": "[b, n]"},
    ),
    "einsum letters": (
        """
        def f(q, k):
            s = torch.einsum("bhid,bhjd->bhij", q, k)
            t = q.sum(-1)
        """,
        {"s": "[b, h, i, j]", "t": "[b, h, i]"},
    ),
    "a jaxtyping annotation": (
        """
        def f(x: Float[Tensor, "batch time 2*dim"], w: Float[Tensor, "*rest dim"]):
            y = x.sum(1)
            z = w.exp()
        """,
        {"y": "[batch, 2*dim]", "z": "[..., dim]"},
    ),
    "an annotation of a local": (
        """
        def f(x):
            y: Float[Tensor, "b 3"] = mystery(x)
            z = y.sum(0)
        """,
        {"z": "[3]"},
    ),
    "a comment says what is not known": (
        """
        def f(x, mystery):
            y = torch.stack(mystery(x))  # (B, T, C)
            z = y.sum(1)
        """,
        {"z": "[B, C]"},
    ),
    "a comment binds its labels": (
        """
        def f(x, heads: int):
            B, T, C = x.shape
            y = x.view(B, T, heads, C // heads)  # (B, T, H, D)
            z = torch.zeros(3)  # (N,)
        """,
        {"y": "[B, T, heads, C/heads]", "z": "[3]"},
    ),
    "comments at a def": (
        """
        def f(
            q,  # (B, T, D)
            k,
        ):  # k: (B, S, D)
            y = q @ k.transpose(1, 2)
        """,
        {"y": "[B, T, S]"},
    ),
    "what a guard states": (
        """
        def f(x, n):
            if x.shape != (n, 4):
                raise ValueError
            y = x.sum(0)
        """,
        {"y": "[4]"},
    ),
    "NumPy": (
        """
        def f(x: np.ndarray):
            n, d = x.shape
            m = x.mean(axis=0, keepdims=True)
            s = np.sum(x, 1)
        """,
        {"m": "[1, d]", "s": "[n]"},
    ),
    "in-place changes of a shape": (
        """
        def f():
            x = torch.zeros(2, 3)
            x.unsqueeze_(0)
            y = x.exp()
        """,
        {"y": "[1, 2, 3]"},
    ),
    "ints from floats are one size": (
        """
        class M(nn.Module):
            def __init__(self, dim, ratio=4.0):
                super().__init__()
                hidden = int(dim * ratio)
                self.up = nn.Linear(dim, hidden)
                self.down = nn.Linear(int(dim * ratio), dim)

            def forward(self, x):
                B, T, C = x.shape
                y = self.down(self.up(x))
        """,
        {"y": "[B, T, dim]"},
    ),
    "a layer that may be missing": (
        """
        class M(nn.Module):
            def __init__(self, dim, classes):
                super().__init__()
                self.skip = nn.Identity() if classes > 9 else nn.Linear(dim, dim)
                self.head = nn.Linear(dim, classes) if classes > 0 else None

            def forward(self, x):
                B, T, C = x.shape
                x = self.skip(x)
                if self.head is None:
                    return x
                y = self.head(x)
        """,
        {"y": "[B, T, classes]"},
    ),
    "a tensor that may be missing": (
        """
        def f(x, flag):
            B, T = x.shape
            y = None
            if flag:
                y = x.sum(1)
            if y is not None:
                z = y.exp()
        """,
        {"z": "[B]"},
    ),
    "modules are looked into when they are needed": (
        """
        class Leaf(nn.Module):
            def __init__(self, width, *, rate):
                super().__init__()
                self.fc = nn.Linear(width, 2 * width)
                self.drop = nn.Dropout(rate)

            def forward(self, x):
                return self.drop(self.fc(x))

        class Tree(nn.Module):
            def __init__(self, dim, rates):
                super().__init__()
                self.leaves = nn.ModuleList([])
                for rate in rates:
                    self.leaves.append(Leaf(dim, rate=rate))
                self.first = Leaf(4 * dim, rate=0.1)
                self.first.fc = nn.Linear(dim, 5)

            def forward(self, x):
                B, T, C = x.shape
                y = self.first(x)
                for leaf in self.leaves:
                    z = leaf(x)
        """,
        {"y": "[B, T, 5]", "z": "[B, T, 2*dim]"},
    ),
    "a dataclass of sizes": (
        """
        from dataclasses import dataclass

        @dataclass
        class Config:
            dim: int = 64

        def f(cfg: Config):
            y = torch.zeros(3, cfg.dim)
        """,
        {"y": "[3, Config.dim]"},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_dims(name: str) -> None:
    program, expected = CASES[name]
    texts = dims(program)
    assert {target: texts.get(target) for target in expected} == expected

"""Comments behind a statement whose value the program itself computes: number of dims, arithmetic.

A line ends in the code that is reported there; these marks are no part of the program.
"""

from __future__ import annotations

import pytest
from snippets import read, reported

PROGRAMS = {
    "an op of a value with known dims and one that nothing is known of": """
        def distances(x, centers):
            x = x.reshape(-1, x.shape[-1])  # (N, D)
            dot = x @ centers.t()  # (K, N)  # <- NC402
            return dot

        def product(x, w):
            rows, cols = x.shape
            y = torch.matmul(w, x)  # (cols, rows)  # <- NC402
            return y

        def added(x, bias):
            B, T, C = x.shape
            y = x + bias  # (T, B, C)  # <- NC402
            return y

        def masks(starts, sizes, F: int):
            mask = torch.arange(F).unsqueeze(0).unsqueeze(2)
            ends = starts + sizes  # (N, M)
            begun = mask >= starts.unsqueeze(1)
            mask = begun & (mask < ends.unsqueeze(1))  # (N, M, F)  # <- NC402
            return mask

        def of_array(x, scale):
            rows, cols = x.shape
            y = np.multiply(np.exp(x), scale)  # (cols, rows)  # <- NC402
            return y

        def right(x, w, bias):
            B, T, C = x.shape
            y = torch.matmul(x, w)  # (B, T, D)
            z = x + bias  # (B, T, C)
            o = x * w  # (S, B, T, C)
            return y, z, o

        def of_other_ranks(x, w):
            N, D = x.shape
            y = x @ w  # (K, N, D)
            z = x @ w  # (K, N, E)
            return y, z

        def other_letters(x, w):
            N, D = x.shape
            y = x @ w  # (rows, cols)
            z = x * w  # (M, E)
            return y, z

        def of_ones(x, w):
            B, T = x.shape
            y = x[:, :1] + w  # (B, T)
            z = x[:1] * w  # (T, B)
            return y, z
        """,
    "a written 1 in front that the value lacks": """
        def bands(pos, width: int):
            rows = pos.reshape(-1)  # (R,)
            return rows[:, None] * torch.arange(width)  # (R, width)

        def both(pos, width: int):
            a = bands(pos[0], width)  # [1, R, width]  # <- NC402
            b = bands(pos[1], width)  # [R, width]
            return torch.cat([a, b], dim=-1)

        def of_array(n: int):
            steps = np.arange(n)[:, None] * np.ones(4)  # (1, n, 4)  # <- NC402
            return steps

        def there(x):
            T, C = x.shape
            y = x[None]  # (1, T, C)
            return y

        class Table(nn.Module):
            def __init__(self, length: int, width: int):
                super().__init__()
                self.table = nn.Parameter(torch.zeros(length, width))

            def forward(self, x):
                pos = self.table * 2  # (1, length, width)  # <- NC402
                return x + pos

            def right(self, x):
                pos = self.table[None]  # (1, length, width)
                return x + pos
        """,
    "a value of no dims, or of one": """
        def loss(pred, goal):
            pred = pred.reshape(-1)
            one = nn.BCELoss()(pred, goal)  # (points, batch)  # <- NC402
            return one

        def total(x):
            B, T, C = x.shape
            y = x.sum()  # (B, C)  # <- NC402
            z = x.sum()  # ()
            return y, z

        def not_reduced(pred, goal, reduction):
            B, T = pred.shape
            one = F.mse_loss(pred, goal, reduction="none")  # (B, T)
            two = F.mse_loss(pred, goal, reduction=reduction)  # (B, T)
            return one, two

        def repeated(z, steps: int):
            z = np.repeat(z[:, None], steps, axis=1).reshape(-1)  # (halos * steps, 3)  # <- NC402
            return z

        def looped(xs, steps: int):
            for x in xs:
                y = x.reshape(-1)  # (steps, 3)  # <- NC402
                z = x.reshape(-1, 3)  # (steps, 3)
                yield y, z
        """,
    "dims that a comment leaves out, or adds": """
        def step(logits):
            B, T, C = logits.shape
            now = logits[:, 0]  # (B,)  # <- NC402
            best = logits[:, 0].argmax(-1)  # (B,)
            return now, best

        class Volume(nn.Module):
            def __init__(self, width: int):
                super().__init__()
                self.conv = nn.Conv3d(width, width, 3, padding=1)
                self.flat = nn.Conv2d(width, width, 3, padding=1)

            def forward(self, x):
                x = self.conv(x)  # (B, C, H, W)  # <- NC402
                return x

            def images(self, x):
                x = self.flat(x)  # (B, C, H, W)
                return x

        def kept(x):
            B, T, C = x.shape
            a = x.mean(1)  # (B, 1, C)
            b = x.mean(1, keepdim=True)  # (B, 1, C)
            c = x.mean((1, 2))  # (B, 1, 1, C)  # <- NC402
            return a, b, c
        """,
    "a comment that is written of one sample, or without its 1s": """
        def sample(x):
            B, C, H, W = x.shape
            y = x.relu()  # (C, H, W)
            z = torch.zeros(B, 3, 8, 8)  # (3, 8, 8)
            u = torch.zeros(B, 10, 2)  # (points, 2)
            return y, z, u

        def loose(n: int):
            v = torch.ones(n, 1)  # (n,)
            w = torch.ones(1, n)  # (n,)
            u = torch.ones(n, 1, 4)  # (n, 4)
            return u, v, w
        """,
    "a comment that lists what a value contains": """
        def contents(n: int, img):
            boxes = torch.zeros(n, 4)  # [left, top, right, bottom]
            pos = torch.rand(n, 3)  # (alpha, beta, gamma)
            size = np.array(img.shape[:2])  # [rows, cols]
            low = pos.amin(0)  # [first, second, third]
            return boxes, pos, size, low

        def started():
            out = torch.zeros(0)  # (steps, batch, dim)
            more = torch.tensor([])  # (N, 4)
            old = np.array([])  # (N, 4)
            return out, more, old

        def before(x):
            B, T, C = x.shape
            y = x.flatten()  # flatten (B, T, C)
            z = x.sum()  # sum over (B, T, C)
            u = x.mean(1)  # mean of (B, T, C) over T
            return y, z, u
        """,
    "a unit behind a value": """
        def pulled(mass: float, n: int):
            weight = torch.tensor(9.81) * mass  # [N]
            arm = torch.ones(n, 3)
            force = torch.ones(n, 3).sum()  # (N)
            turn = (arm * weight).sum()  # [N*m]
            return force, turn

        def counted(x):
            N, C = x.shape
            total = x.sum()  # (N)  # <- NC402
            mean = x.mean(1)  # (N)
            return total, mean
        """,
    "a number of dims that depends on the path": """
        class Pool(nn.Module):
            def __init__(self, keep: bool):
                super().__init__()
                self.keep = keep

            def forward(self, x):
                B, T, C = x.shape
                if self.keep:
                    x = x.mean(1, keepdim=True)
                else:
                    x = x.mean(1)
                x = x * 2  # (B, 1, C)
                return x

        def given(x):
            '''Scale.

            x: (B, T)
            '''
            y = x[..., None] * 2  # (B, T, C, 1)
            return y
        """,
    "arithmetic that is the size for no sizes": """
        def grid(xy, C: int):
            B, N, D = xy.shape
            px = torch.zeros(B, N, C)
            pe = torch.cat([px, px], dim=2)  # (B, N, C*3)  # <- NC402
            pf = torch.cat([px, px], dim=2)  # (B, N, C*2)
            return pe, pf

        def padded(x):
            B, T, C = x.shape
            y = F.pad(x, (0, 0, 1, 1))  # (B, T + 1, C)  # <- NC402
            z = F.pad(x, (0, 0, 1, 0))  # (B, T + 1, C)
            return y, z

        def joined(x, y):
            B, T, C = x.shape
            both = torch.cat([x, x], 1)  # (B, T, 2*C)  # <- NC402
            return both

        def counted(x):
            B = x.shape[0]
            y = torch.cat([x.reshape(B, 256), torch.ones(B, 4)], 1)  # (B, 512+4)  # <- NC402
            return y

        class Gates(nn.Module):
            def __init__(self, C: int, D: int):
                super().__init__()
                self.lin = nn.Linear(C, 3 * D)

            def forward(self, x):
                B, T, C = x.shape
                y = self.lin(x)  # (B, T, 2*D)  # <- NC402
                z = self.lin(x)  # (B, T, 3*D)
                return y, z
        """,
    "arithmetic of labels that are used loosely": """
        def doubled():
            x = torch.zeros(4, 64, 8)  # (B, C, T)
            x = torch.cat([x, x], 1)  # (B, 2*C, T)
            x = torch.cat([x, x], 1)  # (B, 2*C, T)
            return x

        class Optional(nn.Module):
            def __init__(self, dim: int, with_cls: bool):
                super().__init__()
                self.with_cls = with_cls
                self.cls = nn.Parameter(torch.zeros(1, 1, dim))

            def forward(self, x):
                B, N, C = x.shape
                if self.with_cls:
                    x = torch.cat([self.cls.expand(B, -1, -1), x], 1)
                x = x.relu()  # (B, N+1, C)
                return x

        def folded(score):
            # [b, N, 4, K, H] -> [b, 4N, K, H]
            score = rearrange(score, "b n f K h -> b (n f) K h")
            b, N, K, H = score.shape
            out = score.new_zeros([b, N, H])  # (b, 4N, H)
            return out

        def shifted(x):
            B, T, C = x.shape
            T = T - 1
            y = x[:, 1:]  # (B, T, C)
            z = F.pad(y, (0, 0, 1, 0))  # (B, T + 1, C)
            return z

        def halves(x):
            B, T, C = x.shape
            a, b = x.chunk(2, -1)
            c = a * b  # (B, T, C // 2)
            d = x[:, ::2]  # (B, T/2, C)
            return c, d
        """,
    "the names of the constructor, in a method": """
        class Experts(nn.Module):
            def __init__(self, E: int, H: int, D: int):
                super().__init__()
                self.w = nn.Parameter(torch.empty(E, 2 * H, D))

            def turned(self, x):
                w = self.w  # (E, H, 2*D)  # <- NC402
                return x @ w.mT

        class Right(nn.Module):
            def __init__(self, E: int, H: int, D: int):
                super().__init__()
                self.w = nn.Parameter(torch.empty(E, 2 * H, D))

            def forward(self, x):
                w = self.w  # (E, 2*H, D)
                v = self.w.mT  # (E, D, 2*H)
                return x @ w.mT, v

        class Other(nn.Module):
            def __init__(self, E: int, H: int, D: int):
                super().__init__()
                self.w = nn.Parameter(torch.empty(E, 2 * H, D))

            def forward(self, x):
                w = self.w.mT  # (E, 2*H, D)  # <- NC402
                return x @ w

        class Own(nn.Module):
            def __init__(self, E: int, H: int, D: int):
                super().__init__()
                self.w = nn.Parameter(torch.empty(E, 2 * H, D))

            def forward(self, x):
                E, H, D = x.shape
                w = self.w.mT  # (groups, F, 2*K)
                return x @ w
        """,
    "fewer dims than an op gives whatever it gets": """
        import jax.numpy as jnp

        def boxes(f, xs):
            left, right, top, bottom = f(xs, 0), f(xs, 1), f(xs, 2), f(xs, 3)
            deltas = torch.stack([left, top, right, bottom], 2)  # shape [n_gts, n_pred]  # <- NC402
            inside = deltas.min(dim=-1).values > 0.0  # shape [n_gts, n_pred]
            return inside.sum(dim=0) > 0  # shape [n_pred]

        def boxes_wrong(f, xs):
            left, right, top, bottom = f(xs, 0), f(xs, 1), f(xs, 2), f(xs, 3)
            deltas = torch.stack([left, top, right, bottom], 2)  # [n_gts, n_pred]  # <- NC402
            inside = deltas.min(dim=-1).values > 0.0  # [n_gts, n_pred]
            return inside.sum(dim=0)

        def boxes_right(f, xs):
            left, right, top, bottom = f(xs, 0), f(xs, 1), f(xs, 2), f(xs, 3)
            deltas = torch.stack([left, top, right, bottom], 2)  # [n_gts, n_pred, 4]
            inside = deltas.min(dim=-1).values > 0.0  # [n_gts, n_pred, 4]  # <- NC402
            return inside

        def of_numpy(f, xs):
            deltas = np.stack([f(xs), xs, xs], axis=-3)  # [rows, columns]  # <- NC402
            return deltas.min(axis=0)  # [rows, columns]

        def of_jax(f, xs):
            weights = jnp.cumsum(f(xs), axis=3)  # (rows, columns)  # <- NC402
            return weights

        def later_ops(f, xs):
            y = torch.stack([f(xs), xs, xs], dim=2).contiguous()  # (batch, time)  # <- NC402
            z = torch.unsqueeze(f(xs), 2)  # (batch, time)
            n = f(xs).unsqueeze(2)  # (batch, time)
            return y, z, n

        def elements(a, b, f):
            x, y = f(a), f(b)
            grid = torch.stack([x, y], 2)  # (x, y)
            rows = [torch.stack([p, q, q], 2) for p, q in zip(a, b)]  # (H, W)
            # (H, W)
            above = torch.stack([x, y, x], 2)
            return grid, rows, above

        def sliced(f, x):
            part = torch.abs(f(x))[:, :, 0]  # (channels,)
            other = torch.abs(f(x))[:, :, :, 1]  # (rows, columns)  # <- NC402
            return part, other
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_wrong_comments_are_reported_and_right_ones_are_not(name: str) -> None:
    analysis, marks = read(PROGRAMS[name])
    assert reported(analysis) == marks


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("x.sum()  # (B,)", "the value is []: it has 0 dims, not 1 ('B' is missing)"),
        ("x.mean(1)  # (1, B, C)", "the value is [B, C]: it has 2 dims, not 3 ('1' is missing)"),
        (
            "x.mean(1)  # (B,)",
            "the value is [B, C]: it has 2 dims, not 1 (the comment leaves out dim 1)",
        ),
        ("x.repeat(1, 2, 1)  # (B, 3*T, C)", "the value is [B, 2*T, C]: dim 1 is 2*T, not 3*T"),
    ],
)
def test_the_message_says_which_dim_is_meant(line: str, reason: str) -> None:
    analysis, _ = read(f"def f(x):\n    B, T, C = x.shape\n    y = {line}\n    return y\n")
    (finding,) = analysis.findings
    assert finding.level == "warning"
    assert finding.message.endswith(reason)

"""What patterns say of letters: nothing where they cannot have run, or where operands agree.

A line ends in the code that is reported there (`snippets`).
"""

from __future__ import annotations

import pytest
from snippets import HEAD, read

PROGRAMS = {
    "orders of branches that exclude each other": """
        def by_else(x, mode, h: int, w: int):
            if mode == "rows":
                x = rearrange(x, "b (h w) c -> b h w c", h=h)
            else:
                x = rearrange(x, "b (h w) c -> b h w c", h=h)
            return rearrange(x, "b h w c -> b (w h) c")  # <- NC304

        def returned(x, version, k: int):
            if version == 2:
                y = rearrange(x, "b (r l) -> b r l", l=k)
                return y.mean(1)
            x = rearrange(x, "b (r l) -> b (l r)", l=k)
            return x

        def tested_twice(x, version, k: int):
            if version == 1:
                x = rearrange(x, "b (r l) -> b r l", l=k).mean(2)
            if version == 2:
                x = rearrange(x, "b (r l) -> b (l r)", l=k)
            return x

        class Shuffle(nn.Module):
            def __init__(self, groups, turned):
                super().__init__()
                self.groups = groups
                self.turned = turned

            def forward(self, x):
                if not self.turned:
                    x = rearrange(x, "b (g c) n -> b g c n", g=self.groups)
                    return x.flatten(1, 2)
                elif x.ndim == 3:
                    x = rearrange(x, "b c n -> b n c")
                    return rearrange(x, "b n (g c) -> b n (c g)", g=self.groups)
                raise ValueError(x)

        def chosen(x, rows, k: int):
            return (
                rearrange(x, "b (r l) c -> b r l c", l=k)
                if rows
                else rearrange(rearrange(x, "b n c -> b n c"), "b (r l) c -> b (l r) c", l=k)
            )

        def matched(x, mode, k: int):
            match mode:
                case "split":
                    x = rearrange(x, "b (r l) c -> b r l c", l=k).sum(1)
                case "turn":
                    x = rearrange(x, "b (r l) c -> b (l r) c", l=k)
            return x
    """,
    "orders of statements that both run": """
        def straight(x, h: int):
            x = rearrange(x, "b (h w) c -> b h w c", h=h)
            return rearrange(x, "b h w c -> b (w h) c")  # <- NC304

        def one_branch(x, h: int, smooth: bool):
            x = rearrange(x, "b (h w) c -> b h w c", h=h)
            if smooth:
                x = F.gelu(x)
                return rearrange(x, "b h w c -> b (w h) c")  # <- NC304
            return x

        def checked(x, h: int):
            if x.ndim != 3:
                raise ValueError(x)
            x = rearrange(x, "b (h w) c -> b h w c", h=h)
            return rearrange(x, "b h w c -> b (w h) c")  # <- NC304

        def two_tests(x, h: int, first: bool, second: bool):
            if first:
                x = rearrange(x, "b (h w) c -> b h w c", h=h)
            if second:
                x = rearrange(x, "b h w c -> b (w h) c")  # <- NC304
            return x
    """,
    "letters of branches that exclude each other": """
        def named(x, other, heads: int, mode):
            if mode == "heads":
                return rearrange(x, "b n (h d) -> b h n d", h=heads)
            y = other.reshape(2, 16, heads, 3)
            return rearrange(y, "b h w c -> b c h w")
    """,
    "letters that operands agree on": """
        class Experts(nn.Module):
            def __init__(self, dim, experts=16):
                super().__init__()
                self.w1 = nn.Parameter(torch.randn(experts, dim, dim * 2))
                self.w2 = nn.Parameter(torch.randn(experts, dim * 2, dim))
                self.w3 = nn.Parameter(torch.randn(experts, dim * 2, dim))

            def forward(self, x):
                h = torch.einsum("end,edh->enh", x, self.w1)
                h = torch.einsum("end,edh->enh", F.gelu(h), self.w2)
                return torch.einsum("end,edh->enh", x, self.w1) @ self.w3

            def gated(self, x):
                h = torch.einsum("end,edh->enh", x, self.w1)
                w2 = self.w2
                return torch.einsum("end,edh->enh", h, w2)

        class Wide(nn.Module):
            def __init__(self, d, width):
                super().__init__()
                self.up = nn.Parameter(torch.randn(width, d))
                self.down = nn.Parameter(torch.randn(d, width))

            def forward(self, x):
                x = torch.einsum("btd,hd->bth", x, self.up)
                return torch.einsum("btd,hd->bth", x, self.down)
    """,
    "letters that operands do not agree on": """
        def exchanged(q):
            b, h, n, d = q.shape
            return torch.einsum("bnhd,bnhd->bnd", q, q)  # <- NC304

        def carried(x, m, w, heads: int):
            b, n, c = x.shape
            y = rearrange(x, "b n (h d) -> b h n d", h=heads)
            z = rearrange(y, "b h n d -> b n h d")
            return torch.einsum("bhnd,bhnd->bhn", z, z)  # <- NC304
    """,
    "branches for two ranks of what a comment gives one": """
        class Excite(nn.Module):
            def __init__(self, n_dims, fc, pool):
                super().__init__()
                self.n_dims, self.fc, self.pool = n_dims, fc, pool

            def forward(self, x, style):
                y = self.pool(x)
                batch, channels = y.shape[:2]
                # (batch, channels, 1, 1)
                z = self.fc(y)
                s = style.reshape(batch, channels)
                if self.n_dims == 1:
                    z = z * s[:, :, None]
                else:
                    z = z * s[:, :, None, None]
                return x * z

            def made_before(self, x, style):
                batch, channels = x.shape[:2]
                z = self.fc(x)  # (batch, channels, 1, 1)
                s = style.reshape(batch, channels)
                if self.n_dims == 1:
                    s = s[:, :, None]
                    return z * s
                s = s[:, :, None, None]
                return z * s

        def multiplied(fc, x, s, two):
            b, c = s.shape
            z = fc(x)  # (b, c, 1, 1)
            if two:
                return np.multiply(z, s.reshape(b, c, 1, 1))
            return np.multiply(z, s.reshape(b, c, 1))

        def in_place(fc, x, s, n):
            b, c = s.shape
            z = fc(x)  # (b, c, 1, 1, 1)
            if n == 1:
                z *= s[:, :, None]
            elif n == 2:
                z *= s[:, :, None, None]
            else:
                z *= s[:, :, None, None, None]
            return z

        def documented(z, s, n):
            \"\"\"Scale.

            Args:
                z: (B, C, 1, 1)
                s: (B, C)
            \"\"\"
            return z * s[:, :, None] if n == 1 else z * s[:, :, None, None]
    """,
    "branches for one rank": """
        def in_one(fc, x, s, two):
            b, c = s.shape
            z = fc(x)  # (b, c, 1, 1)
            if two:
                z = z * s[:, :, None]  # <- NC202
            else:
                z = z + 1
            return z

        def commented_in_one(fc, x, s, two):
            b, c = s.shape
            if two:
                z = fc(x)  # (b, c, 1, 1)
                z = z * s[:, :, None]  # <- NC202
            else:
                z = fc(x)
                z = z * s[:, :, None, None]
            return z

        def shown_by_the_program(x, s, two):
            b, c, h, w = x.shape
            z = x.mean((2, 3), keepdim=True)
            if two:
                z = z * s.reshape(b, c, 1)  # <- NC202
            else:
                z = z * s.reshape(b, c, 1, 1)
            return z

        def in_both(fc, x, s, two):
            b, c = s.shape
            z = fc(x)  # (b, c, 1, 1)
            if two:
                return z * s[:, :, None]  # <- NC202
            return x + z * s[:, :, None]  # <- NC202
    """,
    "the root of a length that is summed over": """
        def linear_attention(q, k, v):
            b, n, d = k.shape
            k = k.softmax(dim=-2)
            v = F.normalize(v.reshape(b, n, d), dim=-1)
            k, v = k / n**0.5, v * n**-0.5
            return torch.einsum("bnd,bde->bne", q, torch.einsum("bnd,bne->bde", k, v))

        def in_place(k, v):
            b, n, d = v.shape
            v = F.normalize(v, dim=-1)
            v /= n**0.5
            return k.transpose(1, 2) @ v

        def second_order(q, k, v):  # q: (B, N, D), k: (B, M, D), v: (B, M, D)
            scores = torch.einsum("bnd,bmd->bnm", q, k) / v.shape[1] ** 0.5
            return torch.einsum("bnm,bmd->bnd", scores, v)

        def spread(q, k):  # q: (B, N, D), k: (B, M, D)
            return torch.einsum("bnd,bmd->bnm", q, k) * q.shape[1] ** 0.5
    """,
    "the root of another axis": """
        def attention(q, k, v):  # q: (B, N, D), k: (B, M, D), v: (B, M, D)
            scores = torch.einsum("bnd,bmd->bnm", q, k) / v.shape[1] ** 0.5  # <- NC307
            return torch.einsum("bnm,bmd->bnd", scores.softmax(-1), v)

        def inverse(q, k, v):  # q: (B, N, D), k: (B, M, D), v: (B, M, D)
            scores = q @ k.mT * (1 / q.shape[1] ** 0.5)  # <- NC307
            return scores.softmax(-1) @ v

        def norm(x, weight):
            b, n, d = x.shape
            x = F.normalize(x, dim=1) * d**0.5  # <- NC307
            return x @ weight

        def divided(x):
            b, n, d = x.shape
            return F.normalize(x, dim=1) / d**-0.5  # <- NC307
    """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    analysis, marks = read(PROGRAMS[name])
    above = HEAD.count("\n")
    assert [(f.span.line - above, f.code) for f in analysis.findings] == marks

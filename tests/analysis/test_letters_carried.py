"""Letters of patterns belong to their pattern, unless the same variable carries them on.

And names that are presumed to differ: not beside an operand that is square by construction. A line
ends in the code that is reported there (`snippets`).
"""

from __future__ import annotations

import pytest
from snippets import HEAD, read

PROGRAMS = {
    "a letter for a size with another name": """
        def of_two(asym: Float[Tensor, "batch tokens"], m: Float[Tensor, "batch templ tokens"]):
            same = rearrange(asym, "b t -> b 1 t 1 1")
            return same, rearrange(m, "b t n -> b t n 1 1")

        def einsum(asym: Float[Tensor, "batch tokens"], m: Float[Tensor, "batch templ tokens"]):
            a = torch.einsum("bt,bt->b", asym, asym)
            return a, torch.einsum("btn,btn->bt", m, m)

        def in_a_loop(rows: Float[Tensor, "batch rows"], tables: Float[Tensor, "batch cols rows"]):
            parts = []
            for _ in range(3):
                parts.append(rearrange(rows, "b t -> t b"))
                parts.append(rearrange(tables, "b t n -> t n b"))
            return parts
    """,
    "names of a caller's sizes": """
        def along_rows(q, weight):
            b, heads, h, w, dim = q.shape
            logits = einsum("b h x y d, r d -> b h x y r", q, weight)
            return rearrange(logits, "b h x y r -> b (h x) y r")

        def both(q, height, width):
            q = rearrange(q, "b h (x y) d -> b h x y d", x=height, y=width)
            rows = along_rows(q, along)
            return rows, along_rows(rearrange(q, "b h x y d -> b h y x d"), across)
    """,
    "a variable carries its letters on": """
        def read_twice(mask: Float[Tensor, "batch templ tokens"]):
            a = rearrange(mask, "b s t -> s b t")
            b = rearrange(mask, "b t s -> b t s 1")  # <- NC304
            return a, b

        def result(mask: Float[Tensor, "batch templ tokens"]):
            a = rearrange(mask, "b s t -> b t s")
            return rearrange(a, "b s t -> (b s) t")  # <- NC304

        def nested(mask: Float[Tensor, "batch templ tokens"]):
            return rearrange(rearrange(mask, "b s t -> b t s"), "b s t -> (b s) t")  # <- NC304
    """,
    "letters that a pattern made, or that a keyword gives": """
        def named(x, heads: int):
            b, n, c = x.shape
            q = rearrange(x, "b n (h d) -> b h n d", h=heads)
            return rearrange(q.softmax(-1), "b n h d -> b n (h d)")  # <- NC304

        class Attention(nn.Module):
            def __init__(self, dim, heads):
                super().__init__()
                self.heads = heads

            def forward(self, x):
                B, T, C = x.shape
                q, k, v = (rearrange(t, "b n (h d) -> b h n d", h=self.heads) for t in (x, x, x))
                out = (q @ k.transpose(-1, -2)).softmax(-1) @ v
                return rearrange(out, "b n h d -> b n (h d)")  # <- NC304
    """,
    "a letter that begins the name of its dim, or has the other case": """
        def heads(q, emb):
            B, heads, H, W, C = q.shape
            e = emb.reshape(H, H, -1, C)
            return torch.einsum("b h x y d, x u v d -> b h x y u v", q, e)

        def windows(x, win):
            B, num_windows, W, C = x.shape
            return torch.einsum("bwnc,ncd->bwnd", x, win)

        def channels(x):
            b, channels, c, t = x.shape
            return rearrange(x, "b c f t -> b t (c f)")

        def rows(x):
            B, rows, X, C = x.shape
            return rearrange(x, "n x r d -> n (x r) d")

        def moved(x):
            b, t, h, d = x.shape
            y = torch.zeros(b, 7 * t, h, d)
            return rearrange(y, "b h n d -> b h (n d)")  # <- NC304

        def moved_among_capitals(x):
            B, T, H, D = x.shape
            y = torch.zeros(B, 7 * T, H, D)
            return rearrange(y, "b h n d -> b h (n d)")  # <- NC304

        def swapped(x):
            B, T, H, D = x.shape
            y = torch.zeros(B, T, D, H)
            return rearrange(y, "b t h d -> b h t d")  # <- NC304
    """,
    "merged and split in another order": """
        def of_two_values(image, mask):
            tokens = rearrange(image, "b h w c -> b (h w) c")
            return tokens, rearrange(mask, "b (w h) -> b w h", h=8)

        def of_one(image):
            tokens = rearrange(image, "b h w c -> b (h w) c")
            tokens = tokens * 2
            return rearrange(tokens, "b (w h) c -> b w h c", h=8)  # <- NC304

        def through_a_list(images):
            parts = []
            for image in images:
                parts.append(rearrange(image, "b h w c -> b (h w) c"))
            return rearrange(torch.cat(parts), "b (w h) c -> b w h c", h=8)  # <- NC304
    """,
    "the letters of an einsum are its own": """
        def double_layer(A, B):
            \"\"\"Contract the physical dims.

            Args:
                A: Tensor of shape (D, D, D, D, d).
            \"\"\"
            D = A.shape[0]
            return torch.einsum("udlrs,UDLRs->uUdDlLrR", B, torch.conj(A))

        def of_two_lengths(x, w):
            rows, n, d = x.shape
            return np.einsum("dnc,dnc->c", x, x) + w[n, d]

        class Gram(nn.Module):
            def __init__(self, d, h):
                super().__init__()
                self.d, self.h = d, h

            def forward(self, x):
                x = x.reshape(self.h, self.d, 7)
                return torch.einsum("dhn,dhn->dh", x, x)

        def chain(C1, T1, T2, C2, ao):
            top = np.einsum("ab,buc,ce->aue", C1, T1, C2)
            row = np.einsum("aue,erg->aurg", top, T2)
            site = np.einsum("aurg,udlr->adlg", row, ao)
            return np.einsum("adlc,cni->adlni", site, T2)

        def rounds(T, n):
            for _ in range(n):
                T = np.einsum("erg,gni->eri", T, T)
            return T
    """,
    "letters of an einsum that are names, or carried on": """
        def all_of_them(x, w):
            b, n, d = x.shape
            return np.einsum("nbd,de->nbe", x, w)  # <- NC304

        def by_the_same_variable(q, k, v):
            weights = torch.einsum("bhqd,bhkd->bhqk", q, k)
            return torch.einsum("bhkq,bhkd->bhqd", weights, v)  # <- NC304

        def by_einops(x, heads: int, w):
            y = rearrange(x, "b n (h d) -> b h n d", h=heads)
            return torch.einsum("bnhd,hde->bnhe", y, w)  # <- NC304

        def named(x):
            b, n, d = x.shape
            return rearrange(x, "b d m -> b m d")  # <- NC304
    """,
    "an unknown value may have a batch of any number": """
        def by_a_letter(d):
            z = rearrange(d["z"], "b n (h k) -> b h n k", h=4)
            return z * torch.zeros(2, 4, 5, 8)

        def by_einsum(load):
            return torch.einsum("b n k, k -> b n", load(), torch.zeros(7)) + torch.ones(3, 8)

        def by_a_name(d):
            b, c = d.z.shape
            return d.z * torch.zeros(5, 8)

        def by_one_name(d):
            z = d["z"]
            b = z.size(0)
            return z.reshape(b, 8) * torch.zeros(5, 8)

        def of_a_parameter(z):
            b = z.shape[0]
            return z.reshape(b, 8) * torch.zeros(5, 8)  # <- NC201
    """,
    "two letters that change places": """
        def by_a_variable(US, V):
            x = torch.einsum("bik,bjl -> bklij", US, V)
            y = x.transpose(1, 2)
            return x - y

        def of_arrays(pairs):
            total = 0
            for a, b in pairs:
                x = np.einsum("pq,rq->pr", a, b)
                total = total + x - x.T
            return total

        def of_names(x):
            B, T, C = x.shape
            y = x.transpose(1, 2)
            return x + y

        class Mixer(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.norm = nn.LayerNorm(dim)
                self.mix = nn.Conv1d(dim, dim, 1)

            def mixed(self, x):
                return self.mix(x.transpose(1, 2))

            def forward(self, x):
                x = self.norm(x)
                B, T, C = x.shape
                y = self.mixed(x)
                return x + y  # <- NC202
    """,
    "a map beside what is square by construction": """
        def axial(x):
            b, h, w, d = x.shape
            q = rearrange(x, "b h w d -> (b h) w d")
            dots = q @ q.transpose(1, 2)
            return dots + x[..., 0].repeat_interleave(h, 0)

        def gram(x):
            rows, cols = x.shape
            return (x @ x.T) * x

        def masked(x):
            b, h, w, d = x.shape
            q = x.reshape(b * h, w, d)
            return (q @ q.mT).masked_fill((x[..., 0] > 0).repeat(h, 1, 1), 0.0)

        def of_a_part(x):
            *_, h, w = x.shape
            y = x.reshape(-1, h, w)
            return y @ y.mT * y

        def of_sizes(x):
            h, w = x.size(0), x.size(1)
            return x @ x.T * x

        def of_a_slice(x):
            h, w = x.shape[-2:]
            return x.mT @ x + x

        def of_two_shapes(x, s):
            (b, n, _), k = x.shape, s.size(-1)
            return s.reshape(b, n, k) / s.new_zeros(b, k, k)  # <- NC201

        def batch(x):
            b, n = x.shape
            return x.T @ x + x  # <- NC201

        def turned(x, y):
            b, h, w = x.shape
            return x + y.new_zeros(b, w, h)  # <- NC202

        def contracted(x, y):
            b, h, w = x.shape
            return (x.mT @ x) @ x  # <- NC203
    """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    analysis, marks = read(PROGRAMS[name])
    above = HEAD.count("\n")
    assert [(f.span.line - above, f.code) for f in analysis.findings] == marks

"""Comments that describe an operation, above a statement that does not have it.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "a product of a later statement": """
        import torch
        from torch import Tensor

        def scores(blocks: Tensor, pos: Tensor, u: int, w: int) -> Tensor:
            b, _, _, n, k = blocks.shape
            # [B, N, U, W, K]
            queries = blocks.permute(0, 3, 1, 2, 4)
            # [B, N, U*W, K] @ [N, K, F] -> [B, N, U*W, F]
            q = queries
            flat = q.reshape(b, n, u * w, k)
            return torch.matmul(flat, pos)

        def attribute(self, x):
            b, t, c = x.shape
            self.x = x.transpose(1, 2)
            # (B, C, T) x (C, D) -> (B, T, D)
            v = self.x
            v = v.transpose(1, 2)
            return v @ self.w

        def prepared(q, k, h):
            b, t, c = q.shape
            d = c // h
            # [B, H, T, D] @ [B, H, D, S] -> [B, H, T, S]
            q = q.view(b, t, h, d)
            qt = q.transpose(1, 2)
            kt = k.view(b, -1, h, d).permute(0, 2, 3, 1)
            return torch.matmul(qt, kt)

        def prepared2(q, k, h):
            b, t, c = q.shape
            # [B, T, C] @ [B, C, S] -> [B, T, S]
            kt = k.transpose(1, 2)
            scores = q @ kt
            return scores

        def matmuls(x, w):
            b, t, c = x.shape
            # matmul: (B, T, C) @ (C, D) -> (B, T, D)
            weight = w.t()
            return x @ weight

        def sum_first(x, w):
            b, t, c = x.shape
            # [B, T, C] @ [C, D] -> [B, T, D]
            mean = x.mean(1)
            out = (x - mean[:, None]) @ w
            return out

        def einsum_words(q, k):
            b, h, t, d = q.shape
            # einsum('bhtd,bhsd->bhts')
            # [B, H, T, D] x [B, H, S, D] -> [B, H, T, S]
            key = k
            return torch.einsum("bhtd,bhsd->bhts", q, key)
        """,
    "a step of a later statement": """
        import torch

        def chain(x):
            b, t, c = x.shape
            # (B, T, C) -> (B, C, T)
            y = x
            z = y.transpose(1, 2)
            return z

        def into(x):
            b, t, c = x.shape
            # reshape to (B*T, C)
            flat = x
            return flat.reshape(b * t, c)

        def arrow(x):
            b, t, c = x.shape
            # -> (B, C, T)
            y = x
            y2 = y.transpose(1, 2)
            return y2

        def alias_tuple(x):
            b, t, c = x.shape
            # (B, T, C) -> (B, C, T)
            y, z = x, x
            return y.transpose(1, 2), z

        def results(x, q, k, w, u, n):
            b, t, c = x.shape
            # (B, C, T)
            y = x.transpose(1, 2)
            # (B, T, C)
            z = y.transpose(1, 2)
            # (B, T, C) -> (B, C, T)
            a = z
            a1 = a.transpose(1, 2)
            # (B, T, C) @ (C, D) -> (B, T, D)
            v = z
            out = torch.matmul(v, w)
            # (B, T, C) @ (C, D) -> (B, T, D)
            s = z.transpose(1, 2)
            out = torch.matmul(s.transpose(1, 2), w)
            # reshape to (B*T, C)
            flat = z
            f2 = flat.reshape(b * t, c)
            # => (B, C, T)
            g = z
            g2 = g.transpose(1, 2)
            # [B, T, C] x [B, C, S] -> [B, T, S]
            keys = k.view(b, -1, c)
            out = z @ keys.transpose(1, 2)
            return a1, out, f2
        """,
    "a statement that contradicts what is above it": """
        import torch

        def results_wrong(x, q, k, w, u, n):
            b, t, c = x.shape
            # (B, C, T)
            y = x.transpose(1, 2)
            # (B, T, C)
            z = y.transpose(1, 2)
            # (B, T, C) -> (B, C, T)
            a = z.transpose(0, 1)  # NC402
            # (B, T, C) @ (B, C, T) -> (B, C, T)
            v = z @ y
            # (B, C, T)
            e = z  # NC402
            return a, v, e
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])

"""Scores scaled by the root of a size that a later product sums over (NC307), and look-alikes.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "the sum is over something else of that size": """
        from torch import nn

        class Attention(nn.Module):
            def __init__(self, dim, heads):
                super().__init__()
                self.heads, self.width = heads, dim // heads
                self.qkv = nn.Linear(dim, 3 * dim)
                self.drop = nn.Dropout(0.1)
                self.proj = nn.Linear(dim, dim)

            def wrong(self, x):
                b, n, c = x.shape
                qkv = self.qkv(x).reshape(b, n, 3, self.heads, self.width)
                q, k, v = qkv.permute(2, 0, 3, 1, 4)
                attn = q @ k.transpose(-1, -2) * q.size(-2) ** -0.5  # NC307
                attn = self.drop(attn.softmax(-1))
                x = (attn @ v).transpose(1, 2).reshape(b, n, c)
                return self.proj(x)

            def right(self, x):
                b, n, c = x.shape
                qkv = self.qkv(x).reshape(b, n, 3, self.heads, self.width)
                q, k, v = qkv.permute(2, 0, 3, 1, 4)
                attn = q @ k.transpose(-1, -2) * q.size(-1) ** -0.5
                attn = self.drop(attn.softmax(-1))
                x = (attn @ v).transpose(1, 2).reshape(b, n, c)
                return self.proj(x)
        """,
    "a mean of the sum that follows": """
        import math
        import torch
        import torch.nn.functional as F

        def at_once(k, v, q):
            b, n, d = k.shape
            v = F.normalize(v.reshape(b, n, d), dim=-1)
            v = v / math.sqrt(n)
            return torch.einsum("bnd,bne->bde", k, v)

        def through_a_list(k, v, q):
            b, n, d = k.shape
            parts = []
            parts.append(F.normalize(v.reshape(b, n, d), dim=-1) / math.sqrt(n))
            return torch.einsum("bnd,bne->bde", k, parts[0])

        def in_a_loop(ks, v):
            b, n, d = v.shape
            out = 0
            w = v
            for k in ks:
                out = out + torch.einsum("bnd,bne->bde", k, w)
                w = F.normalize(v, dim=-1) / math.sqrt(n)
            return out

        def by_an_inner_function(k, v):
            b, n, d = v.shape

            def context():
                return torch.einsum("bnd,bne->bde", k, w)

            w = F.normalize(v, dim=-1) / math.sqrt(n)
            return context()
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])

"""A class tried with its defaults: an argument that was left out may be one that a caller passes.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "a context that defaults to x": """
        from torch import nn

        def exists(value):
            return value is not None

        def default(value, other):
            return value if exists(value) else other

        class Attention(nn.Module):
            def __init__(self, query_dim, heads=8, dim_head=64, ctx_dim=None):
                super().__init__()
                inner = heads * dim_head
                ctx_dim = ctx_dim if ctx_dim is not None else query_dim
                self.to_q = nn.Linear(query_dim, inner)
                self.to_k = nn.Linear(ctx_dim, inner)
                self.to_out = nn.Linear(inner, query_dim)

            def forward(self, x, context=None):
                q = self.to_q(x)
                if context is None:
                    context = x
                return self.to_out(q + self.to_k(context).mean(1, keepdim=True))

        class Ternary(Attention):
            def forward(self, x, context=None):
                kv = x if context is None else context
                return self.to_out(self.to_q(x) + self.to_k(kv).mean(1, keepdim=True))

        class Helper(Attention):
            def forward(self, x, context=None):
                kv = default(context, x)
                return self.to_out(self.to_q(x) + self.to_k(kv).mean(1, keepdim=True))

        class Or(Attention):
            def forward(self, x, context=None):
                if context is not None:
                    kv = context
                else:
                    kv = x
                return self.to_out(self.to_q(x) + self.to_k(kv).mean(1, keepdim=True))

        class Block(nn.Module):
            def __init__(self, kind, dim, heads, dim_head, ctx_dim=None):
                super().__init__()
                self.norm = nn.LayerNorm(dim)
                self.attn1 = Attention(dim, heads, dim_head)
                self.attn2 = Attention(dim, heads, dim_head, ctx_dim)
                self.attn3 = Ternary(dim, heads, dim_head, ctx_dim)
                self.attn4 = Helper(dim, heads, dim_head, ctx_dim)
                self.attn5 = Or(dim, heads, dim_head, ctx_dim)

            def forward(self, x, context=None):
                x = self.attn1(self.norm(x)) + x
                x = self.attn3(self.norm(x), context=context) + x
                x = self.attn4(self.norm(x), context=context) + x
                x = self.attn5(self.norm(x), context=context) + x
                return self.attn2(self.norm(x), context=context) + x

        class Model(nn.Module):
            def __init__(self, heads=16, head_dim=64, n=320, upcast=False, ctx_dim=768):
                super().__init__()
                self.proj = nn.Conv2d(n, heads * head_dim, 1)
                self.blocks = nn.ModuleList(
                    [Block(upcast, heads * head_dim, heads, head_dim, ctx_dim) for _ in [0]]
                )

            def forward(self, x, context=None):
                b, c, h, w = x.shape
                x = self.proj(x).permute(0, 2, 3, 1).flatten(1, 2)
                for block in self.blocks:
                    x = block(x, context=context)
                return x
        """,
    "a call that leaves the context out itself": """
        from torch import nn

        class Attention(nn.Module):
            def __init__(self, query_dim, heads=8, dim_head=64, ctx_dim=None):
                super().__init__()
                inner = heads * dim_head
                ctx_dim = ctx_dim if ctx_dim is not None else query_dim
                self.to_q = nn.Linear(query_dim, inner)
                self.to_k = nn.Linear(ctx_dim, inner)
                self.to_out = nn.Linear(inner, query_dim)

            def forward(self, x, context=None):
                q = self.to_q(x)
                if context is None:
                    context = x
                return self.to_out(q + self.to_k(context).mean(1, keepdim=True))  # NC208

        class Wrong(nn.Module):
            def __init__(self, heads=16, head_dim=64, n=320, dropout=0.0, mask=None, ctx_dim=768):
                super().__init__()
                self.proj = nn.Conv2d(n, heads * head_dim, 1)
                self.flag = mask is None
                if dropout == 0.0:
                    self.block = Attention(heads * head_dim, heads, head_dim, ctx_dim)

            def forward(self, x, context=None):
                x = self.proj(x).permute(0, 2, 3, 1).flatten(1, 2)
                return self.block(x)
        """,
    "positions of a context that defaults to x": """
        import torch
        from torch import nn
        from einops import rearrange

        def exists(value):
            return value is not None

        def default(value, other):
            return value if exists(value) else other

        def linear_attention(q, k, v):
            context = torch.einsum('...nd,...ne->...de', k, v)
            return torch.einsum('...de,...nd->...ne', context, q)

        def swapped(q, k, v):
            context = torch.einsum('...dn,...ne->...de', k, v)  # NC203
            return torch.einsum('...de,...nd->...ne', context, q)

        class Right(nn.Module):
            def __init__(self, dim, heads=8, dim_head=64):
                super().__init__()
                self.heads = heads
                self.to_q = nn.Linear(dim, heads * dim_head)
                self.to_k = nn.Linear(dim, heads * dim_head)
                self.to_v = nn.Linear(dim, heads * dim_head)

            def forward(self, x, context=None):
                b, n, _, h = *x.shape, self.heads
                context = default(context, x)
                q, k, v = self.to_q(x), self.to_k(context), self.to_v(context)
                q, k, v = map(lambda t: rearrange(t, 'b n (h d) -> b h n d', h=h), (q, k, v))
                return linear_attention(q, k, v)

        class Wrong(Right):
            def forward(self, x, context=None):
                b, n, _, h = *x.shape, self.heads
                context = default(context, x)
                q, k, v = self.to_q(x), self.to_k(context), self.to_v(context)
                q, k, v = map(lambda t: rearrange(t, 'b n (h d) -> b h n d', h=h), (q, k, v))
                return swapped(q, k, v)

        class Pooled(nn.Module):
            def __init__(self, dim, tokens=4):
                super().__init__()
                self.mix = nn.Linear(tokens, tokens)

            def forward(self, x, memory=None):
                b, n, c = x.shape
                memory = x if memory is None else memory
                mixed = self.mix(memory.transpose(1, 2)).transpose(1, 2)
                return x @ mixed.transpose(1, 2), memory.view(b, -1, c)
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])

# NC208: a context that defaults to x only if it is left out, in an attention built for another width; seen in diffsynth stable_diffusion_unet.py
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
        return self.to_out(q + self.to_k(context).mean(1, keepdim=True))


class Block(nn.Module):
    def __init__(self, dim, heads, dim_head, upcast=False, ctx_dim=None):
        super().__init__()
        self.attn1 = Attention(dim, heads, dim_head)
        self.attn2 = Attention(dim, heads, dim_head, ctx_dim)

    def forward(self, x, context=None):
        x = self.attn1(x) + x
        return self.attn2(x, context=context) + x


class Model(nn.Module):
    def __init__(self, heads=16, head_dim=64, in_channels=320, layers=1, upcast=False, ctx_dim=768):
        super().__init__()
        self.proj = nn.Conv2d(in_channels, heads * head_dim, 1)
        self.blocks = nn.ModuleList(
            [Block(heads * head_dim, heads, head_dim, upcast, ctx_dim=ctx_dim) for _ in range(layers)]
        )

    def forward(self, x, context=None):
        x = self.proj(x).permute(0, 2, 3, 1).flatten(1, 2)
        for block in self.blocks:
            x = block(x, context=context)
        return x

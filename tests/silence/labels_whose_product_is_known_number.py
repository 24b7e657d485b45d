# NC204: nh and dh of a comment name n_heads and dim // n_heads, so their product is dim; seen in soonet/blocks.py
import torch
import torch.nn as nn

class MHA(nn.Module):
    def __init__(self, dim, n_heads):
        super().__init__()
        self.dim, self.n_heads, self.head_dim = dim, n_heads, dim // n_heads
        self.to_v = nn.Linear(dim, dim)

    def split(self, x):
        x = x.view(*(x.size()[:-1] + (self.n_heads, self.head_dim)))
        return x.permute(0, 2, 1, 3)  # (N, nh, L, dh)

    def forward(self, q, v):
        q, v = self.split(self.to_v(q)), self.split(self.to_v(v))
        att = torch.matmul(q, v.transpose(-1, -2))  # (N, nh, Lq, L)
        ctx = torch.matmul(att, v)  # (N, nh, Lq, dh)
        ctx = ctx.permute(0, 2, 1, 3).contiguous()  # (N, Lq, nh, dh)
        return ctx.view(*(ctx.size()[:-2] + (self.dim,)))  # (N, Lq, D)

class V2V(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = MHA(dim=512, n_heads=8)

    def forward(self, x):
        return self.encoder(q=x, v=x)

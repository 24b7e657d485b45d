import torch
from torch import nn


class Att(nn.Module):
    def __init__(self, heads, hd):
        super().__init__()
        self.heads, self.hd = heads, hd
        self.proj = nn.Linear(heads * hd, heads * hd)

    def energy(self, query, key):
        n, bsz, _ = query.size()
        q = self.proj(query).view(n, bsz * self.heads, self.hd).transpose(0, 1)
        n, bsz, _ = key.size()
        k = self.proj(key).view(n, bsz * self.heads, self.hd).transpose(0, 1)
        return torch.bmm(q, k.transpose(1, 2))

    def infer(self, query, key):
        if query.size(1) != 1:
            raise RuntimeError("no batch decoding")
        return self.energy(query, key)

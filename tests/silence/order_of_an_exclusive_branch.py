# NC304: an exclusive branch splits with the same letters in another order; seen in zetascale 2.8.8
import torch
import torch.nn.functional as F
from einops import rearrange

def butterfly(x, w1, w2, version=2):
    batch, n = x.shape
    k, q, p = w1.shape
    l, s, r = w2.shape
    assert k * p == n
    assert l * r == k * q
    if version == 2:
        out1 = F.linear(x, w1[0])
        out1 = rearrange(out1, "b (r l) -> b l r", l=l)
        return torch.einsum("lsr,blr->bsl", w2, out1).reshape(batch, s * l)
    out1 = F.linear(x, torch.block_diag(*torch.unbind(w1, dim=0)))
    out1 = rearrange(out1, "b (r l) -> b (l r)", l=l)
    return F.linear(out1, torch.block_diag(*torch.unbind(w2, dim=0)))

# NC206: there may be as many keys as queries; seen in kosmos attend.py
from einops import rearrange

def flash(q, k):
    batch, heads, q_len, _, k_len = *q.shape, k.shape[-2]
    if k.ndim == 3:
        k = rearrange(k, 'b ... -> b 1 ...').expand_as(q)
    return q @ k.transpose(-1, -2)

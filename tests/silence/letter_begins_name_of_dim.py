import torch


def scores(q, emb):
    B, heads, H, W, C = q.shape
    e = emb.reshape(H, H, -1, C)
    return torch.einsum('b h x y d, x u v d -> b h x y u v', q, e)

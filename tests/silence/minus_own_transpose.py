# NC202: x - x.transpose(i, j) through a variable: the two dims are one size by construction (antisymmetric part), whatever letters an einsum gave them; seen in roma mappings.py
import torch


def omega(u, v, d):
    uv = torch.einsum("bik,bjl->bklij", u, v)
    vu = uv.transpose(1, 2)
    return (uv - vu) / (d[:, None, :, None, None] + d[:, :, None, None, None])

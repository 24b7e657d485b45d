# NC202: the comment `A @ B -> C` on the closing bracket of `.squeeze(3)` spells the inner product, not the value assigned; seen in bitnet bit_mamba.py
import torch

def scan(f, C, x):
    # C : (B, L, N)
    # x : (B, L, ED)
    hs = f(C, x)
    y = (hs @ C.unsqueeze(-1)).squeeze(
        3
    )  # (B, L, ED, N) @ (B, L, N, 1) -> (B, L, ED, 1)
    return y + x

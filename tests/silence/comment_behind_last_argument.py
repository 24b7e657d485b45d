# NC402: each line of a call has the shape of its argument beside it, the last one too; seen in oflibpytorch utils.py
import torch


def apply(matrix, grid):
    out = torch.matmul(matrix.unsqueeze(1).unsqueeze(1),    # [N, 1, 1, 3, 3]
                       grid.unsqueeze(-1))                  # [   H, W, 3, 1]
    out = out.squeeze(-1)                                   # [N, H, W, 3]
    return out

# NC402: `# (B, topk, 3) (x, y, h)`: the second bracket names the entries of the last dim, not a second shape; seen in modelscope math_utils.py
import torch

def back(homo, left):
    """
    homo: (B, 3, 3)
    left: (B, 3, topk)
    """
    right = torch.matmul(homo, left)  # (B, 3, topk) (x, y, h)
    right = right.permute(0, 2, 1)  # (B, topk, 3) (x, y, h)
    return right

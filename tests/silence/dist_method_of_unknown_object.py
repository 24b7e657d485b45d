# NC303: a method named dist of an unknown object is taken for torch.Tensor.dist; seen in ImmuneBuilder models.py
import torch

def f(a, b, n):
    pos = torch.zeros(n, n, 7)
    return torch.cat([a.dist(b).unsqueeze(-1), pos], dim=-1)

# NC402: `# (b, n, d) -> (b*n, d)`: the left side is the value made here, the right side that of the next line; seen in equiadapt networks.py
import torch


def graph(x: torch.Tensor):
    b, d, n = x.size()
    y = x.transpose(2, 1).contiguous()  # (b, n, d) -> (b*n, d)
    return y.view(b * n, d)

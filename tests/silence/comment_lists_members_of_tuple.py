# NC301: `# cache : (h, inputs)` lists the two members of a tuple, not two dims; seen in bitnet bit_mamba.py
import torch

def step(x, cache):
    # x : (B, D)
    # cache : (h, inputs)
    # h : (B, D, N)
    # inputs : (B, D, K)
    h, inputs = cache
    return h + 1, torch.cat([inputs[:, :, 1:], x.unsqueeze(2)], dim=2)

"""Linear and full attention with their shapes in docstrings, for long and for short sequences."""

import torch

FILE = "kornia-0.9.0/kornia/feature/loftr/loftr_module/linear_attention.py"


def run(module):
    outputs = []
    for length, other in ((13, 17), (13, 53)):
        queries = torch.randn(2, length, 3, 7)
        keys = torch.randn(2, other, 3, 7)
        values = torch.randn(2, other, 3, 11)
        query_mask = torch.arange(length).expand(2, -1) < length - 2
        key_mask = torch.arange(other).expand(2, -1) < other - 2
        for attention in (module.LinearAttention(), module.FullAttention()):
            outputs.append(attention(queries, keys, values))
            outputs.append(attention(queries, keys, values, query_mask, key_mask))
    return outputs

"""Attention of many heads: shared keys, masks of both kinds, caches, norms, other sources."""

import torch
from _lib import bypass

FILE = "spartan_torch-0.0.1/spartan_torch/transformers/attention/mha.py"
MODULE = "spartan_torch.transformers.attention.mha"


def setup():
    bypass("spartan_torch", "spartan_torch-0.0.1/spartan_torch")
    bypass("spartan_torch.transformers", "spartan_torch-0.0.1/spartan_torch/transformers")
    bypass(
        "spartan_torch.transformers.attention",
        "spartan_torch-0.0.1/spartan_torch/transformers/attention",
    )


def shift(q, k, q_positions, k_positions):
    return q + q_positions[:, None] / 7, k + k_positions[:, None] / 7


def run(module):
    x, source, query = torch.randn(2, 11, 13), torch.randn(2, 7, 13), torch.randn(2, 5, 17)
    plain = module.MultiHeadAttention(13, 5, 3, 19)
    causal = module.MultiHeadAttention(
        13, 4, 6, 13, num_kv_heads=2, is_causal=True, qk_mod=shift, qkv_norm=True
    )
    fused = module.MultiHeadAttention(13, 4, 6, 7, num_kv_heads=3, use_sdpa=True, is_causal=True)
    cross = module.MultiHeadAttention(
        13, 5, 2, 11, query_in_size=17, attn_p=0.1, use_sdpa=True, qkv_bias=True, out_bias=False
    )
    dropped = module.MultiHeadAttention(13, 5, 3, 11, attn_p=0.2)
    hidden, weights = torch.rand(11, 11) > 0.7, torch.randn(11, 11)
    outputs = []
    for layer in (plain, causal, fused):
        out, (keys, values) = layer(x, x, x)
        outputs += [out, keys, values, layer(x, x, x, mask=hidden)[0]]
        outputs.append(layer(x, x, x, mask=weights)[0])
        first, cache = layer(x[:, :8], x[:, :8], x[:, :8])
        step, _ = layer(x[:, 8:], x[:, 8:], x[:, 8:], past_key_value=cache)
        outputs += [first, step]
    blocked = torch.rand(5, 7) > 0.7
    outputs += [cross(query, source, source)[0], cross.eval()(query, source, source, blocked)[0]]
    return [*outputs, dropped(x, x, x)[0], dropped.eval()(x, source, source)[0]]

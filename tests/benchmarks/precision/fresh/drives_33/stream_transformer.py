"""A block of Llama: attention with shared keys, rotations, a cache that is filled step by step."""

import torch
from _lib import bypass

FILE = "stream_transformer-0.2.2/stream_transformer/models/llama.py"
MODULE = "stream_transformer.models.llama"


def setup():
    bypass("stream_transformer", "stream_transformer-0.2.2/stream_transformer")
    bypass("stream_transformer.models", "stream_transformer-0.2.2/stream_transformer/models")


def run(module):
    x = torch.randn(2, 7, 11)
    block = module.LlamaDecoderBlock(11, n_heads=6, n_kv_heads=3, head_dim=10, hidden_dim=17)
    plain = module.LlamaAttention(11, 5, 5, 4)
    angles = torch.arange(7)[:, None] / torch.arange(1, 6)
    cos, sin = angles.cos().repeat(1, 2), angles.sin().repeat(1, 2)
    cache = module.StreamKVCache(2)
    prefix = block(x[:, :5], 1, cache, cos[:5], sin[:5])
    cache.update_seen_tokens(5)
    step = block(x[:, 5:6], 1, cache, cos[5:6], sin[5:6])
    return (
        block(x, cos=cos, sin=sin),
        plain(x),
        prefix,
        step,
        cache.k_cache[1],
        module.LlamaMLP(11, 13)(x),
        module.RMSNorm(11)(x),
        module.apply_rotary_pos_emb(torch.randn(2, 3, 7, 10), cos, sin),
    )

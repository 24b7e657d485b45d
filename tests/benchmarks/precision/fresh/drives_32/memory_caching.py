"""Attention by memories of segments that are kept: every way to join them, masks, caches."""

import torch
from _lib import bypass

FILE = "memory_caching-0.1.0/memory_caching/layer.py"
MODULE = "memory_caching.layer"


def setup():
    bypass("memory_caching", "memory_caching-0.1.0/memory_caching")


def run(module):
    from memory_caching.backends import DLABackend, LinearMemoryBackend
    from memory_caching.config import DLAConfig

    x = torch.randn(2, 11, 15)
    mask = torch.ones(2, 11)
    mask[0, 7:], mask[1, 9:] = 0, 0
    deep = DLABackend(DLAConfig(memory_width=7))
    outputs = []
    for backend, options in (
        (LinearMemoryBackend(), {"aggregation": "residual", "segment_size": 4}),
        (LinearMemoryBackend(), {"aggregation": "grm", "segmentation": "logarithmic"}),
        (LinearMemoryBackend(), {"aggregation": "soup", "segment_size": 4, "use_q_as_u": False}),
        (deep, {"aggregation": "ssc", "ssc_top_k": 2, "softmax_temperature": 0.7}),
        (deep, {"aggregation": "soup", "state_init_mode": "restart"}),
    ):
        config = module.MCConfig(d_model=15, num_heads=3, **options)
        layer = module.MemoryCachingLayer(config=config, backend=backend)
        outputs.append(layer(x))
        outputs.append(layer(x, attention_mask=mask, segment_lengths=[3, 2, 6]))
        joined, cache = layer.forward_with_cache(x, segment_lengths=[4, 7])
        outputs += [joined, [part.seg_context for part in cache], cache[0].seg_len]
        outputs += layer.inspect(x, attention_mask=mask, segment_lengths=[5, 6])
    return outputs

"""Keys and values projected along the sequence; a sequence shorter than the longest."""

import torch
from _lib import path

FILE = "linformer-0.2.3/linformer/linformer.py"


def setup():
    path("linformer-0.2.3")


def run(module):
    model = module.LinformerLM(
        num_tokens=43, dim=26, seq_len=17, depth=2, k=11, heads=2, one_kv_head=True
    ).eval()
    attention = module.LinformerSelfAttention(26, 17, k=11, heads=2, dim_head=7).eval()
    tokens = torch.arange(3 * 13).reshape(3, 13) % 43
    return model(tokens), attention(torch.randn(3, 13, 26), context=torch.randn(3, 17, 26))

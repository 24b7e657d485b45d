"""A decoder with rotary positions and memory tokens, an encoder with T5 bias, one with alibi."""

import torch
from _lib import bypass, stub

FILE = "x_transformers-2.31.10/x_transformers/x_transformers.py"


def setup():
    stub("loguru")
    bypass("x_transformers", "x_transformers-2.31.10/x_transformers")


def run(module):
    tokens = torch.arange(2 * 13).reshape(2, 13) % 43
    mask = torch.arange(13).expand(2, -1) < 11
    decoder = module.TransformerWrapper(
        num_tokens=43,
        max_seq_len=17,
        num_memory_tokens=3,
        attn_layers=module.Decoder(
            dim=34,
            depth=2,
            heads=4,
            attn_dim_head=22,
            attn_kv_heads=2,
            rotary_pos_emb=True,
            ff_glu=True,
            attn_pre_talking_heads=True,
            use_rmsnorm=True,
        ),
    ).eval()
    encoder = module.TransformerWrapper(
        num_tokens=43,
        max_seq_len=17,
        attn_layers=module.Encoder(
            dim=34,
            depth=1,
            heads=5,
            attn_dim_head=14,
            rel_pos_bias=True,
            attn_gate_values=True,
            attn_qk_norm=True,
            shift_tokens=1,
        ),
    ).eval()
    alibi = module.Encoder(dim=34, depth=1, heads=3, attn_dim_head=7, alibi_pos_bias=True).eval()
    return (
        decoder(tokens, mask=mask),
        encoder(tokens, mask=mask, return_embeddings=True),
        alibi(torch.randn(2, 13, 34), mask=mask),
    )

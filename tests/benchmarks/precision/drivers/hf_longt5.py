"""Attention over local blocks and over block sums; a decoder that attends to the encoder."""

import importlib

import torch
from _lib import path

FILE = "transformers-5.23.0/transformers/models/longt5/modeling_longt5.py"
MODULE = "transformers.models.longt5.modeling_longt5"


def setup():
    path("transformers-5.23.0")
    importlib.import_module(MODULE)


def run(module):
    tokens = 2 + torch.arange(3 * 23).reshape(3, 23) % 40
    mask = (torch.arange(23).expand(3, -1) < 19).long()
    outputs = []
    for kind in ("local", "transient-global"):
        config = module.LongT5Config(
            vocab_size=43,
            d_model=22,
            d_kv=7,
            d_ff=37,
            num_layers=2,
            num_heads=3,
            local_radius=4,
            global_block_size=4,
            relative_attention_num_buckets=10,
            encoder_attention_type=kind,
            feed_forward_proj="gated-gelu" if kind == "local" else "relu",
            attn_implementation="eager",
        )
        model = module.LongT5ForConditionalGeneration(config).eval()
        result = model(tokens, mask, decoder_input_ids=tokens[:, :13], use_cache=False)
        outputs.append((result.logits, result.encoder_last_hidden_state))
    return outputs

"""The state-space recurrence in plain torch: a sequence by chunks, then a token from the cache."""

import importlib

import torch
from _lib import path

FILE = "transformers-5.23.0/transformers/models/mamba2/modeling_mamba2.py"
MODULE = "transformers.models.mamba2.modeling_mamba2"


def setup():
    path("transformers-5.23.0")
    importlib.import_module(MODULE)


def run(module):
    config = module.Mamba2Config(
        num_heads=6,
        head_dim=7,
        vocab_size=43,
        hidden_size=21,
        state_size=11,
        num_hidden_layers=2,
        expand=2,
        conv_kernel=4,
        n_groups=2,
        chunk_size=5,
        tie_word_embeddings=False,
    )
    model = module.Mamba2ForCausalLM(config).eval()
    tokens = torch.arange(3 * 13).reshape(3, 13) % 43
    first = model(tokens, use_cache=True)
    second = model(tokens[:, :1], cache_params=first.cache_params, use_cache=True)
    return first.logits, second.logits, model(tokens, labels=tokens).loss

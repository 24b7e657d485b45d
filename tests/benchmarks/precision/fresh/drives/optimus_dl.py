"""Blocks of a decoder with rotary positions: every feedforward, groups of heads, lengths."""

import importlib

import torch
from _lib import bypass, stub

FILE = "optimus_dl-0.2.6/optimus_dl/modules/model/blocks/transformer.py"
MODULE = "optimus_dl.modules.model.blocks.transformer"


def setup():
    for name in ("colorlog", "tqdm", "rich.console", "rich.logging", "omegaconf"):
        stub(name)
    folder = "optimus_dl-0.2.6"
    for name in ("", ".core", ".modules", ".modules.model", ".modules.model.blocks"):
        bypass(f"optimus_dl{name}", f"{folder}/optimus_dl{name.replace('.', '/')}")
    stub("optimus_dl.core.log")
    importlib.import_module("optimus_dl.modules.model.blocks.rope")


def run(module):
    angles = torch.randn(17, 7)
    frequencies = torch.stack([angles.cos(), angles.sin()], dim=-1)
    x = torch.randn(3, 13, 20)
    outputs = []
    for kind in ("swiglu", "relu2", "gelu"):
        block = module.RotaryTransformerBlock(
            n_embd=20,
            n_head=4,
            n_kv_head=2,
            head_dim=14,
            mlp_type=kind,
            intermediate_size=37,
            attention_bias=True,
            use_qk_norm=True,
            qk_norm_per_head=kind != "gelu",
        ).eval()
        outputs.append(block(x=x, freqs_cis=frequencies))
    lengths = torch.tensor([13, 11, 5])
    return [*outputs, block(x=x, freqs_cis=frequencies, seq_lens=lengths)]

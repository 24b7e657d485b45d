"""Random features, causal and not, with rotary and with learned positions."""

import os
import sys

import torch
from _lib import ROOT, stub

FILE = "performer_pytorch-1.1.4/performer_pytorch/performer_pytorch.py"


def setup():
    for name in ("local_attention", "axial_positional_embedding", "performer_pytorch"):
        stub(name)
    package = os.path.join(ROOT, "performer_pytorch-1.1.4", "performer_pytorch")
    sys.modules["performer_pytorch"].__path__ = [package]


def run(module):
    outputs = []
    for causal in (False, True):
        for generalized in (False, True):
            model = module.PerformerLM(
                num_tokens=43,
                max_seq_len=17,
                dim=34,
                depth=1,
                heads=2,
                dim_head=14,
                nb_features=19,
                causal=causal,
                generalized_attention=generalized,
                ff_glu=causal,
                use_scalenorm=causal,
                shift_tokens=generalized,
                rotary_position_emb=not generalized,
            ).eval()
            for part in model.modules():
                if isinstance(part, module.FastAttention) and causal:
                    part.causal_linear_fn = module.causal_linear_attention_noncuda
            tokens = torch.arange(2 * 13).reshape(2, 13) % 43
            outputs.append(model(tokens, mask=torch.arange(13).expand(2, -1) < 11))
    return outputs

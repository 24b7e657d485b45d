"""Maps conditioned on a vector or on coarser maps: scaled, concatenated, by attention."""

import torch
from _lib import bypass

FILE = "earthnet_models_pytorch-0.1.1/earthnet_models_pytorch/model/conditioning_layer.py"
MODULE = "earthnet_models_pytorch.model.conditioning_layer"


def setup():
    folder = "earthnet_models_pytorch-0.1.1/earthnet_models_pytorch"
    bypass("earthnet_models_pytorch", folder)
    bypass("earthnet_models_pytorch.model", f"{folder}/model")


def run(module):
    x = torch.randn(2, 22, 13, 17)
    layers = [
        module.FiLM(6, 7, 22),
        module.FiLMBlock(6, 7, 22),
        module.FiLMBlock(6, 7, 22, norm="batch", act="gelu"),
        module.FiLMBlock(6, 7, 22, norm="none", act="tanh"),
        module.Cat_Conditioning(),
        module.Cat_Project_Conditioning(22, 6),
        module.Cat_Project_Conditioning(22, 6, out_channels=11),
        module.Identity_Conditioning(),
        module.CrossAttention_Conditioning(22, 6, n_tokens_c=3, hidden_dim=5, n_heads=2),
        module.CrossAttention_Conditioning(22, 6, 2, 5, 4, norm="none", mlp_after_attn=True),
        module.CrossAttention_Conditioning(22, 6, 2, 5, 4, act="relu", mlp_after_attn=True),
    ]
    outputs = []
    for condition in (torch.randn(2, 6), torch.randn(2, 6, 5, 7), torch.randn(2, 6, 13, 17)):
        outputs += [layer.eval()(x, condition) for layer in layers]
    return outputs

"""Low-rank adapters of convolutions of every kind, switched on and off, and merged."""

import torch

FILE = "dante_trainer-1.0.3b3/dante/models/lora/layers.py"


def adapted(layer, x):
    torch.nn.init.normal_(layer.delta_weight_B)
    plain = layer(x)
    layer.enable_adapter()
    return plain, layer(x), layer._get_merged_modules().weight, repr(layer)


def run(module):
    flat, volume = torch.randn(2, 5, 17, 19), torch.randn(2, 5, 11, 13, 17)
    outputs = []
    for rank_for in ("kernel", "channels"):
        settings = {"rank": 2, "alpha": 3.0, "rank_for": rank_for}
        convolution = torch.nn.Conv2d(5, 7, (3, 4))
        outputs += adapted(module.LoRA2dConvLayer(convolution, settings), flat)
        convolution = torch.nn.Conv3d(5, 7, (2, 3, 4))
        outputs += adapted(module.LoRA3dConvLayer(convolution, settings), volume)
    settings = {"rank": 3, "alpha": 2.0, "rank_for": "channels"}
    for convolution, x in (
        (torch.nn.Conv1d(5, 7, 3, stride=2), torch.randn(2, 5, 23)),
        (torch.nn.Conv2d(5, 7, (3, 4), padding=1), flat),
        (torch.nn.Conv3d(5, 7, (2, 3, 4), bias=False), volume),
        (torch.nn.ConvTranspose1d(5, 7, 3, stride=2), torch.randn(2, 5, 23)),
        (torch.nn.ConvTranspose2d(5, 7, (3, 4)), flat),
    ):
        layer = module.LoRANdConvLayer(convolution, settings)
        outputs += adapted(layer, x)
        merged = layer._get_merged_modules()
        layer.disable_adapter()
        outputs += [merged(x), layer(x), layer._get_merged_modules()(x)]
    return outputs

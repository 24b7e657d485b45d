"""Transfer of style: an encoder, residual blocks and a decoder."""

import torch

FILE = "torch_template-0.0.4/torch_template/model_zoo/transform_net.py"


def run(module):
    images = torch.randn(2, 5, 28, 36)
    model = module.TransformNet(in_channel=5, out_channel=7).eval()
    default = module.TransformNet().eval()
    layer = module.ConvLayer(5, 11, kernel_size=5, stride=3)
    upsample = module.UpsampleConvLayer(5, 13, kernel_size=3, stride=2, upsample=3)
    return (
        model(images),
        default(torch.randn(1, 3, 20, 24)),
        layer(images),
        upsample(images),
        module.ResidualBlock(5)(images),
    )

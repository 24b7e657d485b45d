"""Generators and discriminators with self attention and spectral norms, of two image sizes."""

import torch

FILE = "pclp-0.1.0/pclp/cpg/sagan.py"


def run(module):
    small = module.Generator(11, conv_dim=3, image_size=64, out_channels=5).eval()
    large = module.Generator(13, conv_dim=2, image_size=128, add_noise=False).eval()
    judge = module.Discriminator(7, image_size=64, in_channels=5, out_feature=True).eval()
    wide = module.Discriminator(4, image_size=128, out_channels=17).eval()
    return (
        judge(small(torch.randn(2, 11))),
        wide(large(torch.randn(2, 13))),
        module.Discriminator_MLP(19, 23).eval()(torch.randn(3, 19)),
        module.DisFinalBlock(7).eval()(torch.randn(2, 7, 4, 4)),
        module.DiscOptBlock(5, 7).eval()(torch.randn(2, 5, 6, 10)),
        module.DCDiscriminator(conv_dim=3, image_channel=5).eval()(torch.randn(2, 5, 32, 32)),
    )

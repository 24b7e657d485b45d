"""A slim convolutional network; five poolings leave two pixels of 64 by 32."""

import torch

FILE = "SimpleNetMNIST-1.0.4/SimpleNetMNIST/simpnet.py"


def run(module):
    model = module.SimpnetSlim310K(in_channels=3, out_features=11, ip_features=2 * 64).eval()
    block = module.SimpnetBlock(5, 13, weight_filler_type="gaussian").eval()
    head = module.SimpnetCCCP(13, 17, kernel_size=3, padding=1).eval()
    return model(torch.randn(2, 3, 64, 32)), head(block(torch.randn(2, 5, 7, 19)))

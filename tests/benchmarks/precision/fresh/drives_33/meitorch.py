"""A network of convolutions that draws images from a learned distribution."""

import torch

FILE = "meitorch-0.223/meitorch/tools/generator_nn.py"


def run(module):
    normal = module.GenerativeConvNet([3, 11, 7], (3, 13, 17), 5)
    laplace = module.GenerativeConvNet(
        [2, 5], [2, 19, 11], 3, torch.nn.Tanh(), trainable_input=True, distribution_base="laplace"
    )
    return normal(5), laplace(4)

"""Convolutions over observations, with linear layers behind them."""

import torch
from _lib import bypass

FILE = "harl_aht-0.1.0/harl/models/base/cnn.py"
MODULE = "harl.models.base.cnn"


def setup():
    bypass("harl", "harl_aht-0.1.0/harl")
    bypass("harl.utils", "harl_aht-0.1.0/harl/utils")
    bypass("harl.models", "harl_aht-0.1.0/harl/models")
    bypass("harl.models.base", "harl_aht-0.1.0/harl/models/base")


def run(module):
    args = {
        "initialization_method": "orthogonal_",
        "activation_func": "relu",
        "hidden_sizes": [10, 13, 7],
    }
    base = module.CNNBase(args, (3, 11, 17))
    layer = module.CNNLayer((2, 9, 14), [22], "xavier_uniform_", "tanh", kernel_size=5)
    return base(torch.rand(4, 3, 11, 17) * 255), layer(torch.rand(3, 2, 9, 14) * 255)

"""A recurrent network of convolutions over bins."""

import torch

FILE = "PyTorch_CQRN-0.1.2/torchcqrn/cqrn.py"


def run(module):
    results = []
    for window in (1, 2, 3):
        layers = [
            module.CQRNLayer(3, 5, window=window, kernel_size=[window, 3]),
            module.CQRNLayer(5, 5, window=window, kernel_size=[window, 3]),
        ]
        model = module.CQRN(3, 5, num_layers=2, layers=layers).eval()
        results.append(model(torch.randn(7, 2, 3, 11)))
    return results

"""A recurrent cell with a memory of fast weights."""

import torch

FILE = "dpfp-pytorch-0.3.0/dpfp_pytorch/dpfp.py"


def run(module):
    cell = module.DPFPCell(7, nu=2)
    memory, outputs = torch.zeros(3, 28, 28), []
    for x in torch.randn(4, 3, 7):
        output, memory = cell(x, memory)
        outputs.append(output)
    return outputs, memory, module.dpfp(torch.randn(3, 7), nu=2)

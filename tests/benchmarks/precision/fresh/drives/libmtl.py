"""Shared and specific experts of two tasks, mixed by gates at every depth of the encoder."""

import torch
from _lib import bypass

FILE = "LibMTL-1.1.5/LibMTL/architecture/PLE.py"
MODULE = "LibMTL.architecture.PLE"


def setup():
    bypass("LibMTL", "LibMTL-1.1.5/LibMTL")
    bypass("LibMTL.architecture", "LibMTL-1.1.5/LibMTL/architecture")


class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(3, 5, 3)
        self.bn1 = torch.nn.BatchNorm2d(5)
        self.relu = torch.nn.ReLU()
        self.maxpool = torch.nn.MaxPool2d(2)
        self.layer1 = torch.nn.Conv2d(5, 7, 3)
        self.layer2 = torch.nn.Conv2d(7, 11, 3, padding=1)
        self.layer3 = torch.nn.Conv2d(11, 13, 1)
        self.layer4 = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(13 * 5 * 8, 17))


def run(module):
    decoders = torch.nn.ModuleDict(
        {"depth": torch.nn.Linear(17, 19), "edges": torch.nn.Linear(17, 2)}
    )
    images = torch.randn(2, 3, 16, 22)
    outputs = []
    for rep_grad, multi_input in ((False, False), (True, True)):
        model = module.PLE(
            ["depth", "edges"],
            Encoder,
            decoders,
            rep_grad,
            multi_input,
            torch.device("cpu"),
            img_size=[3, 16, 22],
            num_experts=[2, 1, 3],
        ).eval()
        outputs.append(model(images, "edges" if multi_input else None))
    return outputs

"""A residual network with early exits: every head's logits, and one that is routed."""

import torch
from _lib import bypass

FILE = "earlyon-0.3.0/earlyon/models/cifar_resnet_ee.py"
MODULE = "earlyon.models.cifar_resnet_ee"


def setup():
    bypass("earlyon", "earlyon-0.3.0/earlyon")
    bypass("earlyon.core", "earlyon-0.3.0/earlyon/core")
    bypass("earlyon.models", "earlyon-0.3.0/earlyon/models")


def run(module):
    model = module.cifar_resnet_ee(num_classes=7, depth=14).eval()
    images = torch.randn(2, 3, 28, 36)
    routed = model(images[:1], mode="inference")
    backbone = module.CifarResNet(n=1, num_classes=11).eval()
    return model(images, mode="training"), routed.exit_taken, backbone(images)

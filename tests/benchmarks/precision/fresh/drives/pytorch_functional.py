"""Models that are written as expressions of symbolic inputs: layers, operators, two inputs."""

import torch
from _lib import bypass

FILE = "pytorch_functional-0.1.0/pytorch_functional/src/functional_model.py"
MODULE = "pytorch_functional.src.functional_model"


def setup():
    bypass("pytorch_functional", "pytorch_functional-0.1.0/pytorch_functional")
    bypass("pytorch_functional.src", "pytorch_functional-0.1.0/pytorch_functional/src")


def run(module):
    image = module.Input((3, 11, 13))
    x = image(torch.nn.Conv2d(image.channels, 5, 3))
    y = abs(x) + x * x - 0.5 / (x**2 + 1.0)
    y = y(torch.nn.Flatten())
    scores = y(torch.nn.Linear(y.features, 7))
    classifier = module.FunctionalModel(image, scores)

    left, right = module.Input((5, 7), _batch_size=2), module.Input((7, 3), _batch_size=2)
    product = left @ right
    scaled = -product @ torch.randn(3, 17)
    model = module.FunctionalModel((left, right), (product, scaled))
    return (
        classifier(torch.randn(2, 3, 11, 13)),
        model((torch.randn(2, 5, 7), torch.randn(2, 7, 3))),
        (image.H, image.W, x.shape, x.numel),
        (model.input_shape, model.output_shape),
    )

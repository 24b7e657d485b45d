"""Linear layers over blocks of values, with biases for the invariant blocks alone."""

import sys

import numpy as np
import torch
from _lib import bypass

FILE = "metatensor_learn-0.6.2/metatensor_learn/nn/_linear.py"
MODULE = "metatensor_learn.nn._linear"


def setup():
    learn = bypass("metatensor_learn", "metatensor_learn-0.6.2/metatensor_learn")
    sys.modules["metatensor.learn"] = learn
    bypass("metatensor_learn.nn", "metatensor_learn-0.6.2/metatensor_learn/nn")


def run(module):
    from metatensor import Labels, TensorBlock, TensorMap

    keys = Labels(["o3_lambda", "o3_sigma"], np.array([[0, 1], [1, 1], [2, 1]]))
    blocks = []
    for order, features in ((0, 5), (1, 7), (2, 11)):
        block = TensorBlock(
            values=torch.randn(3, 2 * order + 1, features),
            samples=Labels.range("sample", 3),
            components=[Labels.range("o3_mu", 2 * order + 1)],
            properties=Labels.range("property", features),
        )
        blocks.append(block)
    tensor = TensorMap(keys, blocks)
    plain = module.Linear(keys, [5, 7, 11], 13)
    named = module.Linear(
        keys,
        [5, 7, 11],
        out_properties=[Labels.range("out", width) for width in (2, 4, 6)],
        bias=[True, False, True],
    )
    equivariant = module.EquivariantLinear(keys, [5, 7, 11], [17, 19, 23])
    some = module.EquivariantLinear(
        keys,
        [5, 7, 11],
        out_properties=[Labels.range("out", width) for width in (2, 4, 6)],
        invariant_keys=Labels(["o3_lambda"], np.array([[0], [2]])),
        bias=[False, True],
    )
    return [
        [block.values for block in layer(tensor).blocks()]
        for layer in (plain, named, equivariant, some)
    ]

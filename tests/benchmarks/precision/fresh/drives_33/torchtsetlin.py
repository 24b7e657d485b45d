"""Encoders of features, images and tokens as bits, alone and one after another."""

import torch
from _lib import bypass

FILE = "torchtsetlin-0.5.0/torchtsetlin/data/encoders.py"
MODULE = "torchtsetlin.data.encoders"


def setup():
    bypass("torchtsetlin", "torchtsetlin-0.5.0/torchtsetlin")
    bypass("torchtsetlin.data", "torchtsetlin-0.5.0/torchtsetlin/data")


def run(module):
    x, images = torch.randn(29, 3), torch.rand(2, 3, 13, 17) * 255
    counts = torch.randint(5, (29, 3))
    outputs = [
        module.Binarizer(torch.tensor([0.1, 0.5, -0.3]))(x),
        module.Binarizer(inclusive=True)(x),
    ]
    for strategy, flatten in (("quantile", True), ("uniform", False), ("unique", True)):
        encoder = module.ThermometerEncoder(7, strategy, flatten=flatten)
        outputs += [encoder.fit_transform(x), encoder.feature_names(["a", "b", "c"])]
        outputs += [encoder.decode_range(1, [0, 2], [5]), encoder.output_size(3)]
    few = module.ThermometerEncoder(11, "unique").fit(counts)
    ranged = module.ThermometerEncoder(5, "uniform", value_range=(-2.0, 2.0))
    shared = module.ThermometerEncoder(thresholds=torch.tensor([[-1.0, 0.0, 0.5, 1.0]]), n_bits=4)
    outputs += [few(counts), ranged(x), shared(x), shared.feature_names(["a", "b", "c"])]
    hot = module.OneHotEncoder().fit(counts)
    given = module.OneHotEncoder([5, 6, 7])
    outputs += [hot(counts), given(counts), given.output_size(3)]
    outputs.append(given.feature_names(["a", "b", "c"], ["vwxyz", "uvwxyz", "tuvwxyz"]))
    outputs += [module.BitPlaneEncoder()(images), module.BitPlaneEncoder(5)(counts)]
    for method, size in (("gaussian", 5), ("mean", 3)):
        adaptive = module.AdaptiveThresholdEncoder(size, method=method)
        outputs += [adaptive(images), adaptive(images[:, 0])]
    color = module.ColorThermometerEncoder(7)
    outputs += [color(images), color(images[:, 0]), color.output_size(3)]
    tokens = torch.randint(19, (3, 5))
    tokens[1, 3:] = -1
    words = module.HypervectorEncoder(19, dim=23, n_bits=4)
    bound = module.HypervectorEncoder(19, dim=23, n_bits=4, bind_position=True)
    outputs += [words(tokens), bound(tokens), bound(tokens[0])]
    pyramid = module.PyramidEncoder((1, 2, 4), patch=3)
    outputs += [pyramid(images > 100), pyramid(images[:, 0] > 100), pyramid.output_size(3)]
    chain = module.Compose(module.ThermometerEncoder(7), module.Flatten())
    outputs += [chain.fit(x).transform(x), chain.output_size(3), str(chain.device)]
    return outputs

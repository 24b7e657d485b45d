"""Layer norms that fade into fixed scales, in a model that is patched and compiled."""

import torch
from _lib import bypass

FILE = "nn_pruning-0.1.2/nn_pruning/modules/nonorm.py"
MODULE = "nn_pruning.modules.nonorm"


def setup():
    bypass("nn_pruning", "nn_pruning-0.1.2/nn_pruning")
    bypass("nn_pruning.modules", "nn_pruning-0.1.2/nn_pruning/modules")


def network():
    return torch.nn.Sequential(
        torch.nn.Linear(13, 7), torch.nn.LayerNorm(7), torch.nn.ReLU(), torch.nn.LayerNorm(7)
    )


def run(module):
    x = torch.randn(3, 5, 13)
    model = network()
    patcher = module.Layer2NoNormPatcher(schedule_callback=lambda: {"mix": 0.3, "delta": 0.9})
    patcher.patch(model)
    trained = [model(x), model(x)]
    fixed = model.eval()(x)
    module.NoNormCompiler().patch(model)
    plain = network()
    module.NoNormPatcher().patch(plain)
    return [*trained, fixed, model(x), plain(x), model[1].weight, model[3].bias]

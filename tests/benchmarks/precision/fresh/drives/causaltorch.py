"""A network that makes the weights of another one from a causal graph, and meta-learning."""

import torch
from _lib import bypass

FILE = "causaltorch-2.1.0/causaltorch/layers/meta_learning.py"
MODULE = "causaltorch.layers.meta_learning"


def setup():
    bypass("causaltorch", "causaltorch-2.1.0/causaltorch")
    bypass("causaltorch.layers", "causaltorch-2.1.0/causaltorch/layers")


class Regression(torch.nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.init_args = (inputs, outputs)
        self.linear = torch.nn.Linear(inputs, outputs)

    def forward(self, x, params=None):
        weight, bias = params or self.linear.parameters()
        return torch.nn.functional.linear(x, weight, bias)


def run(module):
    maker = module.CausalHyperNetwork(
        input_dim=17, output_dim=5, hidden_dim=7, meta_hidden_dim=11, activation="gelu"
    ).eval()
    outputs = [
        maker(torch.rand(2, 4, 4)),
        maker(torch.rand(2, 5, 5)),
        maker.generate_architecture(torch.rand(1, 4, 4))(torch.randn(3, 17)),
        maker.generate_architecture(torch.rand(3, 4, 4))(torch.randn(3, 17)),
    ]
    deep = module.CausalHyperNetwork(17, 5, 7, 11, num_layers=4).eval()
    learner = module.MAML(Regression(13, 3), num_inner_steps=2)
    loss = torch.nn.functional.mse_loss
    adapted = learner.adapt(torch.randn(7, 13), torch.randn(7, 3), loss)
    return [*outputs, deep(torch.rand(2, 17, 1)), adapted(torch.randn(19, 13))]

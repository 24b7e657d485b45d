"""Linear layers with distributions over their weights: samples, means, log probabilities."""

import torch

FILE = "bemb-0.1.7/bemb/model/bayesian_linear.py"


def run(module):
    layer = module.BayesianLinear(5, 7, W_prior_variance=2.0)
    bare = module.BayesianLinear(5, 7, bias=False, W_variational_mean_fixed=torch.randn(5, 7))
    x, ids = torch.randn(11, 5), torch.randint(5, (13,))
    outputs = []
    for model in (layer, bare):
        outputs += [model.rsample(3), model(x), model(ids, mode="lookup")]
        outputs += [model.log_variational(), model.W_variational_mean, str(model.device)]
        if not model.bias:
            outputs.append(model.log_prior())
        outputs += [model.dsample(), model(x), model(ids, mode="lookup"), repr(model)]
    return outputs

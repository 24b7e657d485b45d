"""Ensembles of a model: averaged, by the median, in parallel, of pruned layers, of tuples."""

import torch
import torch.nn.utils.prune as prune

FILE = "prosper_nn-0.3.2/prosper_nn/models/ensemble/ensemble.py"


class Both(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(7, 5)
        self.second = torch.nn.Linear(7, 11)

    def forward(self, x):
        return self.first(x), self.second(x)


def pruned():
    model = torch.nn.Sequential(torch.nn.Linear(7, 13), torch.nn.Tanh(), torch.nn.Linear(13, 2))
    prune.random_unstructured(model[0], "weight", 0.4)
    prune.random_unstructured(model[2], "weight", 0.3)
    return model


def run(module):
    x = torch.randn(17, 7)
    mean = module.Ensemble(torch.nn.Linear(7, 5), 3)
    median = module.Ensemble(torch.nn.Linear(7, 1), 4, combination_type="median")
    parallel = module.Ensemble(torch.nn.Linear(7, 5), 3, initializer=None, parallel=True)
    pair = module.Ensemble(Both(), 3, initializer=torch.nn.init.normal_)
    kept = module.Ensemble(pruned(), 3, keep_pruning_mask=True)
    sparse = module.Ensemble(pruned(), 3, sparsity=0.5)
    median.set("scale", 2.0)
    return (
        mean(x),
        median(x),
        parallel(x),
        pair(x),
        kept(x),
        sparse(x),
        [model.scale for model in median.models],
    )

"""Kernels over grids: Gaussian, exponential, wrapped, products, sums, and all of them on a grid."""

import torch
from _lib import bypass, stub

FILE = "fr_models-0.1.14/fr_models/kernels.py"
MODULE = "fr_models.kernels"


def setup():
    import importlib
    from types import SimpleNamespace

    def flatten_seq(parts):
        return [item for part in parts for item in part]

    stub("hyclib", itertools=SimpleNamespace(flatten_seq=flatten_seq))
    bypass("fr_models", "fr_models-0.1.14/fr_models")
    package = bypass("fr_models._torch", "fr_models-0.1.14/fr_models/_torch")
    core = importlib.import_module("fr_models._torch.core")
    package.pad, package.linspace = core.pad, core.linspace


def run(module):
    from fr_models import gridtools

    x, y = torch.rand(5, 7, 2), torch.rand(5, 7, 2)
    cov = torch.eye(2) + 0.1 * torch.ones(2, 2)
    several = torch.eye(2) * torch.rand(3, 4, 1, 1) + torch.eye(2)
    gauss = module.K_g(torch.tensor(2.0), cov)
    many = module.K_g(torch.rand(3, 4), several, normalize=False)
    space = module.K_g_space(2, torch.tensor(1.5), torch.tensor(0.7))
    exponential = module.K_exp(torch.tensor(0.5), torch.tensor([0.3, 0.6]))
    angle = module.K_exp(torch.tensor(0.5), torch.tensor([0.8]))
    wrapped = module.K_wg(torch.rand(3, 4), several, w_dims=[1])
    around = module.WrappedKernel(exponential, w_dims=[0, 1], order=5)
    slow = module.WrappedKernel(gauss, w_dims=[0], mode="sequential")
    outputs = []
    for kernel in (gauss, many, space, exponential, wrapped, around, slow):
        outputs += [kernel(x, y), kernel.F_shape, kernel.F_ndim, kernel.D]
    outer = module.OuterKernel(space, angle)
    outputs += [outer(torch.rand(11, 3), torch.rand(11, 3)), outer(torch.rand(13, 3)), outer.D]
    for kind in (module.ProductKernel, module.DivisionKernel, module.SumKernel):
        outputs += [kind(gauss, exponential)(x, y), kind(many, many).F_shape]
    weighted = module.WeightedSumKernel(gauss, space, 0.3)
    outputs += [weighted(x, y), weighted.F_shape, weighted.D]
    plane = gridtools.Grid([1.0, 2.0], shape=(5, 7))
    ring = gridtools.Grid([1.0, 6.0], shape=(5, 6), w_dims=[1])
    for kernel, grid in ((gauss, plane), (many, plane), (wrapped, ring)):
        outputs += [kernel.discretize(grid), kernel.discretize(grid, False, normalize=False)]
    return outputs

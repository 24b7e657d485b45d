"""Products of Bezier simplices: values, faces, degeneracies, products."""

import torch
from _lib import bypass

FILE = "pytorch_bsf-0.22.0/torch_bsf/_kernels/bezier.py"
MODULE = "torch_bsf._kernels.bezier"


def setup():
    bypass("torch_bsf", "pytorch_bsf-0.22.0/torch_bsf")
    bypass("torch_bsf._kernels", "pytorch_bsf-0.22.0/torch_bsf/_kernels")


def run(module):
    simploid = module.BezierSimploid.randn((2, 1), (3, 2), 5)
    parameters = torch.rand(7, simploid.n_params)
    outputs = [
        simploid(parameters),
        simploid.design_matrix(parameters),
        simploid.adjacency(),
        simploid[simploid.indices()[4]],
        simploid.extra_repr(),
    ]
    derived = [
        simploid.face(0, 1),
        simploid.face(1, 0),
        simploid.degenerate(0, 1),
        simploid.degenerate(1, -1, degree=2),
        simploid.product(module.BezierSimploid.rand((1,), 4, 5)),
    ]
    outputs += [each(torch.rand(11, each.n_params)) for each in derived]
    points = {index: torch.randn(3) for index in module.BezierSimploid.zeros((2,), 2, 3).indices()}
    named = module.BezierSimploid((2,), 2, points)
    given = module.BezierSimploid((1,), 3, torch.arange(4 * 3).reshape(4, 3))
    return [*outputs, named(torch.rand(13, named.n_params)), given(torch.rand(13, given.n_params))]

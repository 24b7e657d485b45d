"""Splines through the values on grids of one to four dimensions, at points and at many."""

import torch

FILE = "warpylib-1.1.2/warpylib/interpolating_bspline.py"


def run(module):
    line = module.InterpolatingBSpline1d.from_grid_data(torch.randn(2, 7))
    single = module.InterpolatingBSpline1d.from_grid_data(torch.randn(9))
    plane = module.InterpolatingBSpline2d.from_grid_data(torch.randn(3, 5, 7))
    solid = module.InterpolatingBSpline3d.from_grid_data(torch.randn(2, 5, 6, 7))
    empty = module.InterpolatingBSpline2d((4, 6), n_channels=5, minibatch_size=8)
    cube = module.InterpolatingBSpline3d((4, 5, 6), n_channels=2)
    outputs = [line(torch.rand(11)), single(torch.rand(3, 13)), plane(torch.rand(3, 4, 2))]
    outputs += [solid(torch.rand(17, 3)), empty(torch.rand(19, 2)), cube(torch.rand(2, 11, 3))]
    outputs += [line.n_channels, plane.resolution, solid.data, single(0.3), solid.n_channels]
    with torch.no_grad():
        outputs += [grid.eval()(points) for grid, points in ((line, torch.rand(5, 1)),)]
        outputs += [plane.eval()(torch.rand(5, 2)), solid.eval()(torch.rand(5, 3) * 1.4 - 0.2)]
    coefficients = module.find_coefs_4d(torch.randn(2, 3, 4, 5, 6))
    alone = module.find_coefs_4d(torch.randn(3, 4, 5, 6))
    outputs += [module.find_coefs_1d(torch.randn(8)), module.find_coefs_2d(torch.randn(4, 6))]
    outputs += [module.find_coefs_3d(torch.randn(4, 5, 6)), coefficients, alone]
    outputs.append(module.interpolate_grid_4d(coefficients, torch.rand(13, 4) * 1.4 - 0.2))
    return outputs

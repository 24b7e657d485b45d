"""Curves of splines: with equal knots and with given ones, over several ranges and maps."""

import torch
from _lib import bypass

FILE = "torchcurves-0.3.3/torchcurves/modules/_bspline.py"
MODULE = "torchcurves.modules._bspline"


def setup():
    bypass("torchcurves", "torchcurves-0.3.3/torchcurves")
    bypass("torchcurves.modules", "torchcurves-0.3.3/torchcurves/modules")


def run(module):
    u = torch.randn(13, 5)
    knots = torch.tensor([0.0, 0.0, 0.0, 0.3, 0.5, 0.8, 1.0, 1.0, 1.0])
    curve = module.BSplineCurve(num_curves=5, dim=3, degree=2, knots_config=11)
    ranged = module.BSplineCurve(5, 7, knots_config=17, parameter_range=(0, 2))
    clamped = module.BSplineCurve(5, 2, degree=2, knots_config=knots, input_map="real.clamp")
    basis = module.BSplineBasis(degree=1, knots_config=6, input_map="real.arctan")
    moved = curve.double()
    return (
        moved(u.double()),
        ranged(u),
        clamped(torch.rand(13, 5)),
        basis(u, torch.randn(5, 6, 11)),
        clamped.knots,
        ranged.parameter_range,
        curve.degree,
        clamped.n_control_points_per_curve,
        repr(ranged),
        repr(basis),
    )

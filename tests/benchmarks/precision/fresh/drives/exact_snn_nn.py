"""Spiking layers whose spike times are exact: firing and silent neurons, gradients, calibration."""

import torch

FILE = "exact_snn_nn-3.2.3/exact_snn/__init__.py"
MODULE = "exact_snn"


def run(module):
    network = module.ExactTTFSNetwork([11, 7, 5], t_max=30.0, grid_pts=61)
    network.calibrate_init_fire(n_probe=13, cal_grid_pts=31, iters=2)
    times = module.latency_encode(torch.rand(11, 3), t_max=30.0)
    loss = network.loss(times, torch.tensor([0, 4, 2]))
    loss.backward()
    outputs = [network(times), loss, *(layer.weight.grad for layer in network.layers)]
    for constants in ((15.0, 4.0), (8.0, 8.0)):
        layer = module.ExactTTFSLinear(11, 7, *constants, theta=0.9, grid_pts=31, peak_tol=0.5)
        before = layer(times)
        layer.calibrate_init_fire(n_probe=13, cal_grid_pts=31, iters=2)
        after = layer(times)
        after[torch.isfinite(after)].sum().backward()
        outputs += [before, after, layer.weight.grad]
    return outputs

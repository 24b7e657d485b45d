"""Perceptrons, a sparse one in training and evaluation, and the sum of the nodes of each graph."""

import torch

FILE = "pymimir_rgnn-0.2.10/pymimir_rgnn/modules.py"


def run(module):
    x = torch.randn(13, 7)
    sparse = module.SparseMLP(7, 11, k=3)
    chosen = module.SparseMLP(7, 11, k=2, gate_mode="deterministic_topk")
    closed = module.SparseMLP(7, 11, k=0)
    torch.nn.init.normal_(sparse._outer_log_alpha)
    return (
        module.MLP(7, 11, 17)(x),
        module.MLP(7, 5)(x),
        sparse(x),
        chosen(x),
        closed(x),
        sparse.topk_margin_penalty(0.5),
        sparse.eval()(x),
        module.ChannelwiseAffine(7)(x),
        module.SumReadout(7, 19)(x, torch.tensor([4, 6, 3])),
    )

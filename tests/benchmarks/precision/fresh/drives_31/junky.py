"""Highway networks with every kind of gate, and with a layer below them."""

import torch

FILE = "junky-1.1.12/junky/layers/highway_network.py"


def below():
    return torch.nn.Linear(13, 13)


def narrowing():
    return torch.nn.Linear(17, 7)


def run(module):
    x, highway = torch.randn(3, 5, 13), torch.randn(3, 5, 13)
    outputs = []
    for gate in ("generic", "T_only", "C_only", "none"):
        layer = module.HighwayNetwork(13, gate_type=gate)
        deep = module.HighwayNetwork(
            13, U_layer=below, U_dropout=0.1, H_dropout=0.2, gate_type=gate, num_layers=3
        ).eval()
        across = module.HighwayNetwork(
            13, gate_type=gate, global_highway_input=True, num_layers=2, H_activation=torch.tanh
        )
        outputs += [layer(x, None), deep(x, highway), across(x, highway), repr(deep)]
    narrow = module.HighwayNetwork(13, U_layer=narrowing, H_features=7)
    wide = module.HighwayNetwork(7, out_features=13, H_features=7, gate_type="T_only")
    return [
        *outputs,
        narrow(torch.randn(3, 5, 17), highway),
        narrow._U.weight,
        wide._H(torch.randn(3, 7)),
    ]

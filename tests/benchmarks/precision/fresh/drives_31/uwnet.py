"""Linear layers over named fields, fixed affine maps, a mixture of experts, maps by key."""

import torch
from _lib import bypass, stub

FILE = "uwnet-0.9.2/uwnet/modules.py"
MODULE = "uwnet.modules"


def setup():
    bypass("uwnet", "uwnet-0.9.2/uwnet")
    stub("uwnet.tensordict", TensorDict=dict)


def run(module):
    fields = {"heat": torch.randn(11, 3), "water": torch.randn(11, 5)}
    gather = module.LinearDictIn([("heat", 3), ("water", 5)], 7)
    spread = module.LinearDictOut(7, [("heat", 2), ("wind", 13)])
    hidden = gather(fields)
    matrix = torch.randn(5, 17, dtype=torch.float64).numpy()
    fixed = module.LinearFixed.from_affine(lambda x: x @ matrix + 2, 5)
    by_key = module.MapByKey({"heat": torch.nn.Linear(3, 19), "water": torch.nn.Linear(5, 2)})
    joined = module.ConcatenatedWithIndex(by_key)
    return (
        hidden,
        spread(hidden),
        fixed(torch.randn(11, 5, dtype=torch.float64)),
        fixed.in_features,
        fixed.out_features,
        repr(fixed),
        module.MOE(5, 13, n_experts=3)(fields["water"]),
        module.Partial(torch.matmul, torch.randn(7, 11))(fields["heat"]),
        module.RPartial(torch.sum, 1)(fields["heat"], keepdim=True),
        module.ValMap(torch.tanh)(fields),
        by_key(fields),
        by_key.inputs,
        by_key["heat"].weight,
        joined(fields),
        joined.index,
    )

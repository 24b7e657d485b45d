"""Linear layers whose edges are masked, of one sign, or fixed."""

import torch

FILE = "edge2torch-0.3.0/edge2torch/nn/masked_linear.py"


def run(module):
    x = torch.randn(3, 7)
    mask = torch.rand(5, 7) > 0.3
    names = ("unconstrained", "positive", "negative", "fixed")
    codes = torch.tensor([module.constraint_name_to_code(name) for name in names])
    constraint = codes[torch.arange(35).reshape(5, 7) % 4]
    masked = module.MaskedLinear(7, 5, mask)
    bare = module.MaskedLinear(7, 5, mask, bias=False)
    free = module.ConstrainedMaskedLinear(7, 5, mask)
    signed = module.ConstrainedMaskedLinear(7, 5, mask, torch.randn(5, 7), constraint, bias=False)
    signed(x).sum().backward()
    return (
        masked(x),
        bare(x),
        free(x),
        signed(x),
        signed.effective_weight,
        signed.raw_weight.grad,
    )

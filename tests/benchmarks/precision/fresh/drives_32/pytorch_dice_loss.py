"""Dice losses of tokens: of two classes, of one logit, of many, with masks and hard examples."""

import torch

FILE = "pytorch_dice_loss-0.1.1/pytorch_dice_loss/loss.py"


def run(module):
    many, labels = torch.randn(3, 17, 5), torch.randint(5, (3, 17))
    two, one = torch.randn(29, 2), torch.randn(29, 1)
    binary = torch.arange(29) % 2
    mask = torch.ones(3, 17, dtype=torch.long)
    mask[1, 11:] = 0
    few = (torch.arange(29) < 23).long()
    outputs = []
    for options in (
        {},
        {"square_denominator": True, "alpha": 0.3},
        {"ohem_ratio": 2.0, "reduction": "sum"},
        {"with_logits": False, "reduction": None},
    ):
        loss = module.DiceLoss(**options)
        outputs += [loss(many, labels), loss(many, labels, mask), str(loss), repr(loss)]
        outputs += [loss(two, binary), loss(two, binary, few), loss(one, binary, few)]
    return outputs

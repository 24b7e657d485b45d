"""Focal losses on labels and on soft targets, with every reduction and every focus."""

import torch

FILE = "pytorch_focalloss-1.2.0/torch_focalloss/losses.py"


def run(module):
    inputs = torch.randn(11, 7)
    outputs = []
    for reduction in ("mean", "sum", "none"):
        binary = module.BinaryFocalLoss(
            alpha=torch.rand(7), reduction=reduction, weight=torch.rand(7)
        )
        outputs.append(binary(inputs, (torch.rand(11, 7) > 0.5).float()))
        multiclass = module.MultiClassFocalLoss(alpha=torch.rand(7), reduction=reduction)
        outputs.append(multiclass(inputs, torch.randint(7, (11,))))
        soft = module.MultiClassFocalLoss(weight=torch.rand(7), reduction=reduction)
        outputs.append(soft(inputs, torch.softmax(torch.randn(11, 7), 1)))
    targets = torch.softmax(3 * torch.randn(11, 7), 1)
    for focus_on in (-1, 3, 0.2):
        for sum_first in (True, False):
            loss = module.MultiClassFocalLoss(focus_on=focus_on, sum_first=sum_first)
            outputs.append(loss(inputs, targets))
    flat = module.MultiClassFocalLoss(gamma=0, label_smoothing=0.1)
    unfocused = module.BinaryFocalLoss(gamma=0, pos_weight=torch.rand(7))
    return [*outputs, flat(inputs, torch.randint(7, (11,))), unfocused(inputs, targets)]

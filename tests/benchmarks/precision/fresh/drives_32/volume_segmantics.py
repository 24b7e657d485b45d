"""Losses of segmentation: consistency of two models, dice by class, with cross entropy."""

import torch

FILE = "volume_segmantics-0.4.0/volume_segmantics/model/operations/trainer_losses.py"


def run(module):
    student, teacher = torch.randn(3, 5, 7, 11), torch.randn(3, 5, 7, 11)
    labels = torch.randint(5, (3, 7, 11))
    hot = torch.nn.functional.one_hot(labels, 5).permute(0, 3, 1, 2).float()
    outputs = [module.ConsistencyLoss()(student, teacher)]
    for head in ("semantic", "boundary", "distance", "sdm"):
        outputs.append(module.per_head_consistency_loss(head, student, teacher))
    for ramp in ("sigmoid", "linear"):
        outputs += [module.get_rampup_ratio(n, 3, 17, ramp) for n in (2, 5, 19)]
    for mode in ("uniform", "inverse_freq", "inverse_sqrt_freq"):
        dice = module.ClassWeightedDiceLoss(5, mode, exclude_background=mode == "uniform")
        outputs += [dice(student, labels), dice(student, hot), dice.get_current_weights()]
        outputs.append(dice._compute_weights_from_batch(labels))
    custom = module.ClassWeightedDiceLoss(5, "custom", [0.1, 0.2, 0.3, 0.2, 0.2], softmax=False)
    several = module.CombinedCEDiceLoss(5, class_weights_ce=[0.1, 0.2, 0.3, 0.2, 0.2])
    plain = module.CombinedCEDiceLoss(5, alpha=0.3, beta=0.7, dice_weight_mode="uniform")
    binary = module.CombinedCEDiceLoss(2)
    two = torch.randint(2, (3, 7, 11))
    pair = torch.nn.functional.one_hot(two, 2).permute(0, 3, 1, 2).float()
    outputs += [custom(student.softmax(1), hot), several(student, labels), plain(student, hot)]
    return [*outputs, binary(student[:, :2], two), binary(student[:, :2], pair)]

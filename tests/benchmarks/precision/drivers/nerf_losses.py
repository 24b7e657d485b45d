"""Losses of rays and samples, annotated with jaxtyping."""

import types

import torch
from _lib import bypass, stub

FILE = "nerfstudio-1.1.5/nerfstudio/model_components/losses.py"


def setup():
    bypass("nerfstudio", "nerfstudio-1.1.5/nerfstudio")
    stub("nerfstudio.cameras.rays")
    stub("nerfstudio.data.scene_box")
    stub("nerfstudio.field_components.field_heads")
    bypass("nerfstudio.utils", "nerfstudio-1.1.5/nerfstudio/utils")


def rays(count, samples):
    edges = torch.cumsum(torch.rand(count, samples + 1, 1), dim=1)
    starts, ends = edges[:, :-1], edges[:, 1:]
    return types.SimpleNamespace(
        spacing_starts=starts,
        spacing_ends=ends,
        frustums=types.SimpleNamespace(starts=starts, ends=ends),
    )


def run(module):
    few, many = rays(7, 5), rays(7, 11)
    weights, finer = torch.rand(7, 5, 1), torch.rand(7, 11, 1)
    depth, predicted = torch.rand(7, 1), torch.rand(7, 1)
    normals, others = torch.randn(7, 5, 3), torch.randn(7, 5, 3)
    maps, targets = torch.rand(2, 32, 13), torch.rand(2, 32, 13)
    mask = torch.rand(2, 32, 13) > 0.3
    outputs = [
        module.interlevel_loss([weights, finer], [few, many]),
        module.distortion_loss([weights], [few]),
        module.nerfstudio_distortion_loss(few, weights=weights),
        module.orientation_loss(weights, normals, torch.randn(7, 3)),
        module.pred_normal_loss(weights, normals, others),
        module.monosdf_normal_loss(normals[:, 0], others[:, 0]),
        module.tv_loss(torch.rand(3, 5, 7, 11)),
        module.depth_ranking_loss(torch.rand(22, 1), torch.rand(22, 1)),
    ]
    for kind in (module.DepthLossType.DS_NERF, module.DepthLossType.URF):
        outputs.append(
            module.depth_loss(
                weights, few, depth, predicted, torch.tensor([0.5]), torch.rand(7, 1), False, kind
            )
        )
    for kind in ("image", "batch"):
        outputs.append(module.MiDaSMSELoss(kind)(maps, targets, mask))
        outputs.append(module.GradientLoss(2, kind)(maps, targets, mask))
        outputs.append(module.ScaleAndShiftInvariantLoss(0.5, 2, kind)(maps, targets, mask))
    return outputs

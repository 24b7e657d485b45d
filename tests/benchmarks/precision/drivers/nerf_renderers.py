"""Colours, depths and normals of rays from their samples, annotated with jaxtyping."""

import types

import torch
from _lib import bypass, stub

FILE = "nerfstudio-1.1.5/nerfstudio/model_components/renderers.py"


def accumulate_along_rays(weights, values, ray_indices, n_rays):
    samples = weights[:, None] if values is None else weights[:, None] * values
    return torch.zeros(n_rays, samples.shape[-1]).index_add(0, ray_indices, samples)


def setup():
    bypass("nerfstudio", "nerfstudio-1.1.5/nerfstudio")
    stub("nerfacc", accumulate_along_rays=accumulate_along_rays)
    stub("nerfstudio.cameras.rays")
    stub("nerfstudio.data.scene_box")
    bypass("nerfstudio.utils", "nerfstudio-1.1.5/nerfstudio/utils")


def rays(*shape):
    edges = torch.cumsum(torch.rand(*shape[:-1], shape[-1] + 1, 1), dim=-2)
    frustums = types.SimpleNamespace(starts=edges[..., :-1, :], ends=edges[..., 1:, :])
    return types.SimpleNamespace(frustums=frustums)


def run(module):
    outputs = []
    for shape in ((7, 5), (2, 7, 5)):
        weights, colours = torch.rand(*shape, 1), torch.rand(*shape, 3)
        for background in ("random", "last_sample", "white", torch.rand(3)):
            outputs.append(module.RGBRenderer(background).eval()(colours, weights))
        with module.background_color_override_context(torch.rand(3)):
            outputs.append(module.RGBRenderer()(colours, weights))
        harmonics = module.SHRenderer("black").eval()
        outputs += [
            harmonics(torch.randn(*shape, 27), torch.randn(*shape, 3), weights),
            module.AccumulationRenderer()(weights),
            module.DepthRenderer("median")(weights, rays(*shape)),
            module.DepthRenderer("expected")(weights, rays(*shape)),
            module.UncertaintyRenderer()(torch.rand(*shape, 1), weights),
            module.SemanticRenderer()(torch.rand(*shape, 11), weights),
            module.NormalsRenderer()(torch.randn(*shape, 3), weights),
        ]
    packed, packed_weights = (
        {"ray_indices": torch.randint(0, 7, (23,)), "num_rays": 7},
        torch.rand(23, 1),
    )
    outputs += [
        module.RGBRenderer("black")(torch.rand(23, 3), packed_weights, **packed),
        module.AccumulationRenderer()(packed_weights, **packed),
        module.DepthRenderer("expected")(packed_weights, rays(23), **packed),
        module.SemanticRenderer()(torch.rand(23, 11), packed_weights, **packed),
    ]
    image, accumulation, truth = torch.rand(7, 13, 3), torch.rand(7, 13, 1), torch.rand(7, 13, 4)
    for background in ("last_sample", "random", "white"):
        renderer = module.RGBRenderer(background)
        outputs += renderer.blend_background_for_loss_computation(image, accumulation, truth)
    return outputs

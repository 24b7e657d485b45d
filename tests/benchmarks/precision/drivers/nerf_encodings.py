"""Encodings of points by frequencies, hashes and planes, annotated with jaxtyping."""

import torch
from _lib import bypass, stub

FILE = "nerfstudio-1.1.5/nerfstudio/field_components/encodings.py"


def setup():
    bypass("nerfstudio", "nerfstudio-1.1.5/nerfstudio")
    stub("nerfstudio.utils.external", TCNN_EXISTS=False, tcnn=None)
    stub("nerfstudio.utils.printing")
    stub("nerfstudio.data.scene_box")
    bypass("nerfstudio.utils", "nerfstudio-1.1.5/nerfstudio/utils")
    bypass("nerfstudio.field_components", "nerfstudio-1.1.5/nerfstudio/field_components")


def run(module):
    points = torch.rand(2, 7, 3)
    covariances = torch.rand(2, 7, 3, 3)
    frequencies = module.NeRFEncoding(
        in_dim=3, num_frequencies=5, min_freq_exp=0.0, max_freq_exp=2.0, include_input=True
    )
    fourier = module.RFFEncoding(in_dim=3, num_frequencies=11, scale=2.0)
    basis = module.PolyhedronFFEncoding(
        num_frequencies=2, min_freq_exp=0.0, max_freq_exp=1.0, basis_subdivisions=1
    )
    hashes = module.HashEncoding(
        num_levels=5, min_res=4, max_res=32, log2_hashmap_size=7, implementation="torch"
    )
    lines = module.TensorCPEncoding(resolution=13, num_components=11)
    planes = module.TensorVMEncoding(resolution=13, num_components=11)
    triplane = module.TriplaneEncoding(resolution=13, num_components=11)
    product = module.TriplaneEncoding(resolution=13, num_components=11, reduce="product")
    kplanes = module.KPlanesEncoding(resolution=(11, 13, 17), num_components=5)
    harmonics = module.SHEncoding(levels=3)
    outputs = [
        frequencies(points),
        frequencies(points, covariances),
        fourier(points),
        fourier(points, covariances),
        basis(points),
        hashes(points),
        harmonics(points),
    ]
    for encoding in (lines, planes, triplane, product, kplanes):
        outputs.append(encoding(points))
    for encoding in (lines, planes, triplane):
        encoding.upsample_grid(17)
        outputs.append(encoding(points))
    return outputs

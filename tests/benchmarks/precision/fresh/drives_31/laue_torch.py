"""Rays through coded apertures: patterns of several kinds, moved and turned."""

import torch
from _lib import bypass, stub

FILE = "laue_torch-0.1.5/laue_torch/coded_aperture/mask2d.py"
MODULE = "laue_torch.coded_aperture.mask2d"


def setup():
    bypass("laue_torch", "laue_torch-0.1.5/laue_torch")
    bypass("laue_torch.coded_aperture", "laue_torch-0.1.5/laue_torch/coded_aperture")
    stub(
        "laue_torch.coded_aperture.absorption",
        mu_au=lambda wavelength: 0.3 * wavelength,
        mu_si3n4=lambda wavelength: 0.01 * wavelength,
    )


def run(module):
    directions = torch.randn(17, 3, dtype=torch.float64)
    origin = torch.tensor([0.3, -0.2, -9.0], dtype=torch.float64)
    wavelengths = 1 + torch.rand(17, dtype=torch.float64)
    mura = module.CodedApertureMask2D(module.build_mura_pattern(13), pixel_size_um=2.0)
    thickness = torch.rand(17, dtype=torch.float64)
    random = module.CodedApertureMask2D(
        module.build_random_binary_pattern(11, fill=0.4, seed=3),
        pixel_size_um=3.0,
        position_um=torch.tensor([0.5, 0.1, 2.0]),
        rotvec=torch.tensor([0.1, 0.2, -0.1]),
        make_geometry_learnable=True,
    )
    holes = module.CodedApertureMask2D(
        module.build_pinhole_pattern(19, grid_pitch=5, pinhole_radius_px=1)[:, :7],
        pixel_size_um=1.5,
        au_thickness_um=torch.tensor(2.5),
    )
    return (
        mura(origin, directions, wavelengths),
        random(origin.expand(17, 3), directions, torch.tensor(1.3), scan_offset_um=0.7),
        holes(origin, directions, wavelengths, thickness),
        random.aperture_axes_lab(),
        holes.total_width_um,
        holes.total_height_um,
    )

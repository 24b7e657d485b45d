"""Epipolar geometry on batches of points: linear algebra, shapes in docstrings and comments."""

import importlib

import torch
from _lib import path, stub

FILE = "kornia-0.9.0/kornia/geometry/epipolar/essential.py"
MODULE = "kornia.geometry.epipolar.essential"


def setup():
    stub("kornia_rs")
    path("kornia-0.9.0")
    importlib.import_module("kornia.geometry.epipolar")


def run(module):
    torch.set_default_dtype(torch.float64)
    rotation, _ = torch.linalg.qr(torch.randn(2, 3, 3))
    rotation = rotation * torch.linalg.det(rotation)[:, None, None]
    translation = torch.randn(2, 3, 1)
    intrinsics = torch.tensor([[5.0, 0.0, 1.0], [0.0, 7.0, 2.0], [0.0, 0.0, 1.0]]).expand(2, 3, 3)
    essential = module.essential_from_Rt(
        torch.eye(3).expand(2, 3, 3), torch.zeros(2, 3, 1), rotation, translation
    )
    world = torch.rand(2, 11, 3) + torch.tensor([0.0, 0.0, 5.0])
    first = world[..., :2] / world[..., 2:]
    moved = world @ rotation.mT + translation.mT
    second = moved[..., :2] / moved[..., 2:]
    fundamental = torch.linalg.inv(intrinsics).mT @ essential @ torch.linalg.inv(intrinsics)
    return (
        essential,
        module.find_essential(first, second, torch.rand(2, 11)),
        module.essential_from_fundamental(fundamental, intrinsics, intrinsics),
        module.decompose_essential_matrix(essential),
        module.decompose_essential_matrix_no_svd(essential),
        module.relative_camera_motion(rotation, translation, rotation, translation),
        module.motion_from_essential(essential),
        module.motion_from_essential_choose_solution(
            essential, intrinsics, intrinsics, first, second
        ),
    )

"""A generator of images and its critic."""

import importlib

import torch
from _lib import path

FILE = "dcgan_pytorch-0.2.0/dcgan_pytorch/model.py"
MODULE = "dcgan_pytorch.model"


def setup():
    path("dcgan_pytorch-0.2.0")
    importlib.import_module(MODULE)


def run(module):
    utils = importlib.import_module("dcgan_pytorch.utils")
    params = utils.GlobalParams(noise=7, channels=3, image_size=64, negative_slope=0.2)
    generator, critic = module.Generator(params), module.Discriminator(params)
    generator.apply(utils.weights_init)
    image = generator(torch.randn(2, 7, 1, 1))
    return image, critic(image)

"""Encoders and decoders of a variational autoencoder whose latents lie in a ball."""

import torch
from _lib import bypass, stub

FILE = "pvae-0.2/pvae/models/architectures.py"
MODULE = "pvae.models.architectures"


def setup():
    bypass("pvae", "pvae-0.2/pvae")
    bypass("pvae.models", "pvae-0.2/pvae/models")
    bypass("pvae.ops", "pvae-0.2/pvae/ops")
    stub("geoopt", ManifoldParameter=torch.nn.Parameter)
    stub("pvae.manifolds")


class Ball:
    coord_dim = 3

    def expmap0(self, u):
        norm = u.norm(dim=-1, keepdim=True).clamp_min(1e-9)
        return torch.tanh(norm) * u / norm

    def logmap0(self, y):
        norm = y.norm(dim=-1, keepdim=True).clamp(1e-9, 0.99)
        return torch.atanh(norm) * y / norm

    def transp0(self, x, u):
        return (1 - x.pow(2).sum(-1, keepdim=True)) * u

    def mobius_matvec(self, m, x):
        return self.expmap0(self.logmap0(x) @ m.t())

    def normdist2plane(self, x, a, p, signed=False, norm=False):
        return torch.asinh(((x - a) * p).sum(-1))


def run(module):
    ball = Ball()
    x, z = torch.randn(2, 11, 5, 7), torch.rand(2, 11, 3) / 2
    outputs = []
    for kind in (module.EncLinear, module.EncWrapped, module.EncMob):
        encoder = kind(ball, [5, 7], torch.nn.ReLU(), 2, 13, prior_iso=False)
        isotropic = kind(ball, [35], torch.nn.Tanh(), 1, 17, prior_iso=True)
        outputs += [encoder(x)[:2], isotropic(x.flatten(2))[:2]]
    for kind in (module.DecLinear, module.DecWrapped, module.DecGeo, module.DecMob):
        decoder = kind(ball, [5, 7], torch.nn.ReLU(), 3, 19)
        outputs += [decoder(z), module.DecBernouilliWrapper(decoder)(z)]
    return outputs

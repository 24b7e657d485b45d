"""Speech separation, batch by time by channel; every step says its shape in a comment."""

import importlib

import torch
from _lib import bypass, stub

FILE = "speechbrain-1.1.2/speechbrain/lobes/models/conv_tasnet.py"


def setup():
    stub("torchaudio")
    bypass("speechbrain", "speechbrain-1.1.2/speechbrain")
    bypass("speechbrain.nnet", "speechbrain-1.1.2/speechbrain/nnet")
    for name in ("CNN", "containers", "linear", "normalization"):
        importlib.import_module(f"speechbrain.nnet.{name}")


def run(module):
    encoder = module.Encoder(L=6, N=11)
    decoder = module.Decoder(L=6, N=11)
    outputs = []
    for norm, causal, mask in (("gLN", False, "relu"), ("cLN", True, "softmax")):
        network = module.MaskNet(11, 13, 7, 3, 2, 1, 5, norm, causal, mask).eval()
        mixture = encoder(torch.randn(2, 46))
        masks = network(mixture.transpose(1, 2)).permute(1, 3, 0, 2)
        outputs += [masks, decoder(mixture, masks)]
    return outputs

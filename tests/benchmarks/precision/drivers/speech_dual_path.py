"""Speech separation within and across chunks of time; every step has its shape in a comment."""

import importlib

import torch
from _lib import bypass, stub

FILE = "speechbrain-1.1.2/speechbrain/lobes/models/dual_path.py"


def setup():
    stub("torchaudio")
    bypass("speechbrain", "speechbrain-1.1.2/speechbrain")
    bypass("speechbrain.nnet", "speechbrain-1.1.2/speechbrain/nnet")
    bypass("speechbrain.lobes", "speechbrain-1.1.2/speechbrain/lobes")
    bypass("speechbrain.lobes.models", "speechbrain-1.1.2/speechbrain/lobes/models")
    for name in ("activations", "linear"):
        importlib.import_module(f"speechbrain.nnet.{name}")
    stub("speechbrain.nnet.RNN")
    stub("speechbrain.lobes.models.transformer.Conformer")
    stub("speechbrain.lobes.models.transformer.Transformer", PositionalEncoding=Positions)


class Positions(torch.nn.Module):
    def __init__(self, input_size):
        super().__init__()
        self.register_buffer("places", torch.randn(1, 101, input_size))

    def forward(self, x):
        return self.places[:, : x.size(1)]


def run(module):
    encoder = module.Encoder(kernel_size=4, out_channels=13).eval()
    decoder = module.Decoder(in_channels=13, out_channels=1, kernel_size=4, stride=2).eval()
    blocks = {
        "recurrent": lambda: module.DPTNetBlock(22, 2, activation="gelu"),
        "attentive": lambda: module.PytorchTransformerBlock(22, num_layers=1, nhead=2, d_ffn=17),
        "same": module.IdentityBlock,
    }
    outputs = []
    cases = (("gln", "recurrent", True), ("cln", "attentive", False), ("ln", "same", True))
    for norm, block, linear in cases:
        torch.manual_seed(3)
        network = module.Dual_Path_Model(
            in_channels=13,
            out_channels=22,
            intra_model=blocks[block](),
            inter_model=blocks[block](),
            num_layers=2,
            norm=norm,
            K=6,
            num_spks=3,
            skip_around_intra=linear,
            linear_layer_after_inter_intra=linear,
        ).eval()
        mixture = encoder(torch.randn(2, 64))
        masks = network(mixture)
        outputs += [mixture, masks, *(decoder(mixture * mask) for mask in masks)]
    return outputs

"""Embeddings of speakers: convolutions over time, statistics pooled with attention."""

import torch
from _lib import bypass, stub

FILE = "speechbrain-1.1.2/speechbrain/lobes/models/ECAPA_TDNN.py"


def setup():
    stub("torchaudio")
    bypass("speechbrain", "speechbrain-1.1.2/speechbrain")
    for name in ("nnet", "utils", "dataio"):
        bypass(f"speechbrain.{name}", f"speechbrain-1.1.2/speechbrain/{name}")
    stub("speechbrain.dataio.dataio", length_to_mask=length_to_mask)


def length_to_mask(length, max_len=None, dtype=None, device=None):
    return (torch.arange(max_len)[None] < length[:, None]).to(dtype or length.dtype)


def run(module):
    model = module.ECAPA_TDNN(
        13,
        lin_neurons=17,
        channels=[24, 24, 24, 24, 36],
        attention_channels=11,
        res2net_scale=4,
        se_channels=7,
    ).eval()
    features = torch.randn(3, 53, 13)
    embedding = model(features, torch.tensor([1.0, 0.5, 0.8]))
    classifier = module.Classifier(17, lin_blocks=1, lin_neurons=19, out_neurons=5).eval()
    return model(features), embedding, classifier(embedding)

"""Scores of the quality of speech, with and without a reference."""

import torch
from _lib import bypass, stub

FILE = "scoreq_pytorch-0.1.0/scoreq_pytorch/scoreq_torch.py"
MODULE = "scoreq_pytorch.scoreq_torch"


def setup():
    stub("huggingface_hub")
    bypass("scoreq_pytorch", "scoreq_pytorch-0.1.0/scoreq_pytorch")


def run(module):
    wave, reference = torch.randn(3, 1, 1300), torch.randn(3, 1, 1500)
    alone = module.SCOREQModel("nr").eval()
    pair = module.SCOREQModel("ref").eval()
    triplet = pair.model
    predictor = module.MosPredictor(triplet, emb_dim=768).eval()
    return (
        alone(wave),
        alone(wave[0]),
        alone(wave[0, 0]),
        pair(wave, reference),
        pair(wave[0], reference[0, 0]),
        triplet(wave, phead=True),
        predictor(wave),
    )

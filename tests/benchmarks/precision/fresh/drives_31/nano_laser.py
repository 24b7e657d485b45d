"""Encoders of sentences: a transformer and an LSTM from their weights, and batches of lines."""

import argparse
import tempfile
from pathlib import Path

import torch
from _lib import bypass, stub

FILE = "nano_laser-0.1.1/nano_laser/models.py"
MODULE = "nano_laser.models"


def setup():
    for name in ("sentencepiece", "sacremoses", "unicategories", "requests", "tqdm"):
        stub(name)
    bypass("nano_laser", "nano_laser-0.1.1/nano_laser")


def run(module):
    folder = Path(tempfile.mkdtemp())
    (folder / "vocabulary").write_text("a 7\nb 5\nc 3\n", encoding="utf-8")
    tokens = torch.tensor([[0, 4, 5, 6, 2], [0, 6, 2, 1, 1], [0, 5, 4, 2, 1]])
    lengths = torch.tensor([5, 4, 3])
    outputs = []
    for before, pooling in ((True, "cls"), (False, "maxpool")):
        settings = argparse.Namespace(
            encoder_embed_dim=22,
            encoder_ffn_embed_dim=37,
            encoder_attention_heads=2,
            encoder_layers=2,
            encoder_normalize_before=before,
            activation_fn="gelu" if before else "relu",
            sentemb_criterion=pooling,
            no_scale_embedding=before,
            max_source_positions=3,
        )
        weights = {"embed_tokens.weight": torch.randn(8 if before else 7, 22)}
        for n in range(2):
            layer = module.TransformerEncoderLayer(settings)
            weights |= {f"layers.{n}.{name}": w for name, w in layer.state_dict().items()}
        if before:
            weights |= {"layer_norm.weight": torch.rand(22), "layer_norm.bias": torch.rand(22)}
        state = {"model": weights, "cfg": {"model": settings}}
        transformer = module.LaserTransformerEncoder(state, folder / "vocabulary").eval()
        outputs += [transformer(tokens, lengths), transformer(tokens[:, :2], lengths)]

    both = {"num_embeddings": 7, "padding_idx": 1, "embed_dim": 13, "hidden_size": 11}
    both |= {"num_layers": 2, "bidirectional": True}
    lstm = module.LaserLstmEncoder(**both).eval()
    forward = module.LaserLstmEncoder(7, 1, embed_dim=13, hidden_size=17).eval()
    outputs += [lstm(tokens, lengths), forward(tokens, lengths)]
    dictionary = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "a": 4, "b": 5, "c": 6}
    torch.save(
        {"params": both, "model": lstm.state_dict(), "dictionary": dictionary}, folder / "lstm.pt"
    )
    encoder = module.SentenceEncoder(folder / "lstm.pt", max_sentences=2)
    lines = ["a b", "c", "a a  b d", "b"]
    outputs += [encoder.encode_sentences(lines), encoder.encode_sentences(lines, True)]
    return outputs

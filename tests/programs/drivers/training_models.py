"""The networks of the training programs: a loss of each."""

import importlib
import sys
from pathlib import Path

import torch
import torch.nn.functional as F

FILE = "tests/programs/training/mlp_digits.py"


def setup():
    sys.path.insert(0, str(Path(__file__).parents[1] / "training"))


def run(module):
    image = torch.rand(3, 8, 8)
    labels, tokens = torch.arange(3), torch.arange(24).reshape(2, 12)
    scores = module.Perceptron(hidden=7)(image)
    convolved = importlib.import_module("conv_digits").ConvNet()(image.unsqueeze(1))
    logits, loss = importlib.import_module("character_gpt").GPT(29)(tokens, tokens)
    vae = importlib.import_module("vae_digits")
    written = vae.VAE(hidden=11, latent=5)(image)
    words = importlib.import_module("lstm_words").RNNModel(37, dropout=0.0)
    output, state = words(tokens.t(), words.init_hidden(2))
    losses = {
        "mlp": F.cross_entropy(scores, labels),
        "conv": F.cross_entropy(convolved, labels, label_smoothing=0.05),
        "gpt": loss,
        "vae": vae.loss_function(written[0], image, *written[1:]),
        "lstm": F.nll_loss(output, tokens.t().reshape(-1)),
    }
    return losses, scores, convolved, logits, written, output, state

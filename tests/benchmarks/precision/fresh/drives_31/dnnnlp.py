"""Classifiers of texts: convolutions, recurrence over two levels, attention, a transformer."""

from types import SimpleNamespace

import torch
from _lib import bypass, stub

FILE = "dnnnlp-1.1.4/dnnnlp/model.py"
MODULE = "dnnnlp.model"


def setup():
    stub("torchcrf")
    bypass("dnnnlp", "dnnnlp-1.1.4/dnnnlp")


def run(module):
    args = SimpleNamespace(emb_type="const", emb_dim=14, n_hidden=11, n_class=5, drop_prob=0.1)
    vectors = torch.randn(29, 14)
    words = torch.arange(3 * 7).reshape(3, 7)
    mask = (torch.arange(7) < torch.tensor([[7], [5], [4]])).int()
    sentences = torch.randint(29, (3, 6, 7))
    lengths = torch.randint(1, 8, (3, 6, 1))
    plain = SimpleNamespace(emb_type=None, emb_dim=14, n_hidden=11, n_class=5, drop_prob=0.1)
    convolutions = module.CNNModel(args, vectors).eval()
    wide = module.CNNModel(plain, kernel_widths=[3, 5], act_fun=torch.nn.Tanh).eval()
    recurrent = module.RNNModel(args, vectors).eval()
    backward = module.RNNModel(args, vectors, bi_direction=False, rnn_type="GRU").eval()
    levels = module.RNNModel(args, vectors, n_hierarchy=2, use_attention=True).eval()
    transformer = module.TransformerModel(args, vectors, n_layer=2, n_head=2, feed_dim=17).eval()
    return (
        convolutions(words),
        convolutions(words, mask),
        wide(torch.randn(3, 7, 14), mask),
        recurrent(words),
        recurrent(words, mask),
        backward(words, mask),
        levels(sentences, (torch.arange(7) < lengths).int()),
        transformer(words),
        transformer(words, mask),
    )

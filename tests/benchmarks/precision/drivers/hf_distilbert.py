"""Every head of one encoder; with shapes in comments."""

import importlib

import torch
from _lib import path

FILE = "transformers-5.23.0/transformers/models/distilbert/modeling_distilbert.py"
MODULE = "transformers.models.distilbert.modeling_distilbert"


def setup():
    path("transformers-5.23.0")
    importlib.import_module(MODULE)


def run(module):
    config = module.DistilBertConfig(
        vocab_size=43,
        max_position_embeddings=17,
        n_layers=1,
        n_heads=2,
        dim=22,
        hidden_dim=37,
        num_labels=7,
        attn_implementation="eager",
    )
    tokens = torch.arange(3 * 13).reshape(3, 13) % 43
    mask = torch.arange(13).expand(3, -1) < 11
    labels = tokens % 7
    pairs = module.DistilBertConfig(**{**config.to_dict(), "num_labels": 2})
    return (
        module.DistilBertForMaskedLM(config).eval()(tokens, mask, labels=tokens).to_tuple(),
        module.DistilBertForSequenceClassification(config)
        .eval()(tokens, mask, labels=labels[:, 0])
        .to_tuple(),
        module.DistilBertForTokenClassification(config)
        .eval()(tokens, mask, labels=labels)
        .to_tuple(),
        module.DistilBertForQuestionAnswering(pairs)
        .eval()(tokens, mask, start_positions=labels[:, 1], end_positions=labels[:, 2])
        .to_tuple(),
        module.DistilBertForMultipleChoice(config)
        .eval()(tokens.repeat(5, 1, 1), mask.repeat(5, 1, 1))
        .to_tuple(),
    )

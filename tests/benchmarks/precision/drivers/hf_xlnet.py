"""Relative attention in einsum letters, time first: one stream, two, memories, and the heads."""

import importlib

import torch
from _lib import path

FILE = "transformers-5.23.0/transformers/models/xlnet/modeling_xlnet.py"
MODULE = "transformers.models.xlnet.modeling_xlnet"


def setup():
    path("transformers-5.23.0")
    importlib.import_module(MODULE)


def run(module):
    config = module.XLNetConfig(
        vocab_size=43,
        d_model=22,
        n_layer=2,
        n_head=2,
        d_inner=37,
        mem_len=7,
        num_labels=5,
        start_n_top=2,
        end_n_top=3,
        tie_word_embeddings=False,
    )
    tokens = torch.arange(3 * 13).reshape(3, 13) % 43
    mask = (torch.arange(13).expand(3, -1) < 11).float()
    kinds = tokens % 2
    language = module.XLNetLMHeadModel(config).eval()
    permutations = torch.zeros(3, 13, 13)
    permutations[:, :, -2:] = 1.0
    targets = torch.zeros(3, 2, 13)
    targets[:, 0, -2] = 1.0
    targets[:, 1, -1] = 1.0
    first = language(tokens, mask, token_type_ids=kinds, use_mems=True)
    answers = module.XLNetForQuestionAnswering(config).eval()
    return (
        first.to_tuple(),
        language(tokens, mems=first.mems, use_mems=True).to_tuple(),
        language(tokens, perm_mask=permutations, target_mapping=targets).to_tuple(),
        module.XLNetForSequenceClassification(config).eval()(tokens, mask).to_tuple(),
        module.XLNetForTokenClassification(config)
        .eval()(tokens, mask, labels=tokens % 5)
        .to_tuple(),
        module.XLNetForMultipleChoice(config).eval()(tokens.repeat(2, 1, 1)).to_tuple(),
        answers(tokens, mask).to_tuple(),
        answers(
            tokens, mask, start_positions=tokens[:, 1] % 13, end_positions=tokens[:, 2] % 13
        ).to_tuple(),
    )

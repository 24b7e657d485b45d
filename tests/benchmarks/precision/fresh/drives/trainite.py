"""A causal transformer with and without padding, and the padding of a batch from the left."""

from types import SimpleNamespace

import torch

FILE = "trainite-0.1.0/trainite/models/basic_transformer.py"


def run(module):
    model = module.BasicTransformerModel(
        vocab_size=43,
        hidden_size=22,
        num_layers=2,
        num_heads=2,
        feedforward_dim=37,
        max_seq_len=17,
        pad_token_id=0,
    ).eval()
    tokens = torch.arange(3 * 13).reshape(3, 13) % 42 + 1
    padded = tokens.clone()
    padded[1, :4] = 0
    mask = (torch.arange(13).expand(3, -1) >= torch.tensor([[0], [4], [7]])).long()
    items = [
        SimpleNamespace(
            train_input_ids=torch.arange(length),
            train_label_ids=torch.arange(length),
            attention_mask=torch.ones(length, dtype=torch.long),
        )
        for length in (5, 11, 7)
    ]
    batch = module.CausalLMCollateFn(SimpleNamespace(pad_token_id=2))(items)
    return (
        model(tokens),
        model(padded),
        model(tokens, mask),
        model(tokens, torch.ones_like(mask)),
        model(batch["input_ids"], batch["attention_mask"]),
        batch,
    )

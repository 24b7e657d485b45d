"""Convolutions over proteins that attend to annotations."""

import torch

FILE = "protein_bert_pytorch-0.1.0/protein_bert_pytorch/protein_bert_pytorch.py"


def run(module):
    model = module.ProteinBERT(
        num_tokens=21,
        num_annotation=31,
        dim=14,
        dim_global=10,
        depth=2,
        narrow_conv_kernel=3,
        wide_conv_kernel=5,
        wide_conv_dilation=2,
        attn_heads=3,
        attn_dim_head=8,
    )
    tokens = torch.randint(0, 21, (2, 17))
    annotation = torch.randint(0, 2, (2, 31)).float()
    mask = torch.ones(2, 17).bool()
    logits = model(tokens, annotation, mask=mask)
    return logits, module.PretrainingWrapper(model)(tokens, annotation, mask=mask)

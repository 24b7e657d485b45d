# NC202: the comment behind two targets is about the first of them; seen in nemo magpietts.py
import torch


def mask_of(lengths):
    ids = torch.arange(0, lengths.max())
    return ids < lengths.unsqueeze(1)


def run(embed, codes, lens, probs):
    x, x_lens = embed(
        tokens=codes, lens=lens
    )  # (B, T, E)
    x_lens = x_lens - 1
    mask = mask_of(x_lens)
    probs = probs * 1  # (B, T, K)
    return (probs * mask.unsqueeze(-1)).sum(dim=[0, 1])

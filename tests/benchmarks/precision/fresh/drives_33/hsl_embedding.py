"""Bytes as features of their bits: encoded and decoded, embedded one by one and in batches."""

import torch

FILE = "hsl_embedding-0.5.1/hsl_embedding/__init__.py"
MODULE = "hsl_embedding"


def run(module):
    text = b"a few bytes of text, and more"
    frame = module.encode(text)
    empty = module.encode(b"")
    features, phase = module.embed(text)
    full, _ = module.embed(text, include_bits=True, momentum_phase=True)
    ids = torch.randint(256, (3, 11))
    plain = module.Embedding()
    rich = module.Embedding(include_bits=True, momentum_phase=True)
    packed, phases, mask = plain.pack([b"first", text, b""], 13)
    return (
        frame.bits,
        frame.delta2,
        frame.byte_boundary_score,
        module.decode(frame) == text,
        module.decode(empty) == b"",
        module.feat_names(include_bits=True),
        features,
        phase,
        full,
        plain(ids),
        rich(ids, return_phase=True),
        rich(ids[0].to(torch.uint8)),
        rich(text, return_phase=True),
        plain(torch.randint(256, (2, 5, 1))),
        plain(ids[:, :0], return_phase=True),
        packed,
        phases,
        mask,
    )

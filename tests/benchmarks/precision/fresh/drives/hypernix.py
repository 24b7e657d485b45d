"""A small language model with grouped keys and rotary positions."""

import torch
from _lib import bypass

FILE = "hypernix-0.72.6.post4/hypernix/models/nano_nano.py"
MODULE = "hypernix.models.nano_nano"


def setup():
    folder = "hypernix-0.72.6.post4/hypernix"
    bypass("hypernix", folder)
    bypass("hypernix.system", f"{folder}/system")
    bypass("hypernix.models", f"{folder}/models")


def run(module):
    tokens = torch.arange(3 * 11).reshape(3, 11) % 43
    outputs = []
    for tied in (True, False):
        settings = module.NanoNanoConfig(
            vocab_size=43,
            dim=56,
            num_layers=2,
            num_heads=4,
            num_kv_heads=2,
            max_position_embeddings=17,
            mlp_hidden_ratio=1.3,
            tie_word_embeddings=tied,
        )
        model = module.NanoNanoModel(module.NanoNanoConfig.from_dict(settings.to_dict())).eval()
        outputs.append(model(tokens, labels=tokens.roll(-1, 1)))
    return outputs

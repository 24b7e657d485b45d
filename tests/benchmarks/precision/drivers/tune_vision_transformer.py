"""Tiles of images with a class token: axes folded, shapes in docstrings and comments."""

import torch
from _lib import stub

FILE = "torchtune-0.6.1/torchtune/modules/vision_transformer.py"


def setup():
    import copy

    from torch import nn

    stub("torchtune.modules", Fp32LayerNorm=nn.LayerNorm)
    stub(
        "torchtune.modules.transformer",
        _get_clones=lambda layer, count: nn.ModuleList(copy.deepcopy(layer) for _ in range(count)),
    )


class Positions(torch.nn.Module):
    """A position embedding for a fixed number of tokens."""

    def __init__(self, tokens, width):
        super().__init__()
        self.table = torch.nn.Parameter(torch.randn(tokens, width))

    def forward(self, x, aspect_ratio):
        return x + self.table + aspect_ratio[:, :1, None, None]


def run(module):
    outputs = []
    for append in (False, True):
        model = module.VisionTransformer(
            patch_size=5,
            tile_size=15,
            num_layers=2,
            embed_dim=14,
            layer=torch.nn.TransformerEncoderLayer(14, 2, 23, batch_first=True),
            token_pos_embedding=Positions(10, 14),
            pre_tile_pos_embed=Positions(9, 14),
            post_tile_pos_embed=Positions(10, 14),
            cls_projection=module.CLSProjection(14, 29) if append else None,
            out_indices=[0, 1],
            append_cls_token=append,
        ).eval()
        ratio = torch.tensor([[[1, 2], [2, 1], [1, 1]]] * 2)
        outputs.append(model(torch.randn(2, 3, 7, 3, 15, 15), ratio))
    return outputs

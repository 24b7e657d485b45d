"""Blocks of attention and feed-forward parts as a language model: logits, loss, generation."""

import torch
from _lib import bypass

FILE = "mlbricks_kit-1.0.0b2/mlbricks/bricks.py"
MODULE = "mlbricks.bricks"


def setup():
    bypass("mlbricks", "mlbricks_kit-1.0.0b2/mlbricks")


def run(module):
    pytorch = {"backend": "pytorch"}
    layers = [
        module.Brick(
            mixer=module.Attention(12, 3, **pytorch), ffn=module.FFN(12, 29), norm2="layernorm"
        ),
        module.Brick(
            mixer=module.Bolt(12, 2, latent_dim=5, **pytorch), pre=torch.nn.Tanh(), post=torch.sin
        ),
        module.Brick(
            mixer=module.Attention(12, 2, **pytorch),
            ffn=module.StateAwareFFN(
                12, state_dim=7, depth_embedding_dim=3, layer_index=1, total_layers=4, **pytorch
            ),
            position=module.RoPE(),
        ),
        module.Brick(
            mixer=module.Bolt(12, 3, latent_dim=7, **pytorch),
            ffn=module.MicroVirtualFFN(12, hidden_dim=11, refinements=2, **pytorch),
        ),
        module.Brick(mixer=torch.nn.Linear(12, 12), dim=12),
    ]
    model = module.Bricks(
        vocab_size=17, dim=12, context=23, layers=layers, position="learned", **pytorch
    ).eval()
    tokens = torch.randint(17, (2, 9))
    logits, loss = model(tokens, targets=torch.randint(17, (2, 9)))
    prefix, states = model.prefill(tokens)
    step, states = model.decode_step(torch.randint(17, (2,)), states, position=9)
    last, _ = model.decode_step(torch.randint(17, (2, 1)), states, position=10)
    greedy = model.generate(tokens, 5, temperature=0.0)
    drawn = model.generate(tokens[:, :4], 6, top_k=3)
    standard = module.Bricks(
        vocab_size=19,
        dim=12,
        context=13,
        layers=layers[:1],
        lm_head="standard",
        final_norm="layernorm",
        **pytorch,
    ).eval()
    other = standard(torch.randint(19, (3, 7)))
    return logits, loss, prefix, step, last, greedy, drawn, other

"""A small llama: all tokens at once, a loss, tokens one by one from a cache."""

import torch
from _lib import bypass

FILE = "tinyllama-0.0.2b0/tinyllama/models/llama.py"
MODULE = "tinyllama.models.llama"


def setup():
    bypass("tinyllama", "tinyllama-0.0.2b0/tinyllama")
    bypass("tinyllama.models", "tinyllama-0.0.2b0/tinyllama/models")


def run(module):
    sizes = {"context_window": 7, "emb_dim": 22, "n_heads": 3, "vocab_size": 17}
    model = module.Llama(**sizes, n_blocks=2, gq_ratio=2).eval()
    tokens = torch.randint(17, (5, 7))
    logits, loss = model(tokens, torch.randint(17, (5, 7)))
    first = model(tokens[:1, :4], kv_cache=True)
    second = model(tokens[:1, 4:5], kv_cache=True)
    model.clear_kv_cache()
    short = model(tokens[:, :6])
    other = model.new(emb_dim=26, vocab_size=19).eval()
    query, key = torch.nn.Linear(22, 22), torch.nn.Linear(22, 22)
    head = module.roPEAttentionHead(7, 22, query, key).eval()
    mask = torch.rand(4, 6) > 0.3
    mask[:, 0] = True
    q, k, v = torch.randn(5, 4, 11), torch.randn(5, 6, 11), torch.randn(5, 6, 13)
    return (
        logits,
        loss,
        first,
        second,
        short,
        model.clone()(tokens),
        other(torch.randint(19, (5, 7))),
        head(torch.randn(5, 7, 22), False, return_attn_weights=True),
        module.modified_dot_product_attention(head, q, k, v, attn_mask=mask),
        module.modified_dot_product_attention(
            head, q, k, v, attn_mask=torch.randn(4, 6), scale=2.0
        ),
    )

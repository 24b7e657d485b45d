"""A softmax over a dim that the next contraction carries as a batch (NC305), and look-alikes.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "over the batch, by weights without rows": """
        import torch
        from einops import rearrange
        from torch import einsum, nn

        class Pool(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.score = nn.Linear(dim, 1)

            def wrong(self, x):
                b = x.shape[0]
                weights = rearrange(self.score(x), "b n 1 -> b n")
                return einsum("b n, b n d -> b d", weights.softmax(dim=0), x)  # NC305

            def by_sizes(self, x):
                batch, steps, dim = x.shape
                weights = self.score(x).squeeze(-1)
                return torch.einsum("bn,bnd->bd", torch.softmax(weights, 0), x)  # NC305

            def right(self, x):
                batch, steps, dim = x.shape
                weights = self.score(x).squeeze(-1)
                return torch.einsum("bn,bnd->bd", torch.softmax(weights, 1), x)

            def summed_over_later(self, x):
                batch, steps, dim = x.shape
                weights = self.score(x).squeeze(-1)
                return torch.einsum("bn,bnd->bd", torch.softmax(weights, 0), x).sum(0)

            def summed_over_the_batch(self, x):
                batch, steps, dim = x.shape
                weights = self.score(x).squeeze(-1)
                return torch.einsum("bn,bnd->nd", torch.softmax(weights, 0), x)

        def capsules(logits, votes):
            i, j = logits.shape
            i, j, d = votes.shape
            return torch.einsum("ij,ijd->jd", logits.softmax(-1), votes)

        def capsules_of_a_batch(logits, votes):
            batch, i, j = logits.shape
            batch, i, j, d = votes.shape
            return torch.einsum("bij,bijd->bjd", logits.softmax(-1), votes)

        def experts(gates, outputs):
            tokens, experts = gates.shape
            tokens, experts, d = outputs.shape
            return torch.einsum("te,ted->td", gates.softmax(0), outputs)
        """,
    "over the heads, whatever made the scores": """
        import torch
        import torch.nn.functional as F
        from torch import nn

        def given(scores, v):  # scores: (B, H, T, S), v: (B, H, S, D)
            attn = scores.softmax(1)
            return attn @ v  # NC305

        def right(scores, v):  # scores: (B, H, T, S), v: (B, H, S, D)
            attn = scores.softmax(-1)
            return attn @ v

        def by_letters(scores, v):
            B, H, T, S = scores.shape
            B, H, S, D = v.shape
            return torch.einsum("bhts,bhsd->bhtd", F.softmax(scores, dim=1), v)  # NC305

        def in_another_order(scores, v):
            B, T, S, H = scores.shape
            B, S, H, D = v.shape
            wrong = torch.einsum("btsh,bshd->bthd", F.softmax(scores, dim=-1), v)  # NC305
            return wrong + torch.einsum("btsh,bshd->bthd", F.softmax(scores + 1, dim=2), v)

        def of_numbers():
            scores, v = torch.zeros(2, 3, 4, 5), torch.zeros(2, 3, 5, 6)
            return torch.matmul(scores.softmax(dim=-3), v)  # NC305

        class Additive(nn.Module):
            def __init__(self, dim, heads):
                super().__init__()
                self.score = nn.Linear(dim, heads)
                self.attend = nn.Softmax(dim=1)
                self.dropout = nn.Dropout(0.1)

            def forward(self, x, v, mask):
                B, T, S, C = x.shape
                B, H, S, D = v.shape
                scores = self.score(x).permute(0, 3, 1, 2)
                scores = scores.masked_fill(mask[:, None], -1e9)
                return self.dropout(self.attend(scores)) @ v  # NC305
        """,
    "over the batch": """
        import torch

        def f(w, x):
            B, T, S = w.shape
            B, S, C = x.shape
            return torch.bmm(w.softmax(0), x)  # NC305

        def right(w, x):
            B, T, S = w.shape
            B, S, C = x.shape
            return torch.bmm(w.softmax(2), x)
        """,
    "weights on the right": """
        import torch

        def f(v, scores):  # v: (B, H, D, S), scores: (B, H, T, S)
            return v @ scores.softmax(1).transpose(2, 3)  # NC305

        def right(v, scores):  # v: (B, H, D, S), scores: (B, H, T, S)
            return v @ scores.softmax(3).transpose(2, 3)
        """,
    "in other libraries": """
        import jax
        import jax.numpy as jnp
        import numpy as np

        def f(scores, v):  # scores: (B, H, T, S), v: (B, H, S, D)
            return jax.nn.softmax(scores, axis=1) @ v  # NC305

        def right(scores, v):  # scores: (B, H, T, S), v: (B, H, S, D)
            return jnp.einsum("bhts,bhsd->bhtd", jax.nn.softmax(scores), v)

        def spelled_out(scores, v):
            B, H, T, S = scores.shape
            B, H, S, D = v.shape
            e = np.exp(scores - scores.max(axis=1, keepdims=True))
            return (e / e.sum(axis=1, keepdims=True)) @ v  # NC305

        def spelled_out_right(scores, v):
            B, H, T, S = scores.shape
            B, H, S, D = v.shape
            e = np.exp(scores - scores.max(axis=-1, keepdims=True))
            return (e / e.sum(axis=-1, keepdims=True)) @ v
        """,
    "across a call and in a loop": """
        import torch

        def weigh(scores):
            return torch.softmax(scores, 1)

        def f(scores, v, rounds):  # scores: (B, H, T, S), v: (B, H, S, D)
            total = 0
            for _ in range(rounds):
                total = total + weigh(scores) @ v  # NC305
            return total
        """,
    "assignments": """
        import torch

        def clusters(logits, x):
            B, K, N = logits.shape
            B, N, D = x.shape
            return torch.bmm(logits.softmax(1), x)

        def capsules(logits, votes):
            B, I, J = logits.shape
            B, I, J, D = votes.shape
            c = logits.softmax(2)
            once = torch.einsum("bij,bijd->bjd", c, votes)
            votes = votes.permute(0, 2, 1, 3)
            return once, c.permute(0, 2, 1).unsqueeze(2) @ votes

        def slots(logits, x):
            B, H, K, N = logits.shape
            B, H, N, D = x.shape
            attn = logits.softmax(2)
            return (attn / attn.sum(-1, keepdim=True)) @ x

        def masks(logits, feats):
            B, K, H, W = logits.shape
            B, C, H, W = feats.shape
            p = logits.softmax(1).flatten(2)
            return torch.einsum("bkn,bcn->bkc", p, feats.flatten(2))

        def experts(gates, outputs):
            B, E, N = gates.shape
            B, E, N, D = outputs.shape
            return torch.einsum("ben,bend->bnd", gates.softmax(1), outputs)

        def kinds_of_edges(edges, x):
            B, K, N, N = edges.shape
            B, K, N, D = x.shape
            messages = torch.matmul(edges.softmax(1), x)
            return messages.sum(1)

        def kinds_of_edges_by_letters(edges, x):
            B, K, N, N = edges.shape
            B, K, N, D = x.shape
            messages = torch.relu(torch.einsum("bkij,bkjd->bkid", edges.softmax(1), x))
            return torch.einsum("bkid->bid", messages)
        """,
    "two softmaxes": """
        import torch
        from torch import nn

        def both(scores, v):  # scores: (B, H, T, S), v: (B, H, S, D)
            return scores.softmax(1) @ v, scores.softmax(-1) @ v

        def one_after_the_other(scores, v):  # scores: (B, H, T, S), v: (B, H, S, D)
            return scores.softmax(1).softmax(-1) @ v

        def renormalised(scores, v):  # scores: (B, H, T, S), v: (B, H, S, D)
            attn = scores.softmax(1)
            out = attn @ v
            return out / attn.sum(-1, keepdim=True)

        class Talking(nn.Module):
            def __init__(self, heads):
                super().__init__()
                self.mix = nn.Linear(heads, heads)

            def forward(self, scores, v):
                B, H, T, S = scores.shape
                B, H, S, D = v.shape
                attn = scores.softmax(1)
                return self.mix(attn.permute(0, 2, 3, 1)).permute(0, 3, 1, 2) @ v
        """,
    "a partner without the dim": """
        import torch

        def f(scores, v):
            B, K, T, S = scores.shape
            S, D = v.shape
            return scores.softmax(1) @ v

        def shared(scores, v):
            B, K, T, S = scores.shape
            B, S, D = v.shape
            return scores.softmax(1) @ v[:, None]

        def of_unknown_rank(scores, v):
            B, K, T, S = scores.shape
            return scores.softmax(1) @ v

        def on_one_way(scores, v, flag):
            B, H, T, S = scores.shape
            B, H, S, D = v.shape
            attn = scores.softmax(1) if flag else scores.softmax(-1)
            return attn @ v
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])

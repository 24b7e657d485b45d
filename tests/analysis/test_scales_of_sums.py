"""Roots of sizes that scale scores (NC307): they belong to a sum that nothing but sums came after.

A line ends in the code that is reported there.
"""

from __future__ import annotations

from textwrap import dedent

import pytest
from snippets import check_marks

HEAD = """
import math
import torch
import torch.nn.functional as F
from einops import rearrange
from torch import nn

"""

PROGRAMS = {
    "features behind an exponential": """
        def positive(x, projection):
            projected = torch.einsum("bhtd,bhdm->bhtm", x, projection)
            return torch.exp(projected) / math.sqrt(projection.shape[-1])

        def in_steps(q, k):
            n, d = q.shape[-2:]
            m = k.size(-2)
            features = q @ k.transpose(-2, -1)
            features = features - features.amax(-1, keepdim=True)
            features = features.exp() + 1e-6
            return features * m ** -0.5

        def squared(q, k):
            b, t, d = q.shape
            b, m, d = k.shape
            return (q @ k.transpose(1, 2)).pow(2) / m ** 0.5

        def times_itself(q, k):
            b, t, d = q.shape
            b, m, d = k.shape
            scores = q @ k.transpose(1, 2)
            return scores * scores / m ** 0.5

        def cut(q, k):
            b, t, d = q.shape
            b, m, d = k.shape
            return torch.bmm(q, k.transpose(1, 2)).clamp(min=0) / math.sqrt(m)

        def by_functions(q, k):
            b, t, d = q.shape
            b, m, d = k.shape
            scores = torch.bmm(q, k.transpose(1, 2))
            both = torch.cat([torch.cos(scores), torch.sin(scores)], -1)
            return F.relu(scores) / math.sqrt(m), both / math.sqrt(m)
        """,
    "across a call": """
        def feature(x, kernel):
            return kernel(x)

        def rooted(x, size):
            return x / math.sqrt(size)

        def attend(q, k):
            b, t, d = q.shape
            b, m, d = k.shape
            return rooted(feature(q @ k.transpose(1, 2), torch.exp), m)

        def wrong(q, k):
            b, t, d = q.shape
            b, m, d = k.shape
            scores = q @ k.transpose(1, 2)
            scores = scores.masked_fill(scores > 3, 0)
            return scores / math.sqrt(m)  # NC307
        """,
    "what was scaled already": """
        def mean_too(q, k):
            b, t, d = q.shape
            b, m, d = k.shape
            scores = q @ k.transpose(1, 2) / math.sqrt(d)
            return scores / math.sqrt(m)
        """,
    "sums over two sizes": """
        def both(q, k, u, v):
            b, t, d = q.shape
            b, s, d = k.shape
            b, t, s = u.shape
            b, s, s = v.shape
            return (q @ k.transpose(1, 2) + u @ v) / math.sqrt(s)

        def both_alike(q, k, bias):
            b, t, d = q.shape
            b, s, d = k.shape
            scores = q @ k.transpose(1, 2) + bias
            return scores / math.sqrt(t)  # NC307
        """,
    "projections on random directions": """
        def matrix(x, directions):
            n, d = x.shape
            d, m = directions.shape
            return x @ directions / math.sqrt(m)

        def of_each_head(x, directions):
            b, h, t, d = x.shape
            h, d, m = directions.shape
            return torch.einsum("bhtd,hdm->bhtm", x, directions) * m ** -0.5

        def of_samples(x, directions):
            b, t, d = x.shape
            m, d = directions.shape
            return torch.matmul(x, directions.T) / math.sqrt(m)

        def keys_without_a_batch(q, k):
            t, d = q.shape
            s, d = k.shape
            return q @ k.T / math.sqrt(s)  # NC307
        """,
    "linear steps": """
        def masked(q, k, mask):
            b, h, t, d = q.shape
            scores = torch.einsum("bhtd,bhsd->bhts", q, k)
            scores = torch.where(mask, scores, -1e9)
            return (-scores) * t ** -0.5  # NC307

        def less_the_largest(q, k):
            b, h, t, d = q.shape
            scores = torch.einsum("bhtd,bhsd->bhts", q, k)
            scores = scores - scores.amax(-1, keepdim=True)
            return scores / math.sqrt(t)  # NC307

        def right(q, k, mask):
            b, h, t, d = q.shape
            scores = torch.einsum("bhtd,bhsd->bhts", q, k)
            return (scores + mask) / math.sqrt(d)
        """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=list(PROGRAMS))
def test_only_the_marked_lines_are_reported(program: str) -> None:
    check_marks(HEAD + dedent(program))

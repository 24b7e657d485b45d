"""A tensor beside its own mean or sum that lies along another of its dims (NC202).

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "of equal sizes": """
        import numpy as np
        import torch
        from jaxtyping import Float
        from torch import Tensor

        def of_numbers():
            x = torch.rand(4, 4)
            return x / x.sum(-1)  # NC202

        def of_columns():
            x = torch.rand(4, 4)
            return x / x.sum(0)

        def transitions(n):
            p = np.random.rand(n, n)
            return p / p.sum(axis=1)  # NC202

        def kept(n):
            p = np.random.rand(n, n)
            return p / p.sum(axis=1, keepdims=True)

        def declared(x: Float[Tensor, "n n"]):
            return x - x.mean(dim=-1)  # NC202

        def products(q, k):
            N, D = q.shape
            N, D = k.shape
            scores = q @ k.T
            return scores / scores.norm(dim=1)  # NC202

        def of_a_batch():
            x = torch.rand(4, 4, 4)
            return x - x.amax(dim=2), x - x.amax(dim=0)  # NC202
        """,
    "by a name": """
        import torch

        def divided(x):
            B, T, C = x.shape
            total = x.view(B, T, C).sum(-1)
            x = torch.randn(5, 5)
            total = x.sum(-1) + 1e-6
            return x / total  # NC202

        def kept(x):
            x = torch.randn(5, 5)
            total = x.sum(-1) + 1e-6
            return x / total[:, None]

        def largest():
            x = torch.randn(5, 5)
            return x - x.max(-1).values  # NC202

        def largest_of_columns():
            x = torch.randn(5, 5)
            return x - x.max(0).values

        def in_place():
            x = torch.randn(5, 5)
            x /= x.sum(dim=1)  # NC202
            return x

        def loop(rounds):
            x = torch.rand(5, 5)
            for _ in range(rounds):
                x = x / x.sum(-1)  # NC202
                x = x / x.sum(-2)
            return x
        """,
    "in JAX and by functions": """
        import jax
        import jax.numpy as jnp
        import numpy as np

        def f(key):
            x = jax.random.normal(key, (6, 6))
            return x - jnp.mean(x, axis=1)  # NC202

        def right(key):
            x = jax.random.normal(key, (6, 6))
            return x - jnp.mean(x, axis=0), x / jnp.linalg.norm(x, axis=1, keepdims=True)

        def lengths():
            x = np.random.randn(6, 6)
            return x / np.linalg.norm(x, axis=1)  # NC202

        def inverse():
            x = np.random.randn(6, 6)
            return np.divide(x, np.max(x, axis=-1))  # NC202
        """,
    "symmetric": """
        import numpy as np
        import torch

        def gram(x):
            N, D = x.shape
            sim = x @ x.T
            return sim / sim.sum(-1)

        def gram_of_batch(x):
            B, N, D = x.shape
            sim = torch.einsum("bnd,bmd->bnm", x, x)
            return sim / sim.sum(-1).mean(0)

        def distances(x):
            N, D = x.shape
            d = torch.cdist(x, x)
            near = torch.exp(-d)
            return near / near.sum(dim=1)

        def differences(x):
            N, D = x.shape
            d = ((x[:, None] - x[None]) ** 2).sum(-1)
            return d / d.sum(dim=1)

        def covariance(x):
            c = np.cov(x)
            return c / c.sum(axis=1), np.eye(4) / np.eye(4).sum(1)

        def made_symmetric(n):
            a = torch.rand(n, n)
            a = (a + a.T) / 2
            return a / a.sum(1)

        def upper(n):
            a = np.random.rand(n, n)
            a = np.triu(a, 1) + np.triu(a, 1).T
            return a / a.sum(axis=1)

        def filled(edges, n):
            a = np.zeros((n, n))
            for i, j in edges:
                a[i, j] = a[j, i] = 1
            return a / a.sum(axis=1)
        """,
    "both sides are scaled": """
        import torch

        def normalised(n):
            a = torch.rand(n, n)
            d = a.sum(1) ** 0.5
            return a / d / d[:, None]

        def first_rows(n):
            a = torch.rand(n, n)
            d = a.sum(1) ** -0.5
            return d.unsqueeze(1) * a * d

        def outer(n):
            a = torch.rand(n, n)
            d = a.sum(1)
            return a * d / torch.outer(d, d), a - a.mean(1)  # NC202
        """,
    "one column": """
        import torch

        def f(x):
            N, D = x.shape
            y = x[:1]
            return y / y.sum(-1)

        def unknown_rank(x):
            return x / x.sum(-1)

        def some_axis(x, axis):
            N, D = x.shape
            return x / x.sum(axis)
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])

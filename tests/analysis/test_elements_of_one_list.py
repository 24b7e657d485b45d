"""Two elements of one list are two values, whatever their places (NC203).

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "sites of a chain": """
        import torch

        class Chain:
            def __init__(self, count):
                self.sites = []

            def bonds(self):
                return [t.shape[0] for t in self.sites] + [self.sites[-1].shape[2]]

            def contract(self, low, high):
                a, b = self.sites[low], self.sites[high]
                left, right = a.shape[0], b.shape[2]
                return torch.einsum("lir,rjs->lijs", a, b).reshape(left, 4, right)

            def contract_with_itself(self, low):
                a = self.sites[low]
                left, right = a.shape[0], a.shape[2]
                return torch.einsum("lir,rjs->lijs", a, a)  # NC203
        """,
    "weights of layers": """
        import numpy as np

        class Net:
            def __init__(self, widths):
                self.weights = []

            def sizes(self):
                return [w.shape[0] for w in self.weights]

            def product(self, k):
                first, second = self.weights[k], self.weights[k + 1]
                rows, columns = first.shape[0], second.shape[1]
                return np.matmul(first, second).reshape(rows, columns)
        """,
    "values of a dict": """
        import torch

        class Store:
            def __init__(self, keys):
                self.parts = {}

            def sizes(self):
                return {key: part.shape[0] for key, part in self.parts.items()}

            def join(self, one, other):
                a, b = self.parts[one], self.parts[other]
                n, m = a.shape[0], b.shape[1]
                return torch.matmul(a, b)
        """,
    "first and last": """
        import jax.numpy as jnp

        class Train:
            def __init__(self):
                self.cores = []

            def sizes(self):
                return [core.shape[0] for core in self.cores]

            def close(self, k):
                first, last = self.cores[k], self.cores[-1]
                left, right = first.shape[0], last.shape[2]
                return jnp.einsum("lir,rjs->lijs", first, last)
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_elements_of_one_list(name: str) -> None:
    check_marks(PROGRAMS[name])

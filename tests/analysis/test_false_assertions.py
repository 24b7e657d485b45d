"""Assertions that are false for the numbers of a drive (NC405), and only for these.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "shapes and sizes": """
        import torch
        from torch import nn

        def test_shape():
            y = nn.Linear(3, 4)(torch.zeros(2, 3))
            assert y.shape == (2, 4)
            assert y.shape == (2, 5)  # NC405

        def test_size():
            y = nn.Linear(3, 4)(torch.zeros(2, 3))
            assert y.size(-1) == 4, "four"
            assert y.size(-1) != 4  # NC405

        def test_rows():
            y = torch.zeros(2, 3)
            assert list(y.shape) == [2, 3]
            assert [y.shape[0], y.shape[1]] == [2, 4]  # NC405

        def test_ranks():
            assert torch.zeros(2, 3).ndim == 2
            assert torch.zeros(2, 3).dim() > 2  # NC405
        """,
    "in a function that a test calls": """
        import numpy as np

        def tiled(patches):
            side = int(patches.shape[1] ** 0.5)
            assert side * side == patches.shape[1]  # NC405
            return patches.reshape(-1, side, side)

        def test_right():
            return tiled(np.zeros((4, 25)))

        def test_wrong():
            return tiled(np.zeros((4, 24)))
        """,
    "false on one of two ways only": """
        import torch
        import torch.nn.functional as F

        def scored(labels, n):
            if labels.dtype in (torch.int, torch.long):
                labels = F.one_hot(labels, n)
            assert labels.shape[-1] == n
            return labels

        def wrong(labels, n):
            if labels.dtype in (torch.int, torch.long):
                labels = labels[None]
            assert labels.shape[-1] == n  # NC405
            return labels

        def test_both():
            scored(torch.randint(0, 9, (2,)), 9)
            wrong(torch.randint(0, 9, (2,)), 9)
        """,
    "a test that raises": """
        import torch

        def known(x, n=None):
            if n is not None and x.shape[1] != n:  # NC405
                raise ValueError("another width")
            return x

        def product(x, w):
            if x.shape[-1] != w.shape[0] or x.ndim != 2:  # NC405
                message = f"{x.shape}"
                raise ValueError(message)
            return x @ w

        def alike(x, y):
            if not x.shape == y.shape:  # NC405
                raise RuntimeError
            return x

        def in_parts(x, size):
            if x.shape[0] % size:
                raise ValueError
            if x.shape[0] // size > 2:  # NC405
                raise TypeError("too many")
            return x

        def right(x, w):
            if x.ndim != 2 or x.shape[1] != w.shape[0]:
                raise ValueError
            return x @ w

        def test_all():
            right(torch.zeros(3, 4), torch.zeros(4, 5))
            known(torch.zeros(3, 4))
            alike(torch.zeros(3, 4), torch.zeros(3, 4))

        def test_known():
            known(torch.zeros(3, 4), 5)

        def test_product():
            product(torch.zeros(3, 4), torch.zeros(3, 5))

        def test_alike():
            alike(torch.zeros(3, 4), torch.zeros(4, 3))

        def test_in_parts():
            in_parts(torch.zeros(9, 4), 3)
        """,
    "errors that steer a program": """
        import pytest, torch

        class Sizes:
            def __init__(self):
                self.size = 0

            def __iter__(self):
                return self

            def __next__(self):
                self.size += 1
                if self.size > 3:
                    raise StopIteration
                return torch.zeros(self.size)

            def __getitem__(self, index):
                if index >= 3:
                    raise IndexError
                return torch.zeros(index)

        def wide(x):
            if x.shape[1] < 9:
                raise ValueError
            return x

        def first(x):
            try:
                return wide(x)
            except ValueError:
                return None

        def test_loops():
            for x in Sizes():
                print(x)
            first(torch.zeros(3, 4))
            with pytest.raises(ValueError):
                wide(torch.zeros(3, 4))
            Sizes()[5]
        """,
    "parts of an assertion": """
        import torch

        def both(x):
            assert x.shape[0] == 3 and x.shape[1] == 5  # NC405

        def either(x, y=None):
            assert y is None or x.shape[0] == 9  # NC405

        def fine(x, y=None):
            assert y is None or x.shape[0] == 9
            assert x.shape[0] == 3 or x.shape[1] == 5

        def test_fine():
            fine(torch.zeros(3, 4))

        def test_both():
            both(torch.zeros(3, 4))

        def test_either():
            either(torch.zeros(3, 4))
            either(torch.zeros(3, 4), 3)
        """,
    "in the statements of a module": """
        import jax.numpy as jnp

        x = jnp.zeros((2, 3))
        assert x.shape[0] == 2
        assert x.shape[1] == 2  # NC405
        """,
    "names of sizes are not numbers": """
        import torch

        def pooled(x, n):
            b, t, c = x.shape
            assert t == n
            assert b != c
            return x

        class Block(torch.nn.Module):
            def __init__(self, dim, heads=8):
                super().__init__()
                assert dim % heads == 0
                self.dim = dim

            def forward(self, x):
                assert x.shape[-1] == self.dim
                return x

        def build(dim: int):
            return Block(dim, 7)
        """,
    "what is expected, and what may not run": """
        import pytest, torch
        from unittest import TestCase

        def test_expected():
            with pytest.raises(AssertionError):
                assert torch.zeros(2).shape[0] == 3

        @pytest.mark.xfail
        def test_marked():
            assert torch.zeros(2).shape[0] == 3

        class TestSizes(TestCase):
            def test_refused(self):
                with self.assertRaises(AssertionError):
                    assert torch.zeros(2).shape[0] == 3

        def test_branch(request):
            if request.config.getoption("--slow"):
                assert torch.zeros(2).shape[0] == 3

        def test_data():
            x = torch.zeros(2)
            assert x[0] == 3
            assert x.sum() == 1
            assert isinstance(x, int)
            assert x is None
        """,
    "what a comment says": """
        import torch

        def test_commented(loader):
            x = next(loader)  # (2, 3)
            assert x.shape == (2, 4)
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_assertions(name: str) -> None:
    check_marks(PROGRAMS[name])

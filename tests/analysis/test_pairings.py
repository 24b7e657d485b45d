"""`[N, 1]` beside `[N]` with a 1 that nobody wrote (NC202), by what is made of the pairs.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "numbers, reduced whole": """
        import numpy as np
        import torch

        def squared():
            x, y = torch.zeros(8, 3), torch.zeros(8)
            pred = x.sum(1, keepdim=True)
            return ((pred - y) ** 2).mean()  # NC202

        def right():
            x, y = torch.zeros(8, 3), torch.zeros(8)
            pred = x.sum(1)
            return ((pred - y) ** 2).mean()

        def by_weights():
            x, w, y = np.zeros((8, 3)), np.zeros((3, 1)), np.zeros(8)
            error = y - x @ w  # NC202
            squared = error**2
            return squared.sum() / 8

        def by_functions():
            x, w, y = np.zeros((8, 3)), np.zeros((3, 1)), np.zeros(8)
            return np.sqrt(np.mean(np.square(np.dot(x, w) - y)))  # NC202

        def in_a_loop(rounds):
            x, y = torch.zeros(8, 3), torch.zeros(8)
            w = torch.zeros(3, 1, requires_grad=True)
            for _ in range(rounds):
                loss = (x.mm(w) - y).abs().mean()  # NC202
                loss.backward()

        def all_right():
            x, w, y = np.zeros((8, 3)), np.zeros((3, 1)), np.zeros((8, 1))
            return np.mean((x @ w - y) ** 2) + np.mean(((x @ w)[:, 0] - y[:, 0]) ** 2)
        """,
    "names": """
        import torch

        def by_weights(x, y):
            N, D = x.shape
            w = torch.zeros(D, 1)
            return ((x @ w - y.view(N)) ** 2).mean()  # NC202

        def right(x, y):
            N, D = x.shape
            w = torch.zeros(D, 1)
            return ((x @ w - y.view(N, 1)) ** 2).mean()
        """,
    "a 1 that was written": """
        import torch

        def in_the_operand(n: int):
            x = torch.zeros(8, 3).sum(1)
            return (x[:, None] - x).abs().mean() + (x.unsqueeze(1) - x).abs().sum()

        def in_the_assignment(n: int):
            a, b = torch.randn(8, 1), torch.randn(8)
            c, d = torch.randn(n, 1), torch.randn(n)
            return (a - b).abs().mean() + (c - d).abs().mean()

        def reshaped():
            x = torch.zeros(8, 3).sum(1)
            column = x.reshape(-1, 1)
            return ((column - x) ** 2).mean()

        def sliced():
            x, y = torch.zeros(8, 3), torch.zeros(8)
            return (x[:, :1] - y).abs().mean()
        """,
    "pairs that are meant": """
        import numpy as np
        import torch

        def returned():
            x, y = torch.zeros(8, 3), torch.zeros(8)
            return x.sum(1, keepdim=True) - y

        def nearest():
            x, y = torch.zeros(8, 3), torch.zeros(8)
            gaps = (x.sum(1, keepdim=True) - y).abs()
            return gaps.min(1).values.mean()

        def distances(x):
            N, D = x.shape
            squares = (x**2).sum(1, keepdim=True)
            return squares + (x**2).sum(1) - 2 * x @ x.T

        def distances_reduced_whole(x):
            N, D = x.shape
            squares = np.sum(x**2, axis=1, keepdims=True)
            gaps = squares + np.sum(x**2, axis=1) - 2 * x.dot(x.T)
            return gaps.mean()

        def distances_of_numbers():
            x = torch.zeros(8, 3)
            squares = (x**2).sum(1, keepdim=True)
            gaps = squares + (x**2).sum(1) - 2 * x @ x.T
            return gaps.mean()

        def differences_of_numbers():
            x = torch.zeros(8, 3)
            gaps = -x.sum(1, keepdim=True) - x.sum(1) + 2 * x @ x.T
            return gaps.mean()
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])

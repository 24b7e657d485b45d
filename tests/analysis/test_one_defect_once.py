"""One defect is one finding: a layer that fits nowhere, an unpacking that raises.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "a layer that fits none of its inputs": """
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 1, 1)
                self.norm = nn.BatchNorm2d(100)  # NC208

            def forward(self, x, mode):
                if mode == "loss":
                    return self.norm(self.conv(x))
                if mode == "predict":
                    return self.norm(self.conv(x) + 1)
                return self.norm(self.conv(x) + 2)

        class Once(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 1, 1)
                self.norm = nn.BatchNorm2d(100)

            def forward(self, x):
                return self.norm(self.conv(x))  # NC208
        """,
    "a layer that fits one of its inputs": """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(3, 4)

            def forward(self):
                x = self.fc(torch.zeros(2, 3))
                y = self.fc(torch.zeros(3, 2))  # NC208
                z = self.fc(torch.zeros(5, 2))  # NC208
                return x, y, z
        """,
    "an annotation that several uses contradict, and calls": """
        import jax.numpy as jnp
        from jax import Array
        from jaxtyping import Float

        class Grid:
            values: Float[Array, "n"]

            def left(self, face: Float[Array, "n"]):  # NC301
                return face[:, 0], face[:, -1]

            def use(self):
                return self.left(self.values)

        def ends(x: Float[Array, "t n"]):  # NC301
            for i in range(3):
                a = x[0, 0, i]
            return a, jnp.transpose(x, (0, 2, 1))

        def caller(y: Float[Array, "t n"]):
            return ends(y)

        ends(jnp.zeros((4, 5)))
        """,
    "two uses that calls alone show": """
        import jax.numpy as jnp
        from jax import Array
        from jaxtyping import Float

        def ends(x):
            return x[0, 0, 1], jnp.transpose(x, (0, 2, 1))

        def caller(y: Float[Array, "t n"]):  # NC301
            return ends(y)
        """,
    "an unpacking that raises": """
        import torch

        def covariance(x: torch.Tensor):
            batch, width = x.size()
            x = x - x.mean(dim=0)
            return (x.T @ x) / (batch - 1)

        def run(x: torch.Tensor):
            x = torch.zeros(2, 3, 4)
            batch, width = x.size()  # NC303
            return x @ torch.zeros(5, 6)
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])

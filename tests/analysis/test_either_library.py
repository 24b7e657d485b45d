"""Unknown values that may be a tensor, or an array: wrong is what is wrong of either.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "in a file of PyTorch": """
        import torch
        from torch import nn

        def mirrored(image):
            h, w, c = image.shape
            return image[:, ::-1].copy(), image.astype("f")[::-1]

        def larger(x):
            h, w = x.shape
            x += torch.zeros((3, h, w))
            return x

        def wrong(x: torch.Tensor):
            h, w = x.shape
            y = x[::-1]  # NC212
            x += torch.zeros((3, h, w))  # NC106
            return x, y

        def shown(x):
            h, w = x.shape
            y = x.unsqueeze(0)
            return y[::-1]  # NC212

        def of_either(x):
            h, w = x.shape
            a = x.mean(2)  # NC301
            return x[0, 1, 2]  # NC301

        class Block(nn.Module):
            def forward(self, x):
                h, w = x.shape
                y = x[::-1]  # NC212
                x += torch.zeros((3, h, w))  # NC106
                return x, y

            def inner(self, x):
                def mirrored(y):
                    h, w = y.shape
                    return y[::-1]  # NC212

                return mirrored(x)
        """,
    "in a file of NumPy": """
        import numpy as np

        def swapped(x):
            b, h, w = x.shape
            return x.transpose(0, 1)

        def larger(x):
            h, w = x.shape
            x += np.zeros((3, h, w))
            return x

        def known(x: np.ndarray):
            b, h, w = x.shape
            y = x.transpose(0, 1)  # NC303
            x *= np.zeros((3, b, h, w))  # NC106
            return x, y

        def made(x):
            b, h, w = x.shape
            y = np.abs(x)
            return y.transpose(0, 1)  # NC303

        def of_either(x):
            h, w = x.shape
            a = x.mean(axis=2)  # NC301
            return x.transpose(0, 1, 2)  # NC303
        """,
    "in a file of both": """
        import numpy as np
        import torch

        def swapped(x):
            b, h, w = x.shape
            return x.transpose(0, 1), x.transpose(2, 0, 1)

        def shown(x):
            b, h, w = x.shape
            y = x.permute(2, 0, 1)
            y += torch.zeros(3, w, b, h)  # NC106
            return y.transpose(2, 0, 1)
        """,
    "arrays that nothing is written to": """
        import jax
        import jax.numpy as jnp
        import numpy as np

        def larger(x):
            h, w = x.shape
            x += jnp.zeros((3, h, w))
            x = np.zeros((h, w))
            x -= jnp.zeros((3, h, w))
            return x
        """,
    "one name, another meaning": """
        import numpy as np
        import jittor as jt

        def twice(a):
            return a.transpose(0, 1).transpose(2, 3)

        def of_a_part(stack, rows, columns, chosen):
            part = stack[rows, columns, chosen, :, :]
            return part + part.transpose(0, 1).transpose(2, 3)

        def named(a):
            swapped = a.transpose(1, 0)
            return swapped.sum(axis=2)

        class Model:
            def run(self, a):
                self.state = a.transpose(0, 1)
                return self.state.mean(2)

        def in_a_loop(items):
            return [item.transpose(0, 1).transpose(1, 2) for item in items]

        def by_numpy(a):
            return np.transpose(a, (0, 1)).sum(axis=2)  # NC301

        def of_three(a):
            return a.transpose(0, 2, 1).sum(axis=3)  # NC301

        def of_an_array(a: np.ndarray):
            return a.transpose(0, 1).sum(axis=2)  # NC301

        def of_either(a):
            return a.reshape(3, 4).sum(axis=2)  # NC301
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])

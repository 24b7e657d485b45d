"""Sizes of two names that the code makes equal on purpose.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "a part of an array takes that part of its transpose": """
        import numpy as np
        import torch

        def method(out):
            b, c, h, w, d = out.shape
            m = np.zeros((3, h, w, d))
            m[1, ...] = np.arange(0, w) - w / 2
            m[1, ...] = m.swapaxes(3, 2)[1]
            m[0] = np.arange(h)
            m[0] = np.swapaxes(m, 3, 1)[0, ...]
            return m

        def tensors(out):
            b, c, rows, columns = out.shape
            grid = torch.zeros(2, rows, columns)
            grid[0] = torch.arange(rows)
            grid[0] = grid.transpose(1, 2)[0]
            grid[1] = torch.arange(columns)
            return grid
        """,
    "a part of an array takes something else": """
        import numpy as np
        import torch

        def wrong(out):
            b, c, rows, columns = out.shape
            grid = torch.zeros(2, rows, columns)
            grid[0] = torch.arange(rows)  # NC206
            grid[1] = torch.arange(columns)
            return grid

        def wrong_other(out, grid):
            b, c, rows, columns = out.shape
            other = torch.zeros(2, rows, columns)
            grid = torch.zeros(2, rows, columns)
            grid[0] = other.transpose(1, 2)[0]  # NC206
            return grid
        """,
    "one tensor is expanded to another one's shape": """
        import numpy as np
        import torch

        def masks(q, k, mask):
            b, h, q_len, d = q.shape
            k_len = k.shape[-2]
            b, m_len = mask.shape
            m = mask[:, None, :, None].expand_as(q)
            return q * m

        def values(q, v):
            b, h, i, d = q.shape
            _, j, _ = v.shape
            v = v[:, None].expand(b, h, i, d)
            return q + v

        def arrays(q, k):
            b, n, d, m = *q.shape, k.shape[1]
            return np.broadcast_to(k, (b, n, d))

        def loop(queries, k):
            b, k_len, d = k.shape
            for q in queries:
                _, q_len, _ = q.shape
                k = k.expand_as(q)
            return k

        def pair(q, k):
            q_len, k_len = q.size(1), k.size(1)
            k = torch.relu(k)
            return k.expand(-1, q_len, 3)
        """,
    "an annotation says that the sizes are not the same": """
        from jaxtyping import Float
        from torch import Tensor

        def repeated(
            x: Float[Tensor, "*sample batch feature"], target: Float[Tensor, "batch out_feature"]
        ):
            return target.expand((*x.shape[:-2], len(target))).reshape(-1)  # NC206
        """,
    "a tensor is expanded to a shape that it does not fit": """
        import numpy as np
        import torch

        def wrong(x):
            b, c, h, w = x.shape
            y = torch.zeros(b, c, w, h)
            return y.expand_as(x)  # NC206

        def wrong_numbers(x):
            return torch.zeros(3, 4).expand_as(torch.zeros(2, 3, 5))  # NC206
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])

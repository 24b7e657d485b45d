"""Comments over several lines of code, or over what is taken apart (NC402).

A chain `A -> B -> C` above two lines is right of the first one if that makes B. A comment behind
`q, k, v = qkv` may be about `qkv`. A mark `# NC402` is at the end of the line that is reported.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "a chain of two steps": """
        import torch
        from torch import Tensor

        def pick(X: Tensor, S: Tensor):
            B, L, A, D = X.shape  # (B, L, 14, 3)
            # (B,L,14,3) @ (B,L,16,3)  => (B,L,16,3) => (B,L,4,4,3) => (B,L,4)
            picked = torch.gather(X, -2, S.view(B, L, 16, 1).expand([-1, -1, -1, 3]))
            first, *_ = picked.reshape([B, L, 4, 4, 3]).unbind(-2)
            return first

        def wrong(X: Tensor, S: Tensor):
            B, L, A, D = X.shape  # (B, L, 14, 3)
            # (B,L,14,3) @ (B,L,16,3)  => (B,L,4)
            picked = torch.gather(X, -2, S.view(B, L, 16, 1).expand([-1, -1, -1, 3]))  # NC402
            return picked

        def lay_out(y, b, h, w):
            # (B, I*C, H, W) -> (B, I, C, H, W) -> (B, C, H, W, I)
            y = y.reshape(b, 4, -1, h, w)
            y = y.permute(0, 2, 3, 4, 1)  # (B, C, H, W, I)
            return y
        """,
    "two operands side by side": """
        import torch

        def overlap(inputs, targets):
            assert inputs.shape == targets.shape
            assert len(inputs.shape) == 2
            return torch.mul(targets, inputs).sum(dim=-1)  # [N, C] [N, C] --> [N]
        """,
    "what is taken apart": """
        from torch import Tensor

        def states(qkv: Tensor, b: int, t: int, h: int, d: int):
            q, k, v = (
                qkv.view(t, b, 3, h, d).permute(2, 1, 0, 3, 4).contiguous()
            )  # [3, batch, seq, heads, dim]
            return q, k, v

        def parts(qkv: Tensor, b: int, t: int, h: int, d: int):
            q, k, v = qkv.view(t, b, 3, h, d).unbind(2)  # [seq, batch, heads, dim]
            return q, k, v
        """,
    "what the lines below make in the end": """
        import torch

        def rotate(quats, points, multiply):
            N, _ = quats.shape
            B, _ = points.shape
            p = torch.cat([torch.zeros(B, 1), points], dim=-1)  # (B, 4)
            # all of them with all points
            # output (N,B,3)
            p = p[None, :, :].expand(N, B, 4)  # (N,B,4)
            q = quats[:, None, :].expand(N, B, 4)
            return multiply(q, p)[..., 1:]

        def wrong(points, N, B):
            # output (N,B,3)
            p = torch.zeros(B, 4).expand(N, B, 4)  # NC402
            return p
        """,
    "authors and years": """
        import torch

        def gravity(x):
            g = torch.tensor(9.7963)  # (Griffies, 2004)
            b = torch.tensor(0.9)  # (Kingma, Ba, 2015)
            return x * g * b
        """,
    "the order of what the last dim holds": '''
        import numpy as np

        def stress(num_cells: int):
            """Read.

            Returns:
                Mean stress ``(num_cells, 6)`` in the order
                ``(axx, ayy, azz, bxy, bxz, byz)``.
            """
            sums = np.zeros((num_cells, 6))
            counts = np.ones(num_cells)
            return sums / counts[:, None]
        ''',
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])

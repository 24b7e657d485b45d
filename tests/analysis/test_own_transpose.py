"""What takes its own transpose is square, also on the lines before.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "a part takes its own transpose": """
        import numpy as np

        def of_an_array(out):
            b, c, h, w = out.shape
            mask = np.zeros((2, h, w))
            mask[0, :, :] = np.arange(h)
            mask[0, :, :] = mask[0, :, :].T
            return mask

        def by_a_function(out):
            b, c, h, w = out.shape
            mask = np.zeros((c, h, w))
            mask[0] = np.arange(h)
            mask[0] = np.swapaxes(mask[0], 0, 1)
            return mask

        def with_less_in_brackets(out):
            b, c, h, w = out.shape
            mask = np.zeros((c, h, w))
            mask[0, :, :] = np.arange(h)
            mask[0] = mask[0, ...].T.copy()
            return mask
        """,
    "the whole takes its own transpose": """
        import torch

        def in_place(out):
            b, c, h, w = out.shape
            table = torch.zeros(h, w)
            table[:] = torch.arange(h)
            table.copy_(table.t())
            return table

        def in_a_loop(out):
            b, c, h, w = out.shape
            table = torch.zeros(h, w)
            table[:] = torch.arange(h)
            for step in range(3):
                if step:
                    table[:] = 0.5 * table.transpose(0, 1).clone()
            return table

        def with_a_sum(out):
            b, c, h, w = out.shape
            table = torch.zeros(h, w)
            table[:] = torch.arange(h)
            return table + table.t()
        """,
    "another value": """
        import numpy as np

        def of_another_value(out):
            b, c, h, w = out.shape
            mask = np.zeros((c, h, w))
            other = np.zeros((c, h, w))
            mask[1] = other[1].T  # NC206
            return mask

        def of_another_part(out):
            b, c, h, w = out.shape
            mask = np.zeros((c, h, w))
            mask[1] = mask[0].T  # NC206
            return mask

        def of_a_mean(out):
            b, c, h, w = out.shape
            mask = np.zeros((c, h, w))
            mask[0] = mask[0].mean(1)  # NC206
            return mask

        def of_other_names(out):
            b, c, h, w = out.shape
            mask = np.zeros((c, h, w))
            mask[:, 0] = np.arange(c)  # NC206
            mask[0] = mask[0].T
            rows = np.zeros((b, c))
            rows[:] = np.arange(b)  # NC206
            return mask
        """,
    "a map that is turned by a quarter": """
        import torch
        import numpy as np
        from jaxtyping import Float
        from torch import Tensor

        def faces(a: Float[Tensor, "b c h w"], p):
            c = torch.cat((a.rot90(1, (-2, -1))[..., -2:, :], a), dim=-2)
            turned = torch.rot90(a, 1, (-2, -1))
            return torch.stack([turned, a]), c

        def array(image):
            h, w = image.shape
            return np.concatenate([np.rot90(image), image])

        def turned_twice(a: Float[Tensor, "b c h w"]):
            return torch.cat([a, a.transpose(-1, -2)])  # NC207

        def literal():
            x = torch.zeros(2, 3, 4)
            return torch.cat([x, x.rot90(1, (1, 2))])  # NC207

        def otherwise(a: Float[Tensor, "b c h w"], d: Float[Tensor, "b k h w"]):
            r = a.rot90(1, (-2, -1))
            return torch.cat([a, d])  # NC207
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])

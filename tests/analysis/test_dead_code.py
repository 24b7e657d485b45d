"""Code that the program does not reach: behind a test with a part that is known to fail.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "a loop whose test is false": """
        import torch

        def first(flag):
            mask = torch.zeros(3)
            while mask.dim() > 2 and mask.shape[1] == 1:
                mask = mask[:, 0]
            while flag and mask.dim() > 2:
                mask = mask[:, 0]
            while not mask.dim() == 1:
                mask = mask[:, 0]
            while len(mask.shape) > 2:
                mask = mask[:, 0]
            while (rank := mask.dim()) > 2 and flag:
                mask = mask[:, 0]
            return mask + torch.zeros(3)

        def later(flag):
            mask = torch.zeros(3, 1, 1)
            while mask.dim() > 1 and mask.shape[1] == 1:
                mask = mask[:, 0]
            return mask + torch.zeros(3)

        def kept(flag):
            deep = flag and torch.zeros(3).dim() > 1
            while deep:
                torch.zeros(3)[:, 0]
            return torch.zeros(3) + torch.zeros(4)  # NC201
        """,
    "a loop whose test may hold": """
        import torch

        def some(flag):
            mask = torch.zeros(3)
            while mask.dim() > 0 and flag:
                mask = mask[:, 0]  # NC301
            return mask

        def either(flag):
            mask = torch.zeros(3)
            while mask.dim() > 2 or flag:
                mask = mask[:, 0]  # NC301
            return mask

        def once(flag):
            mask = torch.zeros(3, 4)
            while mask.dim() > 1:
                mask = mask[:, :, 0]  # NC301
            return mask
        """,
    "a loop learns from its test": """
        import torch

        def batched(x, w):
            while x.dim() == 3:
                x = x.permute(0, 1, 2, 3)  # NC303
            return x
        """,
    "a branch": """
        import numpy as np

        def both(flag):
            mask = np.zeros(3)
            if mask.ndim > 2 and mask.shape[1] == 1:
                mask = mask[:, 0]
            if flag and mask.ndim > 2:
                mask = mask[:, 0]
            if not (mask.ndim <= 2 or flag):
                mask = mask[:, 0]
            if 1 < mask.ndim < 4:
                mask = mask[:, 0]
            if 0 < mask.ndim < 4:
                mask = mask[:, 0]  # NC301
            return mask

        def early(flag):
            mask = np.zeros(3)
            if flag or mask.ndim == 1:
                return mask
            return mask[:, 0]

        def skipped(items):
            mask = np.zeros(3)
            for item in items:
                if mask.ndim < 2 or item:
                    continue
                print(mask[:, 0])
            for item in items:
                if mask.ndim > 2 or item:
                    continue
                print(mask[:, 0])  # NC301
        """,
    "an assert": """
        import torch

        def stated(flag):
            mask = torch.zeros(3)
            if flag:
                assert mask.dim() > 2 and flag
                mask = mask[:, 0]
            else:
                assert mask.dim() > 0 and flag
                mask = mask[:, 0]  # NC301
            return mask
        """,
    "a comprehension": """
        import torch

        def chosen(items):
            mask = torch.zeros(3)
            rows = [mask[:, 0] for item in items if mask.dim() > 1 and item]
            rows += [mask[:, 0] for item in items if item if mask.dim() > 1]
            table = {item: mask[:, 0] for item in items if mask.dim() > 1}
            pairs = [mask[:, 0] for item in items if mask.dim() > 1 for one in item]
            return rows, table, pairs, mask + torch.zeros(3)

        def all_chosen(items):
            mask = torch.zeros(3)
            return [mask[:, 0] for item in items if mask.dim() > 0 and item]  # NC301
        """,
    "across a call": """
        import torch

        class Masks:
            def flat(self, mask):
                while mask.ndim > 1 and mask.shape[-1] == 1:
                    mask = mask.transpose(0, 1)[0]
                return mask

        def test_flat():
            masks = Masks()
            assert masks.flat(torch.tensor([1, 0, 1])).shape == (3,)
        """,
    "a test that compares two sizes": """
        import numpy as np
        import torch
        from torch import nn

        class Padded(nn.Module):
            def __init__(self, n):
                super().__init__()
                self.n = n
                self.lin = nn.Linear(4, n + 1)

            def forward(self, x):
                d = self.n - 1
                part = self.lin(x)[..., :-1]
                if part.size(-1) >= d:
                    part = part[..., :d]
                else:
                    part = torch.zeros(part.size(0), d - part.size(-1))
                return part

            def the_wrong_way(self, x):
                d = self.n - 1
                part = self.lin(x)[..., :-1]
                if part.size(-1) <= d:
                    part = part[..., :d]
                else:
                    part = torch.zeros(part.size(0), d - part.size(-1))  # NC212
                return part

        def of_an_array(x):
            n, t = x.shape
            padded = np.concatenate([x, np.zeros((3, t))])
            if padded.shape[0] <= n + 1:
                return np.zeros((3, 4)) @ np.zeros((3, 4))
            rest = padded.shape[0] - n - 4 if padded.shape[0] > n + 3 else 2
            return np.zeros(rest) @ np.zeros(3)  # NC203

        def may_be_empty(x):
            n, t = x.shape
            if n > 0:
                return np.zeros((3, 4)) @ np.zeros((3, 4))  # NC203
            return np.zeros((3, 5)) @ np.zeros((3, 4))  # NC203

        def in_a_loop(x):
            b, t = x.shape
            y = x
            while y.shape[1] < t + 5:
                y = torch.cat([y, y[:, -1:]], 1)
                if y.sum() > 0:
                    break
            return torch.zeros(3, t).transpose(0, 2)  # NC301

        def counted(x):
            n = 0
            while n < 3:
                n += 1
                if x.sum() > 0:
                    break
            else:
                return torch.zeros(3, 4).transpose(0, 2)  # NC301
            return torch.zeros(3, 4)
        """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_code_that_is_not_reached_is_not_reported(program: str) -> None:
    check_marks(program)

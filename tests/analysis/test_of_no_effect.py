"""What the program computes for nothing, and sizes that are right as the defaults are.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

NET = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, encoder, f={}):
        super().__init__()
        self.encoder = encoder
        self.mid = nn.Conv2d(256 + 8 * f, 8 * f, 3, padding=1)
        self.dec = nn.Conv2d(512 + 8 * f, 8 * f, 3, padding=1)

    def forward(self, x):
        c = self.encoder(x)
        m = self.mid(c)
        return self.dec(torch.cat([m, c], 1)){}
"""


def test_a_number_times_zero_is_wrong_only_if_it_raises() -> None:
    check_marks("""
        import torch

        def nothing(x, weights):
            N, P, D = x.shape
            weights = weights.view(N, 1)
            first = (x.sum((1, 2)) * weights).sum() * 0.0
            return 0 * (x.mean((1, 2)) * weights).sum() + first

        def something(x, weights):
            N, P, D = x.shape
            weights = weights.view(N, 1)
            return (x.sum((1, 2)) * weights).sum() * 0.5  # NC202

        def dims_of_nothing(x, weights):
            N, P, D = x.shape
            weights = weights.view(N, 1)
            return (x.sum((1, 2)) * weights) * 0.0  # NC202

        def raises():
            return (torch.zeros(3) + torch.zeros(4)).sum() * 0.0  # NC201
        """)


@pytest.mark.parametrize(
    ("default", "mark"), [("32", ""), ("64", "  # NC211")], ids=["that fits", "that does not"]
)
def test_the_default_may_be_the_one_size_that_fits(default: str, mark: str) -> None:
    check_marks(NET.format(default, mark))

"""A variable that runs over a list of widths may be any of them: it is not the batch, called `b`.

Nor is a size that a layer is built with. A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAM = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, cin, hidden, cout, depth, sizes):
        super().__init__()
{built}

    def forward(self, x):
        if x.ndim != 2:
            raise ValueError
{run}
"""

THROUGH = """
for layer in self.layers:
    x = layer(x)
return self.head(x)
"""

DIMS = "dims = [cin] + [hidden] * (depth - 1) + [cout]\n"

CORRECT = {
    "a comprehension": (
        DIMS
        + "self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims, dims[1:]))\n"
        + "self.head = nn.Sequential(nn.Linear(cout, cout))",
        THROUGH,
    ),
    "a loop that appends": (
        DIMS
        + "self.layers = nn.ModuleList()\n"
        + "for a, b in zip(dims[:-1], dims[1:]):\n"
        + "    self.layers.append(nn.Linear(a, b))\n"
        + "self.head = nn.Linear(dims[-1], 4)",
        THROUGH,
    ),
    "a list that nobody knows": (
        (
            "self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])])\n"
            "self.head = nn.Linear(sizes[-1], cout)"
        ),
        THROUGH,
    ),
    "a starred list, in a row": (
        (
            "widths = [cin, *sizes, cout]\n"
            "self.net = nn.Sequential(*[nn.Linear(a, b) for a, b in zip(widths, widths[1:])])\n"
            "self.head = nn.Linear(cout, cout)"
        ),
        "return self.head(self.net(x))",
    ),
    "a call's result, no loop": (
        "a, b = sizes()\nself.net = nn.Linear(a, b)\nself.head = nn.Linear(cout, cout)",
        "return self.head(self.net(x))",
    ),
    "an element of a call's result, for several layers": (
        (
            "b = sizes()[-1]\n"
            "self.net = nn.Sequential(nn.Linear(cin, b), nn.LayerNorm(b), nn.Linear(b, b))\n"
            "self.head = nn.Linear(cout, cout)"
        ),
        "return self.head(self.net(x))",
    ),
}

WRONG = {
    "a list that is known": (
        (
            "dims = [cin, hidden, cout]\n"
            "self.net = nn.Sequential(*[nn.Linear(a, b) for a, b in zip(dims, dims[1:])])\n"
            "self.head = nn.Linear(hidden, 4)"
        ),
        "return self.head(self.net(x))  # NC208",
    ),
    "the batch, beside layers of other sizes": (
        (
            "self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))\n"
            "self.head = nn.Linear(cout, 4)"
        ),
        "b, n = x.shape\nreturn self.head(x.T)  # NC208",
    ),
}


def _program(built: str, run: str) -> str:
    parts = (built.strip("\n"), run.strip("\n"))
    above, below = ("\n".join(f"        {line}" for line in p.splitlines()) for p in parts)
    return PROGRAM.format(built=above, run=below)


@pytest.mark.parametrize("name", [*CORRECT, *WRONG])
def test_a_loop_variable_is_no_batch(name: str) -> None:
    check_marks(_program(*{**CORRECT, **WRONG}[name]))

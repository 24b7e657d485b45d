"""A class that requires two sizes to be equal, and is only built through a parameter.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

BLOCK = """
        from torch import nn

        class Block(nn.Module):
            def __init__(self, cin, cout, groups=8, **kwargs):
                super().__init__()
                self.one = nn.Linear(cin, cout)
                self.two = nn.Linear(cout, cout)

            def forward(self, x):
                y = self.two(self.one(x))
                return y + x  # NC201
"""
QUIET = BLOCK.replace("  # NC201", "")

PROGRAMS = {
    "one variable for both": QUIET
    + """
        def stage(block, width, depth):
            return nn.Sequential(*[block(width, width) for _ in range(depth)])
        """,
    "one attribute for both, in a method": QUIET
    + """
        class Net(nn.Module):
            def __init__(self, block, widths, depth):
                super().__init__()
                if isinstance(block, str):
                    block = eval(block)
                self.width = widths[0]
                self.first = self.make(block, widths[0], depth)

            def make(self, block, width, depth):
                layers = []
                self.width = width * 2
                for _ in range(depth):
                    layers.append(block(self.width, self.width, 4, scale=True))
                return nn.Sequential(*layers)
        """,
    "by keywords, in a function inside": QUIET
    + """
        def stage(make, width, depth):
            def one():
                return make(cin=width, cout=width)
            return [one() for _ in range(depth)]
        """,
    "different variables": BLOCK
    + """
        def stage(block, width, wider):
            return block(width, wider)
        """,
    "once with different variables": BLOCK
    + """
        def stage(block, width, wider):
            return nn.Sequential(block(width, wider), block(wider, wider))
        """,
    "the class by its name, too": BLOCK
    + """
        def stage(block, width):
            return block(width, width)

        def first(a, b):
            return Block(a, b)
        """,
    "a parameter that cannot be the class": BLOCK
    + """
        def stage(act, width):
            return act(width, width, width, width), act(width)
        """,
    "a function of the file": BLOCK
    + """
        def add(a, b):
            return a + b

        def stage(width):
            return add(width, width)
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])

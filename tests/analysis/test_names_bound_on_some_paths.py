"""A name that only some paths have bound: where the program reads it, their tests turned out so.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

HEAD = """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self, kind, d):
                super().__init__()
                self.kind = kind
                self.both = kind != "one"
                if self.both:
                    self.out = nn.Linear(3 * d, d)
                else:
                    self.out = nn.Linear(2 * d, d)
                self.inp = nn.Linear(7, d)
"""

PROGRAMS = {
    "the name is bound where the layer fits": """
            def forward(self, x):
                h = self.inp(x)
                if self.both:
                    pass
                else:
                    context = self.inp(x)
                return self.out(torch.cat((context, h), -1))
        """,
    "a statement before reads the name": """
            def forward(self, x):
                h = self.inp(x)
                if not self.both:
                    context = self.inp(x)
                h = h + context
                twice = torch.cat((h, h), -1)
                return self.out(twice)
        """,
    "the name is bound where the layer does not fit": """
            def forward(self, x):
                h = self.inp(x)
                if self.both:
                    context = self.inp(x)
                return self.out(torch.cat((context, h), -1))  # NC208
        """,
    "every path binds the name behind the test": """
            def forward(self, x):
                h = self.inp(x)
                if not self.both:
                    context = self.inp(x)
                context = self.inp(x)
                return self.out(torch.cat((context, h), -1))  # NC208
        """,
    "one arm of a ternary reads the name": """
            def forward(self, x, given):
                h = self.inp(x)
                if not self.both:
                    context = self.inp(x)
                h = context if given else h
                return self.out(torch.cat((h, h), -1))  # NC208
        """,
    "the test is made of something else by then": """
            def forward(self, x):
                h = self.inp(x)
                if not self.both:
                    context = self.inp(x)
                self.both = x.sum() > 0
                return self.out(torch.cat((context, h), -1))  # NC208
        """,
    "the layer is kept by its test behind another use of the test": """
            def forward(self, x):
                h = self.inp(x)
                if self.both:
                    h = h * 2
                if not self.both:
                    return self.out(torch.cat((h, h), -1))
                return self.out(torch.cat((h, h, h), -1))
        """,
    "the arms of a ternary go with the layer": """
            def forward(self, x):
                h = self.inp(x)
                a, b = torch.cat((h, h, h), -1), torch.cat((h, h), -1)
                return self.out(a) if self.both else self.out(b)

            def wrong(self, x):
                h = self.inp(x)
                a, b = torch.cat((h, h, h), -1), torch.cat((h, h), -1)
                return self.out(a) if not self.both else b  # NC208
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(HEAD + PROGRAMS[name])

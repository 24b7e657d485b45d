"""Whether an unknown value is one size or several, and what is a shape by its class.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

from namecheck.analysis import analyze_text

PROGRAMS = {
    "a shape plus a tuple is a shape": """
        import torch

        def behind(index, n):
            b, t = index.shape
            hot = torch.FloatTensor(index.size() + (n,)).zero_()
            hot.scatter_(2, index.unsqueeze(-1), 1.0)
            return hot.sum(3)  # NC301

        def in_front(index, n):
            b, t = index.shape
            return torch.LongTensor((n,) + index.shape).fill_(0).sum(2)

        def of_a_part(x):
            b, t, c = x.shape
            return torch.Tensor(x.shape[:-1] + (7,)).sum(3)  # NC301

        def repeated(x):
            b, t = x.size()
            return torch.Tensor(x.size() * 2).sum(3)

        def a_part_of_a_sum(x):
            b, t, c = x.shape
            return torch.FloatTensor((x.size() + (4,))[1:]).sum(2)

        def one_element_for_each(x):
            b, t = x.shape
            return torch.FloatTensor(tuple(x.shape) + (3,)).sum(1)  # NC301
        """,
    "the shape of an array is data": """
        import numpy as np
        import torch

        def of_either(x, n):
            b, t = x.shape
            return torch.FloatTensor(x.shape + (n,)).sum(2)

        def of_an_array(path):
            x = np.zeros((2, 3))
            return torch.FloatTensor(x.shape + (4,)).sum(0)
        """,
    "an attribute that the code does not set": """
        import numpy as np
        import torch
        import torch.nn.functional as F
        from torch import nn

        class Viewed:
            def run(self, x, weight):
                y = x.view(self.input_dim)
                return F.conv2d(y, weight), torch.zeros(self.extent)[:, 0]

        class Axes:
            def __init__(self, signal):
                self.mask = np.ones(signal.axes.counts, dtype=bool)

            def run(self, i, j):
                self.mask[i:j, :] = False
                return self.mask.sum(1)

        class Table:
            def __init__(self, grid):
                self.grid = grid
                self.table = torch.rand(grid.extent)

            def run(self):
                return self.table[:, 0]

        def of_a_function(other):
            return np.zeros(other.extent)[0, 1], np.empty(other.extent)[:, 0]

        class FromDict(nn.Module):
            def __init__(self, config):
                super().__init__()
                self.bias = torch.zeros(config["shape"])

            def run(self):
                return self.bias[:, 0]

        class Width(nn.Module):
            def __init__(self, config):
                super().__init__()
                self.fc = nn.Linear(config.width, config.width)
                self.bias = torch.zeros(config.width)

            def run(self):
                return self.bias[:, 0]  # NC301
        """,
    "a parameter that is used as several sizes somewhere": """
        import torch
        from torch import nn

        class Indexed(nn.Module):
            def __init__(self, window):
                super().__init__()
                self.window = window
                self.table = nn.Parameter(torch.zeros(window))

            def forward(self, x):
                return self.table[:, 0] + self.window[-1]

        class Unpacked(nn.Module):
            def __init__(self, extent):
                super().__init__()
                self.table = torch.zeros(extent)
                height, width = extent

            def forward(self, x):
                return self.table.transpose(0, 1)

        class Starred(nn.Module):
            def __init__(self, grid):
                super().__init__()
                self.table = torch.ones(grid)
                self.other = torch.ones(1, *grid)

            def forward(self, x):
                return self.table[:, 0]

        class UnderAnotherName(nn.Module):
            def __init__(self, cells):
                super().__init__()
                self.cell_counts = cells
                self.table = torch.ones(cells)

            def forward(self, x):
                return self.table[:, 0], [count for count in self.cell_counts]

        class Given(nn.Module):
            def __init__(self, map_of=(4, 4)):
                super().__init__()
                self.table = torch.ones(map_of)

            def forward(self, x):
                return self.table[:, 0]

        class Declared(nn.Module):
            def __init__(self, patch: int | tuple[int, ...]):
                super().__init__()
                self.table = torch.ones(patch)

            def forward(self, x):
                return self.table[:, 0]
        """,
    "a parameter that is used as one size": """
        import torch
        from torch import nn

        class Layered(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.table = torch.zeros(dim)
                self.fc = nn.Linear(dim, 4)

            def forward(self, x):
                return self.table[:, 0]  # NC301

        class Computed(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.table = torch.zeros(width)
                self.scale = width ** -0.5

            def forward(self, x):
                return self.table[:, 0]  # NC301

        class Beside(nn.Module):
            def __init__(self, count):
                super().__init__()
                self.table = torch.zeros(count)
                self.other = torch.zeros((1, count))

            def forward(self, x):
                return self.table[:, 0]  # NC301

        class Typed(nn.Module):
            def __init__(self, bins: int):
                super().__init__()
                self.table = torch.zeros(bins)

            def forward(self, x):
                return self.table[:, 0]  # NC301
        """,
    "a parameter of which nothing is known": """
        import torch
        from torch import nn

        class Bare(nn.Module):
            def __init__(self, amount):
                super().__init__()
                self.gamma = nn.Parameter(torch.ones(amount))
                self.beta = nn.Parameter(torch.zeros(amount))

            def forward(self, x):
                return self.gamma[:, 0], self.beta.sum(1)
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])


SIZES = """
import torch
from torch import nn

class Scale(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(width))

    def forward(self):
        return self.gamma + torch.ones(2 * WIDTH), torch.cat([self.gamma, torch.ones(4, 4)])
"""


def test_what_is_only_presumed_to_be_one_size_makes_no_error() -> None:
    program = SIZES.replace("WIDTH", "self.gamma.shape[0]")
    findings = analyze_text("a.py", program).findings
    assert [(finding.code, finding.level) for finding in findings] == [("NC201", "warning")]
    notes = [note.text for note in findings[0].notes]
    assert "'width' is taken for one size here, not for several" in notes


def test_elements_of_a_config_are_shown_as_they_are_written() -> None:
    program = """
from torch import nn

class Net(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.fc = nn.Linear(config["heads"] * 2, 4)
        self.out = nn.Linear(config["heads"], 4)

    def forward(self, x):
        return self.fc(x), self.out(x)
"""
    (finding,) = analyze_text("a.py", program).findings
    assert "config['heads']" in finding.message
    assert ".[" not in "".join([finding.message, *(note.text for note in finding.notes)])

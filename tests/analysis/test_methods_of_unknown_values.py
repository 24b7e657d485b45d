"""Methods of unknown values: their names do not say that these are tensors.

A line ends in the code that is reported there.
"""

from __future__ import annotations

from textwrap import dedent

import pytest
from snippets import HEAD, check_marks

PROGRAMS = {
    "an argument that may be of any class as well": """
        def plain(a, b, n):
            return torch.cat([a.dist(b).unsqueeze(-1), torch.zeros(n, n, 7)], dim=-1)

        def mean(a, b):
            return a.dist(b).mean(1)

        class Layers(nn.Module):
            def forward(self, rigid):
                d = rigid.origin.unsqueeze(-1).dist(rigid.origin)
                return d.sum(1)

        def of_tensor(x, b):
            y = x.view(b, -1, 4)
            return y.dist(y).sum(1)  # NC301
        """,
    "a number that another class takes as well": """
        def norm(vector):
            return vector.norm(2).mean(1)

        def quantiles(table):
            return table.quantile(0.5).mean(0)

        def changed(vector):
            return vector.unsqueeze(1).norm(2).mean(1)

        def of_tensor(x):
            return F.relu(x).norm(2).mean(1)  # NC301
        """,
    "sizes say what comes back": """
        def viewed(x, b):
            return x.view(b, -1, 4).sum(3)  # NC301
        """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=list(PROGRAMS))
def test_no_size_of_a_guessed_tensor_makes_an_error(program: str) -> None:
    check_marks(HEAD + dedent(program))

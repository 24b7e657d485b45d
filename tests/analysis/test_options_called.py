"""Comments beside the call of one of several layers hold for all options, or give no rank.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

_BUILT = """
        from torch import nn
        from zoo import make

        class Model(nn.Module):
            def __init__(self, n, d, e, style):
                super().__init__()
                self.style, self.embed, self.drop = style, nn.Embedding(n, d), nn.Dropout()
                self.values = {values}

            def encode(self, v):
                return self.values(v)
"""

_USED = """
            def forward(self, src, values):
                src = self.embed(src)  # (batch, seq_len, embsize)
                {line}
                if self.style == "scaling":
                    return src * values.unsqueeze(2){mark}
                return src + values
        """

EMBEDDING_OR_NOT = 'nn.Embedding(n, d) if style == "category" else nn.Identity()'
SAID = "# (batch, seq_len, embsize)"


def _program(values: str, line: str, mark: str = "") -> str:
    return _BUILT.format(values=values) + _USED.format(line=line, mark=mark)


@pytest.mark.parametrize(
    "line",
    [
        f"values = self.values(values)  {SAID}",
        f"values = self.values(values)  # values: {SAID[2:]}",
        f"{SAID}\n                values = self.values(values)",
        f"values = self.encode(values)  {SAID}",
        f"values = self.drop(self.values(values))  {SAID}",
        f"values = self.values(values)\n                values = self.drop(values)  {SAID}",
        f"v = self.drop(self.values(values))\n                values = self.drop(v)  {SAID}",
        f"for _ in range(2):\n                    values = self.values(values)  {SAID}",
    ],
)
def test_a_comment_that_one_option_breaks(line: str) -> None:
    check_marks(_program(EMBEDDING_OR_NOT, line))


@pytest.mark.parametrize(
    "values",
    [
        "nn.Sequential(nn.Embedding(n, d), nn.LayerNorm(d)) if style else nn.Identity()",
        "make(n, d) if style else nn.Identity()",
        "nn.Identity() if style else make(n, d)",
        "nn.Embedding(n, d) if style else nn.Linear(d, d)",
        "nn.Embedding(n, d) if style else nn.LayerNorm(d)",
    ],
)
def test_options_that_differ(values: str) -> None:
    check_marks(_program(values, f"values = self.values(values)  {SAID}"))


@pytest.mark.parametrize(
    "values",
    [
        "nn.Embedding(n, d) if style else nn.Embedding(e, d)",
        "nn.LayerNorm(d) if style else nn.Identity()",
        "nn.Linear(d, d) if style else nn.Identity()",
        "nn.Sequential(nn.Embedding(n, d), nn.LayerNorm(d)) if style else nn.Embedding(e, d)",
        "make(n, d)",
        "make(n, d) if style else None",
    ],
)
def test_options_of_one_rank(values: str) -> None:
    line = f"values = self.values(values)  {SAID}"
    check_marks(_program(values, line, "  # NC202"))


def test_a_call_under_the_test_that_chose() -> None:
    check_marks(
        _BUILT.format(values=EMBEDDING_OR_NOT)
        + """
            def forward(self, src, values):
                src = self.embed(src)  # (batch, seq_len, embsize)
                if self.style == "category":
                    values = self.values(values)  # (batch, seq_len, embsize)
                    return src * values.unsqueeze(2)  # NC202
                return src
        """
    )

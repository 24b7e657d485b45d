"""Later lines teach ranks: of the operands that a tensor comes from, and of the lines above."""

from __future__ import annotations

import pytest
from snippets import dims, read, reported

TAUGHT = {
    "a norm takes as many dims as it gives": (
        """
        class M(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.norm = nn.LayerNorm(dim)

            def forward(self, x):
                b, n, d = self.norm(x).shape
                y = x.transpose(0, 1)
        """,
        {"y": "[n, b, dim]"},
    ),
    "a table gives one more": (
        """
        class M(nn.Module):
            def __init__(self, words, dim):
                super().__init__()
                self.embed = nn.Embedding(words, dim)

            def forward(self, x):
                b, n, d = self.embed(x).shape
                y = x.transpose(0, 1)
        """,
        {"y": "[n, b]"},
    ),
    "along several ops": (
        """
        def f(x):
            b, n = torch.relu(x).exp().sum(-1).shape
            y = x.transpose(0, 1)
        """,
        {"y": "[n, b, x.2]"},
    ),
    "beside an operand of fewer dims": (
        """
        def f(x):
            b, n, d = (x + torch.zeros(3)).shape
            y = x.transpose(0, 1)
        """,
        {"y": "[n, b, x.2]"},
    ),
}


@pytest.mark.parametrize(("source", "expected"), TAUGHT.values(), ids=TAUGHT)
def test_the_rank_of_a_result_is_that_of_its_operand(source: str, expected: dict[str, str]) -> None:
    shown = dims(source)
    assert {name: shown.get(name) for name in expected} == expected


SILENT = {
    "an op that two ranks fit teaches none": """
        def f(x):
            b, n, d = x.squeeze(1).shape
            return x.transpose(1, 3)
        """,
    "what one way asks for": """
        def f(x, encode, flag):
            y = encode(x)
            z = y.transpose(1, 3)
            if flag:
                b, n, d = y.shape
                return b
            return z
        """,
    "what an exception leaves": """
        def f(x, encode):
            y = encode(x)
            z = y.transpose(1, 3)
            try:
                b, n, d = y.shape
            except ValueError:
                return z
            return b
        """,
    "a row that may be anything": """
        def f(x, layers):
            y = x.transpose(1, 3)
            for layer in layers:
                b, n, d = x.shape
            return y
        """,
}


@pytest.mark.parametrize("source", SILENT.values(), ids=SILENT)
def test_an_uncertain_rank_is_not_taught(source: str) -> None:
    analysis, _ = read(source)
    assert reported(analysis) == []


def test_a_certain_rank_holds_from_the_first_line_on() -> None:
    analysis, marks = read(
        """
        def f(x, encode):
            y = encode(x)
            z = y.transpose(1, 3)  # <- NC301
            b, n, d = y.shape
            return z
        """
    )
    assert reported(analysis) == marks


def test_a_list_of_layers_is_followed() -> None:
    shown = dims(
        """
        class Layer(nn.Module):
            def forward(self, x):
                b, n, d = x.shape
                return x.exp()

        class M(nn.Module):
            def __init__(self, depth):
                super().__init__()
                self.layers = nn.ModuleList([Layer() for _ in range(depth)])

            def forward(self, x):
                for layer in self.layers:
                    x = layer(x)
                y = x[0]
                return y
        """
    )
    assert shown["y"] == "[n, d]"

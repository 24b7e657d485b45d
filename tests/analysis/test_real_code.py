"""Shapes of programs that real packages have and that once gave a false alarm, and what is found
all the same where they are wrong.

The programs are ours: each has only the shape that mattered. What the evaluator says of programs in
general stands in `test_evaluate_findings`.
"""

from __future__ import annotations

import pytest

from snippets import read, told

SILENT = {
    "a layer called as a tensor's method is, in a method behind a decorator": """
        from elsewhere import adapted

        class Model(nn.Module):
            def __init__(self, config, encoder):
                super().__init__()
                self.encoder = encoder
                self.norm = nn.LayerNorm(config.width)

            @adapted
            def forward(self, tokens):
                out = self.encoder(tokens)
                hidden = self.norm(out.hidden)
                return hidden[:, 0, :]
    """,
    "a layer of an object that is passed in": """
        def pooled(model, tokens):
            hidden = model.norm(tokens)
            return hidden[:, 0, :], hidden.flatten(2)
    """,
}

TOLD = {
    "a method behind a decorator that nobody knows": """
        from elsewhere import adapted

        class Model(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.up = nn.Linear(width, 4 * width)

            @adapted
            def forward(self, tokens):
                return self.up(self.up(tokens))  # <- NC208
    """,
}


@pytest.mark.parametrize("name", SILENT)
def test_right_programs_are_silent(name: str) -> None:
    analysis, _ = read(SILENT[name])
    assert not analysis.findings


@pytest.mark.parametrize("name", TOLD)
def test_wrong_programs_are_told(name: str) -> None:
    analysis, marks = read(TOLD[name])
    assert marks
    assert told(analysis) == marks

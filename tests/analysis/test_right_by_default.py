"""Code that is right because a size is 1, as the program has it.

A line ends in the code that is reported there.
"""

from __future__ import annotations

from textwrap import dedent

import pytest
from snippets import check_marks

from namecheck.analysis import analyze_text

PROGRAMS = {
    "one head in every call": """
        from torch import nn

        class Heads(nn.Module):
            def __init__(self, width, heads, size):
                super().__init__()
                self.heads, self.size = heads, size
                self.project = nn.Linear(width, heads * size)
                self.norm = nn.LayerNorm(heads * size)

            def forward(self, x):
                b, n = x.size(0), x.size(1)
                x = self.project(x).view(b, n, self.heads, self.size)
                return self.norm(x)

        class Model(nn.Module):
            def __init__(self, width, size):
                super().__init__()
                self.layers = nn.ModuleList([Heads(width, 1, size)])
        """,
    "one head in some calls": """
        from torch import nn

        class Heads(nn.Module):
            def __init__(self, width, heads, size):
                super().__init__()
                self.heads, self.size = heads, size
                self.project = nn.Linear(width, heads * size)
                self.norm = nn.LayerNorm(heads * size)

            def forward(self, x):
                b, n = x.size(0), x.size(1)
                x = self.project(x).view(b, n, self.heads, self.size)
                return self.norm(x)  # NC211

        class Model(nn.Module):
            def __init__(self, width, size):
                super().__init__()
                self.layers = nn.ModuleList([Heads(width, 1, size), Heads(width, 8, size)])
        """,
    "a width of heads that the defaults make": """
        from torch import nn

        class Attention(nn.Module):
            def __init__(self, n_head=8, d_model=512, d_k=64, d_v=64):
                super().__init__()
                self.linear_v = nn.Linear(n_head * d_v, n_head * d_v)
                self.fc = nn.Linear(n_head * d_v, d_model)

            def forward(self, x):
                return self.linear_v(self.fc(x))
        """,
    "a width of heads that the defaults do not make": """
        from torch import nn

        class Attention(nn.Module):
            def __init__(self, n_head=8, d_model=256, d_k=64, d_v=64):
                super().__init__()
                self.linear_v = nn.Linear(n_head * d_v, n_head * d_v)
                self.fc = nn.Linear(n_head * d_v, d_model)

            def forward(self, x):
                return self.linear_v(self.fc(x))  # NC208
        """,
    "one head by default": """
        from torch import nn

        class Attention(nn.Module):
            def __init__(self, num_heads: int = 1, head_dim: int = 64):
                super().__init__()
                self.num_heads, self.head_dim = num_heads, head_dim

            def forward(self, x):
                b, t = x.shape[:2]
                q = x.view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
                return q.reshape(b, t, self.num_heads * self.head_dim)
        """,
    "one head in a config": """
        from dataclasses import dataclass
        from torch import nn

        @dataclass
        class Settings:
            heads: int = 1
            width: int = 64

        class Attention(nn.Module):
            def __init__(self, settings: Settings):
                super().__init__()
                self.settings = settings

            def forward(self, x):
                b, t = x.shape[:2]
                q = x.view(b, t, self.settings.heads, self.settings.width).transpose(1, 2)
                return q.reshape(b, t, self.settings.heads * self.settings.width)
        """,
    "more heads by default, or other dims": """
        from torch import nn

        class Attention(nn.Module):
            def __init__(self, num_heads: int = 8, head_dim: int = 64):
                super().__init__()
                self.num_heads, self.head_dim = num_heads, head_dim

            def forward(self, x):
                b, t = x.shape[:2]
                q = x.view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
                return q.reshape(b, t, self.num_heads * self.head_dim)  # NC205

        class Turned(nn.Module):
            def __init__(self, groups: int = 1):
                super().__init__()
                self.groups = groups

            def forward(self, x):
                b, c, h, w = x.shape
                return x.reshape(b, h * w, c) * self.groups  # NC205
        """,
    "a batch of one": """
        def steps(word_ids):
            '''
            :param word_ids: [batch_size, max_steps]
            '''
            cur_batch_size = 1
            # [batch_size, 1, max_steps]
            ids = word_ids.unsqueeze(0)
            return ids.view(cur_batch_size, 1, -1)
        """,
    "a batch of any size": """
        def steps(word_ids):
            '''
            :param word_ids: [batch_size, max_steps]
            '''
            # [batch_size, 1, max_steps]
            ids = word_ids.unsqueeze(0)  # NC402
            return ids

        def swapped(x):
            batch_size, t, c = 1, x.shape[1], x.shape[2]
            x = x.reshape(batch_size, t, c)
            y = x.transpose(1, 2)  # (batch_size, t, c)  # NC402
            return y
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])


HEAD = """
    import torch
    from torch import nn

    class Head(nn.Module):
        def __init__(self, width, sizes=(8, 16, 32)):
            super().__init__()
            self.first = nn.Linear(width, 5)
            self.stages = nn.Sequential(*[nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])])

        def forward(self, x):
            return self.stages(self.first(x))

    def build(arguments, options):
"""


@pytest.mark.parametrize(
    ("calls", "codes"),
    [
        ((), ["NC208"]),
        (
            ("Head(4, sizes=(5, 6))", "Head(4, (5, 7))", "Head(*arguments)", "Head(4, **options)"),
            [],
        ),
        (("Head(4, sizes=(5, 6))", "Head(4)"), ["NC208"]),
    ],
)
def test_defaults_that_a_file_never_builds_with(calls: tuple[str, ...], codes: list[str]) -> None:
    program = HEAD + f"        return [{', '.join(calls)}]\n"
    assert [one.code for one in analyze_text("a.py", dedent(program)).findings] == codes

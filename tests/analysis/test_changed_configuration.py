"""Modules made of a configuration that the program changes meanwhile, and sizes of such modules.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

INNER = """
        import torch
        from torch import nn

        class Inner(nn.Module):
            def __init__(self, config):
                super().__init__()
                self.dense = nn.Linear(config.dim, config.width)

            def forward(self, x):
                return self.dense(x)
"""

PROGRAMS = {
    "changed between two modules, and back": """
        class Block(nn.Module):
            def __init__(self, config):
                super().__init__()
                self.inner = Inner(config)
                before = config.width
                config.width = config.width // 4
                self.layout = Inner(config)
                self.direct = nn.Linear(config.dim, config.width)
                config.width = before

            def forward(self, x):
                a, b, c = self.inner(x), self.layout(x), self.direct(x)
                d = b + c
                return a + c  # NC201

        class Last(nn.Module):
            def __init__(self, config):
                super().__init__()
                self.direct = nn.Linear(config.dim, config.width)
                self.layout = Inner(config)
                config.width *= 4

            def forward(self, x):
                return self.direct(x) + self.layout(x)
        """,
    "changed to a number, in a loop, on one branch": """
        class Number(nn.Module):
            def __init__(self, cfg):
                super().__init__()
                self.first = Inner(cfg)
                cfg.width = 12
                self.second = Inner(cfg)

            def forward(self, x):
                y = self.second(x) + torch.zeros(12)
                return self.second(x) + torch.zeros(13)  # NC201

        class Loop(nn.Module):
            def __init__(self, cfg):
                super().__init__()
                self.blocks = nn.ModuleList()
                for _ in range(3):
                    cfg.dim = cfg.width
                    self.blocks.append(Inner(cfg))

            def forward(self, x):
                for block in self.blocks:
                    x = block(x)
                return x

        class Branch(nn.Module):
            def __init__(self, cfg, wide=False):
                super().__init__()
                self.first = Inner(cfg)
                if wide:
                    cfg.width = 2 * cfg.width
                self.second = Inner(cfg)

            def forward(self, x):
                return self.first(x) + self.second(x)
        """,
    "an object of the program's own": """
        class Config:
            def __init__(self, dim=3, width=8):
                self.dim = dim
                self.width = width

        class Block(nn.Module):
            def __init__(self):
                super().__init__()
                config = Config()
                self.wide = Inner(config)
                config.width = 4
                self.narrow = Inner(config)

            def forward(self, x):
                a = self.narrow(x) + torch.zeros(4)
                b = self.wide(x) + torch.zeros(8)
                return self.narrow(x) + self.wide(x)  # NC201
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_module_has_the_sizes_of_its_construction(name: str) -> None:
    check_marks(INNER + PROGRAMS[name])

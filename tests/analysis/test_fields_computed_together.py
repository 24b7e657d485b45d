"""Fields of a configuration that its class computes from one another.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "a class that computes both from one": """
        from dataclasses import dataclass
        import torch
        from torch import nn

        class Config:
            def __init__(self, descriptor_dim: int = 256):
                self.hidden_size = descriptor_dim
                self.intermediate_size = descriptor_dim * 2

        class MLP(nn.Module):
            def __init__(self, config: Config):
                super().__init__()
                self.fc = nn.Linear(config.intermediate_size, config.hidden_size)

            def forward(self, x):
                return self.fc(x)

        class Layer(nn.Module):
            def __init__(self, config: Config):
                super().__init__()
                self.proj = nn.Linear(config.hidden_size, config.hidden_size)
                self.mlp = MLP(config)

            def forward(self, x):
                return self.mlp(torch.cat([x, self.proj(x)], dim=-1))

        @dataclass
        class Settings:
            width: int = 64
            ratio: int = 4

            def __post_init__(self):
                self.inner = self.width * self.ratio

        class Feed(nn.Module):
            def __init__(self, cfg: Settings):
                super().__init__()
                self.up = nn.Linear(cfg.width, cfg.width * cfg.ratio)
                self.down = nn.Linear(cfg.inner, cfg.width)

            def forward(self, x):
                return self.down(self.up(x))

        class Wrong2(nn.Module):
            def __init__(self, config: Config):
                super().__init__()
                self.up = nn.Linear(config.hidden_size, config.intermediate_size)
                self.down = nn.Linear(config.hidden_size, config.intermediate_size)

            def forward(self, x):
                return self.down(self.up(x))  # NC208

        class Wrong3(nn.Module):
            def __init__(self, cfg: Settings):
                super().__init__()
                self.up = nn.Linear(cfg.width, cfg.inner)
                self.down = nn.Linear(cfg.width, cfg.inner)

            def forward(self, x):
                return self.down(self.up(x))  # NC208
        """,
    "a default and a property": """
        from dataclasses import dataclass
        from torch import nn

        @dataclass
        class Args:
            dim: int = 64
            hidden: int = 0
            heads: int = 4

            def __post_init__(self):
                if self.hidden == 0:
                    self.hidden = 4 * self.dim

            @property
            def head_dim(self):
                return self.dim // self.heads

        class Feed2(nn.Module):
            def __init__(self, args: Args):
                super().__init__()
                self.up = nn.Linear(args.dim, 4 * args.dim)
                self.down = nn.Linear(args.hidden, args.dim)

            def forward(self, x):
                return self.down(self.up(x))

        class Attend(nn.Module):
            def __init__(self, args: Args):
                super().__init__()
                self.q = nn.Linear(args.dim, args.dim)
                self.o = nn.Linear(args.heads * args.head_dim, args.dim)

            def forward(self, x):
                return self.o(self.q(x))
        """,
    "a function that is not followed": """
        from torch import nn

        def make_divisible(x, by):
            return (x + by - 1) // by * by

        class Params:
            def __init__(self, dim, multiple=256, hidden=None, **kwargs):
                self.dim = dim
                hidden = hidden if hidden is not None else 4 * dim
                self.hidden = make_divisible(hidden, multiple)
                self.wide = kwargs.get("wide", 128)
                self.narrow = kwargs.get("narrow", 64)

        class Feed3(nn.Module):
            def __init__(self, params: Params):
                super().__init__()
                self.up = nn.Linear(params.dim, 4 * params.dim)
                self.down = nn.Linear(params.hidden, params.dim)

            def forward(self, x):
                return self.down(self.up(x))

        class Wrong(nn.Module):
            def __init__(self, params: Params):
                super().__init__()
                self.up = nn.Linear(params.wide, params.narrow)
                self.down = nn.Linear(params.wide, params.narrow)

            def forward(self, x):
                return self.down(self.up(x))  # NC208
        """,
    "a class that is not seen": """
        from torch import nn

        class Unknown(nn.Module):
            def __init__(self, cfg):
                super().__init__()
                self.up = nn.Linear(cfg.width, cfg.inner)
                self.down = nn.Linear(cfg.width, cfg.inner)

            def forward(self, x):
                return self.down(self.up(x))  # NC208

        class Unknown2(nn.Module):
            def __init__(self, cfg):
                super().__init__()
                self.up = nn.Linear(cfg.width, 2 * cfg.width)
                self.down = nn.Linear(cfg.inner, cfg.width)

            def forward(self, x):
                return self.down(self.up(x))

        class Given(nn.Module):
            def __init__(self, config):
                super().__init__()
                head_dim = config["head_dim"]
                if head_dim is None:
                    head_dim = config["dim"] // config["heads"]
                self.heads, self.head_dim = config["heads"], head_dim
                self.dim = config["dim"]
                self.value = nn.Linear(config["dim"], self.heads * head_dim)
                self.out = nn.Linear(self.heads * head_dim, config["dim"])

            def forward(self, x):
                b, t, _ = x.shape
                v = self.value(x).view(b, t, self.heads, self.head_dim)
                return self.out(v.reshape(b, t, self.dim))  # NC204
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])

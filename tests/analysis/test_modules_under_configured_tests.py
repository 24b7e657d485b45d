"""A test of the configuration that a module shares with its parts: they take the same branch.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "not equal, then the rest": """
        from einops import rearrange
        from torch import nn

        class Res(nn.Module):
            def __init__(self, ch: int, dims: int = 3):
                super().__init__()
                if dims == 2:
                    self.conv = nn.Conv2d(ch, ch, 3, padding=1)
                    self.norm = nn.BatchNorm2d(ch)
                else:
                    self.conv = nn.Conv3d(ch, ch, 3, padding=1)
                    self.norm = nn.BatchNorm3d(ch)

            def forward(self, x):
                return x + self.norm(self.conv(x))

        class NotEqual(nn.Module):
            def __init__(self, ch: int, ndim: int = 3):
                super().__init__()
                self.ndim = ndim
                self.res = Res(ch, ndim)

            def forward(self, x):
                b, _, f, _, _ = x.shape
                if self.ndim != 2:
                    return self.res(x).flatten(2)
                x = rearrange(x, "b c f h w -> (b f) c h w")
                x = self.res(x)
                return rearrange(x, "(b f) c h w -> b f c h w", b=b)
        """,
    "an early return, a row of modules": """
        from einops import rearrange
        from torch import nn

        class Res(nn.Module):
            def __init__(self, ch: int, dims: int = 3):
                super().__init__()
                if dims == 2:
                    self.conv = nn.Conv2d(ch, ch, 3, padding=1)
                    self.norm = nn.BatchNorm2d(ch)
                else:
                    self.conv = nn.Conv3d(ch, ch, 3, padding=1)
                    self.norm = nn.BatchNorm3d(ch)

            def forward(self, x):
                return x + self.norm(self.conv(x))

        class EarlyReturn(nn.Module):
            def __init__(self, ch: int, dims: int = 3):
                super().__init__()
                self.dims = dims
                self.res = nn.Sequential(Res(ch, dims), Res(ch, dims))

            def forward(self, x):
                b, _, f, _, _ = x.shape
                if self.dims == 2:
                    x = rearrange(x, "b c f h w -> (b f) c h w")
                    x = self.res(x)
                    return rearrange(x, "(b f) c h w -> b f c h w", b=b)
                x = self.res(x)
                return rearrange(x, "b c f h w -> (b f) c h w")
        """,
    "a config that both read": """
        from einops import rearrange
        from torch import nn

        class Config(nn.Module):
            def __init__(self, cfg):
                super().__init__()
                self.cfg = cfg
                self.res = Inner(cfg)

            def forward(self, x):
                b, _, f, _, _ = x.shape
                if self.cfg.dims == 2:
                    x = rearrange(x, "b c f h w -> (b f) c h w")
                    x = self.res(x)
                    return rearrange(x, "(b f) c h w -> b f c h w", b=b)
                x = self.res(x)
                return rearrange(x, "b c f h w -> (b f) c h w")

        class Inner(nn.Module):
            def __init__(self, cfg):
                super().__init__()
                conv = nn.Conv2d if cfg.dims == 2 else nn.Conv3d
                self.conv = conv(cfg.ch, cfg.ch, 1)

            def forward(self, x):
                return self.conv(x)
        """,
    "a string": """
        from einops import rearrange
        from torch import nn

        class ByName(nn.Module):
            def __init__(self, ch: int, kind: str = "3d"):
                super().__init__()
                self.kind = kind
                self.res = Named(ch, kind)

            def forward(self, x):
                b, _, f, _, _ = x.shape
                if self.kind == "2d":
                    x = rearrange(x, "b c f h w -> (b f) c h w")
                    x = self.res(x)
                    return rearrange(x, "(b f) c h w -> b f c h w", b=b)
                x = self.res(x)
                return rearrange(x, "b c f h w -> (b f) c h w")

        class Named(nn.Module):
            def __init__(self, ch, kind):
                super().__init__()
                if kind == "2d":
                    self.conv = nn.Conv2d(ch, ch, 1)
                else:
                    self.conv = nn.Conv3d(ch, ch, 1)

            def forward(self, x):
                return self.conv(x)
        """,
    "a loop in another method": """
        from einops import rearrange
        from torch import nn

        class Res(nn.Module):
            def __init__(self, ch: int, dims: int = 3):
                super().__init__()
                if dims == 2:
                    self.conv = nn.Conv2d(ch, ch, 3, padding=1)
                    self.norm = nn.BatchNorm2d(ch)
                else:
                    self.conv = nn.Conv3d(ch, ch, 3, padding=1)
                    self.norm = nn.BatchNorm3d(ch)

            def forward(self, x):
                return x + self.norm(self.conv(x))

        class Loop(nn.Module):
            def __init__(self, ch: int, dims: int = 3, n: int = 4):
                super().__init__()
                self.dims = dims
                self.first = Res(ch, dims=dims)
                self.blocks = nn.ModuleList([Res(ch, dims=dims) for _ in range(n)])

            def run(self, x):
                for block in self.blocks:
                    x = block(x)
                return x

            def forward(self, x):
                b, _, f, _, _ = x.shape
                if self.dims == 2:
                    x = rearrange(x, "b c f h w -> (b f) c h w")
                    x = self.run(self.first(x))
                    return rearrange(x, "(b f) c h w -> b f c h w", b=b)
                x = self.run(self.first(x))
                return rearrange(x, "b c f h w -> (b f) c h w")
        """,
    "a class of layers that is chosen": """
        import torch
        from einops import rearrange

        class Res(torch.nn.Module):
            def __init__(self, ch: int, dims: int = 3):
                super().__init__()
                conv = torch.nn.Conv2d if dims == 2 else torch.nn.Conv3d
                self.conv1 = conv(ch, ch, kernel_size=3, padding=1)

            def forward(self, x):
                return x + self.conv1(x)

        class Up(torch.nn.Module):
            def __init__(self, ch: int = 64, dims: int = 3):
                super().__init__()
                self.dims = dims
                conv = torch.nn.Conv2d if dims == 2 else torch.nn.Conv3d
                self.first = conv(ch, ch, kernel_size=3, padding=1)
                self.blocks = torch.nn.ModuleList([Res(ch, dims=dims) for _ in range(4)])

            def forward(self, latent):
                b, _, f, _, _ = latent.shape
                if self.dims == 2:
                    x = rearrange(latent, "b c f h w -> (b f) c h w")
                    x = self.first(x)
                    for block in self.blocks:
                        x = block(x)
                    x = rearrange(x, "(b f) c h w -> b c f h w", b=b, f=f)
                else:
                    x = self.first(latent)
                    for block in self.blocks:
                        x = block(x)
                    x = rearrange(x, "b c f h w -> (b f) c h w")
                return x
        """,
    "the branches are exchanged": """
        from einops import rearrange
        from torch import nn

        class Res(nn.Module):
            def __init__(self, ch: int, dims: int = 3):
                super().__init__()
                if dims == 2:
                    self.conv = nn.Conv2d(ch, ch, 3, padding=1)
                    self.norm = nn.BatchNorm2d(ch)
                else:
                    self.conv = nn.Conv3d(ch, ch, 3, padding=1)
                    self.norm = nn.BatchNorm3d(ch)

            def forward(self, x):
                y = self.conv(x)  # NC303
                return x + self.norm(y)  # NC303

        class Wrong(nn.Module):
            def __init__(self, ch: int, dims: int = 3):
                super().__init__()
                self.dims = dims
                self.res = Res(ch, dims)

            def forward(self, x):
                b, _, f, _, _ = x.shape
                if self.dims == 2:
                    return self.res(x)
                x = rearrange(x, "b c f h w -> (b f) c h w")
                return self.res(x)
        """,
    "a wrong width inside a branch": """
        from einops import rearrange
        from torch import nn

        class Res(nn.Module):
            def __init__(self, ch: int, dims: int = 3):
                super().__init__()
                if dims == 2:
                    self.conv = nn.Conv2d(ch, ch, 3, padding=1)
                    self.norm = nn.BatchNorm2d(ch)
                else:
                    self.conv = nn.Conv3d(ch, ch, 3, padding=1)
                    self.norm = nn.BatchNorm3d(ch)

            def forward(self, x):
                return x + self.norm(self.conv(x))

        class WrongWidth(nn.Module):
            def __init__(self, ch: int, dims: int = 3):
                super().__init__()
                self.dims = dims
                self.res = Res(2 * ch, dims)
                self.head = nn.Conv2d(2 * ch, ch, 1)

            def forward(self, x):
                b, _, f, _, _ = x.shape
                if self.dims == 2:
                    x = rearrange(x, "b c f h w -> (b f) c h w")
                    return self.head(self.head(self.res(x)))  # NC208
                return self.res(x)
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])

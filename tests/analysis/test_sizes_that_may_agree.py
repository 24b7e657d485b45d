"""Sizes of a configuration that the program requires to be equal, and that may be so.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "defaults that agree": """
        from torch import nn

        class Head(nn.Module):
            def __init__(self, dim=512, mlp_dim=512, classes=10):
                super().__init__()
                self.body = nn.Linear(dim, mlp_dim)
                self.norm = nn.LayerNorm(dim)

            def forward(self, x):
                return self.norm(self.body(x))

        class Other(nn.Module):
            def __init__(self, dim=512, mlp_dim=64):
                super().__init__()
                self.body = nn.Linear(dim, mlp_dim)
                self.norm = nn.LayerNorm(dim)

            def forward(self, x):
                return self.norm(self.body(x))  # NC208

        class Wide(nn.Module):
            def __init__(self, dim=512, mlp_dim=512):
                super().__init__()
                self.body = nn.Linear(dim, 2 * mlp_dim)
                self.norm = nn.LayerNorm(dim)

            def forward(self, x):
                return self.norm(self.body(x))  # NC208
        """,
    "defaults that agree, and a call with another size": """
        from torch import nn

        class Head(nn.Module):
            def __init__(self, dim=512, mlp_dim=512):
                super().__init__()
                self.body = nn.Linear(dim, mlp_dim)
                self.norm = nn.LayerNorm(dim)

            def forward(self, x):
                return self.norm(self.body(x))  # NC208

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.head = Head(mlp_dim=256)

            def forward(self, x):
                return self.head(x)
        """,
    "fields of a config with one default": """
        from dataclasses import dataclass
        from torch import nn

        @dataclass
        class ModelConfig:
            width: int = 4
            latent: int = 4
            hidden: int = 16

        class Decoder(nn.Module):
            def __init__(self, config: ModelConfig):
                super().__init__()
                self.inner = nn.Linear(config.width, config.latent)
                self.norm = nn.LayerNorm(config.width)

            def forward(self, x):
                return self.norm(self.inner(x))

        class Mlp(nn.Module):
            def __init__(self, config: ModelConfig):
                super().__init__()
                self.inner = nn.Linear(config.width, config.hidden)
                self.norm = nn.LayerNorm(config.width)

            def forward(self, x):
                return self.norm(self.inner(x))  # NC208
        """,
    "one layer, and nobody who builds it": """
        import torch
        from torch import nn

        class Gate(nn.Module):
            def __init__(self, before, after):
                super().__init__()
                self.gate = nn.Linear(before, after)

            def forward(self, x):
                return x * torch.sigmoid(self.gate(x))

        class Adapter(nn.Module):
            def __init__(self, before, after):
                super().__init__()
                self.body = nn.Linear(before, after)
                self.norm = nn.LayerNorm(after)

            def forward(self, x):
                return x + self.norm(self.body(x))  # NC201
        """,
    "one layer, built with two sizes": """
        import torch
        from torch import nn

        class Gate(nn.Module):
            def __init__(self, before, after):
                super().__init__()
                self.gate = nn.Linear(before, after)

            def forward(self, x):
                return x * torch.sigmoid(self.gate(x))  # NC201

        class Net(nn.Module):
            def __init__(self, dim, hidden):
                super().__init__()
                self.gate = Gate(dim, hidden)

            def forward(self, x):
                return self.gate(x)
        """,
    "a kernel and its padding": """
        import torch
        from torch import nn

        class Block(nn.Module):
            def __init__(self, width, size, padding, dilation):
                super().__init__()
                self.one = nn.Conv1d(width, width, size, padding=padding, dilation=dilation)
                self.two = nn.Conv1d(width, width, size, padding=padding, dilation=dilation)

            def forward(self, x):
                y = self.one(x)
                z = self.two(y)
                return torch.cat([x, y + x, z], 1)

        class Valid(nn.Module):
            def __init__(self, width, size=3, padding=0, dilation=2):
                super().__init__()
                self.one = nn.Conv1d(width, width, size, padding=padding, dilation=dilation)

            def forward(self, x):
                return torch.cat([x, self.one(x)], 1)

        class Doubled(nn.Module):
            def __init__(self, width, size, padding, dilation):
                super().__init__()
                self.one = nn.Conv1d(width, 2 * width, size, padding=padding, dilation=dilation)

            def forward(self, x):
                return self.one(x) + x  # NC201
        """,
    "more channels for an argument that is left out": """
        import torch
        from torch import nn

        class Block(nn.Module):
            def __init__(self, planes, stride=1, extra=3, downsample=None):
                super().__init__()
                if stride != 1:
                    downsample = nn.Conv2d(planes, planes, 1, stride)
                self.downsample = downsample
                self.conv = nn.Conv2d(planes, planes, 3, padding=1)
                self.fuse = nn.Conv2d(planes + extra, planes, 3, padding=1)

            def forward(self, x, guide=None):
                y = self.conv(x)
                if guide is not None:
                    y = torch.cat((y, guide), 1)
                return self.fuse(y)
        """,
    "a number of vectors is no width, whatever the defaults": """
        import torch
        from torch import nn

        class Resampler(nn.Module):
            def __init__(self, num_queries=64, dim=64):
                super().__init__()
                self.queries = nn.Parameter(torch.zeros(1, num_queries, dim))
                self.proj = nn.Linear(dim, dim)

            def forward(self, x):
                return self.proj(self.queries.transpose(1, 2))  # NC208

            def right(self, x):
                return self.proj(self.queries).transpose(1, 2)

        class Perceiver(nn.Module):
            def __init__(self, n_latents=512, width=512):
                super().__init__()
                latents = torch.randn(n_latents, width)
                self.latents = nn.Parameter(latents)
                self.norm = nn.LayerNorm(width)

            def forward(self):
                return self.norm(self.latents.mean(1))  # NC208

        class Mixer(nn.Module):
            def __init__(self, num_patches=64, dim=64):
                super().__init__()
                self.places = nn.Parameter(torch.zeros(num_patches, dim))
                self.across = nn.Linear(num_patches, num_patches)
                self.norm = nn.LayerNorm(dim)

            def forward(self):
                return self.norm(self.across(self.places.T))

        class Bare(nn.Module):
            def __init__(self, dim=256, hidden=256):
                super().__init__()
                self.weight = nn.Parameter(torch.randn(dim, hidden))
                self.norm = nn.LayerNorm(dim)

            def forward(self, x):
                return self.norm(self.norm(x) @ self.weight)

        class Units(nn.Module):
            def __init__(self, num_inputs=256, num_units=256):
                super().__init__()
                self.state = nn.Parameter(torch.zeros(num_inputs, num_units))
                self.body = nn.Linear(num_inputs, num_units)
                self.norm = nn.LayerNorm(num_inputs)

            def forward(self, x):
                return self.norm(self.body(x))
        """,
    "the batch is expanded": """
        class Memory:
            def __init__(self, objects):
                self.objects = objects

            def match(self, keys, queries):
                B, C, N = keys.shape
                affinity = keys.transpose(1, 2) @ queries
                return affinity.expand(self.objects, -1, -1)

            def other(self, keys):
                B, C, N = keys.shape
                return keys.expand(B, N, N)  # NC206

            def weights(self, times):
                seconds, heads, batch_size = times.shape
                return times.transpose(0, 1).expand(-1, -1, self.objects)  # NC206

            def first(self, times):
                seconds, batch_size, heads = times.shape
                return times.expand(-1, self.objects, -1)

            def vector(self, times):
                (batch_size,) = times.shape
                return times.expand(self.objects)

            def twice(self, times, like):
                seconds, heads, batch_size = times.shape
                _, _, others = like.shape
                return times.expand(-1, -1, others)
        """,
    "neighbours are merged, and an area is no width": """
        import torch
        from torch import nn

        class Merged(nn.Module):
            def __init__(self, dim, ratio, resolution, less):
                super().__init__()
                self.resolution, self.less = resolution, less
                self.norm = nn.LayerNorm(4 * dim)
                self.wide = nn.Linear(4 * dim, dim * ratio)

            def forward(self, x):
                B, N, C = x.shape
                h, w = self.resolution
                x = pad(x.reshape(B, h, w, C))
                h, w = self.less
                x = x.reshape(B, h, 2, w, 2, C).permute(0, 1, 3, 2, 4, 5)
                return self.wide(self.norm(x.reshape(B, h * w, 4 * C)))

        class MergedSides(nn.Module):
            def __init__(self, width, ratio, h, w):
                super().__init__()
                self.h, self.w = h, w
                self.norm = nn.LayerNorm(4 * width)
                self.wide = nn.Linear(4 * width, width * ratio)

            def forward(self, x):
                B, N, C = x.shape
                x = x.reshape(B, self.h, 2, self.w, 2, C).permute(0, 1, 3, 2, 4, 5)
                return self.wide(self.norm(x.reshape(B, self.h * self.w, 4 * C)))

        class Heads(nn.Module):
            def __init__(self, dim, heads, res):
                super().__init__()
                self.heads, self.res = heads, res
                self.out = nn.Linear(heads * dim, dim)

            def forward(self, x):
                B, N, C = x.shape
                h, w = self.res
                x = x.reshape(B, h, w, C)
                x = x.repeat(1, 1, 1, self.heads)
                return self.out(x.reshape(B, h * w, self.heads * C))

        class Attention(nn.Module):
            def __init__(self, dim, heads, dim_head):
                super().__init__()
                self.heads = heads
                self.q = nn.Linear(dim, heads * dim_head)
                self.out = nn.Linear(heads * dim_head, dim)

            def forward(self, x):
                b, n, d = x.shape
                q = self.q(x).view(b, n, self.heads, -1).transpose(1, 2)
                out = q.permute(0, 3, 1, 2).reshape(b, -1, self.heads * n)
                return self.out(out)  # NC208
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])

"""Labels of comments and docstrings beside variables, letters and other values of the same name.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "the docstring's label is of another parameter than the variable": """
        import torch
        from torch import nn
        from lib import gather

        class Fuse(nn.Module):
            def __init__(self, channels):
                super().__init__()
                self.mix = nn.Conv1d(channels + 3, channels, 1)

            def forward(self, coords, feats):
                '''
                Args:
                    coords: points, shape (B, N, 3)
                    feats: features, shape (B, C, N)
                '''
                B, N, C = coords.size()
                near = gather(coords, feats)  # (B, C + 3, N)
                d = coords - coords.mean(1, keepdim=True)
                return self.mix(near), d.reshape(B, N, 3)

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.one, self.two = Fuse(64), Fuse(128)

            def forward(self, points, feats):
                first, _ = self.one(points, feats)
                return self.two(points, first)
        """,
    "the docstring's label is of the parameter that the variable is read off": """
        def turn(feats):
            '''
            Args:
                feats: features, shape (B, C, N)
            '''
            B, C, N = feats.shape
            y = feats.transpose(1, 2)  # (B, C, N)  # NC402
            return y
        """,
    "a comment about an unknown value teaches nothing of what was unpacked": """
        from torch import nn
        from lib import group

        class Step(nn.Module):
            def __init__(self, channels):
                super().__init__()
                self.conv = nn.Conv2d(channels + 3, channels, 1)

            def forward(self, xyz, feats):
                B, C, N = xyz.shape
                grouped, _ = group(xyz, feats)  # [B, C + 3, N, S]
                near = grouped[:, :3] - xyz.unsqueeze(-1)
                return xyz, self.conv(grouped), near

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.first, self.second = Step(64), Step(128)

            def forward(self, xyz, feats):
                xyz, feats, _ = self.first(xyz, feats)
                return self.second(xyz, feats)
        """,
    "two values have one label and two widths": """
        from torch import nn

        class Cross(nn.Module):
            def __init__(self, dim=320, ctx_dim=768):
                super().__init__()
                self.q = nn.Linear(dim, 64)
                self.k = nn.Linear(ctx_dim, 64)

            def forward(self, x, ctx):
                # x: (B, N, C)
                # ctx: (B, T, C)
                return self.q(x) @ self.k(ctx).transpose(1, 2)
        """,
    "one value has a label and two widths": """
        from torch import nn

        class Cross(nn.Module):
            def __init__(self, dim=320, ctx_dim=768):
                super().__init__()
                self.q = nn.Linear(dim, 64)
                self.k = nn.Linear(ctx_dim, 64)

            def forward(self, x):
                # x: (B, N, C)
                return self.q(x) @ self.k(x).transpose(1, 2)  # NC208
        """,
    "the product of labels is a number": """
        import torch
        from lib import split

        def merge(x):
            y = split(x, 8)  # (N, L, nh, hd)
            return y.reshape(y.shape[0], y.shape[1], 512)

        def swap(x):
            N, L, nh, hd = x.shape
            return x.reshape(N, L, 512)

        def other(x):
            N, L, nh, hd = x.shape
            return x.reshape(N, L, nh * nh)  # NC204
        """,
    "an annotated map of one pixel": """
        from jaxtyping import Float
        from torch import Tensor

        def pooled(x: Float[Tensor, "b c h w"]) -> Float[Tensor, "b c"]:
            return x.reshape(x.shape[0], x.shape[1])

        def patch(x: Float[Tensor, "b c kh kw"]) -> Float[Tensor, "b c 9"]:
            return x.reshape(x.shape[0], x.shape[1], 9)
        """,
    "the size of an unknown value": """
        import torch

        class Pool:
            def forward(self, x):
                s = self.encode(x).view(x.size(0), self.n, self.d)
                # (batch, n * d)
                y = s.reshape(x.size(0), -1)
                # (n, batch * d)
                z = s.transpose(0, 1).reshape(self.n, -1)
                return y, z

            def known(self, x):
                B, T, C = x.shape
                # (B, 2 * C)
                z = torch.cat([x[:, 0], x[:, 1]])  # NC402
                return z
        """,
    "the letter b": """
        import torch

        class Kan:
            def __init__(self, width, grid, order, heads):
                self.coefficients = torch.empty(width, width, grid + order)
                self.mix = torch.randn(heads, heads)

            def forward(self, x, basis):
                return torch.einsum("nib,oib->no", basis.of(x), self.coefficients)

            def tables(self, x):
                return torch.einsum("tb,bw->tw", x.histogram(), self.mix)

            def heads(self, x):
                return torch.einsum("bhij,bg->hgij", x, self.mix)  # NC203
        """,
    "labels of the usual loss": """
        from torch import nn
        from torch.nn import BCEWithLogitsLoss

        class Classifier(nn.Module):
            def __init__(self, config):
                super().__init__()
                self.config = config
                self.head = nn.Linear(config.width, config.num_labels)

            def forward(self, h, labels=None):
                '''
                labels (`torch.LongTensor` of shape `(batch_size,)`, *optional*):
                    The classes.
                '''
                logits = self.head(h[:, 0])
                if self.config.kind == "several":
                    return BCEWithLogitsLoss()(logits, labels)
                return logits
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])

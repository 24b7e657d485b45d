"""The batch that a layer presumes of an operand of unknown rank makes no mistake about a rank.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "letters in a row": """
        from torch import nn

        class Block(nn.Module):
            def __init__(self, nf, k=2):
                super().__init__()
                self.first = nn.Conv2d(nf, nf, kernel_size=1)
                self.pool = nn.AdaptiveAvgPool2d(1)
                self.adm = nn.Linear(nf, k)

            def forward(self, x):
                a, b, c, d = x.shape
                x = self.first(x)
                return self.adm(self.pool(x).view(a, b))

            def channels_last(self, x):
                b, h, w, c = x.shape
                return self.adm(x.mean((1, 2)).transpose(0, 1))  # NC208
        """,
    "an encoder without a batch, which is added behind it": """
        import torch
        import torch.nn.functional as F
        from torch import nn

        class Encoder(nn.Module):
            def __init__(self):
                super().__init__()
                self.down = nn.Sequential(
                    nn.Conv1d(100, 512, 3, 1, 1), nn.GELU(), nn.Conv1d(512, 512, 4, 2, 1)
                )
                self.encoder = nn.Conv1d(512, 64, 3)
                self.other = nn.Conv1d(256, 64, 3)
                self.pool = nn.MaxPool2d(2)

            def unsqueezed(self, mel):
                return self.encoder(self.down(mel).unsqueeze(0))

            def in_place(self, mel):
                x = self.down(mel)
                x.unsqueeze_(0)
                return self.encoder(x)

            def indexed(self, mel):
                return self.encoder(self.down(mel)[None])

            def repeated(self, mel):
                return self.encoder(self.down(mel).unsqueeze(0).repeat(4, 1, 1))

            def called(self, mel):
                return self.inner(self.down(mel).unsqueeze(0))

            def inner(self, x):
                batch, channels, length = x.shape
                return self.encoder(x)

            def of_a_function(self, image):
                y = torch.unsqueeze(self.pool(image), 0)
                return F.interpolate(y, scale_factor=2, mode="bilinear")

            def of_other_channels(self, mel):
                return self.other(self.down(mel).unsqueeze(0))  # NC303

            def with_batch(self, mel):
                batch, channels, length = mel.shape
                return self.encoder(self.down(mel).unsqueeze(0))  # NC303
        """,
    "dims of an image without a batch": """
        import torch
        from einops import rearrange
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 16, 3)
                self.wrong = nn.Conv1d(16, 8, 1)
                self.narrow = nn.Conv2d(12, 8, 1)

            def unpacked(self, image):
                channels, height, width = self.conv(image).shape
                return height * width

            def permuted(self, image):
                return self.conv(image).permute(1, 2, 0)

            def rearranged(self, image):
                return rearrange(self.conv(image), "c h w -> h w c")

            def multiplied(self, image):
                return torch.einsum("chw,cd->dhw", self.conv(image), torch.zeros(16, 4))

            def joined(self, image):
                return torch.cat([self.conv(image), torch.zeros(16, 4, 4)], dim=0)

            def one_conv_after_another(self, image):
                return self.wrong(self.conv(image))  # NC303

            def into_two(self, image):
                height, width = self.conv(image).shape  # NC303
                return height

            def transposed(self, image):
                return self.conv(image).permute(1, 0)  # NC303

            def known(self, image):
                y = self.conv(image)
                batch, channels, height, width = y.shape
                return y.permute(0, 2, 1)  # NC303

            def known_channels(self, image):
                return self.narrow(self.conv(image))  # NC208
        """,
    "a constructor has no batch": """
        import torch
        from torch import nn

        def fit(x, y):
            batch = x.shape[0]
            mat = unknown(x).expand(y.shape[1], y.shape[2], batch, 7)
            y = y.permute(1, 2, 0).unsqueeze(dim=3)
            return torch.einsum("ijmn,ijnp->ijmp", mat.permute(0, 1, 3, 2), y)

        def fit_data(x, y):
            batch = x.shape[0]
            mat = unknown(x).expand(y.shape[1], y.shape[2], batch, 7)
            y = y.permute(1, 2, 0).unsqueeze(dim=3)
            return torch.einsum("ijmn,ijnp->ijmp", mat.permute(0, 1, 3, 2), y)  # NC203

        def columns(x, y):
            bs, d = x.shape
            return x.T @ y

        class Splines(nn.Module):
            def __init__(self, width, out, num, k):
                super().__init__()
                self.width, self.out, self.num, self.k = width, out, num, k
                grid = extended(torch.linspace(0, 1, steps=num + 1)[None, :].expand(width, num + 1))
                self.grid = nn.Parameter(grid)
                points = grid[:, k:-k].permute(1, 0)
                self.fitted = nn.Parameter(fit(points, torch.rand(num + 1, width, out)))
                self.more = columns(points, torch.rand(num + 1, out))
                self.start()

            def start(self):
                points = self.grid[:, self.k : -self.k].permute(1, 0)
                noises = torch.rand(self.num + 1, self.width, self.out)
                self.fitted = nn.Parameter(fit(points, noises))

            def forward(self, x):
                return fit_data(x, torch.rand(self.num + 1, self.width, self.out))

            def direct(self, x):
                batch = x.shape[0]
                return torch.rand(self.width, batch) @ torch.rand(self.num + 1, self.out)  # NC203
        """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_presumed_batch_makes_no_mistake_about_a_rank(program: str) -> None:
    check_marks(program)

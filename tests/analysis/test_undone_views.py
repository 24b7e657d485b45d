"""Views that scramble a tensor, and views that restore its order.

A line ends in the code that is reported there.
"""

from __future__ import annotations

from textwrap import dedent

import pytest
from snippets import HEAD, check_marks

PROGRAMS = {
    "maps are resampled between them": """
        def resized(x, height, width):
            b, c, t, h, w = x.shape
            y = F.interpolate(x.view(b * t, c, h, w), (height, width))
            return y.view(b, c, t, height, width)

        def pooled(x):
            b, c, t, h, w = x.shape
            y = F.avg_pool2d(x.reshape(b * t, c, h, w), 2).contiguous() * 2
            return y.reshape(b, c, t, h // 2, w // 2)

        def named(x):
            n, c, t, h, w = x.shape
            frames = x.reshape(n * t, c, h, w)
            frames = F.interpolate(frames, size=(224, 224), mode="bilinear")
            frames = frames.reshape(n, c, t, 224, 224)
            return frames

        class Pool(nn.Module):
            def __init__(self):
                super().__init__()
                self.pool = nn.Sequential(nn.MaxPool2d(2), nn.Dropout(0.1))

            def forward(self, x):
                b, c, t, h, w = x.shape
                y = self.pool(x.reshape(b * t, c, h, w))
                return y.view(b, c, t, h // 2, w // 2)
        """,
    "parts are joined between them": """
        class Both(nn.Module):
            def __init__(self, depth, heads, width):
                super().__init__()
                self.depth, self.heads, self.width = depth, heads, width
                self.kv = nn.Linear(width, depth * 2)

            def interleave(self):
                k, v = self.kv.weight.data.split(self.depth, dim=0)
                k = k.reshape(self.heads, -1, self.depth)
                v = v.reshape(self.heads, -1, self.depth)
                both = torch.cat((k, v), dim=1)
                self.kv.weight.data[:] = both.reshape(self.depth * 2, self.width)

            def scaled(self):
                k, v = self.kv.weight.data.split(self.depth, dim=0)
                parts = [one.reshape(self.heads, -1, self.depth) for one in (k, v)]
                return (torch.concat(parts, dim=1) * 2).view(2 * self.depth, self.width)

            def in_order(self):
                k, v = self.kv.weight.data.split(self.depth, dim=0)
                k, v = (k.view(self.heads, -1, self.depth), v.view(self.heads, -1, self.depth))
                return torch.cat([k, v]).view(2 * self.depth, self.width)

            def alone(self):
                k, _ = self.kv.weight.data.split(self.depth, dim=0)
                k = k.reshape(self.heads, -1, self.depth)
                return k.reshape(self.depth, self.width)
        """,
    "the rows of the parts are cut or kept apart": """
        class Both(nn.Module):
            def __init__(self, depth, heads, width):
                super().__init__()
                self.depth, self.heads, self.width = depth, heads, width
                self.kv = nn.Linear(width, depth * 2)

            def cut(self):
                k, v = self.kv.weight.data.split(self.depth, dim=0)
                k = k.reshape(self.heads, -1, self.depth)  # NC205
                v = v.reshape(self.heads, -1, self.depth)  # NC205
                return torch.cat((k, v), dim=2).reshape(self.depth * 2, self.width)  # NC205

            def apart(self):
                k, v = self.kv.weight.data.split(self.depth, dim=0)
                k = k.reshape(self.heads, -1, self.depth)  # NC205
                v = v.reshape(self.heads, -1, self.depth)  # NC205
                return torch.cat((k, v), dim=1)

            def mixed(self):
                k, v = self.kv.weight.data.split(self.depth, dim=0)
                k = k.reshape(self.heads, -1, self.depth)  # NC205
                v = v.reshape(self.heads, -1, self.depth)  # NC205
                both = torch.cat((k, v), dim=1).softmax(1)
                return both.reshape(self.depth * 2, self.width)
        """,
    "the maps are mixed": """
        class Mixed(nn.Module):
            def __init__(self, c):
                super().__init__()
                self.conv = nn.Conv2d(c, c, 3, padding=1)
                self.c = c

            def forward(self, x):
                b, c, t, h, w = x.shape
                y = self.conv(x.reshape(b * t, c, h, w))  # NC205
                return y.mean((2, 3))

        def added(x, bias):
            b, c, t, h, w = x.shape
            y = x.view(b * t, c, h, w) + bias.view(c, 1, 1)  # NC205
            return y.view(b, c, t, h, w)  # NC205
        """,
    "two sizes that the function compares": """
        class Grid(nn.Module):
            def forward(self, batch):
                x_size = batch.shape[2]
                y_size = batch.shape[3]
                grid = torch.arange(x_size).repeat(y_size).view((x_size, y_size))
                if batch.shape[2] != batch.shape[3]:
                    assert False
                return grid

        def below(x):
            b, c, h, w = x.shape
            y = x.reshape(b, c, w, h)
            if h != w:
                raise ValueError
            return y

        def of_an_array(x):
            h, w, c = x.shape
            y = np.reshape(x, (w, h, c))
            assert x.shape[0] == w
            return y

        def in_a_loop(x, n):
            h, w, c = x.size()
            for _ in range(n):
                z = x.reshape(w, h, c)
                if x.size(0) == x.size(1):
                    z = z + 1
            return z
        """,
    "other sizes are compared": """
        def of_another_tensor(x, y):
            h, w, c = x.shape
            if y.shape[0] != y.shape[1]:
                raise ValueError
            return x.reshape(w, h, c)  # NC205

        def of_one_dim(x, y):
            h, w, c = x.shape
            if h != y.shape[0] or c != 3:
                raise ValueError
            return x.reshape(w, h, c)  # NC205

        def moved(x):
            b, h, w, c = x.shape
            y = x.reshape(b, c, h, w)  # NC205
            assert h == w
            return y
        """,
    "the order is another one": """
        def swapped(x):
            b, c, t, h, w = x.shape
            y = F.interpolate(x.view(b * t, c, h, w), scale_factor=2)  # NC205
            return y.view(b, t, c, 2 * h, 2 * w)

        def back(x):
            b, c, t, h, w = x.shape
            y = F.interpolate(x.transpose(1, 2).reshape(b * t, c, h, w), scale_factor=2)
            return y.view(b, c, t, 2 * h, 2 * w)  # NC205
        """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=list(PROGRAMS))
def test_a_view_that_undoes_another_is_not_scrambled(program: str) -> None:
    check_marks(HEAD + dedent(program))

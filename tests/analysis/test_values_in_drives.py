"""Values that a drive knows: extremes of rows, indices put together, options as layers keep them.

Each program has right tests and wrong ones. A line ends in the code that is reported there.
"""

from __future__ import annotations

from textwrap import dedent

import pytest
from snippets import HEAD, check_marks

EXTREMES = {
    "of nothing, a default": """
        def depth(rows):
            return max((len(row) for row in rows), default=0)

        def test_default():
            right = torch.ones(2, 3) @ torch.ones(depth([]) + 3, 2)
            right = torch.ones(2, 7) @ torch.ones(min([], default=7), 2)
            return torch.ones(2, 3) @ torch.ones(depth([]) + 4, 2)  # NC203
        """,
    "of a row that has elements, not the default": """
        def test_not_the_default():
            size = max([2, 5], default=9)
            right = torch.ones(2, 5) @ torch.ones(size, 2)
            return torch.ones(2, 9) @ torch.ones(size, 2)  # NC203
        """,
    "a branch that no element leads to": """
        class Terms(nn.Module):
            def __init__(self, terms):
                super().__init__()
                self.degree = max((len(term) for term in terms), default=0)
                self.table = torch.zeros(self.degree, 3)

            def forward(self, x):
                if self.degree:
                    return x @ self.table  # NC203
                return x

        def test_right():
            right = Terms([])(torch.ones(2, 5)) @ torch.ones(5, 2)
            return Terms(["ab"])(torch.ones(4, 2)) @ torch.ones(3, 2)

        def test_wrong():
            return Terms(["ab"])(torch.ones(4, 3))
        """,
    "by a key": """
        def test_key():
            longest = max([(3, 1), (2, 5)], key=lambda pair: pair[1])
            first = min([5, 3, 4], key=lambda size: -size)
            right = torch.ones(2, 2) @ torch.ones(longest[0], 2)
            right = torch.ones(2, 5) @ torch.ones(first, 2)
            return torch.ones(2, 3) @ torch.ones(longest[0], 2)  # NC203
        """,
    "by a key that is not known": """
        def test_unknown_key():
            size = max([3, 5], key=unknown)
            return torch.ones(2, 9) @ torch.ones(size, 2)
        """,
}
INDICES = {
    "None as often as there are dims": """
        def encode(x, bands):
            scales = torch.linspace(1.0, 5.0, bands)
            return x * scales[(*((None,) * (len(x.shape) - 1)), Ellipsis)]

        def test_encode():
            right = encode(torch.ones(2, 3, 1), 4) @ torch.ones(4, 5)
            return encode(torch.ones(2, 3, 1), 4) @ torch.ones(3, 5)  # NC203
        """,
    "a name for the index": """
        def test_index():
            index = (None, None)
            a = torch.ones(4)[(*index, ...)]
            b = torch.ones(4)[(Ellipsis, *index)]
            right = a + b
            return a.squeeze(0).squeeze(0) @ torch.ones(5, 2)  # NC203
        """,
    "numbers among the elements of a row": """
        def test_numbers():
            place = [1, 2]
            x = np.ones((3, 4, 5, 6))[(0, *place)]
            right = x @ np.ones((6, 2))
            return x @ np.ones((5, 2))  # NC203
        """,
    "a row that is not known": """
        def test_unknown():
            x = torch.ones(3, 4, 5)[(*unknown(), 0)]
            return x @ torch.ones(7, 2)
        """,
    "a variable called Ellipsis": """
        def test_own():
            Ellipsis = 0
            return torch.ones(3, 4)[Ellipsis] @ torch.ones(4, 2)
        """,
}
OPTIONS = {
    "the window of a convolution": """
        class Low(nn.Module):
            def __init__(self, conv, rank):
                super().__init__()
                self.conv = conv
                window = conv.kernel_size
                self.dims = len(window)
                self.left = nn.Parameter(torch.empty(size=(*window, conv.out_channels, rank)))
                self.right = nn.Parameter(torch.empty(size=(*window, rank, conv.in_channels)))

            def forward(self, x):
                order = (self.dims, self.dims + 1, *range(self.dims))
                return (self.left @ self.right).permute(order) + self.conv.weight

        def test_right():
            return Low(nn.Conv2d(5, 7, (3, 2)), 4)(None), Low(nn.Conv3d(5, 7, 3), 4)(None)

        def test_wrong():
            return Low(nn.Conv2d(5, 7, (3, 2)), 4)(None) + torch.ones(7, 5, 2, 3)  # NC201
        """,
    "one number for each spatial dim": """
        def test_numbers():
            conv = nn.Conv2d(5, 7, 3, padding=2)
            height, width = conv.kernel_size
            right = torch.ones(2, 3) @ torch.ones(height, 2)
            right = torch.ones(2, 2) @ torch.ones(conv.padding[1], 2)
            right = torch.ones(2, 1) @ torch.ones(*conv.stride)
            return torch.ones(2, 4) @ torch.ones(width, 2)  # NC203
        """,
    "a padding that is a word": """
        def test_word():
            conv = nn.Conv1d(5, 7, 3, padding="same")
            return conv(torch.ones(2, 5, 11)) if conv.padding == "same" else None
        """,
    "the sizes that a norm normalises": """
        def test_norm():
            norm = nn.LayerNorm(5)
            right = torch.ones(norm.normalized_shape) + torch.ones(5)
            right = nn.RMSNorm((3, 5)).weight + torch.ones(*nn.LayerNorm((3, 5)).normalized_shape)
            return torch.ones(norm.normalized_shape) + torch.ones(4)  # NC201
        """,
    "a class derived from a convolution": """
        class Shifted(nn.Conv2d):
            def window(self):
                return torch.ones(self.kernel_size)

        def test_derived():
            right = Shifted(3, 5, (2, 4)).window() + torch.ones(2, 4)
            return Shifted(3, 5, 4).window() + torch.ones(3, 3)  # NC201
        """,
}
CLASSES = {
    "transposed convolutions": """
        from torch.nn.modules.conv import _ConvNd, _ConvTransposeNd

        def channels(layer):
            if isinstance(layer, nn.modules.conv._ConvTransposeNd):
                return layer.weight.shape[1]
            if isinstance(layer, _ConvNd):
                return layer.weight.shape[0]
            return 2

        def test_channels():
            right = torch.ones(2, 7) @ torch.ones(channels(nn.Conv2d(5, 7, 3)), 2)
            right = torch.ones(2, 7) @ torch.ones(channels(nn.ConvTranspose1d(5, 7, 3)), 2)
            right = torch.ones(2, 2) @ torch.ones(channels(nn.Linear(5, 7)), 2)
            return torch.ones(2, 5) @ torch.ones(channels(nn.Conv2d(5, 7, 3)), 2)  # NC203
        """,
    "norms": """
        def is_norm(layer):
            return isinstance(layer, nn.modules.batchnorm._BatchNorm)

        def test_norms():
            size = 3 if is_norm(nn.BatchNorm2d(5)) and not is_norm(nn.LayerNorm(5)) else 4
            right = torch.ones(2, 3) @ torch.ones(size, 2)
            return torch.ones(2, 4) @ torch.ones(size, 2)  # NC203
        """,
    "tensors": """
        def listed(values):
            return [values] if torch.is_tensor(values) else list(values or [torch.ones(3, 4)])

        def test_listed():
            right = listed(torch.ones(5, 2))[0] @ torch.ones(2, 1)
            right = torch.stack(listed(None)) @ torch.ones(4, 2)
            return torch.stack(listed(None)) @ torch.ones(3, 2)  # NC203
        """,
    "what may be a tensor": """
        def test_unknown():
            value = unknown()
            size = 3 if torch.is_tensor(value) else 4
            return torch.ones(2, 3) @ torch.ones(size, 2)
        """,
    "numbers that are integers": """
        import math

        def slopes(heads):
            if math.log2(heads).is_integer():
                return [1.0 for _ in range(heads)]
            nearest = 2 ** math.floor(math.log2(heads))
            return [2.0 for _ in range(nearest)] + [3.0 for _ in range(heads - nearest)]

        def test_slopes():
            right = torch.tensor(slopes(3)) + torch.ones(3)
            right = torch.tensor(slopes(4)) + torch.ones(4)
            return torch.tensor(slopes(3)) + torch.ones(2)  # NC201
        """,
    "attributes whose names are put together": """
        class Stages(nn.Module):
            def __init__(self):
                super().__init__()
                self.stage0 = nn.Linear(3, 5)
                self.stage1 = nn.Linear(5, 7)

            def forward(self, x):
                for i in range(2):
                    x = eval("self.stage" + str(i))(x)
                return x

        def test_right():
            return Stages()(torch.ones(2, 3)) @ torch.ones(7, 2)

        def test_wrong():
            return Stages()(torch.ones(2, 3)) @ torch.ones(5, 2)  # NC203
        """,
    "text that is not known": """
        def test_text():
            size = eval(unknown())
            other = eval("1 + 1")
            return torch.ones(2, 3) @ torch.ones(size, 2) @ torch.ones(other, 2)
        """,
}
PROGRAMS = {**EXTREMES, **INDICES, **OPTIONS, **CLASSES}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=list(PROGRAMS))
def test_values_that_a_drive_knows(program: str) -> None:
    check_marks(HEAD + dedent(program))

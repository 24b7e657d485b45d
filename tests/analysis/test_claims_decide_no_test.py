"""A size that only a comment gives decides no test: both branches stay possible.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "a comparison of a size": """
        import torch
        from torch.nn import functional as F

        def other_branch(x, n):
            y = F.interpolate(x, size=n)  # (1, 8, n)
            _, _, _ = y.shape
            if y.shape[0] != 1:
                z = y
            else:
                z = y[0]
            return z.permute(0, 2, 1)

        def equal(x, n):
            y = F.interpolate(x, size=n)  # (1, 8, n)
            _, _, _ = y.shape
            if y.size(0) == 25:
                z = y
            else:
                z = y[0]
            return z.permute(0, 2, 1)

        def conditional(x, n):
            y = F.interpolate(x, size=n)  # (1, 8, n)
            _, _, _ = y.shape
            z = y if len(y) > 1 else y[0]
            return z.permute(0, 2, 1)

        def truthy(x, n):
            y = F.interpolate(x, size=n)  # (1, 8, n)
            _, _, _ = y.shape
            z = y if y.shape[0] - 1 else y[0]
            return z.permute(0, 2, 1)
        """,
    "what is computed from a size": """
        import torch
        from torch.nn import functional as F

        def numel(x):
            y = F.interpolate(x, size=512)  # (1, 8, 512)
            _, _, _ = y.shape
            z = y if y.numel() > 10000 else y[0]
            return z.permute(0, 2, 1)

        def unpacked(x, n):
            y = F.interpolate(x, size=n)  # (1, 8, n)
            _, _, _ = y.shape
            b, c, _ = y.shape
            many = b > 1 and c > 2
            z = y if many else y[0]
            return z.permute(0, 2, 1)

        def while_(x, n):
            y = F.interpolate(x, size=n)  # (1, 8, n)
            _, _, _ = y.shape
            z = y[0]
            k = y.shape[0]
            while k > 1:
                z = y
                k -= 1
            return z.permute(0, 2, 1)

        def max_(x, n):
            y = F.interpolate(x, size=n)  # (1, 8, n)
            _, _, _ = y.shape
            z = y if max(y.shape[0], 1) > 1 else y[0]
            return z.permute(0, 2, 1)
        """,
    "a shape, a row of numbers, a pattern": """
        import torch
        from torch.nn import functional as F

        def shape_test(x):
            y = F.interpolate(x, size=512)  # (1, 8, 512)
            _, _, _ = y.shape
            if y.shape == (25, 8, 512):
                z = y
            else:
                z = y[0]
            return z.permute(0, 2, 1)

        def member(x):
            y = F.interpolate(x, size=512)  # (1, 8, 512)
            _, _, _ = y.shape
            z = y if y.shape[0] in (25, 13) else y[0]
            return z.permute(0, 2, 1)

        def matched(x, n):
            y = F.interpolate(x, size=n)  # (1, 8, n)
            _, _, _ = y.shape
            match y.shape[0]:
                case 25:
                    z = y
                case _:
                    z = y[0]
            return z.permute(0, 2, 1)
        """,
    "the number of rounds of a loop": """
        import torch
        from torch.nn import functional as F

        def loop(x):
            y = F.interpolate(x, size=512)  # (1, 8, 512)
            _, _, _ = y.shape
            rows = [y[i] for i in range(y.shape[0])]
            return torch.stack(rows).view(25, 4096)

        def loop2(x):
            y = F.interpolate(x, size=512)  # (1, 8, 512)
            _, _, _ = y.shape
            rows = []
            for row in y:
                rows.append(row)
            return torch.stack(rows).view(25, 4096)
        """,
    "an assert corrects the comment": """
        import torch
        from torch.nn import functional as F

        def asserted(x, n):
            y = F.interpolate(x, size=n)  # (1, 8, n)
            _, _, _ = y.shape
            assert y.shape[0] == 25
            return y.view(25, 8*n).permute(0, 1)
        """,
    "a test kept in an attribute": """
        import torch
        from torch import nn
        from torch.nn import functional as F

        class M(nn.Module):
            def forward(self, x, n):
                y = F.interpolate(x, size=n)  # (1, 8, n)
                _, _, _ = y.shape
                self.many = y.shape[0] > 1
                return self.tail(y)

            def tail(self, y):
                z = y if self.many else y[0]
                return z.permute(0, 2, 1)
        """,
    "what the program itself shows": """
        import torch
        from torch.nn import functional as F

        def wrong(x):
            y = F.interpolate(x, size=512)  # (1, 8, 512)
            _, _, _ = y.shape
            z = y.mean(0) if y.shape[0] > 1 else y[0]
            return z.permute(0, 2, 1)  # NC303

        def wrong_plain(x):
            y = F.interpolate(x, size=512)  # (1, 8, 512)
            _, _, _ = y.shape
            return y @ torch.zeros(8, 3)  # NC203

        def wrong_num(x):
            y = torch.zeros(2, 8, 512)
            z = y if y.shape[0] > 5 else y[0]
            return z.permute(0, 2, 1)  # NC303
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])

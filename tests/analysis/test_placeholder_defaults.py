"""Classes whose defaults nobody uses: with them a constructor raises, or a size is 0.

They are not tried with their defaults. A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "a division by a default of 0": """
        import torch
        from torch import nn

        class Inner(nn.Module):
            def __init__(self, heads, size):
                super().__init__()
                self.heads = heads
                self.width = width = size // heads
                self.drop = nn.Dropout(0.1)

            def forward(self, k):
                b = k.size(0)
                k = self.drop(k.view(b, -1, self.heads, self.width).transpose(1, 2))
                return k.transpose(1, 2).contiguous().view(b, -1, self.heads * self.width)

        class First(nn.Module):
            def __init__(self, size=0, heads=0, rate=0.1):
                super().__init__()
                self.inner = Inner(heads, size)

            def forward(self, x):
                return self.inner(x)

        class Second(nn.Module):
            def __init__(self, size: int = 0, heads: int = 0):
                super().__init__()
                self.inner = Inner(heads, size)
                self.flag = "a" if heads else "b"

            def forward(self, x):
                return self.inner(x) + self.inner(x)
        """,
    "an assert or a raise in the constructor": """
        import torch
        from torch import nn

        class Asserted(nn.Module):
            def __init__(self, dim, kind=None):
                super().__init__()
                assert kind is not None
                self.kind = kind
                self.a = nn.Linear(dim, 8)
                self.b = nn.Linear(8 if kind == "a" else 9, dim)

            def forward(self, x):
                return self.b(self.a(x))

        class Raised(nn.Module):
            def __init__(self, dim, n=0):
                super().__init__()
                if n <= 0:
                    raise ValueError("n must be given")
                self.n = n

            def forward(self, x):
                return x.view(2, -1, self.n)

        class Outer(nn.Module):
            def __init__(self, dim, n=-1):
                super().__init__()
                self.inner = Raised(dim, n)
                self.a = nn.Linear(dim, 8)
                self.b = nn.Linear(8 + n, dim)

            def forward(self, x):
                return self.b(self.a(self.inner(x)))
        """,
    "a view into no elements, and a layer of no channels": """
        import torch
        from torch import nn

        class Viewed(nn.Module):
            def __init__(self, dim, heads=0):
                super().__init__()
                self.heads = int(heads) if heads else heads
                self.proj = nn.Linear(dim, 12)

            def forward(self, x):
                return self.proj(x).view(x.shape[0], self.heads, -1)

        class Made(nn.Module):
            def __init__(self, size=0, depth=0):
                super().__init__()
                self.a = nn.Linear(16, size)
                self.b = nn.Linear(size, 16)
                self.c = nn.Linear(size if depth > 0 else 16 + size, 16)
                self.deep = depth > 0

            def forward(self, x):
                x = self.a(x)
                return self.c(x) if self.deep else self.b(x)
        """,
    "a default of 0 is a flag": """
        import torch
        from torch import nn

        class Flagged(nn.Module):
            def __init__(self, dim, extra=0, groups=None):
                super().__init__()
                self.a = nn.Linear(dim, 8)
                if extra:
                    self.width = dim // extra
                self.share = dim // extra if extra > 0 else 0
                self.extra = nn.Linear(extra, 8) if extra > 0 else None
                self.b = nn.Linear(8 if extra > 0 else 9, dim)

            def forward(self, x):
                return self.b(self.a(x))  # NC208
        """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_placeholder_defaults_are_not_tried(program: str) -> None:
    check_marks(program)

"""A class that requires two sizes to be equal is right if it is only built with equal ones.

The same unknown value may be given for both, or two elements of one list of unknown sizes. A line
ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "one value for both": """
        import torch
        from torch import nn


        class Merge(nn.Module):
            def __init__(self, dim: int, out_dim: int):
                super().__init__()
                self.norm = nn.LayerNorm(2 * dim)
                self.reduction = nn.Linear(2 * dim, out_dim)

            def forward(self, x):
                b, t, c = x.shape
                x = x.reshape(b, t // 2, 2, c)
                return self.reduction(self.norm(x.reshape(b, t // 2, 2 * c))) + x.mean(2)


        class Net(nn.Module):
            def __init__(self, dims, up):
                super().__init__()
                layers = []
                dim = dims[0]
                for i in range(len(dims)):
                    layers.append(nn.Linear(dim, dim))
                    dim = 2 * dim if up[i] else dim
                    layers.append(Merge(dim, dim))
                self.net = nn.Sequential(*layers)
        """,
    "built nowhere": """
        import torch
        from torch import nn


        class Merge2(nn.Module):
            def __init__(self, dim: int, out_dim: int):
                super().__init__()
                self.norm = nn.LayerNorm(2 * dim)
                self.reduction = nn.Linear(2 * dim, out_dim)

            def forward(self, x):
                b, t, c = x.shape
                x = x.reshape(b, t // 2, 2, c)
                return self.reduction(self.norm(x.reshape(b, t // 2, 2 * c))) + x.mean(2)  # NC201
        """,
    "known to differ": """
        import torch
        from torch import nn


        class Merge2(nn.Module):
            def __init__(self, dim: int, out_dim: int):
                super().__init__()
                self.norm = nn.LayerNorm(2 * dim)
                self.reduction = nn.Linear(2 * dim, out_dim)

            def forward(self, x):
                b, t, c = x.shape
                x = x.reshape(b, t // 2, 2, c)
                return self.reduction(self.norm(x.reshape(b, t // 2, 2 * c))) + x.mean(2)  # NC201


        class Half(nn.Module):
            def __init__(self):
                super().__init__()
                self.merge = Merge2(64, 128)
        """,
    "of two lists": """
        import torch
        from torch import nn


        class Merge3(nn.Module):
            def __init__(self, dim: int, out_dim: int):
                super().__init__()
                self.norm = nn.LayerNorm(2 * dim)
                self.reduction = nn.Linear(2 * dim, out_dim)

            def forward(self, x):
                b, t, c = x.shape
                x = x.reshape(b, t // 2, 2, c)
                return self.reduction(self.norm(x.reshape(b, t // 2, 2 * c))) + x.mean(2)  # NC201


        class Net3(nn.Module):
            def __init__(self, dims, up):
                super().__init__()
                self.layers = nn.ModuleList([Merge3(a, b) for a, b in zip(dims, up)])
        """,
    "neighbours of a configured list": """
        import torch
        from torch import nn


        class Res(nn.Module):
            def __init__(self, cin, cout):
                super().__init__()
                self.a = nn.Linear(cin, cout)
                self.b = nn.Linear(cout, cout)

            def forward(self, x):
                return self.b(self.a(x)) + x


        class NetRes(nn.Module):
            def __init__(self, config):
                super().__init__()
                self.blocks = nn.ModuleList()
                for i in range(1, len(config.widths)):
                    self.blocks.append(Res(config.widths[i - 1], config.widths[i]))
        """,
    "neighbours of a parameter": """
        import torch
        from torch import nn


        class Res2(nn.Module):
            def __init__(self, cin, cout):
                super().__init__()
                self.a = nn.Linear(cin, cout)
                self.b = nn.Linear(cout, cout)

            def forward(self, x):
                return self.b(self.a(x)) + x


        class NetRes2(nn.Module):
            def __init__(self, widths):
                super().__init__()
                count = len(widths) - 1
                blocks = [Res2(widths[i], cout=widths[i + 1]) for i in range(count)]
                self.blocks = nn.ModuleList(blocks)
        """,
    "neighbours of a known list, and two fields": """
        import torch
        from torch import nn


        class Res3(nn.Module):
            def __init__(self, cin, cout):
                super().__init__()
                self.a = nn.Linear(cin, cout)
                self.b = nn.Linear(cout, cout)

            def forward(self, x):
                return self.b(self.a(x)) + x  # NC201


        class NetRes3(nn.Module):
            def __init__(self, config):
                super().__init__()
                widths = [32, 64, 128]
                self.blocks = nn.ModuleList([Res3(widths[i], widths[i + 1]) for i in range(2)])
                self.first = Res3(config.inner, config.outer)
        """,
    "neighbours of a list that is known by default": """
        import torch
        from torch import nn


        class Res4(nn.Module):
            def __init__(self, cin, cout):
                super().__init__()
                self.a = nn.Linear(cin, cout)
                self.b = nn.Linear(cout, cout)

            def forward(self, x):
                return self.b(self.a(x)) + x  # NC201


        class NetRes4(nn.Module):
            def __init__(self, widths=(32, 64, 128)):
                super().__init__()
                count = len(widths) - 1
                self.blocks = nn.ModuleList([Res4(widths[i], widths[i + 1]) for i in range(count)])
        """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_sizes_that_a_class_is_built_with(program: str) -> None:
    check_marks(program)

"""Options of a layer that a program stores to its attributes after it has built the layer.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "a loss that is built with one reduction gets another": """
        import torch
        from torch import nn

        def by_element(batches):
            m = nn.CrossEntropyLoss()
            m.reduction = "none"
            out = []
            for p, y in batches:
                out.append(m(p, y))
            return torch.cat(out)

        def by_name(batches):
            m = nn.MSELoss()
            setattr(m, "reduction", "none")
            return torch.cat([m(p, y) for p, y in batches])

        def by_any_name(batches, name):
            m = nn.MSELoss()
            setattr(m, name, "none")
            return torch.cat([m(p, y) for p, y in batches])

        def to_one_number(batches):
            m = nn.L1Loss(reduction="none")
            m.reduction = "sum"
            return torch.cat([m(p, y) for p, y in batches])  # NC303

        def unchanged(batches):
            m = nn.L1Loss()
            m.other = "none"
            return torch.cat([m(p, y) for p, y in batches])  # NC303

        def unknown(batches, reduction):
            m = nn.L1Loss()
            m.reduction = reduction
            return torch.cat([m(p, y) for p, y in batches])

        def on_one_path(batches, each):
            m = nn.L1Loss()
            if each:
                m.reduction = "none"
            return torch.cat([m(p, y) for p, y in batches])

        def on_no_path(batches, each):
            m = nn.L1Loss()
            if each:
                m.reduction = "mean"
            else:
                m.reduction = "sum"
            return torch.cat([m(p, y) for p, y in batches])
        """,
    "a function sets the option of its argument": """
        import torch
        from torch import nn

        def by_element(loss):
            loss.reduction = "none"
            return loss

        def f(batches):
            m = by_element(nn.CrossEntropyLoss())
            return torch.cat([m(p, y) for p, y in batches])

        def g(batches):
            m = nn.CrossEntropyLoss()
            by_element(m)
            return torch.cat([m(p, y) for p, y in batches])
        """,
    "a method sets the option of a layer": """
        import torch
        from torch import nn

        class Direct(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 3, 3, stride=2, padding=1)

            def dense(self):
                self.conv.stride = (1, 1)

            def forward(self):
                x = torch.zeros(2, 3, 8, 8)
                return self.conv(x) + x

        class Named(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 3, 3, stride=2, padding=1)

            def dense(self):
                conv = self.conv
                conv.stride = (1, 1)

            def forward(self):
                x = torch.zeros(2, 3, 8, 8)
                return self.conv(x) + x

        class ByText(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 3, 3, stride=2, padding=1)

            def dense(self):
                setattr(self.conv, "stride", (1, 1))

            def forward(self):
                x = torch.zeros(2, 3, 8, 8)
                return self.conv(x) + x

        class Configured(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 3, 3, stride=2, padding=1)

            def configure(self, cfg):
                self.conv.stride = cfg.stride

            def forward(self):
                x = torch.zeros(2, 3, 8, 8)
                return self.conv(x) + x

        class Kept(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 3, 3, stride=2, padding=1)

            def configure(self, cfg):
                self.conv.groups = 1
                self.conv.name = "stride"

            def forward(self):
                x = torch.zeros(2, 3, 8, 8)
                return self.conv(x) + x  # NC201

        class Extended(nn.Conv2d):
            def dense(self):
                self.stride = (1, 1)

            def f(self):
                x = torch.zeros(2, 3, 8, 8)
                return self(x) + x

        class Strided(nn.Conv2d):
            def __init__(self):
                super().__init__(3, 3, 3, padding=1)
                self.stride = (2, 2)

            def f(self):
                x = torch.zeros(2, 3, 8, 8)
                return self(x) + x  # NC201
        """,
    "other code sets the option of a layer in a module": """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 3, 3, stride=2, padding=1)

            def forward(self):
                x = torch.zeros(2, 3, 8, 8)
                return self.conv(x) + x

        class Other(nn.Module):
            def __init__(self):
                super().__init__()
                self.other = nn.Conv2d(3, 3, 3, stride=2, padding=1)

            def forward(self):
                x = torch.zeros(2, 3, 8, 8)
                return self.other(x) + x  # NC201

        def run():
            net = Net()
            net.conv.stride = (1, 1)
            return net()

        def shrink(net, stride):
            setattr(net.conv, "stride", stride)
        """,
    "two modules built alike": """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self, stride):
                super().__init__()
                self.conv = nn.Conv2d(3, 3, 3, padding=1)

            def forward(self, x):
                return self.conv(x)

        def run(n):
            first, second = Net(n), Net(n)
            first.conv.stride = (2, 2)
            x = torch.zeros(2, 3, 8, 8)
            return second(x) + x
        """,
    "windows of another step": """
        import torch
        from torch import nn

        class Dilated(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 3, 3, stride=2, padding=1)
                self.conv.stride = (1, 1)

            def forward(self):
                x = torch.zeros(2, 3, 8, 8)
                return self.conv(x) + x

        class Shrunk(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 3, 3, stride=1, padding=1)
                self.conv.stride = (2, 2)

            def forward(self):
                x = torch.zeros(2, 3, 8, 8)
                return self.conv(x) + x  # NC201

        class Walked(nn.Module):
            def __init__(self):
                super().__init__()
                self.convs = nn.ModuleList([nn.Conv2d(3, 3, 3, stride=2, padding=1)])
                for m in self.modules():
                    if isinstance(m, nn.Conv2d):
                        m.stride = (1, 1)

            def forward(self):
                x = torch.zeros(2, 3, 8, 8)
                return self.convs[0](x) + x

        class Rows(nn.Module):
            def __init__(self):
                super().__init__()
                self.convs = nn.ModuleList([nn.Conv2d(3, 3, 3, stride=2, padding=1)])

            def dense(self):
                for conv in self.convs:
                    conv.stride = (1, 1)

            def forward(self):
                x = torch.zeros(2, 3, 8, 8)
                return self.convs[0](x) + x

        class Reflected(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 3, 3, padding=1, padding_mode="reflect")
                self.conv.padding = (0, 0)

            def forward(self):
                x = torch.zeros(2, 3, 8, 8)
                return self.conv(x) + x
        """,
    "the sizes of its tensors stay what they are": """
        import torch
        from torch import nn

        def f():
            head = nn.Linear(4, 5)
            head.out_features = 6
            return head(torch.zeros(2, 4)) + torch.zeros(2, 5)

        def g(x):
            head = nn.Linear(4, 5)
            head.in_features = 8
            return nn.Linear(head.in_features, 2)(torch.zeros(2, 8))
        """,
    "a layer of layers has passed its options on": """
        import torch
        from torch import nn

        def f(n):
            layer = nn.TransformerEncoderLayer(8, 2)
            layer.batch_first = True
            return nn.TransformerEncoder(layer, 2)(torch.zeros(3, n, 8))

        def recurrent():
            rnn = nn.GRU(4, 5)
            rnn.batch_first = True
            out, h = rnn(torch.zeros(2, 7, 4))
            return h + torch.zeros(1, 7, 5)  # NC201
        """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_programs(program: str) -> None:
    check_marks(program)

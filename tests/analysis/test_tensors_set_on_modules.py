"""Code that goes over the modules inside another may replace their weights.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAM = """
        import torch
        from torch import nn

        class Experts(nn.Module):
            def __init__(self, n, d, h):
                super().__init__()
                self.n, self.d = n, d
                self.w = nn.Parameter(torch.randn(n, d, h))

            def forward(self, x):
                return torch.bmm(x.view(self.n, -1, self.d), self.w){mark}

        def by_name(model, config):
            for _, module in model.named_modules():
                if not isinstance(module, Experts):
                    continue
                experts = module
                for name in ["w", "v"]:
                    setattr(experts, name, config(getattr(experts, name)))

        def by_attribute(model, config):
            for module in model.modules():
                if isinstance(module, Experts):
                    module.w = config(module.w)

        def replace(module, config):
            module.w = config(module.w)

        def by_function(model, config):
            for module in model.modules():
                replace(module, config)

        def look(model, config):
            for module in model.modules():
                config(module.w)

        def run(config):
            experts = Experts(2, 128, 256)
            experts.w = nn.Parameter(experts.w.transpose(1, 2))
            {change}
            return experts(torch.randn(4, 64, 128))
        """

LOOP = """for module in experts.modules():
                module.w = config(module.w)"""
"""The loop itself, in the place of a call."""


@pytest.mark.parametrize(
    "change",
    [
        "by_name(experts, config)",
        "by_attribute(experts, config)",
        "by_function(experts, config)",
        LOOP,
        LOOP.replace("experts.modules()", "list(experts.modules())"),
        LOOP.replace("module.w = config(module.w)", "replace(module, config)"),
    ],
)
def test_a_weight_that_a_loop_over_modules_sets_is_unknown(change: str) -> None:
    check_marks(PROGRAM.format(change=change, mark=""))


@pytest.mark.parametrize(
    "change",
    [
        "look(experts, config)",
        "print(experts)",
        LOOP.replace("module.w =", "module.v ="),
        LOOP.replace("experts.modules()", "nn.Linear(2, 3).modules()"),
    ],
)
def test_a_loop_that_sets_something_else_leaves_the_weight_known(change: str) -> None:
    check_marks(PROGRAM.format(change=change, mark="  # NC203"))


@pytest.mark.parametrize("change", ["experts.load_state_dict(config.state, assign=True)"])
def test_a_weight_that_comes_from_a_file_is_unknown(change: str) -> None:
    check_marks(PROGRAM.format(change=change, mark=""))


@pytest.mark.parametrize("change", ["experts.load_state_dict(config.state)"])
def test_a_weight_with_other_values_keeps_its_dims(change: str) -> None:
    check_marks(PROGRAM.format(change=change, mark="  # NC203"))


NET = """
        import torch
        from torch import nn

        def replace(model, make):
            for name, module in model.named_children():
                setattr(model, name, make(module))

        class Net(nn.Module):
            def __init__(self, d, make):
                super().__init__()
                self.net = nn.Sequential(nn.Linear(d, 2 * d), nn.ReLU(), nn.Linear(d, d))
                {change}

            def forward(self, x):
                return self.net(x){mark}
        """

WALK = """for name, module in self.net.named_children():
                    {change}"""


@pytest.mark.parametrize(
    "change",
    [
        "self.net.state_dict()",
        "self.net.zero_grad()",
        WALK.format(change="nn.init.zeros_(module.weight)"),
        WALK.format(change="print(name)"),
        WALK.format(change="module.seen = True"),
    ],
)
def test_a_walk_over_a_sequence_of_layers_keeps_them(change: str) -> None:
    check_marks(NET.format(change=change, mark="  # NC208"))


@pytest.mark.parametrize(
    "change",
    [
        "replace(self.net, make)",
        "replace(self, make)",
        WALK.format(change="setattr(self.net, name, make(module))"),
        WALK.format(change="self.net._modules[name] = make(module)"),
        WALK.format(change="self.net[int(name)] = make(module)"),
    ],
)
def test_a_walk_that_replaces_layers_forgets_them(change: str) -> None:
    check_marks(NET.format(change=change, mark=""))

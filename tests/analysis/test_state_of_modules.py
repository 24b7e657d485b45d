"""Attributes of modules: what a call leaves in them, and what a function sets from outside.

A line ends in the code that is reported there.
"""

from __future__ import annotations

from textwrap import dedent

import pytest
from snippets import check_marks

CELL = """
import copy
import torch
from torch import nn

class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.h = None

    def forward(self, x):
        self.h = x if self.h is None else self.h + x
        return self.h
"""

STATES = {
    "cells in a list": """
        class Stack(nn.Module):
            def __init__(self, widths):
                super().__init__()
                self.convs = nn.ModuleList([nn.Conv2d(3, 8, 1), nn.Conv2d(8, 16, 1)])
                self.cells = nn.ModuleList([Cell() for _ in range(2)])
                self.more = nn.ModuleList()
                for _ in widths:
                    self.more.append(Cell())

            def forward(self, x):
                for conv, cell in zip(self.convs, self.cells):
                    x = cell(conv(x))
                return self.more[1](self.more[0](x).mean(1))
        """,
    "cells in blocks": """
        class Block(nn.Module):
            def __init__(self, i, o):
                super().__init__()
                self.conv = nn.Conv2d(i, o, 1)
                self.act = Cell()

            def forward(self, x):
                return self.act(self.conv(x))

        class Nested(nn.Module):
            def __init__(self):
                super().__init__()
                self.one = Block(3, 8)
                self.two = Block(8, 16)

            def forward(self, x):
                return self.two(self.one(x))
        """,
    "methods and states read from outside": """
        class Named(nn.Module):
            def __init__(self):
                super().__init__()
                self.one, self.two = Cell(), Cell()
                self.a = nn.Linear(3, 8)
                self.b = nn.Linear(8, 16)

            def forward(self, x):
                a = self.one.forward(self.a(x))
                b = self.two.forward(self.b(a))
                return self.one.h + torch.zeros(8), self.two.h + torch.zeros(16)
        """,
    "copies": """
        class Copied(nn.Module):
            def __init__(self):
                super().__init__()
                cell = Cell()
                self.one, self.two = copy.deepcopy(cell), copy.deepcopy(cell)
                self.a = nn.Linear(3, 8)
                self.b = nn.Linear(8, 16)

            def forward(self, x):
                return self.two(self.b(self.one(self.a(x))))
        """,
    "a plain object that is called": """
        class Sum:
            def __init__(self):
                self.total = 0

            def __call__(self, x):
                self.total = self.total + x
                return self.total

        def sums():
            several = [Sum() for _ in range(2)]
            return [add(torch.zeros(n)) for n, add in zip((3, 4), several)]
        """,
    "a method that keeps its own state": """
        class Kept(nn.Module):
            def __init__(self):
                super().__init__()
                self.a = nn.Linear(3, 8)
                self.h = None

            def forward(self, x):
                self.h = self.a(x)
                return self.h + torch.zeros(9)  # NC201
        """,
    "the state of the only cell": """
        class Only(nn.Module):
            def __init__(self):
                super().__init__()
                self.cell = Cell()
                self.a = nn.Linear(3, 8)

            def forward(self, x):
                y = self.cell(self.a(x))
                return self.cell.h + torch.zeros(9)  # NC201
        """,
}

LIN = """
import torch
from torch import nn
from somewhere import functional, switch

class Lin(nn.Module):
    def __init__(self, i, o, batched=False):
        super().__init__()
        self.lin = nn.Conv1d(i, o, 1)
        self.batched = batched

    def forward(self, x):
        if not self.batched:
            return self.lin(x)
        return torch.stack([self.lin(t) for t in x])
"""

NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Sequential(Lin(4, 5))
        {}

    def forward(self, x):
        return self.lin(torch.zeros(2, 3, 4, 6))
"""

SETTERS = {
    "functional.set_mode(self, 'm')": "",
    "switch(net=self.lin)": "",
    "switch(self.lin[0])": "",
    "set_by_name(self, batched=True)": """
        def set_by_name(net, **settings):
            for _, module in net.named_modules():
                for key, value in settings.items():
                    setattr(module, key, value)
        """,
    "enable_all(self)": """
        def _enable(module, flag):
            module.batched = flag

        def enable_all(net):
            for module in net.modules():
                if isinstance(module, Lin):
                    _enable(module, True)
        """,
    "recurse(self)": """
        def recurse(net):
            for child in net.children():
                child.batched = True
                recurse(child)
        """,
}


@pytest.mark.parametrize("program", STATES.values(), ids=STATES.keys())
def test_the_state_of_a_module_is_its_own(program: str) -> None:
    check_marks(CELL + dedent(program))


@pytest.mark.parametrize("setter", SETTERS)
def test_a_function_may_set_the_modes_of_modules(setter: str) -> None:
    check_marks(LIN + dedent(SETTERS[setter]) + NET.format(setter))


def test_a_property_may_set_other_attributes() -> None:
    text = LIN.replace("self.batched", "self._batched") + dedent("""
        @property
        def batched(self):
            return self._batched

        @batched.setter
        def batched(self, value):
            self._batched = value
        """).replace("\n", "\n    ")
    setter = dedent(SETTERS["recurse(self)"])
    check_marks(text.rstrip() + "\n" + setter + NET.format("recurse(self)"))


@pytest.mark.parametrize(
    "call", ["pass", "print(self)", "nn.init.normal_(self.lin[0].lin.weight)", "count(self)"]
)
def test_a_function_that_sets_no_mode_leaves_the_mode_known(call: str) -> None:
    counting = dedent("""
        def count(net):
            total = 0
            for module in net.modules():
                module.seen = True
                total += 1
            return total
        """)
    text = LIN.replace("return self.lin(x)", "return self.lin(x)  # NC303")
    check_marks(text + counting + NET.format(call))

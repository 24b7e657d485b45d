"""Subclasses of `nn.Sequential`: they run the modules that they are given, or that they register.

A line ends in the code that is reported there.
"""

from __future__ import annotations

from textwrap import dedent

import pytest
from snippets import check_marks

HEAD = """
import torch
from collections import OrderedDict
from torch import nn


"""

BODIES = {
    "arguments": "super().__init__(nn.Linear(d, 2 * d), nn.Linear({width}, d))",
    "a list": """
        layers = [nn.Linear(d, 2 * d)]
        layers.append(nn.Linear({width}, d))
        super(Block, self).__init__(*layers)
    """,
    "an ordered dict": """
        super().__init__(OrderedDict([
            ("a", nn.Linear(d, 2 * d)),
            ("b", nn.Linear({width}, d)),
        ]))
    """,
    "add_module": """
        super().__init__()
        self.add_module("a", nn.Linear(d, 2 * d))
        self.add_module("b", nn.Linear({width}, d))
    """,
    "attributes": """
        super().__init__()
        self.a = nn.Linear(d, 2 * d)
        self.width = {width}
        self.b = nn.Linear(self.width, d)
    """,
    "blocks": """
        super().__init__(Inner(d, 2 * d), nn.ReLU(), Inner({width}, d))
    """,
}

UNKNOWN = {
    "more than the program shows": """
        super().__init__(*make(d))
        self.add_module("b", nn.Linear(d, d))
        self.add_module("c", nn.Linear(2 * d, d))
    """,
    "a module that is replaced": """
        super().__init__(nn.Linear(d, 2 * d), nn.Linear(d, d))
        self[1] = make(d)
    """,
    "a module that is taken away": """
        super().__init__(nn.Linear(d, 2 * d), nn.Linear(d, d))
        del self[1]
    """,
    "modules that are inserted": """
        super().__init__(nn.Linear(d, 2 * d), nn.Linear(d, d))
        self.insert(1, make(d))
    """,
    "a name that is set again": """
        super().__init__()
        self.a = nn.Linear(d, 2 * d)
        self.b = nn.Linear(d, d)
        self.a = nn.Linear(d, d)
    """,
    "one of two modules": """
        super().__init__()
        self.a = nn.Linear(d, 2 * d) if make else nn.Linear(d, d)
        if not make:
            self.b = nn.Linear(d, d)
    """,
}

PROGRAM = """
class Inner(nn.Sequential):
    def __init__(self, width, out):
        super().__init__(nn.Linear(width, out), nn.BatchNorm1d(out))


class Block(nn.Sequential):
    def __init__(self, d, make=None):
{body}


class Net(nn.Module):
    def __init__(self, d, make):
        super().__init__()
        self.block = Block(d, make)

    def forward(self, x):
        return self.block(x){mark}
"""


def program(body: str, mark: str) -> str:
    lines = dedent(body).strip("\n").splitlines()
    return HEAD + PROGRAM.format(body="\n".join(" " * 8 + line for line in lines), mark=mark)


@pytest.mark.parametrize("name", BODIES)
def test_modules_run_one_after_another(name: str) -> None:
    check_marks(program(BODIES[name].format(width="2 * d"), ""))
    check_marks(program(BODIES[name].format(width="d"), "  # NC208"))


@pytest.mark.parametrize("name", UNKNOWN)
def test_modules_that_are_not_known_are_not_run(name: str) -> None:
    check_marks(program(UNKNOWN[name], ""))


def test_a_forward_of_its_own_runs_instead() -> None:
    check_marks(
        HEAD
        + dedent("""
        class Block(nn.Sequential):
            def __init__(self, d):
                super().__init__(nn.Linear(d, 2 * d), nn.Linear(d, d))

            def forward(self, x):
                return self[1](x)


        class Both(nn.Sequential):
            def __init__(self, d):
                super().__init__(nn.Linear(d, 2 * d), nn.Linear(2 * d, 3 * d))

            def forward(self, x):
                return super().forward(x)


        class Net(nn.Module):
            def __init__(self, d):
                super().__init__()
                self.block = Block(d)
                self.both = Both(d)
                self.out = nn.Linear(d, 2 * d)

            def forward(self, x):
                return self.out(self.block(x)), self.out(self.both(x))  # NC208
        """)
    )


def test_the_class_itself_is_built_with_modules() -> None:
    check_marks(
        HEAD
        + dedent("""
        class Row(nn.Sequential):
            pass


        class Net(nn.Module):
            def __init__(self, d):
                super().__init__()
                self.right = Row(nn.Linear(d, 2 * d), nn.Linear(2 * d, d))
                self.wrong = Row(nn.Linear(d, 2 * d), nn.Linear(d, d))
                self.grown = nn.Sequential()
                self.grown.add_module("a", nn.Linear(d, 2 * d))
                self.grown.add_module("b", nn.Linear(d, d))

            def forward(self, x):
                a = self.right(x)
                b = self.wrong(x)  # NC208
                c = self.grown(x)  # NC208
                return a + b + c
        """)
    )

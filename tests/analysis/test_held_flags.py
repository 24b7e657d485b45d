"""Flags in attributes and variables: what the test that a flag holds says where the flag is true.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

_START = """
        import torch
        from torch import nn
        from einops import rearrange

        class Grouped(nn.Module):
            def __init__(self, dim, *, groups=1, flag=False, other=None):
                super().__init__()
                self.groups = groups
                self.scale = nn.Parameter(torch.ones(dim * groups, 1))
                SET

            def forward(self, x):
                x = rearrange(x, "b ... (g d) -> b ... g d", g=self.groups)
                TEST
                return rearrange(x, "b ... 1 d -> b ... d")MARK
"""


def _program(setting: str, test: str, mark: str = "") -> str:
    """A module that sets a flag in its constructor, and tests it before it drops a dim."""
    text = _START.replace("MARK", mark)
    return text.replace("SET", _indented(setting)).replace("TEST", _indented(test))


def _indented(text: str) -> str:
    return text.replace("\n", "\n" + " " * 16)


UNLESS = "if not self.squeeze:\n    return x"

RIGHT = {
    "a conjunction": ("self.squeeze = groups == 1 and flag", UNLESS),
    "the other way round": ("self.squeeze = flag and groups == 1", UNLESS),
    "the test alone": ("self.squeeze = groups == 1", UNLESS),
    "three tests": ("self.squeeze = flag and groups == 1 and other is None", UNLESS),
    "the attribute": ("self.squeeze = self.groups == 1 and flag\nself.later = 3", UNLESS),
    "a variable": ("single = groups == 1\nself.squeeze = single and flag", UNLESS),
    "a copy": ("squeeze = groups == 1 and flag\nself.squeeze = squeeze", UNLESS),
    "the opposite": ("self.keep = groups != 1 or not flag", "if self.keep:\n    return x"),
    "another attribute": (
        "self.single = groups == 1\nself.squeeze = self.single and flag",
        UNLESS,
    ),
    "bool()": ("self.squeeze = bool(groups == 1 and flag)", UNLESS),
    "a variable in the method": (
        "self.flag = flag",
        "squeeze = self.flag and self.groups == 1\nif not squeeze:\n    return x",
    ),
    "a flag and more": (
        "self.squeeze = groups == 1 and flag",
        "if not (self.squeeze and x.ndim > 2):\n    return x",
    ),
    "an assertion": ("self.squeeze = groups == 1 and flag", "assert self.squeeze"),
}

WRONG = {
    "a disjunction": ("self.squeeze = groups == 1 or flag", UNLESS),
    "the wrong way": ("self.squeeze = groups == 1 and flag", "if self.squeeze:\n    return x"),
    "another flag": ("self.squeeze = flag", UNLESS),
    "another size": ("self.squeeze = dim == 1 and flag", UNLESS),
    "not tested": ("self.squeeze = groups == 1 and flag", "pass"),
}


@pytest.mark.parametrize(("setting", "test"), RIGHT.values(), ids=RIGHT)
def test_what_a_flag_says_is_believed(setting: str, test: str) -> None:
    check_marks(_program(setting, test))


@pytest.mark.parametrize(("setting", "test"), WRONG.values(), ids=WRONG)
def test_a_flag_says_nothing_else(setting: str, test: str) -> None:
    check_marks(_program(setting, test, "  # NC211"))

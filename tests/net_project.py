"""A project with one module, for tests of what `namecheck check` reports through its drives."""

from __future__ import annotations

import re
from pathlib import Path

from invoking import invoke

NET = """\
from torch import nn


class Net(nn.Module):
    def __init__(self, width, classes=10):
        super().__init__()
        self.encode = nn.Linear(width, 2 * width)
        self.decide = nn.Linear(2 * width, classes)

    def forward(self, x):
        return self.decide(self.encode(x))
"""
IMPORTS = "import pytest\nimport torch\nimport unittest\nfrom net import Net\n"


def make_project(folder: Path) -> None:
    """Write the module, and the file that says where the project begins."""
    (folder / "pyproject.toml").write_text('[project]\nname = "net"\n')
    (folder / "net.py").write_text(NET)


def findings(*arguments: str) -> list[str]:
    """The findings of a check as `path:line CODE level`."""
    output = invoke("check", "--no-cache", "--output-format", "concise", *arguments).output
    found = re.findall(r"^(\S+:\d+):\d+: (NC\d+) \[(\w+)\]", output, re.MULTILINE)
    return [f"{place} {code} {level}" for place, code, level in found]

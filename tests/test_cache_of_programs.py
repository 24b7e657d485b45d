"""The cache after edits of what a result took from other files, one kind of thing at a time.

Each edit changes what is reported: a result that did not remember where it came from would stay.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from namecheck.main import main


class Case(NamedTuple):
    """The files of a project, and an edit of one of them: what is replaced by what.

    A file that is replaced as a whole ("") appears with the edit.
    """

    files: Mapping[str, str]
    path: str
    old: str
    new: str


NET = """
    import torch
    from torch import nn

    class Net(nn.Module):
        def __init__(self, width, classes=10):
            super().__init__()
            self.lin = nn.Linear(width, classes)

        def forward(self, x):
            return self.lin(x)
    """
REGISTRY = """
    FOUND = {}

    def register(name):
        def enter(cls):
            FOUND[name] = cls
            return cls
        return enter

    def build(name, *sizes):
        return FOUND[name](*sizes)
    """
SMALL = """
    from torch import nn
    from registry import register

    @register("small")
    class Small(nn.Linear):
        def __init__(self, width):
            super().__init__(width, 3)

    @register("other")
    class Other(nn.Linear):
        def __init__(self, width):
            super().__init__(width, 4)
    """
TEST_OF_SMALL = """
    import torch
    import every
    from registry import build

    def test_it():
        return build("small", 5)(torch.ones(2, 5)) @ torch.ones(3, 2)
    """
ENTERED = {
    "registry.py": REGISTRY,
    "small.py": SMALL,
    "every.py": "import small\n",
    "test_small.py": TEST_OF_SMALL,
}
WRONG = {**ENTERED, "small.py": SMALL.replace("width, 3", "width, 4")}
TABLE = """
    WIDTHS = {"small": 3}
    LIST = [3, 4]

    def widths():
        return WIDTHS

    def other(name):
        return name
    """
OF_TABLE = {
    "table.py": TABLE,
    "program.py": """
        import torch
        from table import LIST, WIDTHS

        y = torch.ones(2, 3) @ torch.ones(WIDTHS["small"], 2)
        z = torch.ones(2, 3) @ torch.ones(LIST[0], 2)
        """,
}
TESTED = {
    "net.py": NET,
    "tests/conftest.py": """
        import pytest
        from net import Net

        @pytest.fixture
        def width():
            return 8

        @pytest.fixture
        def net(width):
            return Net(width)
        """,
    "tests/deep/test_net.py": """
        import torch

        def test_it(net):
            return net(torch.zeros(2, 8))
        """,
}
READ = {
    "net.py": NET,
    "plan.py": """
        import json

        with open("plan.json") as f:
            PLAN = json.load(f)
        """,
    "program.py": """
        import torch
        from net import Net
        from plan import PLAN

        Net(PLAN["width"])(torch.zeros(2, 8))
        """,
}
OPTIONS = {
    "net.py": NET,
    "options.py": """
        import argparse

        def parsed():
            parser = argparse.ArgumentParser()
            parser.add_argument("--width", type=int, default=8)
            return parser.parse_args()
        """,
    "train.py": """
        import torch
        from net import Net
        from options import parsed

        if __name__ == "__main__":
            args = parsed()
            Net(args.width)(torch.zeros(2, 8))
        """,
}
CONFIG = {
    "net.py": NET,
    "config.py": """
        from dataclasses import dataclass, field

        @dataclass
        class Sizes:
            width: int = 8

        @dataclass
        class Config:
            sizes: Sizes = field(default_factory=Sizes)
        """,
    "train.py": """
        import torch
        from config import Config
        from net import Net

        def main(config: Config = Config()):
            return Net(config.sizes.width)(torch.zeros(2, 8))

        if __name__ == "__main__":
            main()
        """,
}
BASES = {
    "base.py": """
        import torch
        from net import Net

        class Checks:
            width = 8

            def test_it(self):
                return Net(8)(torch.zeros(2, self.width))
        """,
    "net.py": NET,
    "test_net.py": """
        from base import Checks

        class TestNet(Checks):
            pass
        """,
}
CLASSES = {
    "net.py": NET,
    "kinds.py": """
        from net import Net
        from torch import nn

        class Wide(Net):
            def __init__(self, width):
                super().__init__(width, 20)

        KINDS = {"plain": Net, "wide": Wide}
        """,
    "program.py": """
        import torch
        from kinds import KINDS

        def main(kind="wide"):
            return KINDS[kind](8)(torch.zeros(2, 8)) @ torch.zeros(20, 3)

        if __name__ == "__main__":
            main()
        """,
}
PACKAGE = {
    "net/__init__.py": "from .first import *\nfrom .second import *\n",
    "net/first.py": "__all__ = ['size', 'pair']\nsize = 8\n\ndef pair(x):\n    return x[:2]\n",
    "net/second.py": "__all__ = ['other']\n\ndef other(x):\n    return x\n",
    "program.py": """
        import torch
        import net

        y = torch.zeros(2, 8) @ torch.zeros(net.size, 3)
        z = net.pair(torch.zeros(4, 3)) @ torch.zeros(3, 3) + torch.zeros(2, 3)
        """,
}
COMMAND = {
    "net.py": NET
    + "\n    def run(argv=None, width=9):\n        print(Net(8)(torch.zeros(2, width)))\n",
    "pyproject.toml": '[project]\nname = "net"\n\n[project.scripts]\nother = "net:go"\n',
}
TWO_AWAY = {
    "deep.py": "def halved(n):\n    return n // 2\n\n\ndef last(n):\n    return n\n",
    "middle.py": """
        import torch
        from deep import halved

        def wrong():
            return torch.zeros(2, halved(8)) @ torch.zeros(5, 2)

        def product(x):
            return x @ torch.zeros(halved(8), 2)
        """,
    "program.py": """
        import torch
        from middle import product, wrong

        product(torch.zeros(2, 4))
        wrong()
        """,
}
CASES = {
    "the body of a class that a decorator enters": Case(
        ENTERED, "small.py", "width, 3", "width, 4"
    ),
    "a class that a decorator enters gets another name": Case(
        ENTERED, "small.py", '@register("other")', '@register("small")'
    ),
    "a decorator goes": Case(WRONG, "small.py", '    @register("small")\n', ""),
    "a decorator that enters nothing": Case(
        WRONG, "registry.py", "FOUND[name] = cls", "FOUND[0] = cls"
    ),
    "what is built": Case(ENTERED, "registry.py", "(*sizes)", "(4)"),
    "a class that is entered can be read again": Case(
        {**ENTERED, "small.py": SMALL.replace("width, 3)", "width, 3))")},
        "small.py",
        "width, 3))",
        "width, 4)",
    ),
    "an import for its effects": Case(WRONG, "every.py", "import small", "import registry"),
    "a table": Case(OF_TABLE, "table.py", '"small": 3', '"small": 4'),
    "an element of a list": Case(OF_TABLE, "table.py", "[3, 4]", "[4, 4]"),
    "a function changes the table": Case(
        {
            **OF_TABLE,
            "table.py": TABLE.replace("return WIDTHS", "WIDTHS[1] = 2").replace(
                '"small": 3', '"small": 4'
            ),
        },
        "table.py",
        "WIDTHS[1] = 2",
        "return WIDTHS",
    ),
    "a function assigns the table": Case(
        {**OF_TABLE, "table.py": TABLE.replace('"small": 3', '"small": 4')},
        "table.py",
        "return name",
        "global WIDTHS\n        WIDTHS = {}",
    ),
    "a fixture of a folder above": Case(TESTED, "tests/conftest.py", "return 8", "return 9"),
    "a fixture nearer to the test": Case(
        TESTED,
        "tests/deep/conftest.py",
        "",
        "import pytest\n\n@pytest.fixture\ndef width():\n    return 9\n",
    ),
    "a fixture of every test": Case(
        {
            **TESTED,
            "tests/deep/test_net.py": """
            import torch

            class TestNet:
                def test_it(self):
                    return torch.zeros(2, 3) @ torch.zeros(4, 3)
            """,
        },
        "tests/conftest.py",
        "@pytest.fixture\n        def width():\n            return 8",
        "@pytest.fixture(autouse=True)\n        def width():\n            pytest.skip()",
    ),
    "a file of data": Case(
        {**READ, "plan.json": '{"width": 8}'}, "plan.json", '"width": 8', '"width": 9'
    ),
    "a file of data that was missing": Case(READ, "plan.json", "", '{"width": 9}'),
    "a file of data that was too large": Case(
        {**READ, "plan.json": '{"width": 9, "more": "' + "x" * 100_000 + '"}'},
        "plan.json",
        "x" * 100_000,
        "x",
    ),
    "the default of an option": Case(OPTIONS, "options.py", "default=8", "default=9"),
    "the default of a field": Case(CONFIG, "config.py", "int = 8", "int = 9"),
    "a test of a base class": Case(BASES, "base.py", "Net(8)", "Net(9)"),
    "an attribute of a base class": Case(BASES, "base.py", "width = 8", "width = 9"),
    "a class of a table": Case(CLASSES, "kinds.py", "width, 20", "width, 21"),
    "a base class of a class of a table": Case(
        CLASSES, "net.py", "nn.Linear(width, classes)", "nn.Linear(width, classes + 1)"
    ),
    "a table of classes": Case(CLASSES, "kinds.py", '"wide": Wide', '"wide": Net'),
    "a name that a later package gives, too": Case(
        PACKAGE,
        "net/second.py",
        "['other']\n\ndef other(x):",
        "['other', 'pair']\n\ndef pair(x):\n    return x\n\ndef other(x):",
    ),
    "a name that is no longer exported": Case(
        {**PACKAGE, "net/first.py": PACKAGE["net/first.py"].replace("size = 8", "size = 9")},
        "net/first.py",
        "'size', ",
        "",
    ),
    "a submodule that was missing": Case(
        {
            **PACKAGE,
            "program.py": PACKAGE["program.py"].replace(
                "import net\n", "import net.third as net\n"
            ),
        },
        "net/third.py",
        "",
        "size = 9\n\ndef pair(x):\n    return x\n",
    ),
    "a file instead of a package": Case(PACKAGE, "net/first/__init__.py", "", "size = 9\n"),
    "a command of the project": Case(COMMAND, "pyproject.toml", "net:go", "net:run"),
    "a file two imports away": Case(TWO_AWAY, "deep.py", "n // 2", "n // 4"),
    "what is wrong in another file by itself": Case(
        {**TWO_AWAY, "middle.py": TWO_AWAY["middle.py"].replace("zeros(5, 2)", "zeros(2, 2)")},
        "deep.py",
        "n // 2",
        "n // 3",
    ),
    "settings": Case(
        {
            "program.py": "import torch\n\ntorch.zeros(2) + torch.zeros(3)\n",
            "pyproject.toml": '[tool.namecheck]\nselect = ["NC1"]\n',
        },
        "pyproject.toml",
        'select = ["NC1"]',
        'select = ["ALL"]',
    ),
}


def write(path: str, text: str) -> None:
    place = Path(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(dedent(text))


def report(*arguments: str) -> Any:
    options = ["--jobs=1", "--output-format=json", "--exit-zero", "--notes"]
    done = CliRunner().invoke(main, ["check", *options, *arguments, "."])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.mark.usefixtures("cached")
@pytest.mark.parametrize("name", CASES)
def test_an_edit_of_what_a_result_took_from_another_file(name: str) -> None:
    case = CASES[name]
    for path, text in case.files.items():
        write(path, text)
    before = report()
    old = case.files.get(case.path, "")
    assert case.old in old
    write(case.path, old.replace(case.old, case.new) if case.old else case.new)
    after = report()
    assert after == report("--no-cache")
    assert after != before
    if case.path in case.files:
        write(case.path, old)
    else:
        Path(case.path).unlink()
    assert report() == before

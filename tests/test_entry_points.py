"""Tests and commands as entry points: what pytest, unittest and command lines give to functions."""

from __future__ import annotations

from pathlib import Path

import pytest

from net_project import IMPORTS, findings, make_project

FIXTURE = "@pytest.fixture\ndef net():\n    return Net(8)\n"
ASKING = "def test_it(net):\n    net(torch.randn(2, {n}))\n"
TAKING = "def test_it(n):\n    Net(8)(torch.zeros(2, n))\n"
ERROR = "net.py:11 NC208 error"
WARNING = "net.py:11 NC208 warning"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    make_project(tmp_path)
    return tmp_path


def found(files: dict[str, str], **values: str) -> list[str]:
    """The findings in a project as `path:line CODE level`."""
    for name, text in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        for key, value in values.items():
            text = text.replace(f"{{{key}}}", value)
        path.write_text(text)
    return findings(".")


# Fixtures


FIXTURES = {
    "an object that a fixture of every test changes": (
        "class Holder: pass\nholder = Holder()\n@pytest.fixture(autouse=True)\n"
        "def prepare():\n    holder.net = Net(8)\n    yield\n"
        "def test_it():\n    holder.net(torch.randn(2, {n}))\n"
    ),
    "a variable that a fixture of every test sets": (
        "net = None\n@pytest.fixture(autouse=True)\ndef prepare():\n    global net\n"
        "    net = Net(8)\ndef test_it():\n    net(torch.randn(2, {n}))\n"
    ),
    "a variable that the module's preparation sets": (
        "def setup_module(module):\n    global net\n    net = Net(8)\n"
        "def teardown_module():\n    global net\n    net = None\n"
        "def test_it():\n    net(torch.randn(2, {n}))\n"
    ),
    "a fixture of every class": (
        "@pytest.fixture(autouse=True)\ndef prepare(request):\n    request.cls.net = Net(8)\n"
        "class TestIt:\n    def test_it(self):\n        self.net(torch.randn(2, {n}))\n"
    ),
    "a fixture that a class uses": (
        "@pytest.fixture(scope='class')\ndef prepare(request):\n    request.cls.net = Net(8)\n"
        "@pytest.mark.usefixtures('prepare')\nclass TestIt(unittest.TestCase):\n"
        "    def test_it(self):\n        self.net(torch.randn(2, {n}))\n"
    ),
    "another name": "@pytest.fixture(name='net')\ndef make_net():\n    return Net(8)\n" + ASKING,
    "another name in a class": (
        "class TestIt:\n    @pytest.fixture(name='net')\n    def _net(self):\n"
        "        return Net(8)\n    def test_it(self, net):\n        net(torch.randn(2, {n}))\n"
    ),
    "another name with params": (
        "@pytest.fixture(name='n', params=[8, {n}], ids=['a', 'b'])\n"
        "def _n(request):\n    return request.param\n" + TAKING
    ),
    "a value by its name": (
        FIXTURE + "@pytest.mark.parametrize('name', ['net'])\ndef test_it(request, name):\n"
        "    request.getfixturevalue(name)(torch.randn(2, {n}))\n"
    ),
    "yield in try": (
        "@pytest.fixture\ndef net():\n    made = Net(8)\n    try:\n        yield made\n"
        "    finally:\n        del made\n" + ASKING
    ),
    "yield in a branch": (
        "WIDE = False\n@pytest.fixture\ndef net():\n    if WIDE:\n        yield Net(80)\n"
        "    else:\n        yield Net(8)\n" + ASKING
    ),
    "one object for all that ask": (
        "class Holder:\n    width = 8\n@pytest.fixture\ndef holder():\n    return Holder()\n"
        "@pytest.fixture\ndef net(holder):\n    holder.width = {n}\n    return Net(8)\n"
        "def test_it(net, holder):\n    net(torch.zeros(2, holder.width))\n"
    ),
    "a mistake in a fixture": (
        "@pytest.fixture\ndef width():\n    return 8\n@pytest.fixture\ndef net(width):\n"
        "    net = Net(width)\n    net(torch.zeros(2, {n}))\n    return net\n"
        "def test_it(net):\n    pass\n"
    ),
    "a method that is told the test": (
        "class TestIt:\n    def setup_method(self, method):\n        self.net = Net(8)\n"
        "    def test_it(self):\n        self.net(torch.randn(2, {n}))\n"
    ),
}


@pytest.mark.parametrize("name", FIXTURES)
def test_fixtures(name: str) -> None:
    files = {"test_net.py": IMPORTS + FIXTURES[name]}
    assert found(files, n="8") == []
    assert found(files, n="9") == [ERROR]


ELSEWHERE = {
    "a name in conftest": {
        "conftest.py": IMPORTS + FIXTURE.replace("fixture", "fixture(name='net')", 1),
        "tests/test_a.py": IMPORTS + ASKING,
    },
    "one that overrides another": {
        "conftest.py": IMPORTS + "@pytest.fixture\ndef n():\n    return 8\n",
        "tests/conftest.py": IMPORTS + "@pytest.fixture\ndef n(n):\n    return n + {n} - 8\n",
        "tests/test_a.py": IMPORTS + TAKING,
    },
    "imported": {
        "fixtures.py": IMPORTS + FIXTURE,
        "test_a.py": IMPORTS + "from fixtures import net\n" + ASKING,
    },
    "imported with all names": {
        "fixtures.py": IMPORTS + FIXTURE,
        "conftest.py": "from fixtures import *\n",
        "test_a.py": IMPORTS + ASKING,
    },
    "a plugin of the project": {
        "tests/__init__.py": "",
        "tests/fixtures.py": IMPORTS + FIXTURE,
        "conftest.py": "pytest_plugins = ['tests.fixtures']\n",
        "tests/test_a.py": IMPORTS + ASKING,
    },
    "tests of a base class": {
        "common.py": (
            "import torch\nclass Common:\n    def test_it(self):\n"
            "        self.make()(torch.zeros(2, 8))\n"
        ),
        "test_a.py": (
            "import unittest\nfrom net import Net\nfrom common import Common\n"
            "class ATest(Common, unittest.TestCase):\n    def make(self):\n"
            "        return Net({n})\n"
        ),
    },
    "rows of tests of a base class": {
        "common.py": (
            "import pytest\nimport torch\nclass Common:\n"
            "    @pytest.mark.parametrize('n', [8])\n    def test_it(self, n, net):\n"
            "        net(torch.zeros(2, n))\n"
        ),
        "test_a.py": (
            "import pytest\nfrom net import Net\nfrom common import Common\n"
            "class TestA(Common):\n    @pytest.fixture\n    def net(self):\n"
            "        return Net({n})\n"
        ),
    },
}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_fixtures_and_tests_of_other_files(name: str) -> None:
    assert found(ELSEWHERE[name], n="8") == []
    assert found(ELSEWHERE[name], n="9") == [ERROR]


# Tables


EXPAND = "from parameterized import param, parameterized, parameterized_class\n"
ABSL = "from absl.testing import parameterized\n"
METHOD = "    def test_it(self, width, n):\n        Net(width)(torch.randn(2, n))\n"
TABLES = {
    "a mark of the module": "pytestmark = pytest.mark.parametrize('n', [8, {n}])\n" + TAKING,
    "marks of the module": (
        "pytestmark = [pytest.mark.slow, pytest.mark.parametrize('n', [8, {n}])]\n" + TAKING
    ),
    "a mark of the class": (
        "class TestIt:\n    pytestmark = pytest.mark.parametrize('width, n', [(8, {n})])\n" + METHOD
    ),
    "a mark of a base class": (
        "@pytest.mark.parametrize('width', [8])\nclass Base: pass\nclass TestIt(Base):\n"
        "    @pytest.mark.parametrize('n', ({n},))\n" + METHOD
    ),
    "a mark with a name": "rows = pytest.mark.parametrize('n', [8, {n}])\n@rows\n" + TAKING,
    "rows with ids in a constant": (
        "ROWS = [pytest.param(8, id='a'), pytest.param({n}, id='b')]\n"
        "@pytest.mark.parametrize('n', ROWS)\n" + TAKING
    ),
    "rows of a comprehension": (
        "@pytest.mark.parametrize('n', [pytest.param(n, id=str(n)) for n in (8, {n})])\n" + TAKING
    ),
    "expand": (
        EXPAND + "class TestNet(unittest.TestCase):\n"
        "    @parameterized.expand([(8, 8), (8, {n})])\n" + METHOD
    ),
    "expand with single values": (
        EXPAND
        + "class TestNet(unittest.TestCase):\n    def setUp(self):\n        self.net = Net(8)\n"
        "    @parameterized.expand([8, {n}])\n    def test_it(self, n):\n"
        "        self.net(torch.randn(2, n))\n"
    ),
    "expand with keywords": (
        EXPAND + "class TestNet(unittest.TestCase):\n"
        "    @parameterized.expand([param(8, n={n}), param(8, 8)])\n" + METHOD
    ),
    "rows of a function": EXPAND + "@parameterized([(8,), ({n},)])\n" + TAKING,
    "rows of a class": (
        EXPAND + "@parameterized_class(('width', 'n'), [(8, 8), (8, {n})])\n"
        "class TestNet(unittest.TestCase):\n    def test_it(self):\n"
        "        Net(self.width)(torch.randn(2, self.n))\n"
    ),
    "dicts of a class": (
        EXPAND + "@parameterized_class([{'width': 8, 'n': 8}, {'width': 8, 'n': {n}}])\n"
        "class TestNet(unittest.TestCase):\n    def test_it(self):\n"
        "        Net(self.width)(torch.randn(2, self.n))\n"
    ),
    "absl's rows": (
        ABSL + "class TestNet(parameterized.TestCase):\n"
        "    @parameterized.parameters((8, 8), dict(width=8, n={n}))\n" + METHOD
    ),
    "absl's list of rows": (
        ABSL + "class TestNet(parameterized.TestCase):\n"
        "    @parameterized.parameters([(8, 8), (8, {n})])\n" + METHOD
    ),
    "absl's rows with names": (
        ABSL + "class TestNet(parameterized.TestCase):\n    @parameterized.named_parameters("
        "('a', 8, 8), {'testcase_name': 'b', 'width': 8, 'n': {n}})\n" + METHOD
    ),
    "absl's product": (
        ABSL + "class TestNet(parameterized.TestCase):\n"
        "    @parameterized.product(width=[8], n=[8, {n}])\n" + METHOD
    ),
    "contexts that expect nothing": (
        "from contextlib import nullcontext\n"
        "@pytest.mark.parametrize('n, ends', [(8, nullcontext()), ({n}, nullcontext())])\n"
        "def test_it(n, ends):\n    with ends:\n        Net(8)(torch.zeros(2, n))\n"
    ),
    "a script that calls a test": (
        "@pytest.mark.parametrize('n', GIVEN)\n" + TAKING + "if __name__ == '__main__':\n"
        "    test_it({n})\n"
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables(name: str) -> None:
    files = {"test_net.py": IMPORTS + TABLES[name]}
    assert found(files, n="8") == []
    assert found(files, n="9") == [ERROR]


ROW = "@pytest.mark.parametrize('n', [8, 9])\n"
ENDED = {
    "a mark of the module": "pytestmark = pytest.mark.skip\n" + ROW + TAKING,
    "marks of the module": "pytestmark = [pytest.mark.xfail(reason='x')]\n" + ROW + TAKING,
    "a row that raises": (
        "from contextlib import nullcontext\n"
        "@pytest.mark.parametrize('n, ends', [(8, nullcontext()), "
        "(9, pytest.raises(ValueError))])\ndef test_it(n, ends):\n    with ends:\n"
        "        Net(8)(torch.zeros(2, n))\n"
    ),
    "a row of an error": (
        "@pytest.mark.parametrize('n, error', [(8, None), (9, RuntimeError)])\n"
        "def test_it(n, error):\n    if error:\n        with pytest.raises(error):\n"
        "            Net(8)(torch.zeros(2, n))\n    else:\n        Net(8)(torch.zeros(2, n))\n"
    ),
    "a row that is skipped": (
        ROW + "def test_it(n):\n    if n > 8:\n        pytest.skip('later')\n"
        "    Net(8)(torch.zeros(2, n))\n"
    ),
    "a fixture that skips": (
        "@pytest.fixture\ndef n():\n    pytest.skip('later')\n    return 9\n" + TAKING
    ),
    "a preparation that skips": (
        "class TestIt(unittest.TestCase):\n    def setUp(self):\n        self.skipTest('later')\n"
        "    def test_it(self):\n        Net(8)(torch.zeros(2, 9))\n"
    ),
    "a preparation that raises": (
        "class TestIt(unittest.TestCase):\n    def setUp(self):\n"
        "        raise unittest.SkipTest('later')\n"
        "    def test_it(self):\n        Net(8)(torch.zeros(2, 9))\n"
    ),
    "a mark while it runs": (
        ROW + "def test_it(request, n):\n    request.node.add_marker(pytest.mark.xfail)\n"
        "    Net(8)(torch.zeros(2, n))\n"
    ),
    "a module that is skipped": ("pytest.skip('later', allow_module_level=True)\n" + ROW + TAKING),
    "a method that is replaced": (
        "def test_it(monkeypatch):\n    monkeypatch.setattr(Net, 'forward', print)\n"
        "    Net(8)(torch.zeros(2, 9))\n"
    ),
    "a method that a context replaces": (
        "from unittest import mock\ndef test_it():\n"
        "    with mock.patch.object(Net, 'forward', print):\n        Net(8)(torch.zeros(2, 9))\n"
    ),
    "a test that a base overrides": (
        "class Common:\n    def test_it(self):\n        self.make()(torch.zeros(2, 8))\n"
        "class TestA(Common, unittest.TestCase):\n    test_it = None\n    def make(self):\n"
        "        return Net(9)\n"
    ),
    "tests for subclasses": (
        "class Common:\n    width = 1\n    def test_it(self):\n"
        "        Net(self.width)(torch.zeros(2, 8))\nclass TestA(Common):\n    width = 8\n"
    ),
}


@pytest.mark.parametrize("name", ENDED)
def test_what_does_not_fail_is_silent(name: str) -> None:
    assert found({"test_net.py": IMPORTS + ENDED[name]}) == []


def test_what_is_replaced_elsewhere() -> None:
    program = (
        "def test_it(monkeypatch):\n    monkeypatch.setenv('A', '1')\n"
        "    monkeypatch.setattr(torch.cuda, 'is_available', lambda: False)\n"
        "    Net(8)(torch.zeros(2, 9))\n"
    )
    assert found({"test_net.py": IMPORTS + program}) == [ERROR]


# Commands


PARSER = (
    "import argparse\nimport torch\nfrom net import Net\n"
    "def train(args):\n    Net(args.width)(torch.zeros(2, {n}))\n"
    "def test(args):\n    Net(args.size)(torch.zeros(args.batch, 4))\n"
    "def main(argv=None):\n    parser = argparse.ArgumentParser()\n"
    "    parser.add_argument('--batch', type=int, default=2)\n"
    "    commands = parser.add_subparsers(dest='command', required=True)\n"
    "    one = commands.add_parser('train', help='x')\n"
    "    one.add_argument('--width', type=int, default=8)\n    one.set_defaults(run=train)\n"
    "    other = commands.add_parser('test')\n"
    "    other.add_argument('--size', type=int, default=4)\n    other.set_defaults(run=test)\n"
    "    args = parser.parse_args(argv)\n"
)
CALLS = "    args.run(args)\n"
BRANCHES = "    if args.command == 'train':\n        train(args)\n    else:\n        test(args)\n"


@pytest.mark.parametrize("end", [CALLS, BRANCHES])
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", [WARNING]),
        ("['train']", [ERROR]),
        ("['--batch', '3', 'train', '--width=8']", [ERROR]),
        ("['test']", []),
        ("['train', '--width', '9']", []),
    ],
)
def test_subcommands(end: str, words: str, expected: list[str]) -> None:
    files = {"run.py": f"{PARSER}{end}main({words})\n"}
    assert found(files, n="9") == expected
    if "9" not in words:
        assert found(files, n="8") == []


def test_one_subcommand() -> None:
    program = (
        "import argparse\nimport torch\nfrom net import Net\n"
        "common = argparse.ArgumentParser(add_help=False)\n"
        "common.add_argument('--width', type=int, default=8)\n"
        "parser = argparse.ArgumentParser()\ncommands = parser.add_subparsers()\n"
        "commands.add_parser('train', parents=[common])\nargs = parser.parse_args()\n"
        "Net(args.width)(torch.zeros(2, {n}))\n"
    )
    assert found({"run.py": program}, n="8") == []
    assert found({"run.py": program}, n="9") == [WARNING]


TOPS = {
    "words of its own": (
        (
            "import argparse\nparser = argparse.ArgumentParser()\n"
            "parser.add_argument('--width', type=int, default=8)\nargs = parser.parse_args([])\n"
            "width = args.width\n"
        ),
        ERROR,
    ),
    "words of the user": (
        (
            "import argparse\nparser = argparse.ArgumentParser()\n"
            "parser.add_argument('--width', type=int, default=8)\nargs = parser.parse_args()\n"
        ),
        WARNING,
    ),
    "a file": (
        (
            "import yaml\nfrom pathlib import Path\nfrom types import SimpleNamespace\n"
            "with open(Path(__file__).parent / 'plan.yaml') as f:\n"
            "    args = SimpleNamespace(**yaml.safe_load(f))\n"
        ),
        ERROR,
    ),
    "a file with attributes": (
        ("from omegaconf import OmegaConf\nargs = OmegaConf.load('plan.yaml')\n"),
        ERROR,
    ),
    "an object": ("from types import SimpleNamespace\nargs = SimpleNamespace(width=8)\n", ERROR),
}


@pytest.mark.parametrize("name", TOPS)
def test_options_and_files_of_imported_modules(name: str) -> None:
    text, expected = TOPS[name]
    run = "import torch\nfrom net import Net\nfrom plan import args\n"
    files = {
        "plan.py": text,
        "plan.yaml": "width: 8\n",
        "run.py": run + "Net(args.width)(torch.zeros(2, {n}))\n",
    }
    assert found(files, n="8") == []
    assert found(files, n="9") == [expected]


def test_a_parser_of_another_module() -> None:
    options = (
        "import argparse\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--batch', type=int, default=2)\n"
    )
    run = (
        "import torch\nfrom net import Net\nfrom options import parser\n"
        "parser.add_argument('--width', type=int, default=8)\nargs = parser.parse_args([])\n"
        "Net(args.width)(torch.zeros(args.batch, {n}))\n"
    )
    assert found({"options.py": options, "run.py": run}, n="8") == []
    assert found({"options.py": options, "run.py": run}, n="9") == [ERROR]


CLICK = "import click\nimport torch\nfrom net import Net\n"
TYPER = "import typer\nimport torch\nfrom net import Net\n"
COMMANDS = {
    "options": (
        CLICK + "@click.command()\n@click.option('-w', '--in-width', 'width', default=8)\n"
        "@click.option('--n-dims', default={n})\n@click.option('--fast/--slow')\n"
        "def run(width, n_dims, fast):\n    Net(width)(torch.zeros(2, n_dims))\n"
    ),
    "a group and an argument": (
        CLICK + "@click.group()\ndef commands():\n    pass\n"
        "@commands.command('go')\n@click.argument('path')\n@click.option('--width', default=8)\n"
        "def run(path, width):\n    Net(width)(torch.zeros(2, {n}))\n"
    ),
    "annotated options": (
        TYPER + "app = typer.Typer()\n@app.command()\n"
        "def run(path: str, width: int = typer.Option(8, help='x'), n: int = {n}):\n"
        "    Net(width)(torch.zeros(2, n))\n"
    ),
    "a function that is run": (
        TYPER + "def run(path, width: int = 8):\n    Net(width)(torch.zeros(2, {n}))\n"
        "if __name__ == '__main__':\n    typer.run(run)\n"
    ),
    "a function without decorators": (
        "import fire\nimport torch\nfrom net import Net\n"
        "def run(width=8, n={n}):\n    Net(width)(torch.zeros(2, n))\n"
        "if __name__ == '__main__':\n    fire.Fire(run)\n"
    ),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_with_their_defaults(name: str) -> None:
    assert found({"run.py": COMMANDS[name]}, n="8") == []
    assert found({"run.py": COMMANDS[name]}, n="9") == [WARNING]


def test_what_ends_a_program() -> None:
    program = (
        "import sys\nimport torch\nfrom net import Net\ndef main():\n    n = {n}\n"
        "    if n > 8:\n        sys.exit('too wide')\n    Net(7)(torch.zeros(2, n))\nmain()\n"
    )
    assert found({"run.py": program}, n="9") == []
    assert found({"run.py": program}, n="8") == [ERROR]


def test_a_tree_that_is_not_known() -> None:
    program = (
        "import json\nimport torch\nfrom net import Net\n"
        "def walk(one):\n    for child in list(one):\n        walk(child)\n"
        "        walk(child.next)\n    for child in one.find('a'):\n        walk(child)\n"
        "def main():\n    walk(json.loads(input()))\n    Net(8)(torch.zeros(2, {n}))\nmain()\n"
    )
    assert found({"run.py": program}, n="8") == []
    assert found({"run.py": program}, n="9") == [ERROR]


def test_fields_that_a_constructor_of_a_library_sets() -> None:
    program = (
        "import torch\nfrom pydantic import BaseModel\nfrom net import Net\n"
        "class Plan(BaseModel):\n    width: int = 8\n    depth: int = 3\n"
        "def test_it():\n    Net(Plan({given}).width)(torch.zeros(2, 9))\n"
    )
    assert found({"test_net.py": program}, given="width=9") == []
    assert found({"test_net.py": program}, given="**{'width': len('abc') * 3}") == []
    assert found({"test_net.py": program}, given="depth=9") == [ERROR]

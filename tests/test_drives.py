"""Entry points of a project, followed with their own sizes by `namecheck check`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

import pytest

from invoking import invoke
from namecheck.text.examples import examples_in_docstrings, examples_in_prose
from net_project import IMPORTS, NET, findings, make_project


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    make_project(tmp_path)
    return tmp_path


def write(files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))


def report(*arguments: str) -> str:
    return invoke("check", "--no-cache", *arguments).output


# Tests


RIGHT_AND_WRONG_TESTS = {
    "a row": (
        (
            '@pytest.mark.parametrize("width, n", [(8, 8), (16, {n})])\n'
            "def test_it(width, n):\n    Net(width)(torch.randn(2, n))\n"
        ),
        "16",
        "17",
    ),
    "rows of two tables": (
        (
            '@pytest.mark.parametrize("width", [8, 16])\n'
            '@pytest.mark.parametrize(["batch", "more"], [(1, {n})])\n'
            "def test_it(width, batch, more):\n    Net(width)(torch.randn(batch, width + more))\n"
        ),
        "0",
        "1",
    ),
    "rows in a constant": (
        (
            "SIZES = [8, {n}]\n"
            '@pytest.mark.parametrize("n", SIZES)\n'
            "def test_it(n):\n    Net(8)(torch.randn(2, n))\n"
        ),
        "8",
        "9",
    ),
    "a fixture of the file": (
        (
            "@pytest.fixture\ndef net():\n    return Net(8)\n"
            "def test_it(net):\n    net(torch.randn(2, {n}))\n"
        ),
        "8",
        "9",
    ),
    "a fixture that yields and asks for another": (
        (
            "@pytest.fixture()\ndef width():\n    return 8\n"
            "@pytest.fixture(scope='module')\ndef net(width):\n    yield Net(width)\n"
            "def test_it(net, tmp_path):\n    net(torch.randn(2, {n}))\n"
        ),
        "8",
        "9",
    ),
    "a fixture with parameters": (
        (
            "@pytest.fixture(params=[8])\ndef net(request):\n    return Net(request.param)\n"
            "def test_it(net):\n    net(torch.randn(2, {n}))\n"
        ),
        "8",
        "9",
    ),
    "a method of a class that is prepared": (
        (
            "class TestNet(unittest.TestCase):\n"
            "    def setUp(self):\n        self.net = Net(8)\n"
            "    def test_it(self):\n        self.net(torch.randn(2, {n}))\n"
        ),
        "8",
        "9",
    ),
    "a method with rows": (
        (
            "class TestNet:\n"
            "    @pytest.mark.parametrize('n', [8, {n}])\n"
            "    def test_it(self, n):\n        Net(8)(torch.randn(2, n))\n"
        ),
        "8",
        "9",
    ),
    "each param of a fixture": (
        (
            "@pytest.fixture(params=[8, {n}])\ndef n(request):\n    return request.param\n"
            "def test_it(n):\n    Net(8)(torch.randn(2, n))\n"
        ),
        "8",
        "9",
    ),
    "params of a fixture that another asks for": (
        (
            "@pytest.fixture(params=[8, {n}])\ndef n(request):\n    return request.param\n"
            "@pytest.fixture\ndef x(n):\n    return torch.zeros(2, n)\n"
            "@pytest.mark.parametrize('width', [8])\n"
            "def test_it(width, x):\n    Net(width)(x)\n"
        ),
        "8",
        "9",
    ),
    "values that are passed to a fixture": (
        (
            "@pytest.fixture\ndef net(request):\n    return Net(request.param)\n"
            "@pytest.mark.parametrize('net', [8, {n}], indirect=True)\n"
            "def test_it(net):\n    net(torch.randn(2, 8))\n"
        ),
        "8",
        "9",
    ),
    "values of which some are passed to a fixture": (
        (
            "@pytest.fixture\ndef net(request):\n    return Net(request.param)\n"
            "@pytest.mark.parametrize('net, n', [(8, 8), (9, {n})], indirect=['net'])\n"
            "def test_it(net, n):\n    net(torch.randn(2, n))\n"
        ),
        "9",
        "8",
    ),
    "a table of keywords": (
        (
            "@pytest.mark.parametrize(argnames='n', argvalues=range(8, {n}))\n"
            "def test_it(n):\n    Net(8)(torch.randn(2, n))\n"
        ),
        "9",
        "10",
    ),
    "a fixture of every test": (
        (
            "class TestNet:\n"
            "    @pytest.fixture(autouse=True)\n"
            "    def prepare(self):\n        self.net = Net(8)\n"
            "    def test_it(self):\n        self.net(torch.randn(2, {n}))\n"
        ),
        "8",
        "9",
    ),
    "subtests on what the class prepares": (
        (
            "class TestNet(unittest.TestCase):\n"
            "    @classmethod\n    def setUpClass(cls):\n        cls.net = Net(8)\n"
            "    def test_it(self):\n        for n in (8, {n}):\n"
            "            with self.subTest(n=n):\n                self.net(torch.randn(2, n))\n"
        ),
        "8",
        "9",
    ),
    "a row with an id": (
        (
            "@pytest.mark.parametrize('n', [pytest.param({n}, id='small')])\n"
            "def test_it(n):\n    Net(8)(torch.randn(2, n))\n"
        ),
        "8",
        "9",
    ),
}


@pytest.mark.parametrize("name", RIGHT_AND_WRONG_TESTS)
def test_a_test_drives_the_code(name: str) -> None:
    program, right, wrong = RIGHT_AND_WRONG_TESTS[name]
    write({"test_net.py": IMPORTS + program.replace("{n}", right)})
    assert findings(".") == []
    write({"test_net.py": IMPORTS + program.replace("{n}", wrong)})
    assert findings(".") == ["net.py:11 NC208 error"]


def test_fixtures_of_the_folders_above() -> None:
    fixture = "import pytest\nfrom net import Net\n@pytest.fixture\ndef net():\n    yield Net(8)\n"
    program = IMPORTS + "def test_it(net):\n    net(torch.randn(2, 9))\n"
    write({"tests/conftest.py": fixture, "tests/unit/test_net.py": program})
    assert findings(".") == ["net.py:11 NC208 error"]


@pytest.mark.parametrize(
    "program",
    [
        "@pytest.mark.xfail\ndef test_it():\n    Net(8)(torch.randn(2, 9))\n",
        "@pytest.mark.skip(reason='later')\ndef test_it():\n    Net(8)(torch.randn(2, 9))\n",
        (
            "@pytest.mark.parametrize('n', [8, pytest.param(9, marks=pytest.mark.xfail)])\n"
            "def test_it(n):\n    Net(8)(torch.randn(2, n))\n"
        ),
        (
            "def test_it():\n    with pytest.raises(RuntimeError):\n"
            "        Net(8)(torch.randn(2, 9))\n"
        ),
        (
            "class TestNet(unittest.TestCase):\n    @unittest.expectedFailure\n"
            "    def test_it(self):\n        Net(8)(torch.randn(2, 9))\n"
        ),
        (
            "class TestNet(unittest.TestCase):\n    def test_it(self):\n"
            "        with self.assertRaises(RuntimeError):\n            Net(8)(torch.randn(2, 9))\n"
        ),
    ],
)
def test_what_is_expected_to_fail_is_silent(program: str) -> None:
    write({"test_net.py": IMPORTS + program})
    assert findings(".") == []


def test_what_a_plugin_gives_is_unknown() -> None:
    program = "@pytest.mark.parametrize('n', [8])\ndef test_it(n, mocker):\n    {call}\n"
    write(
        {"test_net.py": IMPORTS + program.replace("{call}", "Net(mocker.width)(torch.ones(2, n))")}
    )
    assert findings(".") == []
    write({"test_net.py": IMPORTS + program.replace("{call}", "Net(9)(torch.ones(2, n))")})
    assert findings(".") == ["net.py:11 NC208 error"]


# Scripts, functions that build, modules with defaults


@pytest.mark.parametrize(
    "program",
    [
        "from net import Net\nimport torch\nnet = Net(8)\nnet(torch.randn(2, {n}))\n",
        (
            "from net import Net\nimport torch\nif __name__ == '__main__':\n"
            "    Net(8)(torch.randn(2, {n}))\n"
        ),
        "from net import Net\nimport torch\ndef main(argv=None):\n    Net(8)(torch.ones(2, {n}))\n",
    ],
)
def test_a_script_drives_the_code(program: str) -> None:
    write({"run.py": program.replace("{n}", "8")})
    assert findings(".") == []
    write({"run.py": program.replace("{n}", "9")})
    assert findings(".") == ["net.py:11 NC208 error"]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("pyproject.toml", '[project]\nname = "net"\n[project.scripts]\ntrain = "run:{name}"\n'),
        ("pyproject.toml", '[project.gui-scripts]\ntrain = "run:{name}"\n'),
        ("pyproject.toml", "[tool.poetry.scripts]\ntrain = 'run:{name}'\n"),
        ("setup.cfg", "[options.entry_points]\nconsole_scripts =\n    train = run:{name}\n"),
        ("setup.py", "setup(entry_points={'console_scripts': ['train=run:{name}']})\n"),
    ],
)
def test_a_command_of_the_project_drives_the_code(file: str, text: str) -> None:
    program = """\
    import torch
    def train(argv=None, steps=3):
        weight = torch.zeros(steps * steps, 4)
        print(weight.view(steps, steps, 2, 2) @ torch.zeros(2, 2), weight.view(5, -1))
    """
    write({"run.py": program, file: text.replace("{name}", "train")})
    assert findings(".") == ["run.py:4 NC204 error"]
    write({file: text.replace("{name}", "other")})
    assert findings(".") == []


def test_a_result_depends_on_the_commands_of_the_project(project: Path) -> None:
    program = """\
    import torch
    def train(argv=None, steps=3):
        print(torch.zeros(steps * steps, 4).view(5, -1))
    """
    write({"run.py": program})
    for name, count in (("other", 0), ("train", 1), ("other", 0)):
        write({"pyproject.toml": f'[project.scripts]\ntrain = "run:{name}"\n'})
        output = invoke("check", "--cache-dir", str(project / "cache"), ".").output
        assert output.count("NC204") == count


# Files of data

READERS = {
    "an open file": "import json\nwith open('model.json') as f:\n    plan = json.load(f)\n",
    "a file that is named where it is read": "import json\nplan = json.load(open('model.json'))\n",
    "the text of a path": (
        "import json\nfrom pathlib import Path\n"
        "plan = json.loads((Path(__file__).parent / 'model.json').read_text())\n"
    ),
    "a path in a folder": (
        "import os\nimport yaml\nHERE = os.path.dirname(os.path.abspath(__file__))\n"
        "with open(os.path.join(HERE, 'conf', 'model.yaml'), 'r') as f:\n"
        "    plan = yaml.safe_load(f)['model']\n"
    ),
    "a path that is joined": (
        "import tomllib\nfrom pathlib import Path\n"
        "with Path(__file__).resolve().parent.joinpath('model.toml').open('rb') as f:\n"
        "    plan = tomllib.load(f)['model']\n"
    ),
    "a method that reads": (
        "import json\nclass Plan(dict):\n    @classmethod\n    def read(cls, path):\n"
        "        with open(path, encoding='utf-8') as f:\n            return cls(**json.load(f))\n"
        "plan = Plan.read('model.json')\n"
    ),
    "a configuration with attributes": (
        "from omegaconf import OmegaConf\nconf = OmegaConf.load('conf/model.yaml')\n"
        "plan = {'width': conf.model.width}\n"
    ),
}


def write_data(width: int) -> None:
    write(
        {
            "model.json": f'{{"width": {width}, "names": ["a"], "bias": true}}',
            "model.toml": f"[model]\nwidth = {width}\n",
            "conf/model.yaml": f"# sizes\nmodel:\n  width: {width}  # of the net\n  all: [1, 2]\n",
        }
    )


@pytest.mark.parametrize("name", READERS)
def test_a_program_reads_its_sizes_from_a_file(name: str, project: Path) -> None:
    program = "import torch\nfrom net import Net\nNet(plan['width'])(torch.zeros(2, 8))\n"
    write({"run.py": READERS[name] + program})
    # The result depends on the file that was read, also where it is recalled.
    for width, expected in ((8, 0), (9, 1), (8, 0)):
        write_data(width)
        output = invoke("check", "--cache-dir", str(project / "cache"), ".").output
        assert output.count("error[NC208]") == expected


@pytest.mark.parametrize(
    "reader",
    [
        (
            "with open('model.json', 'w') as f:\n    f.write(text)\n"
            "plan = json.load(open('model.json'))\n"
        ),
        "Path('model.json').write_text(text)\nplan = json.load(open('model.json'))\n",
        "plan = json.load(open('../outside.json'))\n",
        "plan = json.load(open(sys.argv[1]))\n",
        "plan = json.loads('model.json')\n",
        "plan = json.load(open('twice.json'))\n",
    ],
)
def test_what_a_file_holds_is_not_known(reader: str, project: Path) -> None:
    start = "import json, sys, torch\nfrom pathlib import Path\nfrom net import Net\ntext = '{}'\n"
    write_data(9)
    text = Path("model.json").read_text()
    (project.parent / "outside.json").write_text(text)
    write(
        {
            "twice.json": text,
            "inner/twice.json": text.replace("9", "7"),
            "inner/run.py": start + reader + "Net(plan['width'])(torch.zeros(2, 8))\n",
        }
    )
    assert findings(".") == []


OPTIONS = """\
import argparse
import torch
from net import Net


def options(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default="8")
    return parser.parse_args(argv)


def main():
    Net(options().width)(torch.randn(2, {n}))


if __name__ == "__main__":
    main()
"""


def test_the_default_of_an_option_is_a_warning() -> None:
    write({"run.py": OPTIONS.replace("{n}", "8")})
    assert findings(".") == []
    write({"run.py": OPTIONS.replace("{n}", "9")})
    assert findings(".") == ["net.py:11 NC208 warning"]
    assert "the options have their defaults, as they are read at run.py:9:5" in report(".")


def test_options_that_a_program_passes_are_certain() -> None:
    write({"run.py": OPTIONS.replace("{n}", "9").replace("options()", 'options(["--width=7"])')})
    assert findings(".") == ["net.py:11 NC208 error"]
    write({"run.py": OPTIONS.replace("{n}", "9").replace("options()", 'options(["--width=9"])')})
    assert findings(".") == []


def test_a_function_that_builds_a_module() -> None:
    program = """\
    import torch
    from torch import nn
    def small(width=8, pretrained=False, **kwargs):
        net = nn.Sequential(nn.Linear(width, {n}), nn.Linear(32, 4))
        net(torch.zeros(2, width))
        return net
    """
    write({"zoo.py": dedent(program).replace("{n}", "32")})
    assert findings("zoo.py") == []
    write({"zoo.py": dedent(program).replace("{n}", "31")})
    assert findings("zoo.py") != []


def test_a_module_with_its_defaults() -> None:
    program = """\
    import torch
    from torch import nn
    class Grid(nn.Module):
        def __init__(self, width={n}):
            super().__init__()
            self.width = width
            self.side = int(width**0.5)
        def forward(self, x):
            return torch.zeros(2, self.width).view(2, self.side, self.side) * x
    """
    write({"grid.py": dedent(program).replace("{n}", "64")})
    assert findings("grid.py") == []
    write({"grid.py": dedent(program).replace("{n}", "65")})
    assert findings("grid.py") == ["grid.py:9 NC204 warning"]
    assert "Grid is built with its defaults at 4:5" in report("grid.py")
    assert findings("grid.py", "--no-drive") == []


# Prose

FENCED = """\
# Net

```python
import torch
from net import Net

net = Net(8)
net(torch.ones(2, {n}))
```
"""
PROSE = {
    "a fenced block": ("README.md", FENCED, 8),
    "a block in a list": (
        "README.md",
        (
            "* Say\n\n  ~~~py\n  import torch\n  from net import Net\n"
            "  Net(8)(torch.ones(2, {n}))\n  ~~~\n"
        ),
        6,
    ),
    "names of the block before": (
        "docs/guide/use.md",
        (
            "```python\nimport torch\nfrom net import Net\nnet = Net(8)\n```\nThen\n"
            "```python\nnet(torch.ones(2, {n}))\n```\n"
        ),
        8,
    ),
    "a directive": (
        "README.rst",
        (
            "Net\n===\n\n.. code-block:: python\n   :linenos:\n\n"
            "   import torch\n   from net import Net\n\n"
            "   Net(8)(torch.ones(2, {n}))\n\nEnd.\n"
        ),
        10,
    ),
    "a session": (
        "docs/index.rst",
        (
            "Net\n\n>>> import torch\n>>> from net import Net\n"
            ">>> for k in range(2):\n...     net = Net(8)\n"
            "...\n>>> net(torch.ones(2, {n})).shape\ntorch.Size([2, 10])\n"
        ),
        8,
    ),
    "imports of an incomplete block": (
        "README.md",
        (
            "```python\nimport torch\nfrom net import Net\nnet = Net(config.width)\n```\n"
            "```python\nNet(8)(torch.ones(2, {n}))\n```\n"
        ),
        7,
    ),
}


@pytest.mark.parametrize("name", PROSE)
def test_an_example_in_prose_is_a_warning_at_its_line(name: str) -> None:
    path, text, line = PROSE[name]
    write({path: text.replace("{n}", "8")})
    assert findings(".") == []
    write({path: text.replace("{n}", "9")})
    assert findings(".") == [f"{path}:{line} NC208 warning"]


def test_a_mistake_of_the_example_itself() -> None:
    text = "```python\nimport torch\n\n  \nx = torch.ones(2, 3) @ torch.ones(2, 3)\n```\n"
    write({"README.md": text})
    assert findings(".") == ["README.md:5 NC203 warning"]


def test_the_columns_are_those_of_the_page() -> None:
    text = "1. Say\n\n   >>> import torch\n   >>> y = torch.ones(2, 3) @ torch.ones(2, 3)\n"
    write({"README.rst": text})
    assert "README.rst:4:12: NC203" in report(".", "--output-format", "concise")


@pytest.mark.parametrize(
    "block",
    [
        "net = Net(8)\nnet(torch.ones(2, 9))",  # nothing defines torch
        "import torch\nfrom net import Net\nNet(8)(torch.ones(2, 9), ...)",
        "import torch\nfrom net import Net\nNet(8)(torch.ones(2, 9))  # raises an error",
        "import torch\nfrom net import Net\nNet(8)(torch.ones(2, 9)",
        "pip install net",
        "import torch\nfrom net import Net\nNet(8)(image)",
    ],
)
def test_what_is_no_program_is_silent(block: str) -> None:
    write({"README.md": f"```python\n{block}\n```\n"})
    assert findings(".") == []


def test_an_example_with_the_error_below_it_is_meant() -> None:
    wrong = FENCED.replace("{n}", "9")
    write({"README.md": f"{wrong}\n```\nRuntimeError: mat1 and mat2\n```\n"})
    assert findings(".") == []
    session = ">>> import torch\n>>> from net import Net\n>>> Net(8)(torch.ones(2, 9))\n"
    write({"README.md": f"{session}Traceback (most recent call last):\nRuntimeError: no\n"})
    assert findings(".") == []


def test_other_pages_are_not_read() -> None:
    write({"notes/a.md": FENCED.replace("{n}", "9"), "CHANGES.rst": ">>> 1 + 'a'\n"})
    assert findings(".") == []


def test_a_comment_silences_an_example() -> None:
    text = FENCED.replace("{n}))", "9))  # namecheck: ignore[NC208]")
    write({"README.md": text})
    assert findings(".") == []


def test_examples_of_docstrings() -> None:
    text = NET.replace(
        "class Net(nn.Module):\n",
        'class Net(nn.Module):\n    """A net.\n\n    >>> import torch\n    >>> net = Net(8)\n'
        "    >>> net(torch.ones(2, {n})).shape\n    torch.Size([2, 10])\n"
        '    >>> model(3)\n    """\n\n',
    )
    # The session uses a name that nothing defines.
    write({"net.py": text.replace("{n}", "9")})
    assert findings(".") == []
    text = text.replace("    >>> model(3)\n", "")
    write({"net.py": text.replace("{n}", "8")})
    assert findings(".") == []
    write({"net.py": text.replace("{n}", "9")})
    assert findings(".") == ["net.py:9 NC208 warning"]
    fenced = text.replace("    >>> ", "    ").replace("    import", "    ```python\n    import")
    fenced = fenced.replace("    torch.Size([2, 10])\n", "    ```\n")
    write({"net.py": fenced.replace("{n}", "9")})
    assert findings(".") == ["net.py:10 NC208 warning"]


def test_lines_and_columns_of_examples() -> None:
    examples = examples_in_prose("a\n\n  ```python\n  x = 1\n  ```\n\n>>> y = x\n")
    assert examples.text.splitlines() == ["", "", "", "x = 1", "", "", "y = x"]
    assert examples.columns == {4: 2, 7: 4}
    assert examples.begins == (4, 7)
    inside = examples_in_docstrings('"""A module.\n\n  >>> x = 1\n"""\n')
    assert inside is not None
    assert inside.text.splitlines() == ["", "def __example_at_2__():", " x = 1", ""]
    assert inside.columns == {3: 5}


# What is said


def test_the_note_names_the_driver_and_its_numbers() -> None:
    program = (
        "import torch\nfrom net import Net\n\n\ndef helper(net, batch):\n"
        "    return net(torch.ones(batch, 9))\n\n\ndef test_it():\n    helper(Net(8), batch=4)\n"
    )
    write({"test_net.py": program})
    text = report(".")
    assert "= called with x [4, 9] at test_net.py:6:5" in text
    assert "= driven by `helper(Net(8), batch=4)`, called with batch 4 at test_net.py:10:5" in text
    assert "1 entry point driven" in text


def test_the_note_of_an_example_leads_to_the_code() -> None:
    write({"README.md": FENCED.replace("{n}", "9")})
    text = report(".")
    assert "--> README.md:8:1" in text
    assert "= the code that the example leads to is at net.py:11:28" in text


def test_the_summary_counts_what_was_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("namecheck.analysis.runs.drives.BOUND", 20)
    write({"test_net.py": IMPORTS + "def test_it():\n    Net(8)(torch.randn(2, 9))\n"})
    assert "1 entry point driven, 1 cut off" in report(".")
    assert findings(".") == ["net.py:11 NC208 error"]  # evaluated in parts


@pytest.mark.parametrize(
    "output_format", ["json", "json-lines", "github", "gitlab", "sarif", "junit", "rdjson"]
)
def test_every_format(output_format: str) -> None:
    write({"README.md": FENCED.replace("{n}", "9")})
    assert "README.md" in report(".", "--output-format", output_format)


def test_what_is_wrong_by_itself_is_reported_once() -> None:
    write({"net.py": NET.replace("nn.Linear(2 * width", "nn.Linear(2 * width + 1")})
    write({"README.md": FENCED.replace("{n}", "8")})
    write({"test_net.py": IMPORTS + "def test_it():\n    Net(8)(torch.ones(2, 8))\n"})
    assert findings(".") == ["net.py:11 NC208 error"]


# Which programs drive


def test_drives_can_be_turned_off() -> None:
    write({"README.md": FENCED.replace("{n}", "9")})
    assert findings(".", "--no-drive") == []
    write({"pyproject.toml": "[tool.namecheck]\ndrive = false\n"})
    assert findings(".") == []
    assert findings(".", "--drive") == ["README.md:8 NC208 warning"]
    assert "drive = false" in invoke("check", "--show-settings").output


def test_a_file_alone_is_driven_by_its_project() -> None:
    test = (
        IMPORTS
        + "def test_it():\n    Net(8)(torch.randn(2, 9))\n    torch.ones(2) @ torch.ones(3)\n"
    )
    write({"tests/test_net.py": test, "README.md": FENCED.replace("{n}", "7"), "other.py": ""})
    # What is wrong in a test alone is none of the file's business.
    assert findings("net.py") == ["README.md:8 NC208 warning", "net.py:11 NC208 error"]
    assert findings("other.py") == []
    assert findings("net.py", "--no-drive") == []


def test_programs_elsewhere() -> None:
    write({"tools/run.py": IMPORTS + "Net(8)(torch.randn(2, 9))\ntorch.ones(2) @ torch.ones(3)\n"})
    assert findings("net.py") == []
    assert findings("net.py", "--drive-from", "tools") == ["net.py:11 NC208 error"]
    assert findings("net.py", "--drive-from", "tools/run.py") == ["net.py:11 NC208 error"]


def test_the_cache_notices_a_change_of_an_example() -> None:
    def cached(*arguments: str) -> str:
        return invoke("check", "--output-format", "concise", *arguments, ".").output

    write({"README.md": FENCED.replace("{n}", "8")})
    assert cached() == ""
    write({"README.md": FENCED.replace("{n}", "9")})
    assert "README.md:8" in cached()
    assert "README.md:8" in cached()
    assert cached("--no-drive") == ""
    write({"net.py": NET.replace("nn.Linear(width, 2", "nn.Linear(width + 1, 2")})
    assert cached() == ""


def test_several_processes_say_the_same() -> None:
    tests = {
        f"tests/test_{n}.py": IMPORTS
        + f"def test_it():\n    Net({n})(torch.ones(2, 9))\n"
        + "#\n" * 60_000
        for n in range(8, 12)
    }
    write({**tests, "README.md": FENCED.replace("{n}", "9")})
    assert findings(".", "--jobs", "3") == findings(".", "--jobs", "1") != []


def test_prose_is_never_fixed() -> None:
    text = FENCED.replace("{n}", "9")
    write({"README.md": text})
    invoke("check", "--no-cache", ".", "--fix", "--unsafe-fixes")
    invoke("check", "--no-cache", ".", "--add-ignore")
    assert Path("README.md").read_text() == text


# show --driven


def test_the_dims_of_the_first_drive() -> None:
    write({"tests/test_net.py": IMPORTS + "def test_it():\n    Net(8)(torch.randn(2, 8))\n"})
    shown = invoke("show", "net.py", "--driven").output.splitlines()
    assert shown[9].endswith("x: [2, 8]")
    assert shown[10].endswith("[2, 10]")
    assert "[2, 8]" not in invoke("show", "net.py").output


# Files that a converter writes others from


PARENT = """\
    import torch
    from torch import nn


    class Experts(nn.Module):
        def __init__(self, config):
            super().__init__()
            self.width = config.hidden
            self.up = nn.Parameter(torch.zeros(32, self.width))

        def forward(self, x):
            return nn.functional.linear(x, self.up)
    """

CHILD = """\
    from dataclasses import dataclass

    from torch import nn

    from modeling_old import Experts


    @dataclass
    class Config:
        hidden: int = 8
        inner: int = 4


    class NewExperts(Experts):
        def __init__(self, config: Config):
            super().__init__(config)
            self.width = config.inner


    class NewLayer(nn.Module):
        def __init__(self, config: Config):
            super().__init__()
            self.first = nn.Linear(config.hidden, config.inner)
            self.experts = NewExperts(config)

        def forward(self, x):
            return self.experts(self.first(x))
    """


@pytest.mark.parametrize(("name", "is_found"), [("modular_new", False), ("new", True)])
def test_classes_of_a_modular_file_are_not_built_as_python_would(name: str, is_found: bool) -> None:
    """transformers' converter puts what a constructor assigns in the place of what its base does.

    In the file that it writes, `up` has the width of the experts. As Python, the class is wrong.
    """
    write({"modeling_old.py": PARENT, f"{name}.py": CHILD})
    assert ("NC203" in report(f"{name}.py")) == is_found


@pytest.mark.parametrize(("name", "is_found"), [("modular_new", False), ("new", True)])
def test_a_constructor_that_a_converter_rewrites_is_not_evaluated(
    name: str, is_found: bool
) -> None:
    """Code by itself takes one number for both widths; here they are numbers of the class."""
    text = CHILD.replace("config: Config", "width=8").replace("(config)", "(width)")
    text = text.replace("config.hidden", "width").replace("config.inner", "width // 2")
    parent = PARENT.replace("config", "width").replace("width.hidden", "width")
    write({"modeling_old.py": parent, f"{name}.py": text})
    assert ("NC203" in report("--no-drive", f"{name}.py")) == is_found


def test_a_constructor_that_assigns_what_its_base_only_assigns_is_evaluated() -> None:
    text = CHILD.replace("self.width =", "self.label =").replace("config: Config", "width=8")
    text = text.replace("(config)", "(width)").replace("config.hidden", "width")
    text = text.replace("config.inner", "width // 2")
    parent = PARENT.replace("config", "width").replace("width.hidden", "width")
    write({"modeling_old.py": parent, "modular_new.py": text})
    assert "NC203" in report("--no-drive", "modular_new.py")


OLD = """\
from torch import nn


class OldLayer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.up = nn.Linear(width, width)

    def forward(self, x):
        return self.up(x)


class OldModel(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = OldLayer(width)
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        return self.layer(self.norm(x))
"""

RENAMED = """\
from torch import nn

from modeling_old import OldLayer, OldModel


class NewLayer(OldLayer):
    def __init__(self, width):
        super().__init__(width)
        self.more = nn.Linear(width, 2 * width)

    def forward(self, x):
        return self.more(self.up(x))


class NewModel(OldModel):
    def __init__(self, width):
        super().__init__(width)
        self.head = nn.Linear(2 * width, 10)

    def forward(self, x):
        return self.head(self.layer(self.norm(x)))


class NewBody(OldModel):
    pass


class NewClassifier(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.model = NewBody(width)
        self.head = nn.Linear(2 * width, 10)

    def forward(self, x):
        return self.head(self.model(x))


class NewTail(OldModel):
    def forward(self, x):
        wide = nn.functional.linear(self.layer(self.norm(x)), x.new_ones(10, 2 * x.shape[-1]))
        return wide
"""


@pytest.mark.parametrize(("name", "count"), [("modular_new", 0), ("new", 3)])
def test_a_converter_builds_the_derived_class_where_the_base_builds_its_own(
    name: str, count: int
) -> None:
    write({"modeling_old.py": OLD, f"{name}.py": RENAMED})
    shown = report("--no-drive", "--output-format", "concise", f"{name}.py")
    assert shown.count(" NC2") == count


def test_a_converter_builds_the_class_that_bears_the_new_prefix() -> None:
    text = RENAMED.replace("class NewLayer(OldLayer)", "class NewLayer(nn.Module)")
    text = text.replace("super().__init__(width)", "super().__init__()", 1)
    write({"modeling_old.py": OLD, "modular_new.py": text.replace("self.up(x)", "x")})
    assert " NC2" not in report("--no-drive", "--output-format", "concise", "modular_new.py")


def test_a_modular_file_without_such_bases_is_a_program() -> None:
    text = CHILD.replace("from modeling_old import", "from old import")
    write({"old.py": PARENT, "modular_new.py": text})
    assert "NC203" in report("modular_new.py")

"""`namecheck summary`, compared with what torch says of the same networks.

`tests/data/networks.jsonl` was measured once, see `write_networks.py`.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from invoking import invoke

DATA = Path(__file__).parent / "data"
PROGRAMS = DATA / "networks"
NETWORKS = [json.loads(line) for line in (DATA / "networks.jsonl").read_text().splitlines()]
OWN = [one for one in NETWORKS if one["package"] is None]
INSTALLED = [one for one in NETWORKS if one["package"] is not None]


def summary(network: dict[str, Any]) -> dict[str, Any]:
    """What the command prints of a network as JSON."""
    inputs = [word for text in network["inputs"] for word in ("--input", text)]
    printed = invoke("summary", network["target"], *inputs, "--output-format", "json")
    assert printed.exit_code == 0, printed.output
    described: dict[str, Any] = json.loads(printed.stdout)
    return described


def sums(described: dict[str, Any]) -> dict[str, int | None]:
    """What the command says that torch was asked, too."""
    totals = described["totals"]
    return {
        "parameters": sum(one["elements"] for one in totals["parameters"]),
        "parameter_bytes": sum(one["bytes"] for one in totals["parameters"]),
        "trainable": totals["trainable"],
        "buffers": sum(one["elements"] for one in totals["buffers"]),
        "buffer_bytes": sum(one["bytes"] for one in totals["buffers"]),
        "multiply_adds": totals["multiply_adds"],
    }


def outputs(described: dict[str, Any], aliases: dict[str, str]) -> dict[str, list[Any]]:
    """The dims of what each module gives in each of its calls, by the module's first name."""
    found: dict[str, list[Any]] = {}
    for row in described["modules"]:
        if row["called"]:
            name = aliases.get(row["path"], row["path"])
            found.setdefault(name, []).append([one["dims"] for one in row["outputs"]])
    return found


def compare(network: dict[str, Any]) -> None:
    """The command says what torch says; of the multiply-adds within one percent."""
    described = summary(network)
    said, measured = sums(described), {key: network[key] for key in sums(described)}
    assert said.pop("multiply_adds") == pytest.approx(measured.pop("multiply_adds"), rel=0.01)
    assert said == measured
    assert described["totals"]["complete"]
    assert outputs(described, network["aliases"]) == network["outputs"]


@pytest.mark.parametrize("network", OWN, ids=lambda network: network["target"].split(".")[0])
def test_a_summary_says_what_torch_says(
    network: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(PROGRAMS)
    compare(network)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the packages of the networks, and without torch."""
    top = tmp_path_factory.mktemp("environment")
    folder = top / "lib" / "python3" / "site-packages"
    packages = sorted({one["package"] for one in INSTALLED})
    install = (sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", folder)
    done = subprocess.run([*install, *packages, "einops", "einops-exts"], check=False)
    assert done.returncode == 0
    return top


UNKNOWN = {"unet", "tiramisu_brulee"}
"""Packages of which not all dims are known: they compute sizes with tensors."""


@pytest.mark.registry
def test_a_summary_of_installed_packages_says_what_torch_says(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VIRTUAL_ENV", str(installed))
    for network in INSTALLED:
        if network["target"].partition(":")[0].partition(".")[0] in UNKNOWN:
            described = summary(network)
            assert described["totals"]["multiply_adds"] is None
            known = sums({**described, "totals": {**described["totals"]}})
            assert known["parameters"] == network["parameters"]
        else:
            compare(network)


# The command.


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of our own networks is the working folder."""
    monkeypatch.chdir(PROGRAMS)


@pytest.mark.usefixtures("programs")
def test_a_shared_parameter_counts_once_and_a_repeated_module_too() -> None:
    shared = invoke("summary", "gpt.py:GPT(GPTConfig(layers=1))").stdout
    assert re.search(r"head: Linear +\(shared\)", shared)
    repeated = invoke("summary", "halves.py:Halves()", "--input", "[3, 16]").stdout
    assert [line.split()[-2] for line in repeated.splitlines() if "shared" in line] == [
        "272",
        "(repeated)",
    ]
    assert "Parameters:    408 float32 (1.59 KiB)" not in repeated
    assert re.search(r"^Trainable: +172$", repeated, re.M)


@pytest.mark.usefixtures("programs")
def test_hidden_modules_count_for_the_one_above() -> None:
    whole = json.loads(invoke("summary", "convnet.py:ConvNet()", "--output-format", "json").stdout)
    parameters = sum(one["elements"] for one in whole["totals"]["parameters"])
    top = invoke("summary", "convnet.py:ConvNet()", "--depth", "0").stdout
    assert top.splitlines()[1].split() == ["ConvNet", f"{parameters:,}"]


@pytest.mark.usefixtures("programs")
def test_without_input_a_network_is_not_called() -> None:
    described = json.loads(
        invoke("summary", "vision.py:Vision()", "--output-format", "json").stdout
    )
    assert not any(row["called"] for row in described["modules"])
    assert described["totals"]["multiply_adds"] is None
    assert sum(one["elements"] for one in described["totals"]["parameters"]) == 48634


@pytest.mark.usefixtures("programs")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gpt.py:GPX()"], "gpt.py has no name 'GPX'"),
        (["gpt.py:GPT(Config())"], "gpt.py has no name 'Config'"),
        (["gpt.py:GPT()"], "the arguments do not fit GPT.__init__(self, config)"),
        (
            ["gpt.py:GPT(GPTConfig())", "--input", "x=int64[1]", "--input", "y=int64[1]"],
            "the arguments do not fit GPT.forward(self, idx)",
        ),
        (["gpt.py:GPT"], "GPT builds nothing; a call of it does: GPT(...)"),
        (["gpt.py:GPTConfig()"], "GPTConfig() is no module, but an instance of GPTConfig"),
        (["gpt.py:len([])"], "len([]) cannot be followed"),
        (["gpt.py:GPT("], "'GPT(' is no expression"),
        (["nothing.py:GPT()"], "there is no file 'nothing.py'"),
        (["no.such.module:GPT()"], "there is no module 'no.such.module'"),
        (["gpt.py"], "'gpt.py' names no network"),
        (["gpt.py:GPT(GPTConfig())", "--input", "x=foo[3]"], "'x=foo[3]' is no input"),
        (["gpt.py:GPT(GPTConfig())", "--input", "[3, x]"], "'[3, x]' is no input"),
        (["gpt.py:GPT(GPTConfig())", "-o", "page.html"], "--output-file goes with --html"),
    ],
)
def test_what_cannot_be_summarized_is_said(arguments: list[str], message: str) -> None:
    ended = invoke("summary", *arguments)
    assert ended.exit_code == 2
    assert message in ended.stderr


@pytest.mark.usefixtures("programs")
def test_a_finding_in_the_call_is_reported() -> None:
    ended = invoke("summary", "perceptron.py:Perceptron()", "--input", "[8, 21]")
    assert ended.exit_code == 1
    assert "perceptron.py" in ended.stdout
    assert "driven by `network(torch.zeros([8, 21]" in ended.stdout


def test_an_exception_in_the_program_is_said(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(
        "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self, width):\n"
        "        super().__init__()\n        if width % 2:\n            raise ValueError(width)\n"
    )
    ended = invoke("summary", f"{tmp_path}/net.py:Net(3)")
    assert ended.exit_code == 2
    assert "the program ends with an exception" in ended.stderr


def test_what_is_not_known_is_not_guessed(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(
        "import torch\nfrom torch import nn\nfrom elsewhere import Part, width\n\n\n"
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.known = nn.Linear(3, 4)\n        self.part = Part()\n"
        "        self.other = nn.Linear(4, width)\n\n"
        "    def forward(self, x):\n        return self.other(self.part(self.known(x)))\n"
    )
    printed = invoke("summary", f"{tmp_path}/net.py:Net()", "--input", "[2, 3]").stdout
    assert "Parameters:    16 float32 (64 bytes) or more" in printed
    assert re.search(r"^Net +\[2, 3\] +\? +\? +\?$", printed, re.M)
    assert re.search(r"^Multiply-adds: +\?$", printed, re.M)
    assert re.search(r"known: Linear +\[2, 3\] +\[2, 4\] +16 +24$", printed, re.M)


@pytest.mark.usefixtures("programs")
def test_the_page_folds(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    arguments = ("--input", "image=[2, 3, 64, 64]", "--html", "-o", str(page))
    assert invoke("summary", "convnet.py:ConvNet()", *arguments).exit_code == 0
    text = page.read_text()
    assert text.count("<details") == 8  # the network, the list, three blocks and their rows
    assert "stem" in text
    assert "[2, 16, 32, 32]" in text
    assert "http" not in text


def test_a_module_of_a_package_is_found_without_importing_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "env/lib/python3/site-packages/nets"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("raise SystemExit('imported')\n")
    (folder / "small.py").write_text("from torch import nn\nfrom .parts import Part\n")
    (folder / "parts.py").write_text(
        "from torch import nn\n\n\nclass Part(nn.Module):\n    def __init__(self):\n"
        "        super().__init__()\n        self.fc = nn.Linear(2, 3)\n"
    )
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / "env"))
    monkeypatch.chdir(tmp_path)
    printed = invoke("summary", "nets.small:Part()").stdout
    assert re.search(r"fc: Linear +9$", printed, re.M)


HEAD = "import inspect\nimport re\n\nimport torch\nfrom torch import nn\n\n\n"

FOLLOWED = {
    "a loop that counts from one": (
        (
            "def net(widths):\n    layers = nn.ModuleList()\n"
            "    for place, width in enumerate(widths, 1):\n"
            "        layers.append(nn.Linear(place, width))\n    return layers\n"
        ),
        "net((3, 4))",
        18,
    ),
    "a default that may be a function": (
        (
            "def default(value, d):\n"
            "    return value or (d() if inspect.isfunction(d) else d)\n\n\n"
            "def net(width):\n"
            "    return nn.Linear(default(None, width), default(None, lambda: 2))\n"
        ),
        "net(3)",
        8,
    ),
    "options in a text": (
        (
            "def net(text):\n    options = {}\n    for word in text.split('_'):\n"
            "        pieces = re.split(r'(\\d.*)', word)\n        key, value = pieces[:2]\n"
            "        options[key] = value\n"
            "    i, o = int(options['i']), int(options['o'])\n"
            "    return nn.Linear(i, o, bias=False)\n"
        ),
        "net('i3_o4')",
        12,
    ),
    "positional arguments that a decorator splits": (
        (
            "def splits(function):\n"
            "    count = len(inspect.signature(function).parameters)\n\n"
            "    def wrapper(*args, **kwargs):\n        args, rest = args[:count], args[count:]\n"
            "        return function(*args, **kwargs)\n\n    return wrapper\n\n\n"
            "@splits\ndef net(*, width=5):\n    return nn.Linear(width, 1)\n"
        ),
        "net()",
        6,
    ),
    "a layer's class, which is not None": (
        (
            "def net(norm=None):\n    parts = [nn.Linear(2, 3)]\n    if norm is not None:\n"
            "        parts.append(norm(3))\n    return nn.Sequential(*parts)\n"
        ),
        "net(nn.LayerNorm)",
        15,
    ),
    "a row that goes over its own modules": (
        (
            "class Net(nn.Sequential):\n    def __init__(self):\n"
            "        super().__init__(nn.Linear(2, 3), nn.Linear(3, 1))\n"
            "        for module in self.modules():\n            if isinstance(module, nn.Linear):\n"
            "                nn.init.zeros_(module.weight)\n"
        ),
        "Net()",
        13,
    ),
    "modules that are added by name": (
        (
            "class Net(nn.Sequential):\n    def __init__(self):\n        super().__init__()\n"
            "        self.add_module('first', nn.Linear(2, 3))\n"
        ),
        "Net()",
        9,
    ),
}


@pytest.mark.parametrize("what", FOLLOWED)
def test_the_program_that_builds_a_network_is_followed(what: str, tmp_path: Path) -> None:
    code, expression, parameters = FOLLOWED[what]
    (tmp_path / "net.py").write_text(HEAD + code)
    printed = invoke("summary", f"{tmp_path}/net.py:{expression}", "--output-format", "json")
    assert printed.exit_code == 0, printed.output
    totals = json.loads(printed.stdout)["totals"]
    assert totals["complete"]
    assert sum(one["elements"] for one in totals["parameters"]) == parameters
    if "added" in what:
        assert '"path": "first"' in printed.stdout


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("torch.einsum('bij,bjk->bik', torch.zeros(2, 3, 4), torch.zeros(2, 4, 5))", 2 * 3 * 4 * 5),
        ("torch.einsum('bi,bi->bi', torch.zeros(2, 3), torch.zeros(2, 3))", 0),
        ("torch.tensordot(torch.zeros(2, 3, 4), torch.zeros(4, 3, 5), ([1, 2], [1, 0]))", 120),
        ("torch.addbmm(torch.zeros(3, 5), torch.zeros(2, 3, 4), torch.zeros(2, 4, 5))", 120),
        ("torch.zeros(3, 4) @ torch.zeros(4)", 12),
        ("torch.nn.functional.conv_transpose1d(torch.zeros(2, 3, 9), torch.zeros(3, 4, 5))", 1080),
        ("torch.nn.functional.linear(torch.zeros(2, 7, 3), torch.zeros(5, 3))", 210),
        ("torch.zeros(3, 4) * torch.zeros(3, 4)", 0),
        ("torch.einsum('ij,jk,kl->il', *[torch.zeros(2, 2)] * 3)", None),
    ],
)
def test_contractions_count_and_other_operations_do_not(
    code: str, count: int | None, tmp_path: Path
) -> None:
    (tmp_path / "net.py").write_text(
        f"{HEAD}class Net(nn.Module):\n    def forward(self, x):\n        return {code}\n"
    )
    arguments = (f"{tmp_path}/net.py:Net()", "--input", "[1]", "--output-format", "json")
    totals = json.loads(invoke("summary", *arguments).stdout)["totals"]
    assert totals["multiply_adds"] == count

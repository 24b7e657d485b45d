"""Installed packages: calls into them are followed, and nothing in them is reported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from invoking import invoke

LAYERS = """
import torch
from torch import nn

class Mlp(nn.Module):
    def __init__(self, width, hidden, out):
        super().__init__()
        self.first = nn.Linear(width, hidden)
        self.second = nn.Linear(hidden, out)

    def forward(self, x):
        return self.second(self.first(x).relu())

def suspicious(x):
    B, C = x.shape
    return x.sum(1, keepdim=True) * x.sum(1)

def wrong():
    return torch.zeros(2, 3) + torch.zeros(2, 4)
"""
PROGRAM = """
import torch
from layers_for_all import Mlp
from layers_for_all.functional import double

def test_wrong_width():
    return Mlp(8, 16, 4)(torch.zeros(2, 7))

def test_right():
    y = Mlp(8, 16, 4)(torch.zeros(2, 8))
    return y + torch.zeros(2, 4)

def test_wrong_result():
    return double(torch.zeros(2, 3)) + torch.zeros(2, 3)
"""
SUM = """
import {library} as lib
from {module} import pair

def f():
    return pair(lib.zeros(2)) + lib.zeros(3)
"""
FUNCTIONAL = "import torch\n\ndef double(x):\n    return torch.cat([x, x], dim=1)\n"


def install(environment: Path, name: str, requirement: str, files: dict[str, str]) -> Path:
    """Put a package into an environment as an installer would; returns the folder of packages."""
    site = environment / "lib" / "python3.11" / "site-packages"
    for path, text in files.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(text)
    info = site / f"{name}-1.0.dist-info"
    info.mkdir()
    metadata = (
        f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{requirement}\n\nA description\n"
    )
    (info / "METADATA").write_text(metadata)
    (info / "RECORD").write_text("".join(f"{path},,\n" for path in files))
    return site


@pytest.fixture
def environment(here: Path) -> Path:
    """An environment with a package of layers; the program that uses it is `program.py`."""
    folder = here / "elsewhere" / "env"
    install(
        folder,
        "layers-for-all",
        "Requires-Dist: torch>=2",
        {"layers_for_all/__init__.py": LAYERS, "layers_for_all/functional.py": FUNCTIONAL},
    )
    (here / "program.py").write_text(PROGRAM)
    return folder


def findings(*options: str, **variables: str | None) -> list[tuple[str, int, str]]:
    """What is reported of `program.py`: file, line and code."""
    result = invoke(
        "check", "program.py", "--exit-zero", "--output-format", "json", *options, **variables
    )
    rows = json.loads(result.stdout)
    return [(Path(r["filename"]).name, r["location"]["row"], r["code"]) for r in rows]


ALL = [("program.py", 7, "NC208"), ("program.py", 14, "NC201")]


def test_the_active_environment(environment: Path) -> None:
    assert findings() == []
    assert findings(VIRTUAL_ENV=str(environment)) == ALL
    assert findings(VIRTUAL_ENV=None, CONDA_PREFIX=str(environment)) == ALL


def test_the_named_environment(environment: Path) -> None:
    python = environment / "bin" / "python"
    python.parent.mkdir()
    python.touch()
    assert findings("--python", str(environment)) == ALL
    assert findings("--python", str(python)) == ALL


def test_the_setting(environment: Path, here: Path) -> None:
    settings = here / "namecheck.toml"
    settings.write_text('python = "elsewhere/env"\n')
    assert findings() == ALL
    assert findings("--no-installed") == []
    settings.write_text('python = "elsewhere/env"\ninstalled = false\n')
    assert findings() == []


def test_an_environment_that_is_not_there(environment: Path) -> None:
    result = invoke("check", "program.py", "--python", str(environment / "lib"))
    assert result.exit_code == 2
    assert "no environment with packages at" in result.output


def test_the_note_names_the_line_in_the_package(environment: Path) -> None:
    shown = invoke("check", "program.py", "--python", str(environment)).stdout
    assert "Linear takes in_features = 8, but its input [2, 7] has 7" in shown
    assert "layers_for_all/__init__.py:12:9" in shown


def test_packages_without_a_tensor_library_are_not_followed(environment: Path, here: Path) -> None:
    requirement = "Requires-Dist: numpy\nRequires-Dist: click ; extra == 'cli'"
    files = {"plain.py": "import torch\n\ndef pair(x):\n    return torch.cat([x, x])\n"}
    install(environment, "plain", requirement, files)
    (here / "program.py").write_text(SUM.format(module="plain", library="torch"))
    assert findings("--python", str(environment)) == []


def test_a_module_by_itself_and_an_extra(environment: Path, here: Path) -> None:
    requirement = "Requires-Dist: jax>=0.4 ; extra == 'gpu'"
    files = {
        "pairs.py": "import jax.numpy as jnp\n\ndef pair(x):\n    return jnp.concatenate([x, x])\n"
    }
    install(environment, "pairs", requirement, files)
    (here / "program.py").write_text(SUM.format(module="pairs", library="jax.numpy"))
    assert findings("--python", str(environment)) == [("program.py", 6, "NC201")]


def test_what_is_suspicious_in_a_package_is_not_reported(environment: Path, here: Path) -> None:
    text = "from layers_for_all import suspicious\n\n\ndef f(x):\n    return suspicious(x)\n"
    (here / "program.py").write_text(text)
    assert findings("--python", str(environment)) == []


def test_a_file_of_the_project_takes_precedence(environment: Path, here: Path) -> None:
    (here / "layers_for_all.py").write_text("def Mlp(a, b, c):\n    return lambda x: x\n")
    sum_of_8_and_4 = ("program.py", 11, "NC201")
    assert findings("--python", str(environment)) == [sum_of_8_and_4]


def test_results_are_remembered_until_a_package_changes(environment: Path, here: Path) -> None:
    options = ("--python", str(environment), "--cache-dir", "kept")
    cached = {"NAMECHECK_NO_CACHE": None}
    assert findings(*options, **cached) == ALL
    assert findings(*options, **cached) == ALL
    package = environment / "lib/python3.11/site-packages/layers_for_all"
    functional = package / "functional.py"
    functional.write_text(FUNCTIONAL.replace("dim=1", "dim=0"))
    assert findings(*options, **cached) == [ALL[0], ("program.py", 14, "NC201")]
    functional.write_text(FUNCTIONAL.replace("torch.cat([x, x], dim=1)", "x * 2"))
    assert findings(*options, **cached) == ALL[:1]
    functional.unlink()
    assert findings(*options, **cached) == ALL[:1]
    functional.write_text(FUNCTIONAL)
    assert findings(*options, **cached) == ALL


def test_a_package_that_is_installed_later_is_found(environment: Path, here: Path) -> None:
    options = ("--python", str(environment), "--cache-dir", "kept")
    (here / "program.py").write_text(SUM.format(module="pairs", library="torch"))
    assert findings(*options, NAMECHECK_NO_CACHE=None) == []
    files = {"pairs/__init__.py": "import torch\n\ndef pair(x):\n    return torch.cat([x, x])\n"}
    install(environment, "pairs", "Requires-Dist: torch", files)
    assert findings(*options, NAMECHECK_NO_CACHE=None) == [("program.py", 6, "NC201")]


def test_files_of_an_environment_that_are_checked_are_reported(environment: Path) -> None:
    package = environment / "lib/python3.11/site-packages/layers_for_all"
    result = invoke(
        "check", str(package), "--python", str(environment), "--output-format", "concise"
    )
    assert "NC202" in result.stdout
    assert "NC201" in result.stdout


BOOKKEEPING = """
def spelled(word, length):
    if length == 0:
        return word
    return (spelled(word + "a", length - 1), spelled(word + "b", length - 1))

def logged(name):
    return [spelled(name, 12), spelled(name + "-", 12)]
"""
LOGGING = """
import torch
from bookkeeping import logged

def grown(x):
    logged("grown")
    for _ in range(20):
        x = torch.cat([x, x[:1]])
    return x

def test_logged():
    right = grown(torch.zeros(2, 3)) + torch.zeros(22, 3)
    return grown(torch.zeros(2, 3)) + torch.zeros(21, 3)
"""


def test_a_package_that_computes_long_without_a_tensor_does_not_end_a_drive(
    environment: Path, here: Path
) -> None:
    install(environment, "bookkeeping", "Requires-Dist: torch", {"bookkeeping.py": BOOKKEEPING})
    (here / "program.py").write_text(LOGGING)
    assert findings("--python", str(environment)) == [("program.py", 13, "NC201")]

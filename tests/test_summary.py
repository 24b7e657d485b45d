"""`namecheck summary`, compared with what torch says of the same networks.

`tests/data/networks.jsonl` was measured once, see `write_networks.py`.
"""

from __future__ import annotations

import json
import os
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

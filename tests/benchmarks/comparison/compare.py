"""Runs other checkers on programs with one mistake each, and on their correct twins.

    python tests/benchmarks/comparison/compare.py FOLDER [--torch WHEEL]

Each set of tools gets an environment of its own in FOLDER, with the versions of `ENVIRONMENTS` from
PyPI and torch (a wheel for the CPU is ten times smaller).  The script prints the output of every
tool for every program, wrong and right, in lines that begin with the path. The numbers and quotes
in `docs/comparison.md` come from them.  The sets of programs:

* `plain`: the programs of `docs/examples` that use PyTorch or NumPy, unchanged;
* `rewritten`: the same mistakes, and three about names, with sizes as type parameters, as
  Pyrefly's tutorial writes them (`*.py.txt`: the syntax is newer than our oldest Python);
* `jaxtyping`, `contracts`: annotated functions, for readers of jaxtyping and for TorchShapeFlow.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
EXAMPLES = ROOT / "docs" / "examples"

CHECKERS = ["mypy==2.4.1", "pyright[nodejs]==1.1.414", "ty==0.0.107", "jaxtyping==0.3.11", "numpy"]
STUBS = ["pyrefly==1.4.0", "pyrefly-torch-stubs==1.4.0"]


class Tool(NamedTuple):
    """A command in an environment, and the sets of programs to run it on."""

    environment: str
    command: list[str]
    sets: list[str]


ENVIRONMENTS = {
    "checkers": [*CHECKERS, "pyrefly==1.4.1"],
    "with stubs": [*CHECKERS, *STUBS],
    "torchtyc": ["torchtyc==0.5.0"],
    "torchshapeflow": ["torchshapeflow==0.7.3"],
    "namecheck": [str(ROOT)],
}

NEWER = ["--python-version", "3.13"]
PLAIN = ["plain", "jaxtyping"]

TOOLS = [
    *(
        Tool(environment, command, PLAIN)
        for environment in ("checkers", "with stubs")
        for command in (
            ["mypy"],
            ["pyright", "--pythonpath", "{python}"],
            ["ty", "check", "--output-format", "concise", "--python", "{environment}"],
            ["pyrefly", "check", "--output-format", "min-text"],
        )
    ),
    Tool("with stubs", ["pyrefly", "check", "--output-format", "min-text", *NEWER], ["rewritten"]),
    Tool(
        "with stubs",
        ["pyright", "--pythonversion", "3.13", "--pythonpath", "{python}"],
        ["rewritten"],
    ),
    Tool("torchtyc", ["torchtyc", "check"], PLAIN),
    Tool("torchshapeflow", ["tsf", "check"], ["plain", "contracts"]),
    Tool("namecheck", ["namecheck", "check", "--output-format", "concise"], PLAIN),
]


def lay_out(folder: Path) -> None:
    """Write the sets of programs, each in a folder with the wrong and the right ones apart."""
    for kind in ("mistakes", "correct"):
        plain = folder / "plain" / kind
        plain.mkdir(parents=True, exist_ok=True)
        for program in (EXAMPLES / kind).glob("*.py"):
            if re.search(r"^import (torch|numpy)", program.read_text(), re.MULTILINE):
                shutil.copy(program, plain)
        rewritten = folder / "rewritten" / kind
        rewritten.mkdir(parents=True, exist_ok=True)
        for program in (HERE / "rewritten_for_pyrefly" / kind).glob("*.py.txt"):
            shutil.copy(program, rewritten / program.stem)
    for group in ("plain", "rewritten"):  # without a settings file, Pyrefly checks less
        for kind in ("mistakes", "correct"):
            (folder / group / kind / "pyrefly.toml").write_text("")
    for name, reader in (("jaxtyping", "with_jaxtyping"), ("contracts", "for_torchshapeflow")):
        only = folder / name / "mistakes"
        only.mkdir(parents=True, exist_ok=True)
        shutil.copy(HERE / f"annotated_{reader}.py.txt", only / "annotated.py")
        (only / "pyrefly.toml").write_text("")


def install(place: Path, packages: list[str], torch: str) -> None:
    if place.exists():
        return
    venv.create(place, with_pip=True)
    requirements = [*packages, *([] if packages == [str(ROOT)] else [torch])]
    subprocess.run([place / "bin" / "pip", "install", "--quiet", *requirements], check=True)


def said(tool: Tool, folder: Path, programs: Path) -> str:
    """The output of a tool for each program of a folder."""
    place = folder / tool.environment.replace(" ", "-")
    paths = {"python": str(place / "bin" / "python"), "environment": str(place)}
    command = [str(place / "bin" / tool.command[0])]
    command += [word.format_map(paths) for word in tool.command[1:]]
    if tool.command[0] == "pyrefly":
        command += ["--python-interpreter-path", paths["python"]]
    outputs = []
    for program in sorted(programs.glob("*.py")):
        process = subprocess.run(
            [*command, program.name], cwd=programs, capture_output=True, text=True, check=False
        )
        outputs.append(f"{program.name}: exit {process.returncode}\n{process.stdout}")
    return "\n".join(outputs)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--torch", default="torch==2.13.0")
    options = parser.parse_args()
    folder = options.folder.resolve()
    lay_out(folder)
    for name, packages in ENVIRONMENTS.items():
        install(folder / name.replace(" ", "-"), packages, options.torch)
    for tool in TOOLS:
        for group in tool.sets:
            for kind in ("mistakes", "correct"):
                programs = folder / group / kind
                if programs.exists():
                    print(f"===== {tool.environment}: {tool.command[0]} on {group}/{kind}")
                    print(said(tool, folder, programs), flush=True)


if __name__ == "__main__":
    sys.exit(main())

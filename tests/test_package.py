"""The project as users install it: the wheel, its files, and the commands of the README."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest

import namecheck
import namecheck_runtime
from commands import environment, run
from namecheck.report import FORMATS

ROOT = Path(__file__).parent.parent
OURS = {"namecheck", "namecheck_runtime", "namecheck_plugin"}


def shell_blocks(markdown: str) -> list[str]:
    """Lines of the fenced `sh` blocks, without comments and blanks."""
    blocks = re.findall(r"^```sh\n(.*?)^```", markdown, re.MULTILINE | re.DOTALL)
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def test_ci_runs_the_commands_of_the_readme() -> None:
    commands = shell_blocks((ROOT / "README.md").read_text())[:2]
    assert commands == [
        "python3 -m pip install . && namecheck check --exit-zero docs/examples/",
        'python3 -m pip install -e ".[dev]" && python3 -m pytest',
    ]
    script = (ROOT / ".ci/run").read_text().splitlines()
    assert {f"readme '{command}'" for command in commands} <= set(script)


def test_one_version() -> None:
    assert namecheck.__version__ == namecheck_runtime.__version__


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


class Installed:
    """A clean environment with the wheel, first alone and then with its dependencies."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        venv.create(folder, with_pip=True)
        self.folder = folder
        self.bin = folder / "bin"
        before = self.site_packages()
        pip = (self.bin / "python", "-m", "pip", "--disable-pip-version-check", "install", "-q")
        run(*pip, "--no-deps", wheel, cwd=folder)
        self.gained = self.site_packages() - before
        run(*pip, f"{wheel}[mypy,lsp]", cwd=folder)

    def site_packages(self) -> set[str]:
        (folder,) = self.folder.glob("lib/python3*/site-packages")
        return {path.name for path in folder.iterdir()}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Installed:
    return Installed(tmp_path_factory.mktemp("clean") / "environment", wheel)


@pytest.mark.registry
def test_the_wheel_holds_our_packages_and_nothing_else(wheel: Path) -> None:
    files = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in files}
    assert {top for top in tops if not top.endswith(".dist-info")} == OURS
    assert {f"{package}/py.typed" for package in OURS} <= set(files)
    in_tree = {
        str(path.relative_to(root))
        for root in (ROOT / "runtime", ROOT / "namecheck", ROOT / "plugin")
        for path in root.rglob("*.py*")
        if path.suffix in (".py", ".pyi")
    }
    assert {name for name in files if name.endswith((".py", ".pyi"))} == in_tree


@pytest.mark.registry
def test_site_packages_gains_no_generic_name(installed: Installed) -> None:
    packages = {name for name in installed.gained if not name.endswith(".dist-info")}
    assert packages == OURS
    assert len(installed.gained) == len(OURS) + 1


@pytest.mark.registry
def test_the_command_says_its_version(installed: Installed) -> None:
    output = run(installed.bin / "namecheck", "--version", cwd=installed.folder)
    assert output == f"namecheck, version {namecheck_runtime.__version__} (compiled: no)\n"


@pytest.mark.registry
def test_the_command_reads_code(installed: Installed) -> None:
    file = installed.folder / "model.py"
    file.write_text("import torch\nx = torch.zeros(2, 3)\n")
    run(installed.bin / "namecheck", "check", file, cwd=installed.folder)


@pytest.mark.registry
@pytest.mark.parametrize("output_format", FORMATS)
def test_the_command_writes_every_format(installed: Installed, output_format: str) -> None:
    options = ("check", "--exit-zero", "--no-cache", "--output-format", output_format)
    output = run(installed.bin / "namecheck", *options, "docs/examples", cwd=ROOT)
    report = subprocess.run(
        [sys.executable, "-m", "namecheck", *options, "docs/examples"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "NC202" in output
    assert output == report.stdout


@pytest.mark.registry
def test_the_installed_server_answers_every_request(installed: Installed) -> None:
    questions = ROOT / "tests" / "lsp" / "test_lsp_questions.py"
    command = str(installed.bin / "namecheck")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PYTEST"))}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", questions],
        cwd=ROOT,
        env={**environment, "NAMECHECK_COMMAND": command},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.registry
@pytest.mark.parametrize("package", sorted(OURS))
def test_the_packages_import(installed: Installed, package: str) -> None:
    where = run(
        installed.bin / "python",
        "-c",
        f"import {package}; print({package}.__file__)",
        cwd=installed.folder,
    )
    assert "site-packages" in where


@pytest.mark.registry
def test_mypy_loads_the_plugin(installed: Installed) -> None:
    program = installed.folder / "program.py"
    program.write_text("import namecheck_runtime\nreveal_type(namecheck_runtime.__version__)\n")
    (installed.folder / "mypy.ini").write_text(
        "[mypy]\nplugins = namecheck_plugin\nstrict = true\n"
    )
    output = run(installed.bin / "mypy", program, cwd=installed.folder)
    assert 'Revealed type is "str"' in output or 'Revealed type is "builtins.str"' in output


PROGRAMS = ROOT / "tests/plugin"
"""Programs that pass, and programs with the ignores that they need: the plugin accepts both."""


def check_programs(installed: Installed, folders: tuple[str, ...], *, plugin: bool) -> None:
    """Run the environment's own `mypy` on programs of the plugin; it must find nothing."""
    for folder in folders:
        copy = installed.folder / folder
        shutil.copytree(PROGRAMS / folder, copy, dirs_exist_ok=True)
        settings = installed.folder / f"{folder}.ini"
        loaded = "plugins = namecheck_plugin\n" if plugin else ""
        settings.write_text(f"[mypy]\n{loaded}strict = true\n")
        files = sorted(copy.glob("*.py"))
        assert files
        mypy = installed.bin / "mypy"
        run(mypy, "--config-file", settings, "--no-incremental", *files, cwd=copy)


@pytest.mark.registry
def test_the_newest_mypy_agrees_with_the_plugin(installed: Installed) -> None:
    check_programs(installed, ("pass", "fail"), plugin=True)


@pytest.mark.registry
def test_programs_need_no_ignore_without_the_plugin(installed: Installed) -> None:
    check_programs(installed, ("pass",), plugin=False)


@pytest.fixture(scope="module")
def pyright(installed: Installed) -> Path:
    """The newest pyright, with a Node.js of its own, in the environment of the wheel."""
    pip = (installed.bin / "python", "-m", "pip", "--disable-pip-version-check", "install", "-q")
    run(*pip, "pyright[nodejs]", cwd=installed.folder)
    return installed.bin / "pyright"


def diagnostics_of_pyright(
    pyright: Path, folder: Path, mode: str, copy: Path
) -> list[dict[str, Any]]:
    """The diagnostics of pyright for the programs of a folder."""
    shutil.copytree(folder, copy / folder.name)
    settings = copy / "pyrightconfig.json"
    settings.write_text(json.dumps({"typeCheckingMode": mode}))
    options = ("--pythonpath", pyright.parent / "python", "--outputjson", "-p", settings)
    done = subprocess.run(
        [str(part) for part in (pyright, *options)],
        cwd=copy,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    output = json.loads(done.stdout)
    assert output["summary"]["filesAnalyzed"] == len(list(folder.glob("*.py"))) > 0
    diagnostics: list[dict[str, Any]] = output["generalDiagnostics"]
    return diagnostics


@pytest.mark.registry
@pytest.mark.parametrize(
    ("mode", "folder"), [("strict", "pass"), ("standard", "reveal"), ("strict", "alone")]
)
def test_programs_need_no_ignore_for_pyright(
    pyright: Path, tmp_path: Path, mode: str, folder: str
) -> None:
    diagnostics = diagnostics_of_pyright(pyright, PROGRAMS / folder, mode, tmp_path)
    assert not [diagnostic for diagnostic in diagnostics if diagnostic["severity"] != "information"]


REVEALED = re.compile(r'Type of ".*" is "Tensor\[([^|]*)\]"', re.DOTALL)
MARK = re.compile(r"reveal_type\(.*\)  # Tensor\[(.*)\]")
UNKNOWN_DIMS = ("...", "*tuple[Any, ...]", "*tuple[Unknown, ...]")


def dims_of(listed: str) -> list[str]:
    """The dims of a type as pyright or a mark lists them, spelled alike."""
    plain = re.sub(r"@\w+|Literal\['?(-?\w+)'?\]", r"\1", listed)
    if plain in ("()", "*tuple[()]"):
        return []
    return ["..." if dim in UNKNOWN_DIMS else dim for dim in re.split(r", (?!\.)", plain)]


@pytest.mark.registry
def test_pyright_knows_only_dims_that_the_plugin_knows(pyright: Path, tmp_path: Path) -> None:
    """The rules judge each overload of the stubs: the marks are what the plugin reveals."""
    count = 0
    for diagnostic in diagnostics_of_pyright(pyright, PROGRAMS / "reveal", "standard", tmp_path):
        line = (
            Path(diagnostic["file"]).read_text().splitlines()[diagnostic["range"]["start"]["line"]]
        )
        revealed, mark = REVEALED.fullmatch(diagnostic["message"]), MARK.search(line)
        if revealed is None or mark is None:
            continue
        dims, marked = dims_of(revealed[1]), dims_of(mark[1])
        if "..." not in dims:
            assert len(dims) == len(marked), line
            assert all(d in (m, "Any") for d, m in zip(dims, marked, strict=True)), line
            count += 1
    assert count > 30


@pytest.mark.registry
def test_the_oldest_mypy_agrees_with_the_plugin(installed: Installed) -> None:
    """The oldest release that `pyproject.toml` admits; last, since it replaces the newest."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (needed,) = project["optional-dependencies"]["mypy"]
    oldest = needed.removeprefix("mypy>=")
    pip = (installed.bin / "python", "-m", "pip", "--disable-pip-version-check", "install", "-q")
    run(*pip, f"mypy=={oldest}.0" if oldest.count(".") == 1 else f"mypy=={oldest}", cwd=ROOT)
    check_programs(installed, ("pass", "fail"), plugin=True)

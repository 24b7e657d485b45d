"""The packages compiled by mypyc: the contents of a wheel, and that it behaves like the sources.

`python -m pytest -m compiled` builds and tests them; `.ci/run` does not, since it takes minutes.
Tests that look inside modules (replace a function, count its calls) are marked `interpreted`:
compiled code calls the functions that it was compiled with.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import tomllib
import zipfile
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pathspec
import pytest

from commands import run

ROOT = Path(__file__).parent.parent
COMPILER = (sysconfig.get_config_var("CC") or "cc").split()[0]
HEADER = Path(sysconfig.get_path("include"), "Python.h")

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(
        not (shutil.which(os.environ.get("CC", COMPILER).split()[0]) and HEADER.exists()),
        reason="no C compiler on this machine, or no headers of Python",
    ),
]


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked compiled wheel, with the files that an installation would have."""
    folder = tmp_path_factory.mktemp("wheel")
    build = (sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT)
    run(*build, cwd=folder, HATCH_BUILD_HOOKS_ENABLE="1", MYPYC_OPT_LEVEL="0")
    (wheel,) = folder.glob("*.whl")
    assert "-none-any" not in wheel.name
    zipfile.ZipFile(wheel).extractall(folder / "packages")
    return folder / "packages"


def test_the_wheel_holds_libraries_beside_the_sources(packages: Path) -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wheel = pyproject["tool"]["hatch"]["build"]["targets"]["wheel"]
    to_compile = pathspec.GitIgnoreSpec.from_lines(wheel["hooks"]["custom"]["modules"])
    compiled = set()
    for root in (ROOT / package for package in wheel["packages"]):
        for path in root.rglob("*.py"):
            inside = path.relative_to(root.parent).as_posix()
            assert (packages / inside).read_bytes() == path.read_bytes()
            if to_compile.match_file(path.relative_to(ROOT).as_posix()):
                compiled.add(inside)
    libraries = {path for path in packages.rglob("*") if path.name.endswith(EXTENSION_SUFFIXES[0])}
    names = {path.relative_to(packages).as_posix().partition(".")[0] for path in libraries}
    assert len(compiled) > 50
    assert names == {name.removesuffix(".py") for name in compiled} | {"namecheck__mypyc"}


def test_the_command_says_that_it_is_compiled(packages: Path) -> None:
    version = run(sys.executable, "-m", "namecheck", "--version", cwd=ROOT, search=packages)
    assert version.endswith(" (compiled: yes)\n")


@pytest.mark.parametrize("output_format", ["full", "json"])
def test_compiled_code_finds_the_same_as_the_sources(packages: Path, output_format: str) -> None:
    command = (sys.executable, "-m", "namecheck", "check", "--isolated", "--no-cache")
    options = ("--exit-zero", "--output-format", output_format, "docs/examples", "namecheck")
    sources = os.pathsep.join(str(ROOT / root) for root in ("runtime", "namecheck"))
    reports = [run(*command, *options, cwd=ROOT, search=place) for place in (packages, sources)]
    assert "NC202" in reports[0]
    assert reports[0] == reports[1]


SUITES = ("tests/test_cases.py", "tests/analysis", "tests/notation", "tests/rules", "tests/laws")


def test_compiled_code_passes_the_tests_of_the_sources(packages: Path) -> None:
    run(
        *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2"),
        *("-o", "pythonpath=tests tests/data tests/fuzz"),
        *(
            "-m",
            "not interpreted and not registry and not slow and not deep and not compiled",
            *SUITES,
        ),
        cwd=ROOT,
        search=packages,
    )

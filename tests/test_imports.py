"""What an import costs: which libraries a fresh interpreter has loaded afterwards.

Each test uses a subprocess, because this process has imported everything already.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join(str(ROOT / root) for root in ("runtime", "namecheck", "plugin")),
}


def loaded_after(source: str) -> set[str]:
    """The names in `sys.modules` after a fresh interpreter has run `source`.

    Our own modules have their full names, others only the first part.
    """
    program = f"{source}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    loaded = done.stdout.splitlines()[-1].split()
    return {name.partition(".")[0] for name in loaded} | {n for n in loaded if "namecheck" in n}


COMMAND = """
import sys
sys.argv = ["namecheck", {arguments}]
from namecheck.main import main
try:
    main(prog_name="namecheck")
except SystemExit as end:
    assert end.code == 0, end.code
"""


@pytest.mark.parametrize(
    ("source", "kept_out"),
    [
        ("import namecheck_runtime", {"numpy", "libcst", "mypy", "rich", "click"}),
        ("import namecheck_runtime.rules", {"numpy", "libcst", "mypy", "typing", "re"}),
        ("import namecheck", {"numpy", "libcst", "mypy", "rich", "click"}),
        ("import namecheck.findings", {"numpy", "libcst", "mypy", "rich", "click", "msgspec"}),
        ("import namecheck.main", {"numpy", "libcst", "mypy", "rich"}),
        ("import namecheck_plugin", {"numpy", "libcst", "rich", "click"}),
        (COMMAND.format(arguments="'--version'"), {"numpy", "libcst", "mypy", "rich"}),
        (COMMAND.format(arguments="'explain', 'NC101'"), {"numpy", "libcst", "mypy"}),
        (COMMAND.format(arguments="'check', '--help'"), {"numpy", "libcst", "mypy", "rich"}),
    ],
)
def test_an_import_stays_light(source: str, kept_out: set[str]) -> None:
    assert loaded_after(source).isdisjoint(kept_out)


def test_a_loaded_library_is_noticed() -> None:
    assert {"numpy", "namecheck_runtime"} <= loaded_after("import numpy, namecheck_runtime")


def test_checking_does_not_load_numpy_or_mypy(tmp_path: Path) -> None:
    file = tmp_path / "model.py"
    file.write_text("import torch\nx = torch.zeros(2, 3)\n")
    loaded = loaded_after(COMMAND.format(arguments=f"'check', {str(file)!r}"))
    assert loaded.isdisjoint({"numpy", "mypy", "torch", "rich"})
    assert loaded.isdisjoint({"libcst", "multiprocessing", "concurrent", "hashlib", "pathlib"})


def answer(program: str) -> list[str]:
    """The words that a program prints in a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", program], env=ENVIRONMENT, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


EVERYTHING = """
import importlib, pkgutil, re, sys
compiled, real = [], re._compiler.compile
def compile(pattern, flags=0):
    caller = sys._getframe(1)
    while caller.f_globals["__name__"].partition(".")[0] == "re":
        caller = caller.f_back
    compiled.append(caller.f_globals["__name__"])
    return real(pattern, flags)
re._compiler.compile = compile
for package in map(importlib.import_module, ("namecheck_runtime", "namecheck")):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if module.name.rpartition(".")[2] != "__main__":
            importlib.import_module(module.name)
"""


def test_our_imports_do_not_compile_regular_expressions() -> None:
    counts = "len(compiled) > 0, 'namecheck.lsp.server' in sys.modules"
    ours = "{name for name in compiled if name.startswith('namecheck')}"
    used = "from namecheck_runtime.notation.prose import _RUN\n_RUN.match('A')\n"
    program = f"{EVERYTHING}print({counts}, len({ours}))\n{used}print(*{ours})"
    assert answer(program) == ["True", "True", "0", "namecheck_runtime.light.regexes"]


def test_garbage_is_not_collected_during_imports() -> None:
    program = """
import gc
looked = []
gc.callbacks.append(lambda phase, told: looked.append(told))
from namecheck.analysis import open_program
looked.clear()
program = open_program()
first = len(looked)
made = [[] for _ in range(10_000)]
print(first, gc.isenabled(), len(looked) > first)
"""
    looked, enabled, later = answer(program)
    assert (int(looked) <= 3, enabled, later) == (True, "True", "True")


def test_garbage_is_not_collected_when_a_command_ends() -> None:
    program = (
        "import atexit, gc\n"
        "atexit.register(lambda: print(gc.get_freeze_count() > 10_000))\n"
        + COMMAND.format(arguments="'--version'")
    )
    assert answer(program)[-1] == "True"


def test_a_run_without_changes_does_not_load_the_analysis(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(ENVIRONMENT, "NAMECHECK_NO_CACHE", "")
    for name in "ab":
        (tmp_path / f"{name}.py").write_text("import torch\nx = torch.zeros(2, 3)\n")
    command = COMMAND.format(arguments="'check', '.'")
    ours = {"namecheck_runtime.rules", "namecheck.analysis"}
    assert ours <= loaded_after(command)
    seldom = {
        "difflib",
        "rich",
        "tomllib",
        "pathlib",
        "traceback",
        "namecheck.settings.toml_places",
    }
    assert loaded_after(command) & {"libcst", "numpy", *ours, *seldom} == set()


def test_settings_load_only_what_they_need(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".gitignore").write_text("__pycache__/\n*.py[co]\n/dist\n")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n')
    command = COMMAND.format(arguments="'check', '.'")
    heavy = {"numpy", "libcst", "mypy", "rich", "packaging"}
    assert loaded_after(command).isdisjoint({*heavy, "tomllib", "pathspec"})
    (tmp_path / "pyproject.toml").write_text('[tool.namecheck]\nignore = ["NC402"]\n')
    (tmp_path / "inner").mkdir()
    loaded = loaded_after(command)
    assert "tomllib" in loaded
    assert loaded.isdisjoint({*heavy, "pathspec"})

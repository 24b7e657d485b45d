"""The surface for type checkers: names, calls that PyTorch documents, and programs that were
measured to run, which have to pass without an error.
"""

from __future__ import annotations

import ast
import doctest
import json
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import namecheck_runtime as nt
import typed_calls
from namecheck_runtime.declare import REGISTRY
from namecheck_runtime.tensors.values import dtypes

ROOT = Path(__file__).parents[2]
RUNTIME = ROOT / "runtime"
PACKAGE = RUNTIME / "namecheck_runtime"
USES = Path(__file__).parent / "typed_uses.py"
SIGNATURES = json.loads((ROOT / "tests/data/signatures.json").read_text(encoding="utf-8"))


class Stub(NamedTuple):
    """The contents of a stub: the signatures of each function by name, and all names."""

    functions: dict[str, list[ast.arguments]]
    names: set[str]


@cache
def read(path: Path, within: str = "") -> Stub:
    """A stub, or one class in it."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    if within:
        (class_,) = (n for n in body if isinstance(n, ast.ClassDef) and n.name == within)
        body = class_.body
    stub = Stub({}, set())
    for node in body:
        if isinstance(node, ast.If):  # one branch for mypy, and one for other checkers
            body += [*node.body, *node.orelse]
    for node in body:
        if isinstance(node, ast.FunctionDef):
            stub.functions.setdefault(node.name, []).append(node.args)
            stub.names.add(node.name)
        elif isinstance(node, ast.ClassDef):
            stub.names.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            stub.names.add(node.target.id)
        elif isinstance(node, ast.Assign):
            stub.names.update(target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.ImportFrom):
            stub.names.update(alias.name for alias in node.names if alias.asname == alias.name)
    return stub


def home_of(path: str) -> tuple[Stub, str]:
    """The stub that has a spelling, and its name there."""
    owner, _, name = path.rpartition(".")
    if owner == "Tensor":
        written = read(PACKAGE / "tensors/object.py", "Tensor")
        return (
            written if name in written.names else read(PACKAGE / "_surface.pyi", "Methods")
        ), name
    folder = PACKAGE.joinpath(*owner.split(".")[1:])
    file = folder / "__init__.pyi"
    return read(file if file.exists() else folder.with_suffix(".pyi")), name


# -- names -----------------------------------------------------------------------------------------


def test_the_package_has_the_names_of_its_stub() -> None:
    names = read(PACKAGE / "__init__.pyi").names
    registered = dtypes.DTYPES.keys() - {*dtypes.OWN}  # by other tests
    assert {name for name in names if not name.startswith("_")} == {*dir(nt)} - registered


@pytest.mark.parametrize("module", ["nn", "nn.functional", "nn.utils.rnn", "linalg", "fft"])
def test_a_module_of_functions_has_the_names_of_its_stub(module: str) -> None:
    stub, _ = home_of(f"torch.{module}.any")
    module_: Any = nt
    for name_ in module.split("."):
        module_ = getattr(module_, name_)
    assert stub.names == set(dir(module_))
    for name in stub.names:
        assert getattr(module_, name) is not None, name


def test_tensors_have_the_methods_of_their_stub() -> None:
    written = read(PACKAGE / "tensors/object.py", "Tensor").names
    generated = read(PACKAGE / "_surface.pyi", "Methods").names
    assert not written & generated
    inherited = set(dir(object)) - vars(nt.Tensor).keys()
    of_python = {"__annotations__", "__dict__", "__doc__", "__module__", "__slots__", "__weakref__"}
    of_python |= {"__firstlineno__", "__static_attributes__"}  # since 3.13

    def public(names: Iterable[str]) -> set[str]:
        shown = {name for name in names if not name.startswith("_") or name.endswith("__")}
        return shown - inherited - of_python

    assert public(dir(nt.Tensor)) == public(written | generated)
    assert {name for name in generated if not hasattr(nt.Tensor, name)} == set()


# -- calls -----------------------------------------------------------------------------------------


def calls_of(overload: Sequence[str]) -> Iterator[tuple[int, frozenset[str]]]:
    """Ways to call a documented signature: the count of positional arguments, and the keywords."""
    places: list[str] = []
    required: list[str] = []
    named: list[str] = []
    several = keyword = False
    for text in overload:
        name, equals, _ = text.partition("=")
        if name == "*":
            keyword = True
        elif name == "/" or name.startswith("**"):
            continue
        elif name.startswith("*"):
            several = keyword = True
        else:
            (named if keyword else places).append(name)
            if not equals:
                required.append(name)
    more = 2 if several else 0
    yield len(places) + more, frozenset(named)
    needed = [name for name in places if name in required]
    if places[: len(needed)] == needed:
        yield len(needed) + more, frozenset(name for name in named if name in required)
    if not several and "/" not in overload:
        yield 0, frozenset((*places, *named))


def takes(arguments: ast.arguments, count: int, names: frozenset[str], method: bool) -> bool:
    """Whether a signature takes `count` arguments by position and these by name."""
    places = [parameter.arg for parameter in (*arguments.posonlyargs, *arguments.args)][method:]
    needed = set(places[: len(places) - len(arguments.defaults)])
    keywords = {parameter.arg for parameter in arguments.kwonlyargs}
    needed |= {
        parameter.arg
        for parameter, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is None
    }
    filled = set(places[:count])
    if count > len(places) and arguments.vararg is None:
        return False
    if names & filled or (names - keywords - set(places) and arguments.kwarg is None):
        return False
    return needed <= filled | names


DOCUMENTED = [
    (path, overload)
    for path in REGISTRY
    if path.startswith(("torch.", "Tensor.")) and not REGISTRY[path].attribute
    if path.count(".") == 1 or path.split(".")[1] in nt._NAMESPACES
    for overload in SIGNATURES["calls"].get(path, ())
]


def test_documented_calls_are_taken() -> None:
    assert len(DOCUMENTED) > 1000
    refused: list[str] = []
    for path, overload in DOCUMENTED:
        stub, name = home_of(path)
        signatures = stub.functions.get(name)
        # A function that the stub imports has no signature here.  The library's own stub gives the
        # parameter of `requires_grad_` another name than the library does.
        if signatures is None or path == "Tensor.requires_grad_":
            continue
        for count, names in calls_of(overload):
            method = path.startswith("Tensor.")
            if not any(takes(signature, count, names, method) for signature in signatures):
                refused.append(f"{path}({', '.join(overload)}): {count} by position, {set(names)}")
    assert not refused, "\n".join(refused)


# -- programs --------------------------------------------------------------------------------------

# mypy accepts these; to pyright the arguments of a variadic class are invariant.
FOR_MYPY = """\
from typing import Any, Literal as L
from typing_extensions import TypeVarTuple
from namecheck_runtime import Tensor

Ds = TypeVarTuple("Ds")

def without_last(x: Tensor[*Ds, Any]) -> Tensor[*Ds]:
    return x.sum(-1)

def sizes(x: Tensor[L[3], int, L["C"], Any]) -> Tensor[int, int, L["C"], L["D"]]:
    return x
"""


def documents() -> Iterator[tuple[str, str]]:
    """The sessions of our documents as programs, by name."""
    for name in ("runtime", "from_torch"):
        text = (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
        blocks = re.findall(r"^```pycon\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        examples = doctest.DocTestParser().get_examples("\n".join(blocks))
        # In NumPy's own stubs an axis is a number.
        lines = [example.source for example in examples if "np.sum(" not in example.source]
        lines += re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        yield name, "".join(lines)


@pytest.mark.slow
def test_programs_pass_mypy_without_a_plugin(tmp_path: Path) -> None:
    programs = {
        "typed_uses": USES.read_text(encoding="utf-8"),
        "typed_calls": typed_calls.program(),
        "for_mypy": FOR_MYPY,
        **dict(documents()),
    }
    for name, text in programs.items():
        assert text.count("\n") > 8, name
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    assert mypy_output(tmp_path, "").startswith("Success")


@pytest.mark.slow
def test_measured_calls_pass_with_the_plugin(tmp_path: Path) -> None:
    (tmp_path / "typed_calls.py").write_text(typed_calls.program(), encoding="utf-8")
    assert mypy_output(tmp_path, "plugins = namecheck_plugin\n").startswith("Success")


def mypy_output(folder: Path, setting: str) -> str:
    """The output of mypy for the programs of a folder; errors first."""
    (folder / "mypy.ini").write_text(f"[mypy]\nstrict = true\n{setting}", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *(path.name for path in sorted(folder.glob("*.py")))],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{RUNTIME}:{ROOT / 'plugin'}", "MYPYPATH": str(RUNTIME)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def test_ordinary_uses_run() -> None:
    runpy.run_path(str(USES), run_name="__main__")

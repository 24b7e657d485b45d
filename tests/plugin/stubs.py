"""A `torch` for type checkers, from the registry: as much as the programs of lessons use.

The reports of the plugin about a program for torch do not need the real one.
"""

from __future__ import annotations

import keyword
from collections import defaultdict
from pathlib import Path

import namecheck_runtime.rules  # noqa: F401 - the registry is full then
from namecheck_runtime.declare import REGISTRY
from namecheck_runtime.layers import LAYERS
from namecheck_runtime.readers.parameters import returned

OPERATORS = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor"),
    *("lshift", "rshift"),
)
RESULTS = {"Shape": "Tensor", "Size": "_int", "Shapes": "tuple[Tensor, ...]", "Sizes": "Any"}

HEAD = """\
from builtins import bool as _bool, float as _float, int as _int
from collections.abc import Iterator
from typing import Any, TypeVar
_F = TypeVar("_F")
"""

MODULE = """\
from collections.abc import Callable
from typing import Any
class Module:
    training: bool
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    __call__: Callable[..., Any]
    def __getattr__(self, name: str) -> Any: ...
"""
CONTAINER = """\
from typing import Any
from torch.nn.modules.module import Module
class Sequential(Module): ...
"""
NN = """\
from torch.nn import functional as functional
from torch.nn.modules.container import Sequential as Sequential
from torch.nn.modules.module import Module as Module
class Parameter(Tensor): ...
def __getattr__(name: str) -> Any: ...
"""
NO_GRAD = """\
class no_grad:
    def __call__(self, function: _F) -> _F: ...
"""
RETURN_TYPES = """\
from torch import Tensor
class max(tuple[Tensor, Tensor]):
    @property
    def values(self) -> Tensor: ...
    @property
    def indices(self) -> Tensor: ...
"""


def layers() -> str:
    """The layers of the rulebook as PyTorch has them; no type states their sizes."""
    names = {path.rpartition(".") for path in LAYERS}
    return "".join(
        f"class {name}(Module):\n    weight: Tensor\n"
        for module, _, name in sorted(names)
        if module == "torch.nn"
    )


def result_of(path: str) -> str:
    """The type of the result of a spelling; Any if that depends on the call."""
    return RESULTS.get(returned(REGISTRY[path].op.rules), "Any")


def tensor_class() -> str:
    """`class Tensor`: its methods take anything; their result types follow the rules in outline."""
    lines = ["class Tensor:", "    def __init__(self, *args: Any) -> None: ..."]
    for path, spelling in REGISTRY.items():
        owner, _, name = path.partition(".")
        if owner != "Tensor" or not name.isidentifier() or keyword.iskeyword(name):
            continue
        if spelling.attribute:
            lines += ["    @property", f"    def {name}(self) -> {result_of(path)}: ..."]
        elif name == "__iter__":
            lines.append("    def __iter__(self) -> Iterator[Tensor]: ...")
        elif not name.startswith("__"):
            result = result_of(path)
            lines.append(f"    def {name}(self, *args: Any, **kwargs: Any) -> {result}: ...")
    for name in OPERATORS:
        lines.append(f"    def __{name}__(self, other: Any) -> Tensor: ...")
        lines.append(f"    def __r{name}__(self, other: Any) -> Tensor: ...")
        if name != "matmul":
            lines.append(f"    def __i{name}__(self, other: Any) -> Tensor: ...")
    for name in ("lt", "le", "gt", "ge"):
        lines.append(f"    def __{name}__(self, other: Any) -> Tensor: ...")
    for name in ("eq", "ne"):
        lines.append(f"    def __{name}__(self, other: object) -> Tensor: ...  # type: ignore")
    for name in ("neg", "pos", "invert", "abs"):
        lines.append(f"    def __{name}__(self) -> Tensor: ...")
    lines.append("    def __getitem__(self, index: Any) -> Tensor: ...")
    lines.append("    def __setitem__(self, index: Any, value: Any) -> None: ...")
    lines.append("    def __len__(self) -> _int: ...")
    lines.append("    def __bool__(self) -> _bool: ...")
    lines.append("    def __float__(self) -> _float: ...")
    lines.append("    def __int__(self) -> _int: ...")
    return "\n".join(lines) + "\n"


def write_torch(folder: Path) -> None:
    """The package `torch` in a folder for mypy's path."""
    functions: defaultdict[str, list[str]] = defaultdict(list)
    for path in REGISTRY:
        module, _, name = path.rpartition(".")
        if module.partition(".")[0] == "torch" and name.isidentifier() and name[0].islower():
            if not keyword.iskeyword(name):
                text = f"def {name}(*args: Any, **kwargs: Any) -> {result_of(path)}: ...\n"
                functions[module].append(text)
    functions["torch.nn"] = []
    functions["torch.nn.modules"] = []
    for module, written in functions.items():
        parts = module.split(".")
        for depth in range(1, len(parts) + 1):
            package = folder.joinpath(*parts[:depth])
            package.mkdir(parents=True, exist_ok=True)
            (package / "__init__.pyi").touch()
        is_root = module == "torch"
        text = (
            HEAD + (tensor_class() if is_root else "from torch import Tensor\n") + "".join(written)
        )
        if is_root:
            subs = sorted({name.split(".")[1] for name in functions if "." in name})
            text += "".join(f"from torch import {sub} as {sub}\n" for sub in subs)
        if module == "torch.nn":
            text += NN + layers()
        elif is_root:
            text += NO_GRAD
            text += "def __getattr__(name: str) -> Any: ...\n"
        folder.joinpath(*parts, "__init__.pyi").write_text(text)
    modules = folder / "torch/nn/modules"
    (modules / "module.pyi").write_text(MODULE)
    (modules / "container.pyi").write_text(CONTAINER)
    (folder / "torch/return_types.pyi").write_text(RETURN_TYPES)

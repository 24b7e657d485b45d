"""Writes the surface of `namecheck_runtime` as type checkers read it, from the registry.

`python tests/data/write_surface.py` after an op, a spelling or a parameter has changed; a test
compares.  It writes `_surface.py` (the names of the methods, without importing a rule),
`_surface.pyi` (the class of the methods) and a `.pyi` for each module of functions: the package
itself, `linalg`, ...  `surface_signatures.py` makes their signatures, and `surface_overloads.py`
the overloads for type checkers other than mypy.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from surface_overloads import DECLARED, overloads_of
from surface_signatures import (
    ALIASES,
    TAKEN,
    Signature,
    Written,
    class_of,
    classes,
    result_of,
    signatures_of,
    types_of,
    union,
)

import namecheck_runtime
import namecheck_runtime.rules  # (fills the registry)
from namecheck_runtime import surface
from namecheck_runtime.binding import REQUIRED
from namecheck_runtime.declare import OPS, REGISTRY, Spelling
from namecheck_runtime.layers import LAYERS, Layer
from namecheck_runtime.tensors.values.dtypes import OWN

PACKAGE: Final = Path(__file__).parents[2] / "runtime/namecheck_runtime"

# -- text ------------------------------------------------------------------------------------------


def lines_of(
    name: str, signatures: Sequence[Signature], first: str = "", indent: str = "", ignore: str = ""
) -> Iterator[str]:
    """The lines of a method or function."""
    for signature in signatures:
        if len(signatures) > 1:
            yield f"{indent}@overload"
        typed = any(parameter.name == first for parameter in signature.parameters)
        parameters = [first] if first and not typed else []
        star = False
        for parameter in signature.parameters:
            star = star or parameter.kind == "variadic"
            if parameter.kind == "keyword" and not star:
                parameters.append("*")
                star = True
            parameters.append(str(parameter))
        line = f"{indent}def {name}({', '.join(parameters)}) -> {signature.result}: ...{ignore}"
        if len(line) <= 100:
            yield line
            continue
        yield f"{indent}def {name}("
        inner = f"{indent}    {', '.join(parameters)}"
        if len(inner) <= 100:
            yield inner
        else:
            yield from (f"{indent}    {parameter_text}," for parameter_text in parameters)
        yield f"{indent}) -> {signature.result}: ...{ignore}"


class Checked(NamedTuple):
    """Lines for all type checkers, only for mypy, and only for the others."""

    by_all: list[str]
    by_mypy: list[str]
    by_others: list[str]

    def add(
        self,
        name: str,
        spelling: Spelling,
        signatures: Sequence[Signature],
        first: str = "",
        ignore: str = "",
    ) -> None:
        """Write a method or function; see `lines_of` for the arguments."""
        indent = "    " if first else ""
        finer = [overloads_of(spelling, signature) for signature in signatures]
        if not any(finer):
            written = signatures if first else [_of_dims(overload) for overload in signatures]
            self.by_all.extend(lines_of(name, written, first, indent, ignore))
            return
        inner = f"{indent}    "
        self.by_mypy.extend(lines_of(name, signatures, first, inner, ignore))
        every = [
            overload
            for few, signature in zip(finer, signatures, strict=True)
            for overload in few or [signature]
        ]
        if len(signatures) > 1:  # or they would be added to the overloads that mypy reads
            self.by_others.append(f"{inner}{name}: Any")
        self.by_others.extend(lines_of(name, every, first, inner))

    def lines(self, indent: str) -> list[str]:
        """All lines."""
        if not self.by_mypy:
            return self.by_all
        before = [] if indent else [""]
        mypy = [*before, f"{indent}if MYPY:", *self.by_mypy]
        return [*self.by_all, *mypy, f"{indent}else:", *self.by_others]


def home_of(path: str) -> str:
    """The module of a layer below `nn.modules`."""
    return LAYERS[path].paths[-1].split(".")[-2]


IMPORTS: Final = {
    "builtins": ("bool as _bool", "float as _float", "int as _int", "str as _str"),
    "collections.abc": ("Sequence",),
    "types": ("EllipsisType",),
    "typing": (
        "Any",
        "Final",
        "Generic",
        "Literal",
        "NamedTuple",
        "Self",
        "SupportsIndex",
        "TypeAlias",
        "TypeVar",
        "final",
        "overload",
    ),
    "numpy": (),
    "typing_extensions": ("TypeVarTuple", "Unpack"),
    "namecheck_runtime._surface": (
        *("MYPY", "Alike", "Dims", "Known", "Named", "Open", "Own", "Removed", "Rest"),
        *(line.partition(":")[0] for line in ALIASES.splitlines()),
        *sorted({class_of(op.fields) for op in OPS.values() if op.fields}),
    ),
    "namecheck_runtime.tensors.values.dtypes": (
        *("device as Device", "dtype as DType", "layout as Layout"),
        "memory_format as MemoryFormat",
    ),
    "namecheck_runtime.nn.modules": tuple(
        f"{family} as _{family}"
        for family in sorted({home_of(f"torch.nn.{name}") for name in surface.layer_names()})
    ),
    "namecheck_runtime.tensors.kernels.generators": ("Generator",),
    "namecheck_runtime.tensors.object": ("Size", "Tensor"),
}
"""The modules of the names that a stub may use, in the order of imports."""


def stub(module: str, title: str, body: str, exported: Sequence[tuple[str, str]] = ()) -> str:
    """The text of a stub: its title, its imports and exports (module, name), and its body."""
    used = set(re.findall(r"[A-Za-z_]\w*", body)) - {name for _, name in exported}
    homes: dict[str, list[str]] = {home: [] for home in IMPORTS}
    for home, names in IMPORTS.items():
        if home != module:
            homes[home] += [name for name in names if name.rpartition(" ")[2] in used]
    for home, name in exported:
        homes.setdefault(home, []).append(f"{name} as {name}")
    foreign = [home for home in IMPORTS if not home.startswith("namecheck_runtime")]
    lines: list[str] = []
    ours = sorted(homes.keys() - foreign)
    for home in [*foreign, *ours]:
        if home in ("numpy", ours[0]):
            lines.append("")  # a new section: other libraries, our own
        if home == "numpy" and "np" in used:
            lines.append("import numpy as np")
        lines += _imports(home, sorted(homes[home], key=_as_ruff_sorts))
    imports = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    comment = '# mypy: disable-error-code="overload-overlap"\n\n' if "@overload" in body else ""
    return f'''"""{title}

Written by `tests/data/write_surface.py` from the registry.
"""

{comment}{f"{imports}{chr(10)}{chr(10)}{body}".strip()}
'''


def _imports(home: str, names: Sequence[str]) -> Iterator[str]:
    """The lines that import names from a module."""
    plain = [name for name in names if " as " not in name]
    if plain:
        line = f"from {home} import {', '.join(plain)}"
        every = [f"from {home} import (", *(f"    {name}," for name in plain), ")"]
        yield from [line] if len(line) <= 100 else every
    for name in names:
        if " as " in name:
            line = f"from {home} import {name}"
            every = [f"from {home} import (", f"    {name},", ")"]
            yield from [line] if len(line) <= 100 else every


def _as_ruff_sorts(name: str) -> tuple[int, str, str]:
    first = name.partition(" ")[0]
    return (0 if first.isupper() else 1 if first[0].isupper() else 2, first.lower(), name)


# -- the methods -----------------------------------------------------------------------------------

METHODS_HEAD: Final = '''"""The names of the methods that tensors get from the registry.

Type checkers read the class of the methods in the stub beside this module.  Both are written by
`tests/data/write_surface.py`.
"""

from __future__ import annotations

from typing import Any, Final

Dims: Final = ()


class Methods:
    """The class that has the methods for type checkers; at run time an empty base."""

    def __class_getitem__(cls, dims: Any) -> type:
        return object


METHODS: Final = """
'''


def method_names() -> list[str]:
    """The names of the methods that the registry has."""
    names = (path.removeprefix("Tensor.") for path in REGISTRY if path.startswith("Tensor."))
    return sorted(name for name in names if name.isidentifier())


def names_text() -> str:
    """`_surface.py`."""
    listed = textwrap.fill(" ".join(method_names()), 98)
    return f'{METHODS_HEAD}{listed}\n""".split()  # noqa: SIM905\n'


def written_out() -> frozenset[str]:
    """The names that the class `Tensor` defines or declares itself."""
    module = ast.parse((PACKAGE / "tensors/object.py").read_text(encoding="utf-8"))
    (class_,) = (n for n in module.body if isinstance(n, ast.ClassDef) and n.name == "Tensor")
    names: set[str] = set()
    body = list(class_.body)
    for node in body:
        if isinstance(node, ast.If):  # what type checkers read
            body += node.body
        elif isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return frozenset(names)


COMPARED: Final = ("__eq__", "__ne__")
"""The operators that every object has."""


def operators() -> Iterator[tuple[str, Spelling, bool]]:
    """Python's operators by the names of their methods, and whether it is the right operand's."""
    for path, spelling in REGISTRY.items():
        first, _, name = path.partition(".")
        if first == "operator":
            plain = name.rstrip("_")
            yield f"__{plain}__", spelling, False
            if len(spelling.op.rules[0].parameters) > 1 and not spelling.inplace:
                yield f"__r{plain}__", spelling, True


def methods_text() -> str:
    """`_surface.pyi`."""
    Tensor = namecheck_runtime.Tensor
    defined = written_out()
    body = Checked([], [], [])
    for name, spelling, _ in operators():
        if name in defined or name not in Tensor.__dict__:
            continue
        count = len(spelling.op.rules[0].parameters)
        result = "Self" if spelling.inplace else result_of(spelling, "Shape")
        operand = "object" if name in COMPARED else union(TAKEN["Operand"])
        others = (Written("other", "positional", operand, ""),) if count > 1 else ()
        ignore = "  # type: ignore[override]" if name in COMPARED else ""
        body.add(name, spelling, [Signature(others, result)], "self", ignore)
    for name in method_names():
        spelling = REGISTRY[f"Tensor.{name}"]
        if name in defined or name.startswith("__"):
            continue
        if spelling.attribute:
            result = result_of(spelling, spelling.op.rules[0].returns)
            body.by_all.extend(("    @property", f"    def {name}(self) -> {result}: ..."))
        else:
            body.add(name, spelling, signatures_of(spelling), "self")
    text = f"""Dims = TypeVarTuple("Dims", default=Unpack[tuple[Any, ...]])

{ALIASES}
{DECLARED}
METHODS: Final[list[str]]

{chr(10).join(classes())}
class Methods(Generic[*Dims]):
{chr(10).join(body.lines("    "))}
"""
    title = "The methods of tensors, as type checkers read them."
    return stub("namecheck_runtime._surface", title, text)


# -- the modules of functions ----------------------------------------------------------------------


TYPED: Final = frozenset(
    (
        *("autograd", "optim", "utils", "random", "cuda", "amp", "jit", "compiler"),
        *("distributed", "backends", "fx"),
    )
)
"""Packages of our own, which are typed as they are."""


def modules() -> Mapping[str, list[str]]:
    """The modules of functions, by path below the package: the names of their functions."""
    names_by_module: dict[str, list[str]] = {"": []}
    for path, spelling in surface.spelled().items():
        *middle, name = path.split(".")
        if middle and middle[0] in TYPED:
            continue
        if spelling.attribute:
            continue
        if middle and middle[0] not in namecheck_runtime._NAMESPACES:
            continue
        for count in range(len(middle) + 1):
            names_by_module.setdefault(".".join(middle[:count]), [])
        names_by_module[".".join(middle)].append(name)
    return names_by_module


def module_text(module: str) -> str:
    """The stub of a module of functions."""
    every = modules()
    package = ".".join(filter(None, ("namecheck_runtime", module)))
    below = f"{module}." if module else ""
    exported = [
        (f"namecheck_runtime.{home}", path.removeprefix(below))
        for path, home in surface.HOMES.items()
        if path.startswith(below) and "." not in path.removeprefix(below)
    ]
    inside = (other.removeprefix(below) for other in every if other.startswith(below))
    exported += [(package, name) for name in inside if name and "." not in name]
    if not module:
        exported += [(package, name) for name in namecheck_runtime._NAMESPACES if name not in every]
    lines: list[str] = []
    if not module:
        lines += ["__version__: _str", "_NAMESPACES: tuple[_str, ...]"]
        for name, value in surface.CONSTANTS.items():
            lines.append(f"{name}: {'None' if value is None else '_float'}")
        lines += [f"{name}: DType" for name in OWN]
        lines.append("")
    body = Checked(lines, [], [])
    for name in sorted(every[module]):
        if below + name not in surface.HOMES:
            spelling = surface.spelled()[below + name]
            body.add(name, spelling, signatures_of(spelling))
    what = "functions"
    if module == "nn":
        what = "modules and functions"
        body.by_all.extend(layer_lines())
        exported += [(package, name) for name in surface.MODULES[module]]
    title = f"The {what} of `{package}`, as type checkers read them."
    return stub(package, title, "\n".join(body.lines("")), exported)


def layer_lines() -> Iterator[str]:
    """The classes of the layers, with their constructors."""
    for place, name in enumerate(surface.layer_names()):
        layer = LAYERS[f"torch.nn.{name}"]
        if place:
            yield ""
        yield f"class {name}(_{home_of(layer.name)}.{name}):"
        yield from lines_of("__init__", [_constructor(layer)], "self", "    ")


def _constructor(layer: Layer) -> Signature:
    """The signature of a layer's constructor."""
    written = []
    for parameter in layer.constructor.parameters:
        default = ""
        if parameter.default is not REQUIRED and parameter.kind in ("positional", "keyword"):
            text = isinstance(parameter.default, str)
            default = f'"{parameter.default}"' if text else repr(parameter.default)
        written.append(Written(parameter.name, parameter.kind, union(types_of(parameter)), default))
    return Signature(tuple(written), "None")


def _of_dims(signature: Signature) -> Signature:
    """A function whose result has the dims of its operand names the dims of the operand, too."""
    if signature.result != "Tensor[*Dims]":
        return signature
    first, *rest = signature.parameters
    kind = first.type.replace("Operand", "Tensor | Array | Number")
    first = first._replace(type=kind.replace("Tensor", "Tensor[*Dims]", 1))
    return signature._replace(parameters=(first, *rest))


def files() -> Mapping[Path, str]:
    """The text of each file, by path."""
    texts = {PACKAGE / "_surface.py": names_text(), PACKAGE / "_surface.pyi": methods_text()}
    every = modules()
    for module in every:
        folder = PACKAGE.joinpath(*module.split(".")) if module else PACKAGE
        holds = any(other.startswith(f"{module}.") for other in every) or not module
        path = folder / "__init__.pyi" if holds else folder.with_suffix(".pyi")
        texts[path] = module_text(module)
    return texts


if __name__ == "__main__":
    for path, text in files().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

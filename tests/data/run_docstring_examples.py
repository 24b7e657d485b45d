"""Runs the examples in the docstrings of one library, and records what each statement makes.

`write_docstring_examples.py` starts this as a process of its own; see README.md. Prints one JSON
object for each docstring: the statements that ran, the shapes of what they assign or show, and the
calls in them that take or give arrays.

    python run_docstring_examples.py LIBRARY FIRST
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import inspect
import io
import json
import os
import pkgutil
import re
import signal
import socket
import sys
import tempfile
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

SECONDS = 20
"""The most time that one statement may take."""

MODULES = {
    "numpy": ("numpy",),
    "torch": ("torch",),
    "jax.numpy": ("jax.numpy",),
    "jax.lax": ("jax.lax",),
    "einops": ("einops",),
    "scipy.linalg": ("scipy.linalg",),
    "scipy.signal": ("scipy.signal",),
    "scipy.ndimage": ("scipy.ndimage",),
}
"""The packages of each library whose public objects have the docstrings."""

PREAMBLES = {
    "numpy": "import numpy as np\n",
    "torch": "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n",
    "jax.numpy": "import jax\nimport jax.numpy as jnp\nimport numpy as np\nfrom jax import lax\n",
    "einops": "import numpy as np\n"
    "from einops import asnumpy, einsum, pack, parse_shape, rearrange, reduce, repeat, unpack\n",
    "scipy": "import numpy as np\n",
}

LEFT_OUT = ("torch.distributed", "torch.testing", "torch.utils.tensorboard", "numpy.f2py")
"""Packages whose import or whose examples start processes."""


def preamble(library: str) -> str:
    """What the documentation of a library takes as imported."""
    key = {"jax.lax": "jax.numpy"}.get(library, library)
    return PREAMBLES.get(key, PREAMBLES["scipy"])


# The docstrings


def modules(library: str) -> Iterator[Any]:
    """The public modules of a library."""
    for name in MODULES[library]:
        package = importlib.import_module(name)
        yield package
        for found in pkgutil.walk_packages(getattr(package, "__path__", ()), name + "."):
            parts = found.name.split(".")
            if any(part[0] == "_" or part in ("tests", "test", "conftest") for part in parts):
                continue
            if found.name.startswith(LEFT_OUT):
                continue
            with contextlib.suppress(BaseException):
                yield importlib.import_module(found.name)


def docstrings(library: str) -> list[tuple[str, str]]:
    """The public objects of a library whose docstring has examples, each docstring once."""
    found: dict[str, str] = {}

    def take(name: str, value: object) -> None:
        doc = getattr(value, "__doc__", None)
        if isinstance(doc, str) and ">>>" in doc:
            key = inspect.cleandoc(doc)
            if key not in found or len(name) < len(found[key]):
                found[key] = name

    for module in list(modules(library)):
        take(module.__name__, module)
        for name in sorted(vars(module)):
            value = getattr(module, name, None)
            home = str(getattr(value, "__module__", None) or module.__name__)
            if name[0] == "_" or inspect.ismodule(value):
                continue
            if home.split(".")[0] not in (library.split(".")[0], "builtins", "jaxlib"):
                continue
            take(f"{module.__name__}.{name}", value)
            if inspect.isclass(value):
                for member in sorted(vars(value)):
                    if member[0] != "_":
                        attribute = inspect.getattr_static(value, member, None)
                        take(f"{module.__name__}.{name}.{member}", attribute)
    return sorted((name, doc) for doc, name in found.items())


def statements(doc: str) -> Iterator[tuple[int, str]]:
    """The examples of a docstring by number; those that raise on purpose are left out."""
    lines = doc.splitlines()
    number = at = 0
    while at < len(lines):
        match = re.match(r"( *)>>> ?(.*)", lines[at])
        at += 1
        if match is None:
            continue
        indent, first = match.groups()
        source = [first]
        while at < len(lines) and re.match(rf"{indent}\.\.\.( |$)", lines[at]):
            source.append(lines[at][len(indent) + 4 :])
            at += 1
        want = []
        while at < len(lines) and lines[at].strip() and not lines[at].lstrip().startswith(">>>"):
            want.append(lines[at])
            at += 1
        number += 1
        if not any("Traceback" in line or re.match(r"\s*\w*Error\b", line) for line in want):
            yield number, "\n".join(source).rstrip() + "\n"


# Values as they are kept


class Unkept(Exception):
    """A value that rows do not express."""


def is_array(value: object) -> bool:
    return isinstance(value, np.ndarray | np.generic) or (
        hasattr(value, "dtype") and hasattr(value, "shape") and library_of(value) != ""
    )


def library_of(value: object) -> str:
    """The library of an array, or an empty text."""
    if isinstance(value, np.ndarray | np.generic):
        return "numpy"
    for cls in type(value).__mro__:
        root = cls.__module__.split(".")[0]
        if root == "torch" and cls.__name__ == "Tensor":
            return "torch"
        if root in ("jax", "jaxlib") and cls.__name__ in ("ArrayImpl", "Array", "PRNGKeyArray"):
            return "jax"
    return ""


def shape_of(value: object) -> list[int] | None:
    """The shape of an array, or None for anything else."""
    if not is_array(value):
        return None
    try:
        return [int(size) for size in value.shape]  # type: ignore[attr-defined]
    except Exception:
        return None


def kept(value: Any, elements: bool = False) -> Any:
    """An argument as a row has it; `elements` keeps those of small arrays of integers."""
    if value is None or isinstance(value, bool):
        return value
    if type(value) is int:
        return value
    if type(value) is float:
        return value if np.isfinite(value) else {"F": str(value)}
    if type(value) is complex:
        return {"C": [value.real, value.imag]}
    if type(value) is str:
        if len(value) > 120 or "\n" in value:
            raise Unkept("a text")
        return value
    if value is Ellipsis:
        return {"E": 1}
    if type(value) is slice:
        return {"S": [kept(part) for part in (value.start, value.stop, value.step)]}
    if is_array(value):
        return kept_array(value, elements)
    if type(value) is tuple or type(value).__name__ == "Size":
        return [kept(item, elements) for item in value]
    if type(value) is list:
        return kept_list(value, elements)
    if type(value) is range:
        return {"R": [value.start, value.stop, value.step]}
    return kept_other(value)


def kept_array(value: Any, elements: bool) -> Any:
    library = library_of(value)
    exact = (np.ndarray, np.generic) if library == "numpy" else (object,)
    is_own = isinstance(value, np.ndarray) and type(value) is not np.ndarray
    if is_own or not isinstance(value, exact):
        raise Unkept("a subclass")
    if library == "torch" and (str(value.layout) != "torch.strided" or value.is_quantized):
        raise Unkept("a sparse tensor")
    dtype = str(value.dtype).rpartition(".")[2]
    if dtype.startswith("key<"):
        return {"K": [int(size) for size in value.shape]}
    if not re.fullmatch(r"(bool|u?int\d+|b?float\d+|complex\d+)_?", dtype):
        raise Unkept("a dtype")
    row: dict[str, Any] = {"T": [int(size) for size in value.shape], "l": library}
    if dtype != {"numpy": "float64"}.get(library, "float32"):
        row["d"] = dtype.rstrip("_")
    if elements and re.match("bool|u?int", dtype) and np.prod(row["T"], dtype=int) <= 24:
        row["v"] = value.tolist()
    return row


def kept_list(value: list[Any], elements: bool) -> Any:
    """A list: of whole numbers as it is, of other numbers only how many there are."""
    if len(value) <= 8 and not any(type(item) in (list, float, complex) for item in value):
        return {"L": [kept(item, elements) for item in value]}
    if any(is_array(item) for item in value):
        return {"L": [kept(item, elements) for item in value]}
    try:
        shape = np.shape(value)
        kind = np.asarray(value).dtype.kind
    except ValueError:
        raise Unkept("a ragged list") from None
    if kind not in "biufc" or np.prod(shape) > 200 or not shape:
        raise Unkept("a list")
    if elements and kind in "biu":
        return {"L": [kept(item, elements) for item in value]}
    return {"N": [int(size) for size in shape], "k": {"u": "i"}.get(kind, kind)}


def kept_other(value: Any) -> Any:
    if value in (int, float, bool, complex):
        return {"B": value.__name__}
    if isinstance(value, type) and issubclass(value, np.generic):
        return {"D": np.dtype(value).name}
    if type(value).__name__ == "dtype" or isinstance(value, np.dtype):
        return {"D": str(value).rpartition(".")[2]}
    if type(value).__name__ == "_ScalarMeta":
        return {"D": value.dtype.name}
    if type(value).__name__ == "Generator" and type(value).__module__.startswith("numpy"):
        return {"G": 1}
    raise Unkept(f"a {type(value).__name__}")


def kept_result(value: Any) -> Any:
    """The shapes in a result, null for anything but an array."""
    if is_array(value):
        return shape_of(value)
    if isinstance(value, tuple | list) and type(value).__name__ != "Size":
        if value and len(value) <= 12 and any(is_array(item) for item in value):
            return {"seq": [shape_of(item) for item in value]}
    return None


# The recorder


class Recorder:
    """The calls of a statement, as rows, in the order in which they returned."""

    def __init__(self, public: dict[int, str]) -> None:
        self.public = public
        self.rows: list[dict[str, Any]] = []
        self.unkept: list[str] = []
        self.built: dict[int, tuple[object, dict[str, Any]]] = {}
        self.names: dict[str, Any] = {}

    def function(self, text: str, function: Any, /, *args: Any, **kw: Any) -> Any:
        """A call of anything but an attribute."""
        return self._call(self.public.get(id(function), ""), function, args, kw)

    def method(self, text: str, base: Any, attribute: str, /, *args: Any, **kw: Any) -> Any:
        """A call of an attribute."""
        function = getattr(base, attribute)
        root, _, rest = text.partition(".")
        if is_array(base):
            owner = {"torch": "Tensor"}.get(library_of(base), "ndarray")
            return self._call(f"{owner}.{attribute}", function, (base, *args), kw, bound=True)
        if type(base).__name__ == "Generator" and type(base).__module__.startswith("numpy"):
            op = f"numpy.random.Generator.{attribute}"
            return self._call(op, function, (base, *args), kw, bound=True)
        if inspect.ismodule(self.names.get(root)) and not inspect.ismodule(function):
            return self._call(f"{self.names[root].__name__}.{rest}", function, args, kw)
        return self._call(self.public.get(id(function), ""), function, args, kw)

    def item(self, base: Any, index: Any) -> Any:
        """A subscript."""
        if not is_array(base):
            return base[index]
        owner = {"torch": "Tensor"}.get(library_of(base), "ndarray")
        entries = index if isinstance(index, tuple) else (index,)
        op = f"{owner}.__getitem__"
        return self._call(op, lambda: base[index], (base, entries), {}, thunk=True)

    def _call(
        self,
        op: str,
        function: Any,
        args: tuple[Any, ...],
        kw: dict[str, Any],
        bound: bool = False,
        thunk: bool = False,
    ) -> Any:
        layer = self.built.get(id(function))
        row: dict[str, Any] | None = None
        try:
            row = encoded(layer[1] if layer else {"op": op}, args, kw)
        except Unkept as reason:
            why = str(reason)
        given = args[1:] if bound else args
        result = function() if thunk else function(*given, **kw)
        if is_layer(result) and row is not None:
            start = {"op": type(result).__module__ + "." + type(result).__qualname__}
            start["op"] = op or start["op"]
            start["init"] = row["plain"]["args"]
            start["init_kw"] = row["plain"]["kw"]
            self.built[id(result)] = (result, start)
            return result
        shapes = kept_result(result)
        if shapes is not None:
            if row is None or not row["plain"]["op"]:
                self.unkept.append(why if row is None else "a function of the example's")
            else:
                self.rows.append({**row, "r": shapes})
        return result


def encoded(start: dict[str, Any], args: tuple[Any, ...], kw: dict[str, Any]) -> dict[str, Any]:
    """A call without the elements of arrays, and with them where that is different."""
    forms: dict[str, Any] = {}
    for form, elements in (("plain", False), ("exact", True)):
        row = dict(start)
        row["args"] = [kept(value, elements) for value in args]
        row["kw"] = {name: kept(value, elements) for name, value in kw.items()}
        forms[form] = row
    if forms["plain"] == forms["exact"]:
        del forms["exact"]
    return forms


def is_layer(value: object) -> bool:
    return any(cls.__qualname__ == "Module" for cls in type(value).__mro__) and hasattr(
        value, "state_dict"
    )


class Hook(ast.NodeTransformer):
    """Sends the calls and subscripts of a statement through the recorder."""

    def visit_Call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Name) and node.func.id in UNTOUCHED:
            return node
        text = ast.unparse(node.func)
        self.generic_visit(node)
        dotted = ast.Constant(text if re.fullmatch(r"[\w.]+", text) else "")
        if isinstance(node.func, ast.Attribute):
            own = [dotted, node.func.value, ast.Constant(node.func.attr)]
            return ast.Call(recorder("method"), [*own, *node.args], node.keywords)
        return ast.Call(recorder("function"), [dotted, node.func, *node.args], node.keywords)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            return node
        return ast.Call(recorder("item"), [node.value, entry(node.slice)], [])

    def _leave(self, node: Any) -> Any:
        return node

    visit_Lambda = visit_FunctionDef = visit_ClassDef = visit_ListComp = visit_SetComp = _leave
    visit_GeneratorExp = visit_DictComp = visit_AsyncFunctionDef = _leave


UNTOUCHED = ("super", "locals", "globals", "exec", "eval", "vars", "dir", "print", "input")


def recorder(method: str) -> ast.expr:
    return ast.Attribute(ast.Name("__recorder__", ast.Load()), method, ast.Load())


def entry(node: ast.expr) -> ast.expr:
    """The index of a subscript as an expression of its own."""
    if isinstance(node, ast.Slice):
        parts = [part or ast.Constant(None) for part in (node.lower, node.upper, node.step)]
        return ast.Call(ast.Name("slice", ast.Load()), parts, [])
    if isinstance(node, ast.Tuple):
        return ast.Tuple([entry(element) for element in node.elts], ast.Load())
    return node


# A docstring


def run_docstring(library: str, name: str, doc: str, public: dict[int, str]) -> dict[str, Any]:
    """Run the statements of a docstring; those that raise are not part of the program."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(preamble(library), names)
    record = Recorder(public)
    record.names = names
    names["__recorder__"] = record
    done: list[dict[str, Any]] = []
    raised = 0
    for number, source in statements(doc):
        record.rows, record.unkept = [], []
        try:
            tree = ast.parse(source)
            made = run_statements(tree, names)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            raised += 1
            continue
        if made is None:
            continue
        done.append(
            {
                "at": number,
                "source": source,
                "made": made,
                "calls": record.rows,
                "unkept": record.unkept,
            }
        )
    return {"object": name, "statements": done, "raised": raised}


def run_statements(tree: ast.Module, names: dict[str, Any]) -> list[Any] | None:
    """Run the statements of one example; returns what each assigns or shows, with its line."""
    made: list[Any] = []
    for node in tree.body:
        line = node.lineno
        targets = assigned(node)
        shown = isinstance(node, ast.Expr)
        hooked = ast.fix_missing_locations(Hook().visit(node))
        signal.alarm(SECONDS)
        try:
            if shown:
                value = eval(compile(ast.Expression(hooked.value), "<example>", "eval"), names)
                made.append([line, None, kept_result(value)])
            else:
                exec(compile(ast.Module([hooked], []), "<example>", "exec"), names)
        finally:
            signal.alarm(0)
        made += [[line, target, shape_of(names.get(target))] for target in targets]
    return made


def assigned(node: ast.stmt) -> list[str]:
    """The variables that an assignment binds."""
    match node:
        case ast.Assign(targets):
            pass
        case ast.AugAssign(target) | ast.AnnAssign(target):
            targets = [target]
        case _:
            return []
    names: list[str] = []
    for target in targets:
        elements = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
        names += [element.id for element in elements if isinstance(element, ast.Name)]
    return names


def stop(*_: object) -> None:
    raise TimeoutError


def no_network(*_: object, **__: object) -> None:
    raise OSError("no network")


def reset(library: str) -> None:
    """What an example may have changed for the next."""
    np.set_printoptions()
    np.seterr(divide="warn", over="warn", under="ignore", invalid="warn")
    if library == "torch":
        import torch

        torch.set_default_dtype(torch.float32)
        torch.set_default_device(None)
        torch.set_grad_enabled(True)
        torch.use_deterministic_algorithms(False)


def replace_downloads() -> None:
    """The data sets of SciPy are downloads; these have the same shapes."""
    datasets = importlib.import_module("scipy.datasets")
    datasets.ascent = lambda: np.zeros((512, 512), np.uint8)
    datasets.face = lambda gray=False: np.zeros((768, 1024, 3)[: 2 if gray else 3], np.uint8)
    datasets.electrocardiogram = lambda: np.zeros(108000)


def public_names(library: str) -> dict[int, str]:
    """The path under which each function of the library is documented, by its identity."""
    names: dict[int, str] = {}
    known = {"torch": ("torch", "torch.nn", "torch.nn.functional"), "numpy": ("numpy",)}
    for module_name in known.get(library, MODULES[library]):
        module = importlib.import_module(module_name)
        for name, value in vars(module).items():
            if name[0] != "_" and callable(value):
                names.setdefault(id(value), f"{module_name}.{name}")
    return names


def main() -> None:
    library, first = sys.argv[1], int(sys.argv[2])
    warnings.simplefilter("ignore")
    output = os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    if library == "torch":
        import torch

        torch.set_num_threads(1)
    found = docstrings(library)
    public = public_names(library)
    output.write(json.dumps({"docstrings": len(found)}) + "\n")
    signal.signal(signal.SIGALRM, stop)
    if library.startswith("scipy"):
        replace_downloads()
    socket.socket.connect = no_network  # type: ignore[method-assign,assignment]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for index, (name, doc) in enumerate(found):
            if index < first:
                continue
            output.write(json.dumps({"begins": index, "object": name}) + "\n")
            output.flush()
            with contextlib.redirect_stdout(io.StringIO()):
                row = run_docstring(library, name, doc, public)
            output.write(json.dumps(row) + "\n")
            output.flush()
            reset(library)
    output.flush()
    os._exit(0)  # threads of an example may wait


if __name__ == "__main__":
    main()

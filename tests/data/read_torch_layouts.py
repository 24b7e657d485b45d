"""Measures the memory layout of the results of PyTorch's ops, and writes layouts_torch.jsonl.

    /path/to/python-with-torch read_torch_layouts.py

Runs the calls of shapes_torch.jsonl whose op declares in the rulebook where its result lies, each
with operands in several orders of dims. See README.md for the rows.
"""

from __future__ import annotations

import json
import math
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

torch: Any = import_module("torch")

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parents[1] / "runtime")]

import namecheck_runtime.rules  # noqa: E402, F401  (fills the registry)
from namecheck_runtime.declare import OPS, REGISTRY  # noqa: E402
from namecheck_runtime.layers import LAYERS  # noqa: E402

MOST = 3
"""The most measured calls of an op."""


X = {"T": [2, 3, 4]}
MORE: list[dict[str, Any]] = [
    {"op": "torch.bernoulli", "args": [{"T": [2, 3, 4], "hi": 2}]},
    {"op": "torch.expand_copy", "args": [{"T": [2, 1, 4]}, [2, 3, 4]]},
    {"op": "torch.narrow_copy", "args": [X, 1, 1, 2]},
    {"op": "torch.permute_copy", "args": [X, [2, 0, 1]]},
    {"op": "torch.t_copy", "args": [{"T": [2, 3]}]},
    {"op": "torch.unfold_copy", "args": [X, 1, 2, 1]},
    {"op": "torch.unsafe_split_with_sizes", "args": [X, [1, 2], 1]},
    {"op": "torch.view_copy", "args": [X, [6, 4]]},
]
"""Calls without measurements that cannot be guessed."""


def turned(x: Any, order: str) -> Any:
    """The same elements in another layout.

    `order` is `row` major, dims `reversed`, channels `last`, with `gaps`, or the first dim of one
    element repeated (`expanded`).
    """
    dims = list(range(x.dim()))
    match order:
        case "reversed":
            dims.reverse()
        case "last" if x.dim() > 2:
            dims.append(dims.pop(1))
        case "gaps":
            room = torch.zeros([size + 1 for size in x.shape], dtype=x.dtype)
            view = room[tuple(slice(size) for size in x.shape)]
            return view.copy_(x)
        case "expanded" if x.dim() > 0 and len(x):
            return x[:1].clone().expand(x.shape)
    back = [dims.index(k) for k in range(x.dim())]
    return x.permute(dims).contiguous().permute(back)


def decode(value: Any, order: str) -> Any:
    """An argument of a row, with its tensors in that order."""
    if isinstance(value, list):
        return [decode(entry, order) for entry in value]
    if not isinstance(value, dict):
        return value
    if "T" in value:
        dtype = getattr(torch, value.get("d", "float32"))
        if "v" in value:
            tensor = torch.tensor(value["v"], dtype=dtype).reshape(value["T"])
        else:
            count = math.prod(value["T"])
            tensor = (torch.arange(count) % value.get("hi", 3)).reshape(value["T"]).to(dtype)
        return turned(tensor, order)
    if "E" in value:
        return Ellipsis
    if "S" in value:
        return slice(*value["S"])
    if "L" in value:
        return [decode(entry, order) for entry in value["L"]]
    if "F" in value:
        return float(value["F"])
    if "D" in value:
        return getattr(torch, value["D"])
    raise LookupError(value)


def call(row: dict[str, Any], order: str) -> tuple[list[Any], Any]:
    """The arguments of a call, and its result."""
    arguments = [decode(argument, order) for argument in row["args"]]
    keywords = {name: decode(value, order) for name, value in row.get("kw", {}).items()}
    owner, _, name = row["op"].partition(".")
    if owner == "Tensor" and name == "__getitem__":
        key = tuple(arguments[1])
        return arguments, arguments[0][key[0] if len(key) == 1 else key]
    function: Any = torch
    if owner == "Tensor":
        function = getattr(arguments[0], name)
        if not callable(function):
            return arguments, function
        return arguments, function(*arguments[1:], **keywords)
    for part in name.split("."):
        function = getattr(function, part)
    if row["op"] in LAYERS:
        built = [decode(value, "row") for value in row.get("init", [])]
        options = {k: decode(value, "row") for k, value in row.get("init_kw", {}).items()}
        function = function(*built, **options).eval()
    return arguments, function(*arguments, **keywords)


def tensors(value: Any) -> list[Any]:
    """The tensors in a value, in order."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, list | tuple):
        return [tensor for entry in value for tensor in tensors(entry)]
    return []


def declared() -> Iterator[tuple[dict[str, Any], Any]]:
    """The calls of ops and layers that declare where their result lies."""
    counts: Counter[str] = Counter()
    seen: set[str] = set()
    for line in (HERE / "shapes_torch.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        op_or_layer: Any = LAYERS.get(row["op"]) or getattr(REGISTRY.get(row["op"]), "op", None)
        if op_or_layer is None or op_or_layer.memory is None or counts[row["op"]] >= MOST:
            continue
        if isinstance(row["r"], dict) and "err" in row["r"]:
            continue
        counts[row["op"]] += 1
        seen.add(op_or_layer.name)
        yield {k: row[k] for k in ("op", "init", "init_kw", "args", "kw") if k in row}, op_or_layer
    for row in MORE:
        op_or_layer = REGISTRY[row["op"]].op
        seen.add(op_or_layer.name)
        yield row, op_or_layer
    for op in OPS.values():
        if op.memory is None or op.name in seen:
            continue
        path = next((p for p in op.spellings if p.startswith(("torch.", "Tensor."))), None)
        call = None if path is None else invented(path)
        if call is not None:
            yield call, op


def invented(path: str) -> dict[str, Any] | None:
    """A call that runs, of an op without measured calls."""
    for dtype in ("float32", "int64", "bool", "complex64"):
        x = {"T": [2, 3, 4], "d": dtype}
        for arguments in (
            [x],
            [x, x],
            [x, 2],
            [2, x],
            [x, x, x],
            [x, 1, 2],
            [x, 0.5, True],
            [x, 0.5],
        ):
            row = {"op": path, "args": arguments}
            try:
                _, result = run(row, "row")
            except Exception:  # the op is not called like this, or this machine lacks the device
                continue
            if tensors(result):
                return row
    return None


def run(row: dict[str, Any], order: str) -> tuple[list[Any], Any]:
    with torch.no_grad():
        return call(row, order)


def measure() -> Iterator[dict[str, Any]]:
    """One row per call and order of dims, and one per op that writes in place."""
    for row, _ in declared():
        for order in ("row", "reversed", "last", "gaps", "expanded"):
            if row["op"].endswith("_") and not row["op"].endswith("__"):
                continue  # a tensor written in place keeps its layout
            try:
                arguments, result = run(row, order)
            except (LookupError, RuntimeError, NotImplementedError, TypeError):
                continue
            yield {
                **row,
                "in": [list(x.stride()) for x in tensors(arguments)],
                "out": [[list(x.shape), list(x.stride())] for x in tensors(result)],
            }
    for path, spelling in REGISTRY.items():
        if not spelling.inplace or not path.startswith("Tensor.") or spelling.op.memory is None:
            continue
        row = next((row for row in map(invented, (path,)) if row is not None), None)
        if row is None or spelling.op.reshapes:
            continue
        try:
            run(row, "expanded")
        except RuntimeError as error:
            if "more than one element" in str(error):
                yield {**row, "refused": True}
        except TypeError:
            continue
        else:
            yield {**row, "refused": False}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    rows = (json.dumps(row, separators=(",", ":")) + "\n" for row in measure())
    lines = list(dict.fromkeys(rows))  # a 0-d tensor has only one layout
    (HERE / "layouts_torch.jsonl").write_text("".join(lines), encoding="utf-8")
    print(f"{len(lines)} rows")

"""Measures the results of PyTorch's functions, and writes results_torch.jsonl, see README.md.

    /path/to/python-with-torch read_torch_results.py

Runs the calls of shapes_torch.jsonl and shapes_more.jsonl, and one invented call of every other
spelling of PyTorch's in the rulebook, unchanged and changed: other sizes, dtypes, layouts
in memory.  The results are written in the form of `outcome`.  The tests run the same calls on the
runtime, through `run`.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
FILES = ("shapes_torch.jsonl", "shapes_more.jsonl")
OUT = HERE / "results_torch.jsonl"

DTYPES = ("bool", "uint8", "int32", "int64", "float16", "float64", "complex64")
"""The replacements of float32."""
UNSET = re.compile(r"empty|resize|data_ptr")
"""Calls with uninitialised results."""
ORDERS = ("reversed", "gaps", "expanded")

# -- calls -----------------------------------------------------------------------------------------


def elements(value: dict[str, Any]) -> Any:
    """The array of an argument `{"T": sizes, ..}`.

    Its elements are those of `shapes_torch.jsonl`, or else numbers of both signs without a pattern.
    """
    sizes, dtype = value["T"], value.get("d", "float32")
    count = math.prod(sizes)
    if "v" in value:
        return np.array(value["v"], dtype).reshape(sizes)
    places = np.arange(count)
    fill = value.get("fill")
    kind = np.dtype(dtype).kind
    if fill == "distinct":
        array: Any = places
    elif fill == "prob":
        array = (places * 37 % 19 + 1) / 20
    elif "hi" in value:
        array = places * 37 % max(value["hi"], 1)
    elif kind == "b":
        array = places * 37 % 5 % 2
    elif kind in "iu":
        array = places * 37 % 3
    else:
        array = (places * 37 % 19 - 8) / 8
    array = array.astype(dtype).reshape(sizes)
    if fill == "spd":
        array = np.matmul(array, array.swapaxes(-1, -2)) + np.eye(sizes[-1], dtype=array.dtype)
    return array * np.array(1 + 0.5j, dtype) if kind == "c" else array


def turned(x: Any, order: str, module: Any) -> Any:
    """The same elements in another layout.

    `order` is dims `reversed`, with `gaps`, the first dim of one element repeated (`expanded`), or
    unchanged.
    """
    if order == "reversed":
        dims = tuple(reversed(range(x.dim())))
        return x.permute(dims).contiguous().permute(dims) if dims else x
    if order == "gaps":
        sizes = [size + 1 for size in x.shape]
        room = module.zeros(sizes, dtype=x.dtype, device=x.device)
        view = room[tuple(slice(size) for size in x.shape)]
        view.copy_(x)
        return view
    if order == "expanded" and x.dim() and len(x):
        return x[:1].clone().expand(x.shape)
    return x


def decode(value: Any, module: Any, order: str = "", device: str = "cpu") -> Any:
    """An argument of a row, with its tensors on a device of a module with PyTorch's surface."""
    if isinstance(value, list):
        return [decode(entry, module, order, device) for entry in value]
    if not isinstance(value, dict):
        return value
    if "T" in value:
        array = elements(value)
        tensor = module.from_numpy(array)
        tensor = tensor if device == "cpu" else tensor.to(device)
        if not array.size:  # NumPy has strides of its own for arrays without elements
            tensor = module.zeros(array.shape, dtype=tensor.dtype, device=device)
        return turned(tensor, order, module)
    if "E" in value:
        return Ellipsis
    if "S" in value:
        return slice(*value["S"])
    if "L" in value:
        return [decode(entry, module, order, device) for entry in value["L"]]
    if "F" in value:
        return float(value["F"])
    if "D" in value:
        return getattr(module, value["D"])
    raise LookupError(value)


def tensors(value: Any, module: Any) -> list[Any]:
    """The tensors in a value, in order."""
    if isinstance(value, module.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [tensor for entry in value for tensor in tensors(entry, module)]
    return []


def call(path: str, arguments: list[Any], keywords: dict[str, Any], module: Any) -> Any:
    """The result of a call by one of PyTorch's spellings."""
    owner, _, name = path.partition(".")
    if name == "__getitem__":
        return arguments[0][_key(arguments[1])]
    if name == "__setitem__":
        arguments[0][_key(arguments[1])] = arguments[2]
        return arguments[0]
    if owner == "Tensor":
        function = getattr(arguments[0], name)
        return function(*arguments[1:], **keywords) if callable(function) else function
    function = module
    for part in name.split("."):
        function = getattr(function, part)
    return function(*arguments, **keywords)


def _key(entries: list[Any]) -> Any:
    return entries[0] if len(entries) == 1 else tuple(entries)


def run(row: dict[str, Any], module: Any, path: str = "", device: str = "cpu") -> Any:
    """The result of a row on a module, in the form of `outcome`."""
    order = row.get("order", "")
    arguments = [decode(argument, module, order, device) for argument in row["args"]]
    keywords = {k: decode(v, module, order, device) for k, v in row.get("kw", {}).items()}
    if device != "cpu" and not tensors([arguments, keywords], module):
        keywords["device"] = device
    operands = tensors([arguments, keywords], module)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = call(path or row["op"], arguments, keywords, module)
    return outcome(result, operands, module)


# -- results ---------------------------------------------------------------------------------------


def outcome(result: Any, operands: list[Any], module: Any) -> Any:
    """A result as JSON.

    A tensor is `{"t": sizes, "d": dtype, "s": strides, "o": offset, "of": k}`: `d` unless it is
    float32, `s` unless they are those of row-major order, `o` unless it is 0; `of` if it lies in
    the memory of the tensor among the arguments with that number (`"is"`: if it is that tensor).
    Several are `{"seq": [..]}`, a Python value `{"v": value}`.
    """
    if isinstance(result, module.Tensor):
        return _tensor(result, operands)
    if isinstance(result, module.Size):
        return {"v": list(result)}
    if isinstance(result, tuple | list):
        return {"seq": [outcome(entry, operands, module) for entry in result]}
    if isinstance(result, float) and not math.isfinite(result):
        return {"v": str(result)}
    if isinstance(result, bool | int | float | str | None):
        return {"v": result}
    return {"v": type(result).__name__}


def _tensor(tensor: Any, operands: list[Any]) -> dict[str, Any]:
    record: dict[str, Any] = {"t": list(tensor.shape)}
    dtype = str(tensor.dtype).removeprefix("torch.")
    if dtype != "float32":
        record["d"] = dtype
    strides = list(tensor.stride())
    if strides != row_major(record["t"]):
        record["s"] = strides
    if tensor.storage_offset():
        record["o"] = tensor.storage_offset()
    for place, other in enumerate(operands):
        if tensor is other:
            record["is"] = place
            break
        if tensor.untyped_storage()._cdata == other.untyped_storage()._cdata:
            record["of"] = place
            break
    if tensor.device.type != "meta" and 0 not in record["t"]:
        record["e"] = digest(tensor)
    return record


def digest(tensor: Any) -> list[float]:
    """A digest of a tensor's elements.

    It has the number of those that are not finite, the mean of the absolute values of the finite
    ones, and the mean of the finite ones, weighted by place.
    """
    array = np.asarray(
        (tensor.resolve_conj().resolve_neg() if tensor.is_complex() else tensor).detach()
    )
    flat = array.reshape(-1)
    reals = np.concatenate([flat.real, flat.imag]) if flat.dtype.kind == "c" else flat
    reals = reals.astype(np.float64)
    finite = np.isfinite(reals)
    finite_reals = reals[finite]
    if not finite_reals.size:
        return [int(reals.size)]
    weights = np.cos(np.arange(reals.size))[finite]
    means = (np.abs(finite_reals).mean(), (finite_reals * weights).mean())
    return [
        int(reals.size - finite_reals.size),
        *(float(f"{number:.5g}") for number in means),
    ]


def row_major(sizes: list[int]) -> list[int]:
    """The strides of row-major order as PyTorch computes them, with a size of 0 counted as 1."""
    strides: list[int] = []
    step = 1
    for size in reversed(sizes):
        strides.append(step)
        step *= max(size, 1)
    return strides[::-1]


# -- changes ---------------------------------------------------------------------------------------


def changed(row: dict[str, Any], change: list[Any]) -> dict[str, Any]:
    """A row after a change.

    `["size", n, m]` replaces sizes n of tensors by m, and `["number", n, m]` also numbers n among
    the arguments; `["scalars"]` makes tensors without dims, `["dtype", d]` replaces float32, and
    `["order", o]` changes the layout of tensors. An empty change is the row itself.
    """
    if not change:
        return row
    kind, *how = change
    if kind == "order":
        return {**row, "order": how[0]}
    variant = {**row, "args": [_changed(argument, kind, how) for argument in row["args"]]}
    if "kw" in row:
        variant["kw"] = {
            name: _changed(argument, kind, how) for name, argument in row["kw"].items()
        }
    return variant


def _changed(value: Any, kind: str, how: list[Any]) -> Any:
    if isinstance(value, list):
        return [_changed(entry, kind, how) for entry in value]
    if isinstance(value, dict) and "T" in value:
        tensor = dict(value)
        if kind == "dtype":
            if "d" not in value:
                tensor["d"] = how[0]
            return tensor
        if kind == "scalars":
            tensor["T"] = []
        else:
            tensor["T"] = [how[1] if size == how[0] else size for size in value["T"]]
        if "v" in tensor and math.prod(tensor["T"]) != math.prod(value["T"]):
            tensor["v"] = (tensor["v"] * math.prod(tensor["T"]))[: math.prod(tensor["T"])]
        return tensor
    if kind == "number" and type(value) is int and value == how[0]:
        return how[1]
    return value


def sizes_in(value: Any) -> Iterator[int]:
    """The sizes of the tensors in a row's arguments."""
    if isinstance(value, dict):
        if "T" in value:
            yield from value["T"]
        value = list(value.values())
    if isinstance(value, list):
        for entry in value:
            if isinstance(entry, dict | list):
                yield from sizes_in(entry)


def changes(row: dict[str, Any], before: int) -> Iterator[list[Any]]:
    """The changes of a row, given the number of earlier rows of its spelling."""
    yield []
    if before > 1:
        return
    arguments = [row["args"], row.get("kw", {})]
    for size in dict.fromkeys(sizes_in(arguments)):
        for other in (0, 1) if not before else (0,):
            yield ["size", size, other]
            yield ["number", size, other]
    if before:
        return
    yield ["scalars"]
    for dtype in DTYPES:
        yield ["dtype", dtype]
    for order in ORDERS:
        yield ["order", order]


# -- measuring -------------------------------------------------------------------------------------


def read_rows(file: str) -> Iterator[dict[str, Any]]:
    """The rows of a file of measured calls of PyTorch's functions that ran."""
    for line in (HERE / file).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        ran = not (isinstance(row["r"], dict) and "err" in row["r"])
        if ran and row["op"].startswith(("torch.", "Tensor.")) and "init" not in row:
            yield {key: row[key] for key in ("op", "args", "kw", "id") if key in row}


def invented(path: str, torch: Any) -> dict[str, Any] | None:
    """A call that runs, of a spelling without measured calls."""
    for dtype in ("float32", "int64", "bool", "complex64"):
        x: dict[str, Any] = {"T": [2, 3, 4]}
        if dtype != "float32":
            x["d"] = dtype
        square: dict[str, Any] = {**x, "T": [3, 3]}
        pairs: dict[str, Any] = {**x, "T": [3, 2]}
        candidates = (
            *([x], [square], [pairs], [x, x], [x, 2], [2, x], [x, x, x], [x, 1, 2], [x, 0.5, True]),
            *([x, 0.5], [x, {"D": "float64"}], [x, [2, 3, 4]], [x, 1, 0, 2], [x, [2, 0, 1]]),
            *([[2, 3]], [x, [2, 3], [3, 1]], [[2, 3], [0, 1]], [x, 1, {"T": [2], "v": [0, 1]}]),
            *([square, {"T": [2, 2]}, [2, 2], [2, 1]], [[x, x]], [x, 0.5, False], [3]),
            *([{**x, "T": [1]}], [x, None, None, None, None, True, 0.1, 1e-5, False]),
        )
        for arguments in candidates:
            row = {"op": path, "args": arguments}
            try:
                answer = run(row, torch)
            except Exception:  # this is not how it is called, or this machine has no such device
                continue
            if answer != {"v": "NotImplementedType"}:
                return row
    return None


def rows(torch: Any) -> Iterator[tuple[dict[str, Any], int]]:
    """Every row, with the number of earlier rows of its spelling."""
    sys.path[:0] = [str(HERE.parents[1] / "runtime")]
    declare = import_module("namecheck_runtime.declare")
    import_module("namecheck_runtime.rules")
    counts: Counter[str] = Counter()
    for file in FILES:
        for row in read_rows(file):
            if row["op"] in declare.REGISTRY:
                yield row, counts[row["op"]]
                counts[row["op"]] += 1
    for path, spelling in declare.REGISTRY.items():
        if path.startswith(("torch.", "Tensor.")) and not counts[path]:
            # A method of a measured function counts as the function.
            twin = path.replace("Tensor.", "torch.")
            measured = counts[twin] and declare.REGISTRY[twin].op is spelling.op
            if measured or (spelling.inplace and path.startswith("torch.")):
                continue
            row = invented(path, torch)
            if row is not None:
                yield row, 1 if spelling.inplace else 0


def measure(torch: Any) -> Iterator[dict[str, Any]]:
    """One line per row: the changes with which it ran, and their results."""
    for row, before in rows(torch):
        calls: list[tuple[list[Any], dict[str, Any]]] = []
        for change in changes(row, before):
            variant = changed(row, change)
            if all(variant != other for _, other in calls):
                calls.append((change, variant))
        name = {"id": row["id"]} if "id" in row else row
        results = survived(calls, torch)
        if results:
            yield {**name, "found": results}


def survived(calls: list[tuple[list[Any], dict[str, Any]]], torch: Any) -> list[list[Any]]:
    """The changes of calls that ran, and their results.

    A separate process runs them, since some calls without elements crash it.
    """
    survivors: list[list[Any]] = []
    while calls:
        ours, theirs = os.pipe()
        child = os.fork()
        if not child:
            for change, variant in calls:
                line: Any = None
                with contextlib.suppress(Exception), torch.no_grad():
                    answers = [run_seeded(variant, seed, torch) for seed in range(4)]
                    same = all(answer == answers[0] for answer in answers) and not UNSET.search(
                        variant["op"]
                    )
                    line = [change, answers[0] if same else without_elements(answers[0])]
                os.write(theirs, (json.dumps(line) + "\n").encode())
            os._exit(0)
        os.close(theirs)
        with os.fdopen(ours) as pipe:
            lines = [json.loads(line) for line in pipe]
        os.waitpid(child, 0)
        survivors += [line for line in lines if line is not None]
        calls = calls[len(lines) + 1 :]
    return survivors


def run_seeded(row: dict[str, Any], seed: int, torch: Any) -> Any:
    torch.manual_seed(seed)
    return run(row, torch)


def without_elements(result: Any) -> Any:
    """A result without its elements, which were random."""
    if "seq" in result:
        return {"seq": list(map(without_elements, result["seq"]))}
    return {key: value for key, value in result.items() if key not in ("e", "v")}


def main() -> None:
    """Measure on the installed torch."""
    torch = import_module("torch")
    torch.set_num_threads(1)
    lines = [json.dumps(row, separators=(",", ":")) + "\n" for row in measure(torch)]
    OUT.write_text("".join(lines), encoding="utf-8")
    print(f"{len(lines)} rows")


if __name__ == "__main__":
    main()

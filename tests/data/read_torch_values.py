"""Runs calls on PyTorch and writes the elements of their results to values_torch.jsonl.

    /path/to/python-with-torch read_torch_values.py

The calls are those of shapes_torch.jsonl of ops that have a kernel, and those of
values_calls.jsonl; each op's first calls also run in other dtypes, without elements, with operands
without dims, and at the edges of its function.  See README.md for the rows.
"""

from __future__ import annotations

import json
import math
import sys
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

torch: Any = import_module("torch")

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parents[1] / "runtime"), str(HERE.parent)]

import namecheck_runtime.rules  # noqa: E402, F401  (fills the registry)
from listed import read_listed  # noqa: E402
from namecheck_runtime.declare import OPS, REGISTRY, Memory, Op  # noqa: E402
from namecheck_runtime.tensors.computing.composed import COMPOSED  # noqa: E402
from namecheck_runtime.tensors.kernels import kernel_of  # noqa: E402
from value_calls import EDGES, Decoder, identity, written  # noqa: E402

MOST = 6
"""The number of calls of an op that are taken from the measured ones."""

LARGEST = 3500
"""The most elements of a measured call, if the op has other calls."""

SMALL = 400
"""The most elements of an op's first call, which is used for its variants."""

DTYPES = ("float64", "float16", "int64", "uint8", "bool", "complex64")
"""Other dtypes with which an op is called."""

DECODER = Decoder(lambda array: torch.from_numpy(array.copy()), lambda name: getattr(torch, name))

OTHERWISE = read_listed(HERE / "values_otherwise.txt")

Row = dict[str, Any]


def is_computed(op: Op) -> bool:
    """Whether the runtime computes an op, directly or through other ops."""
    return kernel_of(op) is not None or op.name in COMPOSED


def calls() -> dict[str, list[Row]]:
    """The calls of each op: some with measured shapes, then all those written for values."""
    measured: dict[str, list[Row]] = {}
    for_values: dict[str, list[Row]] = {}
    for file in ("values_calls.jsonl", "shapes_torch.jsonl", "shapes_more.jsonl"):
        for line in (HERE / file).read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            path = row["op"]
            if path not in REGISTRY or not path.startswith(("torch.", "Tensor.")):
                continue
            refused = isinstance(row.get("r"), dict) and "err" in row["r"]
            if refused or not is_computed(REGISTRY[path].op):
                continue
            call = {key: row[key] for key in ("op", "args", "kw") if key in row}
            rows = for_values if file.startswith("values") else measured
            rows.setdefault(REGISTRY[path].op.name, []).append(call)
    return {
        op: chosen(measured.get(op, [])) + for_values.get(op, [])
        for op in {**measured, **for_values}
    } | {op.name: invented(op) for op in OPS.values() if op.name not in {**measured, **for_values}}


def invented(op: Op) -> list[Row]:
    """Calls of an op without measured calls, with one tensor or two."""
    x: Row = {"T": [2, 3, 4]}
    path = next((p for p in op.spellings if p.startswith(("torch.", "Tensor."))), None)
    if path is None or kernel_of(op) is None:
        return []
    tries = ({"op": path, "args": [x] * count} for count in (1, 2))
    return [row for row in tries if run(row) is not None]


def chosen(rows: list[Row]) -> list[Row]:
    """A few of the calls: one of each kind, then some of the rest, evenly; none that takes long."""
    rows = [row for row in rows if elements_of(row) <= LARGEST] or rows[:1]
    kinds: dict[str, Row] = {}
    for row in rows:
        kinds.setdefault(kind_of(row), row)
    first = list(kinds.values())
    if len(first) > MOST:
        return first[: MOST // 2] + first[MOST // 2 :: -(-(len(first) - MOST // 2) // (MOST // 2))]
    rest = [row for row in rows if row not in first]
    room = MOST - len(first)
    return first + (rest[:: -(-len(rest) // room)] if room and rest else [])


def kind_of(row: Row) -> str:
    """A call without its sizes: the op, the options, and which dims are 1 or 0."""

    def sizeless(value: Any) -> Any:
        if isinstance(value, dict) and "T" in value:
            return {**value, "T": [min(size, 2) for size in value["T"]]}
        if isinstance(value, list):
            return [sizeless(entry) for entry in value]
        return value

    return json.dumps([row["op"], sizeless(row["args"]), sizeless(row.get("kw"))])


def changed(value: Any, change: Any) -> Any:
    """A call, or a part of one, with every tensor changed."""
    if isinstance(value, dict):
        if "T" in value:
            return change(value)
        return {key: changed(entry, change) for key, entry in value.items()}
    return [changed(entry, change) for entry in value] if isinstance(value, list) else value


def tensors(row: Any) -> Iterator[Row]:
    """The tensors of a call."""
    if isinstance(row, dict):
        if "T" in row:
            yield row
        else:
            for value in row.values():
                yield from tensors(value)
    elif isinstance(row, list):
        for value in row:
            yield from tensors(value)


def elements_of(row: Row) -> int:
    """The number of elements of the tensors of a call."""
    return sum(math.prod(tensor["T"]) for tensor in tensors(row))


def variants(op: Op, row: Row) -> Iterator[Row]:
    """The same call in other dtypes, without elements, without dims, and at its edges."""

    def in_dtype(dtype: str) -> Any:
        return lambda tensor: tensor if "d" in tensor else {**tensor, "d": dtype}

    exact = ("float", "complex")
    for dtype in DTYPES:
        if not any(tensor.get("d", "int").startswith(exact) for tensor in tensors(row)):
            yield changed(row, in_dtype(dtype))
    sizes = [tensor["T"] for tensor in tensors(row)]
    if not sizes:
        return
    square = any(tensor.get("fill") == "spd" for tensor in tensors(row))
    yield changed(row, lambda tensor: {**tensor, "T": []})
    if sizes[0] and not square:
        for place in {0, len(sizes[0]) - 1}:
            gone = sizes[0][place]
            yield changed(
                row,
                lambda t, gone=gone, place=place: {
                    **t,
                    "T": [
                        0 if k == place and size == gone else size for k, size in enumerate(t["T"])
                    ],
                },
            )
    if op.memory in (Memory.POINTWISE, Memory.SAME) and not any("d" in t for t in tensors(row)):
        count = 0

        def crossed(tensor: Row) -> Row:
            nonlocal count
            count += 1
            size = [len(EDGES), *[1] * (count - 1)] if count < 3 else []
            return {"T": size, "fill": "edges"}

        yield changed(row, crossed)


def encoded(result: Any) -> Any:
    """A result as written in the file."""
    if isinstance(result, torch.Tensor):
        if result.dtype == torch.bfloat16 or result.layout != torch.strided:
            raise LookupError("NumPy has no such tensor")
        return written(result.detach().resolve_conj().resolve_neg().contiguous().numpy())
    if isinstance(result, list | tuple) and not isinstance(result, torch.Size):
        return {"seq": [encoded(entry) for entry in result]}
    if isinstance(result, torch.dtype | torch.device | torch.layout):
        raise LookupError("not a value")
    return {"p": list(result) if isinstance(result, torch.Size) else result}


def leave_behind(value: float) -> None:
    """Fill memory and free it, so that uninitialised results are noticed."""
    for size in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128):
        [torch.full((size,), value) for _ in range(8)]


def run(row: Row) -> Row | None:
    """A call with its result; None if torch refuses it, or if a second run gives another result."""
    signs_are_free = f"|{REGISTRY[row['op']].op.name}|" in OTHERWISE
    texts: set[str] = set()
    for seed in range(1 if signs_are_free else 3):
        torch.manual_seed(seed)
        leave_behind((1e30, -7.0, 0.5)[seed])
        try:
            with torch.no_grad():
                result = encoded(DECODER.call(row, torch))
        except (
            *(RuntimeError, LookupError, NotImplementedError, TypeError, ValueError),
            AssertionError,
        ):
            return None
        texts.add(json.dumps(result))
    if len(texts) > 1:
        return None
    after = [encoded(tensor) for tensor in DECODER.made]
    answer = {"id": identity(row), **row, "r": result}
    fresh = Decoder(DECODER.tensor, DECODER.dtype)
    fresh.decode([row["args"], list(row.get("kw", {}).values())])
    now = {
        str(place): operand
        for place, (operand, tensor) in enumerate(zip(after, fresh.made, strict=True))
        if json.dumps(operand) != json.dumps(encoded(tensor))
    }
    if now:
        answer["after"] = now
    return answer


def measure() -> Iterator[Row]:
    left_out = {entry for entry in OTHERWISE if entry in OPS}
    unset = {entry for entry, reason in OTHERWISE.items() if reason.startswith("uninitialised")}
    for name, rows in calls().items():
        if name in left_out:
            continue
        seen: set[str] = set()
        for place, row in enumerate(rows):
            tries = [row]
            small = elements_of(row) <= SMALL
            if place == 0 or (place == 1 and not small):
                tries += variants(OPS[name], row)
            for call in tries:
                key = json.dumps(call)
                is_skipped = key in seen or identity(call) in unset
                seen.add(key)
                answer = None if is_skipped else run(call)
                if answer is not None:
                    yield answer


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    lines = [json.dumps(row, separators=(",", ":")) + "\n" for row in measure()]
    (HERE / "values_torch.jsonl").write_text("".join(lines), encoding="utf-8")
    print(f"{len(lines)} rows, {sum(map(len, lines))} bytes")

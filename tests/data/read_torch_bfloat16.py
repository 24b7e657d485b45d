"""Runs calls on PyTorch in bfloat16 and writes their results to bfloat16_torch.jsonl.

    /path/to/python-with-torch-and-ml_dtypes read_torch_bfloat16.py

The calls are those of bfloat16_calls.jsonl, which is written by hand, and those of
values_torch.jsonl on tensors of float32 alone, at most `MOST` of each op, with tensors of bfloat16
in their place.  A row has the result and, of an op that has derivatives,
the gradients of its operands for a gradient of ones.  See README.md for the rows.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

torch: Any = import_module("torch")
import_module("ml_dtypes")  # which lets NumPy know bfloat16
np: Any = import_module("numpy")

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parents[1] / "runtime"), str(HERE.parent)]

from value_calls import Decoder, identity, in_bfloat16, sampled  # noqa: E402

MOST = 2
"""The calls of an op."""

LARGEST = 60
"""The most elements of a gradient that is written down."""


def tensor_of(array: Any) -> Any:
    """A tensor of an array, which may be one of bfloat16."""
    if array.dtype.name == "bfloat16":
        return torch.from_numpy(array.view(np.int16).copy()).view(torch.bfloat16)
    return torch.from_numpy(array.copy())


DECODER = Decoder(tensor_of, lambda name: getattr(torch, name))


def encoded(result: Any) -> Any:
    """A result as written in the file: every element that is written, exactly."""
    if isinstance(result, torch.Tensor):
        if result.layout != torch.strided or result.is_quantized:
            raise LookupError("not a strided tensor")
        dtype = str(result.dtype).removeprefix("torch.")
        result = result.detach()
        exact = result.float() if result.dtype == torch.bfloat16 else result
        row: dict[str, Any] = {"s": list(result.shape), "d": dtype}
        array = exact.resolve_conj().resolve_neg().contiguous().numpy()
        if array.dtype.kind == "c":
            array = np.stack([array.real, array.imag], -1)
        row["v"] = [*map(value_of, sampled(array).tolist())]
        return row
    if isinstance(result, list | tuple) and not isinstance(result, torch.Size):
        return {"seq": [encoded(entry) for entry in result]}
    if isinstance(result, torch.dtype | torch.device | torch.layout):
        raise LookupError("not a value")
    return {"p": list(result) if isinstance(result, torch.Size) else result}


def value_of(value: Any) -> Any:
    """A number as written in the file."""
    if isinstance(value, float) and value - value != 0:
        return str(value)
    return value


def run(row: dict[str, Any]) -> dict[str, Any] | None:
    """A call with its result; None if torch refuses it, or if a second run has another."""
    texts: set[str] = set()
    result: Any = None
    for seed in range(2):
        torch.manual_seed(seed)
        torch.full((64,), (1e30, -7.0)[seed])
        try:
            with torch.no_grad():
                result = encoded(DECODER.call(row, torch))
        except (RuntimeError, LookupError, TypeError, ValueError, AssertionError):
            return None
        texts.add(json.dumps(result))
    if len(texts) > 1:
        return None
    answer = {"id": identity(row), **row, "r": result}
    gradients = gradients_of(row)
    if gradients:
        answer["g"] = gradients
    return answer


def gradients_of(row: dict[str, Any]) -> list[Any] | None:
    """The gradients of the operands of a call for a gradient of ones; None if there are none."""
    leaves: list[Any] = []

    def leaf(array: Any) -> Any:
        tensor = tensor_of(array)
        if tensor.is_floating_point():
            leaves.append(tensor.requires_grad_(True))
        return tensor

    if row["op"].endswith("_") or "out" in row.get("kw", {}):
        return None
    try:
        result = Decoder(leaf, DECODER.dtype).call(row, torch)
        first = result[0] if isinstance(result, tuple | list) else result
        if not isinstance(first, torch.Tensor) or first.dtype != torch.bfloat16:
            return None
        if not first.requires_grad or any(t.numel() > LARGEST for t in leaves):
            return None
        first.backward(torch.ones_like(first))
        return [None if t.grad is None else encoded(t.grad) for t in leaves]
    except (RuntimeError, LookupError, TypeError, ValueError, IndexError, AssertionError):
        return None


def measure() -> Iterator[dict[str, Any]]:
    """The rows."""
    for line in (HERE / "bfloat16_calls.jsonl").read_text(encoding="utf-8").splitlines():
        answer = run(json.loads(line))
        assert answer is not None, line
        yield answer
    taken: Counter[str] = Counter()
    for line in (HERE / "values_torch.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        call = in_bfloat16({key: row[key] for key in ("op", "args", "kw") if key in row})
        if call is None or taken[row["op"]] >= MOST:
            continue
        answer = run(call)
        if answer is not None:
            taken[row["op"]] += 1
            yield answer


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    lines = [json.dumps(row, separators=(",", ":")) + "\n" for row in measure()]
    (HERE / "bfloat16_torch.jsonl").write_text("".join(lines), encoding="utf-8")
    print(f"{len(lines)} rows, {sum(map(len, lines))} bytes")

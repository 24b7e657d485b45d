"""Measured calls as a program for type checkers: calls that ran on the real library must pass.

Each call of data/shapes_*.jsonl and of golden/name_inference_visible.jsonl that PyTorch accepted,
and that the runtime has, becomes a statement that declares its result: a tensor, or a tuple of
tensors.
`python tests/typed_calls.py` prints it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import namecheck_runtime.rules
from namecheck_runtime.declare import REGISTRY
from namecheck_runtime.tensors.values.dtypes import DTYPES

TESTS = Path(__file__).parent

HEAD = """\
from __future__ import annotations

import math
from typing import Any

import namecheck_runtime as nt
from namecheck_runtime import Tensor


def calls(t: Tensor) -> None:
"""


def statements() -> Iterator[str]:
    """The calls, each once, in the order of the files."""
    seen: set[str] = set()
    for name, read in FILES.items():
        with (TESTS / name).open(encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                try:
                    text = None if "err" in row["r"] else read(row)
                except KeyError:
                    continue
                if text is None or "'*'" in text:
                    continue  # not a name here, but torch accepted it as one
                if text not in seen:
                    seen.add(text)
                    yield text


def measured(row: dict[str, Any]) -> str | None:
    """A row of data/shapes_*.jsonl as a statement."""
    owner, _, name = row["op"].rpartition(".")
    spelling = REGISTRY[row["op"]]
    if name in ("__getitem__", "__setitem__"):
        _, entries, *values = row["args"]
        key = ", ".join(subscript(entry) for entry in entries) or "()"
        return f"t[{key}] = {written(values[0])}" if values else f"_one: Tensor = t[{key}]"
    form = "F" if owner == "torch.nn.functional" else "m" if owner == "Tensor" else "fn"
    path = row["op"].removeprefix("torch.").removeprefix("Tensor.")
    if not row["op"].startswith(("torch.", "Tensor.")):
        return None
    if "." in path and path.partition(".")[0] not in namecheck_runtime._NAMESPACES:
        return None
    call = called("get" if spelling.attribute else form, path, row["args"], row.get("kw", {}))
    return f"_{kind_of(row['r'])} = {call}"


def golden(row: dict[str, Any]) -> str | None:
    """A row of golden/name_inference_visible.jsonl as a statement."""
    form, name, operands, result = row["f"], row["op"], row["a"], row["r"]
    owner = {"fn": "torch.", "F": "torch.nn.functional.", "m": "Tensor."}.get(form, "")
    if owner and owner + name not in REGISTRY:
        return None
    if form == "set":
        return f"t.{name} = {written(operands[1])}"
    if form in ("idx", "setidx"):
        entries = (
            operands[1]["U"]
            if isinstance(operands[1], dict) and "U" in operands[1]
            else [operands[1]]
        )
        key = ", ".join(subscript(argument) for argument in entries) or "()"
        return f"t[{key}]" if form == "idx" else f"t[{key}] = {written(operands[2])}"
    if form == "py":
        symbol = SYMBOLS.get(name)
        texts = [written(argument) for argument in operands]
        if texts[0] != "t" and symbol in ("==", "!="):
            return None  # to a checker this is the number's method, which returns a bool
        return f"_one: Tensor = {f' {symbol} '.join(texts)}" if symbol else None
    if form not in ("fn", "F", "m", "get"):
        return None
    path = f"nn.functional.{name}" if form == "F" else name
    kind = "one: Tensor" if "t" in result else "any: Any" if form == "get" else kind_of(result)
    return f"_{kind} = {called(form, path, operands, row.get('k', {}))}"


def called(form: str, path: str, operands: Sequence[Any], keywords: Mapping[str, Any]) -> str:
    """The call of a method or function, or the attribute, as Python."""
    arguments = [written(argument) for argument in operands]
    words = [f"{word}={written(value)}" for word, value in keywords.items()]
    if form == "get":
        return f"t.{path}"
    if form == "m":
        return f"t.{path}({', '.join([*arguments[1:], *words])})"
    return f"nt.{path}({', '.join([*arguments, *words])})"


def kind_of(result: Any) -> str:
    """The variable for the result, with its type."""
    if isinstance(result, list):
        return "one: Tensor"
    if "seq" in result and None not in result["seq"]:
        if all(isinstance(part, list) or "t" in part for part in result["seq"]):
            return "several: tuple[Tensor, ...]"
    if "v" in result and isinstance(result["v"], bool | int):
        return f"{type(result['v']).__name__}: {type(result['v']).__name__}"
    return "any: Any"


def written(value: Any) -> str:
    """An argument as Python.  Raises KeyError for one that the runtime lacks."""
    if isinstance(value, list):
        return f"({', '.join(map(written, value))}{',' * (len(value) == 1)})"
    if not isinstance(value, dict):
        return repr(value)
    if "T" in value:
        return "t"
    if "D" in value:
        name = value["D"].rpartition(".")[2]
        return f"nt.{[name][name not in DTYPES]}"
    if "M" in value:
        return f"nt.{value['M']}"
    if "E" in value:
        return "..."
    if "U" in value:
        return written(value["U"])
    if "F" in value:
        return f"math.{value['F'].lstrip('-')}"
    raise KeyError(str(value))


def subscript(value: Any) -> str:
    """An entry of a subscript as Python."""
    if isinstance(value, dict):
        if "S" in value:
            start, stop, step = ("" if bound is None else str(bound) for bound in value["S"])
            return f"{start}:{stop}" + (f":{step}" if step else "")
        if "E" in value:
            return "..."
        if "L" in value:
            return repr(value["L"])
    return written(value)


FILES = {
    "data/shapes_torch.jsonl": measured,
    "data/shapes_more.jsonl": measured,
    "golden/name_inference_visible.jsonl": golden,
}
SYMBOLS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "matmul": "@",
    "and_": "&",
    "or_": "|",
    "xor": "^",
    "lshift": "<<",
    "rshift": ">>",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
}


def program() -> str:
    """The whole program."""
    lines = [HEAD]
    for number, text in enumerate(statements()):
        name, colon, rest = text.partition(":") if text.startswith("_") else ("", "", text)
        lines.append(f"    {name}{number}{colon}{rest}\n" if name else f"    {rest}\n")
    return "".join(lines)


if __name__ == "__main__":
    print(program(), end="")

"""Writes behaviour_torch.jsonl: the results of small programs on torch, see README.md.

Run it where torch is: `python read_torch_behaviour.py < programs.txt > behaviour_torch.jsonl`.
A program is a line of statements. The script writes the value of `r` and the version counters of x,
y and z, or the exception.  Lines that begin with `#` start a group.
"""

from __future__ import annotations

import json
import sys
import warnings
from typing import Any


def encoded(value: Any, module: Any) -> Any:
    """A value as JSON, a tensor by its sizes, dtype, strides and elements."""
    if isinstance(value, module.Tensor):
        elements = value.detach().reshape(-1).tolist()
        dtype = str(value.dtype).removeprefix("torch.")
        return {
            "sizes": list(value.shape),
            "dtype": dtype,
            "strides": list(value.stride()),
            "offset": value.storage_offset(),
            "elements": [_number(entry) for entry in elements],
        }
    if isinstance(value, tuple | list):
        return [encoded(entry, module) for entry in value]
    return _number(value)


def _number(value: Any) -> Any:
    if isinstance(value, complex):
        return [_number(value.real), _number(value.imag)]
    if isinstance(value, float):
        return float(f"{value:.6g}") if abs(value) < float("inf") else str(value)
    return value if isinstance(value, str | int | None) else str(value)


def run(program: str, module: Any) -> dict[str, Any]:
    """The result of a program on a module with torch's surface."""
    names: dict[str, Any] = {"torch": module}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(program, names)
    except Exception as error:
        kind = next(c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins")
        outcome: dict[str, Any] = {"error": kind, "text": str(error).split("\n")[0]}
    else:
        outcome = {"r": encoded(names.get("r"), module)}
    versions = {n: names[n]._version for n in "xyz" if isinstance(names.get(n), module.Tensor)}
    if versions:
        outcome["versions"] = versions
    if "error" in outcome and isinstance(names.get("x"), module.Tensor):
        outcome["x"] = encoded(names["x"], module)
    return outcome


def main() -> None:
    """Run the programs of standard input."""
    import torch

    group = ""
    for line in sys.stdin:
        program = line.strip()
        if program.startswith("#"):
            group = program.removeprefix("#").strip()
        elif program:
            row = {"group": group, "program": program, **run(program, torch)}
            print(json.dumps(row))


if __name__ == "__main__":
    main()

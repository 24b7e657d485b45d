"""Every program that was measured on PyTorch, as the checker reads it (NC503, NC504, NC505).

A program that PyTorch refuses for one of these three is reported at the line that raises; in all
others nothing is reported of gradients.  The notation is that of `autograd_runner.py`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from namecheck.analysis import analyze
from namecheck_runtime import rules as rules
from namecheck_runtime.declare import REGISTRY

FILE = Path(__file__).parents[1] / "golden/autograd_visible.jsonl"
ROWS = {row["id"]: row for row in map(json.loads, FILE.read_text(encoding="utf-8").splitlines())}

CODES = {
    "leaf-inplace": "NC503",
    "leaf-view-inplace": "NC503",
    "modified": "NC504",
    "scalar-only": "NC505",
}
"""The rule codes of the kinds of errors that the checker knows."""

MODES = {"no_grad": "no_grad", "enable_grad": "enable_grad", "inference": "inference_mode"}
METHODS = {"view", "t", "detach", "clone"}


def argument(value: Any) -> str:
    """An argument in Python."""
    if isinstance(value, str) and value.startswith("$"):
        return value[1:]
    if isinstance(value, dict):
        if "l" in value:
            return "[" + ", ".join(map(argument, value["l"])) + "]"
        if "m" in value:
            return f"torch.tensor({value['m']}, dtype=torch.bool)"
        if "i" in value:
            return f"torch.tensor({value['i']}, dtype=torch.int64)"
    return repr(value)


def index(value: Any) -> str:
    """An index between brackets."""
    if isinstance(value, dict):
        return ":".join("" if bound is None else str(bound) for bound in value["S"][:2])
    return ", ".join(map(index, value)) if isinstance(value, list) else repr(value)


def expression(step: dict[str, Any]) -> str:
    """The statement of a step, without its target."""
    op, given = step["op"], step.get("a", [])
    arguments = [argument(value) for value in given]
    keywords = [f"{name}={argument(value)}" for name, value in step.get("k", {}).items()]
    match op:
        case "new":
            names = f", names={tuple(given[2])}" if len(given) > 2 and given[2] else ""
            sizes = ", ".join(map(str, given[0]))
            return f"torch.ones({sizes}{names}, requires_grad={given[1]})"
        case "getitem":
            return f"{arguments[0]}[{index(given[1])}]"
        case "setitem":
            return f"{arguments[0]}[{index(given[1])}] = {arguments[2]}"
        case "iadd" | "imul":
            return f"{arguments[0]} {'+' if op == 'iadd' else '*'}= {arguments[1]}"
        case "data" | "grad":
            return f"{arguments[0]}.{op}"
        case "version":
            return f"{arguments[0]}._version"
        case "sum_backward":
            return f"{arguments[0]}.sum().backward({', '.join(keywords)})"
        case "numpy_add":
            return f"{arguments[0]}.detach().numpy()[...] += {arguments[1]}"
    if op.endswith("_") or op in METHODS or f"torch.{op}" not in REGISTRY:
        return f"{arguments[0]}.{op}({', '.join(arguments[1:] + keywords)})"
    return f"torch.{op}({', '.join(arguments + keywords)})"


def program(row: dict[str, Any]) -> tuple[str, list[int]]:
    """The text of a program, and the line of each step."""
    lines = ["import torch", ""]
    places: list[int] = []
    indent = ""
    for step in row["p"]:
        if step["op"] in MODES:
            lines.append(f"{indent}with torch.{MODES[step['op']]}():")
            indent += "    "
        elif step["op"] == "end":
            indent = indent[4:]
        else:
            target = step.get("d")
            names = ", ".join(target) if isinstance(target, list) else target
            lines.append(indent + (f"{names} = " if names else "") + expression(step))
        places.append(len(lines))
    return "\n".join(lines) + "\n", places


@pytest.mark.parametrize("identity", ROWS)
def test_a_measured_program_is_reported_where_it_raises(identity: str) -> None:
    row = ROWS[identity]
    text, places = program(row)
    error = row["r"].get("err", {})
    code = CODES.get(error.get("cat"))
    expected = [] if code is None else [(code, places[error["at"]])]
    found = analyze("program.py", text.encode()).findings
    reported = [(f.code, f.span.line) for f in found if f.code in CODES.values()]
    assert reported == expected, text


def test_many_programs_are_reported() -> None:
    errors = [row["r"]["err"]["cat"] for row in ROWS.values() if "err" in row["r"]]
    assert sum(cat in CODES for cat in errors) == 73

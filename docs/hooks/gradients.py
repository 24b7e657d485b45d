"""The page that says of every op whether it has gradients, made from the table of derivatives.

`python docs/hooks/gradients.py` writes `docs/gradients.md`; a test fails if it is stale.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from namecheck_runtime.autograd.table import Entry, entries
from namecheck_runtime.declare import OPS, Op
from namecheck_runtime.tensors.computing.answers import ANSWERS
from namecheck_runtime.tensors.computing.composed import COMPOSED
from namecheck_runtime.tensors.kernels import kernel_of

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs/gradients.md"
OTHERWISE: Final = ROOT / "tests/data/gradients_otherwise.txt"
_LIBRARIES: Final = ("torch.", "Tensor.", "operator.", "namecheck_runtime.")
"""The beginnings of the ops that the runtime computes."""
_TENSORS: Final = frozenset({"Operand", "Dims", "Shape", "Tensors"})
"""What a parameter of a rule takes if it takes a tensor."""

DERIVATIVE: Final = "derivative"
COMPOSITE: Final = "composite"
VIEW: Final = "strided view"
CONSTANT: Final = "not differentiable"
AS_TORCH: Final = "none, as in PyTorch"
NONE: Final = "none yet"

MEANINGS: Final = {
    DERIVATIVE: "has a derivative for each operand that is listed",
    COMPOSITE: "is computed by other ops while gradients are wanted, and differentiated through",
    VIEW: "shows elements of its operand, to which the strides lead back",
    CONSTANT: "returns integers, booleans, facts or new elements: its result requires no gradient",
    AS_TORCH: "raises `NotImplementedError` with its name. PyTorch raises, too, or silently "
    "returns a tensor that requires no gradient",
    NONE: "raises `NotImplementedError` with its name",
}

_HEAD = """# Which ops have gradients

`python docs/hooks/gradients.py` writes this page from the table of derivatives
(`namecheck_runtime.autograd.table`), and a test compares them. Methods, functions, operators and
the forms in place of an op have the gradients of the op. An op without a derivative refuses a
tensor that requires a gradient. `x.detach()` and `no_grad()` say that none is wanted.

"""


def answer(name: str, op: Op, refused: frozenset[str]) -> str:
    """What the page says of an op; `refused` are those that PyTorch does not differentiate."""
    entry = entries().get(name)
    if entry is not None:
        kinds = {"derivative": DERIVATIVE, "composite": COMPOSITE, "strided": VIEW}
        return kinds.get(entry.kind, CONSTANT)
    if name in COMPOSED:
        return COMPOSITE
    takes = any(_TENSORS & set(p.takes) for rule in op.rules for p in rule.parameters)
    if name in ANSWERS or kernel_of(op) is None or op.kind in ("bool", "int") or not takes:
        return CONSTANT
    return AS_TORCH if name in refused else NONE


def refused_by_torch() -> frozenset[str]:
    """The ops that PyTorch does not differentiate either, as measured."""
    for line in OTHERWISE.read_text(encoding="utf-8").splitlines():
        reason, _, names = line.partition(": ")
        if reason.startswith("torch has no derivative either"):
            return frozenset(name.removeprefix("-") for name in names.split())
    raise LookupError(OTHERWISE)


def answers() -> dict[str, str]:
    """What the page says of each op, in alphabetical order."""
    refused = refused_by_torch()
    ops = sorted(OPS.items(), key=lambda item: item[0].lower())
    return {
        name: answer(name, op, refused)
        for name, op in ops
        if name.startswith(_LIBRARIES) or name in entries()
    }


def operands(entry: Entry | None, op: Op) -> str:
    """The operands that a derivative is for, as the op's rule calls them."""
    if entry is None or entry.kind != "derivative":
        return ""
    return ", ".join(f"`{name}`" for name in entry.steps if name in op.parameters)


def page() -> str:
    """The text of the page."""
    said = answers()
    counts = Counter(said.values())
    lines = ["| word | number | an op that |", "|---|---|---|"]
    lines += [f"| {word} | {counts[word]} | {text} |" for word, text in MEANINGS.items()]
    lines += ["", "| op | gradient | of the operands |", "|---|---|---|"]
    for name, word in said.items():
        lines.append(f"| `{name}` | {word} | {operands(entries().get(name), OPS[name])} |")
    return _HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

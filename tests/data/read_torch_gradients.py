"""Runs calls on PyTorch and writes the gradients of their operands to gradients_torch.jsonl.

    /path/to/python-with-torch read_torch_gradients.py

See `tests/gradient_calls.py` for the calls.  A row has the identity of the call, the gradient of
each operand with fractions (null: it has none), and the name of the node of the first result.
"""

from __future__ import annotations

import json
import sys
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

torch: Any = import_module("torch")

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parents[1] / "runtime"), str(HERE.parent)]

from gradient_calls import Program, records, rows, weights  # noqa: E402
from value_calls import identity, written  # noqa: E402


def measured(row: dict[str, Any]) -> dict[str, Any]:
    """The gradients of a call, or the class of the exception."""
    program = Program(row, torch, torch.from_numpy)
    torch.manual_seed(0)
    try:
        leaves, outputs = program.run(program.arrays(), True)
        wanted = [leaf for leaf in leaves if leaf.requires_grad]
        pairs = [
            (o, torch.from_numpy(w))
            for o, w in zip(outputs, weights(outputs), strict=True)
            if o.requires_grad
        ]
        if not pairs:
            return {"constant": 1}
        grads = torch.autograd.grad(
            [o for o, _ in pairs], wanted, [w for _, w in pairs], allow_unused=True
        )
    except Exception as error:
        return {"err": type(error).__name__, "msg": str(error)[:100]}
    parts = [
        None if g is None else written(g.resolve_conj().resolve_neg().numpy(force=True))
        for g in grads
    ]
    return {"node": pairs[0][0].grad_fn.name(), "g": parts}


def main() -> None:
    """Write the file."""
    warnings.simplefilter("ignore")
    # Some calls without elements kill torch.
    taken = [
        row for row in rows() if all(min(t["T"], default=1) for t in records(list(row.values())))
    ]
    lines = [json.dumps({"id": identity(row), **measured(row)}) for row in taken]
    (HERE / "gradients_torch.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(len(lines))


if __name__ == "__main__":
    main()

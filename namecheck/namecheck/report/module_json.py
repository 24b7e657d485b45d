"""The modules of a network as JSON: the format `json` of `namecheck summary`.

What is not known is null.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from namecheck.module_tree import ModuleTree, PassedTensor
from namecheck.printing.escapes import json_text
from namecheck.report.module_totals import OfDtype, totals_of

__all__ = ["modules_text"]


def modules_text(tree: ModuleTree, target: str, inputs: Sequence[str]) -> str:
    """The rows and their sums, with a newline at the end."""
    totals = totals_of(tree)
    modules = [
        {
            "path": row.path,
            "class": row.cls,
            "depth": row.depth,
            "called": row.result is not None,
            "repeated": row.is_repeated,
            "complete": not row.is_open,
            "inputs": list(map(_tensor, row.given)),
            "outputs": None if row.result is None else list(map(_tensor, row.result)),
            "multiply_adds": row.multiply_adds,
            "tensors": [
                {
                    "name": one.name,
                    **_tensor(one.tensor),
                    "buffer": one.is_buffer,
                    "trainable": one.trainable,
                    "number": one.number,
                }
                for one in row.tensors
            ],
        }
        for row in tree.rows
    ]
    record = {
        "target": target,
        "inputs": list(inputs),
        "modules": modules,
        "totals": {
            "parameters": list(map(_of_dtype, totals.parameters)),
            "buffers": list(map(_of_dtype, totals.buffers)),
            "outputs": list(map(_of_dtype, totals.outputs)) if tree.has_input else None,
            "trainable": totals.trainable,
            "multiply_adds": totals.multiply_adds if tree.has_input else None,
            "complete": not totals.is_open,
        },
    }
    return json_text(record, indent=2) + "\n"


def _tensor(tensor: PassedTensor) -> dict[str, Any]:
    dims = None if tensor.dims is None else list(tensor.dims)
    return {"dims": dims, "dtype": tensor.dtype, "bytes": tensor.size}


def _of_dtype(one: OfDtype) -> dict[str, Any]:
    return {"dtype": one.dtype, "elements": one.elements, "bytes": one.size}

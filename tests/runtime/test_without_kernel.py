"""Which ops of torch the CPU cannot compute: exactly those that are listed, each with a reason."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "laws"))

from calls import read_listed

from namecheck_runtime import questions, reshaping, view_ops
from namecheck_runtime.declare import OPS, Memory, Op
from namecheck_runtime.kernels import kernel_of

LISTED = Path(__file__).parents[1] / "data" / "without_kernel.txt"
ANSWERS = {"Size", "Sizes", "object"}


def computed(op: Op) -> bool:
    """Whether the runtime computes, shows or answers an op."""
    return (
        op.name in view_ops.VIEWS
        or op.name in reshaping.IN_PLACE
        or op.name in questions.QUESTIONS
        or op.memory is Memory.VIEW
        or any(rule.returns in ANSWERS for rule in op.rules)
        or kernel_of(op) is not None
    )


def test_ops_without_a_kernel_are_listed() -> None:
    ops = [
        op for op in OPS.values() if any(p.startswith(("torch.", "Tensor.")) for p in op.spellings)
    ]
    assert len(ops) > 700
    assert {op.name for op in ops if not computed(op)} == read_listed(LISTED).keys()

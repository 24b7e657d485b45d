"""The ops of torch that the CPU cannot compute are exactly the listed ones, each with a reason."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "laws"))

from calls import read_listed

from namecheck_runtime import surface
from namecheck_runtime.declare import OPS, Memory, Op
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN, Dim
from namecheck_runtime.tensors import methods, object
from namecheck_runtime.tensors.computing import composed, in_place
from namecheck_runtime.tensors.computing.answers import ANSWERS
from namecheck_runtime.tensors.kernels import kernel_of
from namecheck_runtime.tensors.views import view_ops

LISTED = Path(__file__).parents[1] / "data" / "without_kernel.txt"


def computed(op: Op) -> bool:
    """Whether the runtime computes, shows or answers an op."""
    return (
        op.name in view_ops.VIEWS
        or op.name in in_place.IN_PLACE
        or op.name in ANSWERS
        or op.name in composed.COMPOSED
        or op.memory is Memory.VIEW
        or any(view_ops.copied_by(rule, op) for rule in op.rules)
        or any(rule.returns in {"Size", "Sizes"} for rule in op.rules)
        or written_out(op)
        or answered_by_rule(op)
        or kernel_of(op) is not None
    )


def written_out(op: Op) -> bool:
    """Whether the package has one of the op's spellings as a function or method of its own."""
    for path in op.spellings:
        owner, _, name = path.partition(".")
        method = vars(object.Tensor).get(name) if owner == "Tensor" else None
        function = getattr(method, "fget", method)
        if owner == "Tensor" and name in methods._OF_GRADIENTS:
            return True
        if getattr(function, "__module__", None) in (object.__name__, methods.__name__):
            if not isinstance(function, methods._FromRegistry):
                return True
        if owner == "torch" and name in surface.HOMES:
            return True
    return False


def answered_by_rule(op: Op) -> bool:
    """Whether the rule alone answers a question about one tensor, or about two."""
    if not any(rule.answers for rule in op.rules):
        return False
    shape = (Dim("N", 2), Dim("C", 3))
    for operands in ((shape,), (shape, shape)):
        try:
            answer = infer(op.spellings[0], operands).result
        except Exception:
            continue
        return answer is not UNKNOWN and not isinstance(answer, tuple)
    return False


def test_ops_without_a_kernel_are_listed() -> None:
    ops = [
        op for op in OPS.values() if any(p.startswith(("torch.", "Tensor.")) for p in op.spellings)
    ]
    assert len(ops) > 700
    assert {op.name for op in ops if not computed(op)} == read_listed(LISTED).keys()

"""Which tests no size decides: of the elements of a tensor, and of how a module is run.

    if mask.any():
    if self.training:
    if x.dtype in (torch.float16, torch.bfloat16):

Whatever sizes a function is given, the program takes either side of such a test some day. What is
impossible on one side is a mistake of whoever calls the function with these sizes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.bindings import assigned_once
from namecheck.analysis.state.values import Tensor, Value
from namecheck.frameworks import torch

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def is_free(ev: Evaluator, test: ir.Expression, value: Value | None = None) -> bool:
    """Whether no size decides a test, whose value may be known already."""
    if value is not None and _is_element(ev, value):
        return True
    if isinstance(test, ir.Name):
        return False  # as most tests are
    match test:
        case ir.Unary("not", operand):
            return is_free(ev, operand)
        case ir.Boolean(left, _, right):
            return is_free(ev, left) and is_free(ev, right)
        case ir.Attribute(ir.Name(owner), torch.TRAINING):
            value = ev.frame.variables.get(owner)
            return value is not None and value is ev.frame.receiver
        case ir.Attribute(owner_of, name):
            return name in torch.PLACE_FLAGS and _is_tensor(ev, owner_of)
        case ir.Call(ir.Attribute(inner, torch.ITEM), (), ()):
            return is_free(ev, inner)
        case ir.Call(ir.Attribute(_, name), (), ()) if name in torch.MODE_TESTS:
            return True
        case ir.Call(ir.Attribute()):
            return _is_element(ev, _quietly(ev, test))
        case ir.Comparison(ir.Call(ir.Attribute(inner, torch.ITEM), (), ()), (_,), (_,)):
            return _is_element(ev, _quietly(ev, inner))
        case ir.Comparison(left, (_,), (right,)):
            return _is_half(ev, left, right) or _is_place(ev, left)
    return False


def _is_element(ev: Evaluator, value: Value) -> bool:
    """Whether a value is one element, which is known when the program runs."""
    value = ev.resolve(value)
    return isinstance(value, Tensor) and value.shape == ()


def _is_tensor(ev: Evaluator, node: ir.Expression) -> bool:
    if not isinstance(node, ir.Name):
        return False
    value = ev.frame.variables.get(node.name)
    return value is not None and isinstance(ev.resolve(value), Tensor)


def _quietly(ev: Evaluator, node: ir.Expression) -> Value:
    with ev.frame.quietly():
        return ev.value(node)


def _is_half(ev: Evaluator, left: ir.Expression, right: ir.Expression) -> bool:
    """Whether a dtype is compared with those of half precision, which any float may have."""
    match _assigned(ev, left):
        case ir.Attribute(owner, torch.DTYPE) if _is_tensor(ev, owner):
            types = right.elements if isinstance(right, (ir.Tuple, ir.List, ir.Set)) else (right,)
            return all(
                isinstance(one, ir.Attribute) and one.name in torch.HALF_TYPES for one in types
            )
    return False


def _is_place(ev: Evaluator, left: ir.Expression) -> bool:
    """Whether it is asked where a tensor is: `x.device.type == "cuda"`."""
    match _assigned(ev, left):
        case ir.Attribute(ir.Attribute(owner, torch.DEVICE), _) | ir.Attribute(owner, torch.DEVICE):
            return _is_tensor(ev, owner)
    return False


def _assigned(ev: Evaluator, node: ir.Expression) -> ir.Expression:
    """The value of a variable that the function binds once, or the expression itself."""
    function = ev.frame.function
    if isinstance(node, ir.Name) and function is not None:
        return assigned_once(function.record).get(node.name, node)
    return node


__all__ = ["is_free"]

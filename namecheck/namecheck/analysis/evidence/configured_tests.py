"""Which tests a model's configuration decides.

In code that every model runs, configured sizes are independent of each other. In a branch that the
configuration chooses (`if self.residual:`) they may always be equal. A test of an argument (`mask
is not None`), of `self.training`, or of what the installed library has says nothing about the
configuration.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.values import (
    FEATURE,
    Anything,
    Constant,
    LeftOut,
    Number,
    Tensor,
    Tuple,
    Value,
)
from namecheck_runtime import sizes
from namecheck_runtime.sizes import Origin

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

_MODE: Final = "training"
"""The attribute of a module that says whether it is being trained."""


def by_configuration(ev: Evaluator, test: ir.Expression) -> bool:
    """Whether the configuration of a model may decide this test."""
    if isinstance(test, (ir.NoneLiteral, ir.Int, ir.Float, ir.Str, ir.Bool)):
        return False
    if isinstance(test, ir.Name):
        return _is_configured(ev, ev.frame.variables.get(test.name))
    if isinstance(test, ir.Attribute):
        if not isinstance(test.value, ir.Name):
            return by_configuration(ev, test.value)
        owner = ev.frame.variables.get(test.value.name)
        if owner is not None and owner is ev.frame.receiver:
            return test.name != _MODE and ev.cells.get((owner, test.name)) is not FEATURE
        return by_configuration(ev, test.value)
    if isinstance(test, ir.Comparison):
        if by_configuration(ev, test.left):
            return True
        return any(by_configuration(ev, side) for side in test.comparators)
    if isinstance(test, ir.Boolean):
        return by_configuration(ev, test.left) or by_configuration(ev, test.right)
    if isinstance(test, ir.Unary):
        return by_configuration(ev, test.operand)
    match test:
        case ir.Subscript(value, ir.Int()):
            return by_configuration(ev, value)
        case ir.Call(ir.Attribute(value), arguments, ()):
            return any(by_configuration(ev, one) for one in (value, *arguments))
        case ir.Call(ir.Name(), arguments, ()) if arguments:
            return any(by_configuration(ev, one) for one in arguments)
    return True


def _is_configured(ev: Evaluator, value: Value | None) -> bool:
    if value is None:
        return True
    match ev.resolve(value):
        case Tensor() | Constant():
            return False
        case Anything() as unknown:
            # A constructor's own parameters are how it is configured.
            return unknown.config
        case Number() as number:
            if number is FEATURE:
                return False
            atoms = sizes.symbols(number.size)
            return not atoms or any(atom.origin is Origin.CONFIG for atom in atoms)
        case Tuple(elements=elements):
            return any(_is_configured(ev, element) for element in elements)
    return True


def asks_for_left_out(ev: Evaluator, test: ir.Expression) -> bool:
    """Whether a test asks for an argument that was left out.

    A caller may have to give it even if the class is built with its defaults.
    """
    return any(
        isinstance(inner, ir.Name) and isinstance(ev.frame.variables.get(inner.name), LeftOut)
        for inner in walk(test)
    )


__all__ = ["by_configuration", "asks_for_left_out"]

"""Functions of the project with a gradient of their own: subclasses of `torch.autograd.Function`.

`Square.apply(x)` gives what `Square.forward` gives, which a drive follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from namecheck.analysis.objects.own_objects import ANY_ATTRIBUTE, empty_class
from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.lineage import library_bases, look_up
from namecheck.analysis.state.values import (
    Anything,
    Class,
    Function,
    Instance,
    Tensor,
    Tuple,
    Value,
)
from namecheck.frameworks import torch

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def is_applied(cls: Class, name: str) -> bool:
    """Whether `cls.name` is the `apply` of a function with a gradient of its own."""
    return name == torch.APPLY and torch.OWN_DERIVATIVE in library_bases(cls)


def applied(
    ev: Evaluator, cls: Class, arguments: Sequence[Argument], node: ir.Call | None
) -> Value:
    """The value of `cls.apply(...)`: that of `forward`, of whose gradient nothing is known."""
    forward = look_up(cls.lineage, torch.FORWARD)
    if not isinstance(forward, Function):
        return Anything()
    given = list(arguments)
    if not isinstance(look_up(cls.lineage, torch.SETS_CONTEXT), Function):
        context = Instance(empty_class(torch.CONTEXT, cls.source), torch.CONTEXT)
        ev.cells[context, ANY_ATTRIBUTE] = Anything()
        given.insert(0, Argument(context))
    return _untraced(ev, ev.call(forward, given, {}, node))


def _untraced(ev: Evaluator, value: Value) -> Value:
    value = ev.resolve(value)
    if isinstance(value, Tensor):
        return value.untraced()
    if isinstance(value, Tuple):
        return Tuple([_untraced(ev, one) for one in value.elements], value.fields)
    return value


__all__ = ["applied", "is_applied"]

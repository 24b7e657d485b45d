"""What libraries have taken out and the rulebook still knows: PyTorch's named tensors.

Ops that are gone as a whole are declared so (`op(..., removed=NAMED_TENSORS)`); of those that stay,
what is gone follows from what their parameters take: `Names`, and a name for a `DimRef`. This holds
of PyTorch's own tensors; whose tensors a program computes with, its reader has to know.
"""

from __future__ import annotations

from namecheck_runtime.declare import Removal, Spelling, Unbindable, bind
from namecheck_runtime.lattice import UNKNOWN, Dim, Shape, Trailing
from namecheck_runtime.mistakes.migration import RemovedNamedTensors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Final

NAMED_TENSORS: Final = Removal("torch 2.13")
NAMED_TENSORS_ALONE: Final = Removal("torch 2.13", telling=True)
"""The same of a method that nothing but named tensors has."""

_LIBRARY: Final = ("torch.", "Tensor.")
_POSITIONS: Final = frozenset({"DimRef", "DimRefs"})


def removed(
    call: Spelling, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> RemovedNamedTensors | None:
    """What a call of PyTorch needs that newer releases do not have; None if there is nothing.

    Arguments are what `infer` takes. Source: torch 2.13's release, "Remove named tensor".
    """
    if not call.path.startswith(_LIBRARY):
        return None
    if call.op.removed is not None:
        return RemovedNamedTensors(
            shape=_tensor(arguments), release=call.op.removed.release, op=call.path
        )
    if not any(map(_holds_name, arguments)) and not any(
        name == "names" or _holds_name(value) for name, value in keywords.items()
    ):
        return None
    try:
        bound = bind(call, arguments, keywords)
    except Unbindable:
        return None
    if bound is None:
        return None
    for parameter in bound.rule.parameters:
        value = bound.values[parameter.name]
        if "Names" in parameter.takes and parameter.name in keywords:
            return _use(call, arguments, parameter.name, ())
        if not _POSITIONS.isdisjoint(parameter.takes) and _holds_name(value):
            given = (value,) if isinstance(value, str) else value
            return _use(
                call, arguments, parameter.name, tuple(n for n in given if isinstance(n, str))
            )
    return None


def _use(
    call: Spelling, arguments: Sequence[Any], argument: str, names: tuple[str, ...]
) -> RemovedNamedTensors:
    shape = _tensor(arguments)
    own = [dim.name for dim in shape] if isinstance(shape, tuple) else []
    return RemovedNamedTensors(
        shape=shape,
        release=NAMED_TENSORS.release,
        argument=argument,
        names=names,
        positions=tuple(own.index(name) if name in own else None for name in names),
        op=call.path,
    )


def _holds_name(value: Any) -> bool:
    if type(value) is tuple or type(value) is list:
        return any(type(one) is str for one in value)
    return type(value) is str


def _tensor(arguments: Sequence[Any]) -> Shape:
    """The tensor that a method is called on, or a function of one."""
    first = arguments[0] if arguments else UNKNOWN
    if isinstance(first, Trailing):
        return first
    if isinstance(first, tuple) and all(isinstance(dim, Dim) for dim in first):
        return first
    return UNKNOWN

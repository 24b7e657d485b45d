"""Features that libraries removed and the rulebook still knows: PyTorch's named tensors.

Ops that are gone are declared so (`op(..., removed=NAMED_TENSORS)`).  Of those that stay, the types
of their parameters show what is gone: `Names`, and a name for a `DimRef`.  This is about PyTorch's
own tensors; the caller has to know whose tensors a program computes with.
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
"""The same, for a method that only named tensors have."""

_LIBRARY: Final = ("torch.", "Tensor.")
_POSITIONS: Final = frozenset({"DimRef", "DimRefs"})


def removed(
    call: Spelling, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> RemovedNamedTensors | None:
    """The mistake of a call of PyTorch that newer releases do not support; None if they do.

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
            refs = (value,) if isinstance(value, str) else value
            return _use(
                call, arguments, parameter.name, tuple(n for n in refs if isinstance(n, str))
            )
    return None


def _use(
    call: Spelling, arguments: Sequence[Any], argument: str, names: tuple[str, ...]
) -> RemovedNamedTensors:
    shape = _tensor(arguments)
    current = [dim.name for dim in shape] if isinstance(shape, tuple) else []
    return RemovedNamedTensors(
        shape=shape,
        release=NAMED_TENSORS.release,
        argument=argument,
        names=names,
        positions=tuple(current.index(name) if name in current else None for name in names),
        op=call.path,
    )


def _holds_name(value: Any) -> bool:
    if type(value) is tuple or type(value) is list:
        return any(type(entry) is str for entry in value)
    return type(value) is str


def _tensor(arguments: Sequence[Any]) -> Shape:
    """The tensor that a method is called on, or a function of one."""
    first = arguments[0] if arguments else UNKNOWN
    if isinstance(first, Trailing):
        return first
    if isinstance(first, tuple) and all(isinstance(dim, Dim) for dim in first):
        return first
    return UNKNOWN

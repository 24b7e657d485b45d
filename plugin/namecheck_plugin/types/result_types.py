"""mypy's types of the results of calls, from the answers of rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mypy.types import (
    AnyType,
    Instance,
    TupleType,
    Type,
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from namecheck_plugin.types import dims, surface
from namecheck_plugin.types.arguments import Operand
from namecheck_plugin.types.readings import is_shape
from namecheck_plugin.types.written import Call
from namecheck_runtime.lattice import UNKNOWN, known_dims


def sharpened(default: Type, result: Any, spelled: Mapping[str, Type], named: dims.Named) -> Type:
    """mypy's type of a result with the dims that the rule gave it."""
    proper = get_proper_type(default)
    if isinstance(proper, Instance):
        if proper.type.fullname == dims.TENSOR and is_shape(result):
            return dims.write(result, spelled, proper, named)
        if proper.type.fullname == "builtins.tuple" and _are_shapes(result):
            element = proper.args[0]
            if _is_int(element):  # sizes: the next value of the variable may have more
                return default
            return TupleType([sharpened(element, one, spelled, named) for one in result], proper)
        if _are_shapes(result):
            return of_pieces(proper, result, spelled, named)
        if _is_int(proper) and isinstance(result, int):
            return dims.literal_int(result, named)
    if isinstance(proper, TupleType) and isinstance(result, tuple) and not is_shape(result):
        if len(result) == len(proper.items):
            pairs = zip(proper.items, result, strict=True)
            return proper.copy_modified(items=[sharpened(t, r, spelled, named) for t, r in pairs])
    if isinstance(proper, UnionType) and is_shape(result):
        arrays = [item for item in proper.items if surface.plain_array(item) is not None]
        if arrays:  # of numbers and arrays
            return UnionType.make_union(arrays) if known_dims(result) else default
    if isinstance(proper, UnionType) and result is not UNKNOWN:
        for item in proper.items:
            if isinstance(get_proper_type(item), TupleType) is not is_shape(result):
                return sharpened(item, result, spelled, named)
    return default


def of_pieces(
    default: Type, shapes: Sequence[Any], spelled: Mapping[str, Type], named: dims.Named
) -> Type:
    """A list, iterator or variadic tuple of tensors of these shapes; `default` if they differ."""
    proper = get_proper_type(default)
    if not isinstance(proper, Instance) or len(proper.args) != 1:
        return default
    types = {sharpened(proper.args[0], shape, spelled, named) for shape in shapes}
    return proper.copy_modified(args=[types.pop()]) if len(types) == 1 else default


def default_of(call: Call) -> Type:
    """The type that mypy gives a call.

    NumPy leaves an operator between its arrays and one of our tensors to us; its stubs do not.
    """
    proper = get_proper_type(call.default)
    if isinstance(proper, Instance):
        left_to_us = surface.owner_of(proper.type) == "ndarray"
    else:
        left_to_us = isinstance(proper, AnyType)
    if left_to_us and call.callee.spelling.path.startswith("operator."):
        for operand in call.operands:
            tensor = dims.plain(operand.type)
            if tensor is not None:
                return dims.of_any_dims(tensor)
    return call.default


def as_array(operands: Iterable[Operand], default: Type) -> Type:
    """The type of a call whose result certainly is an array with dims.

    To NumPy's stubs `x.sum(axis=1)` is `Any`, because it may be a number, and mypy would not ask
    about any use of it.
    """
    proper = get_proper_type(default)
    if not isinstance(proper, AnyType) or proper.type_of_any is TypeOfAny.from_error:
        return default
    for operand in operands:
        array = surface.plain_array(operand.type)
        if array is not None:
            return array
    return default


def _is_int(type_: Type) -> bool:
    proper = get_proper_type(type_)
    return isinstance(proper, Instance) and proper.type.fullname == "builtins.int"


def _are_shapes(result: Any) -> bool:
    return (
        isinstance(result, tuple)
        and bool(result)
        and all(part is UNKNOWN or is_shape(part) for part in result)
    )

"""The answers of rules, by the names of the operands: frequent calls ask no rule twice.

Each cache is bounded, and cleared when full.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from namecheck_runtime.tensors.values.name_tuples import Names, intern
from namecheck_runtime.tensors.values.plan_caches import keep

_FULL: Final = 4096
Plan: TypeAlias = tuple[Any, ...]
"""The names of a result, then the positions of the dims in the arguments."""

REVERSED: Final[dict[Names, Names]] = {}
FIRST_GONE: Final[dict[Names, Names]] = {}
TRANSPOSES: Final[dict[Any, Plan]] = {}
SUMS: Final[dict[Any, Plan]] = {}
PRODUCTS: Final[dict[Any, Names]] = {}
UNIFIED: Final[dict[tuple[Names, Names], Names]] = {}
PICKED: Final[dict[Any, Names | None]] = {}
_SUBSCRIPTS: Final[dict[Any, Names | None]] = {}


def plan_of(plans: dict[Any, Plan], path: str, names: Names, refs: tuple[Any, ...]) -> Plan | None:
    """The names of a result and the positions of the dims `refs`, kept in `plans`.

    None if the names of the operand do not decide them.
    """
    from namecheck_runtime.tensors.calls.operands import (
        names_without_sizes,
        positions_without_sizes,
    )

    result = names_without_sizes(path, (names,), refs)
    places = positions_without_sizes(names, refs)
    if result is None or places is None:
        return None
    if len(plans) > _FULL:
        plans.clear()
    plan = plans[(names, *refs)] = (result, *places)
    return plan


def unsized(plans: dict[Any, Names], path: str, pair: tuple[Names, Names]) -> Names | None:
    """The names of the result of two operands, kept in `plans`; None if sizes decide them."""
    from namecheck_runtime.tensors.calls.operands import names_without_sizes

    result = names_without_sizes(path, pair)
    if result is not None:
        if len(plans) > _FULL:
            plans.clear()
        plans[pair] = result
    return result


def picked_names(path: str, names: Names, index: Names, mask: bool) -> Names | None:
    """The names of the elements that one tensor of indices or truth values picks.

    None if sizes decide them.
    """
    from namecheck_runtime.lattice import UNKNOWN, Dim
    from namecheck_runtime.rules.index import IndexTensor
    from namecheck_runtime.tensors.calls.operands import names_without_sizes

    dims = tuple([Dim(name, UNKNOWN) for name in index])
    entry = IndexTensor(dims, "bool" if mask else "int")
    result = names_without_sizes(path, (names,), (entry,)) if index else None
    keep(PICKED, (names, index, mask), result)
    return result


def subscript_names(names: Names, key: tuple[Any, ...]) -> Names | None:
    """The names that numbers and slices leave; None for any other subscript."""
    kinds = (names, *[_kind_of(entry) for entry in key])
    try:
        return _SUBSCRIPTS[kinds]
    except KeyError:
        pass
    result: Names | None = None
    if len(key) <= len(names) and all(kind is int or kind is slice for kind in kinds[1:]):
        remaining = [name for name, kind in zip(names, kinds[1:], strict=False) if kind is slice]
        result = intern((*remaining, *names[len(key) :]))
    if len(_SUBSCRIPTS) > _FULL:
        _SUBSCRIPTS.clear()
    _SUBSCRIPTS[kinds] = result
    return result


def _kind_of(entry: Any) -> Any:
    """The kind of an entry of a subscript; None for a slice with a step, which may be refused."""
    return None if entry.__class__ is slice and entry.step is not None else entry.__class__

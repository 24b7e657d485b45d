"""Variables whose number of dims a piece of code computes with: it works for any.

`[(0, 0)] * x.ndim`, `(1,) * (len(x.shape) - 1)`, `for dim in range(x.dim())`. A comment there shows
the dims of one use. Nor does a comment on what is computed from a variable hold where a test finds
that the variable has another number of dims.
"""

from __future__ import annotations

from typing import Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import target_names, walk, walk_for

_COUNTING: Final = frozenset({ir.Binary, ir.Call})
_TESTING: Final = frozenset({ir.Comparison, ir.Match, ir.Call})
_READING: Final = frozenset({ir.Attribute, ir.Call})
_ASSIGNING: Final = frozenset({ir.Assign, ir.AugmentedAssign, ir.AnnotatedAssign, ir.For})


def variables_of_any_rank(record: ir.Record) -> frozenset[str]:
    """The variables for whose number of dims the code in a record is written."""
    names: set[str] = set()
    for inner in walk_for(record, _COUNTING):
        match inner:
            case ir.Binary(ir.List() | ir.Tuple(), "*", count) | ir.Binary(
                count, "*", ir.List() | ir.Tuple()
            ):
                names.update(_ranked_in(count))
            case ir.Call(ir.Name("range"), positional, ()):
                for bound in positional:
                    names.update(_ranked_in(bound))
    return frozenset(names)


@ir.read_once
def tests_ranks(function: ir.Remembering) -> bool:
    """Whether a function asks how many dims something has, or of which class it is.

    It may then take several kinds of values, of which a docstring describes one.
    """
    for inner in walk_for(function, _TESTING):
        match inner:
            case ir.Comparison() | ir.Match():
                if _ranked_in(inner) or any(
                    isinstance(one, ir.Attribute) and one.name in ("ndim", "rank")
                    for one in walk(inner)
                ):
                    return True
            case ir.Call(ir.Name("isinstance")):
                return True
    return False


@ir.read_once
def read_for(function: ir.Remembering) -> dict[str, frozenset[str]]:
    """By variable, those that a function reads on the way to any value that it assigns to it.

    What is read of another for its dtype alone does not count.
    """
    read: dict[str, set[str]] = {}
    for inner in walk_for(function, _ASSIGNING):
        match inner:
            case ir.Assign(targets, value):
                names = [name for target in targets for name in target_names(target)]
            case ir.AugmentedAssign(target, _, value):
                names = target_names(target)
            case ir.AnnotatedAssign(target, _, value) if value is not None:
                names = target_names(target)
            case ir.For(target, value):
                names = target_names(target)
            case _:
                continue
        operands = _read_in(value)
        for name in names:
            read.setdefault(name, set()).update(operands)
    changed = True
    while changed:
        changed = False
        for operands in read.values():
            more = {name for operand in operands for name in read.get(operand, ())} - operands
            operands |= more
            changed = changed or bool(more)
    return {name: frozenset(operands) for name, operands in read.items()}


def _read_in(value: ir.Record) -> set[str]:
    """The variables in an expression of whose values it reads more than the kind of elements."""
    kinds = {
        one.value.id
        for one in walk(value)
        if isinstance(one, ir.Attribute) and one.name in _KIND_OF_ELEMENTS
    }
    return {one.name for one in walk(value) if isinstance(one, ir.Name) and one.id not in kinds}


_KIND_OF_ELEMENTS: Final = frozenset({"dtype", "device"})
"""Attributes that say nothing of dims: `y.to(x.dtype)` has those of y."""


def ranked(record: ir.Record) -> ir.Expression | None:
    """The expression whose number of dims an expression reads: x of `x.ndim` and `len(x.shape)`."""
    # `match` takes several times as long, and many expressions are asked about.
    if isinstance(record, ir.Attribute):
        return record.value if record.name == "ndim" else None
    if not isinstance(record, ir.Call) or record.keywords:
        return None
    function, arguments = record.function, record.positional
    if isinstance(function, ir.Attribute):
        asks = not arguments and function.name in ("dim", "ndimension")
        return function.value if asks else None
    if not isinstance(function, ir.Name) or function.name != "len" or len(arguments) != 1:
        return None
    shape = arguments[0]
    if isinstance(shape, ir.Attribute):
        return shape.value if shape.name == "shape" else None
    if not isinstance(shape, ir.Call) or shape.positional or shape.keywords:
        return None
    method = shape.function
    return method.value if isinstance(method, ir.Attribute) and method.name == "size" else None


def _ranked_in(record: ir.Record) -> list[str]:
    """The variables whose number of dims is read in an expression."""
    owners = [ranked(inner) for inner in walk_for(record, _READING)]
    return [owner.name for owner in owners if isinstance(owner, ir.Name)]


__all__ = ["ranked", "read_for", "tests_ranks", "variables_of_any_rank"]

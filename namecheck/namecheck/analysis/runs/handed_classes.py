"""Classes that a program builds only through a parameter: `block(width, width)`.

Nothing says then which class that is. If every such call that a constructor fits gives two of its
parameters one value, nothing says either that the two may differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.independence import Independence
from namecheck.analysis.state.values import Function
from namecheck_runtime.lattice import Size


def built_alike(
    known: Independence, left: Size, right: Size, statements: Iterable[ir.Statement]
) -> bool:
    """Whether two sizes are parameters that every call of a class in a parameter gives one value.

    Not if the program builds the class by its name.
    """
    constructor, names = known.parameters_of(left, right)
    if constructor is None or constructor.owner is None or known.is_built(constructor):
        return False
    calls = list(_calls_of_parameters(tuple(statements), constructor.owner.name))
    given = [pair for call in calls if (pair := _given(constructor, names, call)) is not None]
    return bool(given) and all(_is_one(*pair) for pair in given)


def _calls_of_parameters(statements: tuple[ir.Statement, ...], name: str) -> Iterator[ir.Call]:
    """The calls of parameters by the functions around them, and those of a class by its name."""
    waiting: list[tuple[ir.Record, frozenset[str]]] = [(s, frozenset()) for s in statements]
    for record, outer in waiting:
        inside = outer
        if isinstance(record, ir.FunctionDef):
            inside |= {parameter.name for parameter in record.parameters}
        for inner in _within(record):
            if isinstance(inner, ir.FunctionDef) and inner is not record:
                waiting.append((inner, inside))
            elif isinstance(inner, ir.Call) and isinstance(inner.function, ir.Name):
                if inner.function.name in inside or inner.function.name == name:
                    yield inner


def _within(record: ir.Record) -> Iterator[ir.Record]:
    """The records in a record, without those in the functions in it."""
    skipped = 0
    for inner in walk(record):
        if skipped:
            skipped -= 1
            continue
        if inner is not record and isinstance(inner, ir.FunctionDef):
            skipped = sum(1 for _ in walk(inner)) - 1
        yield inner


def _given(
    constructor: Function, names: tuple[str, ...], call: ir.Call
) -> list[ir.Expression] | None:
    """The arguments that a call gives to two parameters; None if it cannot call the constructor."""
    parameters = constructor.parameters[1:]
    plain = [one for one in parameters if not one.kind.startswith("variadic")]
    if any(isinstance(one, ir.Starred) for one in call.positional):
        return None
    if len(call.positional) > len(plain):
        return None
    given = {one.name: value for one, value in zip(plain, call.positional, strict=False)}
    given |= {one.name: one.value for one in call.keywords if one.name is not None}
    takes_any = any(one.kind == "variadic keyword" for one in parameters)
    if not takes_any and not given.keys() <= {one.name for one in plain}:
        return None
    if any(one.default is None and one.name not in given for one in plain):
        return None
    return [given[name] for name in names] if all(name in given for name in names) else None


def _is_one(left: ir.Expression, right: ir.Expression) -> bool:
    """Whether two expressions are one variable, or one attribute of it."""
    match left, right:
        case ir.Name(one), ir.Name(other):
            return one == other
        case ir.Attribute(owner, one), ir.Attribute(another, other):
            return one == other and _is_one(owner, another)
        case ir.Int(one), ir.Int(other):
            return one == other
    return False


__all__ = ["built_alike"]

"""Expressions by which a program shows that two configured sizes belong together."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck_runtime import sizes
from namecheck_runtime.lattice import Size
from namecheck_runtime.sizes import Relation, Symbol, of_symbol


def ties(record: ir.Record, named: Mapping[str, Symbol], equation: tuple[Size, Size]) -> bool:
    """Whether an expression compares two sizes that are `named`, or tests one of them for None.

    A comparison of the two counts only if their equality makes the equation true.
    """
    labels = named.keys()
    match record:
        case ir.Comparison(ir.Name(one) | ir.Attribute(_, one), (_,), (other,)) if (
            one in labels and _name_of(other) in labels
        ):
            same = {named[one]: of_symbol(named[_name_of(other)])}
            left, right = (sizes.substitute(side, same) for side in equation)
            return one != _name_of(other) and sizes.relate(left, right) is Relation.YES
        case ir.Comparison():
            sides = [_named(side, labels) for side in (record.left, *record.comparators)]
            if any(isinstance(side, ir.NoneLiteral) for side in record.comparators):
                return bool(sides[0])
            return any(a and b and (a | b) - (a & b) for a, b in combinations(sides, 2))
        case ir.Boolean(first, "or", _):
            return isinstance(first, (ir.Name, ir.Attribute)) and bool(_named(first, labels))
    return False


def _name_of(expression: ir.Expression) -> str:
    return expression.name if isinstance(expression, (ir.Name, ir.Attribute)) else ""


def _named(expression: ir.Expression, labels: Collection[str]) -> set[str]:
    return {
        inner.name
        for inner in walk(expression)
        if isinstance(inner, (ir.Name, ir.Attribute)) and inner.name in labels
    }


__all__ = ["ties"]

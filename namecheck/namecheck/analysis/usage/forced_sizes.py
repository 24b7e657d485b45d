"""Whether a size that must be a certain number may be that number.

`x.reshape(B, C)` of `[B, T, C]` fits only if T is 1. A size that was read from data may well be 1,
or 2: one step of a decoder, the two channels of a complex number. So the checker reports it only if
the program treats the size as a larger one elsewhere: it multiplies the size, counts to it, or
reduces over the dim. A configured size is not read from data, and neither is a parameter of the
function.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state import reasons
from namecheck.analysis.state.independence import BATCH
from namecheck.analysis.state.values import Anything, Function, Number
from namecheck_runtime import sizes
from namecheck_runtime.lattice import Size
from namecheck_runtime.sizes import Fact, Origin, Rank, Relation, Symbol, of_symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.places import Note, Place


def may_be_forced(ev: Evaluator, left: Size, right: Size, place: Place) -> bool:
    """Whether the one size that must be a certain number for two products to be equal may be it.

    A parameter of a constructor may if its default is 1, or is that number. A size that was read
    from data may in a branch that only one way through the function takes, and wherever the program
    does not treat it as a larger one. It has that number from here on, so that an op that needs
    another one is wrong.
    """
    function = ev.frame.function
    if function is None:
        return False
    left, right = ev.facts.representative(left), ev.facts.representative(right)
    pair = sizes.sides(left, right)
    for atom in _symbols_of(pair):
        if atom.origin is Origin.CONFIG:
            if _fits_by_default(ev, atom, left, right):
                continue
            if not _one_by_default(function, atom.label.rpartition(".")[2]):
                return False
        elif ev.frame.flow.branches:
            continue
        elif _is_argument(ev, function, atom):
            return False
        elif _fits_as_one(pair, atom) and _is_larger(ev, function, atom, (left, right)):
            if not _is_one_elsewhere(ev, atom):
                return False
        else:
            ev.facts.learn_equal(left, right, Fact(Rank.ASSUMED, place))
    return True


def treated_as_larger(ev: Evaluator, left: Size, right: Size) -> tuple[Note, ...]:
    """Where the program multiplies a size that must be a certain number, or counts to it."""
    function = ev.frame.function
    if function is None:
        return ()
    pair = sizes.sides(ev.facts.representative(left), ev.facts.representative(right))
    notes = []
    for atom in _symbols_of(pair):
        line = _multiplied_at(function, _names_of(ev, atom)) if atom.origin is Origin.DATA else 0
        if line:
            text = f"{atom} is taken for more than 1"
            notes.append(reasons.in_line(text, function.source, line))
    return tuple(notes)


def _symbols_of(pair: Iterable[Size]) -> list[Symbol]:
    """The symbols in the sides of an equation, of which one is usual."""
    return sizes.in_order({atom for side in pair for atom in sizes.symbols(side)})


def _fits_as_one(pair: Iterable[Size], atom: Symbol) -> bool:
    """Whether two sides are equal if the symbol is 1, rather than 2 or more."""
    left, *others = [sizes.substitute(side, {atom: 1}) for side in pair]
    return all(sizes.relate(left, other) is Relation.YES for other in others or [0])


def _fits_by_default(ev: Evaluator, atom: Symbol, left: Size, right: Size) -> bool:
    """Whether two sizes are equal if a configured size has its default."""
    default = ev.independence.default_of(atom)
    if default is None:
        return False
    sides = (sizes.substitute(size, {atom: default}) for size in (left, right))
    return sizes.relate(*sides) is Relation.YES


def _one_by_default(function: Function, name: str) -> bool:
    records = [function.record]
    init = function.owner.attributes.get("__init__") if function.owner is not None else None
    if isinstance(init, Function):
        records.append(init.record)
    return any(
        parameter.name == name
        and isinstance(parameter.default, ir.Int)
        and parameter.default.value == 1
        for record in records
        for parameter in record.parameters
    )


def _is_argument(ev: Evaluator, function: Function, atom: Symbol) -> bool:
    """Whether a size is a parameter of the function itself: `heads` of `split(x, heads)`."""
    for parameter in function.parameters:
        value = ev.frame.variables.get(parameter.name)
        if isinstance(value, Number) and value.size == of_symbol(atom):
            return True
        if isinstance(value, Anything) and value.sized and value.label == atom.label:
            return True
    return False


def _is_larger(
    ev: Evaluator, function: Function, atom: Symbol, equation: tuple[Size, Size]
) -> bool:
    """Whether the program treats a size as one that is larger than 1, or is not one number."""
    if (
        atom in ev.counted
        or atom in ev.roles.reduced
        or any(_is_power(size, atom) for size in equation)
    ):
        return True
    return _multiplied_at(function, _names_of(ev, atom)) > 0


def note_ones(ev: Evaluator, statement: ir.Assign) -> None:
    """Remember the names that an assignment gives sizes of a tensor that are known to be 1."""
    for target in statement.targets:
        for name in _names_read(target, statement.value):
            value = ev.frame.variables.get(name)
            if isinstance(value, Number) and ev.facts.representative(value.size) == 1:
                ev.frame.ones.add(name)


def _names_read(target: ir.Expression, value: ir.Expression) -> list[str]:
    """`b` and `t` of `b, t = x.shape`, of `b, t = x.size(0), y.size(1)` and of two assignments."""
    match target, value:
        case ((ir.Tuple(names) | ir.List(names)), (ir.Tuple(values) | ir.List(values))):
            if len(names) == len(values):
                pairs = zip(names, values, strict=True)
                return [name for one, size in pairs for name in _names_read(one, size)]
        case ((ir.Tuple(names) | ir.List(names)), _) if _is_shape(value):
            return [one.name for one in names if isinstance(one, ir.Name)]
        case ir.Name(name), ir.Subscript(shape) if _is_shape(shape):
            return [str(name)]
        case ir.Name(name), ir.Call(ir.Attribute(_, "size"), (_,), ()):
            return [str(name)]
    return []


def _is_shape(value: ir.Expression) -> bool:
    match value:
        case ir.Attribute(_, "shape") | ir.Call(ir.Attribute(_, "size"), (), ()):
            return True
        case ir.Subscript(whole, ir.Slice()):
            return _is_shape(whole)
    return False


def _is_one_elsewhere(ev: Evaluator, atom: Symbol) -> bool:
    """Whether a size is the batch, and the function reads it off another tensor too, as 1.

    After `if query.size(1) != 1: raise`, `n, bsz, _ = query.size()` and `m, bsz, _ = key.size()`
    read one batch: what the test says of one of them holds for both. Their lengths may differ.
    """
    ones = ev.frame.ones
    return any(map(_is_of_batch, ones)) and any(map(_is_of_batch, _names_of(ev, atom)))


def _is_of_batch(name: str) -> bool:
    """Whether a name is a usual one of the batch, perhaps of one tensor: `q_bsz`, `b2`."""
    word = name.lower()
    return word in BATCH or not BATCH.isdisjoint(word.rstrip("0123456789").split("_"))


def _is_power(size: Size, atom: Symbol) -> bool:
    """Whether a size has the symbol twice as a factor: what is repeated `C` times is not 1 wide."""
    if not isinstance(size, sizes.Polynomial):
        return False
    return any(a is atom and exponent > 1 for monomial, _ in size.terms for a, exponent in monomial)


def _names_of(ev: Evaluator, atom: Symbol) -> set[str]:
    size = of_symbol(atom)
    named = {
        name
        for name, value in ev.frame.variables.items()
        if isinstance(value, Number) and value.size == size
    }
    return named | {atom.label}


def _multiplied_at(function: Function, names: set[str]) -> int:
    """The first line with a product with one of the names, or a loop to it: `B * T`, `range(T)`."""
    line = 0
    for record in walk(function.record):
        match record:
            case ir.Statement():
                line = record.line
            case ir.Binary(left, "*", right) if _is_named(left, names) or _is_named(right, names):
                return line
            case ir.Call(ir.Name("range"), arguments):
                if any(_is_named(argument, names) for argument in arguments):
                    return line
    return 0


def _is_named(expression: ir.Expression, names: set[str]) -> bool:
    return isinstance(expression, ir.Name) and expression.name in names


__all__ = ["may_be_forced", "note_ones", "treated_as_larger"]

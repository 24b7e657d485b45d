"""Asserts and guards: what a test says about shapes on the path where it holds.

`assert x.shape == (B, T)`, `assert x.ndim == 3`, `if x.shape[1] != n: raise`. What is stated wins
over what was presumed; if a test contradicts what is known, this path is not taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from namecheck.analysis.asking import elements
from namecheck.analysis.reading import ir
from namecheck.analysis.state.conversion import as_size
from namecheck.analysis.state.values import (
    NONE,
    Anything,
    Constant,
    Function,
    List,
    Number,
    ShapeOf,
    Tensor,
    Tuple,
    Value,
    known,
)
from namecheck.frameworks import torch
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, known_dims
from namecheck_runtime.sizes import Rank

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

_OPPOSITE = {"==": "!=", "!=": "==", "is": "is not", "is not": "is"}


def assume(ev: Evaluator, test: ir.Expression, holds: bool, stated: bool = False) -> None:
    """Learn what follows from `test` being true (or false) on this path.

    `stated` says that the program insists on it: an assert, or a guard that raises.
    """
    match test:
        case ir.Unary("not", operand):
            assume(ev, operand, not holds, stated)
        case ir.Boolean(left, operator, right):
            if (operator == "and") == holds:
                assume(ev, left, holds, stated)
                if ev.alive:
                    assume(ev, right, holds, stated)
        case ir.Comparison(left, (operator,), (right,)):
            symbol = operator if holds else _OPPOSITE.get(operator, "")
            if symbol in ("==", "is"):
                _equal(ev, left, right, stated)
            elif symbol == "is not" and isinstance(right, ir.NoneLiteral):
                _exists(ev, left)
        case ir.Call(function, (operand,), ()) if _asks_existence(ev, function):
            none = ir.NoneLiteral(-1)
            assume(ev, ir.Comparison(operand, ("is not",), (none,), -1), holds, stated)
        case ir.Call(ir.Name("isinstance"), (ir.Name(name), ir.Name("int")), ()) if holds:
            value = ev.resolve(ev.value(test.positional[0]))
            if isinstance(value, Anything) and value.sized:
                ev.frame.variables[name] = Number(value.size())


def _asks_existence(ev: Evaluator, function: ir.Expression) -> bool:
    """Whether a function returns `x is not None` of its one parameter: `exists(x)`."""
    value = ev.resolve(ev.value(function)) if isinstance(function, ir.Name) else None
    if not isinstance(value, Function) or len(value.parameters) != 1:
        return False
    match value.record:
        case ir.FunctionDef(body=(ir.Return(result),)) | ir.Lambda(body=result):
            match result:
                case ir.Comparison(ir.Name(name), ("is not",), (ir.NoneLiteral(),)):
                    return bool(name == value.parameters[0].name)
    return False


def _quietly(ev: Evaluator, node: ir.Expression) -> Value:
    with ev.frame.quietly():
        return ev.resolve(ev.value(node))


def _repeatable(node: ir.Expression) -> bool:
    """Whether an expression may be evaluated once more to learn from it: a size, a shape, a name.

    A call may have effects, and text or a float is not a size.
    """
    match node:
        case ir.Name() | ir.Int() | ir.NoneLiteral():
            return True
        case ir.Attribute(value):
            return _repeatable(value)
        case ir.Subscript(value, index):
            return _repeatable(value) and (isinstance(index, ir.Slice) or _repeatable(index))
        case ir.Unary(_, operand):
            return _repeatable(operand)
        case ir.Binary(left, _, right):
            return _repeatable(left) and _repeatable(right)
        case ir.Tuple(elements) | ir.List(elements):
            return all(map(_repeatable, elements))
        case ir.Starred(value):
            return _repeatable(value)
        case ir.Call(ir.Name("len" | "tuple" | "list" | "int"), (only,), ()):
            return _repeatable(only)
        case ir.Call(ir.Attribute(value, "size" | "dim" | "ndimension"), positional, ()):
            return _repeatable(value) and all(map(_repeatable, positional))
        case ir.Call(ir.Attribute(ir.Name(torch.PACKAGE), torch.SIZES_TYPE), (only,), ()):
            return _repeatable(only)
    return False


def _exists(ev: Evaluator, node: ir.Expression) -> None:
    if not _repeatable(node):
        return
    value = _quietly(ev, node)
    if value is NONE or (isinstance(value, Constant) and value.value is None):
        ev.alive = False
    elif isinstance(value, Anything) and value.maybe is not None:
        ev.refine(value, value.maybe)


def _equal(ev: Evaluator, left: ir.Expression, right: ir.Expression, stated: bool) -> None:
    if not _repeatable(left) or not _repeatable(right):
        return
    if _is_rank(left):
        _rank(ev, left, _quietly(ev, right))
        return
    if _is_rank(right):
        _rank(ev, right, _quietly(ev, left))
        return
    if isinstance(right, ir.NoneLiteral):
        value = _quietly(ev, left)
        if isinstance(left, ir.Name) and isinstance(value, Anything):
            ev.frame.variables[left.name] = NONE
        return
    mine, other = _quietly(ev, left), _quietly(ev, right)
    if isinstance(mine, ShapeOf):
        shape_equals(ev, mine, other)
        return
    if isinstance(other, ShapeOf):
        shape_equals(ev, other, mine)
        return
    if isinstance(mine, (Number, Anything)) and isinstance(other, (Number, Anything)):
        _size_equals(ev, mine, other)


def _size_equals(ev: Evaluator, mine: Value, other: Value) -> None:
    left, right = as_size(ev, mine), as_size(ev, other)
    if left is UNKNOWN or right is UNKNOWN:
        return
    place = ev.place(equation=(left, right))
    if not ev.learn_equal(left, right, Rank.STATED, place):
        ev.alive = False


def _is_rank(node: ir.Expression) -> bool:
    """`x.ndim`, `x.dim()`, `len(x.shape)`."""
    match node:
        case ir.Attribute(_, "ndim"):
            return True
        case ir.Call(ir.Attribute(_, "dim" | "ndimension"), (), ()):
            return True
        case ir.Call(ir.Name("len"), (ir.Attribute(_, "shape"),), ()):
            return True
        case ir.Call(ir.Name("len"), (ir.Call(ir.Attribute(_, "size"), (), ()),), ()):
            return True
    return False


def _ranked(node: ir.Expression) -> ir.Expression | None:
    match node:
        case ir.Attribute(value, "ndim") | ir.Call(ir.Attribute(value, _), (), ()):
            return value
        case ir.Call(_, (ir.Attribute(value, _),), ()):
            return value
        case ir.Call(_, (ir.Call(ir.Attribute(value, _), _, _),), ()):
            return value
    return None


def _rank(ev: Evaluator, node: ir.Expression, value: Value) -> None:
    count = known(value)
    owner = _ranked(node)
    if count is None or owner is None or not isinstance(count[0], int) or not 0 <= count[0] < 12:
        return
    tensor = _quietly(ev, owner)
    if not isinstance(tensor, (Tensor, Anything)):
        return
    shape = tensor.shape if isinstance(tensor, Tensor) else UNKNOWN
    if isinstance(shape, tuple):
        if len(shape) != count[0]:
            if isinstance(tensor, Tensor) and tensor.rank_claimed:
                ev.refine(tensor, Tensor(UNKNOWN, tensor.kind, tensor.library))
                return
            ev.alive = False
        return
    ending = known_dims(shape)
    if len(ending) > count[0]:
        ev.alive = False
        return
    front = _front(ev, tensor, count[0] - len(ending))
    ev.give_shape(tensor, ev.named_sizes((*front, *ending)))


def _front(ev: Evaluator, tensor: Value, count: int) -> Dims:
    """The first dims of a tensor, with the sizes that were read of them before."""
    dims = []
    for index in range(count):
        stored = ev.cells.get((tensor, index))
        size = stored.size if isinstance(stored, Number) else UNKNOWN
        dims.append(Dim(UNKNOWN, size))
    return tuple(dims)


def _share_shape(ev: Evaluator, mine: Value, other: Value) -> None:
    """Let two values of unknown rank have one shape: what is learned about one holds for both."""
    if mine is other or not isinstance(mine, (Tensor, Anything)):
        return
    if isinstance(other, Anything) or (
        isinstance(other, Tensor) and other.shape is UNKNOWN and isinstance(mine, Tensor)
    ):
        ev.refine(other, mine)
    elif isinstance(mine, Anything):
        ev.refine(mine, other)


def shape_equals(ev: Evaluator, mine: ShapeOf, other: Value) -> None:
    """Learn that a shape is `other`; if it cannot be, this path is not taken."""
    if not isinstance(other, (Tuple, List, ShapeOf)):
        return
    contents = elements.iterate(ev, other)
    if not isinstance(contents, tuple):
        if isinstance(other, ShapeOf):
            known_sizes = ev.sizes_of(mine)
            if known_sizes is not None:
                ev.give_shape(other.tensor, tuple(Dim(UNKNOWN, size) for size in known_sizes))
            else:
                _share_shape(ev, ev.resolve(mine.tensor), ev.resolve(other.tensor))
        return
    wanted_sizes = [as_size(ev, value) for value in contents]
    tensor = ev.resolve(mine.tensor)
    shape = tensor.shape if isinstance(tensor, Tensor) else UNKNOWN
    ending = known_dims(shape)
    if isinstance(shape, tuple) and len(shape) != len(wanted_sizes):
        ev.alive = False
        return
    if not isinstance(shape, tuple):
        if len(ending) > len(wanted_sizes):
            ev.alive = False
            return
        ending = (*_front(ev, tensor, len(wanted_sizes) - len(ending)), *ending)
    dims: list[Dim] = []
    for dim, size in zip(ending, wanted_sizes, strict=True):
        if size is UNKNOWN:
            dims.append(dim)
        elif dim.size is UNKNOWN:
            dims.append(Dim(dim.name, size, dim.trace))
        else:
            place = ev.place(equation=(dim.size, size))
            if not ev.learn_equal(dim.size, size, Rank.STATED, place):
                ev.alive = False
                return
            dims.append(dim)
    if tuple(dims) != shape:
        ev.give_shape(tensor, tuple(dims))

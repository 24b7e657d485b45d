"""Whether two values say the same, and what is known about a value that is one of two."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from namecheck.analysis.state.values.callables import (
    Bound,
    Class,
    Container,
    Either,
    Function,
    Instance,
    Layer,
    Method,
    Transformed,
)
from namecheck.analysis.state.values.containers import List, Repeated, Tuple
from namecheck.analysis.state.values.graphs import same_gradient
from namecheck.analysis.state.values.imported import Library
from namecheck.analysis.state.values.plain import (
    Anything,
    Constant,
    Number,
    OtherArray,
    Text,
    is_text,
    kind_of_number,
)
from namecheck.analysis.state.values.tensors import Device, DType, Packed, ShapeOf, Tensor, weaker
from namecheck.analysis.state.values.value import Held, Value
from namecheck_runtime import sizes
from namecheck_runtime.algebra import common
from namecheck_runtime.lattice import UNKNOWN, known_dims

MOST_OPTIONS: Final = 4
"""Alternatives that stay separate; more than that become `Anything`."""

_CALLED: Final = (Function, Bound, Instance, Layer, Container, Either, Transformed)


def same(left: Value, right: Value) -> bool:
    """Whether two values are known to say the same."""
    if left is right:
        return True
    if type(left) is not type(right):
        # `LeftOut` and a plain None say the same.
        return (
            isinstance(left, Constant) and isinstance(right, Constant) and left.value is right.value
        )
    if isinstance(left, Tensor):
        assert isinstance(right, Tensor)
        return (
            left.kind == right.kind
            and left.library == right.library
            and (left.shape is right.shape or left.shape == right.shape)
            and (left.strides is right.strides or left.strides == right.strides)
            and (left.gradient is right.gradient or same_gradient(left.gradient, right.gradient))
        )
    if isinstance(left, Number):
        assert isinstance(right, Number)
        return left.kind == right.kind and left.size == right.size and left.size is not UNKNOWN
    if isinstance(left, Constant):
        assert isinstance(right, Constant)
        return type(left.value) is type(right.value) and bool(left.value == right.value)
    if isinstance(left, Tuple):
        assert isinstance(right, Tuple)
        return len(left.elements) == len(right.elements) and all(
            map(same, left.elements, right.elements)
        )
    if isinstance(left, Anything):
        assert isinstance(right, Anything)
        mine, other = left.maybe, right.maybe
        return isinstance(mine, Tensor) and isinstance(other, Tensor) and same(mine, other)
    return _same_otherwise(left, right)


def _same_otherwise(left: Value, right: Value) -> bool:
    match left, right:
        case Repeated(), Repeated():
            return same(left.element, right.element)
        case Packed(), Packed():
            return same(left.padded, right.padded)
        case Library(), Library():
            return left.path == right.path
        case ShapeOf(), ShapeOf():
            return left.tensor is right.tensor
        case Bound(), Bound():
            return left.function is right.function and left.receiver is right.receiver
        case Method(), Method():
            return left.name == right.name and left.receiver is right.receiver
        case Function(), Function():
            return left.record is right.record and left.scope is right.scope
        case (Text(), Text()) | (DType(), DType()):
            return True
        case Device(), Device():
            return left.on_cpu == right.on_cpu
        case OtherArray(), OtherArray():
            return left.is_tensor == right.is_tensor
        case Layer(), Layer():
            return left.path == right.path and bool(left.instance == right.instance)
        case Either(), Either():
            return left.options == right.options and left.conditions == right.conditions
    return False


def join(left: Value, right: Value) -> Value:
    """What is known about a value that is one of two."""
    if left is right:
        return left
    if isinstance(left, Tensor) and isinstance(right, Tensor):
        if not same_gradient(left.gradient, right.gradient):
            left, right = left.untraced(), right.untraced()
    if same(left, right) and not _remember_differently(left, right):
        if isinstance(left, Tensor) and type(left.shape) is not tuple:
            # A new value: what the walk learns of it does not hold of the operands of either.
            return left.with_shape(left.shape, left.claimed)
        return left
    if isinstance(left, Tensor) and isinstance(right, Tensor):
        return _join_tensors(left, right)
    if isinstance(left, Tuple) and isinstance(right, Tuple):
        if len(left.elements) == len(right.elements):
            return Tuple(map(join, left.elements, right.elements), left.fields)
        return Anything()
    if isinstance(left, Repeated) and isinstance(right, Repeated):
        return Repeated(join(left.element, right.element))
    for mine, other in ((left, right), (right, left)):
        if isinstance(mine, OtherArray) and mine.is_tensor:
            if isinstance(other, (Anything, Tensor, Instance, OtherArray)):
                return mine  # its methods may be those of the project's class
    if isinstance(left, Packed) and isinstance(right, Packed):
        return Packed(join(left.padded, right.padded))
    if is_text(left) and is_text(right):
        return Text()
    if isinstance(left, (Anything, Tensor, Constant)) and isinstance(
        right, (Anything, Tensor, Constant)
    ):
        tensor = _if_not_none(left, right)
        if tensor is not None:
            return Anything(maybe=tensor)
    for mine, other in ((left, right), (right, left)):
        if isinstance(mine, Library) and isinstance(other, Constant) and other.value is None:
            return mine  # `except ImportError: torch = None`: a use of it implies the import
    if (_callable(left) and _callable(right)) or _stand_for_each_other(left, right):
        options = tuple(dict.fromkeys((*_options(left), *_options(right))))
        return Either(options) if len(options) <= MOST_OPTIONS else Anything()
    if isinstance(left, List) or isinstance(right, List):
        return _join_rows(left, right) or one_of_holders((left, right))
    if _is_configured(left) and _is_configured(right):
        return Anything.chosen(left, right)
    kinds = kind_of_number(left), kind_of_number(right)
    for mine, kind in ((left, kinds[1]), (right, kinds[0])):
        if kind and isinstance(mine, Tensor) and mine.shape == ():
            return Tensor((), mine.kind if mine.kind == kind else "unknown", mine.library)
    if kinds[0] and kinds[1]:
        return Number(UNKNOWN, kinds[0] if kinds[0] == kinds[1] else "number")
    either = one_of_holders((left, right))
    either.spread = _may_be_spread(left) or _may_be_spread(right)
    either.callees = (*_callees(left), *_callees(right))[:MOST_OPTIONS]
    return either


def _join_tensors(left: Tensor, right: Tensor) -> Tensor:
    """What is known about one of two tensors; the same is known about their gradients."""
    both = Tensor(
        common(left.shape, right.shape),
        left.kind if left.kind == right.kind else "unknown",
        left.library if left.library == right.library else "",
        weaker(left.claimed, right.claimed),
        left.strides if left.strides == right.strides else UNKNOWN,
        left.turned,
        left.history if left.history == right.history else None,
        left.gradient,
    )
    if type(both.shape) is not tuple:
        both.spread = _may_be_spread(left) or _may_be_spread(right)
    return both


def _may_be_spread(value: Value) -> bool:
    """Whether a dim of a tensor is 1, or may be since paths with different sizes have met."""
    if not isinstance(value, Tensor):
        return isinstance(value, Anything) and value.spread
    if type(value.shape) is not tuple:
        return value.spread
    return any(dim.size == 1 or dim.size is UNKNOWN for dim in value.shape)


def _is_configured(value: Value) -> bool:
    """Whether a value is a constructor's parameter or computed from some: `width or 4 * dim`."""
    if isinstance(value, Anything):
        return value.config
    if not isinstance(value, Number) or value.kind != "int":
        return False
    atoms = sizes.symbols(value.size)
    return bool(atoms) and all(atom.origin is sizes.Origin.CONFIG for atom in atoms)


def _remember_differently(left: Value, right: Value) -> bool:
    """Whether two values that say the same have different histories or traces."""
    if isinstance(left, Tensor) and isinstance(right, Tensor):
        mine, other = known_dims(left.shape), known_dims(right.shape)
        return left.history != right.history or any(
            ours is not theirs and ours.trace != theirs.trace
            for ours, theirs in zip(mine, other, strict=True)
        )
    if isinstance(left, Tuple) and isinstance(right, Tuple):
        return any(map(_remember_differently, left.elements, right.elements))
    return False


def _callable(value: Value) -> bool:
    """Whether a value is callable, or the None in its place."""
    return isinstance(value, _CALLED) or (isinstance(value, Constant) and value.value is None)


def _stand_for_each_other(left: Value, right: Value) -> bool:
    """Whether a class or function of the project is there where a library's may be missing.

    Both have one name: `RMSNorm = nn.RMSNorm if has_it else OwnNorm` says less.
    """
    for mine, other in ((left, right), (right, left)):
        if isinstance(mine, (Class, Function)):
            if isinstance(other, Class):
                return mine.name == other.name
            if isinstance(other, Library):
                return other.path.rpartition(".")[2] == mine.name
    return False


def _callees(value: Value) -> tuple[Value, ...]:
    """The callables that a value is known to be on some paths."""
    if isinstance(value, Anything):
        return value.callees
    return _options(value) if isinstance(value, _CALLED) else ()


def one_of_holders(values: Iterable[Value]) -> Anything:
    """An unknown value that knows the lists, dicts and objects that it may be."""
    either = Anything()
    either.holders = tuple(dict.fromkeys(one for value in values for one in holders(value)))
    return either


def holders(value: Value) -> tuple[Value, ...]:
    """The lists, dicts and objects that one change of a value may change."""
    if isinstance(value, Anything):
        return value.holders
    if isinstance(value, Either):
        return tuple(one for option in value.options for one in holders(option))
    return (value,) if isinstance(value, Held) else ()


def _join_rows(left: Value, right: Value) -> Value | None:
    """A container of modules or the list of some of them: a loop goes through either."""
    options = tuple(dict.fromkeys((*_options(left), *_options(right))))
    if len(options) > MOST_OPTIONS or not all(isinstance(o, (Container, List)) for o in options):
        return None
    return Either(options) if any(isinstance(o, Container) for o in options) else None


def _if_not_none(left: Value, right: Value) -> Tensor | None:
    """The tensor that either value is unless it is None; None if either may be something else."""
    found: Tensor | None = None
    for value in (left, right):
        if isinstance(value, Constant):
            if value.value is not None:
                return None
            continue
        tensor = value.maybe if isinstance(value, Anything) else value
        if not isinstance(tensor, Tensor):
            return None
        joined = tensor if found is None else join(found, tensor)
        assert isinstance(joined, Tensor)
        found = joined
    return found


def _options(value: Value) -> tuple[Value, ...]:
    return value.options if isinstance(value, Either) else (value,)

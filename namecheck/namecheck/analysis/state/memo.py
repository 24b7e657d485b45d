"""Calls that were evaluated before: the same function with arguments of the same form.

The sizes in arguments that come from data are numbered in order of first appearance, so that a
block called on `[B, T, C]` and on `[b, n, d]` is evaluated once; the answer is then told in the
new call's sizes. What a call learned of its arguments and of sizes is learned again. A call that
wrote to something older than itself is not remembered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from namecheck.analysis.state import reasons
from namecheck.analysis.state.remembered_calls import Remembered
from namecheck.analysis.state.values import (
    Anything,
    Bound,
    Class,
    Constant,
    Container,
    Dict,
    DType,
    Either,
    Function,
    History,
    Instance,
    Layer,
    Library,
    List,
    Number,
    Packed,
    Partial,
    Repeated,
    ShapeOf,
    Tensor,
    Text,
    Transformed,
    Tuple,
    Value,
)
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Shape, Size, Trailing
from namecheck_runtime.sizes import Opaque, Origin, Polynomial, Symbol
from namecheck_runtime.strides import Strides

if TYPE_CHECKING:
    from namecheck.analysis.state.argument import Argument
    from namecheck.analysis.state.evaluate import Evaluator


class NotKeyed(Exception):
    """An argument that calls cannot be compared by."""


class Key:
    """Makes the part of a key that an argument gives; symbols are numbered unless `exact`."""

    def __init__(self, ev: Evaluator, exact: bool = False) -> None:
        self.ev = ev
        self.exact = exact
        self.numbers: dict[Symbol, int] = {}
        self.unknowns: dict[Value, int] = {}

    def of(self, value: Value, depth: int = 0) -> Any:
        """A hashable that two values share when they are of the same form."""
        if depth > 5:
            raise NotKeyed
        value = self.ev.resolve(value)
        if isinstance(value, Tensor):
            shape = self.shape(self.ev.current(value.shape))
            strides, history = self._strides(value.strides), _known_of(value.history)
            return ("T", value.kind, value.library, shape, strides, history)
        if isinstance(value, Number):
            return ("N", value.kind, self.size(self.ev.facts.representative(value.size)))
        if isinstance(value, Constant):
            return ("C", type(value.value), value.value)
        if isinstance(value, Anything):
            if value.config or self.exact:
                return value
            if value.sized:
                size = self.ev.facts.representative(value.size())
                return ("?", value.whole, self.size(size), value.maybe)
            return ("?", self.unknowns.setdefault(value, len(self.unknowns)))
        if isinstance(value, Instance):
            return (value, value.version)
        if isinstance(value, Tuple):
            return ("t", *[self.of(element, depth + 1) for element in value.elements])
        if isinstance(value, ShapeOf):
            return ("s", self.of(value.tensor, depth + 1))
        if isinstance(value, Repeated):
            return ("r", self.of(value.element, depth + 1))
        if isinstance(value, Packed):
            return ("P", self.of(value.padded, depth + 1))
        if isinstance(value, (Text, DType)):
            return type(value)
        if isinstance(value, Library):
            return ("L", value.path)
        if isinstance(value, Bound):
            return ("b", value.function, self.of(value.receiver, depth + 1))
        if isinstance(value, (Function, Class, Layer)):
            return value
        if isinstance(value, Either):
            return ("e", *[self.of(option, depth + 1) for option in value.options])
        if isinstance(value, (List, Container, Dict)):
            return self._contents(value, depth)
        if isinstance(value, Partial):
            given = tuple([self.of(one, depth + 1) for one in value.arguments])
            named = [(name, self.of(one, depth + 1)) for name, one in value.keywords.items()]
            return ("p", self.of(value.function, depth + 1), given, *named)
        if isinstance(value, Transformed):
            named = [(name, self.of(one, depth + 1)) for name, one in value.options.items()]
            return (value.path, self.of(value.function, depth + 1), *named)
        raise NotKeyed

    def _contents(self, value: Value, depth: int) -> Any:
        contents = self.ev.cells.get(value)
        if isinstance(value, Container):
            return (value, len(contents) if isinstance(contents, tuple) else -1)
        if isinstance(contents, tuple):
            return ("l", *[self.of(element, depth + 1) for element in contents])
        if isinstance(contents, dict):
            return ("d", *[(key, self.of(one, depth + 1)) for key, one in contents.items()])
        if isinstance(contents, Repeated):
            return ("lr", self.of(contents, depth + 1))
        raise NotKeyed

    def shape(self, shape: Shape) -> Any:
        """The form of a shape."""
        if isinstance(shape, tuple):
            return tuple([self._dim(dim) for dim in shape])
        if isinstance(shape, Trailing):
            return ("...", *[self._dim(dim) for dim in shape.dims])
        return None

    def _dim(self, dim: Dim) -> Any:
        trace = dim.trace
        if trace is None:
            return (dim.name, self.size(dim.size))
        factors = tuple([self._dim(factor) for factor in trace.factors])
        return (dim.name, self.size(dim.size), trace.marks, _told(trace.since), factors)

    def _strides(self, strides: Strides) -> Any:
        if not isinstance(strides, tuple):
            return strides
        return tuple([self.size(self.ev.facts.representative(stride)) for stride in strides])

    def size(self, size: Size) -> Any:
        """The form of a size."""
        if not isinstance(size, Polynomial):
            return size if isinstance(size, int) else "?"
        if self.exact:
            return size
        return tuple(
            [
                (tuple([(self._atom(atom), exponent) for atom, exponent in monomial]), coefficient)
                for monomial, coefficient in size.terms
            ]
        )

    def _atom(self, atom: Symbol | Opaque) -> Any:
        if isinstance(atom, Opaque):
            return (atom.function, *[self.size(operand) for operand in atom.operands])
        if atom.origin is Origin.CONFIG:
            return atom
        return (self.numbers.setdefault(atom, len(self.numbers)), atom.least)


def _known_of(history: History | None) -> Any:
    """A history as a key compares it."""
    if history is None:
        return None
    statistic = history.statistic
    return (
        history.role,
        _told(history.place),
        None if statistic is None else (statistic.kind, statistic.dims),
    )


def _told(place: Any) -> Any:
    """A place as a key compares it."""
    return None if place is None else (id(place.source), place.line)


def call_key(
    ev: Evaluator,
    function: Function,
    arguments: Sequence[Argument] | None,
    keywords: Mapping[str, Argument] | None,
) -> tuple[Any, tuple[Symbol, ...]] | None:
    """What calls of a function are compared by, and the symbols it numbers; None if nothing is."""
    if arguments is None or keywords is None or function.scope.function is not None:
        return None
    key = Key(ev)
    try:
        given = tuple([key.of(argument.value) for argument in arguments])
        named = tuple(sorted((n, key.of(a.value)) for n, a in keywords.items())) if keywords else ()
        # The same record may stand in two runs over its file: by itself, and for those that import
        # it.
        which = (id(function.record), id(function.source))
        made = (*which, ev.by_defaults, bool(ev.frame.quiet), given, named)
        hash(made)
    except (NotKeyed, TypeError):
        return None
    return made, tuple(key.numbers)


def class_key(
    ev: Evaluator,
    cls: Class,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument] | None,
) -> Any:
    """What constructions of a class are compared by; None if nothing is."""
    if keywords is None:
        return None
    key = Key(ev, exact=True)
    try:
        given = tuple([key.of(argument.value) for argument in arguments])
        named = tuple([(name, key.of(a.value)) for name, a in sorted(keywords.items())])
        made = (cls, bool(ev.frame.quiet), given, named)
        hash(made)
    except (NotKeyed, TypeError):
        return None
    return made


def tellable(ev: Evaluator, value: Value, depth: int = 0) -> bool:
    """Whether a result can be told again in other sizes."""
    value = ev.resolve(value)
    if isinstance(value, Tuple):
        return depth < 4 and all(tellable(ev, element, depth + 1) for element in value.elements)
    return isinstance(value, (Tensor, Number, Constant, Anything, Text, Library, DType))


class Telling:
    """Tells what a remembered call gave in the sizes of another call."""

    def __init__(
        self, ev: Evaluator, remembered: Remembered, symbols: Sequence[Symbol], place: int
    ) -> None:
        self.ev = ev
        self.remembered = remembered
        self.place = place
        self.sizes: dict[Symbol, Size] = {
            old: sizes.of_symbol(new)
            for old, new in zip(remembered.symbols, symbols, strict=True)
            if old is not new
        }

    def size(self, size: Size) -> Size:
        """The size as this call has it; what the call itself made up is made up again."""
        if not isinstance(size, Polynomial):
            return size
        for atom in size.symbols():
            if atom.serial >= self.remembered.first and atom not in self.sizes:
                if atom.origin is not Origin.CONFIG:
                    key = (self.place, "memo", atom)
                    made = self.ev.frame.symbol(key, atom.label, atom.origin, atom.least)
                    self.sizes[atom] = made
                    reasons.renamed(self.ev, atom, made)
        return sizes.substitute(size, self.sizes)

    def dims(self, dims: Dims) -> Dims:
        """Dims as this call has them."""
        return tuple([self._dim(dim) for dim in dims])

    def _dim(self, dim: Dim) -> Dim:
        size = self.size(dim.size)
        trace = dim.trace
        if trace is not None and trace.factors:
            trace = trace._replace(factors=self.dims(trace.factors))
        return dim if size is dim.size else Dim(dim.name, size, trace)

    def shape(self, shape: Shape) -> Shape:
        """A shape as this call has it."""
        if isinstance(shape, tuple):
            return self.dims(shape)
        return Trailing(self.dims(shape.dims)) if isinstance(shape, Trailing) else UNKNOWN

    def value(self, value: Value) -> Value:
        """A result as this call has it."""
        if isinstance(value, Tensor):
            told = value.with_shape(self.shape(value.shape), value.claimed)
            told.history = value.lasting
            if isinstance(told.strides, tuple):
                told.strides = tuple(map(self.size, told.strides))
            return told
        if isinstance(value, Number):
            return Number(self.size(value.size), value.kind)
        if isinstance(value, Tuple):
            return Tuple(map(self.value, value.elements), value.fields)
        if isinstance(value, Anything) and not value.config:
            if value.sized:
                return Anything.computed(self.size(value.size()), value.whole)
            return Anything(value.label)
        return value


def settled(ev: Evaluator, value: Value) -> Value:
    """A value with everything in it resolved and told in the sizes that hold now."""
    value = ev.resolve(value)
    if isinstance(value, Tensor):
        now = value.with_shape(ev.current(value.shape), value.claimed)
        now.history = value.lasting
        if isinstance(now.strides, tuple):
            now.strides = tuple(map(ev.facts.representative, now.strides))
        return now
    if isinstance(value, Number):
        return Number(ev.facts.representative(value.size), value.kind)
    if isinstance(value, Tuple):
        return Tuple([settled(ev, element) for element in value.elements], value.fields)
    return value

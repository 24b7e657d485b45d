"""Calls that were evaluated before: the same function with arguments of the same form.

The sizes in arguments that come from data are numbered in order of first appearance, so that a
block called on `[B, T, C]` and on `[b, n, d]` is evaluated once; the second call gets the answer in
its own sizes. It also learns what the first has learned of its arguments and of sizes. A call that
changed an object older than itself is not remembered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from namecheck.analysis.state import reasons
from namecheck.analysis.state.remembered_calls import NAMELESS, CallForm, Remembered
from namecheck.analysis.state.values import (
    MISSING,
    Anything,
    Bound,
    Claimed,
    Class,
    Constant,
    Container,
    Device,
    Dict,
    DType,
    Either,
    Entries,
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
    """An argument has no key, so the call cannot be compared with others."""


class Key:
    """Makes the parts of a key from arguments; symbols are numbered unless `exact`."""

    def __init__(self, ev: Evaluator, exact: bool = False) -> None:
        self.ev = ev
        self.exact = exact
        self.numbers: dict[Symbol, int] = {}
        self.unknowns: dict[Value, int] = {}
        self.claims: list[Claimed] = []

    def of(self, value: Value, depth: int = 0) -> Any:
        """A hashable that two values share if they are of the same form."""
        if depth > 5:
            raise NotKeyed
        value = self.ev.resolve(value)
        if isinstance(value, Tensor):
            return self._tensor(value)
        if isinstance(value, Number):
            return ("N", value.kind, self.size(self.ev.facts.representative(value.size)))
        if isinstance(value, Constant):
            return ("C", type(value), type(value.value), value.value)
        if isinstance(value, Anything):
            if value.config or self.exact:
                changed = self.ev.memory.assigned.get(value)
                return value if changed is None else self._changed(value, changed, depth)
            if value.sized:
                size = self.ev.facts.representative(value.size())
                return ("?", value.whole, self.size(size), value.maybe)
            number = self.unknowns.setdefault(value, len(self.unknowns))
            return ("?", value.scalar, number, self._counted(value))
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
        if isinstance(value, Device):
            return ("d", value.on_cpu)
        if isinstance(value, Library):
            return ("L", value.path)
        if isinstance(value, Bound):
            return ("b", value.function, self.of(value.receiver, depth + 1))
        if isinstance(value, Layer):
            return self.ev.cells.get(value, value)
        if isinstance(value, (Function, Class)):
            return value
        if isinstance(value, Either):
            return ("e", *[self.of(option, depth + 1) for option in value.options])
        if isinstance(value, (List, Container, Dict)):
            return self._contents(value, depth)
        if isinstance(value, Partial):
            positional = tuple([self.of(bound, depth + 1) for bound in value.arguments])
            named = [(name, self.of(bound, depth + 1)) for name, bound in value.keywords.items()]
            return ("p", self.of(value.function, depth + 1), positional, *named)
        if isinstance(value, Transformed):
            named = [(name, self.of(option, depth + 1)) for name, option in value.options.items()]
            return (value.path, self.of(value.function, depth + 1), *named)
        raise NotKeyed

    def _tensor(self, value: Tensor) -> Any:
        gradient = value.gradient
        if gradient is not None and not gradient.is_of_parameter:
            raise NotKeyed  # what it keeps, and where it lies, is its own
        shape = self.shape(self.ev.current(value.shape))
        strides, history = self._strides(value.strides), _history_key(value.history)
        claimed = value.claimed
        if claimed is not None:
            self.claims.append(claimed)
        counted = None if isinstance(value.shape, tuple) else self._counted(value)
        key = (
            "T",
            value.kind,
            value.library,
            shape,
            strides,
            history,
            claimed is not None,
            counted,
        )
        return key if gradient is None else (*key, gradient.is_view)

    def _counted(self, value: Value) -> Any:
        """The sizes of the first dims that were read of a value of unknown rank."""
        count = self.ev.ranks.counted.get(value, 0)
        if not count:
            return None
        stored = [self.ev.cells.get((value, index)) for index in range(count)]
        return tuple([self.of(one) if isinstance(one, Number) else None for one in stored])

    def _changed(self, value: Value, names: set[str], depth: int) -> Any:
        """An unknown configuration whose attributes the program has assigned."""
        held = [(name, self.ev.cells.get((value, name))) for name in sorted(names)]
        return (
            value,
            *[(name, None if one is None else self.of(one, depth + 1)) for name, one in held],
        )

    def _contents(self, value: Value, depth: int) -> Any:
        contents = self.ev.cells.get(value)
        if isinstance(value, Container):
            return (value, len(contents) if isinstance(contents, tuple) else -1)
        if isinstance(contents, tuple):
            return ("l", *[self.of(element, depth + 1) for element in contents])
        if isinstance(contents, dict):
            return ("d", *[(key, self.of(entry, depth + 1)) for key, entry in contents.items()])
        if isinstance(contents, Entries):
            parts = [(key, self.of(entry, depth + 1)) for key, entry in contents.certain.items()]
            return ("de", contents.possible, self.of(contents.element, depth + 1), *parts)
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
        return (
            dim.name,
            self.size(dim.size),
            trace.marks,
            _place_key(trace.since),
            factors,
            trace.word,
        )

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
        number = self.numbers.setdefault(atom, len(self.numbers))
        return (number, atom.least, atom.label == NAMELESS)


def _history_key(history: History | None) -> Any:
    """The part of a key that a history gives."""
    if history is None:
        return None
    statistic = history.statistic
    return (
        history.role,
        _place_key(history.place),
        None if statistic is None else (statistic.kind, statistic.dims),
    )


def _place_key(place: Any) -> Any:
    """The part of a key that a place gives."""
    return None if place is None else (id(place.source), place.line)


def call_key(
    ev: Evaluator,
    function: Function,
    arguments: Sequence[Argument] | None,
    keywords: Mapping[str, Argument] | None,
) -> CallForm | None:
    """The form of a call; None if it cannot be compared with others."""
    if arguments is None or keywords is None or function.scope.function is not None:
        return None
    maker = Key(ev)
    try:
        positional = tuple([maker.of(argument.value) for argument in arguments])
        named = (
            tuple(sorted((n, maker.of(a.value)) for n, a in keywords.items())) if keywords else ()
        )
        # Two runs over a file may share a record: one for the file, one for files that import it.
        which = (id(function.record), id(function.source))
        # Under a test of the configuration, modules go another way than elsewhere.
        configuration = ev.facts.stated_configuration()
        stated: tuple[Any, ...] = (configuration, ev.ranks.square, ev.memory.options_set)
        if ev.gradients.is_needed:
            stated = (*stated, ev.gradients.following.mode)
        key = (*which, ev.by_defaults, bool(ev.frame.quiet), stated, positional, named)
        hash(key)
    except (NotKeyed, TypeError):
        return None
    nameless = [n for n, atom in enumerate(maker.numbers) if atom.label == NAMELESS]
    return CallForm(key, tuple(maker.numbers), tuple(maker.claims), tuple(nameless))


def class_key(
    ev: Evaluator,
    cls: Class,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument] | None,
) -> Any:
    """The key of a construction of a class; None if it has no key."""
    if keywords is None:
        return None
    maker = Key(ev, exact=True)
    try:
        positional = tuple([maker.of(argument.value) for argument in arguments])
        named = tuple([(name, maker.of(a.value)) for name, a in sorted(keywords.items())])
        key = (cls, bool(ev.frame.quiet), ev.facts.stated_configuration(), positional, named)
        hash(key)
    except (NotKeyed, TypeError):
        return None
    return key


def is_translatable(ev: Evaluator, value: Value, depth: int = 0) -> bool:
    """Whether a result can be translated into other sizes."""
    value = ev.resolve(value)
    if isinstance(value, Tuple):
        return depth < 4 and all(
            is_translatable(ev, element, depth + 1) for element in value.elements
        )
    if value is MISSING:
        return False
    known = (Tensor, Number, Constant, Anything, Text, Library, DType, Device)
    return isinstance(value, known)


class Translation:
    """Translates the result of a remembered call into the sizes of another call."""

    def __init__(self, ev: Evaluator, remembered: Remembered, form: CallForm, place: int) -> None:
        self.ev = ev
        self.remembered = remembered
        self.form = form
        self.place = place
        self.claims = list(zip(remembered.form.claims, form.claims, strict=True))
        self.sizes: dict[Symbol, Size] = {
            old: sizes.of_symbol(new)
            for old, new in zip(remembered.form.symbols, form.symbols, strict=True)
            if old is not new
        }

    def name_sizes(self) -> None:
        """Give sizes of this call's arguments the names that the call gives to those without."""
        for number, label, of_row in self.remembered.named:
            before, now = self.remembered.form.symbols[number], self.form.symbols[number]
            if now.label == NAMELESS:
                now.label, now.of_row = label, of_row
                reasons.renamed(self.ev, before, sizes.of_symbol(now))
                self.ev.roles.renamed(before, sizes.of_symbol(now))

    def size(self, size: Size) -> Size:
        """The size in this call; a symbol that the remembered call created gets a new one."""
        if not isinstance(size, Polynomial):
            return size
        # The symbols are a set, and the new ones are numbered in the order in which they are made.
        for atom in sizes.in_order(size.symbols()):
            if atom.serial >= self.remembered.first and atom not in self.sizes:
                if atom.origin is not Origin.CONFIG:
                    key = (self.place, "memo", atom)
                    symbol = self.ev.frame.symbol(key, atom.label, atom.origin, atom.least)
                    self.sizes[atom] = symbol
                    reasons.renamed(self.ev, atom, symbol)
                    self.ev.roles.renamed(atom, symbol)
        return sizes.substitute(size, self.sizes)

    def dims(self, dims: Dims) -> Dims:
        """The dims in this call."""
        return tuple([self._dim(dim) for dim in dims])

    def _dim(self, dim: Dim) -> Dim:
        size = self.size(dim.size)
        trace = dim.trace
        if trace is not None and trace.factors:
            trace = trace._replace(factors=self.dims(trace.factors))
        return dim if size is dim.size else Dim(dim.name, size, trace)

    def shape(self, shape: Shape) -> Shape:
        """The shape in this call."""
        if isinstance(shape, tuple):
            return self.dims(shape)
        return Trailing(self.dims(shape.dims)) if isinstance(shape, Trailing) else UNKNOWN

    def _claim(self, claimed: Claimed | None) -> Claimed | None:
        """What a result rests on in this call: the claim about the argument that had one before."""
        if claimed is not None:
            said = claimed.source, claimed.line, claimed.node, claimed.said
            for old, new in self.claims:
                if said == (old.source, old.line, old.node, old.said):
                    return new._replace(rank=new.rank and claimed.rank)
        return claimed

    def value(self, value: Value) -> Value:
        """The result in this call."""
        if isinstance(value, Tensor):
            tensor = value.with_shape(self.shape(value.shape), self._claim(value.claimed))
            tensor.history = value.lasting
            if isinstance(tensor.strides, tuple):
                tensor.strides = tuple(map(self.size, tensor.strides))
            return tensor
        if isinstance(value, Number):
            return Number(self.size(value.size), value.kind, self._claim(value.claimed))
        if isinstance(value, Tuple):
            return Tuple(map(self.value, value.elements), value.fields)
        if isinstance(value, Anything) and not value.config:
            if value.scalar:
                return Anything.presumed_scalar()
            if value.sized:
                return Anything.computed(self.size(value.size()), value.whole)
            return Anything(value.label)
        return value


def settled(ev: Evaluator, value: Value) -> Value:
    """A value with everything in it resolved, and its sizes in their current form."""
    value = ev.resolve(value)
    if isinstance(value, Tensor):
        now = value.with_shape(ev.current(value.shape), value.claimed)
        now.history = value.lasting
        if isinstance(now.strides, tuple):
            now.strides = tuple(map(ev.facts.representative, now.strides))
        return now
    if isinstance(value, Number):
        return Number(ev.facts.representative(value.size), value.kind, value.claimed)
    if isinstance(value, Tuple):
        return Tuple([settled(ev, element) for element in value.elements], value.fields)
    return value

"""Values as plain data: the form of a call's arguments, and of what the call gave.

A form says all that the evaluation of a function can see of a value, so that an equal one can be
made of it in another run. Values that have more to them have no form: instances, functions of the
checked file, tensors with a history, sizes about which something is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.state.values import (
    CONSTANT,
    FALSE,
    MISSING,
    NONE,
    TRUE,
    Anything,
    Constant,
    Device,
    Dict,
    DType,
    Instance,
    Library,
    List,
    Number,
    Repeated,
    Set,
    Tensor,
    Text,
    Tuple,
    Value,
)
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dim, Shape, Size, Trailing
from namecheck_runtime.sizes import Opaque, Origin, Polynomial, Symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


class NotComparable(Exception):
    """A value has no form."""


class Forms:
    """Writes the forms of values: equal values and sizes have the same number in all of them.

    The forms of arguments are `whole`: a run can make the arguments of them again. Those of results
    are not, since they are only compared.
    """

    def __init__(self, ev: Evaluator, whole: bool) -> None:
        self.ev = ev
        self.whole = whole
        self.values: dict[Value, int] = {}
        self.symbols: dict[Symbol, int] = {}

    def of(self, value: Value, depth: int = 0) -> Any:
        """The form of a value. Raises `NotComparable`."""
        value = self.ev.resolve(value)
        kind = type(value)
        if kind is Constant:
            return self._constant(value)
        if kind is Anything:
            return self._anything(value)
        if kind is Tensor:
            return self._tensor(value)
        if isinstance(value, Number):
            if value.claimed is not None:
                raise NotComparable
            return ("n", value.kind, self.size(value.size))
        if kind is Text or kind is DType or kind is Device:
            return (kind.__name__,)
        if isinstance(value, Library):
            return ("l", value.path)
        if depth > _DEEPEST:
            raise NotComparable
        if isinstance(value, Tuple):
            if value.fields or value.of_op is not None or value.claimed is not None:
                raise NotComparable
            inside = [self.of(one, depth + 1) for one in value.elements]
            return ("t", value.of_shape, value.is_generator, inside)
        if kind is List or kind is Dict or kind is Set:
            return self._row(value, depth)
        raise NotComparable

    def _constant(self, value: Value) -> Any:
        assert isinstance(value, Constant)
        if value is NONE or value is TRUE or value is FALSE:
            return ("k", value.value)
        held = value.value
        if isinstance(held, (bool, int, float, str, bytes)) or held is None:
            return ("c", type(held).__name__, repr(held) if isinstance(held, float) else held)
        if held is ...:
            return ("...",)
        raise NotComparable

    def _anything(self, value: Value) -> Any:
        assert isinstance(value, Anything)
        number = self.values.get(value)
        if number is not None:
            return ("=", number, self._size_of(value))
        if value is MISSING or value.maybe is not None or value.has_attributes:
            raise NotComparable
        if value.choices or value.callees or value.holders:
            raise NotComparable
        if value.config and (not value.unused or value in self.ev.memory.assigned):
            raise NotComparable
        self._check_unrelated(value)
        number = self.values[value] = len(self.values)
        flags = (value.whole, value.scalar, value.spread, value.varies, value.config)
        read = self._sizes_read(value)
        return ("?", number, value.label, flags, self._size_of(value), read)

    def _sizes_read(self, value: Value) -> Any:
        """The sizes that were read of a value whose rank is not known."""
        cells, count = self.ev.cells, self.ev.ranks.counted.get(value, 0)
        read = []
        for index in range(max(count, _MOST_READ)):
            held = cells.get((value, index))
            if held is not None:
                read.append((index, self.of(held, _DEEPEST)))
        return (count, read) if count or read else None

    def _size_of(self, value: Anything) -> Any:
        return None if value.unused else self.size(value.size())

    def _tensor(self, value: Value) -> Any:
        assert isinstance(value, Tensor)
        number = self.values.get(value)
        if number is not None:
            return ("=", number, None)
        if value.claimed is not None or value.turned is not None or value.gradient is not None:
            raise NotComparable
        if value.strides is not UNKNOWN:
            raise NotComparable
        if value.history is not None and value.history is not CONSTANT:
            raise NotComparable
        self._check_unrelated(value)
        number = self.values[value] = len(self.values)
        flags = (value.spread, value.history is CONSTANT)
        shape, read = self.shape(value.shape), self._sizes_read(value)
        return ("T", number, shape, value.kind, value.library, flags, read)

    def _check_unrelated(self, value: Value) -> None:
        """An argument about which the walk knows more than its form says has none."""
        if self.whole and (self.ev.ranks.concern(value) or value in self.ev.cells.changed):
            raise NotComparable

    def _row(self, value: Value, depth: int) -> Any:
        number = self.values.get(value)
        if number is not None:
            return ("=", number, None)
        number = self.values[value] = len(self.values)
        kind = type(value).__name__
        contents = self.ev.cells.get(value)
        if isinstance(contents, tuple):
            return (kind, number, [self.of(one, depth + 1) for one in contents])
        if isinstance(contents, dict):
            rows = [(self._key(k), self.of(one, depth + 1)) for k, one in contents.items()]
            return (kind, number, ("dict", rows))
        if type(contents) is Repeated and contents.cut is None:
            return (kind, number, ("repeated", self.of(contents.element, depth + 1)))
        raise NotComparable

    def _key(self, key: Any) -> Any:
        if isinstance(key, str):
            return key
        raise NotComparable

    def shape(self, shape: Shape) -> Any:
        """The form of a shape."""
        if isinstance(shape, tuple):
            return [self._dim(dim) for dim in shape]
        if isinstance(shape, Trailing):
            return ("...", [self._dim(dim) for dim in shape.dims])
        return None

    def _dim(self, dim: Dim) -> Any:
        if dim.trace is not None:
            raise NotComparable
        return (0 if dim.name is UNKNOWN else dim.name, self.size(dim.size))

    def size(self, size: Size) -> Any:
        """The form of a size."""
        size = self.ev.facts.representative(size)
        if isinstance(size, int):
            return size
        if not isinstance(size, Polynomial):
            return "?"
        atom = sizes.plain_symbol(size)
        if atom is not None:
            return self._atom(atom)
        if self.whole:
            raise NotComparable
        return [
            ([(self._atom(one), exponent) for one, exponent in monomial], str(coefficient))
            for monomial, coefficient in size.terms
        ]

    def _atom(self, atom: Symbol | Opaque) -> Any:
        if isinstance(atom, Opaque):
            return (atom.function, [self.size(one) for one in atom.operands])
        number = self.symbols.get(atom)
        if number is not None:
            return number + _FIRST
        if atom.choices:
            raise NotComparable
        if atom.origin is Origin.CONFIG or (self.whole and is_known(self.ev, atom)):
            raise NotComparable
        self.symbols[atom] = len(self.symbols)
        flags = (atom.comments, atom.varies, atom.of_row)
        return ("$", atom.label, atom.origin.name, atom.least, flags)

    def order(self, first: int) -> list[int]:
        """The numbers of the symbols from one on, in the order in which the walk has made them."""
        serials = sorted(self.symbols, key=_serial)
        return [number for atom in serials if (number := self.symbols[atom]) >= first]


def is_known(ev: Evaluator, atom: Symbol) -> bool:
    """Whether something was learned of a symbol that it does not say itself."""
    return (
        ev.facts.concern(atom)
        or ev.roles.concern(atom)
        or atom in ev.origins.sizes
        or atom in ev.counted
        or atom in ev.ranks.batches
        or any(atom in pair for pair in ev.ranks.squares)
    )


def _serial(atom: Symbol) -> int:
    return atom.serial


_DEEPEST: Final = 3
"""How deep lists and tuples inside each other have forms."""

_MOST_READ: Final = 6
"""The first sizes of a value that are looked for in any case."""

_FIRST: Final = -1_000_000
"""The form of a symbol that came before is this and its number; no size is so small."""


def weak_form(ev: Evaluator, value: Value) -> Any:
    """What is said of an argument of a call inside the one that is compared."""
    try:
        return Forms(ev, whole=False).of(value)
    except NotComparable:
        value = ev.resolve(value)
        named = value.cls.name if isinstance(value, Instance) else ""
        return (type(value).__name__, named)


class Made:
    """Makes values of their forms."""

    def __init__(self, ev: Evaluator) -> None:
        self.ev = ev
        self.values: list[Value] = []
        self.symbols: list[Size] = []

    def value(self, form: Any) -> Value:
        """The value with a form."""
        match form[0]:
            case "k":
                return NONE if form[1] is None else TRUE if form[1] else FALSE
            case "c":
                return Constant(float(form[2]) if form[1] == "float" else form[2])
            case "...":
                return Constant(...)
            case "=":
                value: Value = self.values[form[1]]
                return value
            case "?":
                return self._anything(form)
            case "T":
                return self._tensor(form)
            case "n":
                return Number(self.size(form[2]), form[1])
            case "Text":
                return Text()
            case "DType":
                return DType()
            case "Device":
                return Device()
            case "l":
                return Library(form[1])
            case "t":
                inside = [self.value(one) for one in form[3]]
                return Tuple(inside, (), form[1], None, form[2])
        return self._row(form)

    def _anything(self, form: Any) -> Value:
        _, _, label, (whole, scalar, spread, varies, config), size, read = form
        value = Anything(label, config)
        value.whole, value.scalar, value.spread, value.varies = whole, scalar, spread, varies
        self.values.append(value)
        self._give_sizes(value, read)
        if size is not None:
            value.set_size(self.size(size))
        return value

    def _give_sizes(self, value: Value, read: Any) -> None:
        count, held = read or (0, ())
        if count:
            self.ev.ranks.counted[value] = count
        for index, form in held:
            self.ev.cells[value, index] = self.value(form)

    def _tensor(self, form: Any) -> Value:
        _, _, shape, kind, library, (spread, constant), read = form
        value = Tensor(self.shape(shape), kind, library, history=CONSTANT if constant else None)
        value.spread = spread
        self.values.append(value)
        self._give_sizes(value, read)
        return value

    def _row(self, form: Any) -> Value:
        kind, _, contents = form
        row = Dict() if kind == "Dict" else Set() if kind == "Set" else List()
        self.values.append(row)
        if contents and contents[0] == "dict":
            self.ev.cells[row] = {key: self.value(one) for key, one in contents[1]}
        elif contents and contents[0] == "repeated":
            self.ev.cells[row] = Repeated(self.value(contents[1]))
        else:
            self.ev.fill(row, [self.value(one) for one in contents])
        return row

    def shape(self, form: Any) -> Shape:
        """The shape with a form."""
        if form is None:
            return UNKNOWN
        if form and form[0] == "...":
            return Trailing(tuple([self._dim(one) for one in form[1]]))
        return tuple([self._dim(one) for one in form])

    def _dim(self, form: Any) -> Dim:
        name, size = form
        return Dim(UNKNOWN if name == 0 else name, self.size(size))

    def size(self, form: Any) -> Size:
        """The size with a form."""
        if form == "?":
            return UNKNOWN
        if isinstance(form, int):
            return form if form > _FIRST // 2 else self.symbols[form - _FIRST]
        _, label, origin, least, (comments, varies, of_row) = form
        size = sizes.symbol(label, Origin[origin], least)
        (atom,) = size.symbols()
        atom.comments, atom.varies, atom.of_row = comments, varies, of_row
        self.symbols.append(size)
        return size

"""Abstract values: what the evaluator knows of a Python value without running the program.

A value is immutable; what a path of the program learns about it later, or stores in it, stands in
`path.Path` under the value itself as the key. So values are compared by identity, and `same` and
`join` look inside. What operations do to values is not here.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from itertools import count
from typing import Any, Final, NamedTuple

from namecheck import frameworks
from namecheck.analysis.reading import ir
from namecheck_runtime import layers, sizes
from namecheck_runtime.algebra import common
from namecheck_runtime.lattice import UNKNOWN, Dims, Shape, Size, known_dims
from namecheck_runtime.strides import Strides

serials = count()
"""Numbers the values that have an identity the program can see, in the order they are made."""


class Value:
    """Base of all values."""

    __slots__ = ()


class Held(Value):
    """What a path holds something of: contents, attributes."""

    __slots__ = ("count", "serial")

    def __init__(self) -> None:
        self.serial = next(serials)
        self.count = 1
        """As `count_of` counts it, of the most that it has held."""


class Anything(Value):
    """A value of which nothing is known but its identity, and perhaps where it came from.

    `label` is the access path by which messages name it (`cfg.dim`, `heads`); `config` says that it
    stands for a constructor parameter or something read off one, so that its attributes are again
    such, one per path. Used as a size it is the symbol `size()`, always the same one. `maybe` is
    the tensor that it is if it is not None.
    """

    __slots__ = ("_attributes", "_symbol", "choices", "config", "label", "maybe", "whole")

    def __init__(self, label: str = "", config: bool = False, maybe: Tensor | None = None) -> None:
        self.label = label
        self.config = config
        self.maybe = maybe
        self.choices: tuple[Value, ...] = ()
        """What a constructor chose it from: `width or 4 * dim`."""
        self.whole = True
        """Whether it is an int if it is a number at all."""
        self._symbol: Size = UNKNOWN
        self._attributes: dict[str, Anything] | None = None

    @classmethod
    def computed(cls, size: Size, whole: bool = True) -> Anything:
        """What arithmetic with something unknown gives: that size, or a tensor."""
        made = cls()
        made._symbol = size
        made.whole = whole
        return made

    @classmethod
    def chosen(cls, *choices: Value) -> Anything:
        """What a constructor takes from several sizes: a size of its own."""
        made = cls(config=True)
        made.choices = choices
        return made

    @property
    def unused(self) -> bool:
        """Whether nobody has asked for its size."""
        return self._symbol is UNKNOWN

    @property
    def sized(self) -> bool:
        """Whether it can be spoken of as a size."""
        return self.label != "" or self._symbol is not UNKNOWN

    def size(self) -> Size:
        """The symbolic size that this value is, if it is one."""
        if self._symbol is UNKNOWN:
            origin = sizes.Origin.CONFIG if self.config else sizes.Origin.DATA
            # Whether a parameter without a default may be 0 is not known until it is used.
            self._symbol = symbol = sizes.symbol(self.label or "?", origin, least=0)
            if self.choices:
                (atom,) = symbol.symbols()
                atom.choices = self.choices
        return self._symbol

    def size_at_least(self, least: int) -> None:
        """Say what the smallest value of the symbol is."""
        origin = sizes.Origin.CONFIG if self.config else sizes.Origin.DATA
        self._symbol = sizes.symbol(self.label, origin, least)

    def attribute(self, name: str) -> Anything:
        """What a field of it is: the same value each time."""
        if not self.config:
            return Anything(f"{self.label}.{name}" if self.label else "")
        if self._attributes is None:
            self._attributes = {}
        found = self._attributes.get(name)
        if found is None:
            found = self._attributes[name] = Anything(f"{self.label}.{name}", True)
        return found


def choices_of(atom: sizes.Symbol) -> list[Size]:
    """The sizes that a constructor chose this one from, as far as they are known."""
    found: list[Size] = []
    for choice in atom.choices:
        if isinstance(choice, Number):
            found.append(choice.size)
        elif isinstance(choice, Anything):
            found.append(choice.size())
    return found


class Role(Enum):
    """What a tensor is to those that compute with it."""

    CONSTANT = "constant"
    """A parameter or a buffer, or something that is not known to depend on the input."""
    SCORES = "scores"
    """A product of two activations, of every query with every key."""
    WEIGHTS = "weights"
    """Scores that were normalised."""


class Statistic(NamedTuple):
    """What a tensor is in relation to another value that it was computed of.

    `kind` is "mean", "spread", "sum", "extent" (a norm, the largest) over `dims` of it, "centred"
    (less its mean over `dims`), "deviation" (something of each centred element), "exponential",
    "share" (of the sum over `dims`), or "unit" (of length 1 over `dims`).
    """

    kind: str
    of: Value
    dims: tuple[int, ...] = ()


class History(NamedTuple):
    """How a tensor was computed.

    `place` is where the scores were that it is or was made of, `over` the size that these were
    summed over, `letters` what the equation called their dims, while they stand where they stood.
    `named` says that the factors of the scores are called queries and keys, `axis` along which dim
    those were normalised that stand last, counted from the right; 0 if they were not.
    """

    role: Role | None = None
    place: Any = None
    statistic: Statistic | None = None
    over: Size = UNKNOWN
    letters: tuple[str, ...] = ()
    named: bool = False
    axis: int = 0


CONSTANT = History(Role.CONSTANT)


class Tensor(Value):
    """A tensor: its shape, its dtype's kind, and whose tensor it is.

    `library` is the class whose methods it has ("Tensor" or "ndarray"), "" when that is not known.
    `claimed` says that its rank is known from a comment only. `strides` is how it lies in memory,
    `turned` since which op at which place that is not in row-major order. `history` is how it was
    computed, None when that does not matter.
    """

    __slots__ = ("claimed", "history", "kind", "library", "shape", "strides", "turned")

    def __init__(
        self,
        shape: Shape = UNKNOWN,
        kind: str = "unknown",
        library: str = "",
        claimed: bool = False,
        strides: Strides = UNKNOWN,
        turned: Any = None,
        history: History | None = None,
    ) -> None:
        self.history = history
        self.claimed = claimed
        self.shape = shape
        self.kind = kind
        self.library = library
        self.strides = strides
        self.turned = turned

    @property
    def empty(self) -> bool:
        """Whether a dim of it has no places: it waits for another tensor."""
        return any(dim.size == 0 for dim in known_dims(self.shape))

    def anywhere(self) -> Tensor:
        """The same tensor, wherever it may lie in memory."""
        return Tensor(self.shape, self.kind, self.library, self.claimed)

    def with_shape(self, shape: Shape, claimed: bool = False) -> Tensor:
        """The same tensor, of whose shape more or less is known."""
        strides, turned, history = self.strides, self.turned, self.history
        return Tensor(shape, self.kind, self.library, claimed, strides, turned, history)

    def remember(self, history: History | None, shape: Shape) -> Tensor:
        """The same tensor with a history, and the traces of a shape that equals its own."""
        strides, turned = self.strides, self.turned
        return Tensor(shape, self.kind, self.library, self.claimed, strides, turned, history)

    @property
    def lasting(self) -> History | None:
        """What of its history holds wherever it is told: the role, and no relation to a value."""
        history: History | None = self.history
        return history if history is None else history._replace(statistic=None)


def constant(value: Value) -> Value:
    """A value that a model keeps: what is a tensor then depends on no input."""
    return value.remember(CONSTANT, value.shape) if isinstance(value, Tensor) else value


class Number(Value):
    """An int, bool, float or complex; `size` is its value as far as sizes can tell it."""

    __slots__ = ("kind", "size")

    def __init__(self, size: Size = UNKNOWN, kind: str = "int") -> None:
        self.size = size
        self.kind = kind


class Constant(Value):
    """A Python value that is known: bool, float, complex, str, bytes, None or `...`."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class Text(Value):
    """A string that is not known."""

    __slots__ = ()


class Tuple(Value):
    """A tuple whose elements are known one by one.

    `of_shape` says that they are a part of a shape; `of_op` is the op that made just so many of
    them, and the shape that it made them of.
    """

    __slots__ = ("count", "elements", "fields", "of_op", "of_shape")

    def __init__(
        self,
        elements: Iterable[Value],
        fields: tuple[str, ...] = (),
        of_shape: bool = False,
        of_op: tuple[str, Shape] | None = None,
    ) -> None:
        self.elements = tuple(elements)
        self.count = 1 + counts_of(self.elements)
        self.fields = fields
        self.of_shape = of_shape
        self.of_op = of_op


MOST_VALUES: Final = 4096
"""Values that a sequence or dict may have, those inside of its values included: each line of
`t = (t, t)` doubles them.
"""


def count_of(value: Value) -> int:
    """How many values a value is, each counted as often as it stands there."""
    return value.count if isinstance(value, (Tuple, Held)) else 1


def counts_of(values: Iterable[Value]) -> int:
    """How many values several are."""
    return sum([count_of(value) for value in values])


class ShapeOf(Value):
    """`x.shape`: kept together with its tensor, so that unpacking it can teach us the rank."""

    __slots__ = ("tensor",)

    def __init__(self, tensor: Value) -> None:
        self.tensor = tensor


class List(Held):
    """A list; its contents stand in the path: a tuple of values, or `Repeated`."""

    __slots__ = ()


class Dict(Held):
    """A dict; its contents stand in the path: a dict from constants to values, or `Repeated`."""

    __slots__ = ()


class Repeated(Value):
    """Some number of values, each of which is `element`: an iterator, or a list's contents."""

    __slots__ = ("cut", "element")

    def __init__(self, element: Value, cut: tuple[Dims, int] | None = None) -> None:
        self.element = element
        self.cut = cut
        """Of the slices of a tensor: its dims, and along which of them they lie."""


class DType(Value):
    """A dtype that is not known, or what is known of one: its limits."""

    __slots__ = ()


class Packed(Value):
    """Sequences of several lengths, packed: `padded` is what they were before, batch first."""

    __slots__ = ("padded",)

    def __init__(self, padded: Value) -> None:
        self.padded = padded


class Library(Value):
    """Something that lives in a module outside this file, by its dotted path."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path


class Alias(Value):
    """A name for a shape annotation, `Img = Float[Tensor, "c h w"]`, and what that declares."""

    __slots__ = ("declaration",)

    def __init__(self, declaration: Any) -> None:
        self.declaration = declaration


class Deferred(Value):
    """What a name stands for that is looked into only when somebody asks: see `imports`.

    Variables hold it and nothing else does: looking a name up gives what it stands for.
    """

    __slots__ = ()

    def give(self, ev: Any) -> Value:
        """The value."""
        raise NotImplementedError

    def stands_for(self) -> tuple[Any, str] | None:
        """The frame of another module, and the name in it whose value this is, where it is one."""
        return None


CONSTRUCTORS = frozenset({"__init__", "__post_init__"})
"""Methods that Python calls to make an instance."""

BUILDERS = CONSTRUCTORS | {"setup"}
"""Methods that give an instance its attributes before any other runs; `setup` is flax's."""


class Function(Value):
    """A function of this file: its record, and the scope that it closes over.

    `kind` is "function", "property", "static" or "class"; `owner` the class that it stands in.
    """

    __slots__ = (
        "body",
        "kind",
        "line",
        "name",
        "owner",
        "parameters",
        "record",
        "registers",
        "scope",
        "source",
    )

    def __init__(
        self,
        record: ir.FunctionDef | ir.Lambda,
        scope: Any,
        source: Any,
        kind: str = "function",
    ) -> None:
        self.record = record
        self.scope = scope
        self.source = source
        self.kind = kind
        self.owner: Class | None = None
        self.parameters = record.parameters
        self.registers: bool | None = None
        """Whether it only hands back what it is given, as a decorator that enters functions in a
        table does; None before somebody has asked.
        """
        if isinstance(record, ir.FunctionDef):
            self.name, self.body, self.line = record.name, record.body, record.line
        else:
            self.name, self.body, self.line = "<lambda>", (), 0


class Decorated(Anything):
    """A function of this file behind a decorator that may change what it computes."""

    __slots__ = ("function",)

    def __init__(self, function: Function) -> None:
        super().__init__()
        self.function = function


class Bound(Value):
    """A function of this file with its receiver."""

    __slots__ = ("function", "receiver")

    def __init__(self, function: Function, receiver: Value) -> None:
        self.function = function
        self.receiver = receiver


class Method(Value):
    """A method of a value that is not an instance of a class of this file: `x.transpose`."""

    __slots__ = ("name", "receiver")

    def __init__(self, receiver: Value, name: str) -> None:
        self.receiver = receiver
        self.name = name


class Partial(Value):
    """`functools.partial(...)`."""

    __slots__ = ("arguments", "function", "keywords")

    def __init__(
        self, function: Value, arguments: tuple[Value, ...], keywords: dict[str, Value]
    ) -> None:
        self.function = function
        self.arguments = arguments
        self.keywords = keywords


class Transformed(Value):
    """A function that a transform of a library has made of another: `jax.vmap(f, in_axes=1)`.

    `path` is what the transform is called, `options` is what else it was given.
    """

    __slots__ = ("function", "options", "path")

    def __init__(self, path: str, function: Value, options: dict[str, Value]) -> None:
        self.path = path
        self.function = function
        self.options = options


class Class(Value):
    """A class of this file: its own names, its bases, and whether it is a layer of a library.

    `lineage` is the order in which attributes are looked up: classes of this file, and `Library`
    for the others. `closed` says that no base is unknown to us.
    """

    __slots__ = (
        "attributes",
        "built",
        "declared",
        "decorators",
        "line",
        "lineage",
        "name",
        "rebound",
        "record",
        "replaced",
        "scope",
        "source",
        "updated",
        "working",
    )

    def __init__(
        self, record: ir.ClassDef, lineage: tuple[Value, ...], source: Any, scope: Any = None
    ) -> None:
        self.record = record
        self.name = record.name
        self.line = record.line
        self.source = source
        self.scope = scope
        """The frame in which the class statement stands."""
        self.lineage: tuple[Value, ...] = (self, *lineage)
        self.attributes: dict[str, Value] = {}
        self.rebound: frozenset[str] = frozenset()
        self.built: frozenset[str] = frozenset()
        """Attributes that `__init__` assigns."""
        self.working: frozenset[str] = frozenset()
        """Those of `rebound` that are assigned while the object works."""
        self.updated: frozenset[str] = frozenset()
        """Those of `rebound` that are only updated, `self.w -= d`."""
        self.replaced: set[str] = set()
        """Attributes that the constructors of its subclasses assign."""
        self.decorators: tuple[str, ...] = ()
        self.declared: dict[str, Any] | None = None
        """What annotations in the body declare of attributes; None until somebody asks."""


def same_class(left: Value, right: Value) -> bool:
    """Whether two values are one class statement: a file is evaluated by itself and for others."""
    if left is right:
        return True
    if not isinstance(left, Class) or not isinstance(right, Class) or left.name != right.name:
        return False
    mine, other = left.source, right.source
    return bool(
        mine.file.real == other.file.real
        and mine.file.real
        and left.line + mine.line == right.line + other.line
    )


class Instance(Held):
    """An instance of a class of this file; its attributes stand in the path as (instance, name).

    `unseen` are those that the program reads and that we saw nobody set; `pending` is how a module
    is made that nobody has looked into yet: its constructor's arguments.
    """

    __slots__ = ("cls", "label", "names", "pending", "unseen", "version")

    def __init__(self, cls: Class, label: str = "self") -> None:
        super().__init__()
        self.cls = cls
        self.label = label
        self.pending: Any = None
        self.unseen: dict[str, Value] = {}
        self.names: dict[str, Size] = {}
        """What the names in the annotations of its attributes stand for."""
        self.version = 0
        """How often an attribute was assigned: what was computed from it may be stale."""


class Super(Value):
    """`super()` in a method of `owner`: attributes are looked up behind it."""

    __slots__ = ("owner", "receiver")

    def __init__(self, owner: Class, receiver: Value) -> None:
        self.owner = owner
        self.receiver = receiver


class Layer(Value):
    """A layer of a library with its constructor's arguments bound."""

    __slots__ = ("instance", "label", "path")

    def __init__(self, path: str, instance: layers.Instance) -> None:
        self.path = path
        self.instance = instance
        self.label = ""


class Container(Held):
    """Layers in a row: `kind` is "sequential", "list" or "dict"; its contents stand in the path."""

    __slots__ = ("kind",)

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind


class Either(Value):
    """One of several things to call: `Identity() if a == b else Linear(a, b)`; or a row of modules
    and the list of those of it that were not dropped.
    """

    __slots__ = ("options",)

    def __init__(self, options: tuple[Value, ...]) -> None:
        self.options = options


NONE = Constant(None)
LEFT_OUT = Constant(None)
"""What an argument is that a call does not give, where classes are tried as their defaults say."""
TRUE = Constant(True)
FALSE = Constant(False)
FEATURE = Number(kind="bool")
"""Whether a library has something: the installation decides that, and nothing else."""

_CALLED = (Function, Bound, Instance, Layer, Container, Either, Transformed)


def of_module(path: str) -> Value:
    """What a module outside this file holds under a name."""
    if path in frameworks.NONES:
        return NONE
    if path in frameworks.FLOATS:
        return Constant(frameworks.FLOATS[path])
    return Library(path)


def number(value: int) -> Value:
    """A known int."""
    return Number(value)


def known(value: Value) -> tuple[Any] | None:
    """The Python value, in a tuple, when it is known; else None."""
    if isinstance(value, Constant):
        return (value.value,)
    if isinstance(value, Number) and isinstance(value.size, int):
        return (value.size,)
    return None


def same(left: Value, right: Value) -> bool:
    """Whether two values are known to say the same."""
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    if isinstance(left, Tensor):
        assert isinstance(right, Tensor)
        return (
            left.kind == right.kind
            and left.library == right.library
            and (left.shape is right.shape or left.shape == right.shape)
            and (left.strides is right.strides or left.strides == right.strides)
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
        case Layer(), Layer():
            return left.path == right.path and bool(left.instance == right.instance)
        case Either(), Either():
            return left.options == right.options
    return False


def join(left: Value, right: Value) -> Value:
    """What holds of a value that is one of two."""
    if left is right:
        return left
    if same(left, right) and not _remember_differently(left, right):
        if isinstance(left, Tensor) and type(left.shape) is not tuple:
            # Another one: what is learned of it is not learned of what either was made of.
            return left.with_shape(left.shape, left.claimed)
        return left
    if isinstance(left, Tensor) and isinstance(right, Tensor):
        return Tensor(
            common(left.shape, right.shape),
            left.kind if left.kind == right.kind else "unknown",
            left.library if left.library == right.library else "",
            left.claimed or right.claimed,
            left.strides if left.strides == right.strides else UNKNOWN,
            left.turned,
            left.history if left.history == right.history else None,
        )
    if isinstance(left, Tuple) and isinstance(right, Tuple):
        if len(left.elements) == len(right.elements):
            return Tuple(map(join, left.elements, right.elements), left.fields)
        return Anything()
    if isinstance(left, Repeated) and isinstance(right, Repeated):
        return Repeated(join(left.element, right.element))
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
            return mine  # `except ImportError: torch = None`: where it is used, it is there
    if _callable(left) and _callable(right):
        options = tuple(dict.fromkeys((*_options(left), *_options(right))))
        return Either(options) if len(options) <= MOST_OPTIONS else Anything()
    if isinstance(left, List) or isinstance(right, List):
        return _join_rows(left, right) or Anything()
    if _is_configured(left) and _is_configured(right):
        return Anything.chosen(left, right)
    kinds = kind_of_number(left), kind_of_number(right)
    for mine, kind in ((left, kinds[1]), (right, kinds[0])):
        if kind and isinstance(mine, Tensor) and mine.shape == ():
            return Tensor((), mine.kind if mine.kind == kind else "unknown", mine.library)
    if kinds[0] and kinds[1]:
        return Number(UNKNOWN, kinds[0] if kinds[0] == kinds[1] else "number")
    return Anything()


def _is_configured(value: Value) -> bool:
    """Whether a value is a constructor's parameter, or computed from some: `width or 4 * dim`."""
    if isinstance(value, Anything):
        return value.config
    if not isinstance(value, Number) or value.kind != "int":
        return False
    atoms = sizes.symbols(value.size)
    return bool(atoms) and all(atom.origin is sizes.Origin.CONFIG for atom in atoms)


def _remember_differently(left: Value, right: Value) -> bool:
    """Whether two values that say the same were computed in two ways, as far as we remember."""
    if isinstance(left, Tensor) and isinstance(right, Tensor):
        mine, other = known_dims(left.shape), known_dims(right.shape)
        return left.history != right.history or any(
            ours is not theirs and ours.trace != theirs.trace
            for ours, theirs in zip(mine, other, strict=True)
        )
    if isinstance(left, Tuple) and isinstance(right, Tuple):
        return any(map(_remember_differently, left.elements, right.elements))
    return False


MOST_OPTIONS = 4
"""Alternatives that are kept apart; more are anything."""


def _callable(value: Value) -> bool:
    """Whether a value is something to call, or the None that stands for its absence."""
    return isinstance(value, _CALLED) or (isinstance(value, Constant) and value.value is None)


def _join_rows(left: Value, right: Value) -> Value | None:
    """A row of modules or the list of those that are left of it, which are gone through alike."""
    options = tuple(dict.fromkeys((*_options(left), *_options(right))))
    if len(options) > MOST_OPTIONS or not all(isinstance(o, (Container, List)) for o in options):
        return None
    return Either(options) if any(isinstance(o, Container) for o in options) else None


def _if_not_none(left: Value, right: Value) -> Tensor | None:
    """The tensor that one of two values is when it is not None; None when it may be else."""
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


def is_text(value: Value) -> bool:
    return isinstance(value, Text) or (isinstance(value, Constant) and isinstance(value.value, str))


def kind_of_number(value: Value) -> str:
    """`int`, `bool`, `float`, `complex`, `number`; "" when it is no number as far as we know."""
    if isinstance(value, Number):
        return value.kind
    if isinstance(value, Constant):
        for kind in (bool, float, complex):
            if type(value.value) is kind:
                return kind.__name__
    return ""

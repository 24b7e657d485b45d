"""Functions, classes, instances and layers: values that a program calls."""

from __future__ import annotations

from typing import Any, Final

from namecheck import frameworks
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.decisions import Decided
from namecheck.analysis.state.values.plain import Anything
from namecheck.analysis.state.values.value import Held, Value
from namecheck_runtime import layers
from namecheck_runtime.lattice import Size

CONSTRUCTORS: Final = frozenset({"__init__", frameworks.python.AFTER_FIELDS})
"""Methods that Python calls to make an instance."""


class Function(Value):
    """A function of this file: its record, and the scope that it closes over.

    `kind` is "function", "property", "static" or "class"; `owner` is the class that defines it.
    """

    __slots__ = (
        "body",
        "kind",
        "line",
        "mapped",
        "name",
        "owner",
        "parameters",
        "record",
        "registers",
        "scope",
        "setter",
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
        self.setter: Function | None = None
        """Of a property, the function that an assignment calls."""
        self.parameters = record.parameters
        self.registers: bool | None = None
        """Whether it returns its argument unchanged, as a decorator that enters functions in a
        table does; None before the first look.
        """
        self.mapped = False
        """Whether a decorator maps it along a dim: its annotations may say what it takes and gives
        for one index, or what callers pass and get.
        """
        if isinstance(record, ir.FunctionDef):
            self.name, self.body, self.line = record.name, record.body, record.line
        else:
            self.name, self.body, self.line = "<lambda>", (), 0


class Decorated(Anything):
    """A function of this file behind a decorator that may change what it computes.

    `wrappers` are the decorators and their values without arguments, `frame` is where they stand;
    a drive evaluates them (`python/attributes.py`).
    """

    __slots__ = ("frame", "function", "wrappers")

    def __init__(
        self,
        function: Function,
        wrappers: tuple[tuple[ir.Expression, Value], ...] = (),
        frame: Any = None,
    ) -> None:
        super().__init__()
        self.function = function
        self.wrappers = wrappers
        self.frame = frame


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
    """A function that a library's transform has made of another: `jax.vmap(f, in_axes=1)`.

    `path` is the dotted path of the transform, `options` its other arguments.
    """

    __slots__ = ("function", "options", "path")

    def __init__(self, path: str, function: Value, options: dict[str, Value]) -> None:
        self.path = path
        self.function = function
        self.options = options


class Class(Value):
    """A class of this file: its attributes, its bases, and facts about their assignments.

    `lineage` is the order in which attributes are looked up: classes of this file, and `Library`
    for the others.
    """

    __slots__ = (
        "assigned_parts",
        "attributes",
        "built",
        "called_back",
        "changed",
        "declared",
        "decorators",
        "has_subclasses",
        "line",
        "lineage",
        "metaclasses",
        "name",
        "rebound",
        "record",
        "redeclared",
        "replaced",
        "scope",
        "set_by_name",
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
        """The frame of the class statement."""
        self.lineage: tuple[Value, ...] = (self, *lineage)
        self.attributes: dict[str, Value] = {}
        self.rebound: dict[str, set[str]] = {}
        """Attributes that methods other than `__init__` assign, with the texts of the values."""
        self.built: dict[str, set[str]] = {}
        """Attributes that `__init__` assigns, with the texts of the values."""
        self.set_by_name = False
        """Whether methods may assign any attribute: `setattr(self, name, value)`."""
        self.working: frozenset[str] = frozenset()
        """Those of `rebound` that are assigned after the object is built."""
        self.updated: frozenset[str] = frozenset()
        """Those of `rebound` that are only updated, `self.w -= d`."""
        self.changed: set[str] = set()
        """Attributes whose contents its methods, or those of subclasses, change after the object is
        built: `self.sizes.append(n)`.
        """
        self.called_back: frozenset[str] = frozenset()
        """Attributes that hooks and callbacks change: code which others may call at any time."""
        self.assigned_parts: set[tuple[str, str]] = set()
        """Attributes of which methods assign an attribute after the object is built, with that one:
        `self.out.weight = ...`.
        """
        self.replaced: dict[str, set[str]] = {}
        """Attributes that its subclasses assign, with the texts of the values."""
        self.has_subclasses = False
        """Whether a class of the same file extends it."""
        self.redeclared: set[str] = set()
        """Attributes that its subclasses annotate."""
        self.metaclasses: list[Value] = []
        """What `metaclass=` names."""
        self.decorators: tuple[str, ...] = ()
        self.declared: dict[str, Any] | None = None
        """The declarations of attributes in the body; None before the first look."""


def same_class(left: Value, right: Value) -> bool:
    """Whether two values come from one class statement, which several runs may have evaluated."""
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
    """An instance of a class of this file. The path has its attributes under (instance, name).

    `unseen` are the attributes that the program reads and does not set as far as the checker has
    seen. `pending` are the constructor's arguments of a module that is not built yet. `replaceable`
    says that its class is the default of a parameter, and another may take another rank; only
    `show` asks that.
    """

    __slots__ = (
        "cls",
        "label",
        "left",
        "names",
        "pending",
        "replaceable",
        "several",
        "unseen",
        "version",
    )

    def __init__(self, cls: Class, label: str = "self") -> None:
        super().__init__()
        self.cls = cls
        self.label = label
        self.left: set[str] = set()
        """The attributes that its own methods have assigned after the construction."""
        self.pending: Any = None
        self.replaceable = False
        self.several = False
        """Whether it stands for several objects: modules built alike, or one of each round."""
        self.unseen: dict[str, Value] = {}
        self.names: dict[str, Size] = {}
        """The sizes that the names in the annotations of its attributes stand for."""
        self.version = 0
        """How often an attribute was assigned; results from an earlier version may be stale."""


class Super(Value):
    """`super()` in a method of `owner`: the lookup of attributes starts behind that class."""

    __slots__ = ("owner", "receiver")

    def __init__(self, owner: Class, receiver: Value) -> None:
        self.owner = owner
        self.receiver = receiver


class Layer(Held):
    """A library's layer, with its constructor's arguments bound.

    The path has the layer with other options if the program has stored to its attributes.
    """

    __slots__ = ("assigned", "instance", "label", "path", "replaced")

    def __init__(self, path: str, instance: layers.Instance) -> None:
        super().__init__()
        self.path = path
        self.instance = instance
        self.label = ""
        self.replaced = False
        """Whether one of its parameters was replaced by another of other sizes."""
        self.assigned = False
        """Whether one was replaced at all: another module may have it, too."""


class Container(Held):
    """Layers in a row: `kind` is "sequential", "list" or "dict". The path has its contents."""

    __slots__ = ("kind",)

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind


class Either(Value):
    """One of several callables: `Identity() if a == b else Linear(a, b)`.

    Or a container of modules, and the list of those of its modules that were not dropped.
    """

    __slots__ = ("conditions", "options")

    def __init__(self, options: tuple[Value, ...], conditions: tuple[Decided, ...] = ()) -> None:
        self.options = options
        self.conditions = conditions
        """How tests turned out where each of the options was chosen; empty if that is not known."""

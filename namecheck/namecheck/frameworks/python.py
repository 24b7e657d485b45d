"""Python's own names: what its builtins and its standard library do to functions and values.

Calls of builtins are evaluated in `analysis.python.builtin`, those of `math` in
`analysis.python.mathematics`.
"""

from __future__ import annotations

import math
import re
from typing import Final

from namecheck_runtime.light.regexes import regex

BUILTINS: Final = "builtins"
BUILTIN: Final = "builtins."
"""How the paths of builtins begin."""

ATTRIBUTE_METHODS: Final = frozenset({"__setattr__", "__getattr__", "__getattribute__"})
"""Methods that read or set an attribute by its name."""

DICT: Final = "builtins.dict"
OBJECT: Final = "builtins.object"
STRING: Final = "builtins.str"
INT: Final = "builtins.int"
PARTIAL: Final = "functools.partial"

# Decorators

METHOD_KINDS: Final = {
    "builtins.property": "property",
    "functools.cached_property": "property",
    "builtins.staticmethod": "static",
    "builtins.classmethod": "class",
}
"""Decorators of methods, and the kind of method that each makes."""

CONTEXT_MANAGER: Final = "contextlib.contextmanager"
"""The decorator of a generator that a `with` statement enters."""
DEBUG: Final = "__debug__"
"""Whether Python runs assertions."""
MRO: Final = "__mro__"
"""The attribute of a class with the classes in which attributes are looked up."""
GET: Final = "__get__"
"""The method of a descriptor that says what an instance has under its name."""

CHANGING: Final = frozenset(
    {
        "contextlib.asynccontextmanager",
        CONTEXT_MANAGER,
        "functools.singledispatch",
        PARTIAL,
    }
)
"""Decorators that change what a function takes or gives."""

REPORTS: Final = regex(
    r"""
      ^[ \t]+
      (?: print | warnings\.warn
        | (?:self\.)?_?(?:log|logger|logging|LOG|LOGGER)
          \.(?:debug|info|warn|warning|error|exception|critical)(?:_once)?
      )\(
    """,
    re.MULTILINE | re.VERBOSE,
    ("print(", ".warn", ".debug", ".info", ".error", ".exception", ".critical"),
)
"""How a statement in a function begins that prints, logs or warns."""

UNCHANGING: Final = frozenset({"functools.wraps"})
"""Calls that give a decorator which leaves its function as it is."""

# Lists and dicts

CHANGING_METHODS: Final = frozenset(
    {
        *("append", "appendleft", "extend", "extendleft", "insert", "remove", "reverse", "rotate"),
        *("add", "clear", "discard", "move_to_end", "pop", "popitem", "popleft", "setdefault"),
        *("sort", "update", "__delitem__", "__setitem__"),
    }
)
"""Methods that change the contents of a list, a set, a deque or a dict."""

TEXT_METHODS: Final = frozenset(
    {
        *("capitalize", "casefold", "count", "endswith", "find", "isalnum", "isalpha", "isdigit"),
        *("islower", "isupper", "lower", "lstrip", "partition", "removeprefix", "removesuffix"),
        *("replace", "rpartition", "rsplit", "rstrip", "split", "startswith", "strip", "title"),
        *("upper",),
    }
)
"""Methods of a text that are computed from texts alone."""

OF_TEXT: Final = frozenset({"endswith", "isalpha", "isdigit", "islower", "isupper", "startswith"})
"""Methods that test a text, and change nothing."""

# Classes

OF_OBJECTS: Final = frozenset(
    {
        *("__annotations__", "__array_finalize__", "__array_priority__", "__class_getitem__"),
        *("__copy__", "__deepcopy__", "__del__", "__dict__", "__dir__", "__doc__", "__format__"),
        *("__getstate__", "__hash__", "__init__", "__init_subclass__", "__module__", "__new__"),
        *("__qualname__", "__reduce__", "__reduce_ex__", "__repr__", "__setstate__"),
        *("__sizeof__", "__slots__", "__str__", "__weakref__"),
    }
)
"""Special names with which a class says nothing of how its objects compute."""

REPLACE: Final = "dataclasses.replace"

REPLACE_FIELDS: Final = "_replace"
"""The method of a named tuple that makes one with other values for some fields."""

FIELD: Final = "dataclasses.field"
FIELDS: Final = "dataclasses.fields"
AS_DICT: Final = "dataclasses.asdict"
AS_TUPLE: Final = "dataclasses.astuple"
OF_DATACLASSES: Final = frozenset({FIELDS, AS_DICT, AS_TUPLE})
"""Functions about the fields of a dataclass."""

NO_FIELDS: Final = frozenset({"InitVar", "KW_ONLY"})
"""Annotations in a dataclass of what is no field."""

DATACLASS_DECORATORS: Final = frozenset({"dataclasses.dataclass"})
FIELD_TRANSFORMS: Final = frozenset(
    {"typing.dataclass_transform", "typing_extensions.dataclass_transform"}
)
"""Decorators which say that the subclasses of a class are dataclasses.

https://typing.python.org/en/latest/spec/dataclasses.html#the-dataclass-transform-decorator
"""
POSTPONED: Final = "__future__.annotations"
"""The feature under which Python does not evaluate annotations."""

AFTER_FIELDS: Final = "__post_init__"
"""The method of a dataclass that runs when the fields have their values."""

NAMED_TUPLES: Final = frozenset({"typing.NamedTuple", "typing_extensions.NamedTuple"})
"""Base classes that make a tuple of the fields of a class."""

ENUM: Final = "enum.Enum"
ENUMS: Final = frozenset({ENUM, "enum.IntEnum", "enum.StrEnum"})
"""Base classes whose classes have their objects as attributes, each for a value."""

PROTOCOL: Final = "typing.Protocol"
"""The base of classes that are what their methods are."""

HARMLESS: Final = frozenset({"object", "abc.ABC", "typing.Generic", PROTOCOL})
"""Base classes without an attribute that tensor code computes with."""

ORDERED: Final = "collections.OrderedDict"
TABLES: Final = frozenset({DICT, ORDERED, "collections.defaultdict", "collections.UserDict"})
"""Base classes whose objects are dicts."""

# Functions

DEEP_COPY: Final = "copy.deepcopy"
COPIES: Final = frozenset({"copy.copy", DEEP_COPY})
OF_CLASSES: Final = frozenset({"__class__", "__module__", "__name__", "__doc__"})
"""Attributes that say of which class an object is."""

IS_FUNCTION: Final = "inspect.isfunction"
"""The function that asks whether a value is one of Python's functions."""

SPLITS: Final = "re.split"
"""The function that splits a text by a pattern."""

LAST_ARGUMENT: Final = frozenset({ORDERED, "types.MappingProxyType", "typing.cast"})
"""Functions whose value is their last argument."""

EXPECTING: Final = ("assertRaises", "suppress")
"""How the names of context managers begin that catch an exception of their body."""

ENDING: Final = frozenset({"sys.exit", "os._exit", "os.abort", "builtins.exit", "builtins.quit"})
"""Functions that do not return."""

ENDING_METHODS: Final = frozenset({"skipTest", "fail"})
"""Methods of tests that do not return."""

PATCH: Final = "unittest.mock.patch"
PATCHES: Final = frozenset({"patch", "object", "multiple"})
PATCH_OF_DICT: Final = ".dict"
"""How the paths begin of what replaces parts of a program, the names that they end with, and how
that of one ends that does not.
"""

NULL_CONTEXT: Final = "contextlib.nullcontext"
"""The context that does nothing."""

NOT_RUN: Final = frozenset({"unittest.skip", "unittest.expectedFailure"})
"""Decorators of tests that are not run, or are expected to fail."""

SET_UP: Final = ("setUpClass", "setUp")
"""Methods that prepare the tests of a class, in their order."""

REPEAT: Final = "itertools.repeat"
CHAIN: Final = "itertools.chain"
CHAIN_OF: Final = "itertools.chain.from_iterable"
PAIRWISE: Final = "itertools.pairwise"
ALL_PAIRS: Final = "itertools.product"
COMBINATIONS: Final = "itertools.combinations"
FIRST_OF: Final = "itertools.islice"
NAMED_TUPLE: Final = "collections.namedtuple"
OF_FIELDS: Final = "collections.namedtuple.<fields>"
"""The call that makes a class of tuples, and the path for making one of them."""

TYPE: Final = f"{BUILTIN}type"
"""The class of classes."""

DEQUE: Final = "collections.deque"
LONGEST: Final = "maxlen"
"""A list with two ends, and the argument that says how long it gets."""

ENDS: Final = {"appendleft": "insert", "popleft": "pop"}
"""Its methods at the left end, and those of a list that do the same at place 0."""

WITH_DEFAULT: Final = "collections.defaultdict"

ONE_OF: Final = "random.choice"
SEVERAL_OF: Final = ("random.sample",)
COUNT: Final = "k"
"""Functions that draw elements of a row, and the argument that says how many."""

SHUFFLES: Final = "random.shuffle"

SIGNATURE: Final = "inspect.signature"
REDUCE: Final = "functools.reduce"

# Annotations

GENERIC: Final = ("typing", "typing_extensions", "collections.abc", BUILTINS)
"""The modules of generic types."""

TYPING: Final = (*(f"{module}." for module in GENERIC), "dataclasses.")
"""How the paths of generic types begin."""

QUALIFIERS: Final = frozenset(
    {"Final", "ClassVar", "InitVar", "Required", "NotRequired", "ReadOnly"}
)
"""Generic types that stand for their only argument."""

SEQUENCES: Final = frozenset(
    {"list", "List", "Sequence", "Iterable", "Iterator", "Collection", "MutableSequence"}
)
PLAIN: Final = frozenset(
    {"int", "float", "bool", "str", "complex", "bytes", "dict", "Dict", "Callable", "Literal"}
)
"""Types whose values are not tensors."""

PLAIN_TYPES: Final = frozenset(
    {
        f"{BUILTIN}{name}"
        for name in ("int", "float", "bool", "str", "bytes", "dict", "list", "tuple")
    }
)
"""Classes that a pattern may name with one for the value itself: `int(size)`."""

_KINDS: Final[dict[str, frozenset[str]]] = {
    "Iterable": frozenset({"tuple", "list", "set", "dict", "str", "tensor"}),
    "Sequence": frozenset({"tuple", "list", "str"}),
    "Mapping": frozenset({"dict"}),
    "MutableMapping": frozenset({"dict"}),
    "MutableSequence": frozenset({"list"}),
    "Callable": frozenset(),
}
ABSTRACT: Final[dict[str, frozenset[str]]] = {
    **{f"{module}.{name}": kinds for module in GENERIC for name, kinds in _KINDS.items()},
    "numbers.Number": frozenset({"int", "float", "bool", "complex"}),
    "numbers.Integral": frozenset({"int", "bool"}),
    "numbers.Real": frozenset({"int", "float", "bool"}),
}
"""Abstract classes, and the plain kinds of values that are instances of each."""

# Operators, and their ops

OPERATORS: Final = {
    "+": "operator.add",
    "-": "operator.sub",
    "*": "operator.mul",
    "/": "operator.truediv",
    "//": "operator.floordiv",
    "%": "operator.mod",
    "**": "operator.pow",
    "@": "operator.matmul",
    "<<": "operator.lshift",
    ">>": "operator.rshift",
    "|": "operator.or_",
    "&": "operator.and_",
    "^": "operator.xor",
    "<": "operator.lt",
    ">": "operator.gt",
    "==": "operator.eq",
    "<=": "operator.le",
    ">=": "operator.ge",
    "!=": "operator.ne",
}
REFUSED: Final = "builtins.NotImplemented"
"""What a method returns that does not take the other operand."""

LITERAL: Final = "ast.literal_eval"
"""The function that evaluates a text of literals."""

ORDERINGS: Final = frozenset({"<", ">", "==", "<=", ">=", "!="})
"""Operators that compare their operands."""

AUGMENTED: Final = {symbol: path.replace(".", ".i", 1) for symbol, path in OPERATORS.items()}
"""`x += y` is `operator.iadd`."""

UNARY: Final = {"-": "operator.neg", "+": "operator.pos", "~": "operator.invert"}

GET_ITEM: Final = "operator.getitem"
SET_ITEM: Final = "operator.setitem"

# `math`

ROUNDING: Final = frozenset({"math.ceil", "math.floor", "math.trunc"})
"""Functions that leave an int as it is."""

ROOT: Final = "math.sqrt"
WHOLE_ROOT: Final = "math.isqrt"
PRODUCT: Final = "math.prod"

GROWING: Final = frozenset({"math.comb", "math.factorial", "math.perm"})
"""Functions whose result may be too large to compute."""

_INTS: Final = ROUNDING | GROWING | {"math.gcd", WHOLE_ROOT, "math.lcm"}
_BOOLS: Final = frozenset({"math.isclose", "math.isfinite", "math.isinf", "math.isnan"})
_OTHERS: Final = frozenset({"math.frexp", "math.modf", "math.sumprod", PRODUCT})
"""Functions whose result is not a number, or one whose kind depends on the arguments."""

_ALL: Final = frozenset(
    f"math.{name}" for name in dir(math) if callable(getattr(math, name)) and name[0] != "_"
)

NUMBERS: Final[dict[str, str]] = {
    **dict.fromkeys(_ALL - _OTHERS, "float"),
    **dict.fromkeys(_INTS, "int"),
    **dict.fromkeys(_BOOLS, "bool"),
}
"""The functions of `math` that give a number, and its kind."""

REFUSALS: Final = frozenset({"AssertionError", "RuntimeError", "TypeError", "ValueError"})
"""The errors by which code refuses its arguments; others may end a loop, or be expected."""

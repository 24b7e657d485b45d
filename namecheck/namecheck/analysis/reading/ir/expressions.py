"""Expressions, and the keywords, clauses of comprehensions and parameters in them."""

from __future__ import annotations

from typing import Literal, TypeAlias

from namecheck.analysis.reading.ir.base import Expression, Node, Readings, Record

# Expressions: constants


class Int(Expression):
    """`3`, `0x10`, `1_000`."""

    __slots__ = ("value",)
    __match_args__ = ("value", "id")

    def __init__(self, value: int, id: int) -> None:
        self.value = value
        self.id = id


class BigInt(Expression):
    """An integer literal of more than 64 bits, too large for a size."""

    __slots__ = ("digits",)
    __match_args__ = ("digits", "id")

    def __init__(self, digits: str, id: int) -> None:
        self.digits = digits
        self.id = id


class Float(Expression):
    __slots__ = ("value",)
    __match_args__ = ("value", "id")

    def __init__(self, value: float, id: int) -> None:
        self.value = value
        self.id = id


class Imaginary(Expression):
    """`2j`; `value` is the 2."""

    __slots__ = ("value",)
    __match_args__ = ("value", "id")

    def __init__(self, value: float, id: int) -> None:
        self.value = value
        self.id = id


class Str(Expression):
    """A string as the program sees it; adjacent literals are one string."""

    __slots__ = ("value",)
    __match_args__ = ("value", "id")

    def __init__(self, value: str, id: int) -> None:
        self.value = value
        self.id = id


class Bytes(Expression):
    __slots__ = ("value",)
    __match_args__ = ("value", "id")

    def __init__(self, value: bytes, id: int) -> None:
        self.value = value
        self.id = id


class Bool(Expression):
    __slots__ = ("value",)
    __match_args__ = ("value", "id")

    def __init__(self, value: bool, id: int) -> None:
        self.value = value
        self.id = id


class NoneLiteral(Expression):
    """`None`."""

    __slots__ = ()
    __match_args__ = ("id",)

    def __init__(self, id: int) -> None:
        self.id = id


class EllipsisLiteral(Expression):
    """`...`."""

    __slots__ = ()
    __match_args__ = ("id",)

    def __init__(self, id: int) -> None:
        self.id = id


class Omitted(Expression):
    """An unknown expression in place of one that is nested too deeply (a sum of hundreds of terms).

    It lets code that reads records be recursive.
    """

    __slots__ = ()
    __match_args__ = ("id",)

    def __init__(self, id: int) -> None:
        self.id = id


class Interpolation(Record):
    """`{value!r:format}` inside a formatted string; `debug` is the `=` of `{value=}`."""

    __slots__ = ("conversion", "debug", "format", "value")
    __match_args__ = ("value", "conversion", "format", "debug")

    def __init__(
        self,
        value: Expression,
        conversion: Literal["s", "r", "a"] | None,
        format: tuple[str | Interpolation, ...],
        debug: bool,
    ) -> None:
        self.value = value
        self.conversion = conversion
        self.format = format
        self.debug = debug


class FString(Expression):
    """`f"..."`, or adjacent literals of which one is formatted: text and interpolations."""

    __slots__ = ("parts",)
    __match_args__ = ("parts", "id")

    def __init__(self, parts: tuple[str | Interpolation, ...], id: int) -> None:
        self.parts = parts
        self.id = id


class TString(Expression):
    """`t"..."`: a template, which is not a string."""

    __slots__ = ("parts",)
    __match_args__ = ("parts", "id")

    def __init__(self, parts: tuple[str | Interpolation, ...], id: int) -> None:
        self.parts = parts
        self.id = id


# Expressions: names, attributes, subscripts and calls


class Name(Expression):
    __slots__ = ("name",)
    __match_args__ = ("name", "id")

    def __init__(self, name: str, id: int) -> None:
        self.name = name
        self.id = id


class Attribute(Expression):
    """`value.name`."""

    __slots__ = ("name", "value")
    __match_args__ = ("value", "name", "id")

    def __init__(self, value: Expression, name: str, id: int) -> None:
        self.value = value
        self.name = name
        self.id = id


class Subscript(Expression):
    """`value[index]`: several indices are a `Tuple`, as they are when Python runs."""

    __slots__ = ("index", "value")
    __match_args__ = ("value", "index", "id")

    def __init__(self, value: Expression, index: Expression, id: int) -> None:
        self.value = value
        self.index = index
        self.id = id


class Slice(Expression):
    """`lower:upper:step`: only the index of a `Subscript`, or an element of that index."""

    __slots__ = ("lower", "step", "upper")
    __match_args__ = ("lower", "upper", "step", "id")

    def __init__(
        self, lower: Expression | None, upper: Expression | None, step: Expression | None, id: int
    ) -> None:
        self.lower = lower
        self.upper = upper
        self.step = step
        self.id = id


class Keyword(Record):
    """`name=value` in a call; `name` is None for `**value`."""

    __slots__ = ("name", "value")
    __match_args__ = ("name", "value")

    def __init__(self, name: str | None, value: Expression) -> None:
        self.name = name
        self.value = value


class Call(Expression):
    """`function(*positional, **keywords)`: `*x` is a `Starred` among the positional ones."""

    __slots__ = ("function", "keywords", "positional")
    __match_args__ = ("function", "positional", "keywords", "id")

    def __init__(
        self,
        function: Expression,
        positional: tuple[Expression, ...],
        keywords: tuple[Keyword, ...],
        id: int,
    ) -> None:
        self.function = function
        self.positional = positional
        self.keywords = keywords
        self.id = id


class Starred(Expression):
    """`*value` in a call, a display, a subscript or a target."""

    __slots__ = ("value",)
    __match_args__ = ("value", "id")

    def __init__(self, value: Expression, id: int) -> None:
        self.value = value
        self.id = id


# Expressions: operators

UnaryOperator: TypeAlias = Literal["-", "+", "~", "not"]
BinaryOperator: TypeAlias = Literal[
    "+", "-", "*", "/", "//", "%", "**", "@", "<<", ">>", "|", "&", "^"
]
BooleanOperator: TypeAlias = Literal["and", "or"]
ComparisonOperator: TypeAlias = Literal[
    "<", ">", "==", "<=", ">=", "!=", "in", "not in", "is", "is not"
]


class Unary(Expression):
    __slots__ = ("operand", "operator")
    __match_args__ = ("operator", "operand", "id")

    def __init__(self, operator: UnaryOperator, operand: Expression, id: int) -> None:
        self.operator = operator
        self.operand = operand
        self.id = id


class Binary(Expression):
    __slots__ = ("left", "operator", "right")
    __match_args__ = ("left", "operator", "right", "id")

    def __init__(
        self, left: Expression, operator: BinaryOperator, right: Expression, id: int
    ) -> None:
        self.left = left
        self.operator = operator
        self.right = right
        self.id = id


class Boolean(Expression):
    """`left and right`, `left or right`; `a and b and c` is `(a and b) and c`."""

    __slots__ = ("left", "operator", "right")
    __match_args__ = ("left", "operator", "right", "id")

    def __init__(
        self, left: Expression, operator: BooleanOperator, right: Expression, id: int
    ) -> None:
        self.left = left
        self.operator = operator
        self.right = right
        self.id = id


class Comparison(Expression):
    """`left < b <= c`: `operators` and `comparators` have one length, nearly always 1."""

    __slots__ = ("comparators", "left", "operators")
    __match_args__ = ("left", "operators", "comparators", "id")

    def __init__(
        self,
        left: Expression,
        operators: tuple[ComparisonOperator, ...],
        comparators: tuple[Expression, ...],
        id: int,
    ) -> None:
        self.left = left
        self.operators = operators
        self.comparators = comparators
        self.id = id


class Conditional(Expression):
    """`body if test else orelse`."""

    __slots__ = ("body", "orelse", "test")
    __match_args__ = ("test", "body", "orelse", "id")

    def __init__(self, test: Expression, body: Expression, orelse: Expression, id: int) -> None:
        self.test = test
        self.body = body
        self.orelse = orelse
        self.id = id


class Walrus(Expression):
    """`(target := value)`."""

    __slots__ = ("target", "value")
    __match_args__ = ("target", "value", "id")

    def __init__(self, target: Expression, value: Expression, id: int) -> None:
        self.target = target
        self.value = value
        self.id = id


class Await(Expression):
    __slots__ = ("value",)
    __match_args__ = ("value", "id")

    def __init__(self, value: Expression, id: int) -> None:
        self.value = value
        self.id = id


class Yield(Expression):
    __slots__ = ("value",)
    __match_args__ = ("value", "id")

    def __init__(self, value: Expression | None, id: int) -> None:
        self.value = value
        self.id = id


class YieldFrom(Expression):
    __slots__ = ("value",)
    __match_args__ = ("value", "id")

    def __init__(self, value: Expression, id: int) -> None:
        self.value = value
        self.id = id


# Expressions: displays, comprehensions, functions


class Tuple(Expression):
    __slots__ = ("elements",)
    __match_args__ = ("elements", "id")

    def __init__(self, elements: tuple[Expression, ...], id: int) -> None:
        self.elements = elements
        self.id = id


class List(Expression):
    __slots__ = ("elements",)
    __match_args__ = ("elements", "id")

    def __init__(self, elements: tuple[Expression, ...], id: int) -> None:
        self.elements = elements
        self.id = id


class Set(Expression):
    __slots__ = ("elements",)
    __match_args__ = ("elements", "id")

    def __init__(self, elements: tuple[Expression, ...], id: int) -> None:
        self.elements = elements
        self.id = id


class Dict(Expression):
    """Pairs of key and value; the key is None for `**value`."""

    __slots__ = ("items",)
    __match_args__ = ("items", "id")

    def __init__(self, items: tuple[tuple[Expression | None, Expression], ...], id: int) -> None:
        self.items = items
        self.id = id


class Clause(Record):
    """`for target in iterable if condition ...` of a comprehension."""

    __slots__ = ("conditions", "is_async", "iterable", "target")
    __match_args__ = ("target", "iterable", "conditions", "is_async")

    def __init__(
        self,
        target: Expression,
        iterable: Expression,
        conditions: tuple[Expression, ...],
        is_async: bool,
    ) -> None:
        self.target = target
        self.iterable = iterable
        self.conditions = conditions
        self.is_async = is_async


class Comprehension(Expression):
    __slots__ = ("clauses", "element", "kind")
    __match_args__ = ("kind", "element", "clauses", "id")

    def __init__(
        self,
        kind: Literal["list", "set", "generator"],
        element: Expression,
        clauses: tuple[Clause, ...],
        id: int,
    ) -> None:
        self.kind = kind
        self.element = element
        self.clauses = clauses
        self.id = id


class DictComprehension(Expression):
    """`{key: value for ...}`; the key is None for `{**value for ...}`."""

    __slots__ = ("clauses", "key", "value")
    __match_args__ = ("key", "value", "clauses", "id")

    def __init__(
        self, key: Expression | None, value: Expression, clauses: tuple[Clause, ...], id: int
    ) -> None:
        self.key = key
        self.value = value
        self.clauses = clauses
        self.id = id


ParameterKind: TypeAlias = Literal[
    "positional-only",
    "positional or keyword",
    "variadic positional",
    "keyword-only",
    "variadic keyword",
]


class Parameter(Node):
    """One parameter; the kinds have the names that `inspect` gives them."""

    __slots__ = ("annotation", "default", "kind", "name")
    __match_args__ = ("name", "kind", "annotation", "default", "id")

    def __init__(
        self,
        name: str,
        kind: ParameterKind,
        annotation: Expression | None,
        default: Expression | None,
        id: int,
    ) -> None:
        self.name = name
        self.kind = kind
        self.annotation = annotation
        self.default = default
        self.id = id

    @property
    def is_required(self) -> bool:
        """Whether every call has to give a value for it."""
        return self.default is None and not self.kind.startswith("variadic")


class Lambda(Expression):
    __slots__ = ("body", "parameters", "readings")
    __match_args__ = ("parameters", "body", "id")

    def __init__(self, parameters: tuple[Parameter, ...], body: Expression, id: int) -> None:
        self.parameters = parameters
        self.body = body
        self.id = id
        self.readings: Readings = {}

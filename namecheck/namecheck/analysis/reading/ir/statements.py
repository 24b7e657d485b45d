"""Simple statements, and the parts of them that are not expressions.

Each is one record class, in the order of Python's grammar. `compound.py` has the statements that
contain others.
"""

from __future__ import annotations

from typing import Literal

from namecheck.analysis.reading.ir.base import Expression, Record, Statement
from namecheck.analysis.reading.ir.expressions import BinaryOperator


class ExpressionStatement(Statement):
    __slots__ = ("value",)
    __match_args__ = ("value", "line", "end_line", "id")

    def __init__(self, value: Expression, line: int, end_line: int, id: int) -> None:
        self.value = value
        self.line = line
        self.end_line = end_line
        self.id = id


class Assign(Statement):
    """`a = b = value`: each target is a name, attribute, subscript, or a tuple or list of them."""

    __slots__ = ("targets", "value")
    __match_args__ = ("targets", "value", "line", "end_line", "id")

    def __init__(
        self, targets: tuple[Expression, ...], value: Expression, line: int, end_line: int, id: int
    ) -> None:
        self.targets = targets
        self.value = value
        self.line = line
        self.end_line = end_line
        self.id = id


class AnnotatedAssign(Statement):
    """`target: annotation = value`, or without a value."""

    __slots__ = ("annotation", "target", "value")
    __match_args__ = ("target", "annotation", "value", "line", "end_line", "id")

    def __init__(
        self,
        target: Expression,
        annotation: Expression,
        value: Expression | None,
        line: int,
        end_line: int,
        id: int,
    ) -> None:
        self.target = target
        self.annotation = annotation
        self.value = value
        self.line = line
        self.end_line = end_line
        self.id = id


class AugmentedAssign(Statement):
    """`target += value`; `operator` is the binary one (`+`)."""

    __slots__ = ("operator", "target", "value")
    __match_args__ = ("target", "operator", "value", "line", "end_line", "id")

    def __init__(
        self,
        target: Expression,
        operator: BinaryOperator,
        value: Expression,
        line: int,
        end_line: int,
        id: int,
    ) -> None:
        self.target = target
        self.operator = operator
        self.value = value
        self.line = line
        self.end_line = end_line
        self.id = id


class Return(Statement):
    __slots__ = ("value",)
    __match_args__ = ("value", "line", "end_line", "id")

    def __init__(self, value: Expression | None, line: int, end_line: int, id: int) -> None:
        self.value = value
        self.line = line
        self.end_line = end_line
        self.id = id


class Raise(Statement):
    __slots__ = ("cause", "exception")
    __match_args__ = ("exception", "cause", "line", "end_line", "id")

    def __init__(
        self,
        exception: Expression | None,
        cause: Expression | None,
        line: int,
        end_line: int,
        id: int,
    ) -> None:
        self.exception = exception
        self.cause = cause
        self.line = line
        self.end_line = end_line
        self.id = id


class Assert(Statement):
    __slots__ = ("message", "test")
    __match_args__ = ("test", "message", "line", "end_line", "id")

    def __init__(
        self, test: Expression, message: Expression | None, line: int, end_line: int, id: int
    ) -> None:
        self.test = test
        self.message = message
        self.line = line
        self.end_line = end_line
        self.id = id


class Delete(Statement):
    """`del a, b`: two targets."""

    __slots__ = ("targets",)
    __match_args__ = ("targets", "line", "end_line", "id")

    def __init__(self, targets: tuple[Expression, ...], line: int, end_line: int, id: int) -> None:
        self.targets = targets
        self.line = line
        self.end_line = end_line
        self.id = id


class Global(Statement):
    __slots__ = ("names",)
    __match_args__ = ("names", "line", "end_line", "id")

    def __init__(self, names: tuple[str, ...], line: int, end_line: int, id: int) -> None:
        self.names = names
        self.line = line
        self.end_line = end_line
        self.id = id


class Nonlocal(Statement):
    __slots__ = ("names",)
    __match_args__ = ("names", "line", "end_line", "id")

    def __init__(self, names: tuple[str, ...], line: int, end_line: int, id: int) -> None:
        self.names = names
        self.line = line
        self.end_line = end_line
        self.id = id


class Alias(Record):
    """`name as alias` of an import; `name` is dotted in `import a.b`, `*` in `from a import *`."""

    __slots__ = ("alias", "name")
    __match_args__ = ("name", "alias")

    def __init__(self, name: str, alias: str | None) -> None:
        self.name = name
        self.alias = alias


class Import(Statement):
    __slots__ = ("names",)
    __match_args__ = ("names", "line", "end_line", "id")

    def __init__(self, names: tuple[Alias, ...], line: int, end_line: int, id: int) -> None:
        self.names = names
        self.line = line
        self.end_line = end_line
        self.id = id


class ImportFrom(Statement):
    """`from ..module import names`: `level` counts the dots, `module` may then be empty."""

    __slots__ = ("level", "module", "names")
    __match_args__ = ("module", "names", "level", "line", "end_line", "id")

    def __init__(
        self, module: str, names: tuple[Alias, ...], level: int, line: int, end_line: int, id: int
    ) -> None:
        self.module = module
        self.names = names
        self.level = level
        self.line = line
        self.end_line = end_line
        self.id = id


class Pass(Statement):
    __slots__ = ()
    __match_args__ = ("line", "end_line", "id")

    def __init__(self, line: int, end_line: int, id: int) -> None:
        self.line = line
        self.end_line = end_line
        self.id = id


class Break(Statement):
    __slots__ = ()
    __match_args__ = ("line", "end_line", "id")

    def __init__(self, line: int, end_line: int, id: int) -> None:
        self.line = line
        self.end_line = end_line
        self.id = id


class Continue(Statement):
    __slots__ = ()
    __match_args__ = ("line", "end_line", "id")

    def __init__(self, line: int, end_line: int, id: int) -> None:
        self.line = line
        self.end_line = end_line
        self.id = id


class TypeParameter(Record):
    """`T: bound = default`, `*Ts`, `**P`: `star` is the stars in front."""

    __slots__ = ("bound", "default", "name", "star")
    __match_args__ = ("name", "star", "bound", "default")

    def __init__(
        self,
        name: str,
        star: Literal["", "*", "**"],
        bound: Expression | None,
        default: Expression | None,
    ) -> None:
        self.name = name
        self.star = star
        self.bound = bound
        self.default = default


class TypeAliasStatement(Statement):
    """`type name[T] = value`."""

    __slots__ = ("name", "type_parameters", "value")
    __match_args__ = ("name", "type_parameters", "value", "line", "end_line", "id")

    def __init__(
        self,
        name: str,
        type_parameters: tuple[TypeParameter, ...],
        value: Expression,
        line: int,
        end_line: int,
        id: int,
    ) -> None:
        self.name = name
        self.type_parameters = type_parameters
        self.value = value
        self.line = line
        self.end_line = end_line
        self.id = id

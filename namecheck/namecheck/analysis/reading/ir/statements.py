"""Statements, and what stands in them: aliases, handlers, patterns of `match`."""

from __future__ import annotations

from typing import Literal

from namecheck.analysis.reading.ir.base import Expression, Pattern, Record, Statement
from namecheck.analysis.reading.ir.expressions import BinaryOperator, Keyword, Parameter

# Statements: simple


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


# Statements: compound


class If(Statement):
    """`elif` is an `If` alone in `orelse`."""

    __slots__ = ("body", "orelse", "test")
    __match_args__ = ("test", "body", "orelse", "line", "end_line", "id")

    def __init__(
        self,
        test: Expression,
        body: tuple[Statement, ...],
        orelse: tuple[Statement, ...],
        line: int,
        end_line: int,
        id: int,
    ) -> None:
        self.test = test
        self.body = body
        self.orelse = orelse
        self.line = line
        self.end_line = end_line
        self.id = id


class For(Statement):
    __slots__ = ("body", "is_async", "iterable", "orelse", "target")
    __match_args__ = ("target", "iterable", "body", "orelse", "is_async", "line", "end_line", "id")

    def __init__(
        self,
        target: Expression,
        iterable: Expression,
        body: tuple[Statement, ...],
        orelse: tuple[Statement, ...],
        is_async: bool,
        line: int,
        end_line: int,
        id: int,
    ) -> None:
        self.target = target
        self.iterable = iterable
        self.body = body
        self.orelse = orelse
        self.is_async = is_async
        self.line = line
        self.end_line = end_line
        self.id = id


class While(Statement):
    __slots__ = ("body", "orelse", "test")
    __match_args__ = ("test", "body", "orelse", "line", "end_line", "id")

    def __init__(
        self,
        test: Expression,
        body: tuple[Statement, ...],
        orelse: tuple[Statement, ...],
        line: int,
        end_line: int,
        id: int,
    ) -> None:
        self.test = test
        self.body = body
        self.orelse = orelse
        self.line = line
        self.end_line = end_line
        self.id = id


class Handler(Record):
    """`except exception as name:`."""

    __slots__ = ("body", "end_line", "exception", "line", "name")
    __match_args__ = ("exception", "name", "body", "line", "end_line")

    def __init__(
        self,
        exception: Expression | None,
        name: str | None,
        body: tuple[Statement, ...],
        line: int,
        end_line: int,
    ) -> None:
        self.exception = exception
        self.name = name
        self.body = body
        self.line = line
        self.end_line = end_line


class Try(Statement):
    """`is_star`: the handlers are `except*`."""

    __slots__ = ("body", "final", "handlers", "is_star", "orelse")
    __match_args__ = ("body", "handlers", "orelse", "final", "is_star", "line", "end_line", "id")

    def __init__(
        self,
        body: tuple[Statement, ...],
        handlers: tuple[Handler, ...],
        orelse: tuple[Statement, ...],
        final: tuple[Statement, ...],
        is_star: bool,
        line: int,
        end_line: int,
        id: int,
    ) -> None:
        self.body = body
        self.handlers = handlers
        self.orelse = orelse
        self.final = final
        self.is_star = is_star
        self.line = line
        self.end_line = end_line
        self.id = id


class WithItem(Record):
    __slots__ = ("target", "value")
    __match_args__ = ("value", "target")

    def __init__(self, value: Expression, target: Expression | None) -> None:
        self.value = value
        self.target = target


class With(Statement):
    __slots__ = ("body", "is_async", "items")
    __match_args__ = ("items", "body", "is_async", "line", "end_line", "id")

    def __init__(
        self,
        items: tuple[WithItem, ...],
        body: tuple[Statement, ...],
        is_async: bool,
        line: int,
        end_line: int,
        id: int,
    ) -> None:
        self.items = items
        self.body = body
        self.is_async = is_async
        self.line = line
        self.end_line = end_line
        self.id = id


class ValuePattern(Pattern):
    """A literal or a dotted name: compared with `==`."""

    __slots__ = ("value",)
    __match_args__ = ("value", "id")

    def __init__(self, value: Expression, id: int) -> None:
        self.value = value
        self.id = id


class SingletonPattern(Pattern):
    """True, False or None: compared with `is`."""

    __slots__ = ("value",)
    __match_args__ = ("value", "id")

    def __init__(self, value: bool | None, id: int) -> None:
        self.value = value
        self.id = id


class CapturePattern(Pattern):
    """`pattern as name`, `name` alone, or `_` (both None)."""

    __slots__ = ("name", "pattern")
    __match_args__ = ("pattern", "name", "id")

    def __init__(self, pattern: Pattern | None, name: str | None, id: int) -> None:
        self.pattern = pattern
        self.name = name
        self.id = id


class StarPattern(Pattern):
    """`*name` in a sequence; None for `*_`."""

    __slots__ = ("name",)
    __match_args__ = ("name", "id")

    def __init__(self, name: str | None, id: int) -> None:
        self.name = name
        self.id = id


class SequencePattern(Pattern):
    __slots__ = ("patterns",)
    __match_args__ = ("patterns", "id")

    def __init__(self, patterns: tuple[Pattern, ...], id: int) -> None:
        self.patterns = patterns
        self.id = id


class MappingPattern(Pattern):
    """Pairs of key and pattern; `rest` is the name after `**`."""

    __slots__ = ("items", "rest")
    __match_args__ = ("items", "rest", "id")

    def __init__(
        self, items: tuple[tuple[Expression, Pattern], ...], rest: str | None, id: int
    ) -> None:
        self.items = items
        self.rest = rest
        self.id = id


class ClassPattern(Pattern):
    """`cls(*positional, name=pattern)`."""

    __slots__ = ("cls", "keywords", "positional")
    __match_args__ = ("cls", "positional", "keywords", "id")

    def __init__(
        self,
        cls: Expression,
        positional: tuple[Pattern, ...],
        keywords: tuple[tuple[str, Pattern], ...],
        id: int,
    ) -> None:
        self.cls = cls
        self.positional = positional
        self.keywords = keywords
        self.id = id


class OrPattern(Pattern):
    __slots__ = ("patterns",)
    __match_args__ = ("patterns", "id")

    def __init__(self, patterns: tuple[Pattern, ...], id: int) -> None:
        self.patterns = patterns
        self.id = id


class Case(Record):
    __slots__ = ("body", "end_line", "guard", "line", "pattern")
    __match_args__ = ("pattern", "guard", "body", "line", "end_line")

    def __init__(
        self,
        pattern: Pattern,
        guard: Expression | None,
        body: tuple[Statement, ...],
        line: int,
        end_line: int,
    ) -> None:
        self.pattern = pattern
        self.guard = guard
        self.body = body
        self.line = line
        self.end_line = end_line


class Match(Statement):
    __slots__ = ("cases", "subject")
    __match_args__ = ("subject", "cases", "line", "end_line", "id")

    def __init__(
        self, subject: Expression, cases: tuple[Case, ...], line: int, end_line: int, id: int
    ) -> None:
        self.subject = subject
        self.cases = cases
        self.line = line
        self.end_line = end_line
        self.id = id


class FunctionDef(Statement):
    """`line` is that of `def`, below the decorators."""

    __slots__ = (
        "body",
        "decorators",
        "is_async",
        "name",
        "parameters",
        "returns",
        "type_parameters",
    )
    __match_args__ = (
        "name",
        "parameters",
        "returns",
        "body",
        "decorators",
        "is_async",
        "type_parameters",
        "line",
        "end_line",
        "id",
    )

    def __init__(
        self,
        name: str,
        parameters: tuple[Parameter, ...],
        returns: Expression | None,
        body: tuple[Statement, ...],
        decorators: tuple[Expression, ...],
        is_async: bool,
        type_parameters: tuple[TypeParameter, ...],
        line: int,
        end_line: int,
        id: int,
    ) -> None:
        self.name = name
        self.parameters = parameters
        self.returns = returns
        self.body = body
        self.decorators = decorators
        self.is_async = is_async
        self.type_parameters = type_parameters
        self.line = line
        self.end_line = end_line
        self.id = id


class ClassDef(Statement):
    """`line` is that of `class`, below the decorators."""

    __slots__ = ("bases", "body", "decorators", "keywords", "name", "type_parameters")
    __match_args__ = (
        "name",
        "bases",
        "keywords",
        "body",
        "decorators",
        "type_parameters",
        "line",
        "end_line",
        "id",
    )

    def __init__(
        self,
        name: str,
        bases: tuple[Expression, ...],
        keywords: tuple[Keyword, ...],
        body: tuple[Statement, ...],
        decorators: tuple[Expression, ...],
        type_parameters: tuple[TypeParameter, ...],
        line: int,
        end_line: int,
        id: int,
    ) -> None:
        self.name = name
        self.bases = bases
        self.keywords = keywords
        self.body = body
        self.decorators = decorators
        self.type_parameters = type_parameters
        self.line = line
        self.end_line = end_line
        self.id = id

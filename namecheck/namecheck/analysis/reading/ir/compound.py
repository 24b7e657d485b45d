"""Compound statements, and their handlers, items and cases."""

from __future__ import annotations

from namecheck.analysis.reading.ir.base import Expression, Pattern, Readings, Record, Statement
from namecheck.analysis.reading.ir.expressions import Keyword, Parameter
from namecheck.analysis.reading.ir.statements import TypeParameter


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
        "readings",
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
        self.readings: Readings = {}


class ClassDef(Statement):
    """`line` is that of `class`, below the decorators."""

    __slots__ = ("bases", "body", "decorators", "keywords", "name", "readings", "type_parameters")
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
        self.readings: Readings = {}

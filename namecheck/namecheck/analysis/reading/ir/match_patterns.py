"""The patterns that a `case` compares its subject with."""

from __future__ import annotations

from namecheck.analysis.reading.ir.base import Expression, Pattern


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

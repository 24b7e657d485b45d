"""The reasons why a text cannot be read: it is not Python, or it is nested too deeply."""

from __future__ import annotations

import ast
import warnings

from namecheck.text.layout import split_lines


class SourceError(Exception):
    """The text is not Python: the message, and the line and column (from 1)."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message, line, column)
        self.message = message
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return f"{self.message} (line {self.line}, column {self.column})"


class TooDeep(SourceError):
    """The text may be Python, but it is nested too deeply to be read."""

    def __init__(self) -> None:
        super().__init__("nested too deeply", 1, 1)


class NeedsLibCST(SourceError):
    """The text is Python, but only LibCST shows what it means, which is not installed."""

    def __init__(self, line: int = 1) -> None:
        super().__init__("only LibCST can read what begins here, and it is not installed", line, 1)


def python_error(text: str) -> SourceError | None:
    """Why Python cannot parse a text; None if it can."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as known:
        return SourceError(known.msg, *_inside(text, known.lineno or 1, known.offset or 1))
    except ValueError as known:  # null bytes
        return SourceError(str(known), 1, 1)
    except (RecursionError, MemoryError):
        return TooDeep()
    return None


def _inside(text: str, line: int, column: int) -> tuple[int, int]:
    """A place from Python's error, whose column is too large behind a backslash."""
    lines = split_lines(text)
    room = len(lines[line - 1].rstrip("\r\n")) if line <= len(lines) else 0
    return line, max(min(column, room + 1), 1)

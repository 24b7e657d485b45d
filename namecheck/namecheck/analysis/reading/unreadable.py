"""The reasons why a text cannot be read: it is not Python, or it is nested too deeply."""

from __future__ import annotations


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

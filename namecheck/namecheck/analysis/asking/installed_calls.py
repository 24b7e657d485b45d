"""Mistakes in installed packages: reported at the call that leads to them, if they are certain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.frames import Frame, Outcome

if TYPE_CHECKING:
    from namecheck.analysis.state.program_pieces import Source, SourceFile


def leaves_package(outcome: Outcome, caller: Frame) -> bool:
    """Whether a mistake is in an installed package, and the code that calls it is not."""
    return _is_installed(outcome.source.file) and not _is_installed(caller.source.file)


def at_call(outcome: Outcome, caller: Frame, number: int, inside: int) -> Outcome | None:
    """A mistake in a package as one of the caller's expression with this number.

    `inside` is the number of the expression of the package.

    None if it is merely suspicious: what the authors of a package wrote is not the caller's to
    mend.
    """
    if outcome.level != "error" or outcome.requires is not None:
        return None
    line = _line_of(outcome.source, inside)
    note = ("inside this call", outcome.source, line)
    return outcome._replace(source=caller.source, node=number, labels=(), notes=(note,), roots=())


def _is_installed(file: SourceFile) -> bool:
    program = file.program
    return program is not None and program.is_installed(file.real)


def _line_of(source: Source, number: int) -> int:
    """The line, in its piece of a file, of the statement with an expression."""
    line = 1
    for statement in source.chunk.statements:
        for record in walk(statement):
            if isinstance(record, ir.Statement):
                line = record.line
            elif isinstance(record, ir.Expression) and record.id == number:
                return line
    return line

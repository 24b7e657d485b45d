"""Findings and shapes as text: one module per format.

Every format is a pure function from a report to text. `write` decides where the text goes, `colour`
its colours.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from namecheck.report.contents import Report

if TYPE_CHECKING:
    from namecheck.printing.screen import Piece

__all__ = ["FORMATS", "FOR_PEOPLE", "Report", "checkout", "save", "text_of_report", "write"]

FORMATS: Final = {
    "full": "text",
    "concise": "concise",
    "json": "json",
    "json-lines": "json_lines",
    "github": "github",
    "gitlab": "gitlab",
    "sarif": "sarif",
    "junit": "junit",
    "rdjson": "rdjson",
    "html": "html",
}
"""The formats, each with the module of this package whose `report_text(report)` writes it."""

FOR_PEOPLE: Final = frozenset({"full", "concise"})
"""The formats that have colours on a terminal, and may be followed by other text."""


OF_COMMANDS: Final = frozenset({"github"})
"""The formats whose lines are commands to a CI service."""


def checkout() -> str | None:
    """The folder of the repository in GitHub Actions or GitLab CI; None elsewhere."""
    return os.environ.get("GITHUB_WORKSPACE") or os.environ.get("CI_PROJECT_DIR") or None


def text_of_report(report: Report, output_format: str) -> str:
    """The report in one of `FORMATS`, without colours."""
    from namecheck.printing.escapes import visible_lines

    module = importlib.import_module(f"namecheck.report.{FORMATS[output_format]}")
    text: str = module.report_text(report)
    # A format with escapes of its own has nothing left to escape.
    return visible_lines(text, commands=output_format in OF_COMMANDS)


def save(report: Report, output_format: str, path: str) -> None:
    """Write the report to a file, in UTF-8 and without colours. Raises `OSError`."""
    from namecheck.printing.output import encoded
    from namecheck.report.file import replace

    text = text_of_report(report, output_format)
    replace(path, encoded(text, commands=output_format in OF_COMMANDS))


def write(report: Report, output_format: str) -> None:
    """Print the report; on a terminal, formats for people in colour and as wide as the terminal."""
    from namecheck.printing.output import print_encoded, print_lines
    from namecheck.printing.terminal import in_colour

    if output_format not in FOR_PEOPLE:
        text = text_of_report(report, output_format)
        print_encoded(text, commands=output_format in OF_COMMANDS)
    elif in_colour():
        from namecheck.report.colour import paint

        paint(pieces(report, output_format))
    else:
        from namecheck.printing.screen import plain

        print_lines(plain(pieces(report, output_format)))


def pieces(report: Report, output_format: str) -> Iterator[Piece]:
    """The report in one of `FOR_PEOPLE`, as wide as the terminal."""
    if output_format == "concise":
        from namecheck.report.concise import concise_pieces

        return concise_pieces(report.findings)
    from namecheck.printing.terminal import columns
    from namecheck.report.text import full_pieces

    return full_pieces(report, columns())

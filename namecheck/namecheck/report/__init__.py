"""Findings and shapes as text: one module per format.

Every format is a pure function from a report to text.  Where the text goes, and in which colours,
is decided by `write` and `colour`.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from namecheck.findings import Finding
from namecheck_runtime.records import NamedTuple

if TYPE_CHECKING:
    from namecheck.report.screen import Piece

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
}
"""The formats, each with the module of this package whose `report_text(report)` writes it."""

FOR_PEOPLE: Final = frozenset({"full", "concise"})
"""The formats that come in colour on a terminal, and may be followed by other words."""


class Report(NamedTuple):
    """What there is to report: findings in order, and how many files were checked.

    `sources` gives the text that the spans of a path (and a notebook's cell) count in. `checkout`
    is the root of the repository where a CI service names it; paths for that service are relative
    to it. Without `total`, `full` ends with the last finding.
    """

    findings: Sequence[Finding]
    sources: Callable[[str, int | None], str]
    checked: int
    checkout: str | None = None
    total: bool = True


def checkout() -> str | None:
    """The folder in which GitHub Actions or GitLab CI put the repository; None elsewhere."""
    return os.environ.get("GITHUB_WORKSPACE") or os.environ.get("CI_PROJECT_DIR") or None


def text_of_report(report: Report, output_format: str) -> str:
    """The report in one of `FORMATS`, without colours."""
    module = importlib.import_module(f"namecheck.report.{FORMATS[output_format]}")
    text: str = module.report_text(report)
    return text


def save(report: Report, output_format: str, path: str) -> None:
    """Writes the report to a file, in UTF-8 and without colours.  Raises OSError."""
    from namecheck.report.file import replace

    replace(path, encoded(text_of_report(report, output_format)))


def write(report: Report, output_format: str) -> None:
    """Prints the report: for people in colour and as wide as the terminal, where there is one."""
    import click

    from namecheck.terminal import in_colour

    if output_format not in FOR_PEOPLE:
        # UTF-8 whatever the terminal speaks: JSON is nothing else, and our XML says so.
        click.echo(encoded(text_of_report(report, output_format)), nl=False)
    elif in_colour():
        from namecheck.report.colour import paint

        paint(pieces(report, output_format))
    else:
        from namecheck.report.screen import plain

        click.echo(plain(pieces(report, output_format)), nl=False)


def pieces(report: Report, output_format: str) -> Iterator[Piece]:
    """The report in one of `FOR_PEOPLE`, as wide as the terminal."""
    if output_format == "concise":
        from namecheck.report.concise import concise_pieces

        return concise_pieces(report.findings)
    from namecheck.report.text import full_pieces
    from namecheck.terminal import columns

    findings, sources, checked, _, total = report
    return full_pieces(findings, sources, checked, columns(), total)


def encoded(text: str) -> bytes:
    # A path that is no text holds lone surrogates. Written so, they are JSON's own escapes.
    return text.encode("utf-8", "backslashreplace")

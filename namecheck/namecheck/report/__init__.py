"""Findings and shapes as text: one module per format.

Every format is a pure function from a report to text.  Where the text goes, and in which colours,
is decided by `write` and `colour`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from namecheck.findings import Finding

__all__ = ["FORMATS", "Report", "text_of_report", "write"]

FORMATS: Final = {
    "full": "text",
    "concise": "concise",
    "json": "json",
}
"""The formats, each with the module of this package whose `report_text(report)` writes it."""


class Report(NamedTuple):
    """What there is to report: findings in order, and how many files were checked.

    `sources` gives the text that the spans of a path (and a notebook's cell) count in.
    """

    findings: Sequence[Finding]
    sources: Callable[[str, int | None], str]
    checked: int


def text_of_report(report: Report, output_format: str) -> str:
    """The report in one of `FORMATS`, without colours."""
    module = importlib.import_module(f"namecheck.report.{FORMATS[output_format]}")
    text: str = module.report_text(report)
    return text


def write(report: Report, output_format: str) -> None:
    """Prints the report: for people in colour and as wide as the terminal, where there is one."""
    import click

    from namecheck.terminal import columns, in_colour

    if output_format != "full":
        click.echo(text_of_report(report, output_format), nl=False)
        return
    from namecheck.report.screen import plain
    from namecheck.report.text import full_pieces

    pieces = full_pieces(report.findings, report.sources, report.checked, columns())
    if in_colour():
        from namecheck.report.colour import paint

        paint(pieces)
    else:
        click.echo(plain(pieces), nl=False)

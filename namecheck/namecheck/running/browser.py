"""One text as a page in the browser asks about it: the findings and the dims of a file, as JSON.

The findings are those of `check --output-format json`, each with its card on the page of
`show --html`. The dims are those of `show --output-format json`. The file need not be on a disk.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from xml.etree.ElementTree import tostring

from namecheck.findings import Finding, Span
from namecheck.printing.escapes import json_text
from namecheck.report.dims_json import dims_text
from namecheck.report.json import array
from namecheck.report.page.cards import card
from namecheck.report.targets import quoted
from namecheck.running.checking import check_files
from namecheck.running.discovery import Discovered
from namecheck.running.page_files import pages_of
from namecheck.settings.config import Configuration
from namecheck.text.layout import split_lines

__all__ = ["answer"]


def answer(path: str, text: str) -> str:
    """A JSON object for the text of a file: `findings`, `dims`, and `cards`, which are HTML.

    In the cards, the address of a line of the file is `#line-` and its number.
    """
    configuration = Configuration()
    given = {path: text.encode("utf-8", "surrogatepass")}
    checked = check_files((path,), Discovered((path,)), configuration, given=given)
    page = pages_of((path,), (path,), configuration, given)(path)
    cards = [_card(finding, number, text) for number, finding in enumerate(checked.reported, 1)]
    findings = array(checked.reported)
    dims = dims_text(path, page.sources, page.shapes, page.known)
    return f'{{"findings": {findings}, "dims": {dims}, "cards": {json_text(cards)}}}'


def _card(finding: Finding, number: int, text: str) -> str:
    made = card(finding, number, partial(_code, split_lines(text)), partial(_address, finding.path))
    return tostring(made, encoding="unicode", method="html")


def _code(lines: Sequence[str], span: Span) -> str:
    return quoted(lines, span) if span.line <= len(lines) else ""


def _address(own: str, path: str, cell: int | None, line: int) -> str | None:
    return f"#line-{line}" if path == own else None

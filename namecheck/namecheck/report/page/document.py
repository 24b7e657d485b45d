"""The page as a whole: head, table of contents, files, and what the page knows of dims."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final
from xml.etree.ElementTree import Element, tostring

from namecheck.findings import Finding, Level, Span
from namecheck.printing.counts import counted
from namecheck.printing.escapes import visible
from namecheck.report.axes import axes_of
from namecheck.report.page.cards import card, code_of
from namecheck.report.page.html_elements import asset, element
from namecheck.report.page.listing import Table, listing
from namecheck.report.page.page_file import PageFile, anchor
from namecheck.text.layout import split_lines

__all__ = ["head", "page_text"]

HELP: Final = (
    "Point at code to see its dims and where they come from. With the keyboard: n and p go from "
    "finding to finding, the arrow keys in a listing from expression to expression."
)

MOST_CLEAN: Final = 10
"""How many files without findings the table of contents shows beside those with findings."""


def page_text(files: Sequence[PageFile], title: str, checked: int) -> str:
    """The page of some files: a document of HTML that needs no other file.

    `checked` is how many files were checked in all.
    """
    links = {file.path: number for number, file in enumerate(files, 1)}
    cards = {
        finding: number
        for number, finding in enumerate([one for file in files for one in file.findings], 1)
    }
    table = Table()
    sections = [_section(file, links[file.path], cards, table, links) for file in files]
    page = element("html", "namecheck", lang="en", children=[head(title)])
    body = element("body", children=[element("a", "skip", "To the findings", href="#main")])
    body.append(_header(files, title, checked))
    body.append(_contents(files, cards))
    body.append(element("main", id="main", children=sections))
    body.append(element("aside", id="beside", role="status", aria_live="polite", hidden="hidden"))
    body.append(element("script", "", _data(table), type="application/json", id="dims"))
    body.append(element("script", "", asset("behaviour.js")))
    page.append(body)
    return f"<!DOCTYPE html>\n{tostring(page, encoding='unicode', method='html')}\n"


def head(title: str, *styles: str) -> Element:
    """The head of a page, with further styles by the names of their files."""
    names = ("colours.css", "parts.css", "style.css", *styles)
    return element(
        "head",
        children=[
            element("meta", charset="utf-8"),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("meta", name="color-scheme", content="light dark"),
            element("title", "", visible(title)),
            element("style", "", "".join(map(asset, names))),
        ],
    )


def _header(files: Sequence[PageFile], title: str, checked: int) -> Element:
    found = [len(file.findings) for file in files if file.findings]
    where = f"{counted(len(found), 'file')} ({checked:,} checked)"
    count = f"{counted(sum(found), 'finding')} in {where}"
    search = element("input", type="search", id="search", placeholder="Search", aria_label="Search")
    return element(
        "header",
        children=[
            element("h1", "", visible(title)),
            element("p", "total", count, id="total"),
            search,
            element("p", "help", HELP),
        ],
    )


def _contents(files: Sequence[PageFile], cards: dict[Finding, int]) -> Element:
    """The table of contents: each file with how many findings of each level it has.

    Many files without findings are folded, so that they do not stand before the first card.
    """
    rows: list[Element] = []
    clean: list[Element] = []
    for number, file in enumerate(files, 1):
        link = element("a", "path", visible(file.path), href=f"#f{number}")
        levels = Counter(finding.level for finding in file.findings)
        counts = [
            element("span", f"count {level}", counted(levels[level], str(level)))
            for level in Level
            if levels[level]
        ]
        inner = [
            element(
                "li",
                children=[
                    element(
                        "a",
                        str(finding.level),
                        f"{finding.code} {finding.name}, line {finding.span.line}",
                        href=f"#finding-{cards[finding]}",
                    )
                ],
            )
            for finding in file.findings
        ]
        parts = [link, *counts]
        if inner:
            parts.append(element("ol", children=inner))
        row = element("li", children=parts, data_file=f"f{number}")
        (rows if inner else clean).append(row)
    if rows and len(clean) > MOST_CLEAN:
        summary = element("summary", "", f"{counted(len(clean), 'file')} without findings")
        folded = element("details", children=[summary, element("ol", children=clean)])
        clean = [element("li", children=[folded])]
    rows.extend(clean)
    return element("nav", aria_label="Contents", children=[element("ol", children=rows)])


def _section(
    file: PageFile, number: int, cards: dict[Finding, int], table: Table, links: dict[str, int]
) -> Element:
    lines = {cell: split_lines(source) for cell, source in file.sources.items()}

    def code_at(finding: Finding) -> Callable[[Span], str]:
        return partial(code_of, lines.get(finding.cell, []))

    def address(path: str, cell: int | None, line: int) -> str | None:
        there = links.get(path)
        return None if there is None else f"#{anchor(there, cell, line)}"

    made = element("section", "file", id=f"f{number}")
    made.append(element("h2", "", visible(file.path)))
    for finding in file.findings:
        made.append(card(finding, cards[finding], code_at(finding), address))
    made.extend(listing(file, number, cards, table, links))
    return made


def _data(table: Table) -> str:
    """The dims of expressions for the script: [axes, [[text, line, cell, file or path], ...]]."""
    entries: list[Any] = [[axes_of(str(dims)), notes] for dims, notes in table.entries]
    # In a script nothing is escaped, so nothing may look like its end.
    return json.dumps(entries, separators=(",", ":")).replace("<", "\\u003c")

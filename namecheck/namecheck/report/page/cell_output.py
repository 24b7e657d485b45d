"""What namecheck knows of one cell of a notebook's session, as HTML to show below the cell.

It needs no script, so that it is the same in every program that shows notebooks, and in a saved
one: the dims of an expression, and where they come from, are its tooltip and rows of a table. The
colours follow the theme of JupyterLab or VS Code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final
from xml.etree.ElementTree import Element, tostring

from namecheck.findings import Finding, Note
from namecheck.printing.counts import counted
from namecheck.printing.escapes import visible
from namecheck.report.axes import axes_of
from namecheck.report.page.cards import Where, card, code_of
from namecheck.report.page.html_elements import append_text, asset, element
from namecheck.report.page.listing import Table, listing
from namecheck.report.page.page_file import PageFile
from namecheck.text.layout import split_lines
from namecheck_runtime.light.regexes import regex

__all__ = ["cell_html", "total_of"]

NAME: Final = regex(r"[^\W\d]\w*(?:\.\w+)*")
"""A variable or an attribute."""


def cell_html(
    file: PageFile, cell: int, sources: Callable[[str, int | None], str], where: Where
) -> str:
    """An element with the findings of a file, and a cell of it with its dims.

    `sources` gives the text that the places of a path and cell refer to; `where` says what a place
    is called.
    """

    def code_at(finding: Finding) -> Sequence[str]:
        return split_lines(sources(finding.path, finding.cell))

    findings = file.findings
    made = element("div", "namecheck")
    made.append(element("style", "", _style()))
    made.append(element("p", "total", f"namecheck: {total_of(findings)}"))
    for number, finding in enumerate(findings, 1):
        code = partial(code_of, code_at(finding))
        shown = card(finding, number, code, lambda *_: None, where)
        del shown.attrib["id"]  # there may be many outputs on a page
        made.append(shown)
    if any(shape.cell == cell for shape in file.shapes) or file.known:
        made.append(_dims(file, cell, where))
    return tostring(made, encoding="unicode", method="html")


def total_of(findings: Sequence[Finding]) -> str:
    """How many findings there are."""
    return counted(len(findings), "finding") if findings else "no findings"


def _style() -> str:
    parts = "".join(map(asset, ("parts.css", "cell.css")))
    # Three times the class: JupyterLab's own rules for HTML name two.
    return f"{asset('colours.css')}{'.namecheck' * 3} {{\n{parts}}}\n"


def _dims(file: PageFile, cell: int, where: Where) -> Element:
    """The source of the cell with its dims, and where these come from."""
    shown = element("details", open="open", children=[element("summary", "", "Dims in this cell")])
    table = Table()
    cards = {finding: number for number, finding in enumerate(file.findings, 1)}
    alone = file._replace(sources={cell: file.sources[cell]})
    known = {
        table.number_of(one, {}): (one.message, one.notes) for one in file.known if one.cell == cell
    }
    for part in listing(alone, 1, cards, table, {}):
        if part.get("class") == "source":
            _without_script(part, {number: _tooltip(*one) for number, one in known.items()})
            shown.append(part)
    rows = _origins(file, cell, where)
    if rows:
        shown.append(element("table", "origins", children=[element("tbody", children=rows)]))
    return shown


def _without_script(source: Element, tooltips: dict[int, str]) -> None:
    """Give the expressions of a listing tooltips; leave out what is for a page with a script."""
    for one in source.iter():
        one.attrib.pop("id", None)
        one.attrib.pop("data-card", None)
        if one.attrib.pop("href", None) is not None:
            one.tag = "span"
        number = one.attrib.pop("data-x", None)
        if number is not None:
            one.set("title", tooltips[int(number)])


def _tooltip(dims: str, notes: Sequence[Note]) -> str:
    return "\n".join([visible(dims), *(visible(note.text) for note in notes)])


def _origins(file: PageFile, cell: int, where: Where) -> list[Element]:
    """A row for each variable of a cell: its dims, and where these come from."""
    lines = split_lines(file.sources[cell])
    rows: dict[tuple[str, str, tuple[Note, ...]], Element] = {}
    for known in sorted(file.known, key=lambda one: one.span):
        code = code_of(lines, known.span)
        key = code, known.message, known.notes
        if known.cell != cell or not known.notes or not NAME.fullmatch(code) or key in rows:
            continue
        axes = [element("span", "axis-of", visible(axis)) for axis in axes_of(known.message)]
        origin = element("td")
        for number, note in enumerate(known.notes):
            append_text(origin, ("; " if number else "") + visible(note.text))
            if note.span is not None:
                append_text(origin, f" ({where(note.path or known.path, note.cell, note.span)})")
        rows[key] = element(
            "tr",
            children=[
                element("th", "", visible(code), scope="row"),
                element("td", children=axes or [element("span", "axis-of", "no dims")]),
                origin,
            ],
        )
    return list(rows.values())

"""The modules of a network as a page of HTML: a tree that folds, with what each module gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.etree.ElementTree import Element, tostring

from namecheck.module_tree import ModuleTree
from namecheck.printing.escapes import visible
from namecheck.report.module_table import (
    NOTHING,
    dims_text,
    label_of,
    multiply_adds_text,
    output_text,
    parameters_text,
    total_lines,
)
from namecheck.report.module_totals import ShownRow, shown_rows, totals_of, with_parts
from namecheck.report.page.document import head
from namecheck.report.page.html_elements import element

__all__ = ["module_page"]

_OPEN: Final = 2
"""Down to which depth the tree is unfolded at first, if no depth is given."""

_HELP: Final = (
    "Point at a row for what goes in and for its tensors. A row with a triangle folds and unfolds "
    "what is in it, and counts that, too."
)


def module_page(tree: ModuleTree, title: str, inputs: Sequence[str], depth: int | None) -> str:
    """A document of HTML that needs no other file."""
    rows = with_parts(shown_rows(tree, None))
    page = element("html", "namecheck", lang="en", children=[head(title, "modules.css")])
    body = element("body", children=[element("a", "skip", "To the modules", href="#main")])
    body.append(_header(title, inputs))
    totals = element("dl", "totals")
    for line in total_lines(totals_of(tree), tree.has_input):
        name, _, text = line.partition(":")
        totals.append(element("dt", "", name))
        totals.append(element("dd", "", text.strip()))
    body.append(totals)
    main = element("main", id="main")
    main.append(_heads(tree.has_input))
    _fill(main, rows, _OPEN if depth is None else depth, tree.has_input)
    body.append(main)
    page.append(body)
    return f"<!DOCTYPE html>\n{tostring(page, encoding='unicode', method='html')}\n"


def _header(title: str, inputs: Sequence[str]) -> Element:
    parts = [element("h1", "", visible(title))]
    if inputs:
        parts.append(element("p", "total", "called with " + ", ".join(map(visible, inputs))))
    parts.append(element("p", "help", _HELP))
    return element("header", children=parts)


def _heads(has_input: bool) -> Element:
    names = ["Module", *(["Output"] if has_input else []), "Parameters"]
    names += ["Multiply-adds"] if has_input else []
    kinds = {"Output": "out", "Parameters": "count", "Multiply-adds": "count"}
    cells = [element("span", kinds.get(name, "label"), name) for name in names]
    return element("div", "row heads", children=cells, aria_hidden="true")


def _fill(parent: Element, rows: Sequence[ShownRow], depth: int, has_input: bool) -> None:
    """Add the rows to an element: a row with rows below it folds."""
    above = [parent]
    for place, shown in enumerate(rows):
        level = shown.row.depth
        del above[level + 1 :]
        line = _row(shown, has_input)
        following = rows[place + 1].row.depth if place + 1 < len(rows) else 0
        if following > level:
            fold = element("details", children=[element("summary", children=[line])])
            if level < depth:
                fold.set("open", "open")
            above[-1].append(fold)
            above.append(fold)
        else:
            above[-1].append(element("div", "leaf", children=[line]))


def _row(shown: ShownRow, has_input: bool) -> Element:
    name, cls = label_of(shown)
    label = element("span", "label")
    if name:
        label.append(element("b", "", name))
    label.append(element("span", "class", cls))
    cells = [label]
    if has_input:
        cells.append(_cell("out", output_text(shown)))
    cells.append(_cell("count parameters", parameters_text(shown)))
    if has_input:
        cells.append(_cell("count adds", multiply_adds_text(shown)))
    kind = "row whole" if shown.has_hidden else "row"
    return element("span", kind, children=cells, title=_tooltip(shown))


def _cell(kind: str, text: str) -> Element:
    return element("span", f"{kind} nothing" if text == NOTHING else kind, text)


def _tooltip(shown: ShownRow) -> str:
    """What goes into a module, and its tensors."""
    row = shown.row
    lines = [visible(row.path) or visible(row.cls)]
    if row.given:
        lines.append(f"in: {dims_text(row.given)}")
    for held in row.tensors:
        kind = " (buffer)" if held.is_buffer else "" if held.trainable else " (frozen)"
        dims = dims_text((held.tensor,))
        lines.append(f"{visible(held.name)}: {dims} {held.tensor.dtype or '?'}{kind}")
    return "\n".join(lines)

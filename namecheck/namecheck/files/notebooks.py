"""Notebooks: the code cells, joined into one Python text, and the way back to the cells.

A notebook is JSON, which is read and written here without Jupyter's libraries: version 4 (`cells`),
and 2 and 3 (`worksheets`). Cells are numbered from 1 among all cells of the notebook, text cells
included, as ruff numbers them.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from namecheck.files.magics import blank, python_of
from namecheck.text.layout import split_lines
from namecheck_runtime.light.regexes import regex

if TYPE_CHECKING:
    from namecheck.analysis import SourceError

__all__ = [
    "Cell",
    "NotANotebook",
    "Notebook",
    "is_python",
    "mended_text",
    "read_notebook",
    "rewritten",
]


class NotANotebook(Exception):
    """The text is not a notebook; the message says why."""


class Cell:
    """A code cell: its number, its text in the notebook, and that text as Python.

    `raises`: the cell has Jupyter's tag for one that ends in an exception.
    """

    def __init__(self, number: int, text: str, python: str, raises: bool = False) -> None:
        self.number = number
        self.text = text
        self.python = python
        self.raises = raises


class Notebook:
    """The code cells of a notebook. `language` is None if it is Python."""

    def __init__(self, cells: tuple[Cell, ...], language: str | None = None) -> None:
        self.cells = cells
        self.language = language

    @cached_property
    def _laid(self) -> tuple[str, list[int], list[int]]:
        """The text of all cells, and the first line and the number of lines of each cell."""
        parts: list[str] = []
        firsts: list[int] = []
        lengths: list[int] = []
        line = 1
        for cell in self.cells:
            lines = split_lines(cell.python)
            if _is_indented(lines):
                # IPython removes the indentation; here columns have to stay the same.
                parts.append("if True:\n")
                line += 1
            firsts.append(line)
            lengths.append(len(lines))
            # The empty line ends a last line that a backslash would continue. A lone carriage
            # return at the end becomes a line break with the newline after it.
            ending = "\n" if not lines or lines[-1].endswith("\n") else "\n\n"
            parts.append(cell.python + ending)
            line += len(lines) + 1
        return "".join(parts), firsts, lengths

    @property
    def text(self) -> str:
        """The Python of all cells."""
        return self._laid[0]

    def place(self, line: int) -> tuple[int, int]:
        """The cell of a line of `text`, and the line within the cell."""
        _, firsts, lengths = self._laid
        if not firsts:
            return 1, 1
        # The lines between two cells belong to the one before.
        at = max(bisect_right(firsts, line) - 1, 0)
        return self.cells[at].number, min(max(line - firsts[at] + 1, 1), max(lengths[at], 1))

    def line(self, cell: int, line: int) -> int:
        """The line of `text` of a line of a cell."""
        at = [code_cell.number for code_cell in self.cells].index(cell)
        return self._laid[1][at] + line - 1

    def cell(self, number: int) -> Cell | None:
        """The code cell with a number."""
        return next((cell for cell in self.cells if cell.number == number), None)

    def faults(self) -> dict[int, SourceError]:
        """The cells that are not Python by themselves, each with its error."""
        from namecheck.analysis import SourceError, TooDeep, lower

        faults: dict[int, SourceError] = {}
        for cell in self.cells:
            alone = Notebook((cell,))
            try:
                lower(alone.text)
            except TooDeep:
                continue
            except SourceError as fault:
                _, line = alone.place(fault.line)
                faults[cell.number] = SourceError(fault.message, line, fault.column)
        return faults

    def without(self, numbers: frozenset[int]) -> Notebook:
        """The notebook with some of its cells emptied."""
        return Notebook(
            tuple(
                Cell(cell.number, cell.text, blank(cell.python), cell.raises)
                if cell.number in numbers
                else cell
                for cell in self.cells
            ),
            self.language,
        )


def read_notebook(source: str) -> Notebook:
    """The notebook in a file's text.  Raises `NotANotebook`."""
    notebook = _loaded(source)
    language = _language(notebook)
    cells = []
    for number, cell in enumerate(_cells(notebook), 1):
        if not isinstance(cell, dict) or not isinstance(cell.get("cell_type"), str):
            raise NotANotebook(f"cell {number} has no type")
        if cell["cell_type"] == "code":
            text = _text(cell, number)
            language_of_cell = _own_language(cell)
            python = blank(text) if language_of_cell else python_of(_SURROGATE.sub("\ufffd", text))
            tags = _of(_of(cell, "metadata"), "tags", list)
            cells.append(Cell(number, text, python, "raises-exception" in tags))
    return Notebook(tuple(cells), language)


def mended_text(text: str) -> tuple[str, SourceError | None]:
    """The text of a notebook's cells without those that are not Python, and the error of one of
    these; None if the text is Python, or the error cannot be located.

    JupyterLab joins cells with two empty lines between them. A cell may contain two empty lines
    itself, so that a part of it is taken for a cell; if that is not Python, it is left out.
    """
    from namecheck.analysis import SourceError, TooDeep, lower

    try:
        lower(text)
        return text, None
    except TooDeep:
        return text, None
    except SourceError as fault:
        line_of_fault = fault.line
    parts = _cells_below_each_other(text)
    cells = Notebook(tuple(Cell(number, part, part) for number, (_, part) in enumerate(parts)))
    faults = cells.faults()
    if not faults:
        return text, None
    kept = (blank(part) if number in faults else part for number, (_, part) in enumerate(parts))
    # Python reports an error in its own cell, or in a later one if a bracket was left open.
    before = [number for number in faults if parts[number][0] <= line_of_fault]
    number = max(before, default=min(faults))
    inner = faults[number]
    line = parts[number][0] + inner.line - 1
    return "".join(kept), SourceError(inner.message, line, inner.column)


def _cells_below_each_other(text: str) -> list[tuple[int, str]]:
    """The parts of a text between two empty lines, each with its first line."""
    parts: list[tuple[int, list[str]]] = [(1, [])]
    empty = 0
    for number, line in enumerate(split_lines(text), 1):
        if empty >= 2 and line[:1].strip():
            parts.append((number, []))
        empty = 0 if line.strip() else empty + 1
        parts[-1][1].append(line)
    return [(first, "".join(lines)) for first, lines in parts]


def rewritten(source: str, texts: Mapping[int, str]) -> str:
    """A notebook's file with new texts in some of its cells, and no other change."""
    plain = source.isascii()
    parts: list[str] = []
    done = 0
    for number, (start, end) in enumerate(_places(source), 1):
        if number in texts:
            parts += [source[done:start], _respelled(source[start:end], texts[number], plain)]
            done = end
    return "".join([*parts, source[done:]])


# The content of the JSON

_SURROGATE = regex("[\ud800-\udfff]")
"""Half a character, which JSON may contain and Python source may not."""

_PYTHON: Final = frozenset({"python", "python2", "python3", "ipython", "ipython2", "ipython3"})


def is_python(language: str) -> bool:
    """Whether a language is Python, under one of its names in notebooks."""
    return language.lower() in _PYTHON


def _loaded(source: str) -> dict[str, Any]:
    try:
        notebook = json.loads(source)
    except json.JSONDecodeError as fault:
        if not source.strip():
            raise NotANotebook("the file is empty") from None
        where = f"line {fault.lineno}, column {fault.colno}"
        raise NotANotebook(f"not JSON: {fault.msg} in {where}") from None
    except RecursionError:
        raise NotANotebook("nested too deeply") from None
    except ValueError as fault:  # a number with thousands of digits
        raise NotANotebook(f"not JSON: {fault}") from None
    if not isinstance(notebook, dict):
        raise NotANotebook("not a JSON object")
    return notebook


def _cells(notebook: dict[str, Any]) -> list[Any]:
    """The cells of a notebook of any version, in order."""
    if isinstance(cells := notebook.get("cells"), list):
        return cells
    if not isinstance(sheets := notebook.get("worksheets"), list):
        raise NotANotebook("it has no cells")
    cells = []
    for sheet in sheets:
        if not isinstance(sheet, dict) or not isinstance(sheet.get("cells"), list):
            raise NotANotebook("a worksheet has no cells")
        cells += sheet["cells"]
    return cells


def _text(cell: dict[str, Any], number: int) -> str:
    text = cell.get("source", cell.get("input"))
    if isinstance(text, list) and all(isinstance(line, str) for line in text):
        return "".join(text)
    if not isinstance(text, str):
        raise NotANotebook(f"cell {number} has no source")
    return text


def _language(notebook: dict[str, Any]) -> str | None:
    """The language of a notebook; None if it is Python."""
    metadata = _of(notebook, "metadata")
    language_info, kernelspec = _of(metadata, "language_info"), _of(metadata, "kernelspec")
    return _foreign(language_info.get("name"), kernelspec.get("language"))


def _own_language(cell: dict[str, Any]) -> str | None:
    """The language of a cell; None if it is Python."""
    editor = _of(_of(cell, "metadata"), "vscode")
    return _foreign(cell.get("language"), editor.get("languageId"))


def _foreign(*names: object) -> str | None:
    for name in names:
        if isinstance(name, str) and name and not is_python(name):
            return name
    return None


def _of(holder: dict[str, Any], key: str, kind: type = dict) -> Any:
    value = holder.get(key)
    return value if isinstance(value, kind) else kind()


def _is_indented(lines: list[str]) -> bool:
    for line in lines:
        bare = line.lstrip(" \t\f")
        if bare.strip() and bare[0] != "#":
            return line[0] in " \t"
    return False


# Places in the JSON

_SPACE = regex(r"[ \t\r\n]*")
_decode = json.JSONDecoder().raw_decode


def _places(source: str) -> Iterator[tuple[int, int]]:
    """The start and the end of the source of each cell, in order."""
    outside = _members(source, int(source.startswith("\ufeff")))
    holders = [outside["cells"]] if "cells" in outside else []
    if not holders:
        sheets = _items(source, outside["worksheets"][0])
        holders = [_members(source, start)["cells"] for start, _ in sheets]
    for start, _ in holders:
        for cell, _ in _items(source, start):
            members = _members(source, cell)
            # A text cell need not have a source.
            yield members.get("source") or members.get("input") or (cell, cell)


def _members(source: str, at: int) -> dict[str, tuple[int, int]]:
    """Start and end of each value of the object at a place, by key; the last one counts."""
    members = {}
    at = _skip(source, _skip(source, at) + 1)
    while source[at] != "}":
        key, at = _decode(source, at)
        start = _skip(source, _skip(source, at) + 1)  # over the colon
        _, end = _decode(source, start)
        members[key] = start, end
        at = _skip(source, end)
        if source[at] == ",":
            at = _skip(source, at + 1)
    return members


def _items(source: str, at: int) -> list[tuple[int, int]]:
    """Start and end of each value of the array at a place."""
    items = []
    at = _skip(source, _skip(source, at) + 1)
    while source[at] != "]":
        _, end = _decode(source, at)
        items.append((at, end))
        at = _skip(source, end)
        if source[at] == ",":
            at = _skip(source, at + 1)
    return items


def _skip(source: str, at: int) -> int:
    space = _SPACE.match(source, at)
    return space.end() if space else at


def _respelled(written: str, text: str, plain: bool) -> str:
    """A cell's source as JSON with another text, in the old style; unchanged lines are kept."""
    if written[0] != "[":
        return json.dumps(text, ensure_ascii=plain)
    items = _items(written, 0)
    old = [written[start:end] for start, end in items]
    before = [json.loads(line) for line in old]
    # Split as nbformat does, also at form feeds and the like.
    new = text.splitlines(keepends=True)
    same = 0
    while same < min(len(before), len(new)) and before[same] == new[same]:
        same += 1
    rest = 0
    while rest < min(len(before), len(new)) - same and before[-1 - rest] == new[-1 - rest]:
        rest += 1
    changed = [json.dumps(line, ensure_ascii=plain) for line in new[same : len(new) - rest]]
    spelled = [*old[:same], *changed, *old[len(old) - rest :]]
    if len(items) > 1:
        between = written[items[0][1] : items[1][0]]
    else:
        between = "," + (written[1 : items[0][0]] if items else " ")
    if not spelled:
        return "[]"
    head, tail = (written[: items[0][0]], written[items[-1][1] :]) if items else ("[", "]")
    return head + between.join(spelled) + tail

"""Notebooks: the code cells one below the other as one Python text, and the way back to the cells.

A notebook is JSON, which is read and written here without any library of Jupyter's: of version 4
(`cells`), and of 2 and 3 (`worksheets`). Cells are numbered among all cells of the notebook from 1,
those of text included, as ruff numbers them.
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
    """The text is no notebook, and why."""


class Cell:
    """A code cell: its number, its text as it stands in the notebook, and that as Python.

    `raises`: its author says that it ends in an exception (the tag that Jupyter has for it).
    """

    def __init__(self, number: int, text: str, python: str, raises: bool = False) -> None:
        self.number = number
        self.text = text
        self.python = python
        self.raises = raises


class Notebook:
    """The code cells of a notebook.  `language` is not None if that is another than Python."""

    def __init__(self, cells: tuple[Cell, ...], language: str | None = None) -> None:
        self.cells = cells
        self.language = language

    @cached_property
    def _laid(self) -> tuple[str, list[int], list[int]]:
        """The text of all cells, and for each its first line and how many lines it has."""
        parts: list[str] = []
        firsts: list[int] = []
        lengths: list[int] = []
        line = 1
        for cell in self.cells:
            lines = split_lines(cell.python)
            if _is_indented(lines):
                # IPython takes the indentation away; columns are to stay what they are.
                parts.append("if True:\n")
                line += 1
            firsts.append(line)
            lengths.append(len(lines))
            # The empty line ends what a cell's last line leaves open behind a backslash. A lone
            # carriage return at the end becomes one end of line with what follows it.
            ending = "\n" if not lines or lines[-1].endswith("\n") else "\n\n"
            parts.append(cell.python + ending)
            line += len(lines) + 1
        return "".join(parts), firsts, lengths

    @property
    def text(self) -> str:
        """The Python of all cells."""
        return self._laid[0]

    def place(self, line: int) -> tuple[int, int]:
        """The cell that a line of `text` is in, and the line within the cell."""
        _, firsts, lengths = self._laid
        if not firsts:
            return 1, 1
        # What stands between two cells is part of the one before.
        at = max(bisect_right(firsts, line) - 1, 0)
        return self.cells[at].number, min(max(line - firsts[at] + 1, 1), max(lengths[at], 1))

    def line(self, cell: int, line: int) -> int:
        """The line of `text` that is a line of a cell."""
        at = [one.number for one in self.cells].index(cell)
        return self._laid[1][at] + line - 1

    def cell(self, number: int) -> Cell | None:
        """The code cell with a number."""
        return next((cell for cell in self.cells if cell.number == number), None)

    def faults(self) -> dict[int, SourceError]:
        """The cells that are not Python by themselves, each with what is wrong."""
        from namecheck.analysis import SourceError, TooDeep, lower

        found: dict[int, SourceError] = {}
        for cell in self.cells:
            alone = Notebook((cell,))
            try:
                lower(alone.text)
            except TooDeep:
                continue
            except SourceError as fault:
                _, line = alone.place(fault.line)
                found[cell.number] = SourceError(fault.message, line, fault.column)
        return found

    def without(self, numbers: frozenset[int]) -> Notebook:
        """The notebook with nothing in some of its cells."""
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
            raise NotANotebook(f"cell {number} does not say what it is")
        if cell["cell_type"] == "code":
            text = _text(cell, number)
            own = _own_language(cell)
            python = blank(text) if own else python_of(_SURROGATE.sub("\ufffd", text))
            tags = _of(_of(cell, "metadata"), "tags", list)
            cells.append(Cell(number, text, python, "raises-exception" in tags))
    return Notebook(tuple(cells), language)


def mended_text(text: str) -> tuple[str, SourceError | None]:
    """The Python of a notebook's cells, as one text that is not Python, without what is not; and
    what is wrong, which is None if nothing is or nobody knows.

    JupyterLab sends cells below each other with two empty lines between them. So may parts of a
    cell stand, and such a part may be no Python by itself: nothing is told of it, good or bad.
    """
    from namecheck.analysis import SourceError, TooDeep, lower

    try:
        lower(text)
        return text, None
    except TooDeep:
        return text, None
    except SourceError as fault:
        seen = fault.line
    parts = _cells_below_each_other(text)
    cells = Notebook(tuple(Cell(number, part, part) for number, (_, part) in enumerate(parts)))
    faults = cells.faults()
    if not faults:
        return text, None
    kept = (blank(part) if number in faults else part for number, (_, part) in enumerate(parts))
    # Python sees a mistake where it was made, or in a later cell if something was left open.
    before = [number for number in faults if parts[number][0] <= seen]
    number = max(before, default=min(faults))
    own = faults[number]
    return "".join(kept), SourceError(own.message, parts[number][0] + own.line - 1, own.column)


def _cells_below_each_other(text: str) -> list[tuple[int, str]]:
    """The first line of each part of a text behind two empty lines, and the part."""
    parts: list[tuple[int, list[str]]] = [(1, [])]
    empty = 0
    for number, line in enumerate(split_lines(text), 1):
        if empty >= 2 and line[:1].strip():
            parts.append((number, []))
        empty = 0 if line.strip() else empty + 1
        parts[-1][1].append(line)
    return [(first, "".join(lines)) for first, lines in parts]


def rewritten(source: str, texts: Mapping[int, str]) -> str:
    """The notebook with new texts in some of its cells, and nothing else changed.

    `source` is the text of a file that is a notebook.
    """
    plain = source.isascii()
    parts: list[str] = []
    done = 0
    for number, (start, end) in enumerate(_places(source), 1):
        if number in texts:
            parts += [source[done:start], _respelled(source[start:end], texts[number], plain)]
            done = end
    return "".join([*parts, source[done:]])


# What stands in the JSON

_SURROGATE = regex("[\ud800-\udfff]")
"""Half a character, which JSON can hold and no Python text."""

_PYTHON: Final = frozenset({"python", "python2", "python3", "ipython", "ipython2", "ipython3"})


def is_python(language: str) -> bool:
    """Whether a language is Python, by one of the names that notebooks have for it."""
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
    except ValueError as fault:  # a number of thousands of digits
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
    found = []
    for sheet in sheets:
        if not isinstance(sheet, dict) or not isinstance(sheet.get("cells"), list):
            raise NotANotebook("a worksheet has no cells")
        found += sheet["cells"]
    return found


def _text(cell: dict[str, Any], number: int) -> str:
    text = cell.get("source", cell.get("input"))
    if isinstance(text, list) and all(isinstance(line, str) for line in text):
        return "".join(text)
    if not isinstance(text, str):
        raise NotANotebook(f"cell {number} has no source")
    return text


def _language(notebook: dict[str, Any]) -> str | None:
    """The language of a notebook, if that is not Python."""
    metadata = _of(notebook, "metadata")
    said = _of(metadata, "language_info").get("name"), _of(metadata, "kernelspec").get("language")
    return _foreign(*said)


def _own_language(cell: dict[str, Any]) -> str | None:
    """The language of a cell, if that is not Python."""
    editor = _of(_of(cell, "metadata"), "vscode")
    return _foreign(cell.get("language"), editor.get("languageId"))


def _foreign(*names: object) -> str | None:
    for name in names:
        if isinstance(name, str) and name and not is_python(name):
            return name
    return None


def _of(holder: dict[str, Any], key: str, kind: type = dict) -> Any:
    found = holder.get(key)
    return found if isinstance(found, kind) else kind()


def _is_indented(lines: list[str]) -> bool:
    for line in lines:
        bare = line.lstrip(" \t\f")
        if bare.strip() and bare[0] != "#":
            return line[0] in " \t"
    return False


# Where it stands there

_SPACE = regex(r"[ \t\r\n]*")
_decode = json.JSONDecoder().raw_decode


def _places(source: str) -> Iterator[tuple[int, int]]:
    """For each cell in order the start and the end of what its source is written as."""
    outside = _members(source, int(source.startswith("\ufeff")))
    holders = [outside["cells"]] if "cells" in outside else []
    if not holders:
        sheets = _items(source, outside["worksheets"][0])
        holders = [_members(source, start)["cells"] for start, _ in sheets]
    for start, _ in holders:
        for cell, _ in _items(source, start):
            members = _members(source, cell)
            # Cells of text are no concern of ours, whatever they have.
            yield members.get("source") or members.get("input") or (cell, cell)


def _members(source: str, at: int) -> dict[str, tuple[int, int]]:
    """Start and end of each value of the object at a place, by key; the last one of a key."""
    found = {}
    at = _skip(source, _skip(source, at) + 1)
    while source[at] != "}":
        key, at = _decode(source, at)
        start = _skip(source, _skip(source, at) + 1)  # over the colon
        _, end = _decode(source, start)
        found[key] = start, end
        at = _skip(source, end)
        if source[at] == ",":
            at = _skip(source, at + 1)
    return found


def _items(source: str, at: int) -> list[tuple[int, int]]:
    """Start and end of each value of the array at a place."""
    found = []
    at = _skip(source, _skip(source, at) + 1)
    while source[at] != "]":
        _, end = _decode(source, at)
        found.append((at, end))
        at = _skip(source, end)
        if source[at] == ",":
            at = _skip(source, at + 1)
    return found


def _skip(source: str, at: int) -> int:
    space = _SPACE.match(source, at)
    return space.end() if space else at


def _respelled(written: str, text: str, plain: bool) -> str:
    """A source as JSON with another text: written as it was, and lines that stay spelled so."""
    if written[0] != "[":
        return json.dumps(text, ensure_ascii=plain)
    items = _items(written, 0)
    old = [written[start:end] for start, end in items]
    was = [json.loads(one) for one in old]
    # Cut as nbformat cuts, which is also at form feeds and the like.
    new = text.splitlines(keepends=True)
    same = 0
    while same < min(len(was), len(new)) and was[same] == new[same]:
        same += 1
    rest = 0
    while rest < min(len(was), len(new)) - same and was[-1 - rest] == new[-1 - rest]:
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

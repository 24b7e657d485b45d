"""The modules of a network as a table: the format `text` of `namecheck summary`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from namecheck.module_tree import ModuleTree, PassedTensor
from namecheck.printing.escapes import visible
from namecheck.printing.screen import Piece, width_of
from namecheck.report.module_totals import OfDtype, ShownRow, Totals, shown_rows, totals_of

__all__ = [
    "amount",
    "dims_text",
    "label_of",
    "multiply_adds_text",
    "output_text",
    "parameters_text",
    "table",
    "total_lines",
]

UNKNOWN: Final = "?"
NOTHING: Final = "-"
"""What the cell of a module says that has no parameters, or takes no multiply-adds."""

_GAP: Final = "  "
_MOST_TENSORS: Final = 2
"""How many of several tensors a cell shows."""


def table(tree: ModuleTree, depth: int | None, columns: int | None) -> Iterator[Piece]:
    """The rows down to a depth, and what all rows add up to.

    What goes into a module is shown if `columns` are enough for it, or if there is no limit.
    """
    rows = shown_rows(tree, depth)
    heads = ["Module", "Input", "Output", "Parameters", "Multiply-adds"]
    cells = [list(line) for line in zip(_tree_texts(rows), *_cells(rows), strict=True)]
    if not tree.has_input:
        heads = [heads[0], heads[3]]
        cells = [[line[0], line[3]] for line in cells]
    elif columns is not None and sum(_widths([heads, *cells])) + 4 * len(_GAP) > columns:
        del heads[1]
        for line in cells:
            del line[1]
    widths = _widths([heads, *cells])
    if columns is not None and sum(widths) + (len(widths) - 1) * len(_GAP) > columns:
        room = columns - sum(widths[1:]) - (len(widths) - 1) * len(_GAP)
        widths[0] = max(room, 8)
    yield Piece(f"{_line(heads, widths)}\n", "summary")
    for line in cells:
        yield from _row(line, widths)
    yield Piece("\n")
    for text in total_lines(totals_of(tree), tree.has_input):
        yield Piece(f"{text}\n")


def label_of(shown: ShownRow) -> tuple[str, str]:
    """The name of a module and its class."""
    return visible(shown.row.name), visible(shown.row.cls)


def dims_text(tensors: Sequence[PassedTensor]) -> str:
    """The dims of tensors; of many the first, and how many there are besides."""
    texts = [_dims(tensor) for tensor in tensors[:_MOST_TENSORS]]
    if len(tensors) > _MOST_TENSORS:
        texts[1:] = [f"and {len(tensors) - 1} more"]
    return ", ".join(texts) or NOTHING


def amount(size: int | None) -> str:
    """A number of bytes, as people read it."""
    if size is None:
        return f"{UNKNOWN} bytes"
    if size < 1024:
        return f"{size:,} bytes"
    scaled, units = size / 1024, ["KiB", "MiB", "GiB"]
    while scaled >= 1024 and len(units) > 1:
        scaled /= 1024
        del units[0]
    return f"{scaled:,.2f} {units[0]}"


def total_lines(totals: Totals, has_input: bool) -> list[str]:
    """What all rows add up to, in lines."""
    kinds = [("Parameters", totals.parameters), ("Buffers", totals.buffers)]
    if has_input:
        kinds.append(("Activations", totals.outputs))
    lines = []
    for name, by_dtype in kinds:
        lines.append(f"{name + ':':15}{_of_dtypes(by_dtype)}")
        if name == "Parameters":
            lines[-1] += " or more" if totals.is_open else ""
            lines.append(f"{'Trainable:':15}{number(totals.trainable)}")
    if has_input:
        lines.append(f"{'Multiply-adds:':15}{number(totals.multiply_adds)}")
    return lines


def number(count: int | None) -> str:
    """A count with its thousands apart."""
    return UNKNOWN if count is None else f"{count:,}"


def _of_dtypes(by_dtype: Sequence[OfDtype]) -> str:
    if not by_dtype:
        return "none"
    return ", ".join(
        f"{number(one.elements)} {one.dtype or UNKNOWN} ({amount(one.size)})" for one in by_dtype
    )


def _dims(tensor: PassedTensor) -> str:
    if tensor.dims is None:
        return UNKNOWN
    sizes = ", ".join(UNKNOWN if size is None else str(size) for size in tensor.dims)
    return f"[{sizes}]"


def parameters_text(shown: ShownRow) -> str:
    """The cell of a module for its parameters."""
    if shown.row.is_repeated:
        return "(repeated)"
    if shown.is_shared:
        return "(shared)"
    if shown.is_open or shown.parameters is None:
        return f"{shown.parameters:,} + {UNKNOWN}" if shown.parameters else UNKNOWN
    return number(shown.parameters) if shown.parameters else NOTHING


def multiply_adds_text(shown: ShownRow) -> str:
    """The cell of a module for its multiply-adds."""
    return NOTHING if shown.multiply_adds == 0 else number(shown.multiply_adds)


def output_text(shown: ShownRow) -> str:
    """The cell of a module for what comes out of it."""
    return NOTHING if shown.row.result is None else dims_text(shown.row.result)


def _cells(rows: Sequence[ShownRow]) -> tuple[list[str], ...]:
    """The columns behind the first."""
    return (
        [dims_text(one.row.given) for one in rows],
        list(map(output_text, rows)),
        list(map(parameters_text, rows)),
        list(map(multiply_adds_text, rows)),
    )


def _tree_texts(rows: Sequence[ShownRow]) -> list[str]:
    """The first column: the names of modules and classes as a tree."""
    texts = []
    for place, shown in enumerate(rows):
        name, cls = label_of(shown)
        label = f"{name}: {cls}" if name else cls
        depth = shown.row.depth
        levels = range(1, depth)
        stems = "".join("│  " if _goes_on(rows, place, level) else "   " for level in levels)
        branch = ("├─ " if _goes_on(rows, place, depth) else "└─ ") if depth else ""
        texts.append(f"{stems}{branch}{label}")
    return texts


def _goes_on(rows: Sequence[ShownRow], place: int, level: int) -> bool:
    """Whether a row at a level follows, below the same row of the level above."""
    for later in rows[place + 1 :]:
        if later.row.depth <= level:
            return later.row.depth == level
    return False


def _widths(lines: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(width_of, column)) for column in zip(*lines, strict=True)]


_NUMBERS: Final = 2
"""How many of the last columns are numbers, which stand at the right."""


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = []
    for place, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        space = " " * (width - width_of(cell))
        is_number = place and place >= len(cells) - (1 if len(cells) == 2 else _NUMBERS)
        padded.append(space + cell if is_number else cell + space)
    return _GAP.join(padded).rstrip()


def _row(cells: Sequence[str], widths: Sequence[int]) -> Iterator[Piece]:
    """A row; a name that is too long has a line of its own."""
    first, *rest = cells
    if width_of(first) > widths[0]:
        yield Piece(f"{first}\n")
        first = ""
    text = _line([first, *rest], widths)
    lead = len(first)
    yield Piece(text[:lead])
    yield Piece(f"{text[lead:]}\n", "dims")

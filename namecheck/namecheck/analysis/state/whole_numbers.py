"""Unknown values that a program uses as one whole number.

`np.zeros(k)` makes a vector if `k` is a number, and a tensor of any rank if `k` is a shape. The
function shows that it is a number if it counts to it or divides it (`range(k)`, `k // 2`), or has
used it as one size among others: `np.zeros((n, k))`. A constructor's parameter is taken for one as
long as nothing shows the contrary, but a mistake that depends on it is no error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk_for
from namecheck.analysis.state.program_pieces import SourceFile
from namecheck.analysis.state.scalars import is_config
from namecheck.analysis.state.values import Anything
from namecheck_runtime.sizes import plain_symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def is_number(ev: Evaluator, value: Anything) -> bool:
    """Whether the current function uses this parameter as one whole number."""
    if not value.unused:
        atom = plain_symbol(value.size())
        if atom is not None and atom.least > 0:
            return True
    function = ev.frame.function
    if function is None or not value.label.isidentifier():
        return False
    record = function.record
    numbers = ev.numbers.get(record.id)
    if numbers is None or numbers[0] is not record:
        names = {parameter.name for parameter in record.parameters}
        counted = frozenset(names.intersection(_counted(record)))
        numbers = ev.numbers[record.id] = (record, counted)
    return value.label in numbers[1]


def may_be_number(ev: Evaluator, value: Anything) -> bool:
    """Whether an unknown value, alone in the place of sizes, is taken for one number.

    An attribute that the code does not set, of an object that is no configuration, may be anything.
    """
    name = _word(value)
    if not _SHAPE_WORDS.isdisjoint(name.lower().split("_")) and name not in WIDTHS:
        return False
    if not value.config:
        return is_number(ev, value)
    ev.units.note_size(name)
    if any(name in file.sizes_used().sequences for file in _files(ev)):
        return False
    return is_config(value) or is_shown_number(ev, value)


def is_shown_number(ev: Evaluator, value: Anything) -> bool:
    """Whether the program itself shows that an unknown value is one number."""
    if not value.config or is_number(ev, value):
        return is_number(ev, value)
    name = _word(value)
    ev.units.note_size(name)
    return any(name in file.sizes_used().numbers for file in _files(ev))


def _word(value: Anything) -> str:
    """The last word of the path to a value: `width` of `cfg.width` and `cfg['width']`."""
    return value.label.rpartition(".")[2].strip("[]'\"")


def _files(ev: Evaluator) -> set[SourceFile]:
    """The file whose code runs, and the one whose class or function is evaluated."""
    return {ev.frame.source.file, ev.source.file}


WIDTHS: Final = frozenset(
    {"hidden_size", "intermediate_size", "embedding_size", "embed_size", "vocab_size", "state_size"}
)
"""Names with `size` that mean one number, not a shape."""

_SHAPE_WORDS: Final = frozenset({"shape", "shapes", "size", "sizes", "dims", "resolution"})


_NUMBERS: Final = frozenset({ir.Call, ir.Binary})


def _counted(record: ir.Record) -> set[str]:
    """The names in places where only a number is possible."""
    names: set[str] = set()
    for inner in walk_for(record, _NUMBERS):
        match inner:
            case ir.Call(ir.Name("range"), positional, ()):
                names.update(end.name for end in positional if isinstance(end, ir.Name))
            case ir.Binary(ir.Name(name), "//", ir.Int() | ir.Name()):
                names.add(name)
    return names

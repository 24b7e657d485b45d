"""Parameters that a function uses as one whole number.

`np.zeros(k)` makes a vector if `k` is a number, and a tensor of any rank if `k` is a shape. The
function shows that it is a number if it counts to it or divides it (`range(k)`, `k // 2`), or has
used it as one size among others: `np.zeros((n, k))`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
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


def _counted(record: ir.Record) -> set[str]:
    """The names in places where only a number is possible."""
    names: set[str] = set()
    for inner in walk(record):
        match inner:
            case ir.Call(ir.Name("range"), positional, ()):
                names.update(end.name for end in positional if isinstance(end, ir.Name))
            case ir.Binary(ir.Name(name), "//", ir.Int() | ir.Name()):
                names.add(name)
    return names

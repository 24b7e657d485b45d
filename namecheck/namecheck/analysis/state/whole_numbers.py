"""Parameters that a function uses as one whole number.

`np.zeros(k)` makes a vector if `k` is a number, and may make anything if it is a shape. That it is
a number shows where the function counts to it or divides it (`range(k)`, `k // 2`), and once it was
a size beside others: `np.zeros((n, k))`.
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
    """Whether the function that is being run uses a parameter of its as one whole number."""
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
        found = frozenset(names.intersection(_counted(record)))
        numbers = ev.numbers[record.id] = (record, found)
    return value.label in numbers[1]


def _counted(record: ir.Record) -> set[str]:
    """The names that stand where only a number can."""
    found: set[str] = set()
    for one in walk(record):
        match one:
            case ir.Call(ir.Name("range"), positional, ()):
                found.update(name.name for name in positional if isinstance(name, ir.Name))
            case ir.Binary(ir.Name(name), "//", ir.Int() | ir.Name()):
                found.add(name)
    return found

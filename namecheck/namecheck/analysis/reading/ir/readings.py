"""What is read off a record once, and remembered with it.

The records of a text stay while an editor edits other parts of its file, and the evaluation asks
the same of them again and again. So what can be read off a record alone stays with it. Nobody may
change a reading.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeAlias, TypeVar

from namecheck.analysis.reading.ir.chunk import Chunk
from namecheck.analysis.reading.ir.compound import ClassDef, FunctionDef
from namecheck.analysis.reading.ir.expressions import Lambda

Remembering: TypeAlias = Chunk | ClassDef | FunctionDef | Lambda
"""The records that remember what was read off them."""

R = TypeVar("R", bound=Remembering)
T = TypeVar("T")


def read_once(read: Callable[[R], T]) -> Callable[[R], T]:
    """The function `read`, which is called once for each record."""

    @wraps(read)
    def reading(record: R) -> T:
        readings = record.readings
        if read in readings:
            known: T = readings[read]
            return known
        answer = readings[read] = read(record)
        return answer

    return reading

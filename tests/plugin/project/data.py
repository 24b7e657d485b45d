from __future__ import annotations

from collections.abc import Iterator

from shapes import Rows, rows


def batches(count: int) -> Iterator[Rows]:
    for _ in range(count):
        batch = rows(8)
        yield batch - batch.mean("N")


first = next(batches(1))
column = first[:, 0]
column.sum("C")

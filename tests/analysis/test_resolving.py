"""`Evaluator.resolve` writes the loop of `joining.resolve` out, for speed: both must agree."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import pytest

from namecheck.analysis.state.evaluate import Evaluator
from namecheck.analysis.state.joining import resolve
from namecheck.analysis.state.paths import Cells
from namecheck.analysis.state.values import Anything, Constant, Tensor, Value
from namecheck_runtime.lattice import UNKNOWN


@pytest.mark.interpreted
@pytest.mark.parametrize("seed", range(20))
def test_both_find_the_same_value(seed: int) -> None:
    random = Random(seed)
    values: list[Value] = []
    for number in range(30):
        kinds = (Anything(str(number)), Tensor(UNKNOWN), Constant(number))
        values.append(random.choice(kinds))
    recent: dict[Value, Value] = {}
    base: dict[Value, Value] = {}
    for place, value in enumerate(values[:-1]):
        # A value turns out to be a later one, so that no chain has an end in itself.
        for cells in random.sample([recent, base], random.randint(0, 2)):
            cells[value] = random.choice(values[place + 1 :])
    path = SimpleNamespace(cells=Cells(base, recent, [0], {}))
    found = [resolve(value, path.cells) for value in values]
    assert [Evaluator.resolve(path, value) for value in values] == found  # type: ignore[arg-type]
    assert any(end is not value for end, value in zip(found, values, strict=True))

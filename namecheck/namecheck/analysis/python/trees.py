"""Trees of values, as JAX speaks of them: tuples, lists and dicts that hold tensors, or each other.

None is a tree without leaves. A module, and anything else that a program may have registered as a
tree, is a leaf here: what it holds is not looked into.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from namecheck.analysis.state.values import Anything, Constant, Dict, List, Repeated, Tuple, Value

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

DEEPEST = 8
"""Trees inside each other that are gone through."""

Change = Callable[[Sequence[Value]], Value]


def mapped(ev: Evaluator, change: Change, trees: Sequence[Value], depth: int = 0) -> Value:
    """The tree of what `change` makes of each leaf of the first tree, and of what stands in its
    place in the others; where one of those is no such tree nothing is known.
    """
    first = ev.resolve(trees[0])
    if isinstance(first, Constant) and first.value is None:
        return first
    if not isinstance(first, (Tuple, List, Dict)):
        return change(trees)
    rows = [parts(ev, ev.resolve(tree)) for tree in trees]
    mine = rows[0]
    if depth > DEEPEST or mine is None or any(not _alike(mine, row) for row in rows):
        return Anything()

    def at(key: Any) -> Value:
        return mapped(ev, change, [row[key] for row in rows if row is not None], depth + 1)

    return made(ev, first, {key: at(key) for key in mine})


def parts(ev: Evaluator, value: Value) -> dict[Any, Value] | None:
    """What stands at each place of a tuple, a list or a dict; the one part of a list of unknown
    length stands at `...`; None when that is not known.
    """
    contents: Any = value.elements if isinstance(value, Tuple) else None
    if isinstance(value, (List, Dict)):
        contents = ev.cells.get(value)
    if isinstance(contents, Repeated):
        return {...: contents.element} if isinstance(value, List) else None
    if isinstance(contents, tuple):
        return dict(enumerate(contents))
    return contents if isinstance(contents, dict) else None


def leaves(ev: Evaluator, tree: Value, depth: int = 0) -> list[Value] | None:
    """The leaves of a tree in their order; None when it is not known how many there are."""
    tree = ev.resolve(tree)
    if isinstance(tree, Constant) and tree.value is None:
        return []
    if not isinstance(tree, (Tuple, List, Dict)):
        return [tree]
    rows = parts(ev, tree)
    if rows is None or ... in rows or depth > DEEPEST:
        return None
    found: list[Value] = []
    # A dict goes by its keys, not by when they came.
    if isinstance(tree, Dict) and not all(isinstance(key, str) for key in rows):
        return None
    for key in sorted(rows) if isinstance(tree, Dict) else rows:
        inside = leaves(ev, rows[key], depth + 1)
        if inside is None:
            return None
        found += inside
    return found


def made(ev: Evaluator, like: Value, contents: dict[Any, Value]) -> Value:
    """A tuple, a list or a dict of such parts, as `like` is one."""
    if isinstance(like, Tuple):
        return Tuple(contents.values(), like.fields)
    if isinstance(like, Dict):
        table = Dict()
        ev.cells[table] = contents
        return table
    row = List()
    ev.cells[row] = Repeated(contents[...]) if ... in contents else tuple(contents.values())
    return row


def _alike(mine: dict[Any, Value], other: dict[Any, Value] | None) -> bool:
    return other is not None and mine.keys() == other.keys()

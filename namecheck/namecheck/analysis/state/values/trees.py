"""Trees of values, in JAX's sense: tuples, lists and dicts of tensors or of other trees.

None is a tree without leaves. A module is a leaf here, as is anything else that a program may have
registered as a tree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.state.values import Anything, Constant, Dict, List, Repeated, Tuple, Value

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

DEEPEST: Final = 8
"""The deepest tree whose leaves are found."""

Change = Callable[[Sequence[Value]], Value]


def mapped(ev: Evaluator, change: Change, trees: Sequence[Value], depth: int = 0) -> Value:
    """The tree of what `change` makes of each leaf of the first tree and its like in the others.

    A part is unknown if the trees differ in form there.
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

    return rebuilt(ev, first, {key: at(key) for key in mine})


def parts(ev: Evaluator, value: Value) -> dict[Any, Value] | None:
    """The parts of a tuple, a list or a dict by index or key; None if they are not known.

    The element of a list of unknown length has the key `...`.
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
    """The leaves of a tree in their order; None if their number is not known."""
    tree = ev.resolve(tree)
    if isinstance(tree, Constant) and tree.value is None:
        return []
    if not isinstance(tree, (Tuple, List, Dict)):
        return [tree]
    rows = parts(ev, tree)
    if rows is None or ... in rows or depth > DEEPEST:
        return None
    flat: list[Value] = []
    # JAX sorts the keys of a dict.
    if isinstance(tree, Dict) and not all(isinstance(key, str) for key in rows):
        return None
    for key in sorted(rows) if isinstance(tree, Dict) else rows:
        branch = leaves(ev, rows[key], depth + 1)
        if branch is None:
            return None
        flat += branch
    return flat


def rebuilt(ev: Evaluator, like: Value, contents: dict[Any, Value]) -> Value:
    """A tuple, a list or a dict of these parts, of the type of `like`."""
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

"""Chains that LibCST would take too long for: sums of thousands, calls of calls of calls.

Its parser copies what it has of `a + b` for every `+ c` that follows, and so on: the time grows
with the square of the length. Who writes such a line is a program.
"""

from __future__ import annotations

import ast
import warnings
from itertools import pairwise

from namecheck.text.layout import Layout

__all__ = ["takes_too_long"]

LONG = 10_000
"""Characters of a logical line up to which nothing in it can take a second."""

DEEP = 300
"""How deep the tree of a longer line may be."""


def takes_too_long(text: str, layout: Layout) -> bool:
    """Whether LibCST is not to be asked for the tree of a text with this layout."""
    if len(text) <= LONG or not (layout.doubtful or _longest(layout) > LONG):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return False  # its own business
    except (RecursionError, MemoryError):
        return True
    waiting: list[tuple[ast.AST, int]] = [(tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth > DEEP:
            return True
        waiting += [(inner, depth + 1) for inner in ast.iter_child_nodes(node)]
    return False


def _longest(layout: Layout) -> int:
    """The characters of the longest logical line, at least."""
    borders = [*(start - 1 for start in layout.starts), len(layout.lines)]
    lengths = [0]
    for line in layout.lines:
        lengths.append(lengths[-1] + len(line))
    return max(
        (lengths[b] - lengths[a] for a, b in pairwise([*borders, len(layout.lines)])), default=0
    )

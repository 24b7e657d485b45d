"""Chains that take LibCST too long: sums of thousands of terms, calls of calls of calls.

For every `+ c` its parser copies what it has of `a + b`, so that the time grows with the square of
the length. Only generated code has such lines.
"""

from __future__ import annotations

import ast
import warnings
from itertools import pairwise
from typing import Final

from namecheck.text.layout import Layout

__all__ = ["takes_too_long"]

LONG: Final = 10_000
"""The length in characters of a logical line that is never slow."""

DEEP: Final = 300
"""How deep the tree of a longer line may be."""


def takes_too_long(text: str, layout: Layout) -> bool:
    """Whether LibCST would take too long for a text with this layout."""
    if len(text) <= LONG or not (layout.doubtful or _longest(layout) > LONG):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return False  # LibCST reports it
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
    """The length in characters of the longest logical line, or more."""
    borders = [*(start - 1 for start in layout.starts), len(layout.lines)]
    lengths = [0]
    for line in layout.lines:
        lengths.append(lengths[-1] + len(line))
    return max(
        (lengths[b] - lengths[a] for a, b in pairwise([*borders, len(layout.lines)])), default=0
    )

"""Dims that were put into words, one by one again."""

from __future__ import annotations

__all__ = ["axes_of"]


def axes_of(dims: str) -> list[str]:
    """The dims of a text like `[B, T, max(C, D)]`, each by itself; `...` stands for any number."""
    axes: list[str] = []
    depth = 0
    for part in dims[1:-1].split(", "):
        if depth:
            axes[-1] += f", {part}"
        elif part:
            axes.append(part)
        depth += part.count("(") - part.count(")")
    return axes

"""The text of a module, as PyTorch prints it: its own line, and the modules inside it."""

from __future__ import annotations

from typing import Any


def indented(text: str, count: int) -> str:
    """A text of several lines, all but the first moved to the right."""
    first, *others = text.split("\n")
    return "\n".join([first, *(f"{' ' * count}{line}" for line in others)])


def text_of(module: Any) -> str:
    """`Name(extra)`, or the name and a line for each module inside it."""
    extra = module.extra_repr()
    lines = extra.split("\n") if extra else []
    inner = [f"({name}): {indented(repr(m), 2)}" for name, m in module._modules.items()]
    return framed(module._get_name(), lines, inner)


def framed(name: str, extra: list[str], inner: list[str]) -> str:
    """The lines of a module in the parentheses after its name."""
    if len(extra) == 1 and not inner:
        return f"{name}({extra[0]})"
    if not extra and not inner:
        return f"{name}()"
    return "\n  ".join([f"{name}(", *extra, *inner]) + "\n)"


def list_text(module: Any) -> str:
    """The text of a list of modules: equal neighbours are counted, not repeated."""
    runs: list[tuple[int, int, str]] = []
    for place, inner in enumerate(module):
        text = repr(inner)
        if runs and runs[-1][2] == text:
            runs[-1] = (runs[-1][0], place, text)
        else:
            runs.append((place, place, text))
    if not runs:
        return f"{module._get_name()}()"
    lines = []
    for first, last, text in runs:
        line = f"({first}): {text}"
        if first != last:
            line = f"({first}-{last}): {last - first + 1} x {text}"
        lines.append(indented(line, 2))
    return f"{module._get_name()}(\n  " + "\n  ".join(lines) + "\n)"

"""The header of a function, and its layout if it gets too long for a line.

A header on one line that no longer fits is split as black does it: all parameters on a line of
their own, or each on its own line. A header of several lines keeps its lines.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Sequence
from typing import NamedTuple

from namecheck.fixes.code import Code
from namecheck.fixes.edits import Change, applied
from namecheck.printing.screen import width_of

__all__ = ["Header", "read_header", "wrapped"]


class Header(NamedTuple):
    """The offsets of a header's `def`, its parentheses and its colon; its first and last line; and
    the indentations of the header and of the body (None if the body is on the same line).
    """

    start: int
    open: int
    close: int
    colon: int
    first: int
    last: int
    indentation: str
    inner: str | None


def read_header(code: Code, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Header | None:
    """The header of a function; None if it cannot be read."""
    start = code.offset(node.lineno, 1) + len(_indentation(code.lines[node.lineno - 1]))
    last = node.body[0].lineno
    text = "".join(code.lines[node.lineno - 1 : last])
    depth = 0
    opened = closed = -1
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
            if token.type != tokenize.OP:
                continue
            row, column = token.start
            place = code.offset(node.lineno + row - 1, column + 1)
            if token.string in "([{":
                if depth == 0 and token.string == "(" and opened < 0:
                    opened = place
                depth += 1
            elif token.string in ")]}":
                depth -= 1
                if depth == 0 and token.string == ")" and closed < 0 <= opened:
                    closed = place
            elif token.string == ":" and depth == 0:
                if closed < 0:
                    return None
                line, _ = code.place(place)
                below = node.body[0].lineno > line
                inner = _indentation(code.lines[node.body[0].lineno - 1]) if below else None
                outer = _indentation(code.lines[node.lineno - 1])
                return Header(start, opened, closed, place, node.lineno, line, outer, inner)
    except (tokenize.TokenError, SyntaxError):
        pass
    return None


def wrapped(
    code: Code, header: Header, made: Sequence[Change], width: int
) -> tuple[Change, ...] | None:
    """The changes to a header, laid out again if a line gets too long; None if none fits."""
    made = sorted(made)
    if header.first == header.last:
        begin, end = header.start, header.colon + 1
        shifted = [Change(c.start - begin, c.end - begin, c.content) for c in made]
        text = applied(code.text[begin:end], shifted)
        rest = code.lines[header.first - 1][len(header.indentation) + end - begin :].rstrip("\r\n")
        if _columns(header.indentation + text + rest) <= width:
            return tuple(made)
        if header.inner is None or rest.strip():
            return None
        line = code.lines[header.first - 1]
        newline = line[len(line.rstrip("\r\n")) :] or "\n"
        layout = _laid_out(text, header, newline, width)
        return None if layout is None else (Change(begin, end, layout),)
    lines = code.lines
    kept: list[Change] = []
    for change in made:
        row, _ = code.place(change.start)
        here = [c for c in made if code.place(c.start)[0] == row]
        start = code.offset(row, 1)
        old = lines[row - 1].rstrip("\r\n")
        shifted = [Change(c.start - start, c.end - start, c.content) for c in here]
        if any(code.place(c.end)[0] != row for c in here):
            return None
        new = applied(old, shifted)
        if _columns(new) <= max(width, _columns(old)):
            kept.append(change)
            continue
        # Only the last line can be split, and only if it is nothing but the end of the header.
        tail = new[len(header.indentation) :]
        newline = lines[row - 1][len(old) :] or "\n"
        closing = _closing(tail, header, newline, width) if tail.startswith(")") else None
        if closing is None:
            return None
        if change is here[0]:
            kept.append(Change(start, start + len(old), closing))
    return tuple(kept)


def _closing(tail: str, header: Header, newline: str, width: int) -> str | None:
    """`) -> T:` on a line of its own; on several if `T[...]` does not fit on one."""
    line = header.indentation + tail
    if _columns(line) <= width:
        return line
    if header.inner is None or not tail.endswith("]:") or "[" not in tail:
        return None
    parts = _parts(tail, "[", tail.index("["))
    if parts is None:
        return None
    head, types, end = parts
    if end != "]:":
        return None
    together = header.inner + ", ".join(types)
    each = [together] if _columns(together) <= width else [f"{header.inner}{t}," for t in types]
    lines = [header.indentation + head, *each, header.indentation + end]
    return newline.join(lines) if all(_columns(line) <= width for line in lines) else None


def _laid_out(text: str, header: Header, newline: str, width: int) -> str | None:
    """A header on several lines; `text` is the header on one line. None if it does not fit."""
    inner = header.inner or ""
    parts = _parts(text)
    if parts is None:
        return None
    head, parameters, tail = parts
    if not parameters:
        return None
    together = inner + ", ".join(parameters)
    closing = _closing(tail, header, newline, width)
    if closing is None:
        return None
    if _columns(together) <= width:
        return f"{head}{newline}{together}{newline}{closing}"
    each = [inner + parameter + "," for parameter in parameters]
    if any(_columns(line) > width for line in each):
        return None
    return newline.join((head, *each, closing))


def _parts(text: str, bracket: str = "(", first: int = 0) -> tuple[str, list[str], str] | None:
    """`def f(`, the parameters, and `) -> T:` of a header on one line.

    The first such bracket from `first` on: the text before it, its items, and the text after them.
    """
    depth = 0
    begin = -1
    parts: list[str] = []
    at = 0
    # With ` ...` at the end the tokenizer accepts the text.
    ahead = text[:first]
    for token in tokenize.generate_tokens(io.StringIO(text[first:] + " ...").readline):
        if token.type != tokenize.OP:
            continue
        place = len(ahead) + token.start[1]
        if token.string in "([{":
            if depth == 0 and token.string == bracket and begin < 0:
                begin = at = place + 1
            depth += 1
        elif token.string in ")]}":
            depth -= 1
            if depth == 0 and begin >= 0:
                if text[at:place].strip():
                    parts.append(text[at:place].strip())
                return text[:begin], parts, text[place:]
        elif token.string == "," and depth == 1 and begin >= 0:
            parts.append(text[at:place].strip())
            at = place + 1
    return None


def _indentation(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t\f"))]


def _columns(text: str) -> int:
    return width_of(text.expandtabs(8))

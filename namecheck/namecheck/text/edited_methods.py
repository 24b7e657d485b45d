"""Which methods of a class an edit has changed, if it has changed nothing but their bodies."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Final, NamedTuple

from namecheck.text.chunks import SourceChunk
from namecheck_runtime.light.regexes import regex

__all__ = ["edited_methods", "heading"]


def edited_methods(before: SourceChunk, now: SourceChunk) -> Set[str] | None:
    """The functions in which two texts of a class, or of a function, differ, also inner ones.

    None if the texts differ elsewhere: in a decorator, a header or an attribute, or in a comment
    outside of the bodies of functions.
    """
    if before.layout.doubtful or now.layout.doubtful:
        return None
    name = _FUNCTION.search(heading(now))
    if name is not None:
        texts = before.text, now.text
        return {name[1], *_inner(*texts)} if heading(before) == heading(now) else None
    old, new = _members(before), _members(now)
    if len(old) != len(new):
        return None
    edited: set[str] = set()
    for one, other in zip(old, new, strict=True):
        if one.header != other.header:
            return None
        if one.body != other.body:
            if not one.name:
                return None
            edited |= {one.name, *_inner(one.body, other.body)}
    return edited


def _inner(*bodies: str) -> set[str]:
    """The functions inside of some bodies."""
    inner = {name for body in bodies for name in _INNER.findall(body)}
    return inner | {"<lambda>"} if any("lambda" in body for body in bodies) else inner


def heading(chunk: SourceChunk) -> str:
    """The decorators and the header of the class or function that a chunk defines."""
    layout = chunk.layout
    end = max(e for e, indent in zip(layout.ends, layout.indents, strict=True) if indent == 0)
    return "".join(layout.lines[:end])


class _Member(NamedTuple):
    """A statement in the body of a class: its first logical line with what is above it, and the
    rest. `name` is that of a function.
    """

    name: str
    header: str
    body: str


def _members(chunk: SourceChunk) -> Sequence[_Member]:
    """The statements of a class, after one for its own header; the last one is what is below."""
    layout = chunk.layout
    lines = layout.lines
    inner = next((indent for indent in layout.indents if indent > 0), 0)
    firsts = [row for row, indent in enumerate(layout.indents) if indent <= inner]
    members: list[_Member] = []
    above = 0
    for row, following in zip(firsts, [*firsts[1:], len(layout.starts)], strict=True):
        end, last = layout.ends[row], layout.ends[following - 1]
        name = _DEFINED.match(lines[layout.starts[row] - 1])
        header = "".join(lines[above:end])
        members.append(_Member(name[1] if name else "", header, "".join(lines[end:last])))
        above = last
    return [*members, _Member("", "".join(lines[above:]), "")]


_FUNCTION: Final = regex(r"(?m)^(?:async[ \t]+)?def[ \t]+(\w+)")
_DEFINED: Final = regex(r"[ \t]+(?:async[ \t]+)?def[ \t]+(\w+)")
_INNER: Final = regex(r"\bdef[ \t]+(\w+)")

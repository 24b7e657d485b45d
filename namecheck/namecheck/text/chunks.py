"""A module's text in chunks: the pieces that are parsed, lowered and cached by themselves.

A chunk is one compound statement of the top level with the blank lines, comments and decorators
above it, or a paragraph of simple statements. So an edit changes the digest of the edited chunk and
of no other. The beginnings of chunks come from the text (`layout.py`), not from a parse: that is
four times cheaper than `ast.parse` and works for syntax newer than the running Python. Only
lowering a chunk shows whether it is Python.
"""

from __future__ import annotations

import io
import tokenize
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from namecheck.text.layout import Layout, read_layout
from namecheck_runtime.light.digests import blake2b
from namecheck_runtime.light.regexes import regex


class SourceChunk(NamedTuple):
    """A piece of a module: its text, the line (from 1) on which it starts, and a digest of it.

    `layout` is that of the chunk's text, with lines from 1 like those of the lowered records;
    adding `line - 1` gives the line of the module.
    """

    text: str
    line: int
    digest: bytes
    layout: Layout


def decode(data: bytes) -> tuple[str, str]:
    """The text of a file and the encoding it is in, as Python would read it.

    A byte order mark is left out of the text, and the encoding is `utf-8-sig` then; line breaks are
    not changed. Raises `SyntaxError` if the encoding is unknown or the bytes are not in it.
    """
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    try:
        return data.decode(encoding), encoding
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SyntaxError(f"not {encoding}: {error.reason}", (None, line, 1, None)) from None


def digest(text: str) -> bytes:
    """A digest of the text, 16 bytes long."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


# Logical lines that continue the statement before them, and those that begin a compound one.
_CLAUSE = regex(r"[ \t\f]*(?:else|elif|except|finally)\b")
_COMPOUND = regex(r"[ \t\f]*(?:@|(?:async|class|def|for|if|match|try|while|with)\b(?!\s*[=.,]))")
# A table of thousands of lines without a blank one is cut nevertheless.
_LONGEST_PARAGRAPH = 200


def unchanged(before: Sequence[SourceChunk], now: Sequence[SourceChunk]) -> tuple[int, int]:
    """How many chunks at the beginning, and how many at the end, have not changed."""
    least = min(len(before), len(now))
    head = 0
    while head < least and before[head].digest == now[head].digest:
        head += 1
    tail = 0
    while tail < least - head and before[-1 - tail].digest == now[-1 - tail].digest:
        tail += 1
    return head, tail


def split(text: str) -> tuple[SourceChunk, ...]:
    """The chunks of a module, in order; at least one. Joined, their texts are the text.

    Never raises, even if the text is not Python. The chunks of the last two texts are kept; of a
    text that differs from one of them by an edit, only the lines around the edit are read.
    """
    chunks: tuple[SourceChunk, ...] | None = None
    for known, before in _KEPT:
        if known == text:
            return before
    for _, before in _KEPT:
        chunks = _edited(before, text)
        if chunks is not None:
            break
    else:
        chunks = _split(text)
    _KEPT.insert(0, (text, chunks))
    del _KEPT[_MOST_KEPT:]
    return chunks


_KEPT: Final[list[tuple[str, tuple[SourceChunk, ...]]]] = []
_MOST_KEPT: Final = 2


def _split(text: str, first_line: int = 1) -> tuple[SourceChunk, ...]:
    """The chunks of a text that begins on a line of its module."""
    layout = read_layout(text)
    # If a string may still be open, a cut could be in the middle of it.
    borders = [] if layout.doubtful else _borders(layout)
    first_lines = [0, *borders, len(layout.lines)]
    chunks = []
    logical = comment = 0
    for first, last in pairwise(first_lines):
        logical_end, comment_end = logical, comment
        while logical_end < len(layout.starts) and layout.starts[logical_end] <= last:
            logical_end += 1
        while comment_end < len(layout.comments) and layout.comments[comment_end].line <= last:
            comment_end += 1
        part = Layout(
            [start - first for start in layout.starts[logical:logical_end]],
            [end - first for end in layout.ends[logical:logical_end]],
            layout.indents[logical:logical_end],
            [
                remark._replace(line=remark.line - first, logical=remark.logical - logical)
                for remark in layout.comments[comment:comment_end]
            ],
            layout.lines[first:last],
            layout.doubtful,
            layout.depths[logical:logical_end],
        )
        logical, comment = logical_end, comment_end
        chunk_text = "".join(part.lines)
        chunks.append(SourceChunk(chunk_text, first + first_line, digest(chunk_text), part))
    return tuple(chunks)


def _edited(before: Sequence[SourceChunk], text: str) -> tuple[SourceChunk, ...] | None:
    """The chunks of a text, given those of another one with the same beginning and end.

    None if that saves little, or if an edit may have moved the border of a chunk that is the same.
    A border depends only on the lines since the last one, so the chunks from an unchanged one above
    the edit to an unchanged one below it are split again.
    """
    if before[0].layout.doubtful:
        return None
    head, start = 0, 0
    while head < len(before) and text.startswith(before[head].text, start):
        start += len(before[head].text)
        head += 1
    tail, end = len(before), len(text)
    while tail > head and text.endswith(before[tail - 1].text, start, end):
        above = end - len(before[tail - 1].text)
        if above > start and not text.endswith(("\n", "\r"), start, above):
            break  # its first line is the rest of another one
        tail, end = tail - 1, above
    if head:
        head -= 1
        start -= len(before[head].text)
    expected = before[tail] if tail < len(before) else None
    if expected is not None:
        tail += 1
        end += len(expected.text)
    if end - start > len(text) // 2:
        return None
    middle = _split(text[start:end], before[head].line)
    if middle[0].layout.doubtful:
        return None
    if expected is not None:
        last = middle[-1]
        if last.digest != expected.digest or last.layout != expected.layout:
            return None
        moved = last.line - expected.line
        below = [chunk._replace(line=chunk.line + moved) for chunk in before[tail:]]
        return (*before[:head], *middle, *below)
    return (*before[:head], *middle)


def whole_layout(text: str) -> Layout:
    """The layout of a module, put together from those of its chunks."""
    whole = Layout([], [], [], [], [], False, [])
    doubtful = False
    for chunk in split(text):
        part, above = chunk.layout, len(whole.lines)
        logical = len(whole.starts)
        whole.comments.extend(
            remark._replace(line=remark.line + above, logical=remark.logical + logical)
            for remark in part.comments
        )
        whole.starts.extend(start + above for start in part.starts)
        whole.ends.extend(end + above for end in part.ends)
        whole.indents.extend(part.indents)
        whole.lines.extend(part.lines)
        whole.depths.extend(part.depths)
        doubtful = part.doubtful
    return whole._replace(doubtful=doubtful)


def _borders(layout: Layout) -> list[int]:
    """The number of lines above each chunk except the first."""
    borders: list[int] = []
    comments = {comment.line for comment in layout.comments if comment.alone}
    paragraph = 0  # first line of the current paragraph of simple statements, or 0
    decorated = False  # the logical line before was a decorator
    end = 0  # last line of the logical line before
    for start, end_here, indent in zip(layout.starts, layout.ends, layout.indents, strict=True):
        line = layout.lines[start - 1]
        if indent == 0 and not decorated and not _CLAUSE.match(line):
            between = range(end + 1, start)
            compound = _COMPOUND.match(line) is not None
            touching = all(number in comments for number in between)
            if compound or not paragraph or not touching or start - paragraph > _LONGEST_PARAGRAPH:
                if end:
                    trailing = _below_paragraph if paragraph else _below_block
                    borders.append(end + trailing(between, comments, layout.lines))
                paragraph = 0 if compound else start
        decorated = indent == 0 and line.lstrip("\f").startswith("@")
        end = end_here
    return borders


def _below_paragraph(between: range, comments: set[int], lines: list[str]) -> int:
    """The number of lines after a paragraph that belong to it: comments that touch only it."""
    for count, number in enumerate(between):
        if number not in comments:
            return count
    return 0


def _below_block(between: range, comments: set[int], lines: list[str]) -> int:
    """The number of lines after a block that belong to it: up to the last indented comment."""
    count = 0
    for number in between:
        if number in comments:
            if lines[number - 1][0] not in " \t":
                break
            count = number - between.start + 1
    return count


_HEADER = regex(r"(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)")


def defined_name(chunk: SourceChunk) -> str:
    """The name that a chunk defines if it is one class or function statement, else ""."""
    layout = chunk.layout
    if layout.doubtful:
        return ""
    headers = [
        layout.lines[start - 1]
        for start, indent in zip(layout.starts, layout.indents, strict=True)
        if indent == 0
    ]
    while headers and headers[0].startswith("@"):
        del headers[0]
    match = _HEADER.match(headers[0]) if len(headers) == 1 else None
    return match[1] if match is not None else ""

"""The parts of a module that a result may depend on: its statements, and each definition by itself.

A result that needed one function of a file holds while that function and the statements of the top
level are the same. So it keeps the digests of these parts, and not only the digest of the file.

What says nothing to the checker is not covered by the digest of a part: blank lines, plain
comments, and the lines of docstrings that claim nothing. If a comment may be about dims, the body
of the function around it is covered as it is, since what stands between such comments counts, and
so is what is outside of all functions.

A definition has two digests: that of its text, and that of what calls from other files read of it
(`inert_statements`, `error_messages`). Only the result for its own file depends on the first.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

import msgspec

from namecheck.text.chunks import SourceChunk, digest
from namecheck.text.error_messages import without_message
from namecheck.text.layout import Layout, split_lines
from namecheck_runtime.light.digests import blake2b
from namecheck_runtime.light.regexes import regex
from namecheck_runtime.notation.comments import (
    is_directive,
    may_claim,
    read_bracket,
    read_comment,
    read_product,
)
from namecheck_runtime.notation.docstrings import read_docstring

__all__ = [
    "BYTES",
    "STATEMENTS",
    "WHOLE",
    "Edited",
    "FileParts",
    "Part",
    "Used",
    "definitions_used",
    "parts_of",
    "parts_used",
    "says_something",
]

Used: TypeAlias = tuple[str, str]
"""A part of a file: its real path, and the name of a definition, or one of the words below."""

STATEMENTS: Final = ""
"""The part of a file that runs when it is imported, and the names of its definitions."""

WHOLE: Final = "*"
"""All parts of a file."""

BYTES: Final = "="
"""All of a file, to the last byte: it is not a module."""


class FileParts(msgspec.Struct, array_like=True, frozen=True):
    """The digests of a file's parts, and the lines (from 1) on which its chunks begin.

    `statements` covers the statements of the top level and the order of all chunks: two files with
    equal ones have chunks of the same kinds and names, in the same order. The digest of a
    definition ends with that of what other files read, if that is another. `silent` are the lines
    that the first does not cover, `inert` those that only one of the two covers.
    """

    statements: bytes
    definitions: dict[str, bytes]
    lines: tuple[int, ...]
    silent: tuple[int, ...]
    inert: tuple[int, ...] = ()

    def has_same(self, other: FileParts, names: Collection[str]) -> bool:
        """Whether both files have the same statements, and definitions of these names that are the
        same for other files.

        `WHOLE` stands for all definitions: the files differ in nothing but what says nothing to the
        checker.
        """
        mine, theirs = self.definitions, other.definitions
        if self.statements != other.statements:
            return False
        if WHOLE in names:
            return mine == theirs
        return all(mine.get(name, b"")[-_LONG:] == theirs.get(name, b"")[-_LONG:] for name in names)

    def moved(self, line: int, other: FileParts) -> int:
        """The line of the other file on which a line of this one is now.

        Both have the same statements, and the chunk of that line is the same in both, at least for
        other files; these cite no line that is inert.
        """
        place = max(bisect_right(self.lines, line) - 1, 0)
        first, there = self.lines[place], other.lines[place]
        mine: Sequence[int] = self.silent
        theirs: Sequence[int] = other.silent
        if (self.inert or other.inert) and line not in self.inert:
            mine = _both(self.silent, self.inert)
            theirs = _both(other.silent, other.inert)
        if not mine and not theirs:
            return line + there - first
        silent = bisect_left(mine, line) - bisect_left(mine, first)
        there += line - first - silent
        # Each silent line above it moves the line by one.
        at = bisect_left(theirs, other.lines[place])
        while at < len(theirs) and theirs[at] <= there:
            there += 1
            at += 1
        return there


@lru_cache(maxsize=32)
def _both(silent: tuple[int, ...], inert: tuple[int, ...]) -> Sequence[int]:
    """The lines that the digest for other files does not cover."""
    return sorted({*silent}.symmetric_difference(inert))


_LONG: Final = 8
"""The bytes of a digest."""


class Edited(NamedTuple):
    """The parts of a file before and after an edit; None if they are not known."""

    before: FileParts | None
    now: FileParts | None

    def leaves(self, names: Collection[str] | None) -> bool:
        """Whether a result holds that depends on these definitions of the file; None: on its bytes.

        The lines that it cites may be others now.
        """
        if names is None or self.before is None or self.now is None:
            return False
        return self.before.has_same(self.now, names)


class Part(NamedTuple):
    """A chunk of a file, the name that it defines ("" for statements), and the chunk as it is
    evaluated for other files. `texts_count` if all texts in it do, wherever they stand.
    """

    name: str
    chunk: SourceChunk
    for_others: SourceChunk
    texts_count: bool


def parts_of(parts: Iterable[Part], besides: str, is_read: Callable[[str], bool]) -> FileParts:
    """The parts of a file.

    `besides` is what else the evaluation reads off the text of the definitions without evaluating
    them; `is_read` says whether it reads a comment or docstring for other things than claims. A
    name that is defined twice has one digest, of both.
    """
    total = blake2b(besides.encode("utf-8", "surrogatepass"), digest_size=_LONG)
    definitions: dict[str, bytes] = {}
    lines: list[int] = []
    silent: list[int] = []
    inert: list[int] = []
    for name, chunk, for_others, texts_count in parts:
        lines.append(chunk.line)
        kept = _kept_once(chunk, is_read)
        covered, left_out = _covered(chunk, kept, is_for_others=False)
        silent += [line + chunk.line - 1 for line in left_out]
        if name:
            total.update(f"\ndef {name}".encode("utf-8", "surrogatepass"))
            outside = covered
            if for_others is not chunk or _may_differ(chunk):
                kept = kept if for_others is chunk else _kept_once(for_others, is_read)
                outside, left_out_there = _covered(for_others, kept, is_for_others=not texts_count)
                only_one = sorted({*left_out}.symmetric_difference(left_out_there))
                inert += [line + chunk.line - 1 for line in only_one]
            definitions[name] = _definition(definitions.get(name, b""), covered, outside)
        else:
            total.update(b"\n" + covered)
    return FileParts(total.digest(), definitions, tuple(lines), tuple(silent), tuple(inert))


def _definition(before: bytes, covered: bytes, outside: bytes) -> bytes:
    """The digest of a definition, and that for other files if it is another.

    `before` are those of an earlier definition of the same name.
    """
    whole = blake2b(before[:_LONG] + covered, digest_size=_LONG).digest()
    shared = blake2b(before[-_LONG:] + outside, digest_size=_LONG).digest()
    return whole if shared == whole else whole + shared


def _may_differ(chunk: SourceChunk) -> bool:
    """Whether other files may read less of a chunk that has no inert statement."""
    if "raise " in chunk.text or "assert " in chunk.text:
        return True
    return any(is_directive(comment.text) for comment in chunk.layout.comments)


class _Kept(NamedTuple):
    """What the checker reads of a chunk: what else its docstrings claim, and its lines.

    The lines that it does not read are empty. They are among the `quiet` ones (from 0), which have
    no comment that says something in the same function.
    """

    told: list[str]
    lines: list[str]
    quiet: Collection[int]
    is_read: Callable[[str], bool]


def _covered(
    chunk: SourceChunk, kept: _Kept | None, is_for_others: bool
) -> tuple[bytes, list[int]]:
    """The digest of what the checker reads of a chunk, and the lines of the chunk without it.

    The digest for other files does not cover directives for tools, nor the words of errors.
    """
    layout = chunk.layout
    if kept is None:
        return chunk.digest, []
    lines = kept.lines
    if is_for_others:
        lines = list(lines)
        for start, last in zip(layout.starts, layout.ends, strict=True):
            failing = lines[start - 1 : last]
            if start - 1 not in kept.quiet:
                continue
            if failing[0].lstrip().startswith(("raise ", "assert ")) and "" not in failing:
                short = without_message("".join(failing), chunk.text, kept.is_read)
                lines[start - 1 : last] = split_lines(short)
    elif any(is_directive(comment.text) for comment in layout.comments):
        return chunk.digest, []
    text = "".join([*kept.told, *lines])
    return digest(text), [number for number, line in enumerate(lines, 1) if not line]


def _kept_once(chunk: SourceChunk, is_read: Callable[[str], bool]) -> _Kept | None:
    """As `_kept`. After an edit most chunks of a file are those of before."""
    key = chunk.digest, chunk.line == 1, is_read
    kept = _KEPT.pop(key) if key in _KEPT else _kept(chunk, is_read)
    if len(_KEPT) >= _MOST_KEPT:
        del _KEPT[next(iter(_KEPT))]
    _KEPT[key] = kept
    return kept


_KEPT: Final[dict[object, _Kept | None]] = {}
_MOST_KEPT: Final = 1000


def _kept(chunk: SourceChunk, is_read: Callable[[str], bool]) -> _Kept | None:
    """What the checker reads of a chunk, but for its directives; None if all of it counts.

    All of the chunk counts but the bodies of functions in which no comment says something.
    """
    layout = chunk.layout
    comments = layout.comments
    if layout.doubtful or "\r" in chunk.text:
        return None
    telling = {c.line for c in comments if says_something(c.text) or is_read(c.text)}
    quiet: Collection[int] = range(len(layout.lines))
    if telling:
        quiet = _bodies_without(telling, layout)
    if not quiet:
        return None
    lines = list(layout.lines)
    for comment in comments:
        if comment.line - 1 in quiet:
            before = lines[comment.line - 1][: comment.column - 1].rstrip()
            lines[comment.line - 1] = f"{before}\n" if before else ""
    end = 0
    indent = -1
    told: list[str] = []
    below = (*layout.indents, -1)[1:]
    rows = zip(layout.starts, layout.ends, layout.indents, below, strict=True)
    for place, (start, last, column, column_below) in enumerate(rows):
        for number in range(end, start - 1):
            if number in quiet:
                lines[number] = ""
        if 0 < end < start - 1 and all(map(_READS.search, (lines[end - 1], lines[start - 1]))):
            told.append(f"statement {place} is not right below\n")
        # A body of nothing but a docstring needs it.
        is_first = column_below == column > indent >= 0 or (place == 0 and chunk.line == 1)
        if is_first and lines[start - 1].lstrip()[:1] in _QUOTES:
            docstring = _DOCSTRING.fullmatch("".join(lines[start - 1 : last]))
            if docstring is not None and start - 1 in quiet and not is_read(docstring["text"]):
                claims, covered = _claims_in(docstring["text"])
                told += claims
                for number in range(start - 1, last):
                    if number - start + 1 not in covered:
                        lines[number] = ""
        end, indent = last, column
    for number in range(end, len(lines)):
        if number in quiet:
            lines[number] = ""
    return _Kept(told, lines, quiet, is_read)


def _bodies_without(telling: Collection[int], layout: Layout) -> Set[int]:
    """The lines (from 0) of the bodies of functions with none of some lines (from 1), and those
    between two such functions.

    A body is that of an outermost function: from its first statement to its last. None of the lines
    may be beside it either: between `def` and the statement after the function.
    """
    quiet: set[int] = set()
    rows = list(zip(layout.starts, layout.ends, layout.indents, strict=True))
    place = end = 0
    while place < len(rows):
        start, _, indent = rows[place]
        place += 1
        text = layout.lines[start - 1]
        if _FUNCTION.match(text) is None:
            end = end if text.lstrip(" \t").startswith("@") else 0
            continue
        first = place
        while place < len(rows) and rows[place][2] > indent:
            place += 1
        after = rows[place][0] if place < len(rows) else len(layout.lines) + 1
        if place == first or any(start <= line < after for line in telling):
            end = 0
            continue
        if end:
            quiet.update(range(end, start - 1))
        end = rows[place - 1][1]
        quiet.update(range(rows[first][0] - 1, end))
    return quiet


@lru_cache(maxsize=128)
def _claims_in(docstring: str) -> tuple[Sequence[str], Set[int]]:
    """What the claims of a docstring are about, and which of its lines (from 0) are covered.

    Those are the lines of the claims, and all from the first example on.
    """
    claims = read_docstring(docstring)
    told: list[str] = []
    kept: set[int] = set()
    for name, claim in claims:
        column = claim.start - docstring.rfind("\n", 0, claim.start)
        told.append(f"{name} {column} {claim.confidence} {claim.evident} {claim.operands}\n")
        kept.add(docstring.count("\n", 0, claim.start))
    example = _EXAMPLE.search(docstring)
    if example is not None:
        first = docstring.count("\n", 0, example.start())
        kept.update(range(first - 1, docstring.count("\n") + 1))
    return told, kept


@lru_cache(maxsize=1024)
def says_something(comment: str) -> bool:
    """Whether a comment may be about dims, alone or with its neighbours."""
    if _WORD.search(comment) is None:
        return _LETTER.search(comment) is not None or _BRACKET.search(comment) is not None
    if not may_claim(comment):
        return False
    if read_comment(comment) or read_bracket(comment) is not None:
        return True
    return read_product(comment) is not None or _LEADS_ON.search(comment) is not None


_WORD: Final = regex(r"[^\W\d]{3}")
_LETTER: Final = regex(r"\w")
_BRACKET: Final = regex(r"[()\[\]{}<>,→*]")
_LEADS_ON: Final = regex(r"[)\]]\s*(?:,|x|\*|@|-+>|=+>|→)\s*$|^[#\s]*(?:-+>|=+>|→)")
"""What goes on with the comment above or below."""

_FUNCTION: Final = regex(r"\s*(?:async\s+)?def\b")

_QUOTES: Final = frozenset("rRuU\"'")
_DOCSTRING: Final = regex(
    r"""
      \s*[rRuU]?
      (?P<quote>\"{3}|'{3}|"|')
      (?P<text>(?:(?!\\|(?P=quote)).)*)
      (?P=quote)\s*
    """,
    re.VERBOSE | re.DOTALL,
)
"""A docstring without escapes."""

_EXAMPLE: Final = regex(r">>>|```|~~~|::")
_READS: Final = regex(r"shape|size|dim|\blen\b")
"""Two sizes that are read on neighbouring lines are compared (`usage/different_sizes.py`)."""


def parts_used(paths: Iterable[str], names: Mapping[str, Iterable[str]]) -> Iterator[Used]:
    """What was used of each of the files, given what `definitions_used` says of them."""
    for path in paths:
        if path in names:
            yield path, STATEMENTS
            yield from ((path, name) for name in names[path])
        else:
            yield path, BYTES


def definitions_used(used: Iterable[Used]) -> Mapping[str, tuple[str, ...]]:
    """The names of the definitions that were used of each file, by its path.

    `WHOLE` is among them if all parts were. A file whose bytes count is left out.
    """
    names: dict[str, set[str]] = {}
    read: set[str] = set()
    for path, part in used:
        if part == BYTES:
            read.add(path)
        else:
            names.setdefault(path, set()).add(part)
    return {
        path: tuple(sorted(parts - {STATEMENTS}))
        for path, parts in names.items()
        if path not in read
    }

"""The parts of a module that a result may depend on: its statements, and each definition by itself.

A result that needed one function of a file holds while that function and the statements of the top
level are the same. So it keeps the digests of these parts, and not only the digest of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias

import msgspec

from namecheck.text.chunks import SourceChunk
from namecheck_runtime.light.digests import blake2b

__all__ = ["STATEMENTS", "WHOLE", "FileParts", "Used", "definitions_used", "parts_of", "parts_used"]

Used: TypeAlias = tuple[str, str]
"""A part of a file: its real path, and the name of a definition, or `STATEMENTS`, or `WHOLE`."""

STATEMENTS: Final = ""
"""The part of a file that runs when it is imported, and the names of its definitions."""

WHOLE: Final = "*"
"""All of a file, to the last byte."""


class FileParts(msgspec.Struct, array_like=True, frozen=True):
    """The digests of a file's parts, and the lines (from 1) on which its chunks begin.

    `statements` covers the statements of the top level and the order of all chunks: two files with
    equal ones have chunks of the same kinds and names, in the same order.
    """

    statements: bytes
    definitions: dict[str, bytes]
    lines: tuple[int, ...]

    def has_same(self, other: FileParts, names: Iterable[str]) -> bool:
        """Whether both files have the same statements and the same definitions of these names."""
        mine, theirs = self.definitions, other.definitions
        return self.statements == other.statements and all(
            mine.get(name) == theirs.get(name) for name in names
        )

    def moved(self, line: int, other: FileParts) -> int:
        """The line of the other file on which a line of this one is now.

        Both have the same statements, and the chunk of that line is the same in both.
        """
        place = 0
        for number, first in enumerate(self.lines):
            if first > line:
                break
            place = number
        return line + other.lines[place] - self.lines[place]


def parts_of(chunks: Iterable[tuple[str, SourceChunk]], besides: str) -> FileParts:
    """The parts of a file, from its chunks and the name that each defines ("" for statements).

    `besides` is what else the evaluation reads off the text of the definitions without evaluating
    them. A name that is defined twice has one digest, of both.
    """
    total = blake2b(besides.encode("utf-8", "surrogatepass"), digest_size=8)
    definitions: dict[str, bytes] = {}
    lines = []
    for name, chunk in chunks:
        lines.append(chunk.line)
        if name:
            total.update(f"\ndef {name}".encode("utf-8", "surrogatepass"))
            digest = definitions.get(name, b"") + chunk.digest
            definitions[name] = blake2b(digest, digest_size=8).digest()
        else:
            total.update(b"\n" + chunk.digest)
    return FileParts(total.digest(), definitions, tuple(lines))


def parts_used(paths: Iterable[str], names: Mapping[str, Iterable[str]]) -> Iterator[Used]:
    """What was used of each of the files, given what `definitions_used` says of them."""
    for path in paths:
        if path in names:
            yield path, STATEMENTS
            yield from ((path, name) for name in names[path])
        else:
            yield path, WHOLE


def definitions_used(used: Iterable[Used]) -> Mapping[str, tuple[str, ...]]:
    """The names of the definitions that were used of each file, by its path.

    A file of which all was used is left out.
    """
    names: dict[str, set[str]] = {}
    whole: set[str] = set()
    for path, part in used:
        if part == WHOLE:
            whole.add(path)
        else:
            names.setdefault(path, set()).add(part)
    return {
        path: tuple(sorted(parts - {STATEMENTS}))
        for path, parts in names.items()
        if path not in whole
    }

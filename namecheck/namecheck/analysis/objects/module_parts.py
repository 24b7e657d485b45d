"""The parts of a module that a result depends on: what is read off each without evaluating it.

The statements of a module decide more than they say. Functions of it assign its names and change
its tables, decorators enter its classes, and words anywhere in it say what its tensors are. All of
that counts as read by whoever imports the module, so it is covered by the digest of its statements.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence, Set
from typing import Final

import msgspec

from namecheck.analysis.objects.letter_families import has_turned
from namecheck.analysis.objects.module_rows import DECORATOR, DECORATOR_AT_TOP, reads
from namecheck.analysis.reading.changed_contents import changed_in_texts
from namecheck.analysis.state.program_pieces import Words, words_in
from namecheck.frameworks import pytest, python, torch
from namecheck.text.chunks import SourceChunk, defined_name, split, unchanged
from namecheck.text.file_parts import WHOLE, Edited, FileParts, Part, parts_of, says_something
from namecheck.text.inert_statements import without_inert
from namecheck_runtime.light.digests import blake2b
from namecheck_runtime.light.regexes import regex

__all__ = [
    "file_parts",
    "for_others",
    "globals_in",
    "is_in_definitions",
    "module_parts",
    "silent_edit",
]


def file_parts(text: str) -> FileParts:
    """The parts of the file with a text, as a result depends on them."""
    chunks = split(text)
    texts = [chunk.text for chunk in chunks]
    return module_parts(_named(chunks), globals_in(texts), words_in(texts))


def module_parts(
    chunks: Sequence[tuple[str, SourceChunk]], assigned: Set[str], words: Words | None
) -> FileParts:
    """The parts of a module, given the names that its functions assign, and its words.

    A file that is checked and imported is read once: those of the last files are kept.
    """
    key = blake2b(b"".join([chunk.digest for _, chunk in chunks]), digest_size=16).digest()
    parts = _KNOWN.pop(key, None)
    if parts is None:
        bound = _bound(chunk.text for name, chunk in chunks if not name)
        parts = _read(chunks, assigned, words, bound)
        if len(_KNOWN) >= _MOST_KNOWN:
            del _KNOWN[next(iter(_KNOWN))]
    _KNOWN[key] = parts
    return parts


_KNOWN: Final[dict[bytes, FileParts]] = {}
_MOST_KNOWN: Final = 500


def silent_edit(before: Sequence[SourceChunk], now: Sequence[SourceChunk]) -> Edited | None:
    """An edit of a file, if it changes nothing that the checker reads.

    `before` and `now` are all chunks of the file. The result for the file holds then, on the lines
    of now; None after any other edit. Of the two `FileParts` of the edit only the lines are those
    of the file: only what was edited is read.
    """
    edit = _edited(before, now)
    return edit if edit is not None and edit.leaves((WHOLE,)) else None


def is_in_definitions(before: Sequence[SourceChunk], now: Sequence[SourceChunk]) -> bool:
    """Whether an edit of a file leaves everything but what definitions do when they are used.

    The chunks of the file have the same names before and now, in the same order, its statements are
    the same, and so is what is read off the text of a definition wherever it is used.
    """
    edit = _edited(before, now)
    return edit is not None and edit.leaves(())


def _edited(before: Sequence[SourceChunk], now: Sequence[SourceChunk]) -> Edited | None:
    """The parts of a file that an edit has changed; None if there are more or fewer chunks now."""
    if len(before) != len(now):
        return None
    head, tail = unchanged(before, now)
    end = len(now) - tail
    old, new = _named(before[head:end]), _named(now[head:end])
    bound = _bound(chunk.text for chunk in now if not defined_name(chunk))
    bound |= _bound(chunk.text for name, chunk in old if not name)
    parts = []
    for named, chunks in ((old, before), (new, now)):
        texts = [chunk.text for _, chunk in named]
        read = _read(named, globals_in(texts), words_in(texts), bound)
        lines = (1, *read.lines, *[chunk.line for chunk in chunks[end : end + 1]])
        parts.append(msgspec.structs.replace(read, lines=lines))
    return Edited(*parts)


def _named(chunks: Iterable[SourceChunk]) -> list[tuple[str, SourceChunk]]:
    return [(defined_name(chunk), chunk) for chunk in chunks]


def _bound(statements: Iterable[str]) -> set[str]:
    """The names in the statements of a module."""
    return {name for text in statements for name in _NAME.findall(text)}


def _read(
    chunks: Sequence[tuple[str, SourceChunk]],
    assigned: Set[str],
    words: Words | None,
    bound: Set[str],
) -> FileParts:
    told = [_read_off(chunk.text, bound) for name, chunk in chunks if name]
    parts = [
        Part(name, chunk, for_others(chunk) if name else chunk, pytest.VALUE_OF in chunk.text)
        for name, chunk in chunks
    ]
    return parts_of(parts, f"{words} {sorted(assigned)} {told}", _is_read)


def for_others(chunk: SourceChunk) -> SourceChunk:
    """The chunk of a definition as it is evaluated for other files."""
    return without_inert(chunk, python.REPORTS, _says_something)


def _says_something(comment: str) -> bool:
    return says_something(comment) or _is_read(comment)


def _is_read(remark: str) -> bool:
    """Whether a comment or docstring has words that are looked for in the text of a function."""
    if torch.DIFFERENTIATING.search(remark) or torch.RUNNING_BACKWARD.search(remark):
        return True
    if has_turned(remark):
        return True
    return any(word in remark for word in (pytest.WORD, pytest.VALUE_OF, "global ", "nonlocal "))


def globals_in(texts: Iterable[str]) -> frozenset[str]:
    """The names of a module that functions in these texts assign."""
    return frozenset(
        name.strip()
        for text in texts
        for names in _GLOBAL.findall(text)
        for name in names.split(",")
    )


def _read_off(definition: str, names: Collection[str]) -> tuple[object, ...]:
    """What is read off the text of a definition in any case: by `forget_changed` for these names
    of its module, by drives, and by tests that look for fixtures.
    """
    changed = sorted(changed_in_texts(names, (definition,)))
    return (
        [(name, reads(definition, name)) for name in changed],
        sorted(DECORATOR.findall(definition)),
        sorted(DECORATOR_AT_TOP.findall(definition)),
        pytest.searched_words(definition),
    )


_NAME: Final = regex(r"[^\W\d]\w*")
_GLOBAL: Final = regex(r"^[ \t]+global[ \t]+(\w+(?:[ \t]*,[ \t]*\w+)*)", re.MULTILINE, ("global",))

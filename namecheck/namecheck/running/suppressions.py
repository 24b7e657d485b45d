"""Suppression comments: what they silence, and which of them silence nothing.

    x = a - b  # namecheck: ignore[NC202] the outer difference is wanted
    # namecheck: ignore[NC202, scrambled-reshape] on a line of its own: the statement below
    # namecheck: file-ignore[NC402]
    # namecheck: disable[NC2]  ...  # namecheck: enable[NC2]
    x = a - b  # noqa: F401, NC202

`read` finds them in a text and returns plain values, so that a cache may keep them beside the
findings. `apply` applies them to the findings of a run. A comment must list codes, which may also
be names and prefixes; the text after the bracket is the reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from namecheck.codes import selection
from namecheck.codes.selection import STRICT
from namecheck.codes.troubles import INTERNAL_ERROR, NOTES, TROUBLES, UNKNOWN_CODE, UNUSED_IGNORE
from namecheck.findings import Edit, Finding, Fix, Span
from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.light.regexes import regex

if TYPE_CHECKING:
    from namecheck.files.documents import Document
    from namecheck.text.layout import CommentLine, Layout

__all__ = ["Directive", "Flaw", "Word", "apply", "of_document", "read"]

EVERYWHERE: Final = 2**31
"""More lines than a file has."""


class Word(NamedTuple):
    """A code, name or prefix in a directive, as written, and the lines on which it silences.

    `codes` are the codes that it covers; none if it is unknown, or in a `noqa` another tool's.
    """

    text: str
    codes: tuple[str, ...]
    column: int
    end_column: int
    first: int
    last: int


class Flaw(NamedTuple):
    """Why a directive, or a word in it, has no effect (NC902), and the edit that corrects it."""

    message: str
    hint: str | None
    span: Span
    fix: str
    edit: Edit


class Directive(NamedTuple):
    """One suppression comment. `kind` is "ignore", "file-ignore", "disable", "enable" or "noqa".

    `span` is the directive without its reason; `removal` is the span to delete with it. A comment
    may hold more than one directive, and words to other tools.
    """

    kind: str
    span: Span
    removal: Span
    words: tuple[Word, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    cell: int | None = None


# Reading

_KINDS: Final = ("ignore", "file-ignore", "disable", "enable")
_MEANT: Final = {
    "ignore-file": "file-ignore",
    "skip-file": "file-ignore",
    "ignore-errors": "file-ignore",
    "noqa": "ignore",
    "off": "disable",
    "on": "enable",
}
"""The words of other tools, and ours for the same."""

_MARKS: Final = ("namecheck:", "noqa", "NOQA", "NoQA")
"""A text without any of these has no directive; searching for them costs next to nothing."""

# Where another comment begins in `# a  # b`; the one in `# see #12` is a number.
_BEGIN = regex(r"(?<=\s)#+(?=[\sA-Za-z])")
_PRAGMA = regex(
    r"#+\s*namecheck:\s*(?P<kind>[A-Za-z][\w-]*)\s*"
    r"(?P<list>\[(?P<words>[^\]]*)(?P<close>\])?)?"
)
_NOQA = regex(
    r"#+\s*noqa\s*:\s*(?P<words>[A-Z]+[0-9]+\b(?:(?:\s*,\s*|\s+)[A-Z]+[0-9]+\b)*)", re.IGNORECASE
)
_WORD = regex(r"[^\s,](?:[^,]*[^\s,])?")
_NOQA_WORD = regex(r"\w+")
_CODE = regex(r"NC\d{1,3}\Z", re.IGNORECASE)


def read(text: str) -> tuple[Directive, ...]:
    """The suppression comments of a Python text, in order. Never raises.

    Costs next to nothing if there are none. A text that is not Python is read as far as possible.
    """
    if not any(mark in text for mark in _MARKS):
        return ()
    from namecheck.text.chunks import whole_layout

    layout = whole_layout(text)
    directives: list[Directive] = []
    for comment in layout.comments:
        for begin, end in _parts(comment.text):
            directive = _directive(layout, comment, begin, end)
            if directive is None:
                continue
            if directive.kind == "enable":
                directive = _close(directives, directive)
            directives.append(directive)
    return tuple(d for d in directives if d.flaws or any(word.codes for word in d.words))


def of_document(document: Document) -> tuple[Directive, ...]:
    """The suppression comments of a file; in a notebook by cell, at whose end ranges end, too."""
    if document.notebook is None:
        return read(document.text)
    return tuple(
        directive._replace(cell=cell.number)
        for cell in document.notebook.cells
        for directive in read(cell.python)
    )


def _parts(comment: str) -> Iterator[tuple[int, int]]:
    """The start and the end of each of the comments in `# a  # b`."""
    begins = [0, *(match.start() for match in _BEGIN.finditer(comment))]
    yield from zip(begins, [*begins[1:], len(comment)], strict=True)


def _directive(layout: Layout, comment: CommentLine, begin: int, end: int) -> Directive | None:
    part = comment.text[begin:end]
    if match := _NOQA.match(part):
        words = list(_NOQA_WORD.finditer(part, *match.span("words")))
        kind, noqa = "noqa", True
    elif match := _PRAGMA.match(part):
        start, stop = match.span("words")
        words = list(_WORD.finditer(part, start, stop)) if match["list"] else []
        kind, noqa = match["kind"], False
    else:
        return None
    left = comment.column + begin
    line = comment.line
    directive = Directive(
        kind,
        Span(line, left, line, left + len(match[0].rstrip())),
        _removal(layout, comment, begin, end),
    )
    if not noqa:
        flaw = _malformed(directive, match, comment, words)
        if flaw is not None:
            return directive._replace(flaws=(flaw,))
        if kind not in _KINDS:
            return None
    first, last = _covered(layout, comment, kind)
    listed = tuple(
        Word(
            word[0],
            () if noqa and not _CODE.match(word[0]) else codes_of(word[0]),
            left + word.start(),
            left + word.end(),
            first,
            last,
        )
        for word in words
    )
    directive = directive._replace(words=listed)
    return directive._replace(flaws=tuple(_unknown(directive)))


def _removal(layout: Layout, comment: CommentLine, begin: int, end: int) -> Span:
    """The span to delete with one of the comments on a line: the whole line if nothing remains."""
    line, text = comment.line, layout.lines[comment.line - 1]
    bare = text.rstrip("\r\n")
    left = comment.column + begin
    if end < len(comment.text):
        return Span(line, left, line, comment.column + end)
    if not bare[: left - 1].strip():
        if line > 1 and layout.lines[line - 2].rstrip("\r\n").endswith("\\"):
            # The line above is continued here; without this line it would be continued by the next.
            return Span(line, left + 1, line, len(bare) + 1)
        if bare != text:
            return Span(line, 1, line + 1, 1)
        return Span(line, 1, line, len(bare) + 1)
    return Span(line, len(bare[: left - 1].rstrip()) + 1, line, len(bare) + 1)


def _covered(layout: Layout, comment: CommentLine, kind: str) -> tuple[int, int]:
    """The first and last line that a directive covers; if it covers none, last is before first."""
    line, at = comment.line, comment.logical
    nothing = line, line - 1
    if kind == "file-ignore":
        return 1, EVERYWHERE
    if kind in ("disable", "enable"):
        return line, _end_of_block(layout, comment)
    if not comment.alone:
        # At either end of a statement it covers all of it; in between, its own line.
        first, last = layout.starts[at], layout.ends[at]
        return (first, last) if line in (first, last) else (line, line)
    if kind == "noqa":
        return nothing
    if comment.inside:
        for below in range(line + 1, layout.ends[at] + 1):
            if (bare := layout.lines[below - 1].strip()) and not bare.startswith("#"):
                return below, below
        return nothing
    if at == len(layout.starts):
        return nothing
    header = at  # a definition begins with its decorators
    while header + 1 < len(layout.starts) and _is_decorator(layout, header):
        header += 1
    return layout.starts[at], layout.ends[header]


def _is_decorator(layout: Layout, logical: int) -> bool:
    return layout.lines[layout.starts[logical] - 1].lstrip(" \t\f").startswith("@")


def _end_of_block(layout: Layout, comment: CommentLine) -> int:
    """The last line of the block that a comment is in, by the comment's indentation."""
    from namecheck.text.layout import indentation

    depth = indentation(layout.lines[comment.line - 1])
    following = comment.logical + 1 if comment.inside else comment.logical
    for at in range(following, len(layout.starts)):
        if layout.indents[at] < depth:
            return layout.starts[at] - 1
    return EVERYWHERE


def _close(directives: list[Directive], enable: Directive) -> Directive:
    """End the ranges that an `enable` names. Returns it, with flaws for words that end none."""
    line = enable.span.line
    ended: set[str] = set()
    for place, directive in enumerate(directives):
        if directive.kind != "disable":
            continue
        words = []
        for word in directive.words:
            ending = [other for other in enable.words if set(word.codes) <= set(other.codes)]
            if word.codes and ending and word.last >= line:
                ended.update(other.text for other in ending)
                word = word._replace(last=line)
            words.append(word)
        directives[place] = directive._replace(words=tuple(words))
    idle = [
        _word_flaw(
            enable,
            word,
            f"enable[{word.text}] ends nothing: no disable[{word.text}] is open here",
            "a range ends with the block that its disable is in",
        )
        for word in enable.words
        if word.codes and word.text not in ended
    ]
    # The words of an `enable` silence nothing.
    silent = tuple(word._replace(codes=()) for word in enable.words)
    return enable._replace(words=silent, flaws=(*enable.flaws, *idle))


# The codes of a word


def codes_of(word: str) -> tuple[str, ...]:
    """The codes that a code, a name or a prefix such as NC2 covers; none if it is unknown.

    NC999 is never among them: a bug of ours must not be silenced.
    """
    known = selection.known_codes()
    if _CODE.match(word):
        codes = (code for code in known if code.startswith(word.upper()))
    else:
        codes = (code for code, name in known.items() if name == word.lower())
    return tuple(code for code in codes if code != INTERNAL_ERROR)


# Flaws of a directive (NC902)


def _malformed(
    directive: Directive, match: re.Match[str], comment: CommentLine, words: Sequence[object]
) -> Flaw | None:
    """Why a pragma as a whole has no effect; None if it has one, or is only prose."""
    kind = match["kind"]
    rest = match.string[match.end() :]
    # `# namecheck: ignore NC202` and `# namecheck: ignroe` are meant as pragmas,
    # `# namecheck: see below` is not.
    bare = re.match(r"[\s:=]*((?:NC\d+[\s,]*)+)", rest, re.IGNORECASE)
    meant = _kind_meant(kind)
    if kind not in _KINDS:
        if match["list"] is None and (meant is None or (rest.strip() and not bare)):
            return None
        guess = f"; did you mean {meant}?" if meant else ""
        message = f"unknown pragma 'namecheck: {kind}'{guess}"
        hint = "a pragma is ignore, file-ignore, disable or enable, with codes in brackets"
    elif match["list"] is None:
        lacks = "has no brackets around its codes" if bare else "names no codes"
        message = f"'namecheck: {kind}' {lacks}, so it does nothing"
        hint = f"write the codes in brackets: namecheck: {kind}[NC202]"
    elif match["close"] is None:
        message = f"'namecheck: {kind}[' has no closing bracket, so it does nothing"
        hint = f"write the codes in brackets: namecheck: {kind}[NC202]"
    elif not words:
        message = f"'namecheck: {kind}[]' names no codes, so it does nothing"
        hint = f"write the codes in brackets: namecheck: {kind}[NC202]"
    elif kind in ("disable", "enable") and not comment.alone:
        message = f"'namecheck: {kind}' must be on a line of its own, so it does nothing"
        hint = "for one statement, write namecheck: ignore[...] at its end"
    else:
        return None
    line, left = directive.span.line, directive.span.column
    if meant and kind not in _KINDS and match["close"]:
        at = Span(line, left + match.start("kind"), line, left + match.end("kind"))
        return Flaw(message, hint, directive.span, f"Write {meant}", Edit(at, meant))
    if kind in _KINDS and match["list"] is None and bare:
        begin = left + match.end("kind")
        listed = re.findall(r"NC\d+", bare[1], re.IGNORECASE)
        stop = left + match.end() + len(bare[0].rstrip(" \t,"))
        edit = Edit(Span(line, begin, line, stop), f"[{', '.join(listed)}]")
        return Flaw(message, hint, directive.span, "Put the codes in brackets", edit)
    return Flaw(message, hint, directive.span, "Remove the comment", Edit(directive.removal, ""))


def _kind_meant(kind: str) -> str | None:
    import difflib

    if kind.lower() in _MEANT:
        return _MEANT[kind.lower()]
    near = difflib.get_close_matches(kind.lower(), _KINDS, n=1, cutoff=0.7)
    return near[0] if near else None


def _unknown(directive: Directive) -> Iterator[Flaw]:
    """A flaw for each word that is neither a code of ours nor of another tool."""
    for word in directive.words:
        if word.codes:
            continue
        if word.text.upper() == INTERNAL_ERROR:
            message = f"{INTERNAL_ERROR} cannot be suppressed: it is a bug in namecheck"
            yield _word_flaw(directive, word, message, "please report it instead")
            continue
        if directive.kind == "noqa":
            continue  # other tools have codes that begin with NC
        guess = selection.meant(word.text)
        if guess is not None and not codes_of(guess):
            guess = None
        also = f"; did you mean {guess}?" if guess else ""
        hint = "`namecheck explain --all` lists the codes" if guess is None else None
        if all(map(codes_of, word.text.split())):
            also, hint = "", "separate codes with commas"
        message = f"unknown code {word.text!r} in a suppression{also}"
        yield _word_flaw(directive, word, message, hint)


def _word_flaw(directive: Directive, word: Word, message: str, hint: str | None) -> Flaw:
    line = directive.span.line
    edit = _without(directive, {directive.words.index(word)})
    fix = "Remove the comment" if edit.span == directive.removal else f"Remove {word.text}"
    return Flaw(message, hint, Span(line, word.column, line, word.end_column), fix, edit)


def _without(directive: Directive, gone: Collection[int]) -> Edit:
    """The edit that removes some words from a directive; the directive with its last word."""
    words = directive.words
    kept = [word.text for place, word in enumerate(words) if place not in gone]
    if not kept:
        return Edit(directive.removal, "")
    line = directive.span.line
    # The smallest possible edit: the other words keep their places.
    first, last = min(gone), max(gone)
    between = [
        word.text for place, word in enumerate(words[:last]) if place > first and place not in gone
    ]
    if last + 1 < len(words):
        text = "".join(f"{word}, " for word in between)
        return Edit(Span(line, words[first].column, line, words[last + 1].column), text)
    if first > 0:
        text = "".join(f", {word}" for word in between)
        return Edit(Span(line, words[first - 1].end_column, line, words[last].end_column), text)
    return Edit(Span(line, words[0].column, line, words[-1].end_column), ", ".join(kept))


# Applying


class _Lines:
    """The words of a file's directives, by the codes and lines that they cover."""

    def __init__(self, directives: Sequence[Directive]) -> None:
        self.near: dict[tuple[str, int | None, int], list[tuple[int, int]]] = {}
        self.wide: dict[str, list[tuple[int | None, int, int, tuple[int, int]]]] = {}
        for at, directive in enumerate(directives):
            is_whole_file = directive.kind == "file-ignore"
            for place, word in enumerate(directive.words):
                for code in word.codes:
                    if not is_whole_file and word.last - word.first < 20:
                        for line in range(word.first, word.last + 1):
                            key = code, directive.cell, line
                            self.near.setdefault(key, []).append((at, place))
                    else:
                        cell = None if is_whole_file else directive.cell
                        held = cell, word.first, word.last, (at, place)
                        self.wide.setdefault(code, []).append(held)

    def silencing(self, finding: Finding) -> set[tuple[int, int]]:
        """The words that silence a finding, as positions of directive and word."""
        first, _, last, end_column = finding.span
        if end_column == 1 and last > first:
            last -= 1
        covering = {
            word
            for cell, begin, end, word in self.wide.get(finding.code, ())
            if begin <= last and first <= end and cell in (None, finding.cell)
        }
        for line in range(first, last + 1) if self.near else ():
            covering.update(self.near.get((finding.code, finding.cell, line), ()))
        return covering


def apply(
    findings: Iterable[Finding],
    directives: Mapping[str, Sequence[Directive]],
    selected: Callable[[str, str], bool],
    checked: Collection[str],
) -> list[Finding]:
    """The findings that no directive silences, and the findings about the directives themselves.

    `directives` are those of each path that has any. `selected` answers whether a code is selected
    for a path. NC901 and NC902 are reported for the paths that were `checked`: in other files the
    findings that a directive might silence are not known.
    """
    lines = {path: _Lines(here) for path, here in directives.items() if here}
    used: dict[str, set[tuple[int, int]]] = {path: set() for path in lines}
    kept = []
    flaws = [
        flaw
        for path in lines
        if path in checked and selected(path, UNKNOWN_CODE)
        for flaw in _flaws(path, directives[path])
    ]
    for finding in (*findings, *flaws):
        by = lines[finding.path].silencing(finding) if finding.path in lines else ()
        if by:
            used[finding.path] |= by
        else:
            kept.append(finding)
    for path in lines:
        if path in checked and selected(path, UNUSED_IGNORE):
            for unused in _unused(path, directives[path], used[path], selected):
                if not lines[path].silencing(unused):
                    kept.append(unused)
    return kept


def _flaws(path: str, directives: Iterable[Directive]) -> Iterator[Finding]:
    for directive in directives:
        for message, hint, span, fix, edit in directive.flaws:
            yield _remark(UNKNOWN_CODE, path, span, message, hint, directive.cell, fix, edit)


def _unused(
    path: str,
    directives: Iterable[Directive],
    used: Collection[tuple[int, int]],
    selected: Callable[[str, str], bool],
) -> Iterator[Finding]:
    """A finding (NC901) for each directive with words that silence nothing."""
    for at, directive in enumerate(directives):
        idle = {
            place
            for place, word in enumerate(directive.words)
            if word.codes
            and (at, place) not in used
            # A word that silences NC901 is never reported as unused: it would silence that.
            and UNUSED_IGNORE not in word.codes
            and _was_looked_for(word.codes, path, selected)
        }
        if not idle:
            continue
        edit = _without(directive, idle)
        words = [directive.words[place].text for place in sorted(idle)]
        is_whole = edit.span == directive.removal
        fix = "Remove the comment" if is_whole else f"Remove {', '.join(words)}"
        message = f"unused suppression: nothing here is reported as {' or '.join(words)}"
        yield _remark(UNUSED_IGNORE, path, directive.span, message, None, directive.cell, fix, edit)


def _was_looked_for(codes: Sequence[str], path: str, selected: Callable[[str, str], bool]) -> bool:
    """Whether a word's codes are selected, apart from those that few people turn on."""
    missed = [code for code in codes if not selected(path, code)]
    few = all(code in STRICT or code.startswith(NOTES) for code in missed)
    return few and len(missed) < len(codes)


def _remark(
    code: str,
    path: str,
    span: Span,
    message: str,
    hint: str | None,
    cell: int | None,
    title: str,
    edit: Edit,
) -> Finding:
    about = TROUBLES[code]
    fix = Fix(about.fix, title, (edit,)) if about.fix is not None else None
    return Finding(
        path, span, code, about.name, about.level, message, hint=hint, cell=cell, fix=fix
    )

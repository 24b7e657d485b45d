"""Shape comments: `# (B, T, C)` behind an assignment or a return.

What the code says already is not said again: a line that spells the dims out
(`x.view(B, T, C)`), or leaves a variable the dims that an earlier line has told. No line gets a
second comment. Where one does not fit behind the line it stands above.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import takewhile

from namecheck.analysis import FORM, Form, Key
from namecheck.annotations.changes import Annotation, KnownAt
from namecheck.fixes.code import Code
from namecheck.fixes.edits import Change
from namecheck.fixes.words import ELLIPSIS, said, same, words
from namecheck.printing.screen import width_of
from namecheck.text.layout import CommentLine
from namecheck_runtime.notation.comments import read_comment

__all__ = ["comments"]

Claimed = list[tuple[str | None, tuple[str, ...]]]
"""Dims, each with the variable that they are said of if it has to be said."""

Told = dict[str, tuple[str, ...]]
"""The dims of variables that the lines above have told."""


def comments(code: Code, known: KnownAt, width: int) -> Iterator[Annotation]:
    """The comments that a text may get, in lines of at most `width` columns."""
    if code.tree is not None:
        yield from _Writer(code, known, width).block(code.tree.body, {})


class _Writer:
    def __init__(self, code: Code, known: KnownAt, width: int) -> None:
        self.code = code
        self.width = width
        self.open, self.close = _brackets(code.comments)
        self.known: dict[int, dict[Key, tuple[str, ...]]] = {}
        self.returned: dict[int, int] = {}
        for key, one in known.items():
            if key[2] == FORM:
                self.returned[key[0]] = _count(one.forms)
            found = words(one.shape)
            if found is not None and _is_telling(found):
                self.known.setdefault(key[0], {})[key] = found
        self.comment_lines = [comment.line for comment in code.comments]

    def block(self, body: Sequence[ast.AST], told: Told) -> Iterator[Annotation]:
        """The comments of statements that follow each other."""
        for node in body:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    yield from self.block(node.body, {})
                case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.Return():
                    yield from self._statement(node, told)
                case _:
                    for name in ("body", "handlers", "cases", "orelse", "finalbody"):
                        yield from self.block(_list(node, name), told)

    def _statement(
        self, node: ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Return, told: Told
    ) -> Iterator[Annotation]:
        first, last = node.lineno, node.end_lineno or node.lineno
        wanted = self._wanted(node)
        there = self._comments(first - 1, last)
        claims = [claim for one in there for claim in read_comment(one.text)]
        if claims or any(one.line >= first for one in there):
            # It has a comment: what that says is told, and there is no room for another one.
            wanted = {
                key: dims
                for key, dims in wanted.items()
                if any(same(said(claim), dims) for claim in claims)
            }
        elif any(told.get(key[1]) != dims for key, dims in wanted.items()):
            if not self._says(node, wanted) and not _renames(node, wanted, told):
                written = self._spelled(node, wanted)
                change = None if written is None else self._placed(node, written, bool(there))
                if change is not None:
                    yield Annotation(tuple(wanted), (change,))
                else:
                    wanted = {}
        for target in _targets(node):
            told.pop(target, None)
        told.update((key[1], dims) for key, dims in wanted.items() if key[2] == "assign")

    def _wanted(self, node: ast.stmt) -> dict[Key, tuple[str, ...]]:
        """What is known of what a statement assigns or returns."""
        here = self.known.get(node.lineno, {})
        if isinstance(node, ast.Return):
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            found = {key: dims for key, dims in here.items() if key[2] == "return"}
            plain = all(isinstance(value, ast.Name) for value in values)
            return (
                found
                if self.returned.get(node.lineno) == len(values) == len(found) and not plain
                else {}
            )
        keys = [(node.lineno, target, "assign") for target in _targets(node)]
        return {key: here[key] for key in keys if key in here}

    def _comments(self, first: int, last: int) -> list[CommentLine]:
        """The comments from one line to another; on the first one only if it stands alone."""
        at = bisect_left(self.comment_lines, first)
        found = takewhile(lambda one: one.line <= last, self.code.comments[at:])
        return [one for one in found if one.line > first or one.alone]

    def _spelled(self, node: ast.stmt, wanted: dict[Key, tuple[str, ...]]) -> str | None:
        """The comment, None where it would not be read as it is meant."""
        kinds = set(wanted.values())
        claimed: Claimed
        if isinstance(node, ast.Return):
            claimed = [(None, wanted[key]) for key in sorted(wanted)]
        elif len(kinds) == 1 and len(_targets(node)) == len(wanted):
            claimed = [(None, next(iter(kinds)))]
        else:
            claimed = [(key[1], dims) for key, dims in wanted.items()]
        parts = [f"{label}: " * (label is not None) + self._shape(d) for label, d in claimed]
        text = ", ".join(parts)
        # Numbers alone may be anything: it is said that they are a shape.
        forms = (f"# {text}", f"# shape: {text}")
        return next((form for form in forms if _claims(form, claimed)), None)

    def _shape(self, dims: Sequence[str]) -> str:
        comma = "," * (len(dims) == 1 and self.open == "(")
        return f"{self.open}{', '.join(dims)}{comma}{self.close}"

    def _says(self, node: ast.stmt, wanted: dict[Key, tuple[str, ...]]) -> bool:
        """Whether a statement spells out the dims of what it gives, as a factory does."""
        start, end = self.code.stretch_of(node)
        text = self.code.text[start:end]
        between = r"\s+" if "->" in text else ","
        text = " ".join(text.split()) if "->" in text else _dense(text)
        return all(re.search(_pattern(dims, between), text) for dims in wanted.values())

    def _placed(self, node: ast.stmt, comment: str, below_prose: bool) -> Change | None:
        """Where the comment goes; None if there is no room for it."""
        code = self.code
        start, end = code.stretch_of(node)
        begin = code.offset(node.lineno, 1)
        line = code.lines[(node.end_lineno or node.lineno) - 1]
        bare = line.rstrip("\r\n")
        stop = code.offset(node.end_lineno or node.lineno, len(bare) + 1)
        indentation = code.text[begin:start]
        if indentation.strip() or code.text[end:stop].strip():
            return None  # something else stands on its lines
        before = bare[: len(bare) - (stop - end)]
        if _columns(before) + 2 + width_of(comment) <= self.width:
            return Change(end, stop, f"  {comment}")
        if (
            below_prose
            or "\f" in indentation
            or _columns(indentation) + width_of(comment) > self.width
        ):
            return None
        first = code.lines[node.lineno - 1]
        newline = first[len(first.rstrip("\r\n")) :] or "\n"
        return Change(begin, begin, f"{indentation}{comment}{newline}")


def _count(forms: frozenset[Form]) -> int:
    """How many tensors are returned, where nothing else is; 0 otherwise."""
    match [*forms]:
        case [0]:
            return 1
        case [("tuple", parts)] if parts == tuple(range(len(parts))):
            return len(parts)
    return 0


def _renames(node: ast.stmt, wanted: dict[Key, tuple[str, ...]], told: Told) -> bool:
    """Whether a statement gives another name to a variable whose dims have been told."""
    match node:
        case ast.Assign(value=ast.Name(name)):
            return all(dims == told.get(name) for dims in wanted.values())
    return False


def _is_telling(dims: Sequence[str]) -> bool:
    """Whether dims say something: that the last one is 1 says little."""
    return dims[0] != ELLIPSIS or any(not dim.isdecimal() for dim in dims[1:])


def _pattern(dims: Sequence[str], between: str) -> str:
    """What dims look like where they are spelled out: `self.heads` is `heads`, too."""
    each = (r"(?:\w+\.)*" + re.escape(_dense(dim)) for dim in dims)
    return rf"(?<![\w.]){between.join(each)}(?![\w.])"


def _dense(text: str) -> str:
    return "".join(text.split()).replace("//", "/")


def _claims(comment: str, wanted: Claimed) -> bool:
    """Whether a comment is read as it is meant."""
    claims = read_comment(comment)
    return len(claims) == len(wanted) and all(
        claim.label == label and not claim.before and same(said(claim), dims)
        for claim, (label, dims) in zip(claims, wanted, strict=True)
    )


def _columns(text: str) -> int:
    return width_of(text.expandtabs(8))


def _list(node: ast.AST, name: str) -> Sequence[ast.AST]:
    found = getattr(node, name, ())
    return found if isinstance(found, list) else ()


def _targets(node: ast.stmt) -> list[str]:
    """What a statement assigns, as far as that is variables and attributes."""
    found: list[str] = []
    waiting: list[ast.expr]
    match node:
        case ast.Assign(targets):
            waiting = list(reversed(targets))
        case ast.AnnAssign(only) | ast.AugAssign(only):
            waiting = [only]
        case _:
            waiting = []
    while waiting:
        target = waiting.pop()
        match target:
            case ast.Tuple(elements) | ast.List(elements):
                waiting += reversed(elements)
            case ast.Starred(value):
                waiting.append(value)
            case _:
                found.append(ast.unparse(target))
    return found


def _brackets(there: Sequence[CommentLine]) -> tuple[str, str]:
    """Those that the file's own shape comments are written with; round ones if it has none."""
    count = {"(": 0, "[": 0}
    for comment in there:
        for claim in read_comment(comment.text):
            bracket = comment.text[claim.start : claim.end].strip()[:1]
            if claim.confidence == "whole" and bracket in count:
                count[bracket] += 1
    return ("[", "]") if count["["] > count["("] else ("(", ")")

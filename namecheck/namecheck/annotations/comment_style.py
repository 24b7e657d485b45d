"""Shape comments: `# (B, T, C)` after an assignment or a return.

Dims that the code states already get no comment: on a line that spells them out
(`x.view(B, T, C)`), or if an earlier comment has stated the same dims of the variable. No line gets
a second comment. A comment that does not fit after the line goes above it.
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
"""Dims, each with its variable if the comment has to name it."""

Stated = dict[str, tuple[str, ...]]
"""The dims of variables that the lines above state."""


def comments(code: Code, known: KnownAt, width: int) -> Iterator[Annotation]:
    """The comments for a text, in lines of at most `width` columns."""
    if code.tree is not None:
        yield from _Writer(code, known, width).block(code.tree.body, {})


class _Writer:
    def __init__(self, code: Code, known: KnownAt, width: int) -> None:
        self.code = code
        self.width = width
        self.open, self.close = _brackets(code.comments)
        self.known: dict[int, dict[Key, tuple[str, ...]]] = {}
        self.returned: dict[int, int] = {}
        for key, tensor in known.items():
            if key[2] == FORM:
                self.returned[key[0]] = _count(tensor.forms)
            dims = words(tensor.shape)
            if dims is not None and _is_informative(dims):
                self.known.setdefault(key[0], {})[key] = dims
        self.comment_lines = [comment.line for comment in code.comments]

    def block(self, body: Sequence[ast.AST], stated: Stated) -> Iterator[Annotation]:
        """The comments for the statements of a block."""
        for node in body:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    yield from self.block(node.body, {})
                case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.Return():
                    yield from self._statement(node, stated)
                case _:
                    for name in ("body", "handlers", "cases", "orelse", "finalbody"):
                        yield from self.block(_list(node, name), stated)

    def _statement(
        self, node: ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Return, stated: Stated
    ) -> Iterator[Annotation]:
        first, last = node.lineno, node.end_lineno or node.lineno
        wanted = self._wanted(node)
        there = self._comments(first - 1, last)
        claims = [claim for comment in there for claim in read_comment(comment.text)]
        if claims or any(comment.line >= first for comment in there):
            # The statement has a comment, which may state its dims, and gets no other one.
            wanted = {
                key: dims
                for key, dims in wanted.items()
                if any(same(said(claim), dims) for claim in claims)
            }
        elif any(stated.get(key[1]) != dims for key, dims in wanted.items()):
            if not self._says(node, wanted) and not _renames(node, wanted, stated):
                written = self._spelled(node, wanted)
                change = None if written is None else self._placed(node, written, bool(there))
                if change is not None:
                    yield Annotation(tuple(wanted), (change,))
                else:
                    wanted = {}
        for target in _targets(node):
            stated.pop(target, None)
        stated.update((key[1], dims) for key, dims in wanted.items() if key[2] == "assign")

    def _wanted(self, node: ast.stmt) -> dict[Key, tuple[str, ...]]:
        """The dims that a statement assigns or returns, by key."""
        here = self.known.get(node.lineno, {})
        if isinstance(node, ast.Return):
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            returned = {key: dims for key, dims in here.items() if key[2] == "return"}
            plain = all(isinstance(value, ast.Name) for value in values)
            complete = self.returned.get(node.lineno) == len(values) == len(returned)
            return returned if complete and not plain else {}
        keys = [(node.lineno, target, "assign") for target in _targets(node)]
        return {key: here[key] for key in keys if key in here}

    def _comments(self, first: int, last: int) -> list[CommentLine]:
        """The comments from one line to another; on the first line only one that is alone there."""
        begin = bisect_left(self.comment_lines, first)
        near = takewhile(lambda comment: comment.line <= last, self.code.comments[begin:])
        return [comment for comment in near if comment.line > first or comment.alone]

    def _spelled(self, node: ast.stmt, wanted: dict[Key, tuple[str, ...]]) -> str | None:
        """The comment; None if it would not be read back as it is meant."""
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
        # Numbers alone may be anything: `shape:` says that they are dims.
        forms = (f"# {text}", f"# shape: {text}")
        return next((form for form in forms if _claims(form, claimed)), None)

    def _shape(self, dims: Sequence[str]) -> str:
        comma = "," * (len(dims) == 1 and self.open == "(")
        return f"{self.open}{', '.join(dims)}{comma}{self.close}"

    def _says(self, node: ast.stmt, wanted: dict[Key, tuple[str, ...]]) -> bool:
        """Whether a statement spells out the dims of its result, as a factory does."""
        start, end = self.code.stretch_of(node)
        text = self.code.text[start:end]
        between = r"\s+" if "->" in text else ","
        text = " ".join(text.split()) if "->" in text else _dense(text)
        return all(re.search(_pattern(dims, between), text) for dims in wanted.values())

    def _placed(self, node: ast.stmt, comment: str, below_prose: bool) -> Change | None:
        """The change that adds the comment; None if there is no room for it."""
        code = self.code
        start, end = code.stretch_of(node)
        begin = code.offset(node.lineno, 1)
        line = code.lines[(node.end_lineno or node.lineno) - 1]
        bare = line.rstrip("\r\n")
        stop = code.offset(node.end_lineno or node.lineno, len(bare) + 1)
        indentation = code.text[begin:start]
        if indentation.strip() or code.text[end:stop].strip():
            return None  # there is other code on its lines
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
    """The number of returned tensors; 0 if anything else is returned."""
    match [*forms]:
        case [0]:
            return 1
        case [("tuple", parts)] if parts == tuple(range(len(parts))):
            return len(parts)
    return 0


def _renames(node: ast.stmt, wanted: dict[Key, tuple[str, ...]], stated: Stated) -> bool:
    """Whether a statement gives another name to a variable whose dims are stated above."""
    match node:
        case ast.Assign(value=ast.Name(name)):
            return all(dims == stated.get(name) for dims in wanted.values())
    return False


def _is_informative(dims: Sequence[str]) -> bool:
    """Whether dims are worth a comment: `..., 1` is not."""
    return dims[0] != ELLIPSIS or any(not dim.isdecimal() for dim in dims[1:])


def _pattern(dims: Sequence[str], between: str) -> str:
    """A pattern for dims that are spelled out in code: `self.heads` counts as `heads`."""
    each = (r"(?:\w+\.)*" + re.escape(_dense(dim)) for dim in dims)
    return rf"(?<![\w.]){between.join(each)}(?![\w.])"


def _dense(text: str) -> str:
    return "".join(text.split()).replace("//", "/")


def _claims(comment: str, wanted: Claimed) -> bool:
    """Whether a comment is read back as these dims."""
    claims = read_comment(comment)
    return len(claims) == len(wanted) and all(
        claim.label == label and not claim.before and same(said(claim), dims)
        for claim, (label, dims) in zip(claims, wanted, strict=True)
    )


def _columns(text: str) -> int:
    return width_of(text.expandtabs(8))


def _list(node: ast.AST, name: str) -> Sequence[ast.AST]:
    value = getattr(node, name, ())
    return value if isinstance(value, list) else ()


def _targets(node: ast.stmt) -> list[str]:
    """The variables and attributes that a statement assigns."""
    written: list[str] = []
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
                written.append(ast.unparse(target))
    return written


def _brackets(there: Sequence[CommentLine]) -> tuple[str, str]:
    """The brackets of the file's own shape comments; round ones if it has none."""
    count = {"(": 0, "[": 0}
    for comment in there:
        for claim in read_comment(comment.text):
            bracket = comment.text[claim.start : claim.end].strip()[:1]
            if claim.confidence == "whole" and bracket in count:
                count[bracket] += 1
    return ("[", "]") if count["["] > count["("] else ("(", ")")

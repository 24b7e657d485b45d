"""NC402: a comment corrected to the inferred dims, in the style in which it was written."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from namecheck.analysis import written_text
from namecheck.findings import Applicability, Edit, Finding, Fix
from namecheck.fixes.code import Code
from namecheck.fixes.words import ELLIPSIS, said, words
from namecheck_runtime.light.regexes import regex
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.mistakes.claims import CommentMismatch
from namecheck_runtime.notation.comments import Claim, read_comment

if TYPE_CHECKING:
    from namecheck.text.layout import CommentLine

__all__ = ["candidates"]


def candidates(finding: Finding, mistake: Mistake | None, code: Code) -> Iterator[Fix]:
    """The comment with the dims of the value. Unsafe: the mistake may be in the code."""
    if not isinstance(mistake, CommentMismatch) or mistake.said != "comment" or mistake.disputed:
        return
    dims = words(mistake.found)
    if dims is None or dims[0] == ELLIPSIS or mistake.reason.endswith("nothing moves it"):
        return  # the dims come from other comments, not from a value
    for comment in _near(finding, code):
        for claim in read_comment(comment.text):
            if len(claim.alternatives) == 1 and (
                written_text(claim.alternatives[0]) == mistake.claimed
            ):
                for correct in _in_words(dims, said(claim)):
                    start, old, new = _corrected(comment.text, claim, correct)
                    if new is None:
                        continue
                    start += code.offset(comment.line, comment.column)
                    edit = Edit(code.span(start, start + len(old)), new)
                    yield Fix(Applicability.UNSAFE, f"Correct the comment to `{new}`", (edit,))


def _in_words(dims: Sequence[str], written: Sequence[str] | None) -> Iterator[Sequence[str]]:
    """The dims in the words of the comment, if only their order is wrong, and then in ours."""
    if written is not None and len(written) == len(dims):
        left = list(written)
        for dim in dims:
            if dim in left:
                left.remove(dim)
        others = iter(left)
        free = list(written)
        ordered = []
        for dim in dims:
            ordered.append(dim if dim in free else next(others))
            if dim in free:
                free.remove(dim)
        if ordered != list(written) and "_" not in ordered and ELLIPSIS not in ordered:
            yield ordered
    yield dims


def _near(finding: Finding, code: Code) -> Iterator[CommentLine]:
    """The comments that may be about the code of a finding, the nearest first."""
    holding: ast.stmt | None = None
    for node in code.around(finding.span.line):
        if isinstance(node, ast.stmt) and node.lineno <= finding.span.line <= _end(node):
            holding = node  # the innermost one comes last
    if holding is None:
        return
    first, last = holding.lineno, _end(holding)
    yield from code.comments_on(first, last)
    for line in range(first - 1, 0, -1):
        above = [c for c in code.comments_on(line, line) if c.alone]
        if not above:
            break
        yield from above
    yield from (c for c in code.comments_on(last + 1, last + 1) if c.alone)


def _end(node: ast.stmt) -> int:
    """The last line of a statement; of a compound one, of its header."""
    body: Sequence[ast.stmt] = getattr(node, "body", ())
    if body:
        return max(body[0].lineno - 1, node.lineno)
    return node.end_lineno or node.lineno


_ARROW = regex(r"(?:->|=>|→)\s*(?!.*(?:->|=>|→))")
_BETWEEN = (
    regex(r"(,)"),
    regex(r"(?<=[\w)])(\s*[x×]\s*)(?=[\w(])"),
    regex(r"(\s+)"),
)


def _corrected(text: str, claim: Claim, dims: Sequence[str]) -> tuple[int, str, str | None]:
    """The offset of a claim's dims in a comment, their text, and the corrected text (or None)."""
    start, end = claim.start, claim.end
    arrow = _ARROW.search(text, start, end) if claim.before else None
    if arrow is not None:
        start = arrow.end()
    old = text[start:end]
    inner = old[1:-1] if old[:1] in ("(", "[") and old[-1:] in (")", "]") else old
    parts: list[str] = [inner]
    for separator in _BETWEEN:
        parts = separator.split(inner)
        if len(parts) > 1:
            break
    written, between = parts[::2], parts[1::2]
    if written and not written[-1].strip():  # `(B,)`
        written, between = written[:-1], between[:-1]
    if len(written) != len(claim.alternatives[0].dims) or "..." in inner:
        return start, old, None
    if len(written) == len(dims):
        filled = [_put(word, dim) for word, dim in zip(written, dims, strict=True)]
        corrected = "".join(a + b for a, b in zip(filled, (*between, ""), strict=True))
    else:
        comma = (between and between[0]) or ","
        corrected = (", " if comma == "," else comma).join(dims)
    if len(dims) == 1 and old[:1] == "(":
        corrected = corrected.rstrip(",") + ","
    begin = old.index(inner)
    new = old[:begin] + corrected + old[begin + len(inner) :] if inner else None
    if new is None or new == old:
        return start, old, None
    claims = read_comment(text[:start] + new + text[end:])
    texts = [written_text(c.alternatives[0]) for c in claims if len(c.alternatives) == 1]
    is_read_back = f"({','.join(dims)})".replace(" ", "") in [t.replace(" ", "") for t in texts]
    return start, old, new if is_read_back else None


def _put(written: str, dim: str) -> str:
    """A dim in the place of a written one, with the same white space around it."""
    word = written.strip()
    return written if word == dim else written.replace(word, dim, 1)

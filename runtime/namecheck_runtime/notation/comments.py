"""The shapes that a comment claims: `# (B, T, C)`, `# q: [B, H, N, d]`, `# B x T x C -> B x C`.

Most comments claim nothing, and a shape read into prose would make the linter contradict correct
code, so a doubtful shape is not a claim.  A claim says what was written, and how plainly.  The
analyzer decides which value it is about, and whether the program knows its words as names.
"""

from __future__ import annotations

import re
from functools import lru_cache

from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.light.regexes import regex

from .groups import Group, groups_in
from .judgement import disowned, evident, fits
from .phrases import NOTHING
from .prose import Candidate, bracket_shape
from .syntax import WrittenShape
from .tokens import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final, Literal, TypeAlias

__all__ = [
    "Claim",
    "Confidence",
    "claims_in",
    "is_directive",
    "read_bracket",
    "read_comment",
    "read_product",
]

Confidence: TypeAlias = "Literal['whole', 'keyword', 'prose']"


class Claim(NamedTuple):
    """The shape that a comment claims for one value.

    `label` is the word in front of the shape (`x` in `# x: (B, T)`), as written: it may be a
    variable, or just a word (`Output`).  A label such as `input` that is not a variable means the
    input of the line instead of its value.
    """

    label: str | None
    alternatives: tuple[WrittenShape, ...]
    """The shape; several if any of them may hold: `(B, C) or (B, 1, C)`."""
    before: tuple[WrittenShape, ...]
    """The earlier shapes of a chain: `(B, T, C) -> (B, C, T)`."""
    confidence: Confidence
    """whole: the comment is nothing but the claim.  keyword: its prose says `shape`.  prose:
    neither.
    """
    start: int
    end: int
    evident: bool = True
    """Whether its words alone show that it is a shape: `(k, s, p)` may list three of anything."""
    operands: int = 0
    """How many operands it names: two in `(B, T), (T, C) -> (B, C)`; 0 if it names no several."""


# In characters: a longer line is data or a licence.
_LONGEST: Final = 600


@lru_cache(maxsize=8192)
def read_comment(text: str) -> tuple[Claim, ...]:
    """The claims of one comment line (with or without its `#`), in the order written.

    Several claims are about several values (`(B, N), (B, M)`, `q: (B, T), k: (B, S)`).  Returns ()
    for the many comments that claim nothing, and never raises.  Spans are offsets into `text`.
    """
    if len(text) > _LONGEST or not may_claim(text):
        return ()
    read: tuple[Claim, ...] = ()
    for start, end in _parts(text):
        if _CODE.match(text, start, end):
            # A claim behind a commented-out statement is about a value that does not exist.
            return ()
        claims = claims_in(text, start, end)
        if claims and read:
            return ()
        read = read or claims
    return read


_PART: Final = regex(r"\s#+\s+(?!of\b)")
_DIRECTIVE: Final = regex(
    r"\s*(?:namecheck:|noqa|type:|pragma|pylint|pyright|mypy|ty:|fmt:|isort|ruff|flake8|yapf|!)",
    re.IGNORECASE,
)


_DIRECTIVE_LETTERS: Final = frozenset("nNtTpPmMfFiIrRyYı!")


def is_directive(comment: str) -> bool:
    """Whether a comment is a directive to a tool (`# noqa`), which claims nothing."""
    return _directs(comment.lstrip("#"), 0, len(comment))


def _directs(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` is a directive to a tool."""
    written = text[start:end].lstrip()
    # Most comments begin with another letter than all directives.
    if not written or written[0] not in _DIRECTIVE_LETTERS:
        return False
    return _DIRECTIVE.match(written) is not None


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """The spans of `a` and `b` in `# a  # b`, without the directives to tools."""
    start = len(text) - len(text.lstrip(" \t#:"))
    while start < len(text):
        separator = _PART.search(text, start)
        end = separator.start() if separator else len(text)
        if not _directs(text, start, end):
            yield start, end
        if separator is None:
            return
        start = separator.end()


_CROSSED: Final = regex(r"\d ?x|[A-Za-z)_] x [A-Za-z\d(]|[A-Za-z]x[A-Z\d]|[a-z]x[a-z]\b|×")
_SPACED: Final = regex(r"#*\s*[A-Za-z]\d?(?: \S+){2,}\s*$")
_LAYOUT: Final = regex(r"\b[BN][A-Z]{1,4}\b")


def may_claim(text: str) -> bool:
    """Whether there can be a shape at all, by a cheap test."""
    if "(" in text or "[" in text or "," in text or "->" in text or "→" in text:
        return True
    return bool(_CROSSED.search(text) or _SPACED.match(text) or _LAYOUT.search(text))


# A commented-out statement, whose brackets are calls, indices and tuples instead of shapes.
_CODE: Final = regex(
    r"""
      \s*(?:
        (?:def|class|import|assert|raise|del|yield|async|await|elif|lambda|print)\b
      | (?:if|for|while|with|else|try|except)\b.*:\s*$
      | (?:return|from|for)\s+[\w.]+\s*(?:[\[(=,]|\bimport\b|\bin\b)
      | return\s+[\[(]
      | [\w.]+(?:\[[^\]]*\])?(?:\s*,\s*[\w.]+(?:\[[^\]]*\])?)*\s*(?:[-+*/|&@%]|//|\*\*)?=
        \s*(?:[\w.]*\w[\[(.]|[-+~'"{]|\w+\s*[-+*/@]|\w+\s*$|\d)
      | (?!torch\.Size|[Ss]hape)[\w.]+\((?:.*\))?\s*$
      | @\w
      | type:
      )
    """,
    re.VERBOSE,
)


_LED_ON: Final = regex(r"[\s`'\"]*(?:-+>|=+>|→)")
"""Behind a shape: the text that follows, `...` or words, is about a result with another shape."""


def claims_in(text: str, start: int, end: int) -> tuple[Claim, ...]:
    """The claims in `text[start:end]`, one line of prose."""
    if text.find("://", start, end) >= 0 or text.find("\\", start, end) >= 0:
        return ()
    written = list(groups_in(Text(text, start, end)))
    groups = [group for group in written if fits(group) and not disowned(group)]
    if not groups:
        return ()
    whole = (
        len(groups) == len(written)
        and all(group.alone for group in groups)
        and NOTHING.fullmatch(groups[-1].after)
    )
    silent = sum(not group.labels for group in groups)
    claims: list[Claim] = []
    for group in groups:
        doubt = _CASE if group.keyword else _CONDITION
        if not whole and doubt.search(group.before):
            continue
        if not group.labels and not whole:
            # Two shapes with prose between them: the line may be about either.
            if silent > 1 or (len(groups) > 1 and not group.keyword):
                continue
        confidence: Confidence = "whole" if whole else "keyword" if group.keyword else "prose"
        claimed = _claims_of(group, confidence)
        claims.extend(
            claim for claim in claimed if claim.label or not _LED_ON.match(text, claim.end, end)
        )
    return tuple(claims)


def read_product(text: str) -> tuple[WrittenShape, WrittenShape, WrittenShape] | None:
    """The shapes of `(A) x (B) -> (C)`, the only ones in a comment line; None if it has others."""
    if len(text) > _LONGEST or not may_claim(text):
        return None
    groups = list(groups_in(Text(text, 0, len(text))))
    if len(groups) != 1 or groups[0].joints != ("operands", "chain"):
        return None
    left, right, result = groups[0].shapes
    return left.shape, right.shape, result.shape


def read_bracket(text: str) -> WrittenShape | None:
    """The dims in a comment that is one bracket and nothing else, whatever their names.

    Unlike `read_comment` it takes `(price, shelf)` for a shape: the caller has other reasons to.
    """
    if len(text) > _LONGEST:
        return None
    written = Text(text, len(text) - len(text.lstrip("# \t")), len(text.rstrip()))
    candidate = bracket_shape(written, 0) if written.tokens else None
    if candidate is None or candidate.stop != len(written.tokens):
        return None
    return candidate.shape if len(candidate.weights) > 1 else None


# Words for a shape that holds only in some cases, or that is required of the input. A `like` that
# ends an aside, `(attention-weights like)`, looks back: it compares no shape.
_IN_SOME_CASES: Final = (
    r"if|when|unless|otherwise|e\.g|cf|like(?!\s*\))|unlike|same|original|desired|target"
    r"|never|no longer|later|next|would|could|broadcast\w*|compatible|match\w*|against"
    r"|(?:is|are|do|does|wo|would|was)n['’]t"
)
_CASE: Final = regex(rf"\b(?:{_IN_SOME_CASES})\b", re.IGNORECASE)
_CONDITION: Final = regex(
    rf"\b(?:{_IN_SOME_CASES}|before|previous\w*|originally|example|eg|expects?|expecting|assum\w+"
    r"|least|cannot|can't|equals?|equal to|will|to be|should this)\b",
    re.IGNORECASE,
)


def _claims_of(group: Group, confidence: Confidence) -> Iterator[Claim]:
    """One claim per label, or per shape of a list."""
    parts: list[tuple[list[Candidate], list[str]]] = [([group.shapes[0]], [])]
    for shape, joint in zip(group.shapes[1:], group.joints, strict=True):
        if joint == "list":
            parts.append(([shape], []))
        else:
            parts[-1][0].append(shape)
            parts[-1][1].append(joint)
    # `(A), (B) -> (C)`: all but the last are operands of it.
    operands = 0
    if len(parts) > 1 and "chain" in parts[-1][1] and not any("chain" in p[1] for p in parts[:-1]):
        operands = len(parts)
        parts = [(parts[-1][0][1:], [])]
    elif len(parts) == 1 and "operands" in parts[0][1]:
        operands = 1 + parts[0][1].count("operands")
    read = [claim for part in parts if (claim := _read_part(*part)) is not None]
    if len(read) != len(parts):
        return
    start = group.shapes[0].shape.start
    end = group.shapes[-1].shape.end
    read *= group.times
    shown = evident(group)
    labels: tuple[str | None, ...] = group.labels or (None,) * len(read)
    if len(read) == 1:
        read *= len(labels)
    if len(read) != len(labels):
        return
    for label, (alternatives, before) in zip(labels, read, strict=True):
        yield Claim(label, alternatives, before, confidence, start, end, shown, operands)


def _behind_operands(
    steps: list[list[WrittenShape]], operands: list[bool]
) -> tuple[WrittenShape, ...]:
    """The shapes between the last operands of a chain and its end: C of `A @ B -> C -> D`."""
    if True not in operands:
        return ()
    last = max(index for index, two in enumerate(operands) if two)
    between = steps[last + 1 : -1]
    return tuple(step[0] for step in between) if all(len(step) == 1 for step in between) else ()


def _read_part(
    shapes: list[Candidate], joints: list[str]
) -> tuple[tuple[WrittenShape, ...], tuple[WrittenShape, ...]] | None:
    """The alternatives for the result of a chain, and the shapes before it."""
    steps: list[list[WrittenShape]] = [[shapes[0].shape]]
    operands = [False]
    for shape, joint in zip(shapes[1:], joints, strict=True):
        if joint == "chain":
            steps.append([shape.shape])
            operands.append(False)
        else:
            steps[-1].append(shape.shape)
            operands[-1] = operands[-1] or joint == "operands"
    if operands[-1]:
        return None
    on_the_way = steps[:-1]
    if any(operands) or any(len(step) > 1 for step in on_the_way):
        # Operands of the result, or `A -> B or C -> D`: not one shape came before.
        others = [
            shape
            for step, two in zip(steps[1:-1], operands[1:-1], strict=True)
            if len(step) > 1 and not two
            for shape in step[:-1]
        ]
        return (*others, *steps[-1]), _behind_operands(steps, operands)
    return tuple(steps[-1]), tuple(step[0] for step in on_the_way)

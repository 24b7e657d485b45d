"""The comments of one statement: their claims, and how they lie around it.

A block of comments is read as a whole: a sentence may begin on the line above, and lines that list
an example claim nothing of the value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import target_names
from namecheck_runtime.light.regexes import regex
from namecheck_runtime.notation.comments import Claim, is_directive, read_comment

if TYPE_CHECKING:
    from namecheck.analysis.state.program_pieces import Source


class Block:
    """The comments of one statement by their lines, of which there may be thousands."""

    def __init__(self, comments: Sequence[ir.Comment]) -> None:
        self.by_line: dict[int, ir.Comment] = {}
        for comment in comments:
            self.by_line.setdefault(comment.line, comment)
        directives = [one.line for one in comments if is_directive(one.text)]
        above = [one.line for one in comments if one.place == "above"]
        claims_at = set(above).difference(directives)
        self._last = max(claims_at, default=0)
        self._behind_directives = _behind(directives)
        self._behind_comments = _behind([one.line for one in comments])
        self._claims: dict[int, tuple[Claim, ...]] = {}
        """By the line of the comment."""
        self._examples: frozenset[int] | None = None
        self._claimed: dict[str, set[str]] | None = None

    def claims_of(self, comment: ir.Comment) -> tuple[Claim, ...]:
        """The claims of one of the comments; a sentence that began above is read as a whole."""
        claims = self._claims.get(comment.line)
        if claims is None:
            claims = self._claims[comment.line] = _claims_of(comment, self)
        return claims

    def is_last(self, comment: ir.Comment) -> bool:
        """Whether a comment is the last one above the statement, directives for tools aside."""
        return comment.line >= self._last

    def below(self, comment: ir.Comment, all_lines: bool) -> int:
        """The first line below a comment that is not a directive for a tool.

        With `all_lines` it is not another comment of the block either.
        """
        behind = self._behind_comments if all_lines else self._behind_directives
        return behind.get(comment.line + 1, comment.line + 1)

    def is_example(self, comment: ir.Comment) -> bool:
        """Whether a comment gives an example or one case of several, or lists contents of arrays.

        Such lines follow the words that announce them, or lines that list numbers in the same way.
        """
        if self._examples is None:
            self._examples = self._read_examples()
        return comment.line in self._examples

    def is_of_dead_code(self, comment: ir.Comment) -> bool:
        """Whether a comment describes code that is commented out: it is above it, or behind it."""
        below = self.by_line.get(comment.line + 1)
        if below is not None and below.place == comment.place and _is_code(below.text):
            return True
        code, mark, _ = comment.text.lstrip("# \t").partition("#")
        return mark != "" and _is_code(code)

    def chain(self, comment: ir.Comment) -> tuple[Claim, ...] | None:
        """The claims of a comment line that is part of a chain over several lines: `(B, C), (C, D)`
        above `-> (B, D)`.

        The last line has the claim, the others have none. None if the line is in no such chain.
        """
        lines = self._chained(comment)
        if len(lines) < 2:
            return None
        claims = read_comment(" ".join(["#", *[line.text.strip("# \t") for line in lines]]))
        if len(claims) != 1 or not claims[0].operands or claims[0].confidence != "whole":
            return None
        last = lines[-1].text
        own = read_comment(last)
        start = own[-1].start if own else len(last) - len(last.lstrip("# \t"))
        claim = claims[0]._replace(start=start, end=own[-1].end if own else len(last))
        return (claim,) if comment is lines[-1] else ()

    def _chained(self, comment: ir.Comment) -> list[ir.Comment]:
        """The lines around a comment of which each leads on to the next."""
        lines = [comment]
        while (above := self.by_line.get(lines[0].line - 1)) and _leads_on(above, lines[0]):
            lines.insert(0, above)
        while (below := self.by_line.get(lines[-1].line + 1)) and _leads_on(lines[-1], below):
            lines.append(below)
        return lines

    def says_otherwise(self, claim: Claim) -> bool:
        """Whether another comment above the statement says another shape of the same variable."""
        if claim.label is None:
            return False
        if self._claimed is None:
            self._claimed = {}
            for comment in self.by_line.values():
                for other in read_comment(comment.text) if comment.place == "above" else ():
                    if other.label is not None:
                        self._claimed.setdefault(other.label, set()).add(_said(other))
        return bool(self._claimed.get(claim.label, set()) - {_said(claim)})

    def _read_examples(self) -> frozenset[int]:
        examples: set[int] = set()
        paragraph: list[int] = []
        announced = listing = False
        for line, comment in sorted(self.by_line.items()):
            text = comment.text
            if not text.strip("# \t") or not paragraph or paragraph[-1] + 1 != line:
                examples.update(paragraph if listing else ())
                paragraph, announced, listing = [], False, False
            if comment.place == "trailing":
                continue
            if announced:
                examples.add(line)
            opens = _ANNOUNCES.match(text) or _CASE.match(text)
            announced = announced or opens is not None
            listing = listing or _LISTS.match(text) is not None
            paragraph.append(line)
        examples.update(paragraph if listing else ())
        return frozenset(examples)


def _leads_on(above: ir.Comment, below: ir.Comment) -> bool:
    """Whether a chain of shapes goes on from one line of a block to the next."""
    if above.place != below.place or above.place == "trailing":
        return False
    return bool(_OPEN.search(above.text) or _ARROW.match(below.text))


_OPEN: Final = regex(r"[)\]]\s*(?:,|x|\*|@|-+>|=+>|→)\s*$")
_ARROW: Final = regex(r"[#\s]*(?:-+>|=+>|→)")


def _said(claim: Claim) -> str:
    """What a claim says, wherever it is written."""
    shapes = (*claim.before, *claim.alternatives)
    return " ".join(repr([dim.term for dim in shape.dims]) for shape in shapes)


def _behind(lines: Sequence[int]) -> dict[int, int]:
    """For each of these lines, the first line below it that is not one of them."""
    behind: dict[int, int] = {}
    for line in sorted(lines, reverse=True):
        behind[line] = behind.get(line + 1, line + 1)
    return behind


def block_of(source: Source, statement: ir.Statement) -> Block:
    """The comments of a statement: they are read once, however often the statement is run."""
    block: Block | None = source.blocks.get(statement.id)
    if block is None:
        block = Block(source.comments.get(statement.id, ()))
        source.blocks[statement.id] = block
    return block


def _claims_of(comment: ir.Comment, block: Block) -> tuple[Claim, ...]:
    text = comment.text
    chained = block.chain(comment)
    if chained is not None:
        return chained
    claims = read_comment(text)
    if claims and comment.place != "trailing":
        if block.is_example(comment) or block.is_of_dead_code(comment):
            return ()
    if comment.place == "above":
        claims = tuple(claim for claim in claims if not block.says_otherwise(claim))
    above = block.by_line.get(comment.line - 1)
    if (
        claims
        and above is not None
        and "trailing" not in (comment.place, above.place)
        and not is_directive(above.text)
    ):
        begun = above.text.rstrip()
        earlier = read_comment(begun)
        if earlier and _JOINS.match(begun, earlier[-1].end):
            return ()  # `(C, H, W) and not` this one
        if begun[-1:] not in ".:!?)]>" and not earlier and not _stand_alone(claims, begun):
            both = f"{begun} {text.lstrip('# ')}"
            joined = read_comment(both)
            plain = len(joined) == 1 and joined[0].label is None
            if not plain or joined[0].confidence == "whole" or _DEMANDS.search(both):
                return ()
            claims = tuple(claim._replace(confidence="keyword") for claim in claims)
    return tuple(
        claim
        for claim in claims
        if claim.confidence == "whole"
        or not (_DEMANDS.search(text[: claim.start]) or _CODE.search(text[: claim.start]))
    )


def _stand_alone(claims: Sequence[Claim], above: str) -> bool:
    """Whether a line is nothing but labels and their shape, `q, k, v: (B, N, D)`, below a heading,
    or a chain of shapes.

    Such a line goes on with a sentence only if that is clearly not at its end.
    """
    plain = all(
        (claim.label is not None or claim.before) and claim.confidence == "whole"
        for claim in claims
    )
    return plain and _UNFINISHED.search(above) is None


_UNFINISHED: Final = regex(
    r"(?:[,;(\-]|\b(?:and|or|not|but|if|when|of|the|an?|to|with|for|from|is|are|be|than|that|"
    r"instead|rather|e\.g|via|by|as|in|on|has|have))$",
    re.IGNORECASE,
)
"""The end of a line in the middle of a sentence."""


def results_behind(
    statement: ir.Statement, comments: Sequence[ir.Comment], block: Block
) -> tuple[Claim, ...]:
    """What the comment behind a statement says of its result; () if there is none.

    One behind the closing bracket of a tuple, whose elements have comments, is about the tuple.
    """
    for comment in comments:
        if comment.place == "trailing" and not _is_of_last_part(statement, comment, comments):
            claims = block.claims_of(comment)
            if len(claims) == 1 and claims[0].label is None:
                return claims
    return ()


RESULTS: Final = frozenset(
    {"out", "output", "outputs", "result", "results", "res", "ret", "returns"}
)
"""Labels that mean the value of the line."""


def is_of_other_part(
    statement: ir.Statement,
    comment: ir.Comment,
    claims: Sequence[Claim],
    comments: Sequence[ir.Comment],
    results: Sequence[Claim],
) -> bool:
    """Whether a comment of a statement is about something else than its result.

    If comments above and behind the statement say two things, the one above is about an operand, or
    about what the lines below make in the end: `# output (N, B, 3)`.
    """
    if comment.place == "trailing":
        return _is_of_last_part(statement, comment, comments)
    if comment.place != "above" or not results or len(claims) != 1:
        return False
    label = claims[0].label
    if label is not None and (label.lower() not in RESULTS or label in targets_of(statement)):
        return False
    return claims[0].alternatives != results[0].alternatives


def _is_of_last_part(
    statement: ir.Statement, comment: ir.Comment, comments: Sequence[ir.Comment]
) -> bool:
    """Whether earlier lines of a statement have shapes of its parts beside them, as this has.

    The last argument of a call over several lines may have the last of them. A comment behind the
    closing bracket of a tuple is not about each element.
    """
    parts: tuple[ir.Expression, ...]
    match statement:
        case ir.Assign(_, ir.Tuple(parts) | ir.List(parts)):
            is_last = True
        case ir.Assign(_, ir.Call(_, positional, keywords)) | ir.Return(
            ir.Call(_, positional, keywords)
        ):
            parts = (*positional, *[keyword.value for keyword in keywords])
            is_last = any(part.id == comment.target for part in parts)
        case ir.Assign(_, ir.Binary(left, _, right)) | ir.Return(ir.Binary(left, _, right)):
            parts = (left, right)
            is_last = right.id == comment.target
        case _:
            return False
    numbers = {part.id for part in parts}
    return is_last and any(
        one.place == "inside" and one.target in numbers and bool(read_comment(one.text))
        for one in comments
    )


_JOINS: Final = regex(r"\W*\b(?:and|or|not|instead|rather|than|nor|but|vs|versus|\s)+\W*$", re.I)
"""Words at the end of a line that join its shape to that of the next."""

_EXAMPLE: Final = r"(?:e\.?g\b\.?|for (?:example|instance)\b|examples?\b)"
_ANNOUNCES: Final = regex(rf"\W*{_EXAMPLE}|.*\b{_EXAMPLE}[\s:,.]*$", re.I)
"""Words in front of an example, at the beginning or the end of a line."""

_CASE: Final = regex(
    r"\W*(?:(?:el)?if|else|when|whenever|unless|otherwise|(?:in )?case)\b.*:\s*$", re.IGNORECASE
)
"""A line in front of what holds in one case: `if the layer is fused:`."""

_ASSIGNS: Final = regex(
    r"[#\s]*(?:[A-Za-z_][\w.]*(?:\s*,\s*[A-Za-z_][\w.]*|\[[^\]]*\])*\s*[-+*/]?=|return\b)"
    r"(?=.*[\w\])][(\[])[^=].*[\w)\]}(\[{,\\]\s*(?:#.*)?$"
)
"""An assignment or a return with a call or a subscript in it."""


def _is_code(text: str) -> bool:
    """Whether the text of a comment is a statement: `#x = f(x)`."""
    return _ASSIGNS.match(text) is not None


_LISTS: Final = regex(
    r"\W*[\w.]+\s*(?:=|:)\s*\[(?=[^\]]*(?:\b0\b|\.\d))\s*(?:[\d.]+[\s,]+){2,}[\d.]+\s*\]"
)
"""A list of numbers with one that is no size: `keys = [0 1 2]`."""

_CODE: Final = regex(r"\w[\[(]|[\])}]\s*(?:->|=>|→)?\s*$|\w\.\w")
"""`x[:, i] -> (B, T)` is about a part of the line."""

_DEMANDS: Final = regex(
    r"\b(?:requires?|needs?|expects?|wants?|assum\w+|supports?|must|might|may)\b", re.I
)
"""What a function requires of a value, or what may be so, need not be true of this one."""


_EACH: Final = regex(r"\b(?:[Ee]ach|[Ee]very)\b")


def is_about_elements(text: str, claim: Claim) -> bool:
    """Whether a claim is about the elements of a value: `each is (B, T)`."""
    return _EACH.search(text[: claim.start]) is not None


def is_at_end(text: str, claim: Claim) -> bool:
    """Whether a comment ends with a claim."""
    return not text[claim.end :].strip(" \t.,;:`")


def touches(comment: ir.Comment, statement: ir.Statement) -> bool:
    """Whether a comment stands on the line below a statement."""
    return comment.line == getattr(statement, "end_line", statement.line) + 1


def stands_on(
    comment: ir.Comment, statement: ir.Statement, block: Block, all_lines: bool = False
) -> bool:
    """Whether a comment stands right above a statement.

    Directives for tools may lie between, and with `all_lines` other comments of its block.
    """
    begin, below = statement.line, block.below(comment, all_lines)
    return comment.line + 1 <= begin <= below


def targets_of(statement: ir.Statement) -> list[str]:
    """The variables that a statement assigns."""
    match statement:
        case ir.Assign(targets):
            return [name for target in targets for name in target_names(target)]
        case ir.AnnotatedAssign(target) | ir.AugmentedAssign(target):
            return target_names(target)
    return []

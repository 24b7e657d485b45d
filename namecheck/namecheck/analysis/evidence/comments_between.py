"""Comments right between two statements: they belong to the one that they fit.

Comments that are close to one statement only show the style of their author. Where they stand below
what they describe, as here, a comment between two statements is about the value above, unless it
cannot be:

    x = x.reshape(b, t, c)
    # (B, T, C)
    x = x.transpose(1, 2)
    # (B, C, T)
    return x

Elsewhere it is about the value of the statement below, unless that contradicts it and the value
above does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from namecheck.analysis.evidence.claims import ShapeClaim, meet
from namecheck.analysis.evidence.comment_blocks import (
    Block,
    block_of,
    stands_on,
    targets_of,
    touches,
)
from namecheck.analysis.evidence.comment_readings import value_of
from namecheck.analysis.evidence.contradictions import against_pattern, contradiction
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.frames import Above
from namecheck.analysis.state.values import Anything, Tensor, Value
from namecheck_runtime.lattice import UNKNOWN, known_dims
from namecheck_runtime.notation.comments import Claim, read_comment

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.program_pieces import Source


_ABOVE: Final = "above"
"""The comments stand above the statement that they describe."""
_BELOW: Final = "below"
"""The comments stand below the statement that they describe."""
_EITHER: Final = ""
"""Nothing shows it."""


def value_above(
    ev: Evaluator, comment: ir.Comment, statement: ir.Statement, previous: ir.Statement | None
) -> Above | None:
    """What a comment between two statements may be about before the second is run.

    That is the value of the first, or the tensor whose sizes it reads. Above the first statement of
    a function it is the parameter that the statement reads.
    """
    name: str | None = None
    node: ir.Node = statement
    match previous:
        case None | ir.ExpressionStatement(ir.Str()):
            name = _parameter_read(ev, statement)
        case _ if not touches(comment, previous):
            return None
        case ir.Assign(_, ir.Attribute(ir.Name(unpacked) as tensor, "shape")) | ir.Assign(
            _, ir.Call(ir.Attribute(ir.Name(unpacked) as tensor, "size"))
        ):
            name, node = unpacked, tensor
        case ir.Assign((ir.Name(assigned) as target,)) | ir.AnnotatedAssign(
            ir.Name(assigned) as target
        ):
            name, node = assigned, target
        case ir.AugmentedAssign(ir.Name(assigned) as target):
            name, node = assigned, target
    value = None if name is None else ev.frame.variables.get(name)
    return None if value is None or name is None else Above(ev.resolve(value), node, name)


def _parameter_read(ev: Evaluator, statement: ir.Statement) -> str | None:
    """The first parameter that a statement reads; None if it reads none."""
    function = ev.frame.function
    match statement:
        case ir.Assign(_, read) | ir.AugmentedAssign(_, _, read) | ir.AnnotatedAssign(_, _, read):
            value = read
        case ir.Return(read) | ir.ExpressionStatement(read):
            value = read
        case _:
            value = None
    if function is None or value is None:
        return None
    names = {parameter.name for parameter in function.parameters} - {"self", "cls"}
    for record in walk(value):
        if isinstance(record, ir.Name) and record.name in names:
            return record.name
    return None


def may_be_of_previous(ev: Evaluator, claim: Claim, above: Above, statement: ir.Statement) -> bool:
    """Whether a comment that is closer to the value above is about that, not about what follows.

    It is not if it contradicts that value, or if nothing is known of it and a branch or a loop
    follows, unless the comments of the function stand below what they describe.
    """
    branches = isinstance(statement, _COMPOUND)
    if len(claim.alternatives) != 1 or _style(ev, but=0 if branches else 1) == _BELOW:
        return True
    if not branches and value_of(statement) is None:
        return True
    value = ev.resolve(above.value)
    shape = ev.current(value.shape) if isinstance(value, Tensor) else UNKNOWN
    if shape is UNKNOWN:
        return not branches
    return contradiction(ev, claim.alternatives[0], shape) is None


_COMPOUND: Final = (ir.If, ir.For, ir.While, ir.With, ir.Try, ir.Match)
"""Statements with statements in them, whose values a comment above may be about."""


def describes_above(ev: Evaluator, claim: Claim, above: Above) -> bool:
    """Whether a comment between two statements is about the value above, by the style alone."""
    if len(claim.alternatives) != 1 or _style(ev) != _BELOW:
        return False
    shape = ev.current(above.value.shape) if isinstance(above.value, Tensor) else UNKNOWN
    return shape is UNKNOWN or contradiction(ev, claim.alternatives[0], shape) is None


def belongs_above(ev: Evaluator, claim: ShapeClaim, above: Above, below: Value) -> bool:
    """Whether a claim contradicts the value below a comment, and not the value above it.

    Its labels then name the dims of the value above. If it contradicts both, it is reported where
    the style of the function says that it belongs.
    """
    below = ev.resolve(below)
    shape = ev.current(below.shape) if isinstance(below, Tensor) else UNKNOWN
    conflict = against_pattern(claim.written, claim.letters) if claim.letters else None
    if conflict is None and (shape is UNKNOWN or contradiction(ev, claim.written, shape) is None):
        return False
    value = ev.resolve(above.value)
    if not isinstance(value, (Tensor, Anything)):
        return False
    style = _style(ev)
    claim = claim._replace(plain=False, believed=False, letters=())
    known = ev.current(value.shape) if isinstance(value, Tensor) else UNKNOWN
    if known is not UNKNOWN and contradiction(ev, claim.written, known) is not None:
        if isinstance(value, Tensor) and value.rank_claimed:
            # A comment said so of it, and that one may be about another statement as well.
            return style != _ABOVE
        if style == _BELOW:
            meet(ev, claim._replace(believed=True), value, above.name, above.node)
        return style == _BELOW
    if not isinstance(known, tuple):
        return style != _ABOVE and len(claim.written.dims) >= len(known_dims(known))
    if len(known) != len(claim.written.dims):
        return False
    meet(ev, claim, value, None, above.node, check=False)
    return True


def _style(ev: Evaluator, but: int = 0) -> str:
    """Where the comments of the current function stand; those of its file, if it does not show.

    `but` is the number of comments below statements that do not count.
    """
    source, function = ev.frame.source, ev.frame.function
    record = None if function is None else function.record
    style = _EITHER
    if isinstance(record, ir.FunctionDef):
        style = _shown(_counts(source, record.id, (record,)), but)
    return style or _shown(_counts(source, -1, source.chunk.statements), but)


def _shown(counts: tuple[int, int], but: int) -> str:
    """The style that so many comments above and below statements show, unless they show both."""
    above, below = counts[0], counts[1] - but
    if below > 2 * above:
        return _BELOW
    return _ABOVE if above > 2 * below else _EITHER


def _counts(source: Source, number: int, records: Iterable[ir.Record]) -> tuple[int, int]:
    counts = source.styles.get(number)
    if counts is None:
        counts = source.styles[number] = _read(source, records)
    return counts


def _read(source: Source, records: Iterable[ir.Record]) -> tuple[int, int]:
    """How many comments in some records stand above what they describe, and how many below."""
    statements = {
        inner.id: inner for r in records for inner in walk(r) if isinstance(inner, ir.Statement)
    }
    counts = {_ABOVE: 0, _BELOW: 0, _EITHER: 0}
    for statement in statements.values():
        comments = source.comments.get(statement.id)
        if comments:
            block = block_of(source, statement)
            for comment in comments:
                counts[_shown_by(source, statements, statement, comment, block)] += 1
    return counts[_ABOVE], counts[_BELOW]


def _shown_by(
    source: Source,
    statements: dict[int, ir.Statement],
    statement: ir.Statement,
    comment: ir.Comment,
    block: Block,
) -> str:
    """The style that one comment shows."""
    if comment.place not in ("above", "below") or not _is_shape(comment):
        return _EITHER
    if comment.place == "below":
        return _BELOW if touches(comment, statement) and targets_of(statement) else _EITHER
    previous = None if comment.previous is None else statements.get(comment.previous)
    if previous is None or not targets_of(previous):
        return _EITHER  # it may describe a parameter
    stands = stands_on(comment, statement, block)
    if isinstance(statement, _COMPOUND):
        return _EITHER  # it may describe what the branches make
    if not touches(comment, previous):
        return _ABOVE if stands else _EITHER
    if not stands:
        return _BELOW
    if _is_one_size(previous):
        return _ABOVE
    # Above `return x` a comment describes x in both styles. If the statement that assigns x has a
    # comment of this kind above it, that one must describe the statement before.
    match statement:
        case ir.Return(ir.Name(name)) if name in targets_of(previous):
            return _BELOW if _has_comment_between(source, statements, previous) else _EITHER
    return _EITHER


def _is_one_size(statement: ir.Statement) -> bool:
    """Whether a statement assigns the size of one dim, of which no comment gives a shape."""
    match statement:
        case ir.Assign((ir.Name(),), value):
            match value:
                case ir.Subscript(ir.Attribute(_, "shape"), index):
                    return not isinstance(index, ir.Slice)
                case ir.Call(ir.Attribute(_, "size"), (_,)) | ir.Call(ir.Name("len"), (_,)):
                    return True
    return False


def _has_comment_between(
    source: Source, statements: dict[int, ir.Statement], statement: ir.Statement
) -> bool:
    """Whether a shape comment is right between a statement and the one before."""
    for comment in source.comments.get(statement.id, ()):
        if comment.place == "above" and comment.previous is not None and _is_shape(comment):
            before = statements.get(comment.previous)
            if before is not None and touches(comment, before) and targets_of(before):
                return True
    return False


def _is_shape(comment: ir.Comment) -> bool:
    """Whether a comment is nothing but the shape of one value, which it does not name."""
    claims = read_comment(comment.text)
    return len(claims) == 1 and claims[0].label is None and claims[0].confidence == "whole"

"""A comment above several statements that go on with one variable.

    # back to (B, C, H, W)
    x = x.transpose(1, 2)
    x = x.view(b, c, h, w)

The comment may be about what comes in, about any value in between, or about the last. So it is
reported only if it cannot be about any of them. The same is true of one between a statement and a
branch that makes nothing but another value of the same variable:

    x = x.flatten(2)
    # (B, C, N)
    if cut > 0:
        x = x[:, :, :-cut]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from namecheck.analysis.evidence.claims import ShapeClaim, meet
from namecheck.analysis.evidence.comment_blocks import (
    block_of,
    is_about_elements,
    is_at_end,
    stands_on,
    targets_of,
)
from namecheck.analysis.evidence.comment_readings import (
    agreement,
    makes_of_operands,
    operands_of,
    value_of,
)
from namecheck.analysis.evidence.commented_values import letters_of, reported_at
from namecheck.analysis.evidence.contradictions import contradiction, written_text
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.frames import Awaited
from namecheck.analysis.state.values import Anything, Tensor, Value
from namecheck_runtime import sizes
from namecheck_runtime.lattice import Dim
from namecheck_runtime.mistakes.claims import CommentMismatch
from namecheck_runtime.notation.comments import Claim
from namecheck_runtime.notation.written import plain_name

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def goes_on(
    ev: Evaluator, statement: ir.Statement, following: ir.Statement | None, claim: Claim
) -> bool:
    """Whether the next statement goes on with the variable and has no comment of its own.

    Then a comment above may be about the result of both. So may a sentence, or one that names a
    result without naming the variable, if the next statement is on the next line and only reads the
    variable.
    """
    if _rebinds(ev, statement, following):
        return True
    if following is None or following.id in ev.frame.source.comments:
        return False
    targets = targets_of(statement)
    if claim.label in targets or (claim.label is None and claim.confidence == "whole"):
        return False
    return any(_reads_next(statement, following, target) for target in targets)


def _reads_next(statement: ir.Statement, following: ir.Statement, name: str) -> bool:
    """Whether the statement on the next line makes something of a variable."""
    near = following.line == getattr(statement, "end_line", statement.line) + 1
    if not near or not isinstance(following, (ir.Assign, ir.Return, ir.ExpressionStatement, ir.If)):
        return False
    if isinstance(following, ir.Return) and isinstance(following.value, ir.Name):
        return False
    return any(isinstance(record, ir.Name) and record.name == name for record in walk(following))


def _rebinds(ev: Evaluator, statement: ir.Statement, following: ir.Statement | None) -> bool:
    """Whether the next statement, which has no comment, gives a variable another value."""
    if following is None or following.id in ev.frame.source.comments:
        return False
    return not set(targets_of(statement)).isdisjoint(targets_of(following))


def after(
    ev: Evaluator,
    statement: ir.Statement,
    value: Value | None = None,
    following: ir.Statement | None = None,
) -> None:
    """Await the end of a run of statements whose comment fits nothing so far."""
    written = ev.frame.written
    awaited, written.awaited = written.awaited, None
    if not ev.alive or ev.by_defaults or ev.frame.depth:
        return
    if value is not None:
        if awaited is not None and awaited.statement == statement.id and awaited.claim.operands:
            _meet_op(ev, statement, awaited, value)
        return
    announced = _announced_op(ev, statement)
    if announced is not None:
        written.awaited = _awaited_op(ev, following, *announced, _AHEAD)
        return
    if isinstance(statement, ir.If):
        goal = _only_statement(ev, statement)
        names = [] if goal is None else targets_of(goal)
    else:
        goal = following if _rebinds(ev, statement, following) else None
        names = targets_of(statement)
    if goal is None or len(names) != 1 or targets_of(goal) != names:
        return
    comments = ev.frame.source.comments.get(statement.id, ())
    if any(comment.place != "above" for comment in comments):
        return
    block = block_of(ev.frame.source, statement)
    for comment in comments:
        claims = block.claims_of(comment)
        if not claims:
            continue
        if len(claims) != 1 or not block.is_last(comment):
            return
        (claim,) = claims
        if not stands_on(comment, statement, block) or not _is_plain(comment, claim, names[0]):
            return
        if not _fits_before(ev, statement, comment, claim, names[0]):
            written.awaited = Awaited(goal.id, names[0], comment, claim)
            ev.frame.watched = {}
        return


def _announced_op(ev: Evaluator, statement: ir.Statement) -> tuple[ir.Comment, Claim] | None:
    """A comment `(A), (B) -> (C)` right above a statement that has no op of so many operands."""
    comments = ev.frame.source.comments.get(statement.id, ())
    block = block_of(ev.frame.source, statement)
    for comment in comments:
        claims = block.claims_of(comment)
        if len(claims) != 1 or not claims[0].operands or claims[0].label is not None:
            continue
        if comment.place == "above" and stands_on(comment, statement, block):
            if block.is_last(comment):
                missing = not makes_of_operands(ev, statement, comment, claims[0])
                return (comment, claims[0]) if missing else None
    return None


def _awaited_op(
    ev: Evaluator, following: ir.Statement | None, comment: ir.Comment, claim: Claim, left: int
) -> Awaited | None:
    """What awaits the op of a comment in the next statement; None if it is not awaited there."""
    if following is None or left < 1 or following.id in ev.frame.source.comments:
        return None
    return Awaited(following.id, "", comment, claim, left)


_AHEAD: Final = 2
"""How many statements behind the one below a comment may have the op that it announces."""


def _meet_op(ev: Evaluator, statement: ir.Statement, awaited: Awaited, value: Value) -> None:
    """Compare the comment that announces an op with the value of the statement that has it."""
    claim, expression = awaited.claim, value_of(statement)
    if len(claim.alternatives) != 1:
        return
    if not makes_of_operands(ev, statement, awaited.comment, claim):
        return
    letters = letters_of(expression) if isinstance(expression, ir.Call) else ()
    shape_claim = _shape_claim(awaited)._replace(believed=True, letters=letters)
    meet(ev, shape_claim, value, awaited.name or None, reported_at(statement))


def _shape_claim(awaited: Awaited) -> ShapeClaim:
    """The claim of an awaited comment, which is not adopted."""
    claim = awaited.claim
    return ShapeClaim(
        claim.alternatives[0],
        "comment",
        awaited.comment.line,
        claim.start,
        plain=False,
        believed=False,
        evident=claim.evident,
    )


def _is_plain(comment: ir.Comment, claim: Claim, name: str) -> bool:
    """Whether a claim is one shape of the variable, as far as its words say."""
    if len(claim.alternatives) != 1 or claim.before or claim.label not in (None, name):
        return False
    return is_at_end(comment.text, claim) and not is_about_elements(comment.text, claim)


def _only_statement(ev: Evaluator, branch: ir.If) -> ir.Statement | None:
    """The one statement of a branch without alternative; None if it has a comment."""
    if branch.orelse or len(branch.body) != 1:
        return None
    (statement,) = branch.body
    return None if statement.id in ev.frame.source.comments else statement


def _fits_before(
    ev: Evaluator, statement: ir.Statement, comment: ir.Comment, claim: Claim, name: str
) -> bool:
    """Whether a claim may be about a value that was there before the run goes on."""
    written = claim.alternatives[0]
    above = ev.frame.written.above
    current = ev.frame.variables.get(name)
    if current is None or agreement(ev, written, ev.resolve(current)) >= 0:
        return True
    if isinstance(statement, ir.If):
        between = above.get(comment.line)
        if between is None or between.name != name:
            return True
        return any(_may_mean(ev, claim, read) for read in _tested(statement.test))
    if comment.line in above:
        between = above[comment.line]
        if between is None or agreement(ev, written, ev.resolve(between.value)) >= 0:
            return True
    return _fits_operand(ev, statement, claim)


def _tested(test: ir.Expression) -> list[str]:
    """The variables that a test reads, but for those that it compares with a number."""
    match test:
        case ir.Comparison(ir.Name(), _, ((ir.Int() | ir.Float()),)):
            return []
    return [record.name for record in walk(test) if isinstance(record, ir.Name)]


def _may_mean(ev: Evaluator, claim: Claim, name: str) -> bool:
    value = ev.frame.variables.get(name)
    value = None if value is None else ev.resolve(value)
    if not isinstance(value, (Tensor, Anything)):
        return False
    return agreement(ev, claim.alternatives[0], value) >= 0


def _fits_operand(ev: Evaluator, statement: ir.Statement, claim: Claim) -> bool:
    expression = value_of(statement)
    if expression is None:
        return True
    added = isinstance(statement, ir.AugmentedAssign)
    operands = operands_of(ev, expression, added)
    return any(agreement(ev, claim.alternatives[0], operand) >= 0 for operand in operands)


def go_on(ev: Evaluator, statement: ir.Statement, following: ir.Statement | None) -> None:
    """Go on with an awaited statement, or report its comment if the run ends here."""
    written = ev.frame.written
    awaited, written.awaited = written.awaited, None
    if awaited is None or awaited.statement != statement.id or not ev.alive:
        ev.frame.watched = None
        return
    claim = awaited.claim
    if claim.operands:
        ev.frame.watched = None
        if not makes_of_operands(ev, statement, awaited.comment, claim):
            left = awaited.left - 1
            written.awaited = _awaited_op(ev, following, awaited.comment, claim, left)
        elif len(targets_of(statement)) == 1 and not _rebinds(ev, statement, following):
            current = ev.frame.variables.get(targets_of(statement)[0])
            if current is not None:
                _meet_op(ev, statement, awaited, current)
        return
    current = ev.frame.variables.get(awaited.name)
    value = None if current is None else ev.resolve(current)
    fits = _fits_operand(ev, statement, claim)
    ev.frame.watched = None
    if fits or not isinstance(value, Tensor):
        return
    if _rebinds(ev, statement, following) and following is not None:
        if (
            targets_of(following) == [awaited.name]
            and agreement(ev, claim.alternatives[0], value) < 0
        ):
            written.awaited = awaited._replace(statement=following.id)
            ev.frame.watched = {}
        return
    returned = isinstance(following, ir.Return) and isinstance(following.value, ir.Name)
    if following is not None and not returned and _reads_next(statement, following, awaited.name):
        return  # it may be about what the next line makes
    conflict = contradiction(ev, claim.alternatives[0], ev.current(value.shape))
    if conflict is not None and not conflict.rank:
        meet(ev, _shape_claim(awaited), value, awaited.name, reported_at(statement))


def check_chain(ev: Evaluator, claim: Claim, line: int, node: ir.Node) -> None:
    """Check that `[B, T, N] -> [B, T, C]` leaves the other dims in place (NC402).

    The comment is above a layer that turns N into C: a layer that replaces one dim moves none.
    """
    if len(claim.alternatives) != 1:
        return
    first, last = claim.before[-1], claim.alternatives[0]
    old = [plain_name(dim) for dim in first.dims]
    new = [plain_name(dim) for dim in last.dims]
    question = (node.id, "chain", line)
    ev.frame.look(question)
    if len(old) != len(new) or None in old or None in new:
        return
    gone, added = set(old) - set(new), set(new) - set(old)
    if len(gone) != 1 or len(added) != 1 or len(set(old)) != len(old) or len(set(new)) != len(new):
        return
    for index, name in enumerate(new):
        if name in old and old[index] != name:
            mistake = CommentMismatch(
                found=tuple(Dim(None, sizes.symbol(str(one))) for one in old),
                claimed=written_text(last),
                reason=f"'{name}' was dim {old.index(name)} before, and nothing moves it",
            )
            ev.blame(mistake, mistake.level, node, {}, question=question)
            return

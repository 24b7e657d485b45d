"""Shape comments: `# (B, T, C)` beside a value, `# x: (B, T, C)` at a `def`.

This module decides which value a comment is about. At the end of a line, that is the value of the
line; on a line of its own, the value of the statement below, or of the one above if that is closer.
`claims` decides what follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from namecheck.analysis.evidence.claims import ShapeClaim, meet, suppose
from namecheck.analysis.evidence.comment_blocks import (
    RESULTS,
    Block,
    block_of,
    is_about_elements,
    is_at_end,
    is_of_other_part,
    results_behind,
    stands_on,
    targets_of,
    touches,
)
from namecheck.analysis.evidence.comment_readings import (
    agreement,
    chain_goes_on,
    describes_another,
    is_turned,
    makes_of_operands,
    may_be_of_elements,
    may_be_of_operand,
    only_fitting,
    operand_meant,
    value_of,
)
from namecheck.analysis.evidence.comment_runs import check_chain, goes_on
from namecheck.analysis.evidence.commented_values import (
    all_alike,
    assigns_more,
    has_parts,
    is_for_any_rank,
    is_of_known_rank,
    is_of_shape_assigned,
    is_of_whole,
    letters_of,
    may_be_spread,
    part_on_line,
    reported_at,
    speaks_of_tensor,
    stored_tensor,
    target_on_line,
)
from namecheck.analysis.evidence.comments_between import (
    belongs_above,
    describes_above,
    may_be_of_previous,
    value_above,
)
from namecheck.analysis.evidence.computed_sizes import computed_otherwise
from namecheck.analysis.evidence.contradictions import contradiction
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.values import Tensor, Tuple, Value
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.notation.comments import Claim, read_comment

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.frames import Frame


def after(
    ev: Evaluator,
    statement: ir.Statement,
    value: Value | None = None,
    following: ir.Statement | None = None,
) -> None:
    """Apply the comments of a statement that was just run; `following` is the next statement."""
    comments = ev.frame.source.comments.get(statement.id)
    if comments and ev.alive and not ev.by_defaults:
        # A class built with its defaults is judged by its code alone.
        _apply_all(ev, statement, value, following, comments)
    ev.frame.watched = None


def _apply_all(
    ev: Evaluator,
    statement: ir.Statement,
    value: Value | None,
    following: ir.Statement | None,
    comments: Sequence[ir.Comment],
) -> None:
    before = ev.frame.written.before
    block = block_of(ev.frame.source, statement)
    results = results_behind(statement, comments, block)
    for comment in comments:
        claims = block.claims_of(comment)
        if is_of_other_part(statement, comment, claims, comments, results):
            continue
        if len(claims) == 1 and claims[0].before and _builds(ev, statement):
            check_chain(ev, claims[0], comment.line, reported_at(statement))
            continue
        if comment.place == "trailing" or (
            comment.place == "below" and touches(comment, statement)
        ):
            if len(claims) > 1 and _apply_in_order(ev, statement, comment, claims, value):
                continue
            for claim in _of_one_value(statement, claims):
                _apply(ev, statement, comment, claim, value)
        elif comment.place == "inside":
            target = target_on_line(ev, statement, comment)
            if len(claims) != 1 or claims[0].label is not None:
                continue
            if target is not None:
                _apply_to_target(ev, comment, claims[0], target)
            else:
                _apply_to_part(ev, statement, comment, claims[0])
        elif comment.place == "above":
            if len(claims) == 1 and claims[0].operands:
                if not makes_of_operands(ev, statement, comment, claims[0]):
                    continue  # `comment_runs` awaits the op
            if len(claims) > 1 and stands_on(comment, statement, block):
                if _apply_in_order(ev, statement, comment, claims, value):
                    continue
            if len(claims) == 1 and _is_of_result(ev, claims[0]):
                if not (block.is_last(comment) and stands_on(comment, statement, block)):
                    _apply_to_previous(ev, statement, comment, claims[0], value)
                elif not goes_on(ev, statement, following, claims[0]):
                    _apply_around(ev, statement, comment, claims[0], value)
                continue
            for claim in claims:
                if claim.label is not None and _gives(statement, claim.label):
                    if not goes_on(ev, statement, following, claim):
                        _apply(ev, statement, comment, claim, value)
                elif claim.label in targets_of(statement) and claim.label in before:
                    _apply_to_either(ev, statement, comment, claim, before[claim.label])


def _of_one_value(statement: ir.Statement, claims: Sequence[Claim]) -> Sequence[Claim]:
    """Those of several claims that are about the one value of a line.

    `(B, N), (B, M)` are parts of it; behind `(B, N, 2)`, `(x, y)` says what the last dim holds.
    """
    if len(claims) < 2 or any(claim.label is not None for claim in claims):
        return claims
    beside = claims[0].start != claims[1].start and len(targets_of(statement)) < 2
    return claims[:1] if beside else ()


def before(ev: Evaluator, statement: ir.Statement, previous: ir.Statement | None = None) -> None:
    """Apply the comments above a statement before it is run.

    They are about variables that exist already, or about the value of the statement before.
    """
    comments = ev.frame.source.comments.get(statement.id)
    ev.frame.written.before = {}
    ev.frame.written.above = {}
    if not comments or ev.by_defaults:
        return
    if value_of(statement) is not None:
        ev.frame.watched = {}
    targets = targets_of(statement)
    block = block_of(ev.frame.source, statement)
    claimed = [(one, block.claims_of(one)) for one in comments if one.place == "above"]
    listed = _listed(ev, statement, claimed)
    for comment, claims in claimed:
        if listed:
            # They are about the arguments, not about what the statement makes of one.
            for claim in claims:
                if claim.label in listed and _leads(comment.text, claims[0]):
                    _apply(ev, statement, comment, claim, None, plain=True)
            continue
        if len(claims) == 1 and claims[0].label is None:
            _before_unlabelled(ev, statement, previous, comment, claims[0], block)
            continue
        ours = any(claim.label in targets for claim in claims)
        for claim in claims:
            label = claim.label
            if label is None or label not in ev.frame.variables or _gives(statement, label):
                continue
            if label in targets:
                ev.frame.written.before[label] = ev.resolve(ev.frame.variables[label])
            elif ours:
                continue  # of `k, v` only k is made here, v by a statement further down
            elif _leads(comment.text, claim) and not _names_result(label, targets):
                _apply(ev, statement, comment, claim, None)


def _names_result(label: str, targets: Sequence[str]) -> bool:
    """Whether a label may mean a target that is named after it: `x` above `x_padded = pad(x)`."""
    words = set(label.split("_"))
    return any(target != label and words < set(target.split("_")) for target in targets)


def _before_unlabelled(
    ev: Evaluator,
    statement: ir.Statement,
    previous: ir.Statement | None,
    comment: ir.Comment,
    claim: Claim,
    block: Block,
) -> None:
    """Apply a comment above a statement to the value of the one before if it is about that."""
    close = previous is not None and touches(comment, previous)
    if claim.operands and not (
        close and previous is not None and makes_of_operands(ev, previous, comment, claim)
    ):
        return
    if close and previous is not None:
        if isinstance(previous, ir.Return):
            return
        sentence = claim.confidence != "whole"
        if not stands_on(comment, statement, block, sentence):
            between = value_above(ev, comment, statement, previous)
            if between is None or may_be_of_previous(ev, claim, between, statement):
                _apply_above(ev, previous, comment, claim, None)
            elif value_of(statement) is not None:
                ev.frame.written.above[comment.line] = between
            return
    # A sentence announces what the statement below does.
    whole = claim.confidence == "whole"
    above = value_above(ev, comment, statement, previous) if whole else None
    if above is None:
        return
    ev.frame.written.above[comment.line] = above
    # Above the first statement there is but a parameter.
    if (close or previous is None) and describes_above(ev, claim, above):
        ev.frame.written.above[comment.line] = None
        sure = isinstance(above.value, Tensor)
        shape_claim = _shape_claim(comment, claim, plain=False, believed=sure)
        meet(ev, shape_claim, above.value, above.name, above.node)


def _apply_around(
    ev: Evaluator, statement: ir.Statement, comment: ir.Comment, claim: Claim, value: Value | None
) -> None:
    """Apply a comment right above a statement that was just run to the value that it fits."""
    result = _result(ev, statement, value)
    if may_be_of_elements(ev, statement, claim, result):
        return
    letters: tuple[str | None, ...] = ()
    if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Call):
        letters = letters_of(statement.value)
    operand = operand_meant(ev, statement, comment, claim, result, letters)
    shape_claim = _shape_claim(comment, claim, plain=False, believed=False)
    if operand is not None and isinstance(operand, Tensor) and operand.shape is not UNKNOWN:
        meet(ev, shape_claim, operand, None, reported_at(statement), check=False)
    elif not _is_of_value_above(ev, statement, comment, claim, value) and operand is None:
        believed = not may_be_of_operand(ev, statement, claim, result)
        _apply_above(ev, statement, comment, claim, value, believed)


def _apply_to_previous(
    ev: Evaluator, statement: ir.Statement, comment: ir.Comment, claim: Claim, value: Value | None
) -> None:
    """Apply a comment that contradicts the value above it, unless it fits the next value."""
    above = ev.frame.written.above.get(comment.line)
    result = _result(ev, statement, value)
    if above is None or (result is None and not isinstance(statement, ir.ExpressionStatement)):
        return
    if result is None or agreement(ev, claim.alternatives[0], ev.resolve(result)) < 0:
        meet(ev, _shape_claim(comment, claim, plain=False), above.value, above.name, above.node)


def _result(ev: Evaluator, statement: ir.Statement, value: Value | None) -> Value | None:
    """The one value that a statement returns or assigns; None if there is none."""
    targets = targets_of(statement)
    if value is None and len(targets) == 1 and not assigns_more(statement):
        return ev.frame.variables.get(targets[0])
    return value if value is not None or targets else stored_tensor(ev, statement)


def _is_of_value_above(
    ev: Evaluator, statement: ir.Statement, comment: ir.Comment, claim: Claim, value: Value | None
) -> bool:
    """Whether a comment above a statement that was just run is about the value before it."""
    values = ev.frame.written.above
    if comment.line not in values or len(claim.alternatives) != 1:
        return False
    above = values[comment.line]
    if above is None:
        return True
    value = _result(ev, statement, value)
    if value is None:
        return False
    shape_claim = _shape_claim(comment, claim, plain=False)
    if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Call):
        shape_claim = shape_claim._replace(letters=letters_of(statement.value))
    return belongs_above(ev, shape_claim, above, value)


def _listed(
    ev: Evaluator, statement: ir.Statement, claimed: Sequence[tuple[ir.Comment, Sequence[Claim]]]
) -> frozenset[str]:
    """The parameters whose shapes comments above the first statement list.

    One alone is not a list.
    """
    function = ev.frame.function
    if function is None or not isinstance(function.record, ir.FunctionDef):
        return frozenset()
    body = function.record.body
    documented = isinstance(body[0], ir.ExpressionStatement) and isinstance(body[0].value, ir.Str)
    if not any(one is statement for one in body[documented : documented + 1]):
        return frozenset()
    labels = {claim.label for _, claims in claimed for claim in claims}
    named = frozenset(p.name for p in function.parameters if p.name in labels)
    return named if len(named) > 1 else frozenset()


def _builds(ev: Evaluator, statement: ir.Statement) -> bool:
    """Whether a statement of a constructor builds a module, not a tensor."""
    function = ev.frame.function
    if function is None or function.name != "__init__":
        return False
    match statement:
        case ir.Assign((ir.Attribute(),), ir.Call()) | ir.ExpressionStatement(ir.Call()):
            return stored_tensor(ev, statement) is None
    return False


def _gives(statement: ir.Statement, label: str | None) -> bool:
    """Whether a comment above is about the value of a variable after the statement.

    Above `x = f(x)` it may be about the value before.
    """
    if label is None or label not in targets_of(statement):
        return False
    match statement:
        case ir.Assign(_, value):
            return not any(isinstance(r, ir.Name) and r.name == label for r in walk(value))
    return False


def _leads(text: str, claim: Claim) -> bool:
    """Whether a comment begins with the label of its claim.

    A later word of a sentence is not a variable, even if a variable has that name.
    """
    return claim.confidence == "whole" or text.lstrip("#: `*").startswith(claim.label or "")


def of_parameters(ev: Evaluator, frame: Frame, documented: bool) -> None:
    """Apply the comments of a `def` to its parameters: `# x: (B, T)`, or one beside each."""
    record = None if frame.function is None else frame.function.record
    if not isinstance(record, ir.FunctionDef):
        return
    parameters = {parameter.name: parameter for parameter in record.parameters}
    by_id = {parameter.id: parameter.name for parameter in record.parameters}
    for comment in frame.source.comments.get(record.id, ()):
        claims = read_comment(comment.text)
        beside = by_id.get(comment.target) if comment.target is not None else None
        for claim in claims:
            name = claim.label if claim.label in parameters else None
            if name is None and claim.label is None and comment.place == "inside":
                name = beside if len(claims) == 1 else None
            if name is not None and len(claim.alternatives) == 1 and not claim.before:
                suppose(ev, frame, parameters[name], _shape_claim(comment, claim))


def _shape_claim(
    comment: ir.Comment, claim: Claim, plain: bool = True, believed: bool = True
) -> ShapeClaim:
    return ShapeClaim(
        claim.alternatives[0],
        "comment",
        comment.line,
        claim.start,
        plain,
        believed,
        evident=claim.evident,
        behind=comment.place == "trailing" and claim.confidence == "whole",
    )


def _apply(
    ev: Evaluator,
    statement: ir.Statement,
    comment: ir.Comment,
    claim: Claim,
    value: Value | None,
    plain: bool | None = None,
) -> None:
    """Apply a claim to the variable that it names, or to the value of its line.

    `plain` says whether its labels may be assumed to be different sizes: those beside code may.
    """
    if len(claim.alternatives) != 1:
        return
    prose = claim.confidence == "prose" and claim.start > 2
    targets = targets_of(statement)
    labelled = claim.label
    above = comment.place == "above"
    node = reported_at(statement)
    if (
        not above
        and (labelled is None or labelled in targets)
        and computed_otherwise(ev, statement, claim)
    ):
        return
    if labelled is not None and labelled in ev.frame.variables:
        listed = bool(plain)
        if prose or not (listed or labelled in targets or _leads(comment.text, claim)):
            return
        if not listed and labelled not in targets and is_turned(statement, comment.text, claim):
            return
        if claim.before and labelled not in targets:
            claim = claim._replace(alternatives=claim.before[:1], before=())
        parameter = _parameter(ev, labelled) if claim.confidence == "whole" else None
        distinct = not above or parameter is not None
        shape_claim = _shape_claim(comment, claim, plain=distinct if plain is None else plain)
        function = ev.frame.function
        if function is not None and labelled not in targets:
            declares = any(one.name == labelled for one in function.parameters)
            shape_claim = shape_claim._replace(declares=declares)
        shape_claim = shape_claim._replace(parameter=parameter)
        meet(ev, shape_claim, ev.frame.variables[labelled], labelled, node)
        return
    if labelled is not None and labelled.lower() not in RESULTS:
        return  # it is not certain which value it is about
    # In prose, only a shape at the end of the line counts, and it is not adopted.
    if prose and not is_at_end(comment.text, claim):
        return
    _apply_to_result(ev, statement, comment, claim, value, believed=not prose)


def _parameter(ev: Evaluator, name: str) -> ir.Parameter | None:
    """The parameter that a variable still is; None if it was bound again, or never was one."""
    function = ev.frame.function
    if function is None or ev.frame.bound_at.get(name, (None, 0))[1] > function.line:
        return None
    return next((p for p in function.parameters if p.name == name), None)


def _apply_in_order(
    ev: Evaluator,
    statement: ir.Statement,
    comment: ir.Comment,
    claims: Sequence[Claim],
    value: Value | None,
) -> bool:
    """Apply `# (B, T), (B, C)` to as many values, in their order.

    Returns False if the comment does not have this form.
    """
    if any(c.label is not None or c.before or c.confidence != "whole" for c in claims):
        return False
    places: Sequence[ir.Expression]
    match statement:
        case ir.Assign(((ir.Tuple(places) | ir.List(places)),)):
            names = [place.name if isinstance(place, ir.Name) else None for place in places]
            values = [ev.frame.variables.get(name) if name else None for name in names]
        case ir.Return(ir.Tuple(places)):
            returned = None if value is None else ev.resolve(value)
            names = [None] * len(places)
            values = [*returned.elements] if isinstance(returned, Tuple) else []
        case _:
            return False
    if not len(claims) == len(places) == len(values):
        return False
    above = comment.place == "above"
    for claim, place, name, current in zip(claims, places, names, values, strict=True):
        if current is not None and len(claim.alternatives) == 1:
            sure = isinstance(ev.resolve(current), Tensor) or speaks_of_tensor(claim, above)
            meet(
                ev,
                _shape_claim(comment, claim, plain=not above, believed=sure),
                current,
                name,
                place,
            )
    return True


def _apply_above(
    ev: Evaluator,
    statement: ir.Statement,
    comment: ir.Comment,
    claim: Claim,
    value: Value | None,
    sure: bool = True,
) -> None:
    """Apply a comment on a line of its own to the value of a statement.

    It is not adopted unless it is `sure` to be about that.
    """
    if len(claim.alternatives) != 1 or len(targets_of(statement)) > 1:
        return
    if claim.confidence != "whole" and not is_at_end(comment.text, claim):
        return
    believed = sure and (claim.confidence != "prose" or claim.start <= 2)
    _apply_to_result(ev, statement, comment, claim, value, believed=believed)


def _apply_to_result(
    ev: Evaluator,
    statement: ir.Statement,
    comment: ir.Comment,
    claim: Claim,
    value: Value | None,
    believed: bool,
) -> None:
    node = reported_at(statement)
    above = comment.place == "above"
    if len(targets_of(statement)) < 2 and is_about_elements(comment.text, claim):
        return  # it is about the elements of the value
    result = _result(ev, statement, value)
    if result is not None:
        if describes_another(ev, statement, comment, claim, result):
            return
        made = value_of(statement)
        if made is not None and claim.before:
            middle = claim.before if claim.operands else claim.before[1:]
            if chain_goes_on(ev, made, claim.before, claim.alternatives[0], result, middle):
                return
    if value is not None:
        shape_claim = _shape_claim(comment, claim, plain=not above, believed=believed)
        meet(ev, shape_claim, value, None, node)
        return
    if is_of_shape_assigned(statement) or assigns_more(statement):
        return  # sizes are assigned, not a tensor, or nothing says which value is meant
    stored = stored_tensor(ev, statement)
    if stored is not None:
        shape_claim = _shape_claim(comment, claim, plain=False, believed=False)
        meet(ev, shape_claim, stored, None, node)
        return
    targets = targets_of(statement)
    values = [ev.frame.variables.get(target) for target in targets]
    alike = len(values) < 2 or all_alike(ev, values)
    if alike and is_of_whole(ev, claim, values):
        return
    if not alike:
        values = only_fitting(ev, claim, targets, values)
    known = any(is_of_known_rank(ev, value) for value in values)
    if len(values) > 1 and (known or has_parts(statement)):
        # The labels name the dims of one of them: those of the others may have other sizes.
        believed = False
    for target, current in zip(targets, values, strict=True):
        if current is None:
            continue
        # Only a certain tensor adopts a claim, unless the comment is nothing but a shape.
        is_tensor = isinstance(ev.resolve(current), Tensor)
        # Of several results that nothing is known of, the comment is about the first.
        sure = is_tensor or (current is values[0] and speaks_of_tensor(claim, above))
        shape_claim = _shape_claim(comment, claim, plain=not above, believed=believed and sure)
        shape_claim = shape_claim._replace(shared=len(targets) > 1)
        if isinstance(statement, ir.Assign):
            shape_claim = shape_claim._replace(open=is_for_any_rank(statement.value))
            if isinstance(statement.value, ir.Call):
                letters, spread = letters_of(statement.value), may_be_spread(ev, statement.value)
                shape_claim = shape_claim._replace(letters=letters, spread=spread)
        meet(ev, shape_claim, current, target, node, check=alike)


def _apply_to_target(ev: Evaluator, comment: ir.Comment, claim: Claim, target: ir.Name) -> None:
    """Apply a comment behind one of several targets, which has the line for itself, to that."""
    current = ev.frame.variables.get(target.name)
    if current is not None and len(claim.alternatives) == 1 and claim.confidence == "whole":
        sure = isinstance(ev.resolve(current), Tensor) or speaks_of_tensor(claim, above=False)
        meet(ev, _shape_claim(comment, claim, believed=sure), current, target.name, target)


def _apply_to_part(
    ev: Evaluator, statement: ir.Statement, comment: ir.Comment, claim: Claim
) -> None:
    """Apply a comment behind a part of a statement that has the line for itself: an argument."""
    part = part_on_line(ev, statement, comment)
    value = None if part is None else (ev.frame.watched or {}).get(part.id)
    if claim.before or claim.confidence != "whole" or len(claim.alternatives) != 1:
        return
    if part is not None and value is not None:
        meet(ev, _shape_claim(comment, claim, plain=False, believed=False), value, None, part)


def _apply_to_either(
    ev: Evaluator, statement: ir.Statement, comment: ir.Comment, claim: Claim, old: Value
) -> None:
    """Apply a comment above `x = f(x)` to the new x, unless it may be about the old one."""
    if len(claim.alternatives) != 1 or claim.label is None:
        return
    written = claim.alternatives[0]
    if isinstance(old, Tensor) and isinstance(old.shape, tuple):
        if len(written.dims) == len(old.shape) and not contradiction(ev, written, old.shape):
            return
    elif not isinstance(old, Tensor) or old.shape is UNKNOWN:
        return
    value = ev.frame.variables.get(claim.label)
    if value is not None:
        shape_claim = _shape_claim(comment, claim, plain=False, believed=False)
        meet(ev, shape_claim, value, claim.label, reported_at(statement))


def _is_of_result(ev: Evaluator, claim: Claim) -> bool:
    """Whether a claim on a line of its own is about the value of the statement."""
    label = claim.label
    return label is None or (label not in ev.frame.variables and label.lower() in RESULTS)

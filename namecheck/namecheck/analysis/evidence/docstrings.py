"""Docstring shapes: `x (Tensor): ... of shape (B, T, C)` of a parameter, `Returns: (B, C)`.

A docstring makes claims as a comment does, but counts for less. A parameter adopts its claim only
if neither an annotation nor a comment says more; a returned value is compared with its claim.
`notation.docstrings` says which lines of a docstring are claims. The message of a guard, `raise
ValueError("x must be (B, T)")`, names dims likewise, but only those of a value of known rank.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from namecheck.analysis.comments import guard_messages
from namecheck.analysis.evidence.claims import ShapeClaim, meet, suppose
from namecheck.analysis.evidence.contradictions import written_text
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.any_rank import tests_ranks
from namecheck.analysis.reading.walking import target_names, walk, walk_for
from namecheck.analysis.state.independence import BATCH, is_batch
from namecheck.analysis.state.values import Anything, Tensor, Tuple, Value
from namecheck_runtime.lattice import UNKNOWN, Dims
from namecheck_runtime.mistakes.base import counted
from namecheck_runtime.mistakes.claims import CommentMismatch, CommentSlip
from namecheck_runtime.notation.comments import Claim
from namecheck_runtime.notation.docstrings import part_name, read_docstring
from namecheck_runtime.notation.syntax import Arithmetic, Term, WrittenDim
from namecheck_runtime.notation.written import plain_name

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.frames import Frame

DOCSTRING: Final = "docstring"
"""What messages and notes call the source of these claims."""


def read(record: ir.FunctionDef) -> Mapping[str, ShapeClaim]:
    """What the docstring of a function says of its parameters and, under "return", its result."""
    match record.body[:1]:
        case (ir.ExpressionStatement(ir.Str(text)) as statement,):
            return _read(text, statement.line)
    return {}


@lru_cache(maxsize=512)
def _read(text: str, first: int) -> Mapping[str, ShapeClaim]:
    """The claims of a docstring that begins on line `first`; each `return` asks for them."""
    claims = read_docstring(text)
    lines: dict[int, int] = {}
    line, position = first, 0
    for start in sorted(claim.start for _, claim in claims):
        line += text.count("\n", position, start)
        position = start
        lines[start] = line
    return {
        name: ShapeClaim(
            claim.alternatives[0],
            DOCSTRING,
            lines[claim.start],
            claim.start,
            evident=claim.evident,
        )
        for name, claim in claims
        if _is_plain(claim)
    }


def _is_plain(claim: Claim) -> bool:
    return len(claim.alternatives) == 1 and not claim.before


def of_parameters(ev: Evaluator, frame: Frame, documented: bool) -> None:
    """Apply the docstring to parameters about which nothing is known, if it is `documented`."""
    record = None if frame.function is None else frame.function.record
    if not documented or not isinstance(record, ir.FunctionDef):
        return
    parameters = {
        parameter.name: parameter
        for parameter in record.parameters
        if parameter.kind not in ("variadic positional", "variadic keyword")
    }
    for name, claim in read(record).items():
        if name in parameters:
            frame.written.documented |= suppose(ev, frame, parameters[name], claim)


def of_result(ev: Evaluator, node: ir.Return, value: Value) -> Value:
    """Compare a value that is returned with what the docstring says of it."""
    record = None if ev.frame.function is None else ev.frame.function.record
    if ev.trials.calls is not None or not isinstance(record, ir.FunctionDef) or node.value is None:
        return value
    claims = read(record)
    if "return" in claims:
        _compare(ev, record, claims["return"], value, node.value)
    for index, part, written in _parts(ev, value, node.value):
        claim = claims.get(part_name(*index))
        if claim is not None and _compare(ev, record, claim, part, written):
            break  # the docstring has the parts in another order, or all of them are wrong alike
    return value


def of_guard(ev: Evaluator, test: ir.Expression, holds: bool, stated: bool) -> None:
    """Let the message of a guard that was passed name the dims of the tensor that it asks about."""
    record = None if ev.frame.function is None else ev.frame.function.record
    if not stated or record is None or ev.frame.depth or ev.hearsay.left_out or not ev.alive:
        return
    message = guard_messages.messages_of(record).get(test.id)
    value = None if message is None else ev.frame.variables.get(message.owner)
    if message is None or value is None:
        return
    tensor = ev.resolve(value)
    if not isinstance(tensor, Tensor) or not isinstance(tensor.shape, tuple):
        return
    if len(tensor.shape) == len(message.written.dims):
        claim = ShapeClaim(message.written, guard_messages.SAID, message.line, 0, plain=False)
        meet(ev, claim, value, message.owner, test, check=False)


def _parts(
    ev: Evaluator, value: Value, node: ir.Expression
) -> Iterator[tuple[tuple[int, int], Value, ir.Expression]]:
    """The elements of a tuple that is written out, each with its index and their number."""
    several = ev.resolve(value)
    if not isinstance(several, Tuple) or not isinstance(node, ir.Tuple):
        return
    count = len(several.elements)
    if count != len(node.elements) or any(isinstance(e, ir.Starred) for e in node.elements):
        return
    for index, (part, written) in enumerate(zip(several.elements, node.elements, strict=True)):
        yield (index, count), part, written


def _compare(
    ev: Evaluator, record: ir.FunctionDef, claim: ShapeClaim, value: Value, node: ir.Expression
) -> bool:
    """Compare a value that is returned, or a part of one, with a claim about it.

    Whether it has another number of dims.
    """
    resolved = ev.resolve(value)
    if _check_rank(ev, record, claim, resolved, node):
        return True
    if isinstance(resolved, (Tensor, Anything)):
        meet(ev, claim._replace(believed=False), value, None, node)
        if isinstance(resolved, Anything) or resolved.shape is UNKNOWN:
            _compare_with_comment(ev, node, claim)
    return False


def _check_rank(
    ev: Evaluator, record: ir.FunctionDef, claim: ShapeClaim, value: Value, node: ir.Expression
) -> bool:
    """Report that no `return` gives the number of dims that a docstring says (NC402)."""
    question = (record.id, "returned rank", claim.start)
    ev.frame.look(question)
    shape = ev.current(value.shape) if isinstance(value, Tensor) else UNKNOWN
    if ev.frame.depth or not isinstance(value, Tensor) or not isinstance(shape, tuple):
        return False
    written = claim.written.dims
    if len(written) == len(shape) or any(dim.many or dim.term is None for dim in written):
        return False
    if _may_be_meant(written, shape):
        return False
    if not _is_computed(ev, value) or tests_ranks(record):
        return False
    mistake = CommentMismatch(
        found=shape,
        claimed=written_text(claim.written),
        reason=f"it has {counted(len(shape), 'dim')}, not {len(written)}",
        said=claim.source,
    )
    note = (f"the {claim.source} says {written_text(claim.written)}", ev.frame.source, claim.line)
    # All ways out of the function have to be wrong, so one place stands for them.
    place = _first_blamed(ev, record, question) or node
    ev.blame(mistake, mistake.level, place, {}, question=question, notes=(note,))
    return True


def _may_be_meant(written: Sequence[WrittenDim], shape: Dims) -> bool:
    """Whether people write such a list for values of such a shape, with another number of dims."""
    if not shape and all(dim.term == 1 for dim in written):
        return True  # one number
    if sum(_factors(dim.term) for dim in written) == len(shape):
        return True  # `(N*M)` is written for N x M
    names = {plain_name(dim) for dim in written}
    if shape and shape[-1].size == len(written) == len(names - {None}) > len(shape):
        return True  # it lists what the last dim holds: `(xx, yy, zz, yz, xz, xy)`
    # The shapes of one sample, where the code has a batch.
    labels = {(plain_name(dim) or "").lower() for dim in written}
    return len(shape) == len(written) + 1 and is_batch(shape[0].size) and not labels & BATCH


def _factors(term: Term | None) -> int:
    """The number of factors of a product, 1 for any other term."""
    match term:
        case Arithmetic("*", left, right):
            return _factors(left) + _factors(right)
    return 1


def _first_blamed(ev: Evaluator, record: ir.FunctionDef, question: object) -> ir.Expression | None:
    """The expression of a function at which a question was answered wrong before."""
    for _, answered, outcome in ev.frame.wrong.values():
        if answered == question:
            for inner in walk(record):
                if isinstance(inner, ir.Expression) and inner.id == outcome.node:
                    return inner
    return None


def _is_computed(ev: Evaluator, value: Tensor) -> bool:
    """Whether the program shows the rank of a value, or what the docstring says of a parameter."""
    claimed = value.claimed
    if claimed is None or not claimed.rank:
        return True
    return claimed.source is ev.frame.source and claimed.said.startswith(f"the {DOCSTRING} ")


def _compare_with_comment(ev: Evaluator, returned: ir.Expression, claim: ShapeClaim) -> None:
    """Report that a comment has the labels of a returned variable in another order (NC402).

    Nothing is known of the value, perhaps because another branch makes a tuple of it. What its
    shape is does not matter: one of the two is wrong.
    """
    if ev.frame.depth or not isinstance(returned, ir.Name):
        return
    comment = ev.frame.written.stated.get(returned.name)
    question = (returned.id, "docstring and comment")
    ev.frame.look(question)
    if comment is None or _is_assigned_below(ev, returned.name, comment.line):
        return
    labels, others = ([plain_name(dim) for dim in c.written.dims] for c in (claim, comment))
    words = set(labels)
    if None in words or len(words) < len(labels) or set(others) != words or labels == others:
        return
    if len(labels) != len(others):
        return
    mistake = CommentSlip(
        found=UNKNOWN,
        claimed=written_text(claim.written),
        reason=f"the comment where '{returned.name}' is assigned says "
        f"{written_text(comment.written)}",
        said="docstring",
    )
    notes = [(f"the {one.source}", ev.frame.source, one.line) for one in (claim, comment)]
    ev.blame(mistake, mistake.level, returned, {}, question=question, notes=notes)


def _is_assigned_below(ev: Evaluator, name: str, line: int) -> bool:
    """Whether a statement below a line of the function assigns a variable."""
    record = None if ev.frame.function is None else ev.frame.function.record
    return record is None or _last_assignments(record).get(name, 0) > line


_ASSIGNING: Final = frozenset({ir.Assign, ir.AnnotatedAssign, ir.AugmentedAssign, ir.For})


@ir.read_once
def _last_assignments(function: ir.Remembering) -> dict[str, int]:
    """The line of the last statement of a function that assigns each variable."""
    last: dict[str, int] = {}
    for inner in walk_for(function, _ASSIGNING):
        match inner:
            case ir.Assign(targets):
                names = [one for target in targets for one in target_names(target)]
            case ir.AnnotatedAssign(target) | ir.AugmentedAssign(target) | ir.For(target):
                names = list(target_names(target))
            case _:
                continue
        for name in names:
            last[name] = max(last.get(name, 0), inner.line)
    return last

"""Comments beside a value that cannot be true, although little is known of the value (NC402).

`comments` compares a claim with the dims that were inferred. Here the claim is held against what is
written beside it: the twin of the line, the operands in the same comment, the form of the call, the
1 that a reduction kept. Nothing is adopted, and `comments` has the last word: it comes after this
module, which sees the value as the program made it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from namecheck.analysis.comments import batch_comments, chain_comments, unpacked_comments
from namecheck.analysis.evidence.comment_blocks import block_of
from namecheck.analysis.evidence.comment_readings import chain_goes_on, made_from
from namecheck.analysis.evidence.comment_runs import goes_on
from namecheck.analysis.evidence.computed_values import shapes_of_rank
from namecheck.analysis.evidence.contradictions import (
    Contradiction,
    contradiction,
    written_text,
)
from namecheck.analysis.evidence.labels import known_label, variable_size
from namecheck.analysis.evidence.shape_or_list import is_known
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.conversion import as_size
from namecheck.analysis.state.independence import BATCH
from namecheck.analysis.state.values import (
    Anything,
    Class,
    Function,
    Instance,
    Tensor,
    Value,
    same_class,
)
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Shape, Size, known_dims, unknown_dims
from namecheck_runtime.light.regexes import regex
from namecheck_runtime.mistakes.claims import CommentMismatch, CommentSlip
from namecheck_runtime.notation.comments import Claim, read_bracket, read_comment, read_product
from namecheck_runtime.notation.syntax import (
    Arithmetic,
    WrittenDim,
    WrittenShape,
    names_of,
    render_term,
)
from namecheck_runtime.notation.written import plain_name

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


class Line(NamedTuple):
    """A line `name = value  # (B, T, C)`, or one with the comment above it."""

    number: int
    target: ir.Name
    value: ir.Expression
    comment: ir.Comment
    claim: Claim | None
    """The one claim of the comment, if it has one for one value."""
    written: WrittenShape | None
    """The shape that it claims, or a bracket that is all of the comment."""
    operands: dict[str, tuple[Value, int]]
    """The values of the variables that it reads, and the line on which each was bound last."""


def before(ev: Evaluator, statement: ir.Statement, previous: ir.Statement | None = None) -> None:
    """Remember the values that a statement with comments reads."""
    written = ev.frame.written
    written.operands = {}
    if isinstance(statement, ir.Assign) and not ev.frame.depth:
        for record in walk(statement.value):
            value = ev.frame.variables.get(record.name) if isinstance(record, ir.Name) else None
            if isinstance(record, ir.Name) and value is not None:
                bound = ev.frame.bound_at.get(record.name, (None, 0))[1]
                written.operands[record.name] = ev.resolve(value), bound


def _is_given(ev: Evaluator, name: str) -> bool:
    """Whether a variable that the statement reads is a parameter that was not bound again."""
    function = ev.frame.function
    if function is None or all(parameter.name != name for parameter in function.parameters):
        return False
    operand = ev.frame.written.operands.get(name)
    return operand is not None and operand[1] <= function.line


def after(
    ev: Evaluator,
    statement: ir.Statement,
    value: Value | None = None,
    following: ir.Statement | None = None,
) -> None:
    """Blame the comment of a statement that was just run."""
    batch_comments.check(ev, statement)
    unpacked_comments.check(ev, statement)
    if not ev.alive or ev.by_defaults or ev.frame.depth or not isinstance(statement, ir.Assign):
        return
    line = _line(ev, statement)
    if line is None:
        return
    current = ev.frame.variables.get(line.target.name)
    current = None if current is None else ev.resolve(current)
    shape: Shape = ev.current(current.shape) if isinstance(current, Tensor) else UNKNOWN
    conflict = _conflict(ev, line, shape)
    if conflict is None and line.comment.place == "above":
        conflict = _chain_above(ev, statement, line, following)
    ev.frame.look((line.target.id, "slip"))
    if conflict is not None:
        claimed = (
            line.comment.text.strip("# ") if line.written is None else written_text(line.written)
        )
        mistake = CommentSlip(found=UNKNOWN, claimed=claimed, reason=conflict.reason)
        ev.blame(mistake, mistake.level, line.target, {}, question=(line.target.id, "slip"))


def _line(ev: Evaluator, statement: ir.Assign) -> Line | None:
    """A statement as a line with a comment, if that may be about its value."""
    target = statement.targets[0]
    if not isinstance(target, ir.Name) or len(statement.targets) != 1:
        return None
    comments = ev.frame.source.comments.get(statement.id, ())
    beside = [comment for comment in comments if comment.place == "trailing"]
    if not beside:
        beside = [c for c in comments if c.place == "above" and c.line + 1 == statement.line]
    if len(beside) != 1:
        return None
    (comment,) = beside
    claims = read_comment(comment.text)
    claim = claims[0] if len(claims) == 1 and len(claims[0].alternatives) == 1 else None
    written = read_bracket(comment.text) if claim is None else claim.alternatives[0]
    operands = dict(ev.frame.written.operands)
    return Line(statement.line, target, statement.value, comment, claim, written, operands)


def _conflict(ev: Evaluator, line: Line, shape: Shape) -> Contradiction | None:
    if line.comment.place != "trailing":
        return _other_twin(ev, line)
    factors = _other_product(line)
    if factors is not None or line.written is None:
        return factors
    label = None if line.claim is None else line.claim.label
    if label is not None and label != line.target.name:
        if label in ev.frame.variables or not _NOUN.match(line.comment.text):
            return None
        return contradiction(ev, line.written, shape) if isinstance(shape, tuple) else None
    if line.claim is not None and line.claim.before:
        if not line.claim.evident and not is_known(ev, line.claim.before[0], UNKNOWN):
            return None
        conflict = _other_order(ev, line, line.value)
        return conflict or _other_step(ev, line, line.claim.before[0], line.written)
    if line.claim is None and _is_of_variables(ev, line.written):
        return contradiction(ev, line.written, shape) if isinstance(shape, tuple) else None
    conflict = _other_twin(ev, line) or _unmerged_product(ev, line, line.written, shape)
    conflict = conflict or _other_argument(line.value, line.written, shape)
    if conflict is not None or line.claim is None:
        return conflict
    return _other_one(ev, line, line.written, shape)


def _is_of_variables(ev: Evaluator, written: WrittenShape) -> bool:
    """Whether all words of a bracket are variables that hold sizes: `(Mx, C*My)`.

    Letters alone may as well be values, as the states `(h, c)` of an LSTM.
    """
    words = {name for dim in written.dims for name in names_of(dim.term)}
    if len(words) < 2 or all(len(word) == 1 for word in words):
        return False
    return all(variable_size(ev, word) is not UNKNOWN for word in words)


_NOUN: Final = regex(
    r"#+\s*(?!(?:with|using|by|for|from|via|over|to|and|as|like|of)\s)(?:[a-z][\w-]*\s+){1,4}"
    r"(?:of|with)\s+(?:the\s+)?shape:?\s*[\[(][^()\[\]]*[\])][\s.]*$",
    re.I,
)
"""`price tags of shape (B, T)`, `a matrix with shape (m, n)`, and nothing else."""


# A comment and the line above


def _other_twin(ev: Evaluator, line: Line) -> Contradiction | None:
    """A line above, made in the same way, has the same labels in another order."""
    if line.written is None or not _is_plain(line) or not isinstance(line.value, ir.Call):
        return None
    twins = [
        above
        for above in ev.frame.written.lines
        if 0 < line.number - above.number <= _NEAR
        and above.target.name != line.target.name
        and (above.target.id, CommentMismatch.code) not in ev.frame.wrong
        and _alike(ev, above, line, above.value, line.value)
        and _are_twins(above, line)
    ]
    ev.frame.written.lines = [*ev.frame.written.lines[-_NEAR:], line]
    if not twins:
        return None
    above = twins[-1]
    labels = [_text(dim) for dim in line.written.dims]
    others = [_text(dim) for dim in above.written.dims]
    if labels == others or sorted(labels) != sorted(others):
        return None
    if any(bound >= above.number for _, bound in line.operands.values()):
        return None  # what it is made of may be made of the line above
    shapes = [_shape_of(ev, one.target.name) for one in (above, line)]
    if all(isinstance(shape, tuple) for shape in shapes) and shapes[0] != shapes[1]:
        return None
    return Contradiction(
        f"'{above.target.name}' above is made in the same way, and its comment says "
        f"{written_text(above.written)}"
    )


def _are_twins(above: Line, line: Line) -> bool:
    """Whether the names in two lines leave their dims alike.

    `next(sizes)` gives something else each time, and the dims of `nodes_agents` are turned beside
    those of `agents_nodes`.
    """
    names = [(above.target.name, line.target.name)]
    names += zip(_words(above.value), _words(line.value), strict=True)
    if all(one == other for one, other in names[1:]):
        return False
    return not any(one != other and sorted(one) == sorted(other) for one, other in names)


def _text(dim: WrittenDim) -> str:
    return "..." if dim.many else "_" if dim.term is None else render_term(dim.term)


_NEAR: Final = 8
"""How many lines may be between twins."""


def _is_plain(line: Line) -> bool:
    """Whether a comment is about nothing but the value of its line."""
    if line.written is None:
        return False
    if line.claim is None:
        return len(line.written.dims) > 2  # two may be coordinates
    if line.claim.before or line.claim.label not in (None, line.target.name):
        return False
    return line.claim.label is not None or line.claim.confidence == "whole"


def _shape_of(ev: Evaluator, name: str) -> Shape:
    value = ev.frame.variables.get(name)
    tensor = None if value is None else ev.resolve(value)
    claimed = not isinstance(tensor, Tensor) or tensor.claimed
    return ev.current(tensor.shape) if isinstance(tensor, Tensor) and not claimed else UNKNOWN


def _alike(ev: Evaluator, above: Line, line: Line, first: object, second: object) -> bool:
    """Whether parts of two lines are made in the same way: by one op or layer, of the same dims.

    The layers of `self` may differ, as those of queries and keys do, but not what they are given:
    nothing says that two variables have their dims in one order.
    """
    if type(first) is not type(second):
        return False
    if isinstance(first, tuple) and isinstance(second, tuple):
        pairs = zip(first, second, strict=False)
        return len(first) == len(second) and all(_alike(ev, above, line, a, b) for a, b in pairs)
    if isinstance(first, ir.Call) and isinstance(second, ir.Call):
        return _alike_callees(ev, above, line, first.function, second.function) and all(
            _alike(ev, above, line, *pair)
            for pair in ((first.positional, second.positional), (first.keywords, second.keywords))
        )
    if isinstance(first, ir.Name) and isinstance(second, ir.Name):
        return first.name == second.name or _have_same_dims(ev, above, line, first, second)
    if not isinstance(first, ir.Record) or not isinstance(second, ir.Record):
        return first == second
    return all(
        field == "id" or _alike(ev, above, line, left, right)
        for field, left, right in zip(
            first.__match_args__, first.fields(), second.fields(), strict=True
        )
    )


def _alike_callees(
    ev: Evaluator, above: Line, line: Line, first: ir.Expression, second: ir.Expression
) -> bool:
    """Whether two callees are one function, one method of the same dims, or layers of `self`."""
    if isinstance(first, ir.Name) and isinstance(second, ir.Name):
        return first.name == second.name
    if isinstance(first, ir.Attribute) and isinstance(second, ir.Attribute):
        if _is_self(ev, first) and _is_self(ev, second):
            return first.name == second.name or _may_be_alike(ev, first.name, second.name)
    return _alike(ev, above, line, first, second)


def _may_be_alike(ev: Evaluator, first: str, second: str) -> bool:
    """Whether two attributes of `self` may be layers of one kind: they are no two methods."""
    receiver = ev.frame.receiver
    if not isinstance(receiver, Instance):
        return True
    for name in (first, second):
        for owner in receiver.cls.lineage:
            if isinstance(owner, Class) and isinstance(owner.attributes.get(name), Function):
                return False
    held = [ev.cells.get((receiver, name)) for name in (first, second)]
    one, other = (None if value is None else ev.resolve(value) for value in held)
    if isinstance(one, Instance) and isinstance(other, Instance):
        return same_class(one.cls, other.cls)
    return True


def _have_same_dims(
    ev: Evaluator, above: Line, line: Line, first: ir.Name, second: ir.Name
) -> bool:
    """Whether two variables are known to hold one value, or tensors of the same known dims."""
    one, _ = above.operands.get(first.name, (None, 0))
    other, _ = line.operands.get(second.name, (None, 0))
    if one is None or other is None:
        return False
    one, other = ev.resolve(one), ev.resolve(other)
    if one is other:
        return True
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        dims, others = ([d.size for d in known_dims(ev.current(t.shape))] for t in (one, other))
        known = isinstance(one.shape, tuple) and isinstance(other.shape, tuple)
        return known and dims == others and UNKNOWN not in dims
    return False


def _words(expression: ir.Expression) -> list[str]:
    return [r.name for r in walk(expression) if isinstance(r, (ir.Name, ir.Attribute))]


def _is_self(ev: Evaluator, attribute: ir.Attribute) -> bool:
    function = ev.frame.function
    if ev.frame.receiver is None or function is None or not isinstance(attribute.value, ir.Name):
        return False
    record = function.record
    parameters = record.parameters if isinstance(record, ir.FunctionDef) else ()
    return bool(parameters) and parameters[0].name == attribute.value.name


# A comment and its own line


def _other_product(line: Line) -> Contradiction | None:
    """`(b, t, d) x (b, d, s) -> (b, s, t)` beside `q @ k`, which is `(b, t, s)`."""
    if not isinstance(line.value, ir.Binary) or line.value.operator != "@":
        return None
    shapes = read_product(line.comment.text)
    if shapes is None:
        return None
    left, right, result = ([plain_name(dim) for dim in shape.dims] for shape in shapes)
    if not 2 <= len(left) == len(right) == len(result) or None in left + right + result:
        return None
    product = [*left[:-1], right[-1]]
    if left[-1] != right[-2] or left[:-2] != right[:-2] or product == result:
        return None
    if sorted(map(str, product)) != sorted(map(str, result)):
        return None
    return Contradiction(f"the product of the two is ({', '.join(map(str, product))})")


def _other_step(
    ev: Evaluator, line: Line, first: WrittenShape, last: WrittenShape
) -> Contradiction | None:
    """A chain `(B, T, C) -> (B, C, T)` beside an op that makes something else of the first shape.

    Or the first shape is not that of the one operand.
    """
    names = [plain_name(dim) for dim in first.dims]
    if None in names or len(set(names)) != len(names):
        return None
    operands = [ev.resolve(value) for value, _ in ev.frame.written.operands.values()]
    operands = [value for value in operands if isinstance(value, (Tensor, Anything))]
    labels: dict[Size, str] = {sizes.symbol(str(name)): str(name) for name in names}
    target = ev.frame.variables.get(line.target.name)
    dims: Shape | None = None
    if target is not None:
        dims = made_from(ev, target, operands, tuple([Dim(None, size) for size in labels]))
    if len(operands) == 1 and isinstance(operands[0], Tensor) and not operands[0].claimed:
        shape = ev.current(operands[0].shape)
        conflict = contradiction(ev, first, shape) if isinstance(shape, tuple) else None
        if conflict is not None:
            goes_on = target is not None and chain_goes_on(ev, line.value, (first,), last, target)
            return None if goes_on else conflict
        if isinstance(shape, tuple) and len(shape) == len(names):
            held = [ev.facts.representative(dim.size) for dim in shape]
            labels = {s: str(n) for s, n in zip(held, names, strict=True) if held.count(s) == 1}
            dims = _shape_of(ev, line.target.name)
    if not isinstance(dims, tuple) or len(dims) != len(last.dims):
        return None
    for place, (dim, written) in enumerate(zip(dims, last.dims, strict=True)):
        label, actual = plain_name(written), labels.get(ev.facts.representative(dim.size))
        if label is None or actual is None or label == actual or label not in names:
            continue
        if sizes.plain_symbol(dim.size) and not ev.frame.source.file.terms.may_meet(label, actual):
            return Contradiction(f"from {written_text(first)} dim {place} is '{actual}'")
    return None


def _other_order(ev: Evaluator, line: Line, made: ir.Expression) -> Contradiction | None:
    """A chain whose last shape has the dims that `made` has in another order."""
    claim = line.claim
    if claim is None or not claim.before or claim.operands or line.written is None:
        return None
    order = chain_comments.order_made(ev, made, claim.before[0], line.written)
    if order is None:
        return None
    text = f"({', '.join(order)}{',' if len(order) == 1 else ''})"
    return Contradiction(f"the line makes {text} of {written_text(claim.before[0])}")


def _chain_above(
    ev: Evaluator, statement: ir.Assign, line: Line, following: ir.Statement | None
) -> Contradiction | None:
    """A chain above a line that no other line goes on with.

    Behind the name of an operand it says what an op of the line makes of that.
    """
    claim = line.claim
    if claim is None or not claim.before:
        return None
    if not claim.evident and not is_known(ev, claim.before[0], UNKNOWN):
        return None
    block = block_of(ev.frame.source, statement)
    if len(block.claims_of(line.comment)) != 1:
        return None
    returned = isinstance(following, ir.Return) and isinstance(following.value, ir.Name)
    sentence = claim._replace(confidence="prose", label=None)
    if not returned and goes_on(ev, statement, following, sentence):
        return None
    made = line.value
    if claim.label not in (None, line.target.name):
        ops = [one for one in walk(line.value) if _is_op_of(one, claim.label)]
        if len(ops) != 1 or not isinstance(ops[0], ir.Expression):
            return None
        made = ops[0]
    return _other_order(ev, line, made)


def _is_op_of(record: ir.Record, name: str | None) -> bool:
    """Whether a part of an expression is a method or a part of a variable."""
    match record:
        case ir.Call(ir.Attribute(ir.Name(owner))):
            return owner == name
        case ir.Subscript(ir.Name(owner)):
            return owner == name
    return False


def _unmerged_product(
    ev: Evaluator, line: Line, written: WrittenShape, shape: Shape
) -> Contradiction | None:
    """`x.reshape(x.shape[0], -1)  # (T*C, B)` merges the dims behind the first, not the first.

    `x` is a parameter: a local variable may have merged dims already.
    """
    call = line.value
    if not isinstance(call, ir.Call) or not isinstance(call.function, ir.Attribute):
        return None
    receiver = call.function.value
    if not isinstance(receiver, ir.Name) or call.keywords:
        return None
    if not _is_given(ev, receiver.name):
        return None
    if len(call.positional) != len(written.dims) or len(known_dims(shape)) != len(written.dims):
        return None
    merged = [k for k, argument in enumerate(call.positional) if _is_rest(argument)]
    products = [k for k, dim in enumerate(written.dims) if _is_product(dim.term)]
    if len(merged) != 1 or len(products) != 1 or merged == products:
        return None
    (place,) = products
    label = plain_name(written.dims[merged[0]])
    read, size = call.positional[place], known_dims(shape)[place].size
    if label is None or sizes.plain_symbol(size) is None or not _reads(read, receiver.name):
        return None
    others = [written.dims[k] for k in range(len(written.dims)) if k not in (place, merged[0])]
    if any(plain_name(dim) is None for dim in others):
        return None
    text = ", ".join(names_of(written.dims[place].term))
    return Contradiction(
        f"dim {place} is one dim of '{receiver.name}', and dim {merged[0]} merges the others: "
        f"{text} cannot be dim {place}"
    )


def _other_argument(
    value: ir.Expression, written: WrittenShape, shape: Shape
) -> Contradiction | None:
    """`x.view(choices, -1)  # (batch, choices)`: the comment has a size at another place."""
    if not isinstance(value, ir.Call) or value.keywords or not isinstance(shape, tuple):
        return None
    arguments, labels = value.positional, [plain_name(dim) for dim in written.dims]
    if not len(arguments) == len(labels) == len(shape) or not any(map(_is_rest, arguments)):
        return None
    names = [one.name if isinstance(one, ir.Name) else None for one in arguments]
    for place, name in enumerate(names):
        # A letter may be another one in the comment.
        if name is None or len(name) < 2 or names.count(name) + labels.count(name) != 2:
            continue
        if name not in labels or labels[place] in (name, None):
            continue
        there = labels.index(name)
        if _is_rest(arguments[there]):
            return Contradiction(f"dim {place} is '{name}', not dim {there}")
    return None


def _is_rest(argument: ir.Expression) -> bool:
    match argument:
        case ir.Unary("-", ir.Int(1)):
            return True
    return False


def _is_product(term: object) -> bool:
    return isinstance(term, Arithmetic) and term.operator == "*" and len(names_of(term)) > 1


def _reads(argument: ir.Expression, name: str) -> bool:
    """Whether an argument reads one size of a variable: `x.shape[0]`, `x.size(0)`."""
    match argument:
        case ir.Subscript(ir.Attribute(ir.Name(owner)), ir.Int()):
            return owner == name
        case ir.Call(ir.Attribute(ir.Name(owner)), (ir.Int(),)):
            return owner == name
    return False


def _other_one(
    ev: Evaluator, line: Line, written: WrittenShape, shape: Shape
) -> Contradiction | None:
    """The one 1 of a claim stands at another dim than that of a value of which little is known.

    A 1 in front of a comment may be a batch of one, and what is called a batch may be 1.
    """
    if any(dim.many or dim.term is None for dim in written.dims):
        return None
    ones = [place for place, dim in enumerate(written.dims) if dim.term == 1]
    if len(ones) != 1:
        return None
    kept = {_kept_one(dims, ones[0]) for dims in _possible(ev, line, written, shape)}
    place = kept.pop() if len(kept) == 1 else None
    label = None if place is None else plain_name(written.dims[place])
    if place is None or label is None or not _is_no_one(ev, label):
        return None
    is_last, is_batch = place == len(written.dims) - 1, label.lower() in BATCH
    if (place == 0 and is_batch) or (ones[0] == 0 and not (is_last or is_batch)):
        return None
    which = "the last dim" if is_last else f"dim {place}"
    return Contradiction(f"{which} is 1, not '{label}'")


def _possible(ev: Evaluator, line: Line, written: WrittenShape, shape: Shape) -> Sequence[Dims]:
    """The shapes that the value may have if it has as many dims as a claim."""
    dims, count = known_dims(shape), len(written.dims)
    if isinstance(shape, tuple):
        return [dims] if len(dims) == count else []
    value = ev.frame.variables.get(line.target.name)
    possible = [] if value is None else shapes_of_rank(ev, ev.resolve(value), count)
    if not possible and len(dims) <= count:
        possible = [(*unknown_dims(count - len(dims)), *dims)]
    return possible


def _kept_one(dims: Dims, other: int) -> int | None:
    """The place of the only 1 among dims, if nothing is known of the `other`."""
    ones = [place for place, dim in enumerate(dims) if dim.size == 1]
    if len(ones) != 1 or dims[other].size is not UNKNOWN:
        return None
    return ones[0]


def _is_no_one(ev: Evaluator, label: str) -> bool:
    """Whether nothing says that a label stands for 1."""
    variable = ev.frame.variables.get(label)
    return known_label(ev, label) != 1 and not (variable is not None and as_size(ev, variable) == 1)

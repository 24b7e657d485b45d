"""What else than its result the comment of a statement may be about.

On a line of its own above a statement that may be an operand, as the author has it before the line
is run:

    # (B, C, H, W)
    x = x.flatten(2).transpose(1, 2)
    # (B, H*W, C)

An operand of which little is known may have the claimed shape as well. A comment at the end of a
line is about the result, but one that spells a product, `A @ B -> C`, is about that, and a chain
`A -> B` beside a value that has the shape A goes on to the next line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from namecheck.analysis.asking.elements import iterate
from namecheck.analysis.evidence.comment_blocks import targets_of
from namecheck.analysis.evidence.contradictions import against_pattern, contradiction
from namecheck.analysis.evidence.labels import names, places_named
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.conversion import as_size
from namecheck.analysis.state.rank_back import answer_for, mixed_answer_for
from namecheck.analysis.state.unknown_ranks import Made, Mixed, is_open
from namecheck.analysis.state.values import (
    Anything,
    List,
    Number,
    Repeated,
    Tensor,
    Tuple,
    Value,
)
from namecheck.frameworks import TENSORS
from namecheck_runtime import sizes
from namecheck_runtime.declare import REGISTRY
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Shape, Size, known_dims
from namecheck_runtime.light.regexes import regex
from namecheck_runtime.notation.comments import Claim, read_product
from namecheck_runtime.notation.syntax import Arithmetic, WrittenDim, WrittenShape
from namecheck_runtime.notation.written import plain_name

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def value_of(statement: ir.Statement) -> ir.Expression | None:
    """The expression whose value a statement assigns, returns or drops."""
    match statement:
        case ir.Assign(_, value) | ir.AugmentedAssign(_, _, value):
            return value
        case ir.AnnotatedAssign(_, _, value) | ir.Return(value) | ir.ExpressionStatement(value):
            return value
    return None


def operand_meant(
    ev: Evaluator,
    statement: ir.Statement,
    comment: ir.Comment,
    claim: Claim,
    result: Value | None,
    letters: tuple[str | None, ...] = (),
) -> Value | None:
    """The operand of a statement that a comment above it is about rather than the result.

    That is one that the claim fits better, or one of which little is known, if the claim does not
    fit the result, unless comments above in this function have been about results alone. `result`
    is None if it is not one value, `letters` are the names of its dims in a pattern.
    """
    expression = value_of(statement)
    if expression is None or len(claim.alternatives) != 1 or claim.label is not None:
        return None
    if claim.before or result is None or _is_announced(comment.text, claim):
        return None  # it says what the statement makes of its operands
    written = claim.alternatives[0]
    conflict = against_pattern(written, letters) if letters else None
    agreed = -1 if conflict is not None else agreement(ev, written, ev.resolve(result))
    added = isinstance(statement, ir.AugmentedAssign)
    operands = [(_fit(ev, written, one), one) for one in operands_of(ev, expression, added)]
    read = ev.frame.written.read_above
    if agreed > 0:
        if operands and all(fits < 0 for fits, _ in operands):
            read[comment.line] = True
        return None
    meant: Value | None = None
    for fits, operand in operands:
        if fits > agreed and not (fits == 0 and _refused(ev, expression, operand, _dims(written))):
            meant, agreed = operand, fits
    between = comment.line in ev.frame.written.above
    if not between and _means_results(ev):
        return None
    if agreed > 0:
        read[comment.line] = False
    return meant


def _means_results(ev: Evaluator) -> bool:
    """Whether comments above in this function have been about results, and never about operands."""
    read = ev.frame.written.read_above
    return False not in read.values() and len(read) >= _SEVERAL


def _is_announced(text: str, claim: Claim) -> bool:
    """Whether a comment says that something is made: `-> (B, T)`, `reshape to (B, T)`."""
    return bool(_ARROW.search(text[: claim.end]) or _INTO.search(text[: claim.start]))


_ARROW: Final = regex(r"-+>|=+>|→", words=("->", "=>", "→"))
_INTO: Final = regex(r"\b(?:in)?to(?:\s+(?:the\s+)?(?:shape|size))?\W*$", re.I)

_SEVERAL: Final = 2
"""The number of comments above that name results, and cannot be about operands, which show that
the author of the function means results by them.
"""


def is_turned(statement: ir.Statement, text: str, claim: Claim) -> bool:
    """Whether a claim says what a statement makes of a variable: `v -> (B, C)` beside a use of v.

    It is not certain whether that is the result, or one step on the way there.
    """
    expression = value_of(statement)
    if expression is None or not _GIVES.search(text[: claim.start]):
        return False
    return any(isinstance(one, ir.Name) and one.name == claim.label for one in walk(expression))


_GIVES: Final = regex(r"(?:-+>|=+>|→)\W*$")


def _dims(written: WrittenShape) -> Dims:
    """A new size for each dim that a claim has."""
    return tuple([Dim(None, sizes.symbol("?")) for _ in written.dims])


def may_be_of_elements(
    ev: Evaluator, statement: ir.Statement, claim: Claim, result: Value | None
) -> bool:
    """Whether a comment above a statement fits the tensors in a list that the statement joins, and
    does not fit what it makes of them: `(B, C)` above `torch.stack([f(x) for x in xs], 1)`.
    """
    expression = value_of(statement)
    if expression is None or result is None or len(claim.alternatives) != 1:
        return False
    written, made = claim.alternatives[0], ev.resolve(result)
    agreed = agreement(ev, written, made)
    if claim.before or agreed > 0 or not (is_open(made) or isinstance(made, Tensor)):
        return False
    fits = [_fit(ev, written, element) for element in _elements(ev, expression)]
    least = 0 if agreed < 0 or is_open(made) else 1
    return any(fit >= least for fit in fits)


def _elements(ev: Evaluator, expression: ir.Expression) -> Iterator[Value]:
    """The values in the lists that an expression hands to calls, and that may be tensors."""
    for part, _ in _parts(ev, expression):
        value = None if part is expression else _watched(ev, part)
        if isinstance(value, (List, Tuple, Repeated)):
            held = iterate(ev, value)
            inside = (held.element,) if isinstance(held, Repeated) else held or ()
            for element in map(ev.resolve, inside):
                if isinstance(element, Tensor) or (is_open(element) and _is_joined(ev, element)):
                    yield element


def _is_joined(ev: Evaluator, element: Value) -> bool:
    """Whether an op of several tensors has taken a value of which nothing is known."""
    return any(ev.resolve(mixed.operand) is element for mixed in ev.ranks.mixed.values())


def may_be_of_operand(
    ev: Evaluator, statement: ir.Statement, claim: Claim, result: Value | None
) -> bool:
    """Whether a comment above a statement may as well be about an unknown operand.

    The op may change its shape, or unknown code may: `x = self.block(x)`. What the comment says of
    the result is not known then.
    """
    expression = value_of(statement)
    if expression is None or result is None or claim.before:
        return False
    if agreement(ev, claim.alternatives[0], ev.resolve(result)) > 0:
        return False
    operands = list(operands_of(ev, expression))
    made = ev.resolve(result)
    known = isinstance(made, Tensor) and isinstance(made.shape, tuple)
    if not known and _means_results(ev):
        return False
    dims = _dims(claim.alternatives[0])
    results: list[Value | None] = [made]
    if isinstance(expression, ir.Conditional):
        results += [_watched(ev, expression.body), _watched(ev, expression.orelse)]
    elif isinstance(statement, ir.AugmentedAssign):
        results.append(_watched(ev, expression))
    for value in results:
        for operand in operands:
            shape = None if value is None else made_from(ev, value, (operand,), dims, alone=False)
            if shape is None:
                continue
            if [dim.size for dim in known_dims(shape)] != [dim.size for dim in dims]:
                # Where neither rank is known, an op that keeps it leaves no doubt about that.
                if known or len(known_dims(shape)) != len(dims) or _indexes(ev, expression):
                    return True
    return not known and (_is_rebound(statement, expression) or _reduces(ev, expression))


def _reduces(ev: Evaluator, expression: ir.Expression) -> bool:
    """Whether an expression calls a reduction on something unknown that may be a tensor."""
    for part, _ in _parts(ev, expression):
        match part:
            case ir.Call(ir.Attribute(receiver, name)):
                value = _watched(ev, receiver)
                if value is None or not is_open(value):
                    continue
                spellings = [REGISTRY.get(f"{library}.{name}") for library in TENSORS]
                if any(one is not None and one.op.effect in _REDUCING for one in spellings):
                    return True
    return False


_REDUCING: Final = frozenset({"mean", "sum", "spread", "extent"})
"""The effects of ops that take dims away."""


def _indexes(ev: Evaluator, expression: ir.Expression) -> bool:
    """Whether an expression takes a part of a tensor."""
    parts = [_watched(ev, part) for part, _ in _parts(ev, expression)]
    return any(part in ev.ranks.indexed for part in parts if part is not None)


def _is_rebound(statement: ir.Statement, expression: ir.Expression) -> bool:
    """Whether a statement gives a variable that it reads another value."""
    targets = targets_of(statement)
    return any(isinstance(node, ir.Name) and node.name in targets for node in walk(expression))


def made_from(
    ev: Evaluator, result: Value, operands: Sequence[Value], shape: Shape, alone: bool = True
) -> Shape | None:
    """What the ops of a line make of one operand of unknown rank, if it has this shape.

    None if no known ops lead from an operand to the result. Subscripts, and ops of several such
    operands, count only if the operand need not be `alone`.
    """
    value = ev.resolve(result)
    calls: list[Made | Mixed] = []
    while value not in operands:
        made: Made | Mixed | None = _made(ev, value)
        if made is None and not alone:
            made = ev.ranks.indexed.get(value) or ev.ranks.mixed.get(value)
        if made is None or len(calls) > 20:
            return None
        calls.append(made)
        value = ev.resolve(made.operand)
    if not calls:
        return None
    while calls:
        call = calls.pop()
        if isinstance(call, Made):
            answer = answer_for(call, shape)
        else:
            answer = mixed_answer_for(call, shape)
        shape = answer if isinstance(answer, tuple) else UNKNOWN
    return shape


def agreement(ev: Evaluator, written: WrittenShape, value: Value) -> int:
    """How many dims of a value a claim names or gives the size of; -1 if it cannot be about it."""
    shape: Shape = ev.current(value.shape) if isinstance(value, Tensor) else UNKNOWN
    if shape is UNKNOWN:
        return 0
    many = any(dim.many for dim in written.dims)
    dims = known_dims(shape)
    if isinstance(shape, tuple) and len(dims) != len(written.dims) and not many:
        return -1
    if contradiction(ev, written, shape) is not None:
        return -1
    if many:
        return 0
    agreed = 0
    for back in range(1, min(len(dims), len(written.dims)) + 1):
        dim, size = written.dims[-back], dims[-back].size
        name = plain_name(dim)
        if name is not None:
            agreed += names(ev, name, size)
        elif isinstance(dim.term, int) and isinstance(size, int):
            agreed += dim.term == size
    return agreed


def only_fitting(
    ev: Evaluator, claim: Claim, targets: Sequence[str], values: Sequence[Value | None]
) -> list[Value | None]:
    """Of the values of several targets, the one that a single claim is about; None for the others.

    That is the only one that it fits, or the only one that is not dropped.
    """
    written = claim.alternatives[0]
    meant = [
        value is not None
        and agreement(ev, written, ev.resolve(value)) >= 0
        and (not target.startswith("_") or isinstance(ev.resolve(value), Tensor))
        for target, value in zip(targets, values, strict=True)
    ]
    one = meant.count(True) == 1
    return [value if one and fits else None for value, fits in zip(values, meant, strict=True)]


def _fit(ev: Evaluator, written: WrittenShape, operand: Value) -> int:
    """The agreement of a claim with an operand, in which its labels name no other dims."""
    agreed = agreement(ev, written, operand)
    dims = known_dims(ev.current(operand.shape)) if isinstance(operand, Tensor) else ()
    for place, dim in enumerate(written.dims):
        name = plain_name(dim)
        if name is not None and agreed >= 0 and not any(one.many for one in written.dims):
            places = {k + len(written.dims) - len(dims) for k in _named(ev, name, dims)}
            if places and place not in places:
                return -1
        back = len(written.dims) - place
        if agreed >= 0 and back <= len(dims) and _exceeds(ev, dim, dims[-back].size):
            return -1
    return agreed


def _exceeds(ev: Evaluator, written: WrittenDim, size: Size) -> bool:
    """Whether a claim has a dim times something: `b*heads` where the value has `b`."""
    factors = [written.term]
    while isinstance(factors[0], Arithmetic) and factors[0].operator == "*":
        factors[:1] = [factors[0].left, factors[0].right]
    if len(factors) < 2 or 1 in factors:
        return False
    return any(isinstance(factor, str) and names(ev, factor, size) for factor in factors)


def _named(ev: Evaluator, name: str, dims: Dims) -> list[int]:
    return places_named(ev, name, [dim.size for dim in dims])


def operands_of(ev: Evaluator, expression: ir.Expression, added: bool = False) -> Iterator[Value]:
    """The values that an expression begins with: what it reads, and what unknown calls return.

    If it is `added` to a variable, it is one itself.
    """
    result = _watched(ev, expression)
    dims = known_dims(ev.current(result.shape)) if isinstance(result, Tensor) else ()
    atoms = {atom for dim in dims for atom in sizes.symbols(dim.size)}
    for part, sure in _parts(ev, expression):
        value = _watched(ev, part)
        if part is expression and not added:
            continue
        if isinstance(value, Tensor):
            if _is_read(ev, part) or value.shape is UNKNOWN:
                yield value
        elif isinstance(value, Anything) and sure and not value.config:
            if atoms.isdisjoint(sizes.symbols(as_size(ev, value))):  # else it is a size
                yield value


def _made(ev: Evaluator, value: Value) -> Made | None:
    return ev.ranks.made_of.get(value) or ev.ranks.laid_out.get(value)


def _refused(ev: Evaluator, expression: ir.Expression, operand: Value, dims: Dims) -> bool:
    """Whether an op of a statement does not take an operand, of unknown rank, with these dims."""
    for part, _ in _parts(ev, expression):
        value = _watched(ev, part)
        made = None if value is None else _made(ev, value)
        if made is not None and ev.resolve(made.operand) is operand:
            if answer_for(made, dims) is None:
                return True
    return False


def _parts(ev: Evaluator, expression: ir.Expression) -> Iterator[tuple[ir.Expression, bool]]:
    """The parts of an expression that may be tensors, outer before inner.

    The flag says whether a part of which nothing is known may be one.
    """
    waiting: list[tuple[ir.Expression, bool]] = [(expression, True)]
    while waiting:
        part, sure = waiting.pop()
        yield part, sure
        value = _watched(ev, part)
        if isinstance(value, Number) or (isinstance(value, Anything) and not sure):
            continue  # a size, whatever it is read off
        match part:
            case ir.Call(function, positional, keywords):
                receiver = function.value if isinstance(function, ir.Attribute) else None
                owner = None if receiver is None else _watched(ev, receiver)
                # The other arguments of a method are sizes or dims, unless they are tensors.
                sure_too = sure and not isinstance(owner, (Tensor, Anything))
                waiting += [(keyword.value, False) for keyword in reversed(keywords)]
                waiting += [(argument, sure_too) for argument in reversed(positional)]
                if receiver is not None:
                    waiting.append((receiver, sure))
            case ir.Subscript(indexed) | ir.Attribute(indexed):
                waiting.append((indexed, sure))
            case ir.Binary(left, _, right):
                waiting += [(right, sure), (left, sure)]
            case ir.Unary(_, operand) | ir.Starred(operand) | ir.Await(operand):
                waiting.append((operand, sure))
            case ir.Conditional(_, body, orelse):
                waiting += [(orelse, sure), (body, sure)]
            case ir.Tuple(elements) | ir.List(elements):
                waiting += [(element, sure) for element in reversed(elements)]


def _is_read(ev: Evaluator, part: ir.Expression) -> bool:
    """Whether a part is a variable, an attribute, or an element of a list or dict."""
    while isinstance(part, (ir.Attribute, ir.Subscript)):
        part = part.value
        if isinstance(_watched(ev, part), Tensor):
            return False  # it is a part of that tensor
    return isinstance(part, ir.Name)


def _product_inside(ev: Evaluator, statement: ir.Statement, text: str, result: Value) -> bool:
    """Whether a comment spells a product, `A @ B -> C`, of which its line makes something else.

    Then it is about the product, unless it fits the result.
    """
    shapes = read_product(text)
    expression = value_of(statement)
    if shapes is None or expression is None:
        return False
    if not _reshapes_a_product(ev, expression):
        return False
    return agreement(ev, shapes[-1], ev.resolve(result)) <= 0


def describes_another(
    ev: Evaluator, statement: ir.Statement, comment: ir.Comment, claim: Claim, result: Value
) -> bool:
    """Whether a comment describes an operation inside its statement, or one that it does not have.

    Such a comment heads a block that ends with the operation. It may fit the result all the same.
    """
    text = comment.text
    if comment.place == "trailing" and _product_inside(ev, statement, text, result):
        return True
    expression = value_of(statement)
    if expression is None or len(claim.alternatives) != 1:
        return False
    if claim.operands:
        described = makes_of_operands(ev, statement, comment, claim)
    else:
        described = not (claim.before or _is_announced(text, claim)) or _computes(ev, expression)
    return not described and agreement(ev, claim.alternatives[0], ev.resolve(result)) <= 0


def makes_of_operands(
    ev: Evaluator, statement: ir.Statement, comment: ir.Comment, claim: Claim
) -> bool:
    """Whether a statement has an op of as many operands as a claim names.

    Next to the operands `(A) x (B)` of a product a layer has its weights.
    """
    expression = value_of(statement)
    if expression is None:
        return False
    if claim.operands == 2 and read_product(comment.text) is not None:
        return any(map(_is_product, walk(expression)))
    return any(_count(ev, record) >= claim.operands for record in walk(expression))


def _count(ev: Evaluator, record: ir.Record) -> int:
    """How many operands the op in a part of an expression may have; 1 if it is no op."""
    match record:
        case ir.Binary(left, _, right):
            return _count(ev, left) + _count(ev, right)
        case ir.Call(function, positional, keywords):
            arguments = [*positional, *[keyword.value for keyword in keywords]]
            receiver = function.value if isinstance(function, ir.Attribute) else None
            return sum(map(_width, arguments)) + (receiver is not None and _holds(ev, receiver))
    return 1


def _width(argument: ir.Expression) -> int:
    """How many operands an argument may be."""
    match argument:
        case ir.Tuple(elements) | ir.List(elements):
            return sum(map(_width, elements))
        case ir.Str() | ir.Int() | ir.Float() | ir.Bool() | ir.NoneLiteral() | ir.Unary():
            return 0
    return 1


def _holds(ev: Evaluator, receiver: ir.Expression) -> bool:
    """Whether the receiver of a method may be a tensor: a library or a module is none."""
    match receiver:
        case ir.Name(name):
            value = ev.frame.variables.get(name)
            return value is not None and isinstance(ev.resolve(value), (Tensor, Anything))
        case ir.Attribute():
            return isinstance(_watched(ev, receiver), Tensor)
    return True


def _is_product(record: ir.Record) -> bool:
    """Whether a part of an expression may be an operation of two tensors."""
    match record:
        case ir.Binary():
            return True
        case ir.Call(ir.Attribute(), positional, keywords):
            return bool(positional or keywords)
        case ir.Call(_, positional, keywords):
            return len(positional) + len(keywords) > 1
    return False


def _computes(ev: Evaluator, expression: ir.Expression) -> bool:
    """Whether an expression makes a new value: not if it only gives one another name."""
    match expression:
        case ir.Name():
            return False
        case ir.Attribute(owner):
            return isinstance(_watched(ev, owner), Tensor)
        case ir.Tuple(elements) | ir.List(elements):
            return any(_computes(ev, element) for element in elements)
    return True


def _reshapes_a_product(ev: Evaluator, expression: ir.Expression) -> bool:
    """Whether an expression makes something else of the result of a call or of an operator."""
    match expression:
        case ir.Binary(left, operator, right):
            sides = (left, right)
            return operator != "@" and any(_reshapes_a_product(ev, side) for side in sides)
        case ir.Call():
            if _is_of_two(ev, expression):
                return False
        case ir.Subscript() | ir.Attribute():
            pass
        case _:
            return False
    parts = [part for part, _ in _parts(ev, expression) if part is not expression]
    return any(isinstance(part, (ir.Binary, ir.Call)) for part in parts)


def _is_of_two(ev: Evaluator, call: ir.Call) -> bool:
    """Whether a call is an operation of two tensors, as a product is."""
    owner = [call.function.value] if isinstance(call.function, ir.Attribute) else []
    values = [_watched(ev, part) for part in (*owner, *call.positional)]
    if sum(isinstance(value, Tensor) for value in values) > 1:
        return True
    is_method = bool(owner) and isinstance(values[0], (Tensor, Anything))
    return not is_method and sum(isinstance(v, (Tensor, Anything)) for v in values) > 1


def chain_goes_on(
    ev: Evaluator,
    expression: ir.Expression,
    before: Sequence[WrittenShape],
    last: WrittenShape,
    result: Value,
    middle: Sequence[WrittenShape] = (),
) -> bool:
    """Whether a chain `A -> B` beside a statement begins with its result: the next line makes B.

    The operands have neither shape, or the result is in the `middle`: B of `A -> B -> C`.
    """
    result = ev.resolve(result)
    agreed = agreement(ev, last, result)
    if isinstance(result, Tensor) and any(
        agreement(ev, one, result) >= max(agreed, 0) for one in middle
    ):
        return True
    if agreed > 0:
        return False
    begun = [one for one in before if agreement(ev, one, result) > 0]
    return bool(begun) and all(
        agreement(ev, written, operand) < 0
        for operand in operands_of(ev, expression)
        for written in (*begun, last)
    )


def _watched(ev: Evaluator, part: ir.Expression) -> Value | None:
    watched = ev.frame.watched
    value = None if watched is None else watched.get(part.id)
    return None if value is None else ev.resolve(value)

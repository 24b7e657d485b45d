"""What a statement with comments assigns, as its syntax shows it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.independence import BATCH
from namecheck.analysis.state.values import Anything, Instance, Tensor, Value
from namecheck_runtime import declare
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.light.regexes import regex
from namecheck_runtime.notation.comments import Claim
from namecheck_runtime.notation.patterns import read_einops, read_einops_einsum, read_einsum
from namecheck_runtime.notation.syntax import NotationError, WrittenDim
from namecheck_runtime.notation.written import plain_name

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def has_parts(statement: ir.Statement) -> bool:
    """Whether a statement unpacks parts of different meaning, as `svd` and `max` return."""
    match statement:
        case ir.Assign(value=ir.Call(ir.Name(name) | ir.Attribute(_, name))):
            return any(path.rpartition(".")[2] == name for path in declare.PARTS)
    return False


def assigns_more(statement: ir.Statement) -> bool:
    """Whether a statement unpacks into variables and other places: `out["x"], y = f(z)`."""
    if not isinstance(statement, ir.Assign):
        return False
    return any(
        isinstance(part, (ir.Attribute, ir.Subscript))
        for target in statement.targets
        if isinstance(target, (ir.Tuple, ir.List))
        for part in target.elements
    )


def is_of_whole(ev: Evaluator, claim: Claim, values: Sequence[Value | None]) -> bool:
    """Whether a comment has one dim more than each of several targets: that which they take apart.

    `q, k, v = qkv.unbind(0)  # (3, B, T, D)`
    """
    value = None if len(values) < 2 or values[0] is None else ev.resolve(values[0])
    shape = ev.current(value.shape) if isinstance(value, Tensor) else UNKNOWN
    if not isinstance(shape, tuple):
        return False
    return any(len(written.dims) == len(shape) + 1 for written in claim.alternatives)


def target_on_line(ev: Evaluator, statement: ir.Statement, comment: ir.Comment) -> ir.Name | None:
    """The variable behind which a comment stands among the targets of an unpacking.

    None if there are others on its line.
    """
    if not isinstance(statement, ir.Assign) or len(statement.targets) != 1:
        return None
    (targets,) = statement.targets
    if not isinstance(targets, (ir.Tuple, ir.List)):
        return None
    code = ev.frame.source.text_of(comment.line).partition("#")[0]
    for target in targets.elements:
        if isinstance(target, ir.Name) and target.id == comment.target:
            return target if code.strip("([, \t") == target.name else None
    return None


def part_on_line(
    ev: Evaluator, statement: ir.Statement, comment: ir.Comment
) -> ir.Expression | None:
    """The expression that is all there is on the line of a comment, as an argument may be."""
    code = ev.frame.source.text_of(comment.line)
    if not _is_one_part(code[: code.rfind(comment.text)] if comment.text in code else ""):
        return None
    for record in walk(statement):
        if isinstance(record, ir.Expression) and record.id == comment.target:
            return record
    return None


def _is_one_part(code: str) -> bool:
    """Whether code is one expression behind which a comma may stand: no comma stands between."""
    code = code.strip().removesuffix(",")
    depth = 0
    for letter in code:
        depth += (letter in "([{") - (letter in ")]}")
        if depth < 0 or (letter == "," and not depth) or letter in "\"'#":
            return False
    return bool(code) and not depth


def may_be_spread(ev: Evaluator, call: ir.Call) -> bool:
    """Whether the only operand of a call has a dim of size 1 on some path."""
    match call.positional:
        case (ir.Name(name),):
            operand = ev.frame.variables.get(name)
            return isinstance(operand, (Anything, Tensor)) and operand.spread
    return False


def is_for_any_rank(expression: ir.Expression) -> bool:
    """Whether an expression leaves open how many dims its tensors have: `x[..., 0]`."""
    return any(isinstance(record, ir.EllipsisLiteral) for record in walk(expression))


_SPACED: Final = regex(r" (?=->)|(?<=->) |(?<=,) ")


def letters_of(call: ir.Call) -> tuple[str | None, ...]:
    """The names that the pattern of a call gives to the dims of its result.

    None stands for a dim without one name. The names are () if there is no pattern.
    """
    written = [one.value for one in call.positional if isinstance(one, ir.Str)]
    if len(written) != 1 or written[0].count("->") != 1:
        return ()
    (text,) = written
    groups: list[tuple[WrittenDim, ...]]
    try:
        if " " not in _SPACED.sub("", text):
            groups = [(dim,) for dim in read_einsum(text).result.dims]
        elif "," in text:
            groups = [(dim,) for dim in read_einops_einsum(text).result.dims]
        else:
            groups = [group.dims for group in read_einops(text).right.groups]
    except NotationError:
        return ()
    if any(dim.many for group in groups for dim in group):
        return ()
    return tuple([plain_name(group[0]) if len(group) == 1 else None for group in groups])


def stored_tensor(ev: Evaluator, statement: ir.Statement) -> Tensor | None:
    """The tensor of known dims that `self.x = ...` stores; None for modules and hooks."""
    match statement:
        case ir.Assign((ir.Attribute(ir.Name(owner), name),)):
            receiver = ev.resolve(ev.frame.variables.get(owner, Anything()))
            if isinstance(receiver, Instance):
                value = ev.cells.get((receiver, name))
                value = ev.resolve(value) if isinstance(value, Value) else None
                if isinstance(value, Tensor) and isinstance(value.shape, tuple):
                    return value
    return None


def is_of_shape_assigned(statement: ir.Statement) -> bool:
    return isinstance(statement, ir.Assign) and _is_of_shape(statement.value)


def _is_of_shape(value: ir.Expression) -> bool:
    """`x.shape`, `x.size()`, or a part of one."""
    while isinstance(value, ir.Subscript):
        value = value.value
    if isinstance(value, ir.Call):
        value = value.function
    return isinstance(value, ir.Attribute) and value.name in ("shape", "size")


def is_of_known_rank(ev: Evaluator, value: Value | None) -> bool:
    tensor = None if value is None else ev.resolve(value)
    return (
        isinstance(tensor, Tensor) and isinstance(tensor.shape, tuple) and not tensor.rank_claimed
    )


def all_alike(ev: Evaluator, values: list[Value | None]) -> bool:
    """Whether several targets are tensors of one shape, so that one claim holds for each."""
    shapes = {
        ev.current(tensor.shape)
        for value in values
        if value is not None and isinstance(tensor := ev.resolve(value), Tensor)
    }
    return len(shapes) == 1 and None not in values


def reported_at(statement: ir.Statement) -> ir.Node:
    """The part of a statement at which its comments are reported: what it assigns or returns."""
    match statement:
        case ir.Assign(targets):
            return targets[0]
        case ir.AnnotatedAssign(target) | ir.AugmentedAssign(target):
            return target
        case ir.Return(value) if value is not None:
            return value
        case ir.ExpressionStatement(value):
            return value
    return statement


def speaks_of_tensor(claim: Claim, above: bool) -> bool:
    """Whether a comment beside a value is nothing but a shape, and certainly that of a tensor.

    `(H, W)` may be the value itself, a pair of sizes.
    """
    dims = claim.alternatives[0].dims
    if above or claim.confidence != "whole" or claim.before or len(dims) < 2:
        return False
    first = plain_name(dims[0])
    return len(dims) > 2 or (first is not None and first.lower() in {*BATCH, "n"})

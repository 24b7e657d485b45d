"""The function by which every reader asks a rule: `infer(call, arguments) -> Answer`.

It binds the call, copes with what the rule does not handle (unknown ranks, unknown flags), gathers
duties and doubts, derives `out=` and in-place forms by `destination`, and gives each mistake the
name of its op.
"""

from __future__ import annotations

from namecheck_runtime.algebra import (
    Duty,
    Record,
    TooLarge,
    begin_answer,
    end_answer,
    open_answer,
    require_dims,
    require_equal,
)
from namecheck_runtime.binding import Bound, Rule, bind_rule, is_number, shape_of
from namecheck_runtime.declare import REGISTRY, Spelling, Unbindable, bind
from namecheck_runtime.lattice import (
    MOST_DIMS,
    UNKNOWN,
    Dim,
    Dims,
    Shape,
    Trailing,
    known_dims,
    trailing,
)
from namecheck_runtime.layers import Instance
from namecheck_runtime.light.memory_orders import KEYWORD, ORDERS, memory_format
from namecheck_runtime.mistakes.base import Blame, Mistake
from namecheck_runtime.mistakes.dims import DimOutOfRange, RankMismatch
from namecheck_runtime.mistakes.names import InplaceSize, OutNames, OutSize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Final


class Answer:
    """The answer of a rule: its result, its duties and its doubts."""

    __slots__ = ("doubts", "duties", "limit", "result")

    def __init__(
        self,
        result: Any,
        duties: tuple[Duty, ...] = (),
        doubts: tuple[Mistake, ...] = (),
        limit: str = "",
    ) -> None:
        self.result: Final = result
        """A shape; a tuple of shapes for several results, nested as the library nests them (an
        LSTM's `(output, (h, c))`), with None for a missing result; a size, or a tuple of sizes, for
        questions.
        """
        self.duties: Final = duties
        self.doubts: Final = doubts
        self.limit: Final = limit
        """Why the result is UNKNOWN although the rule knows it: it is too large to follow."""


def infer(
    call: str | Spelling | Instance,
    arguments: Sequence[Any] = (),
    keywords: Mapping[str, Any] | None = None,
    bound: Bound | None = None,
    bounded: bool = True,
) -> Answer:
    """Ask the rule of an op (by a spelling) or of an instance of a layer.

    Tensors are passed as shapes, sizes as ints or symbols, everything else as itself, and whatever
    is not known as UNKNOWN. Raises the rule's Mistake if the call is wrong for every input that the
    arguments allow, Unbindable (a TypeError) if no signature takes it, KeyError for a spelling that
    is not in the registry.  `bound` is the result of `bind`, if the reader has called it already.
    A result with more pieces or dims than readers follow is UNKNOWN, and the answer says so in
    `limit`; a reader that computes asks for a result that is not `bounded`.
    """
    if isinstance(call, str):
        call = REGISTRY[call]
    record = Record([], [], bounded)
    token = begin_answer(record)
    limit = ""
    try:
        if isinstance(call, Spelling):
            result = _ask_op(call, arguments, keywords or {}, bound)
        else:
            result = _ask_layer(call, arguments, keywords or {})
        if type(result) is tuple and len(result) > MOST_DIMS and type(result[0]) is Dim:
            require_dims(len(result))
    except Mistake as mistake:
        raise mistake.with_op(_name_of(call)) from None
    except TooLarge as reason:
        result, limit = UNKNOWN, f"the result of {_name_of(call)} {reason}"
    except OverflowError:  # a number that no float holds
        result = UNKNOWN
    finally:
        end_answer(token)
    duties, doubts = record.duties, record.doubts
    if not duties and not doubts:
        return Answer(result, limit=limit)
    name = _name_of(call)
    return Answer(
        result,
        tuple(duty._replace(mistake=duty.mistake.with_op(name)) for duty in duties),
        tuple(doubt.with_op(name) for doubt in doubts),
        limit,
    )


def _name_of(call: Spelling | Instance) -> str:
    """The name of a call in messages.

    For a Python operator, that of the op (`iadd` is `add_`, `__matmul__` is `matmul`).
    """
    if not isinstance(call, Spelling):
        return call.layer.name
    operator = call.path.startswith("operator.") or ".__" in call.path
    if operator and call.op.name != call.path:
        return call.op.name + "_" * call.inplace
    return call.path


def _ask_op(
    spelling: Spelling,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    bound: Bound | None,
) -> Any:
    out = None
    if keywords or spelling.order:
        arguments, keywords, out = _take_out(spelling, arguments, keywords)
    if bound is None:
        bound = bind(spelling, arguments, keywords)
    result = UNKNOWN if bound is None else _ask_rule(bound)
    order = keywords.get(KEYWORD) if keywords else None
    if isinstance(order, memory_format) and isinstance(result, tuple) and _is_shape(result):
        _require_rank_of(order, result)
    if spelling.inplace and not spelling.op.reshapes:
        return destination(arguments[0], result, resize=False)
    if out is None:
        return result
    if isinstance(out, tuple) and out and not isinstance(out[0], Dim):
        single = _is_shape(result)
        if single and len(out) == 1:
            return destination(out[0], result, resize=True)  # a NumPy ufunc's `out=(x,)`
        results = result if isinstance(result, tuple) else (UNKNOWN,) * len(out)
        if single or len(results) != len(out):
            raise Unbindable(f"{spelling.path} does not write to {len(out)} outputs")
        return tuple(
            destination(dst, part, resize=True) for dst, part in zip(out, results, strict=True)
        )
    if isinstance(result, tuple) and result and not isinstance(result[0], Dim):
        if not spelling.order and out is not UNKNOWN:
            raise Unbindable(f"{spelling.path} writes to {len(result)} outputs")
        return result  # several results: NumPy's `out` may be the first alone
    return destination(out, result, resize=True)


def _is_shape(result: Any) -> bool:
    """Whether a rule's result is the dims of one tensor."""
    return isinstance(result, tuple) and all(isinstance(dim, Dim) for dim in result)


def _require_rank_of(order: memory_format, result: Dims) -> None:
    """Raise RankMismatch if an order is defined for another number of dims.  Source: PyTorch."""
    if order.rank is None or len(result) == order.rank:
        return
    fitting = [other for other in ORDERS.values() if other.rank == len(result)]
    raise RankMismatch(
        shape=result,
        wanted=str(order.rank),
        text=f"required rank {order.rank} tensor to use {order.name} format",
        needing=f"`{order}`",
        advice=f"the order for {len(result)} dims is `{fitting[0]}`" if fitting else "",
        blame=(Blame(KEYWORD),),
    )


def _take_out(
    spelling: Spelling, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> tuple[Sequence[Any], Mapping[str, Any], Any]:
    """The call without its `out`, and the `out` itself; None if there is none.

    It may be one of NumPy's positional arguments.
    """
    order = spelling.order or ()
    if "out" in order and order.index("out") < len(arguments):
        place = order.index("out")
        keywords = {**keywords, **dict(zip(order[place:], arguments[place:], strict=False))}
        arguments = arguments[:place]
    out = keywords.get("out")
    if out is None:
        return arguments, keywords if "out" not in keywords else _without_out(keywords), None
    if not spelling.op.out:
        raise Unbindable(f"{spelling.path} does not take out=")
    return arguments, _without_out(keywords), out


def _without_out(keywords: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in keywords.items() if name != "out"}


def _ask_layer(instance: Instance, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    bound = bind_rule(instance.layer.forward, arguments, keywords)
    if bound is None:
        raise Unbindable(f"{instance.layer.name} does not take these arguments")
    return _ask_rule(bound, instance.fields)


def _ask_rule(bound: Bound, *first: Any) -> Any:
    rule, values = bound.rule, bound.values
    if bound.unknown:
        return rule.unknown_result()
    partial = [name for name in rule.ranked if type(values[name]) is not tuple]
    if partial:
        partial = [n for n in partial if values[n] is UNKNOWN or isinstance(values[n], Trailing)]
    if not partial:
        return _call(rule, values, first)
    if not rule.leading or any(values[name] is UNKNOWN for name in partial):
        return rule.unknown_result()
    return _ask_from_the_right(rule, values, partial, first)


def _call(rule: Rule, values: dict[str, Any], first: tuple[Any, ...]) -> Any:
    if rule.plain:
        return rule.function(*first, *values.values())
    arguments: list[Any] = list(first)
    keywords: dict[str, Any] = {}
    for parameter in rule.parameters:
        value = values[parameter.name]
        if parameter.kind == "variadic":
            arguments.extend(value if isinstance(value, (tuple, list)) else (value,))
        elif parameter.kind == "keyword":
            keywords[parameter.name] = value
        elif parameter.kind == "keywords":
            keywords.update(value)
        else:
            arguments.append(value)
    return rule.function(*arguments, **keywords)


def _ask_from_the_right(
    rule: Rule, values: dict[str, Any], partial: list[str], first: tuple[Any, ...]
) -> Any:
    """Ask a `leading` rule about shapes with only the last dims known.

    Its answer begins with `...`. The answer does not depend on the other dims if dim arguments
    count from the right and refer to known dims; else it is UNKNOWN.
    """
    asked = dict(values)
    rank = min(len(values[name].dims) for name in partial)
    for name in partial:
        asked[name] = values[name].dims[-rank:]
    for parameter in rule.parameters:
        if not {"DimRef", "DimRefs"}.isdisjoint(parameter.takes):
            value = asked[parameter.name]
            for ref in value if isinstance(value, tuple) else (value,):
                if not _within(ref, asked[partial[0]]):
                    return rule.unknown_result()
    try:
        return _lead(_call(rule, asked, first), rule.returns)
    except (RankMismatch, DimOutOfRange):
        # There may be more dims than the known ones, so too few of them are not a mistake.
        return rule.unknown_result()


def _within(ref: Any, dims: Dims) -> bool:
    if isinstance(ref, str):
        return any(dim.name == ref for dim in dims)
    return isinstance(ref, int) and -len(dims) <= ref < 0


def _lead(result: Any, returns: str) -> Any:
    if returns == "Shape":
        return trailing(result) if isinstance(result, tuple) else result
    if returns in ("Size", "Sizes"):
        return result if returns == "Size" else UNKNOWN
    return tuple(_lead(part, "Shape") for part in result) if isinstance(result, tuple) else result


def apply(
    path: str, *arguments: Any, blame: Mapping[str, str] | None = None, **keywords: Any
) -> Any:
    """Ask another op from inside a rule: its duties and doubts become those of this rule.

    `blame` maps the arguments of the inner op to those of the outer one.  A mistake becomes one of
    the outer op, with the inner one as its `within`.
    """
    names = blame or {}
    record = open_answer()
    try:
        answer = infer(path, arguments, keywords, bounded=record.bounded)
    except Mistake as mistake:
        raise _outer(mistake, names) from None
    record.duties.extend(
        duty._replace(mistake=_outer(duty.mistake, names)) for duty in answer.duties
    )
    record.doubts.extend(_outer(doubt, names) for doubt in answer.doubts)
    return answer.result


def _outer(mistake: Mistake, names: Mapping[str, str]) -> Mistake:
    blame = tuple(Blame(names.get(b.argument, b.argument), b.dim) for b in mistake.blame)
    return mistake.but(op="", blame=blame, within=mistake)


def destination(dst: Any, computed: Any, *, resize: bool) -> Shape:
    """The shape of `dst` after `out=`, `op_` or `op=` has written a result to it.

    In place (`resize=False`) the sizes must be those of `dst`, which takes the computed names.
    `out=` resizes an unnamed `dst`, which takes the names; a named one must have the same sizes and
    exactly the same names, with None as a value. Raises InplaceSize, InplaceNames, OutSize,
    OutNames. Source: name inference, "out function and in-place".
    """
    if is_number(computed):
        computed = ()  # a number is written as a tensor without dims
    # A value that looks like a number may be a tensor.
    dst = UNKNOWN if is_number(dst) else shape_of(dst)
    if not isinstance(computed, tuple) or not isinstance(dst, tuple):
        if not resize:
            return _names_unknown(dst, computed)
        named = isinstance(dst, tuple) and any(isinstance(dim.name, str) for dim in dst)
        shape: Shape = dst if named else computed
        return shape
    if not resize:
        if len(dst) != len(computed):
            raise InplaceSize(destination=dst, computed=computed, blame=(Blame("input"),))
        for mine, theirs in zip(dst, computed, strict=True):
            if mine.size != theirs.size:
                mistake = InplaceSize(destination=dst, computed=computed, blame=(Blame("input"),))
                require_equal(mine.size, theirs.size, mistake)
        return tuple(mine.rename(theirs.name) for mine, theirs in zip(dst, computed, strict=True))
    if any(isinstance(dim.name, str) for dim in dst):
        _require_same(dst, computed)
        return dst
    return computed


def _names_unknown(dst: Shape, computed: Shape) -> Shape:
    """The shape of `dst` after an in-place op whose result is not fully known.

    Sizes and names stay as they are; an unnamed dim may have a name now.
    """
    if dst is UNKNOWN:
        return computed
    theirs = known_dims(computed)

    def take(back: int, mine: Dim) -> Dim:
        if back <= len(theirs):
            return mine.rename(theirs[-back].name)
        return mine if mine.name is not None else mine.rename(UNKNOWN)

    dims = known_dims(dst)
    taken = tuple(take(len(dims) - index, dim) for index, dim in enumerate(dims))
    return (
        taken
        if isinstance(dst, tuple)
        else (computed if len(theirs) > len(taken) else trailing(taken))
    )


def _require_same(dst: Dims, computed: Dims) -> None:
    too_small = OutSize(destination=dst, computed=computed, blame=(Blame("out"),))
    if len(dst) != len(computed):
        raise too_small
    for mine, theirs in zip(dst, computed, strict=True):
        require_equal(mine.size, theirs.size, too_small)
    for mine, theirs in zip(dst, computed, strict=True):
        if mine.name is not UNKNOWN and theirs.name is not UNKNOWN and mine.name != theirs.name:
            raise OutNames(destination=dst, computed=computed, blame=(Blame("out"),))

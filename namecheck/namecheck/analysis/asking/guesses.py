"""The most likely result where it is not known, for `show`; and what another reading would give.

Two sizes that meet in a broadcast are equal unless one of them is 1. Where one of them has a name
and the other none, the result is shown with the name; a tensor of three dims or more that meets one
of unknown rank is taken for the larger of the two, unless it is made to be the smaller: `[dim, 1,
1]` is a channel's scale without the batch. Of unknown callables, one called `act`, `norm`
or `dropout` is taken to keep the dims of its argument, a class called `...Output` to hold its
arguments, and a look-up with a function of the file as its default to give that function.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.state.conversion import convert
from namecheck.analysis.state.values import (
    Anything,
    Bound,
    Function,
    Instance,
    Layer,
    Tensor,
    Tuple,
    Value,
)
from namecheck.frameworks import CALLING, TENSORS
from namecheck.frameworks.transformers import OUTPUT
from namecheck_runtime import declare, layers, sizes
from namecheck_runtime.declare import REGISTRY
from namecheck_runtime.infer import Answer, infer
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Shape, Size, Trailing
from namecheck_runtime.light.regexes import regex
from namecheck_runtime.mistakes.base import Mistake

if TYPE_CHECKING:
    from namecheck.analysis.state.argument import Argument
    from namecheck.analysis.state.evaluate import Evaluator

_KEEPING: Final = regex(
    r"(?:^|_)(?:act|act_?fn|act2fn|activation|activation_?fn|activation_function|non_?linearity"
    r"|drop|drop_?path|dropout|norm|layer_?norm|rms_?norm|ln|ls|gelu|silu|relu|swish|softmax)_?\d*$",
    re.IGNORECASE,
)
"""Names of callables that keep the dims of their only argument."""

MEASURES: Final = frozenset({"norm"})
"""Names among them that a function of a library has if it computes a number."""

LEAST_RANK: Final = 3
"""The rank from which on a tensor is taken for the larger operand of a broadcast."""


def complete(
    ev: Evaluator,
    call: declare.Spelling | layers.Instance,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    answer: Answer,
) -> Any:
    """The result of an answer, with the sizes that a broadcast left open."""
    result = answer.result
    if not isinstance(call, declare.Spelling) or not _is_open(result):
        return result
    swaps: dict[Size, Size] = {}
    for duty in answer.duties:
        if duty.or_one:
            left = ev.facts.representative(duty.left)
            right = ev.facts.representative(duty.right)
            if _has_name(left) and not _has_name(right):
                swaps[right] = left
            elif _has_name(right) and not _has_name(left):
                swaps[left] = right
    swapped = [_swapped(ev, one, swaps) for one in arguments] if swaps else list(arguments)
    if swaps:
        result = _ask(call, swapped, keywords, result)
    if isinstance(result, Trailing):
        result = _of_rank(call, swapped, keywords, result)
    return result


def _is_open(result: Any) -> bool:
    if isinstance(result, Trailing):
        return True
    return isinstance(result, tuple) and any(
        isinstance(dim, Dim) and dim.size is UNKNOWN for dim in result
    )


def _has_name(size: Size) -> bool:
    """Whether every symbol in a size has a name."""
    if isinstance(size, int):
        return size > 1
    atoms = sizes.symbols(size)
    return bool(atoms) and not any(atom.label == "?" for atom in atoms)


def _swapped(ev: Evaluator, shape: Any, swaps: Mapping[Size, Size]) -> Any:
    if isinstance(shape, Trailing):
        return Trailing(_swap_dims(ev, shape.dims, swaps))
    if isinstance(shape, tuple) and shape and all(type(dim) is Dim for dim in shape):
        return _swap_dims(ev, shape, swaps)
    return shape


def _swap_dims(ev: Evaluator, dims: Dims, swaps: Mapping[Size, Size]) -> Dims:
    swapped = []
    for dim in dims:
        size = dim.size if dim.size is UNKNOWN else ev.facts.representative(dim.size)
        swapped.append(Dim(dim.name, swaps[size], dim.trace) if size in swaps else dim)
    return tuple(swapped)


def has_other_meaning(
    ev: Evaluator,
    name: str,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument],
    presumed: str,
) -> bool:
    """Whether a method of a tensor of unknown rank gives an unknown rank in another library.

    `x.transpose(0, 1)` has two dims in NumPy, and any number of them in PyTorch.
    """
    converted = [convert(ev, argument.value) for argument in arguments]
    named = {key: convert(ev, argument.value) for key, argument in keywords.items()}
    for library in TENSORS:
        spelling = REGISTRY.get(f"{library}.{name}")
        if spelling is not None and library != presumed and not spelling.attribute:
            if type(_ask(spelling, (UNKNOWN, *converted), named, ())) is not tuple:
                return True
    return False


def is_accepted(
    call: declare.Spelling | layers.Instance,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
) -> bool:
    """Whether the rule of an op or a layer takes a call."""
    try:
        infer(call, arguments, keywords)
    except (Mistake, declare.Unbindable):
        return False
    return True


def _ask(
    call: declare.Spelling, arguments: Sequence[Any], keywords: Mapping[str, Any], otherwise: Any
) -> Any:
    try:
        return infer(call, arguments, keywords).result
    except (Mistake, declare.Unbindable):
        return otherwise


def _of_rank(
    call: declare.Spelling, arguments: Sequence[Any], keywords: Mapping[str, Any], result: Trailing
) -> Shape:
    """The result of a broadcast with a tensor of unknown rank, if the other is large enough."""
    shapes = [one for one in arguments if _is_shape(one)]
    large = [one for one in shapes if isinstance(one, tuple) and len(one) >= LEAST_RANK]
    if not large:
        return result
    if any(isinstance(one, Trailing) and len(one.dims) > len(result.dims) for one in shapes):
        return result
    scalars = [() if one is UNKNOWN or isinstance(one, Trailing) else one for one in arguments]
    answer = _ask(call, scalars, keywords, None)
    if not isinstance(answer, tuple) or len(answer) != len(result.dims):
        return result
    if not all(type(dim) is Dim for dim in answer):
        return result
    dims = tuple(
        likely if dim.size is UNKNOWN and _has_name(likely.size) else dim
        for dim, likely in zip(result.dims, answer, strict=True)
    )
    return dims if any(map(_may_be_larger, large)) else Trailing(dims)


def _may_be_larger(dims: Dims) -> bool:
    """Whether a tensor is no part that is spread over another one.

    A parameter with a 1 for each dim that it is spread over has one for the batch, too, if its rank
    is that of the whole.
    """
    return dims[0].size == 1 or not any(dim.size == 1 for dim in dims)


def _is_shape(value: Any) -> bool:
    if isinstance(value, Trailing):
        return True
    return isinstance(value, tuple) and all(type(dim) is Dim for dim in value)


def result_of(
    ev: Evaluator,
    node: object,
    name: str,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument],
) -> Value:
    """The likely value of a call of something unknown.

    `name` is its name if `node` does not show it.
    """
    if not name and isinstance(node, ir.Call):
        name = _name_of(node.function)
    values = [ev.resolve(argument.value) for argument in arguments]
    if len(values) == 1 and not keywords and _KEEPING.search(name):
        (only,) = values
        if isinstance(only, Tensor) and only.shape is not UNKNOWN:
            return Tensor(only.shape, only.kind, only.library, only.claimed)
    if not values and keywords and OUTPUT.match(name):
        return _held(ev, keywords)
    if name in CALLING and len(values) > CALLING[name]:
        return ev.call(values[0], arguments[CALLING[name] :], {}, None)
    if name.startswith("get") and len(values) == 2 and isinstance(values[1], Function):
        return values[1]
    return Anything()


def ignores_rest(callee: Value) -> bool:
    """Whether a callee most likely does not compute with the `**kwargs` handed on to it.

    The `**kwargs` of a constructor may well hold its settings.
    """
    match callee:
        case Bound(function=Function(name="__init__")):
            return False
        case Bound() | Function() | Instance() | Layer():
            return True
    return False


def _name_of(function: ir.Expression) -> str:
    match function:
        case ir.Name(name) | ir.Attribute(_, name):
            return str(name)
        case ir.Subscript(value):
            return _name_of(value)
    return ""


def _held(ev: Evaluator, keywords: Mapping[str, Argument]) -> Value:
    """A model's results up to the first one that may be None: what follows has no fixed place."""
    elements: list[Value] = []
    names: list[str] = []
    for name, argument in keywords.items():
        value = ev.resolve(argument.value)
        if not isinstance(value, Tensor):
            break
        names.append(name)
        elements.append(value)
    return Tuple(elements, tuple(names)) if elements else Anything()

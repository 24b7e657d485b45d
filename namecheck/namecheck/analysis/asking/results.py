"""From a rule's answer to values: tensors, sizes, tuples of several, their kinds and libraries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from namecheck import frameworks
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.values import (
    NONE,
    Anything,
    Claimed,
    Constant,
    Device,
    DType,
    Library,
    List,
    Number,
    Repeated,
    ShapeOf,
    Tensor,
    Tuple,
    Value,
    claimed_number,
    inherited,
    is_text,
    kind_of_number,
)
from namecheck_runtime import declare
from namecheck_runtime.lattice import UNKNOWN, Dim, Symbolic, Trailing

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


_ANSWERS: Final = frozenset({"object", "bool", "int", "float", "str | Unknown"})
"""Annotations of rules that answer with a Python value: it is no tensor, even if it is unknown."""


def to_value(ev: Evaluator, result: Any, returns: str, kind: str, library: str) -> Value:
    """The value that a rule's result stands for.

    `returns` is the annotation of the rule, "" if that is unclear.
    """
    if returns == "DType":
        return DType()
    if returns == "Device":
        return Device()
    if (result is UNKNOWN or result == ()) and returns == "Shapes":  # of no tensors: not a scalar
        return Repeated(Tensor(UNKNOWN, kind, library))
    if result is UNKNOWN and returns in _ANSWERS:
        return Anything()
    if returns == "Shape | None" and is_shape(result):
        return Anything(maybe=Tensor(result, kind, library))
    if returns == "Shape" or is_shape(result):
        if returns == "Size" or returns == "Sizes":
            return sizes_value(ev, result, returns)
        if returns != "" or result is not UNKNOWN:
            if not is_shape(result):
                return Anything()
            return Tensor(result, kind, library)
        return Anything()
    if returns == "Size" or returns == "Sizes":
        return sizes_value(ev, result, returns)
    if isinstance(result, bool) or result is None or isinstance(result, (str, float)):
        return Constant(result)
    if isinstance(result, (int, Symbolic)):
        return Number(result)
    if isinstance(result, (tuple, list)):
        return Tuple(
            [
                to_value(ev, part, "", kind, library)
                if part is not UNKNOWN
                else Tensor(UNKNOWN, kind, library)
                for part in result
            ]
        )
    return Anything()


def sizes_value(ev: Evaluator, result: Any, returns: str) -> Value:
    """The int, or tuple of ints, that a rule answered."""
    if returns == "Size":
        return Number(ev.some_int() if result is UNKNOWN else result)
    if isinstance(result, tuple):
        return Tuple([Number(ev.some_int() if size is UNKNOWN else size) for size in result])
    return Anything()


def is_shape(result: Any) -> bool:
    """Whether a rule's result is one shape, not several."""
    if result is UNKNOWN or isinstance(result, Trailing):
        return True
    return isinstance(result, tuple) and all(type(dim) is Dim for dim in result)


_RANKED_KINDS: Final = {"bool": 0, "int": 1, "float": 2, "complex": 3}
_LEAST_KINDS: Final = {"counted": "int", "inexact": "float"}
_WITH_NUMBERS: Final = frozenset({"arithmetic", "counted"})


def kind_of_result(
    ev: Evaluator, kind: str, arguments: Sequence[Argument], dtype: Argument | None
) -> str:
    """The kind of an op's result: its own, or what its operands promote to.

    A dtype overrules both, even an unknown one.
    """
    dtype_value = NONE if dtype is None else ev.resolve(dtype.value)
    if dtype_value is not NONE:
        path = dtype_value.path if isinstance(dtype_value, Library) else ""
        return frameworks.DTYPE_KINDS.get(path, "unknown")
    kinds: list[str] = []
    for argument in arguments:
        value = ev.resolve(argument.value)
        if type(value) is Tensor:
            kinds.append(value.kind)
        elif type(value) is Anything:
            kinds.append("unknown")
        elif isinstance(value, Library) and value.path in frameworks.DTYPE_KINDS:
            return frameworks.DTYPE_KINDS[value.path]
        elif type(value) is DType:
            return "unknown"
        elif isinstance(value, Library) and value.path not in frameworks.torch.MEMORY_ORDERS:
            kinds.append("unknown")  # `torch.LongTensor`
        elif isinstance(value, (Tuple, List)):
            contents = value.elements if isinstance(value, Tuple) else ev.cells.get(value)
            if argument is arguments[0] and _may_hold_text(ev, contents):
                kinds.append("unknown")
            elif isinstance(contents, tuple):
                kinds += [v.kind for v in map(ev.resolve, contents) if isinstance(v, Tensor)]
        elif (number := kind_of_number(value)) == "float" or (number and kind in _WITH_NUMBERS):
            kinds.append(number)
    if kind == "chosen":
        kinds = kinds[1:] or ["int"]
    elif not kinds and arguments and kind not in _RANKED_KINDS:
        return _kind_of_elements(ev, arguments[0].value)
    return promoted(kind, kinds)


def _may_hold_text(ev: Evaluator, contents: object) -> bool:
    """Whether elements of a list may be texts: an array of them has text for its elements."""
    if isinstance(contents, Repeated):
        contents = (contents.element,)
    values = map(ev.resolve, contents) if isinstance(contents, tuple) else ()
    return any(is_text(value) or type(value) is Anything for value in values)


def promoted(kind: str, operands: Sequence[str]) -> str:
    """The kind of the result of an op of this kind (see `Op.kind`), of operands of these kinds."""
    if kind in _RANKED_KINDS:
        return kind
    if kind == "unknown" or not operands or not _RANKED_KINDS.keys() >= set(operands):
        return "unknown"
    return max((*operands, _LEAST_KINDS.get(kind, "bool")), key=_RANKED_KINDS.__getitem__)


def _kind_of_elements(ev: Evaluator, value: Value) -> str:
    """The kind of a tensor made from a list of numbers."""
    value = ev.resolve(value)
    contents = ev.cells.get(value) if isinstance(value, List) else None
    if isinstance(value, Tuple):
        contents = value.elements
    if isinstance(contents, tuple) and contents:
        kinds = {_kind_of_elements(ev, one) for one in contents}
        return "unknown" if "unknown" in kinds else max(kinds, key=_RANKED_KINDS.__getitem__)
    kind = kind_of_number(value)
    return kind if kind in _RANKED_KINDS else "unknown"


def library_of(ev: Evaluator, spelling: declare.Spelling, arguments: Sequence[Argument]) -> str:
    """The class whose methods the result has."""
    first, _, rest = spelling.path.partition(".")
    if first in frameworks.TENSORS:
        shared = not spelling.op.fields and f"{frameworks.numpy.TENSOR}.{rest}" in declare.REGISTRY
        if shared and arguments and not ev.sure_class:
            receiver = ev.resolve(arguments[0].value)
            if not isinstance(receiver, Tensor) or not receiver.library:
                return ""  # it may be the other's as well
        return frameworks.torch.LEAVING.get(spelling.path, first)
    owner = frameworks.owner_of(spelling.path)
    if owner:
        return owner
    for argument in arguments:
        value = ev.resolve(argument.value)
        if isinstance(value, Tensor) and value.library:
            return value.library
    return ""


def claimed_of(ev: Evaluator, arguments: Iterable[Argument]) -> Claimed | None:
    """The comment that some of these tensors are known from: the weakest, if there are several."""
    claimed: Claimed | None = None
    for argument in arguments:
        this = _claimed_of(ev, argument.value)
        if this is not None and (claimed is None or _weakness(this) > _weakness(claimed)):
            claimed = this
    return claimed


def rank_claimed(ev: Evaluator, arguments: Iterable[Argument]) -> bool:
    """Whether the rank of one of these tensors is known only from a comment."""
    claimed = claimed_of(ev, arguments)
    return claimed is not None and claimed.rank


def _claimed_of(ev: Evaluator, value: Value) -> Claimed | None:
    value = ev.resolve(value)
    if isinstance(value, ShapeOf):
        value = ev.resolve(value.tensor)
    if isinstance(value, (Tensor, Number)):
        return None if value.claimed is None or value.claimed.firm else value.claimed
    if type(value) is Anything:
        return None
    if isinstance(value, Repeated):
        return _claimed_of(ev, value.element)
    contents: tuple[Value, ...] = ()
    parts: list[Claimed | None] = []
    if isinstance(value, Tuple):
        contents = value.elements
        parts.append(value.claimed)
    if isinstance(value, List):
        stored = ev.cells.get(value)
        many = (stored.element,) if isinstance(stored, Repeated) else ()
        contents = stored if isinstance(stored, tuple) else many
    parts += [_claimed_of(ev, one) for one in contents]
    return max((one for one in parts if one is not None), key=_weakness, default=None)


def _weakness(claimed: Claimed) -> int:
    """What is open supports no finding, a claim about a rank fewer than one about sizes."""
    return 2 * claimed.open + claimed.rank


def as_claimed(value: Value, claimed: Claimed) -> Value:
    """A result whose rank or sizes follow from those that are known from a comment."""
    if isinstance(value, Tensor) and value.shape is not UNKNOWN:
        return value.with_shape(value.shape, inherited(claimed))
    if isinstance(value, Tuple):
        elements = [as_claimed(element, claimed) for element in value.elements]
        return Tuple(elements, value.fields, of_op=value.of_op)
    if isinstance(value, Repeated):
        return Repeated(as_claimed(value.element, claimed), value.cut)
    if isinstance(value, Number) and value.kind == "int":
        return claimed_number(value.size, claimed)
    return value


def of_kind(value: Value, kind: str) -> Value:
    """The same tensor, of another dtype."""
    if not isinstance(value, Tensor):
        return value
    return Tensor(value.shape, kind, value.library, inherited(value.claimed))


def given_back(ev: Evaluator, value: Value, result: Any) -> Value:
    """The operand that an op returns itself; from here on it has the dims that the op states."""
    value = ev.resolve(value)
    if result is None or result is UNKNOWN or not isinstance(value, (Anything, Tensor)):
        return value
    if isinstance(value, Anything):
        return ev.give_shape(value, result)
    if ev.current(value.shape) == result:
        return value
    stated = value.with_shape(result, inherited(value.claimed))
    ev.refine(value, stated)
    return stated

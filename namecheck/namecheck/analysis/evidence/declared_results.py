"""What a function is declared to return, where nothing in its body says what it returns.

A body that computes its result is believed, whatever the annotation says. One that calls something
unknown leaves only the annotation, and that may be too narrow: a subclass draws one number per step
where its base class declares a vector. Such an annotation is a claim (`Claimed.result`): what rests
on it is a warning, and a program that asks for the rank of the value expects others, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from namecheck.analysis.evidence.annotation import Declaration, Declared, Each, Several
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.lineage import look_up
from namecheck.analysis.state.values import (
    Anything,
    Claimed,
    Function,
    Instance,
    Repeated,
    Tensor,
    Tuple,
    Value,
    same_class,
)
from namecheck_runtime.lattice import UNKNOWN, Shape

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def is_believed(ev: Evaluator) -> bool:
    """Whether the annotation of the running function's result may stand for what it returns.

    It may not if an argument did not fit: then the names in the signature mean other sizes.
    """
    return ev.frame.function is not None and not ev.frame.written.misfit


def _is_open(ev: Evaluator, function: Function) -> bool:
    """Whether the receiver is of a subclass, or may be: there the body may compute other dims."""
    owner, receiver = function.owner, ev.frame.receiver
    if owner is None or receiver is None:
        return False
    receiver = ev.resolve(receiver)
    if not isinstance(receiver, Instance):
        return False
    if not same_class(receiver.cls, owner):
        return True
    return receiver.cls.has_subclasses and ev.units.is_any(receiver)


def calls_overridden(ev: Evaluator) -> bool:
    """Whether the running method is inherited, and calls one that the subclass declares otherwise.

    `return self.reduce_loss(loss)` of a base class gives what the subclass says that it does, also
    where that is not what the base class is annotated with.
    """
    function = ev.frame.function
    if function is None or function.owner is None or not _is_open(ev, function):
        return False
    receiver = ev.resolve(ev.frame.receiver) if ev.frame.receiver is not None else None
    if not isinstance(receiver, Instance) or not function.parameters:
        return False
    own = function.parameters[0].name
    for record in walk(function.record):
        match record:
            case ir.Call(ir.Attribute(ir.Name(name), method)) if name == own:
                before = _result_of(look_up(function.owner.lineage, method))
                if before != _result_of(look_up(receiver.cls.lineage, method)):
                    return True
    return False


def _result_of(method: Value | None) -> str:
    """The annotation of what a method returns, as it is written; "" without one."""
    record = method.record if isinstance(method, Function) else None
    returns = record.returns if isinstance(record, ir.FunctionDef) else None
    return "" if returns is None else ir.describe(returns)


def root_of(ev: Evaluator, declared: Declared, rank: bool, shape: Shape) -> Claimed | None:
    """The annotation of the running function's result, as what something rests on."""
    function = ev.frame.function
    if function is None:
        return None
    said = f'the value that {function.name} returns is annotated "{declared.text}"'
    place = function.source, function.line, declared.node.id
    is_open = rank and _is_open(ev, function)
    return Claimed(rank, said, *place, shape, firm=not rank, result=True, open=is_open)


def as_claim(ev: Evaluator, declaration: Declaration, value: Value) -> Value:
    """The value of a declaration of the running function's result, as a claim to its callers."""
    if not ev.frame.depth:
        return value
    match declaration, value:
        case Several(parts), Tuple(elements=elements):
            return Tuple(
                element if part is None else as_claim(ev, part, element)
                for part, element in zip(parts, elements, strict=True)
            )
        case Each(element), Repeated():
            return Repeated(as_claim(ev, element, value.element))
        case Declared(), Anything(maybe=Tensor() as tensor):
            return Anything(maybe=_claimed(ev, declaration, tensor))
        case Declared(), Tensor():
            return _claimed(ev, declaration, value)
    return value


def _claimed(ev: Evaluator, declared: Declared, tensor: Tensor) -> Tensor:
    if tensor.shape is UNKNOWN:
        return tensor
    return tensor.with_shape(tensor.shape, root_of(ev, declared, True, tensor.shape))


def completed(ev: Evaluator, declared: Declared, before: Tensor, after: Tensor) -> Tensor:
    """A returned tensor to which the annotation added dims or sizes, as a claim to its callers."""
    if after is before or not ev.frame.depth:
        return after
    if not is_believed(ev):
        return before
    claimed = root_of(ev, declared, True, after.shape)
    if claimed is None or before.rank_claimed:
        return after
    knows_rank = isinstance(before.shape, tuple)
    return after.with_shape(after.shape, claimed._replace(rank=not knows_rank))


__all__ = ["as_claim", "calls_overridden", "completed", "is_believed", "root_of"]

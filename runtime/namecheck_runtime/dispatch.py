"""Calling an op on tensors: the rule first, then a view or a kernel, then the destination.

`call` asks `infer` with the dims of all operands, so names and sizes are checked before a byte is
written.  What shows the same memory goes by the op's layout function (`views`), what computes goes
to the table of `backends` (`computing`), what is written to somewhere goes to `destinations`.
Nothing here knows an op: what each does to dims stands in `rules`, how its elements are computed in
`kernels`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from namecheck_runtime import broadcasting, questions, words
from namecheck_runtime.algebra import position
from namecheck_runtime.arguments import check_names, check_types
from namecheck_runtime.asking import dims_of, for_rules, for_rules_in_brackets, tensors_in
from namecheck_runtime.backends import Call
from namecheck_runtime.computing import computed
from namecheck_runtime.declare import (
    REGISTRY,
    Memory,
    Op,
    Rule,
    Spelling,
    Unbindable,
    bind,
    name_arguments,
)
from namecheck_runtime.errors import error_of
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN, Dim
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.tensors import Tensor


def call_path(path: str, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """Call an op by one of its spellings."""
    return call(REGISTRY[path], arguments, keywords)


def operate(path: str, operands: tuple[Any, ...]) -> Any:
    """A Python operator; NotImplemented for what is no operand of ours."""
    for operand in operands:
        if not isinstance(operand, Tensor | int | float | complex | np.ndarray | np.generic):
            return NotImplemented
    return call_path(path, operands, {})


def call(spelling: Spelling, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """Call an op: check names and sizes by its rule, then show or compute the result.

    Raises what `errors.class_of` says for the rule's mistake, TypeError for arguments that no
    signature of the op takes, NotImplementedError where the backend has no kernel.
    """
    from namecheck_runtime import composed, destinations

    op = spelling.op
    keywords = _in_our_words(op, keywords)
    out = keywords.pop("out", None)
    if "broadcast_dimensions" in keywords and op.memory is Memory.POINTWISE:
        places = keywords.pop("broadcast_dimensions")
        left, right, *rest = arguments
        arguments = (*broadcasting.aligned(left, right, places), *rest)
    subscript = op.name in _SUBSCRIPTS
    seen = [for_rules(argument) for argument in arguments]
    if subscript and len(seen) > 1:
        seen[1] = for_rules_in_brackets(arguments[1])
    named = {name: for_rules(value) for name, value in keywords.items()}
    try:
        bound = bind(spelling, seen, named)
        assert bound is not None, spelling.path
        values, options = name_arguments(bound.rule, arguments, keywords, spelling.order)
        check_types(spelling, bound.rule, arguments, {**keywords, "out": out}, values)
        whole = named if out is None else {**named, "out": for_rules(out)}
        answer = infer(spelling, seen, whole, bound)
        if _is_answer(answer.result, bound.rule):
            return _told(answer.result)
        values = _with_positions(bound.rule, values, bound.values)
    except Mistake as mistake:
        raise error_of(mistake) from None
    except Unbindable as refusal:
        if keywords.get("names") is not None:
            check_names(keywords["names"], f"{spelling.path}(): argument 'names'")
        raise TypeError(str(refusal)) from None
    operands = tuple(tensors_in(list(values.values())))
    numbers = tuple(_numbers_in(bound.rule, values))
    called = Call(op, bound.rule, values, options, answer.result, operands, numbers)
    if answer.doubts and broadcasting.STRICT.get():
        promoted = broadcasting.refused(answer)
        if promoted is not None:
            raise error_of(promoted)
    if spelling.inplace:
        return destinations.write_in_place(called, arguments[0])
    question = questions.QUESTIONS.get(op.name)
    if question is not None:
        return question(called)
    whole_of = composed.COMPOSED.get(op.name)
    if whole_of is not None:
        return whole_of(called)
    view = shown(called)
    if view is not None:
        return view
    if out is None:
        result = computed(called)
        if options.get("requires_grad") and isinstance(result, Tensor):
            result.requires_grad_(True)
        return result
    return destinations.write_out(called, out)


def _in_our_words(op: Op, keywords: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords of a call, `dim` for `axis`: PyTorch takes NumPy's words too."""
    own = op.parameters
    return {words.translated(words.TORCH, name, own): value for name, value in keywords.items()}


_SUBSCRIPTS: Final = frozenset({"operator.getitem", "Tensor.__getitem__", "operator.setitem"})


def _is_answer(result: Any, rule: Rule) -> bool:
    """Whether what a rule said is what the caller asked: a number, a flag, names; no dims, which
    are those of a result that is yet to be computed.
    """
    if rule.returns not in ("Size", "Sizes", "object") or result is UNKNOWN:
        return False
    return not isinstance(result, tuple) or not any(map(_tells_of_dims, result))


def _tells_of_dims(value: Any) -> bool:
    return isinstance(value, Dim) or (isinstance(value, tuple) and any(map(_tells_of_dims, value)))


def _told(result: Any) -> Any:
    from namecheck_runtime.tensors import Size

    if isinstance(result, tuple) and all(isinstance(one, int) for one in result):
        return Size(result)
    return result


def _with_positions(rule: Rule, values: dict[str, Any], seen: Mapping[str, Any]) -> dict[str, Any]:
    """Dims that are spoken of by name, by position."""
    shape: Any = None
    for parameter in rule.parameters:
        value = values[parameter.name]
        if shape is None and isinstance(value, Tensor):
            shape = dims_of(value)
        elif shape is None and isinstance(value, tuple | list) and value:
            shape = dims_of(value[0]) if isinstance(value[0], Tensor) else None
        if {"DimRef", "DimRefs"}.isdisjoint(parameter.takes):
            continue
        if isinstance(value, str):
            values[parameter.name] = position(shape, value)
        elif isinstance(value, tuple | list):
            values[parameter.name] = tuple(
                [position(shape, one) if isinstance(one, str) else one for one in value]
            )
    return values


def _numbers_in(rule: Rule, values: Mapping[str, Any]) -> Iterable[Any]:
    for parameter in rule.parameters:
        if "Operand" in parameter.takes:
            value = values[parameter.name]
            if isinstance(value, int | float | complex):
                yield value


def shown(called: Call) -> Any:
    """The result of an op that shows its operand's memory; None where it has to be computed."""
    from namecheck_runtime import view_ops, views

    own = view_ops.VIEWS.get(called.op.name)
    found = None if own is None else own(called)
    if found is not None:
        return found
    if called.op.memory is Memory.VIEW:
        return views.show(called)
    return None


# -- the surface -----------------------------------------------------------------------------------


def method_of(name: str) -> Any:
    """The method or property of tensors that an op of the registry is."""
    found = REGISTRY[f"Tensor.{name}"]
    if found.attribute:
        return property(lambda self: call(found, (self,), {}), doc=found.op.name)
    return _callable(found, name)


def function_of(path: str) -> Any:
    """The function that a spelling of the registry is; None if there is none."""
    found = REGISTRY.get(path)
    if found is None or found.attribute:
        return None
    return _callable(found, path.rpartition(".")[2])


def _callable(spelling: Spelling, name: str) -> Any:
    """A function that calls an op, the short way where there is one."""
    from namecheck_runtime.elementwise import quick

    short = quick(spelling)
    if short is None:

        def function(*arguments: Any, **keywords: Any) -> Any:
            return call(spelling, arguments, keywords)
    else:
        compute = short

        def function(*arguments: Any, **keywords: Any) -> Any:
            if len(arguments) == 1 and not keywords and arguments[0].__class__ is Tensor:
                made = compute(arguments[0])
                if made is not None:
                    return made
            return call(spelling, arguments, keywords)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = spelling.op.rules[0].function.__doc__
    return function

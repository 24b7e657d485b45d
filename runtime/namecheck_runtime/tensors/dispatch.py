"""Calling an op on tensors: the rule first, then a view or a kernel, then the destination.

`call` asks `infer` with the dims of all operands, so names and sizes are checked before a byte is
written; the answer is kept for calls like it (`calls.plans`).  A view follows the op's layout
function (`views.showing`), a computation takes its kernel from the table of `backends`
(`computing.computation`), and `computing.destinations` writes in place and to `out=`.  Nothing here
knows an op: `rules` say what each does to dims, `kernels` how its elements are computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from namecheck_runtime.algebra import position
from namecheck_runtime.autograd import recording
from namecheck_runtime.autograd.calls import CALLER
from namecheck_runtime.autograd.recipes import Recipe, Unrecorded
from namecheck_runtime.autograd.tracing import ACTIVE
from namecheck_runtime.binding import Rule, name_arguments
from namecheck_runtime.declare import REGISTRY, Memory, Spelling, Unbindable, bind
from namecheck_runtime.errors import error_of
from namecheck_runtime.infer import infer
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.readers import keyword_names
from namecheck_runtime.tensors.call_plans import Plan, is_answer, numbers_in
from namecheck_runtime.tensors.calls import overrides
from namecheck_runtime.tensors.calls.arguments import (
    check_names,
    check_types,
    refusal_of,
)
from namecheck_runtime.tensors.calls.call import Call
from namecheck_runtime.tensors.calls.operands import (
    dims_of,
    for_rules,
    for_rules_in_brackets,
    tensors_in,
)
from namecheck_runtime.tensors.calls.overrides import (
    OVERRIDING,
    Plain,
    answer_of,
    overridden,
    takers_in,
)
from namecheck_runtime.tensors.calls.plans import (
    is_in_graph,
    key_of,
    kind_of,
    loose_of,
    template_of,
)
from namecheck_runtime.tensors.calls.symbolic import (
    Pattern,
    compares_alone,
    pattern_of,
    symbolic_answer,
    takes_dims,
)
from namecheck_runtime.tensors.computing import destinations
from namecheck_runtime.tensors.computing.answers import ANSWERS
from namecheck_runtime.tensors.computing.composed import COMPOSED
from namecheck_runtime.tensors.computing.direct_calls import Direct
from namecheck_runtime.tensors.kernels import kernel_of
from namecheck_runtime.tensors.making.arrays import from_array
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.quick import quickened
from namecheck_runtime.tensors.values.plan_caches import keep, new_cache
from namecheck_runtime.tensors.views import broadcasting
from namecheck_runtime.tensors.views.view_ops import VIEWS


def call_path(path: str, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """Call an op by one of its spellings."""
    return call(REGISTRY[path], arguments, keywords)


def set_item(target: Tensor, key: Any, value: Any) -> None:
    """`x[key] = value` where one of the tensors may be in a graph, or not plain otherwise."""
    if destinations.assigned_otherwise(target, key, value):
        return
    if recording.in_graph((target, value), {}):
        recording.record_assignment(target, key, value)
    else:
        destinations.set_item(target, key, value)


def _call_part(path: str, /, *arguments: Any, **keywords: Any) -> Any:
    """Call an op that is part of another one."""
    if ACTIVE.tracer is not None:
        return ACTIVE.tracer.part(plans_of(REGISTRY[path]), arguments, keywords)
    return call(REGISTRY[path], arguments, keywords)


CALLER.function = _call_part


def operate(path: str, operands: tuple[Any, ...]) -> Any:
    """A Python operator on tensors; NotImplemented beside an operand of an unknown type.

    Raises TypeError for another library's array if its names would be lost.
    """
    for operand in operands:
        if not isinstance(operand, (Tensor, int, float, complex, np.ndarray, np.generic)):
            takers = takers_in(operands, {}) if OVERRIDING.enabled else ()
            if takers:
                return answer_of(overrides.function_of(path), takers, operands, {})
            from namecheck_runtime.tensors.making.foreign import meet

            return meet(path, operand)
    return call_path(path, operands, {})


def operate_reflected(path: str, operand: Tensor, other: Any) -> Any:
    """The operator of a right operand: `2 - x`.  See `operate`."""
    if OVERRIDING.enabled:
        takers = takers_in((operand, other), {})
        if takers:
            name = path.removeprefix("operator.").rstrip("_")
            function = overrides.function_of(f"reflected.{name}")
            return answer_of(function, takers, (operand, other), {})
    return operate(path, (other, operand))


def call(spelling: Spelling, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """Call an op: check names and sizes by its rule, then show or compute the result.

    The answer of the rule is kept for calls like it.  Raises the exception that `errors.class_of`
    has for the rule's mistake, TypeError for arguments that no signature of the op takes,
    NotImplementedError where the backend has no kernel.
    """
    return plans_of(spelling).call(arguments, keywords)


def plans_of(spelling: Spelling) -> Plans:
    """The plans for calls of a spelling."""
    plans = _PLANS.get(spelling.path)
    if plans is None:
        plans = _PLANS[spelling.path] = Plans(spelling)
    return plans


class Plans:
    """The plans for calls of one spelling, by what calls that are alike have in common.

    A call whose sizes or numbers are new has a plan from one of its kind: then only the rule is
    asked.
    """

    __slots__ = ("_compares", "_has_dims", "_kinds", "_loose", "_made", "_patterns", "_spelling")

    def __init__(self, spelling: Spelling) -> None:
        self._spelling = spelling
        self._loose = loose_of(spelling)
        self._made: dict[tuple[Any, ...], Plan | Recipe | Unrecorded] = new_cache()
        self._kinds: dict[tuple[Any, ...], Plan] = new_cache()
        self._patterns: dict[tuple[Any, ...], Any] = new_cache()
        """By the key of a pattern a plan and the answer for all sizes; None if there is none."""
        self._compares = compares_alone(spelling.op)
        self._has_dims = takes_dims(spelling.op)

    def _spread(self, arguments: Sequence[Any]) -> list[Any] | None:
        """The arguments with those of a last sequence of tensors: `einsum("i,i", [x, y])`."""
        *first, last = arguments or [None]
        if not isinstance(last, (list, tuple)) or not any(isinstance(x, Tensor) for x in last):
            return None
        parameters = self._spelling.op.rules[0].parameters
        place = len(first)
        if place >= len(parameters) or parameters[place].kind != "variadic":
            return None
        return [*first, *last]

    def call(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """See the function `call`."""
        key = key_of(arguments, keywords, self._loose)
        if key is not None:
            known = self._made.get(key)
            if known is not None:
                direct = known.direct
                if direct is not None:
                    return direct(arguments, keywords)
                return known.run(arguments, keywords)
        if key is None or is_in_graph(key):
            if key is None and OVERRIDING.enabled:
                takers = takers_in(arguments, keywords)
                if takers:
                    return overridden(self._spelling.path, takers, arguments, keywords)
            elif key is None and not (self.writes or self.asks or "out" in keywords):
                plain = Plain()
                taken = [plain.of(argument) for argument in arguments]
                if plain.originals:
                    return plain.back(self.call(taken, keywords))
            arguments = [
                from_array(argument) if isinstance(argument, np.ndarray) else argument
                for argument in arguments
            ]
            op = self._spelling.op.name
            if op not in _OF_GRAPHS and recording.in_graph(arguments, keywords):
                spread = self._spread(arguments)
                if spread is not None:
                    return self.call(spread, keywords)
                return self._recorded(key, arguments, keywords)
            key = None
        pattern = None
        if key is not None and self._compares:
            pattern = pattern_of(arguments, keywords, self._loose, self._has_dims)
            plan = None if pattern is None else self._plan_of_pattern(pattern)
            if plan is not None:
                keep(self._made, key, plan)
                return plan.run(arguments, keywords)
        kind = kind_of(arguments, keywords)
        plan = self._plan_of_kind(kind, arguments, keywords)
        is_first = plan is None
        if plan is None:
            plan = _plan_of(self._spelling, arguments, keywords)
        result = plan.run(arguments, keywords)
        template = plan.template
        if key is not None and template is not None:
            keep(self._made, key, plan)
            if is_first and template.fits_kind:
                keep(self._kinds, kind, plan)  # it has run, so that it knows how it computes
            elif pattern is not None and not is_first:
                self._learn(pattern, plan, arguments, keywords)
        return result

    def _plan_of_pattern(self, pattern: Pattern) -> Plan | None:
        """A plan for a call of a pattern, without the rule; None if it has to be asked."""
        key, sizes = pattern
        known = self._patterns.get(key)
        if known.__class__ is not tuple:
            return None
        plan, answer = known
        return plan.with_dims(answer.dims(sizes))  # type: ignore[no-any-return]

    def _learn(
        self,
        pattern: Pattern,
        plan: Plan,
        arguments: Sequence[Any],
        keywords: Mapping[str, Any],
    ) -> None:
        """Ask the rule about all sizes, after two calls of a pattern."""
        key, sizes = pattern
        if key not in self._patterns:
            keep(self._patterns, key, _ONCE)
        elif self._patterns[key] is _ONCE:
            answer = None
            template = plan.template
            if template is not None and "out" not in keywords and not plan.answered:
                named = {name: keywords[word] for name, word in template.words}
                answer = symbolic_answer(self._spelling, arguments, named, sizes, plan.dims)
            if plan.kernel_call is not None and not plan.has_plain_forms:
                answer = None
            keep(self._patterns, key, None if answer is None else (plan, answer))

    def direct(self, arguments: Sequence[Any]) -> Direct | None:
        """The function for calls like one without keywords, if there were some; else None."""
        key = key_of(arguments, _NO_KEYWORDS, self._loose)
        known = None if key is None else self._made.get(key)
        return None if known is None else known.direct

    def _recorded(self, key: Any, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """The result of a call on tensors of which some are in a graph."""
        if ACTIVE.tracer is not None:
            return ACTIVE.tracer.call(self, arguments, keywords)
        result, recipe = recording.record(self._spelling.op.name, self, arguments, keywords)
        if key is not None and recipe is not None:
            keep(self._made, key, recipe)
        return result

    @property
    def writes(self) -> bool:
        """Whether the op writes to an operand."""
        return self._spelling.inplace or bool(self._spelling.op.writes)

    @property
    def asks(self) -> bool:
        """Whether the op takes tensors of graphs as they are."""
        return self._spelling.op.name in _OF_GRAPHS

    def kept(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Plan | None:
        """The plan that is kept for a call whose tensors are in no graph; None if there is none."""
        key = key_of(arguments, keywords, self._loose)
        plan: Any = None if key is None else self._made.get(key)
        return plan  # type: ignore[no-any-return]

    def plan(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Plan:
        """The plan of a call whose tensors are in no graph; see the function `call`."""
        key = key_of(arguments, keywords, self._loose)
        known: Any = None if key is None else self._made.get(key)
        plan: Plan | None = known
        if plan is None:
            plan = self._plan_of_kind(kind_of(arguments, keywords), arguments, keywords)
            if plan is None:
                plan = _plan_of(self._spelling, arguments, keywords)
            if key is not None and plan.template is not None:
                keep(self._made, key, plan)
        return plan

    def _plan_of_kind(
        self, kind: Any, arguments: Sequence[Any], keywords: Mapping[str, Any]
    ) -> Plan | None:
        """A plan from one of the same kind; None if there is none, or if it does not fit."""
        known = None if kind is None else self._kinds.get(kind)
        return None if known is None else _plan_like(known, self._spelling, arguments, keywords)

    def ufunc_of(self, operand: Tensor) -> np.ufunc | None:
        """NumPy's function that is all of the op on a tensor for which a plan is kept.

        None if there is more to do.
        """
        key = key_of((operand,), {}, self._loose)
        plan: Any = None if key is None else self._made.get(key)
        computation = None if plan is None else plan.computation
        return None if computation is None else computation.ufunc_of(operand._array)


_NO_KEYWORDS: Final[dict[str, Any]] = {}
_ONCE: Final = "seen once"
_PLANS: Final[dict[str, Plans]] = {}
_OF_GRAPHS: Final = frozenset({*ANSWERS, *COMPOSED})
"""Ops that take tensors of graphs as they are: they ask about them, or call other ops."""


def _plan_of(spelling: Spelling, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Plan:
    """A plan for a call, after its rule and its checks have passed.  Raises what they raise."""
    op = spelling.op
    parameters = op.parameters
    # PyTorch takes NumPy's keywords, too.
    translated = {
        keyword_names.translated(keyword_names.TORCH, word, parameters): (word, value)
        for word, value in keywords.items()
    }
    keywords = {name: value for name, (_, value) in translated.items()}
    out = keywords.pop("out", None)
    translated.pop("out", None)
    aligned = "broadcast_dimensions" in keywords and op.memory is Memory.POINTWISE
    if aligned:
        places = keywords.pop("broadcast_dimensions")
        if len(arguments) < 2:
            raise TypeError(
                f"{spelling.path}(): broadcast_dimensions goes with two operands, and "
                "both are given by position"
            )
        left, right, *rest = arguments
        arguments = (*broadcasting.aligned(left, right, places), *rest)
    seen = [for_rules(argument) for argument in arguments]
    if op.subscript and len(seen) > 1:
        seen[1] = for_rules_in_brackets(arguments[1])
    named = {name: for_rules(value) for name, value in keywords.items()}
    try:
        bound = bind(spelling, seen, named)
        assert bound is not None, spelling.path
        values, options = name_arguments(bound.rule, arguments, keywords, spelling.order)
        check_types(spelling, bound.rule, arguments, {**keywords, "out": out}, values)
        all_named = named if out is None else {**named, "out": for_rules(out)}
        answer = infer(spelling, seen, all_named, bound, bounded=False)
        if not is_answer(answer.result, bound.rule):
            values = _with_positions(bound.rule, values, bound.values)
    except Mistake as mistake:
        raise error_of(mistake) from None
    except Unbindable as refusal:
        if keywords.get("names") is not None:
            check_names(keywords["names"], f"{spelling.path}(): argument 'names'")
        raise TypeError(refusal_of(spelling, arguments, keywords) or str(refusal)) from None
    template = None
    if not aligned:
        template = template_of(spelling, bound.rule, arguments, translated, values, options)
    operands = tuple(tensors_in(list(values.values())))
    numbers = tuple([values[name] for name in numbers_in(bound.rule, values)])
    called = Call(op, bound.rule, values, options, answer.result, operands, numbers)
    return Plan(called, answer, template, spelling.inplace)


def _plan_like(
    known: Plan, spelling: Spelling, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> Plan | None:
    """The plan for a call of the same kind as that of a `known` plan: only the rule is asked.

    None if the rule refuses the call or takes it otherwise, so that `_plan_of` has to say why.
    """
    template = known.template
    assert template is not None
    seen = [for_rules(argument) for argument in arguments]
    if spelling.op.subscript and len(seen) > 1:
        seen[1] = for_rules_in_brackets(arguments[1])
    named = {name: for_rules(keywords[word]) for name, word in template.words}
    try:
        bound = bind(spelling, seen, named)
        if bound is None or bound.rule is not known.rule:
            return None
        if keywords.get("out") is not None:
            named["out"] = for_rules(keywords["out"])
        answer = infer(spelling, seen, named, bound, bounded=False)
    except (Mistake, Unbindable):
        return None
    return known.like(answer)


def _with_positions(rule: Rule, values: dict[str, Any], seen: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with positions in place of names of dims."""
    shape: Any = None
    for parameter in rule.parameters:
        value = values[parameter.name]
        if shape is None and isinstance(value, Tensor):
            shape = dims_of(value)
        elif shape is None and isinstance(value, (tuple, list)) and value:
            shape = dims_of(value[0]) if isinstance(value[0], Tensor) else None
        if parameter.name == "dims" and parameter.takes == ("object",):
            values["dims"] = _with_positions_in_each(value, values)
        if {"DimRef", "DimRefs"}.isdisjoint(parameter.takes):
            continue
        if isinstance(value, str):
            values[parameter.name] = position(shape, value)
        elif isinstance(value, list) or (
            isinstance(value, tuple) and any(isinstance(ref, str) for ref in value)
        ):
            values[parameter.name] = tuple(
                [position(shape, ref) if isinstance(ref, str) else ref for ref in value]
            )
    return values


def _with_positions_in_each(dims: Any, values: Mapping[str, Any]) -> Any:
    """Positions for the dims that `tensordot` sums over.

    Some are of the first operand, some of the second.
    """
    operands = [dims_of(value) for value in values.values() if isinstance(value, Tensor)]
    if not isinstance(dims, (tuple, list)) or len(dims) != 2 or len(operands) != 2:
        return dims
    return tuple(
        [
            tuple(position(shape, ref) if isinstance(ref, str) else ref for ref in part)
            if isinstance(part, (tuple, list))
            else part
            for shape, part in zip(operands, dims, strict=True)
        ]
    )


# -- the surface -----------------------------------------------------------------------------------


def method_of(name: str) -> Any:
    """The method or property of tensors for an op of the registry."""
    spelling = REGISTRY[f"Tensor.{name}"]
    if spelling.attribute:
        return property(lambda self: call(spelling, (self,), {}), doc=spelling.op.name)
    return _callable(spelling, name)


def function_of(path: str) -> Any:
    """The function for a spelling of the registry; None if it has none."""
    spelling = REGISTRY.get(path)
    if spelling is None or spelling.attribute:
        return None
    home, _, name = path.rpartition(".")
    function = _callable(spelling, name)
    _, dot, inside = home.partition(".")
    function.__module__ = f"namecheck_runtime{dot}{inside}"  # so that it can be pickled
    return function


def _makes(spelling: Spelling) -> bool:
    """Whether a function makes a tensor of sizes or numbers alone in one of its signatures."""
    op = spelling.op
    if not spelling.path.startswith("torch.") or op.name in VIEWS or kernel_of(op) is None:
        return False
    return any(
        not rule.answers
        and all(
            _TENSORS.isdisjoint(p.takes) and (p.kind != "variadic" or "object" not in p.takes)
            for p in rule.parameters
        )
        for rule in op.rules
    )


_TENSORS: Final = frozenset({"Operand", "Dims", "Shape", "Tensors"})


def _callable(spelling: Spelling, name: str) -> Any:
    plans = plans_of(spelling)
    ask = plans.call

    def give_back(*arguments: Any, **keywords: Any) -> Any:
        first = arguments[0] if arguments else next(iter(keywords.values()), None)
        # Only the linter can use what an assertion says of another library's array.
        if isinstance(first, (Tensor, np.ndarray)) or not hasattr(first, "shape"):
            result = ask(arguments, keywords)
            return first if isinstance(first, np.ndarray) else result
        return first

    shows = spelling.op.memory is Memory.VIEW or spelling.op.name in VIEWS
    makes = _makes(spelling)
    method = give_back
    if not spelling.op.itself:
        method = quickened(spelling, ask, plans.ufunc_of, shows, makes)
    method.__name__ = method.__qualname__ = name
    method.__doc__ = spelling.op.rules[0].function.__doc__
    return method

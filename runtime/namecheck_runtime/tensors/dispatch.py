"""Calling an op on tensors: the rule first, then a view or a kernel, then the destination.

`call` asks `infer` with the dims of all operands, so names and sizes are checked before a byte is
written; the answer is kept for calls like it (`calls.plans`).  A view follows the op's layout
function (`views.showing`), a computation takes its kernel from the table of `backends`
(`computing.computation`), and `computing.destinations` writes in place and to `out=`.  Nothing here
knows an op: `rules` say what each does to dims, `kernels` how its elements are computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from namecheck_runtime.algebra import position
from namecheck_runtime.autograd import recording
from namecheck_runtime.autograd.calls import CALLER
from namecheck_runtime.autograd.recipes import Recipe
from namecheck_runtime.autograd.tracing import ACTIVE
from namecheck_runtime.binding import Rule, name_arguments
from namecheck_runtime.declare import REGISTRY, Memory, Spelling, Unbindable, bind
from namecheck_runtime.errors import error_of
from namecheck_runtime.infer import Answer, infer
from namecheck_runtime.lattice import UNKNOWN, Dim
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.readers import keyword_names
from namecheck_runtime.tensors.calls.arguments import (
    check_names,
    check_options,
    check_types,
    refusal_of,
)
from namecheck_runtime.tensors.calls.call import Call
from namecheck_runtime.tensors.calls.operands import (
    dims_of,
    for_rules,
    for_rules_in_brackets,
    holds,
    tensors_in,
)
from namecheck_runtime.tensors.calls.plans import (
    Template,
    is_in_graph,
    key_of,
    kind_of,
    loose_of,
    template_of,
)
from namecheck_runtime.tensors.computing import destinations
from namecheck_runtime.tensors.computing.answers import ANSWERS
from namecheck_runtime.tensors.computing.composed import COMPOSED
from namecheck_runtime.tensors.computing.computation import Computation
from namecheck_runtime.tensors.computing.destinations import Writing, computed_to, write_out
from namecheck_runtime.tensors.computing.kernel_calls import KernelCall, Unfit, kernel_call_of
from namecheck_runtime.tensors.making.arrays import from_array
from namecheck_runtime.tensors.object import Size, Tensor
from namecheck_runtime.tensors.quick import quickened
from namecheck_runtime.tensors.values.plan_caches import keep, new_cache
from namecheck_runtime.tensors.views import broadcasting
from namecheck_runtime.tensors.views.showing import Showing
from namecheck_runtime.tensors.views.view_ops import VIEWS, copied_by, show_copied


def call_path(path: str, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """Call an op by one of its spellings."""
    return call(REGISTRY[path], arguments, keywords)


def set_item(target: Tensor, key: Any, value: Any) -> None:
    """`x[key] = value` where one of the tensors may be in a graph."""
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
            from namecheck_runtime.tensors.making.foreign import meet

            return meet(path, operand)
    return call_path(path, operands, {})


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

    __slots__ = ("_kinds", "_loose", "_made", "_spelling")

    def __init__(self, spelling: Spelling) -> None:
        self._spelling = spelling
        self._loose = loose_of(spelling)
        self._made: dict[tuple[Any, ...], Plan | Recipe] = new_cache()
        self._kinds: dict[tuple[Any, ...], Plan] = new_cache()

    def call(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """See the function `call`."""
        key = key_of(arguments, keywords, self._loose)
        if key is not None:
            known = self._made.get(key)
            if known is not None:
                return known.run(arguments, keywords)
        if key is None or is_in_graph(key):
            arguments = [
                from_array(argument) if isinstance(argument, np.ndarray) else argument
                for argument in arguments
            ]
            op = self._spelling.op.name
            if op not in _OF_GRAPHS and recording.in_graph(arguments, keywords):
                return self._recorded(key, arguments, keywords)
            key = None
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
        return result

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
        return None if key is None else self._made.get(key)  # type: ignore[return-value]

    def plan(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Plan:
        """The plan of a call whose tensors are in no graph; see the function `call`."""
        key = key_of(arguments, keywords, self._loose)
        plan: Any = None if key is None else self._made.get(key)
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
        if not _is_answer(answer.result, bound.rule):
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
    numbers = tuple([values[name] for name in _numbers_in(bound.rule, values)])
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


def _existing(result: Any, called: Call) -> Any:
    """A result that exists already, in place of a function that computes it."""
    return result


class Plan:
    """All that is known about a call, and about those like it, before the elements are read."""

    __slots__ = (
        "_alone",
        "_answer",
        "_call",
        "_computation",
        "_forms",
        "_kernel_call",
        "_known",
        "_numbers",
        "_own",
        "_parts",
        "_refused",
        "_showing",
        "_tensors",
        "_writing",
        "answered",
        "inplace",
        "template",
    )

    def __init__(self, called: Call, answer: Answer, template: Template | None, inplace: bool):
        from namecheck_runtime.tensors.computing import named_results

        op, values = called.op, called.values
        self.template: Template | None = template
        """None: this plan serves no other call."""
        self._call = called
        if template is not None:
            # A plan in the cache must keep no tensor alive.
            self._call = called._replace(values=template.values, operands=(), numbers=())
        self._tensors = tuple(name for name, value in values.items() if holds(value))
        self._alone = all(isinstance(values[name], Tensor) for name in self._tensors)
        self._numbers = tuple(_numbers_in(called.rule, values))
        self.answered = _is_answer(answer.result, called.rule)
        self._refused = broadcasting.refused(answer)
        self.inplace = inplace or bool(values.get("inplace"))
        self._answer = ANSWERS.get(op.name)
        if self._answer is None and op.name in COMPOSED:
            self._answer = partial(COMPOSED[op.name], _call_part)
        self._own = VIEWS.get(op.name)
        if self._own is None and copied_by(called.rule, op) is not None:
            self._own = show_copied
        self._parts = named_results.type_of(op.name, op.fields) if op.fields else None
        self._showing = Showing() if op.memory is Memory.VIEW else None
        self._computation: Computation | None = None
        self._forms: Any = None
        self._writing: Writing | None = None
        self._kernel_call: Any = _UNSEEN
        """What repeats the computation; None if a call has to be filled in."""
        self._known: Plan | None = None
        """A plan for a call of the same kind."""
        if self._answer or self._own or self._showing:
            check_options(op.name, called.options)

    @property
    def rule(self) -> Rule:
        """The signature that its calls are bound to."""
        return self._call.rule

    @property
    def computation(self) -> Computation | None:
        """How it computes; None if it shows or writes, or has not run yet."""
        return self._computation

    def like(self, answer: Answer) -> Plan | None:
        """The plan for a call of the same kind, which has another answer of the rule.

        None if that is of another kind, too.
        """
        result = answer.result
        if _is_answer(result, self._call.rule) is not self.answered:
            return None
        plan = _new_plan(Plan)
        plan.template = self.template
        op, rule, values, options, _, _, _ = self._call
        plan._call = _new_call(Call, (op, rule, values, options, result, (), ()))
        plan._tensors = self._tensors
        plan._alone = self._alone
        plan._numbers = self._numbers
        plan.answered = self.answered
        plan._refused = broadcasting.refused(answer) if answer.doubts else None
        plan.inplace = self.inplace
        plan._answer = self._answer
        plan._own = self._own
        plan._parts = self._parts
        plan._showing = None if self._showing is None else Showing()
        plan._computation = plan._writing = plan._forms = None
        plan._kernel_call = _UNSEEN
        plan._known = self
        return plan

    def run(
        self,
        arguments: Sequence[Any],
        keywords: Mapping[str, Any],
        called: Call | None = None,
    ) -> Any:
        """The result of a call like the one that this plan was made for.

        `called` is what `filled` has made of the arguments, if the caller has it.
        """
        kernel_call = self._kernel_call
        if kernel_call.__class__ is KernelCall and called is None:
            return self.repeated(kernel_call, arguments, keywords)
        if self.answered:
            return _as_value(self._call.dims)
        if self._refused is not None and broadcasting.STRICT.get():
            raise error_of(self._refused)
        if called is None:
            showing = self._showing
            if showing is not None and self._own is None and not keywords:
                if showing.is_certain and arguments[0].__class__ is Tensor:
                    return showing.view(arguments[0])
            called = self.filled(arguments, keywords)
        if self.inplace:
            target = called.operands[0]
            if self._writing is None:
                known = self._known
                self._writing = Writing(called, target, None if known is None else known._writing)
            return self._writing.run(called, target)
        if self._answer is not None:
            return self._answer(called)
        out = keywords.get("out")
        for show in (self._own, self._showing):
            shown = None if show is None else show(called)
            if shown is not None:
                return shown if out is None else write_out(called, partial(_existing, shown), out)
        if self._computation is None:
            self._compute_as(called)
        elif kernel_call is _UNSEEN:  # a call that is made once need not be remembered
            self._kernel_call = self._find_kernel_call(called, arguments, keywords)
        if out is not None:
            assert self._computation is not None
            if computed_to(called, self._computation, self._forms, out):
                return out
            return self._parted(write_out(called, self._computed, out))
        result = self._computed(called)
        if called.options.get("requires_grad") and isinstance(result, Tensor):
            result.requires_grad_(True)
        return result if self._parts is None else self._parted(result)

    def _find_kernel_call(
        self, called: Call, arguments: Sequence[Any], keywords: Mapping[str, Any]
    ) -> KernelCall | None:
        """What repeats the computation for the arguments of calls like this one.

        None if there is more to do than to compute.
        """
        more = self._refused or called.options.get("requires_grad")
        computation, template = self._computation, self.template
        if more or template is None or computation is None or "out" in keywords:
            return None
        return kernel_call_of(computation, template, called, self._forms, len(arguments))

    @property
    def kernel_call(self) -> KernelCall | None:
        """What repeats the computation; None if it is not known, or has more to do."""
        known = self._kernel_call
        return known if known.__class__ is KernelCall else None

    def repeated(
        self, kernel_call: KernelCall, arguments: Sequence[Any], keywords: Mapping[str, Any]
    ) -> Any:
        """The result of a call whose kernel is called at once; it is in no graph."""
        filled = (*arguments, *keywords.values()) if keywords else arguments
        try:
            elements = kernel_call.elements(filled)
        except Unfit:
            called = self.filled(arguments, keywords)
            return self._parted(self._computed(called))
        if kernel_call.several:
            results = kernel_call.tensors(elements, filled)
            if results is not None:
                return tuple(results) if self._parts is None else self._parts(results)
        else:
            result = kernel_call.tensor(elements, filled)
            if result is not None:
                return result
        return self.given(elements, arguments, keywords)

    def given(self, elements: Any, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """The result of a call whose kernel has returned some elements; it is in no graph."""
        assert self._computation is not None
        called = self.filled(arguments, keywords)
        return self._parted(self._computation.given(called, elements, self._forms))

    def _compute_as(self, called: Call) -> None:
        """Compute this call, and all that are like it, in one way."""
        computation = None if self._known is None else self._known._computation
        if computation is None or not computation.serves(called):
            computation = Computation(called)
        self._computation = computation
        self._forms = computation.forms_of(called)

    def _computed(self, called: Call) -> Any:
        assert self._computation is not None
        return self._computation.run(called, self._forms)

    @property
    def shows(self) -> bool:
        """Whether the result may lie in the memory of an operand."""
        return self._own is not None or self._showing is not None

    def _parted(self, result: Any) -> Any:
        """The result; if it is several tensors that have names as parts, as a tuple with these."""
        if self._parts is None or result.__class__ is not tuple:
            return result
        return self._parts(result)

    def filled(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Call:
        """The call with new arguments."""
        if self.template is None:
            return self._call
        op, rule, _, options, dims, _, _ = self._call
        values = self.template.filled(arguments, keywords)
        if self._alone:
            operands = tuple([values[name] for name in self._tensors])
        else:
            operands = tuple(tensors_in([values[name] for name in self._tensors]))
        numbers = tuple([values[name] for name in self._numbers]) if self._numbers else ()
        return _new_call(Call, (op, rule, values, options, dims, operands, numbers))


_UNSEEN: Final = "unseen"
_new_call: Final = tuple.__new__  # Call's own does the same in Python
_new_plan: Final = object.__new__


def _is_answer(result: Any, rule: Rule) -> bool:
    """Whether the answer of a rule is the result: a number, a flag, names.

    Dims are not: they belong to a result that is yet to be computed.
    """
    if not rule.answers or result is UNKNOWN:
        return False
    return not isinstance(result, tuple) or not any(map(_has_dims, result))


def _has_dims(value: Any) -> bool:
    return isinstance(value, Dim) or (isinstance(value, tuple) and any(map(_has_dims, value)))


def _as_value(result: Any) -> Any:
    if isinstance(result, tuple) and all(isinstance(size, int) for size in result):
        return Size(result)
    return result


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


def _numbers_in(rule: Rule, values: Mapping[str, Any]) -> Iterable[str]:
    """The parameters that take a tensor and have a number."""
    for parameter in rule.parameters:
        if "Operand" in parameter.takes:
            if isinstance(values[parameter.name], (int, float, complex)):
                yield parameter.name


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
    return _callable(spelling, path.rpartition(".")[2])


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
    method = give_back if spelling.op.itself else quickened(spelling, ask, plans.ufunc_of, shows)
    method.__name__ = method.__qualname__ = name
    method.__doc__ = spelling.op.rules[0].function.__doc__
    return method

"""What is known about a call before its elements are read: a plan, for it and for calls like it.

`dispatch` makes the plans, and asks `calls.plans` which calls are alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from namecheck_runtime.autograd.calls import call
from namecheck_runtime.binding import Rule
from namecheck_runtime.declare import Memory
from namecheck_runtime.errors import error_of
from namecheck_runtime.infer import Answer
from namecheck_runtime.lattice import UNKNOWN, Dim
from namecheck_runtime.strides import contiguous_strides
from namecheck_runtime.tensors.backends import NoViewsError
from namecheck_runtime.tensors.calls.arguments import (
    check_options,
)
from namecheck_runtime.tensors.calls.call import Call
from namecheck_runtime.tensors.calls.operands import (
    holds,
    tensors_in,
)
from namecheck_runtime.tensors.calls.plans import (
    Template,
)
from namecheck_runtime.tensors.computing.answers import ANSWERS
from namecheck_runtime.tensors.computing.composed import COMPOSED
from namecheck_runtime.tensors.computing.computation import Computation, Form
from namecheck_runtime.tensors.computing.destinations import Writing, computed_to, write_out
from namecheck_runtime.tensors.computing.direct_calls import Direct, direct_call, direct_write
from namecheck_runtime.tensors.computing.kernel_calls import KernelCall, Unfit, kernel_call_of
from namecheck_runtime.tensors.object import Size, Tensor
from namecheck_runtime.tensors.views import broadcasting
from namecheck_runtime.tensors.views.showing import Showing
from namecheck_runtime.tensors.views.view_ops import VIEWS, copied_by, show_copied


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
        "_repeats",
        "_showing",
        "_shows_plainly",
        "_tensors",
        "_writing",
        "answered",
        "direct",
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
        self._numbers = tuple(numbers_in(called.rule, values))
        self.answered = is_answer(answer.result, called.rule)
        self._refused = broadcasting.refused(answer)
        self.inplace = inplace or bool(values.get("inplace"))
        self._answer = ANSWERS.get(op.name)
        if self._answer is None and op.name in COMPOSED:
            self._answer = partial(COMPOSED[op.name], call)
        self._own = VIEWS.get(op.name)
        if self._own is None and copied_by(called.rule, op) is not None:
            self._own = show_copied
        self._parts = named_results.type_of(op.name, op.fields) if op.fields else None
        self._shows_plainly = self._own is None
        """Whether no function of the op's own makes the view."""
        self._showing = Showing() if op.memory is Memory.VIEW else None
        self._computation: Computation | None = None
        self._forms: Any = None
        self._writing: Writing | None = None
        self._kernel_call: Any = _UNSEEN
        """What repeats the computation; None if a call has to be filled in."""
        self._known: Plan | None = None
        """A plan for a call of the same kind."""
        self.direct: Direct | None = None
        """A function for the next calls, once there were some."""
        self._repeats = 0
        if self._answer or self._own or self._showing:
            check_options(op.name, called.options)

    @property
    def rule(self) -> Rule:
        """The signature that its calls are bound to."""
        return self._call.rule

    @property
    def dims(self) -> Any:
        """What the rule answered: the dims of the result, or of each of several."""
        return self._call.dims

    @property
    def computation(self) -> Computation | None:
        """How it computes; None if it shows or writes, or has not run yet."""
        return self._computation

    def like(self, answer: Answer) -> Plan | None:
        """The plan for a call of the same kind, which has another answer of the rule.

        None if that is of another kind, too.
        """
        result = answer.result
        if is_answer(result, self._call.rule) is not self.answered:
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
        plan._shows_plainly = self._own is None
        plan._parts = self._parts
        plan._showing = None if self._showing is None else Showing()
        plan._computation = plan._writing = plan._forms = None
        plan._kernel_call = _UNSEEN
        plan._known = self
        plan.direct = None
        plan._repeats = 0
        return plan

    @property
    def has_plain_forms(self) -> bool:
        """Whether a kernel call repeats it whose results are in row-major order."""
        known = self.kernel_call
        return known is not None and all(
            form.order == contiguous_strides(form.sizes) for form in known.forms
        )

    def with_dims(self, dims: Any) -> Plan | None:
        """The plan for a call that differs in sizes alone, so that its result has other dims.

        They are in row-major order, if they are computed (`has_plain_forms`).  None for a call of
        another kind.
        """
        plan = self.like(Answer(dims))
        known = self.kernel_call
        if plan is not None and known is not None:
            forms = [
                _resized(form, tuple([dim.size for dim in part]))
                for form, part in zip(known.forms, dims if known.several else (dims,), strict=True)
            ]
            plan._computation = self._computation
            plan._forms = tuple(forms) if known.several else forms[0]
            plan._kernel_call = known.like(plan._forms)
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
        if self.direct is not None and called is None:
            return self.direct(arguments, keywords)
        return self._run(arguments, keywords, called)

    def _run(
        self,
        arguments: Sequence[Any],
        keywords: Mapping[str, Any],
        called: Call | None = None,
    ) -> Any:
        """See `run`; without the function for calls like it."""
        self._require_allowed()
        kernel_call = self._kernel_call
        if kernel_call.__class__ is KernelCall and called is None:
            return self.repeated(kernel_call, arguments, keywords)
        if self.answered:
            return self._answer_of_rule()
        if called is None:
            showing = self._showing
            if showing is not None and self._shows_plainly and showing.is_certain:
                if self._refused is None and self._begins_with_base:
                    self.direct = showing.direct()
                    return self.direct(arguments, keywords)
            called = self.filled(arguments, keywords)
        if self.inplace:
            target = called.operands[0]
            if self._writing is None:
                known = self._known
                self._writing = Writing(called, target, None if known is None else known._writing)
            if self._repeats <= _FEW:
                self._count_write(called, arguments, keywords, target)
            return self._writing.run(called, target)
        if self._answer is not None:
            return self._answer(called)
        out = keywords.get("out")
        for show in (self._own, self._showing):
            shown = None
            if show is not None:
                try:
                    shown = show(called)
                except NoViewsError as refusal:
                    raise NotImplementedError(f"{called.op.name}: {refusal}") from None
            if shown is not None:
                return shown if out is None else write_out(called, partial(_existing, shown), out)
            if show is self._own:
                self._shows_plainly = True  # what these calls have in common has decided that
        if self._computation is None:
            self._compute_as(called)
            if out is None and self._repeats_kind(called, arguments, keywords):
                return self.repeated(self._kernel_call, arguments, keywords)
        elif kernel_call is _UNSEEN:  # a call that is made once need not be remembered
            self._kernel_call = self._find_kernel_call(called, arguments, keywords)
        if out is not None:
            assert self._computation is not None
            if computed_to(called, self._computation, self._forms, out):
                if self._repeats <= _FEW:
                    self._count_write(called, arguments, keywords, out)
                return out
            return self._parted(write_out(called, self._computed, out))
        result = self._computed(called)
        if called.options.get("requires_grad") and isinstance(result, Tensor):
            result.requires_grad_(True)
        return result if self._parts is None else self._parted(result)

    def _answer_of_rule(self) -> Any:
        """The answer of the rule to all these calls."""
        value = _as_value(self._call.dims)
        self.direct = lambda arguments, keywords: value
        return value

    def _require_allowed(self) -> None:
        """Raise what strict broadcasting says of the calls, while that is on."""
        if self._refused is not None and broadcasting.STRICT.get():
            raise error_of(self._refused)

    def _unless_strict(self, direct: Direct) -> Direct:
        """A function for calls that strict broadcasting refuses."""

        def allowed(arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
            self._require_allowed()
            return direct(arguments, keywords)

        return allowed

    def _find_kernel_call(
        self, called: Call, arguments: Sequence[Any], keywords: Mapping[str, Any]
    ) -> KernelCall | None:
        """What repeats the computation for the arguments of calls like this one.

        None if there is more to do than to compute.
        """
        more = called.options.get("requires_grad")
        computation, template = self._computation, self.template
        if more or template is None or computation is None or "out" in keywords:
            return None
        return kernel_call_of(
            computation, template, called, self._forms, len(arguments), [*keywords]
        )

    def _repeats_kind(
        self, called: Call, arguments: Sequence[Any], keywords: Mapping[str, Any]
    ) -> bool:
        """Whether what repeats another computation of the kind repeats this one, too."""
        plan = self._known
        if plan is None or self._computation is not plan._computation:
            return False
        if plan._kernel_call is _UNSEEN:
            plan._kernel_call = self._find_kernel_call(called, arguments, keywords)
            if plan._kernel_call is not None:
                plan._kernel_call = plan._kernel_call.like(plan._forms)
        if plan._kernel_call is None:
            return False
        self._kernel_call = plan._kernel_call.like(self._forms)
        return self._kernel_call is not None

    def _count_write(
        self, called: Call, arguments: Sequence[Any], keywords: Mapping[str, Any], target: Tensor
    ) -> None:
        """Count a call that writes to a tensor; after some there is a function for the next."""
        self._repeats += 1
        computation, names = self._computation, None
        if self._writing is not None:
            computation, names = self._writing.at_once
        elif self._forms.__class__ is Form:
            names = self._forms.names
        if self._repeats <= _FEW or computation is None or names is None:
            return
        if self.inplace and (not arguments or arguments[0] is not target):
            return
        template = self.template
        if self._refused or template is None or target._rest is not None or not target._array.size:
            return
        known = kernel_call_of(computation, template, called, (), len(arguments), [*keywords])
        if known is not None and not known.lists:
            place = 0 if self.inplace else len(arguments) + [*keywords].index("out")
            itself = self.inplace or called.op.memory is Memory.POINTWISE
            self.direct = direct_write(known, bool(keywords), place, itself, names, self._run)

    @property
    def kernel_call(self) -> KernelCall | None:
        """What repeats the computation; None if it is not known, or has more to do."""
        known = self._kernel_call
        return known if known.__class__ is KernelCall else None

    @property
    def is_settled(self) -> bool:
        """Whether it is known what repeats the computation, or that nothing does."""
        return self._kernel_call is not _UNSEEN

    def repeated(
        self, kernel_call: KernelCall, arguments: Sequence[Any], keywords: Mapping[str, Any]
    ) -> Any:
        """The result of a call whose kernel is called at once; it is in no graph."""
        self._require_allowed()
        self._repeats += 1
        if self._repeats > _FEW:  # before, its function would cost more than it saves
            parts = self._parts if kernel_call.several else None
            direct = direct_call(
                kernel_call, bool(keywords), parts, self.given, self._computed_anew
            )
            self.direct = direct if self._refused is None else self._unless_strict(direct)
            return self.direct(arguments, keywords)
        filled = (*arguments, *keywords.values()) if keywords else arguments
        try:
            elements = kernel_call.elements(filled)
        except Unfit:
            return self._computed_anew(arguments, keywords)
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

    def _computed_anew(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """The result of a call whose kernel is called in the usual way."""
        return self._parted(self._computed(self.filled(arguments, keywords)))

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
    def _begins_with_base(self) -> bool:
        """Whether the operand of a view is the first argument, and nothing is written to."""
        template = self.template
        if template is None or any(name == "out" for name, _ in template.words):
            return False
        return template.given[:1] == ((next(iter(self._call.values)), 0),)

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


def _resized(form: Form, sizes: tuple[int, ...]) -> Form:
    """A form with other sizes, in row-major order."""
    order: Any = contiguous_strides(sizes)
    item = form.dtype.itemsize
    return form._replace(
        sizes=sizes, order=order, strides=tuple([stride * item for stride in order])
    )


_UNSEEN: Final = "unseen"
_FEW: Final = 3
"""How many repeated calls go without a function of their own."""
_new_call: Final = tuple.__new__  # Call's own does the same in Python
_new_plan: Final = object.__new__


def is_answer(result: Any, rule: Rule) -> bool:
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


def numbers_in(rule: Rule, values: Mapping[str, Any]) -> Iterable[str]:
    """The parameters that take a tensor and have a number."""
    for parameter in rule.parameters:
        if "Operand" in parameter.takes:
            if isinstance(values[parameter.name], (int, float, complex)):
                yield parameter.name

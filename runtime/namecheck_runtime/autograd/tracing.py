"""What a derivative does for a kind of call: the kernels that it ran, to run them again.

A derivative is a function in terms of ops, and that is its only declaration.  Here it is called
once on tensors that stand for others and note the ops that they are passed to (`trace`).  The
result is a `Replay`: kernels and views, on arrays alone.  It serves as long as nothing but sizes,
strides, dtypes and numbers decides what the derivative does, so a derivative that reads elements
has none.  It may write to memory of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from threading import local
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided

from namecheck_runtime.tensors.computing.kernel_calls import KernelCall, Unfit, fitted
from namecheck_runtime.tensors.object import Rest, Tensor, fresh
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.errstate import QUIET, REFUSALS
from namecheck_runtime.tensors.values.history import History
from namecheck_runtime.tensors.values.name_tuples import unnamed
from namecheck_runtime.tensors.values.storage import Storage, address

if TYPE_CHECKING:
    from typing import Protocol

    class Plan(Protocol):
        """What is known about a call, see `call_plans.Plan`."""

        answered: bool
        inplace: bool

        @property
        def kernel_call(self) -> KernelCall | None: ...
        def run(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any: ...

    class Plans(Protocol):
        """The plans for calls of a spelling, see `dispatch.Plans`."""

        def kept(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Plan | None: ...
        def call(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any: ...
        @property
        def writes(self) -> bool: ...
        @property
        def asks(self) -> bool: ...


ArrayForm = tuple[tuple[int, ...], tuple[int, ...], Any]
"""The sizes, strides and dtype of an array."""
Step = Callable[[list[Any]], None]
"""Appends the arrays of a result to those that it is passed."""


class Untraceable(Exception):
    """More decides what a derivative does than the kind of a call."""


class Active(local):
    """The trace that a thread makes."""

    tracer: Tracer | None = None


ACTIVE: Final = Active()
_new: Final = object.__new__


class Traced(Tensor):
    """A tensor that stands for another one, and notes the ops that it is passed to.

    Whatever reads its elements ends the trace.
    """

    __slots__ = ("is_foreign", "real", "rest", "slot")

    real: Tensor
    """What it stands for."""
    rest: Rest
    slot: int
    """Which of the arrays of the trace is its own."""
    is_foreign: bool
    """Whether it may lie in memory that others hold, such as that of a saved tensor."""

    if not TYPE_CHECKING:

        @property
        def _array(self) -> Any:
            raise Untraceable

        @property
        def _storage(self) -> Any:
            raise Untraceable

        @property
        def _rest(self) -> Rest:
            return self.rest

    def _geometry(self) -> Any:
        raise Untraceable

    def _own(self) -> Any:
        raise Untraceable


class Tracer:
    """The ops that a derivative calls, on which arrays."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.count = 0
        """How many arrays there are before the next step."""
        self._by_real: dict[int, Traced] = {}

    def traced(self, real: Tensor, is_foreign: bool = True) -> Traced:
        """What stands for a tensor, whose array is the next one."""
        traced: Any = object.__new__(Traced)
        traced.real = real
        traced.is_foreign = is_foreign
        traced.slot = self.count
        geometry = real._geometry()._replace(offset=0)  # rules ask it for sizes
        traced.rest = Rest(dtypes.CPU, dtypes.strided, real.dtype, geometry, History())
        traced._names = real._names
        self._by_real[id(real)] = traced
        self.count += 1
        return traced  # type: ignore[no-any-return]

    def let_go(self) -> None:
        """Keep no tensor alive: steps need only to know which arrays they take."""
        for traced in self._by_real.values():
            del traced.real
        self._by_real.clear()

    def part(self, plans: Plans, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Call an op that a derivative names.  Raises Untraceable."""
        if plans.asks:
            return plans.call(arguments, keywords)
        return self.call(plans, arguments, keywords)

    def call(self, plans: Plans, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Call an op on what the tensors stand for, and note the call.  Raises Untraceable."""
        if keywords.get("out") is not None:
            raise Untraceable
        if plans.writes:
            return self._write(plans, arguments, keywords)
        real = [_real(value) for value in arguments]
        real_keywords = {word: _real(value) for word, value in keywords.items()}
        result = plans.call(real, real_keywords)
        plan = plans.kept(real, real_keywords)
        if plan is None or plan.inplace:
            raise Untraceable
        if plan.answered:
            return result
        if plan.kernel_call is None:
            plans.call(real, real_keywords)  # a plan finds it when it is used again
        given = (*arguments, *keywords.values())
        several = isinstance(result, (tuple, list))
        parts = list(result) if several else [result]
        if not all(part.__class__ is Tensor and part._rest is None for part in parts):
            raise Untraceable
        known = [self._by_real.get(id(part)) for part in parts]
        if not several and known[0] is not None:
            return known[0]
        if any(traced is not None for traced in known) or not all(p._array.size for p in parts):
            raise Untraceable
        self.steps.append(_step_of(plan, given, real, real_keywords, parts))
        foreign = [t.real._storage for t in _traced_in(given) if t.is_foreign]
        traced = [
            self.traced(part, part._storage is not None and part._storage in foreign)
            for part in parts
        ]
        return type(result)(traced) if several else traced[0]

    def _write(self, plans: Plans, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Call an op that writes to its first argument, and note the call.  Raises Untraceable."""
        target, *others = arguments or (None,)
        if target.__class__ is not Traced or target.is_foreign or any(o is target for o in others):
            raise Untraceable
        real = [_real(value) for value in arguments]
        real_keywords = {word: _real(value) for word, value in keywords.items()}
        array = real[0]._array
        result = plans.call(real, real_keywords)
        plan = plans.kept(real, real_keywords)
        if plan is None or result is not real[0] or result._array is not array:
            raise Untraceable
        given = (*arguments, *keywords.values())
        self.steps.append(_step_of_write(plan, given, len(real), real_keywords))
        return target


def _real(value: Any) -> Any:
    """An argument with the tensors that others stand for.  Raises Untraceable for other ones."""
    kind = value.__class__
    if kind is Traced:
        return value.real
    if isinstance(value, (Tensor, np.ndarray)):
        raise Untraceable
    return kind([_real(entry) for entry in value]) if kind is tuple or kind is list else value


# -- steps -----------------------------------------------------------------------------------------


def _step_of(
    plan: Plan,
    given: Sequence[Any],
    real: Sequence[Any],
    keywords: Mapping[str, Any],
    parts: Sequence[Tensor],
) -> Step:
    """What repeats a call; `given` are its arguments with tensors that stand for others."""
    known = plan.kernel_call
    step = None if known is None else _step_of_kernel(known, given)
    if step is not None:
        return step
    tensors = [value for value in given if value.__class__ is Traced]
    if len(parts) == 1 and tensors:
        view = _step_of_view(tensors[0], parts[0])
        if view is not None:
            return view
    return _step_of_plan(plan, given, len(real), keywords, parts)


def _step_of_kernel(known: KernelCall, given: Sequence[Any]) -> Step | None:
    """What calls a kernel at once.

    None if that returns another form, or memory that is not its own.  The rule promises the sizes
    of the result, and the strides that the kernel gives it follow from those that it gets.
    """
    fixed = known.fixed.copy()
    for place, at in known.others:
        fixed[place] = given[at]
    arrays = [(place, given[at].slot) for place, at in known.arrays]
    lists = [(place, [entry.slot for entry in given[at]]) for place, at in known.lists]
    tensors = [value.real for value in _traced_in(given)]
    elements = known.elements([_real(value) for value in given])
    raw = elements if known.several else (elements,)
    for array, form in zip(raw, known.forms, strict=True):
        own = fitted(array, form)
        if own is None or any(tensor._array is own for tensor in tensors):
            return None
    function, convert = known.function, np.asarray if known.forms[0].sizes == () else None
    if known.several or lists:

        def call(slots: list[Any]) -> None:
            taken = fixed.copy()
            for place, slot in arrays:
                taken[place] = slots[slot]
            for place, many in lists:
                taken[place] = [slots[slot] for slot in many]
            elements = function(*taken)
            slots += map(np.asarray, elements if known.several else (elements,))

        return call
    if convert is None and len(fixed) == len(arrays) == 1:
        [(_, only)] = arrays
        return lambda slots: slots.append(function(slots[only]))
    if convert is None and len(fixed) == len(arrays) == 2:
        (_, left), (_, right) = arrays
        return lambda slots: slots.append(function(slots[left], slots[right]))

    def call_one(slots: list[Any]) -> None:
        taken = fixed.copy()
        for place, slot in arrays:
            taken[place] = slots[slot]
        array = function(*taken)
        slots.append(array if convert is None else convert(array))

    return call_one


def _traced_in(values: Sequence[Any]) -> list[Traced]:
    found: list[Traced] = []
    for value in values:
        if value.__class__ is Traced:
            found.append(value)
        elif isinstance(value, (tuple, list)):
            found += _traced_in(value)
    return found


def _step_of_view(base: Traced, view: Tensor) -> Step | None:
    """What shows an array as another one was shown; None if that is no view of it."""
    tensor: Any = base.real
    if view._storage is None or view._storage is not tensor._storage:
        return None
    array, shown, slot = tensor._array, view._array, base.slot
    if array.dtype is not shown.dtype or not array.size:
        return None
    sizes, places = shown.shape, shown.strides
    begin = address(shown) - address(array)
    if not begin and sizes == array.shape[::-1] and places == array.strides[::-1]:
        # Half the time of the ways below, and the most frequent view.
        return lambda slots: slots.append(slots[slot].T)
    if array.flags.c_contiguous:
        dtype = array.dtype

        def show(slots: list[Any]) -> None:
            slots.append(np.ndarray(sizes, dtype, slots[slot], begin, places))

        return show
    if begin:
        return None

    def show_apart(slots: list[Any]) -> None:
        slots.append(as_strided(slots[slot], sizes, places))

    return show_apart


def _step_of_plan(
    plan: Plan, given: Sequence[Any], count: int, keywords: Mapping[str, Any], parts: Sequence[Any]
) -> Step:
    """Call the op on tensors of the arrays."""
    words = tuple(keywords)
    forms = [form_of_array(part._array) for part in parts]

    def step(slots: list[Any]) -> None:
        result = _run(plan, given, count, words, slots)
        results = result if isinstance(result, (tuple, list)) else (result,)
        for part, form in zip(results, forms, strict=True):
            array = part._array
            if form_of_array(array) != form:
                raise Unfit
            slots.append(array)

    return step


def _step_of_write(
    plan: Plan, given: Sequence[Any], count: int, keywords: Mapping[str, Any]
) -> Step:
    """Call an op that writes on tensors of the arrays."""
    words = tuple(keywords)

    def step(slots: list[Any]) -> None:
        _run(plan, given, count, words, slots)

    return step


def _run(
    plan: Plan, given: Sequence[Any], count: int, words: Sequence[str], slots: Sequence[Any]
) -> Any:
    """The result of a call on tensors of the arrays."""
    values = [_filled(value, slots) for value in given]
    return plan.run(values[:count], dict(zip(words, values[count:], strict=True)))


def _filled(value: Any, slots: Sequence[Any]) -> Any:
    kind = value.__class__
    if kind is Traced:
        return tensor_of(slots[value.slot])
    if kind is tuple or kind is list:
        return kind([_filled(entry, slots) for entry in value])
    return value


def tensor_of(array: Any) -> Tensor:
    """A tensor of an array, which may be a view."""
    tensor = fresh(array, unnamed(array.ndim))
    if array.base is not None or not array.flags.c_contiguous:
        tensor._storage = _storage_under(array)
    return tensor


def _storage_under(array: Any) -> Storage:
    """The storage of an array: that of the array which it is a view of, where that is simple."""
    base = array.base
    if isinstance(base, np.ndarray) and base.flags.c_contiguous and base.dtype is array.dtype:
        return Storage.under(base)
    return Storage.under(array)


# -- replays ---------------------------------------------------------------------------------------


class Output(NamedTuple):
    """A gradient that a derivative returns."""

    slot: int
    """Its array, of those of the replay."""
    owns: bool
    """Whether it owns its memory."""
    names: Any
    form: ArrayForm


class Replay:
    """What a derivative has done, on other arrays."""

    __slots__ = ("inputs", "numbers", "outputs", "steps")

    def __init__(self, tracer: Tracer, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        self.steps = tuple(tracer.steps)
        self.inputs = tuple([form_of_array(array) for array in inputs])
        """What the arrays that it takes look like."""
        self.outputs: list[Output | None] = []
        self.numbers: tuple[Any, ...] = ()
        """The numbers that the derivative needed."""
        for output in outputs:
            if output is None:
                self.outputs.append(None)
            else:
                array = output.real._array
                owns = output.real._storage is None and array.base is None
                known = Output(output.slot, owns, unnamed(array.ndim), form_of_array(array))
                self.outputs.append(known)

    def run(self, arrays: list[Any], grads: Sequence[Any]) -> list[Any]:
        """The gradients that the derivative returns: tensors, and None.

        `arrays` are those of the gradients `grads`, and of what was saved.  Raises Unfit if the
        derivative itself has to be called.
        """
        for array, (sizes, places, dtype) in zip(arrays, self.inputs, strict=True):
            if array.strides != places or array.shape != sizes or array.dtype is not dtype:
                raise Unfit
        count = len(grads)
        try:
            QUIET.run(self._compute, arrays)
        except REFUSALS as error:
            raise Unfit from error
        results: list[Any] = []
        made: dict[int, Tensor] = {}
        for output in self.outputs:
            if output is None:
                results.append(None)
                continue
            slot, owns, names, _ = output
            if slot < count:
                results.append(grads[slot])
            elif slot in made:
                results.append(made[slot])
            else:
                if owns:
                    tensor = _new(Tensor)
                    tensor._array = arrays[slot]
                    tensor._names = names
                    tensor._storage = tensor._rest = None
                else:
                    tensor = tensor_of(arrays[slot])
                made[slot] = tensor
                results.append(tensor)
        return results

    def _compute(self, arrays: list[Any]) -> None:
        for step in self.steps:
            step(arrays)


def form_of_array(array: Any) -> ArrayForm:
    """The sizes, strides and dtype of an array."""
    return array.shape, array.strides, array.dtype


def trace(
    derive: Callable[[Sequence[Any]], Sequence[Any]], inputs: Sequence[Tensor], count: int
) -> tuple[Replay, list[Any]] | None:
    """The replay of a derivative from one call of it, and what it has returned this time.

    `inputs` are the gradients that it takes, `count` of them, and the tensors that were saved.
    None if more than their kind decides what the derivative does.
    """
    if ACTIVE.tracer is not None or not all(tensor._array.size for tensor in inputs):
        return None
    tracer = ACTIVE.tracer = Tracer()
    try:
        outputs = derive([tracer.traced(tensor) for tensor in inputs])
    except Untraceable:
        return None
    finally:
        ACTIVE.tracer = None
    for output in outputs:
        if output is not None and output.__class__ is not Traced:
            return None
        if output is not None and count <= output.slot < len(inputs):
            return None  # what was saved is not handed out
    replay = Replay(tracer, [tensor._array for tensor in inputs], outputs)
    results = [None if output is None else output.real for output in outputs]
    tracer.let_go()
    return replay, results

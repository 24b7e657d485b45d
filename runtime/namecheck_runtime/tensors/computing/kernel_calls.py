"""Calls that are repeated: the kernel at once, with the arrays of the next call.

A plan that has computed knows which arguments its kernel takes, and what the result looks like.
What is left for a call like it is to pass the arrays, and to see whether the kernel has returned
memory of its own in that form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from inspect import Parameter, signature
from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.backends import Cpu
from namecheck_runtime.tensors.calls.call import Call
from namecheck_runtime.tensors.calls.plans import Template
from namecheck_runtime.tensors.computing.computation import Computation, Form
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values.errstate import QUIET, REFUSALS

_new: Final = object.__new__


class Unfit(Exception):
    """The kernel has to be called in the usual way, which says what is wrong."""


class KernelCall:
    """A kernel with room for the arrays of calls like the one that it was made for.

    Arguments of a call are counted through those by position and those by keyword.
    """

    __slots__ = ("arrays", "fits_kind", "fixed", "forms", "function", "lists", "others", "several")

    def __init__(self, function: Callable[..., Any], forms: Any) -> None:
        self.function = function
        self.fixed: list[Any] = []
        """The arguments of the kernel, with None where those of a call are put."""
        self.arrays: list[tuple[int, int]] = []
        """For each array its place among them, and the argument that holds it."""
        self.lists: list[tuple[int, int]] = []
        """The same for arguments that are sequences of tensors."""
        self.others: list[tuple[int, int]] = []
        """The same for arguments that are passed as they are."""
        self.fits_kind = True
        """Whether it serves all calls of the kind: no argument in `fixed` is of one call alone."""
        self.several: bool = forms.__class__ is not Form
        self.forms: tuple[Form, ...] = forms if self.several else (forms,)
        """What each result looks like."""

    def like(self, forms: Any) -> KernelCall | None:
        """The same for calls of the kind whose results look otherwise; None if it serves none."""
        several = forms.__class__ is not Form
        if not self.fits_kind or forms is None or several is not self.several:
            return None
        each = forms if several else (forms,)
        if any(form.__class__ is not Form for form in each):
            return None
        known = _new(KernelCall)
        known.function, known.fixed = self.function, self.fixed
        known.arrays, known.lists, known.others = self.arrays, self.lists, self.others
        known.fits_kind, known.several, known.forms = True, several, each
        return known

    def elements(self, arguments: Sequence[Any]) -> Any:
        """What the kernel returns for the arguments of a call, which may be in graphs.

        Raises Unfit if it has to be called in the usual way.
        """
        taken = self.fixed.copy()
        for place, at in self.arrays:
            taken[place] = arguments[at]._array
        if self.others:
            for place, at in self.others:
                taken[place] = arguments[at]
        if self.lists:
            for place, at in self.lists:
                tensors = arguments[at]
                taken[place] = tensors.__class__([tensor._array for tensor in tensors])
        return self.compute(taken)

    def compute(self, taken: list[Any]) -> Any:
        """What the kernel returns for its arguments.

        Raises Unfit if it has to be called in the usual way.
        """
        try:
            return QUIET.run(self.function, *taken)
        except REFUSALS as error:
            raise Unfit from error

    def tensor(self, elements: Any, arguments: Sequence[Any]) -> Tensor | None:
        """The one result, in no graph; None if its elements need another form or memory."""
        form = self.forms[0]
        array = fitted(elements, form)
        if array is None:
            return None
        for _, at in self.arrays:
            if arguments[at]._array is array:
                return None  # a kernel may return its argument
        result = _new(Tensor)
        result._array = array
        result._names = form.names
        result._storage = result._rest = None
        return result

    def tensors(self, elements: Any, arguments: Sequence[Any]) -> list[Tensor] | None:
        """The same for several results."""
        if elements.__class__ is not tuple or len(elements) != len(self.forms):
            return None
        results: list[Tensor] = []
        for part, form in zip(elements, self.forms, strict=True):
            array = fitted(part, form)
            if array is None or any(arguments[at]._array is array for _, at in self.arrays):
                return None
            result = _new(Tensor)
            result._array = array
            result._names = form.names
            result._storage = result._rest = None
            results.append(result)
        return results


def fitted(elements: Any, form: Form) -> Any:
    """The array of a result; None if it has another form, or is a view."""
    if elements.__class__ is not np.ndarray:
        # NumPy's reductions return a number in place of an array without dims.
        if not form.sizes and isinstance(elements, np.generic) and elements.dtype is form.dtype:
            return np.asarray(elements)
        return None
    if (
        elements.dtype is form.dtype
        and elements.strides == form.strides
        and elements.shape == form.sizes
        and elements.base is None
    ):
        return elements
    return None


def kernel_call_of(
    computation: Computation,
    template: Template,
    called: Call,
    forms: Any,
    count: int,
    words: Sequence[str],
) -> KernelCall | None:
    """What repeats a computation, of which `called` is one call with `count` positional arguments.

    `words` are its keywords, in the caller's order.  The kernel writes to an argument if there are
    no `forms`.
    None if more has to be done than to pass the arrays.
    """
    is_checked = called.numbers and getattr(computation.of, "kind", "") == "int"
    if called.op.writes or is_checked or type(computation.backend) is not Cpu:
        return None
    each = forms if isinstance(forms, tuple) and forms.__class__ is not Form else (forms,)
    if any(form.__class__ is not Form for form in each):
        return None
    places = dict(template.given)
    places |= {name: count + words.index(word) for name, word in template.named}
    gathered = {name for name, _ in template.gathered}
    order = _order_of(computation)
    if order is None:
        return None
    known = KernelCall(computation.function, forms)
    for name, default, how in order:
        place = len(known.fixed)
        known.fixed.append(None)
        if how == "left out":
            known.fixed[place] = default
            continue
        source = _source_of(computation, name, called)
        at = places.get(source, -1)
        value = called.values[source] if source in called.values else called.options[source]
        if how == "tensor" and at >= 0:
            if not _is_as_taken(value, computation):
                return None
            known.arrays.append((place, at))
        elif how == "several" and at >= 0:
            if not all(_is_as_taken(entry, computation) for entry in value):
                return None
            known.lists.append((place, at))
        elif how == "plain":
            if source in gathered:
                if not _is_whole(value):
                    return None
                known.fits_kind = False
            if at >= 0:
                known.others.append((place, at))
            else:
                known.fixed[place] = value
        else:
            return None
    return known


def _is_whole(value: Any) -> bool:
    """Whether a value is made of whole numbers, which are those of each call with this plan."""
    if isinstance(value, (tuple, list)):
        return all(map(_is_whole, value))
    return isinstance(value, int)


def _is_as_taken(value: Any, computation: Computation) -> bool:
    """Whether a kernel takes the elements of a tensor as they are."""
    if value.__class__ is not Tensor or value._rest is not None:
        return False
    to = computation.to
    return to is None or to.numpy is value._array.dtype


def _source_of(computation: Computation, name: str, called: Call) -> str:
    """The parameter of the rule that a parameter of the kernel gets its argument from."""
    if computation.is_self(name):
        return next(n for n, value in called.values.items() if value is called.operands[0])
    return name


def _order_of(computation: Computation) -> list[tuple[str, Any, str]] | None:
    """The parameters of a kernel in order up to the last that is passed.

    Each with its default and with whether its argument is a tensor, has several, or is left out.
    None if some are passed by name alone.
    """
    hows = computation.hows
    if computation.positional:
        return [(name, None, how) for name, how in hows.items()]
    parameters = _parameters_of(computation.function)
    if parameters is None:
        return None
    by_position = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    order = [p for p in parameters if p.kind in by_position]
    passed = [k for k, p in enumerate(order) if p.name in hows]
    if len(passed) != len(hows):
        return None
    return [(p.name, p.default, hows.get(p.name, "left out")) for p in order[: passed[-1] + 1]]


@cache
def _parameters_of(function: Callable[..., Any]) -> list[Parameter] | None:
    """The parameters of a function; None for those of NumPy's that do not show them."""
    try:
        return list(signature(function).parameters.values())
    except ValueError:
        return None

"""Calls whose answer is certain before any size is known: elementwise functions, and named views.

The first call of an op goes the usual way.  If its rule, asked without sizes, names every dim of
the result, later calls on tensors of these names compute at once.  Nothing here knows an op: what
it does follows from its declaration and from what its first call did.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from namecheck_runtime.declare import Memory, Spelling
from namecheck_runtime.tensors.calls.operands import names_without_sizes
from namecheck_runtime.tensors.object import Tensor, fresh
from namecheck_runtime.tensors.values.default_device import DEFAULT
from namecheck_runtime.tensors.values.errstate import QUIET
from namecheck_runtime.tensors.values.name_tuples import Names
from namecheck_runtime.tensors.values.plan_caches import keep, new_cache

_new: Final = object.__new__
_PRIMES: Final = (2, 3, 5, 7, 11)
"""Sizes that are told apart, of a tensor that shows what a view does to its dims."""
_WORDS: Final = frozenset({str, type(None), type(Ellipsis)})
"""The types of arguments that are about names, not about sizes."""
_UNSEEN: Final = "unseen"
_LEFT_OUT: Final = object()
"""Stands for an operand that is not passed by position."""
_NO_CALL: Final[tuple[Any, ...]] = (None, None, (), {}, (), None)

Ask = Callable[[Any, Any], Any]
"""The usual way: a function from the arguments and the keywords of a call to its result."""


def quickened(
    spelling: Spelling, ask: Ask, ufunc_of: Callable[..., Any], shows: bool, makes: bool = False
) -> Callable[..., Any]:
    """A function that calls an op, at once where that is possible.

    `ufunc_of` is NumPy's function for an op on one tensor; None if more has to be done.  `shows`:
    the result may be a view.  `makes`: without an operand the default device decides.
    """
    if makes:
        return _making(ask)
    if spelling.inplace or spelling.op.writes:
        return _plainly(ask)
    if spelling.op.memory is Memory.POINTWISE:
        return _elementwise(spelling, ask, ufunc_of)
    return _viewing(spelling, ask) if shows else _plainly(ask)


def _plainly(ask: Ask) -> Callable[..., Any]:
    def function(*arguments: Any, **keywords: Any) -> Any:
        return ask(arguments, keywords)

    return function


def _making(ask: Ask) -> Callable[..., Any]:
    default = DEFAULT

    def function(*arguments: Any, **keywords: Any) -> Any:
        if default.is_used and default.device is not None and keywords.get("device") is None:
            if not any(isinstance(one, Tensor) for one in (*arguments, *keywords.values())):
                keywords["device"] = default.device
        return ask(arguments, keywords)

    return function


def _elementwise(spelling: Spelling, ask: Ask, ufunc_of: Callable[..., Any]) -> Callable[..., Any]:
    ufuncs: dict[Any, Any] = new_cache()
    """None where more has to be done."""

    def function(*arguments: Any, **keywords: Any) -> Any:
        if len(arguments) != 1 or keywords:
            return ask(arguments, keywords)
        [operand] = arguments
        if operand.__class__ is not Tensor or operand._rest is not None:
            return ask(arguments, keywords)
        array = operand._array
        names = operand._names
        key = (names, array.dtype)
        ufunc = ufuncs.get(key, _UNSEEN)
        if ufunc is None:
            return ask(arguments, keywords)
        if ufunc is not _UNSEEN and (operand._storage is None or array.flags.c_contiguous):
            try:
                computed = QUIET.run(ufunc, array)
            except RuntimeError:
                pass
            else:
                result = _new(Tensor)
                result._array = computed if names else np.asarray(computed)
                result._names = names
                result._storage = result._rest = None
                return result
        answer = ask(arguments, keywords)
        if ufunc is _UNSEEN:
            keeps = names_without_sizes(spelling, (names,), certain=True) is names
            keep(ufuncs, key, ufunc_of(operand) if keeps else None)
        return answer

    return function


def _viewing(spelling: Spelling, ask: Ask) -> Callable[..., Any]:
    views: dict[Any, tuple[Names, tuple[int, ...] | None] | None] = new_cache()
    latest: dict[int, tuple[Any, ...]] = new_cache()
    """At 0 the latest call: programs repeat one, and to compare costs less than a key."""

    def function(operand: Any = _LEFT_OUT, /, *words: Any, **keywords: Any) -> Any:
        if operand.__class__ is not Tensor or operand._rest is not None:
            given = words if operand is _LEFT_OUT else (operand, *words)
            return ask(given, keywords)
        if words and words[0].__class__ not in _WORDS:
            return ask((operand, *words), keywords)
        array = operand._array
        its_names, its_dtype, its_words, its_keywords, names, order = latest.get(0, _NO_CALL)
        try:
            if (
                its_names is not operand._names
                or its_dtype is not array.dtype
                or its_words != words
                or its_keywords != keywords
            ):
                key = (operand._names, array.dtype, words, *keywords.items())
                plan = views.get(key)
                if plan is None:
                    return first(operand, words, keywords)
                names, order = plan
                latest[0] = (operand._names, array.dtype, words, keywords, names, order)
        except TypeError:  # an argument that has no hash
            return ask((operand, *words), keywords)
        storage = operand._storage
        if storage is None:
            storage = operand._own()  # which may set the array's strides
            array = operand._array
        view = _new(Tensor)
        # An array of its own: `Storage.roots` tells views by their arrays.
        view._array = array.view() if order is None else array.transpose(order)
        view._names = names
        view._storage = storage
        view._rest = None
        return view

    def first(operand: Tensor, words: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        answer = ask((operand, *words), keywords)
        if all(word.__class__ in _WORDS for word in (*words, *keywords.values())):
            key = (operand._names, operand._array.dtype, words, *keywords.items())
            if key not in views:
                keep(views, key, _view_of_names(spelling, ask, operand, words, keywords))
        return answer

    return function


def _view_of_names(
    spelling: Spelling, ask: Ask, operand: Tensor, others: Sequence[Any], keywords: dict[str, Any]
) -> tuple[Names, tuple[int, ...] | None] | None:
    """What a view that is asked for by names alone does to the dims: their names, and their order.

    The order is None if it stays.  None if the view does more, or if sizes decide what it does.
    """
    names = operand._names
    result = names_without_sizes(spelling, (names,), others, keywords, certain=True)
    if result is None or len(result) != len(names) or len(names) > len(_PRIMES):
        return None
    sizes = _PRIMES[: len(names)]
    plain = np.zeros(sizes, operand._array.dtype)
    every_second: Any = (*[slice(None, None, 2)] * len(sizes), ...)
    apart = np.zeros([2 * size for size in sizes], plain.dtype)[every_second]
    orders = {_order_of(ask, array, names, others, keywords, result) for array in (plain, apart)}
    order = orders.pop()
    if orders or order is None:
        return None
    return result, None if order == tuple(range(len(names))) else order


def _order_of(
    ask: Ask,
    array: Any,
    names: Names,
    others: Sequence[Any],
    keywords: dict[str, Any],
    result: Names,
) -> tuple[int, ...] | None:
    """The order of the dims of an array in its view; None if the result is not such a view."""
    base = fresh(array, names)
    base._own()
    try:
        view = ask((base, *others), keywords)
    except (RuntimeError, TypeError, ValueError, LookupError):
        return None  # sizes decide whether there is one
    if view.__class__ is not Tensor or view is base or view.dtype is not base.dtype:
        return None
    if view._storage is not base._storage or view.storage_offset() or view._names != result:
        return None
    if sorted(view.shape) != sorted(base.shape):
        return None
    places = {size: place for place, size in enumerate(base.shape)}
    order = tuple([places[size] for size in view.shape])
    strides: Any = base.stride()
    return order if view.stride() == tuple([strides[place] for place in order]) else None

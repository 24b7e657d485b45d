"""Functions that a transform has made of others: `jax.vmap(f)` is called as `f` would be, for every
place of a dim, `jax.grad(f)` gives the gradient of what `f` gives.

The function is evaluated once; which transforms there are stands in `frameworks`. Anything that is
not understood gives something unknown, and is silent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from namecheck import frameworks
from namecheck.analysis.python import trees
from namecheck.analysis.python.over_dim import DoesNotFit, OverDim
from namecheck.analysis.python.steps import step
from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument, Keywords
from namecheck.analysis.state.values import (
    FALSE,
    NONE,
    Anything,
    Library,
    List,
    Partial,
    Tensor,
    Transformed,
    Tuple,
    Value,
    kind_of_number,
    known,
    number,
)
from namecheck.frameworks.transforms import MAP, VALUE_AND_GRADIENT

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def transformed(
    ev: Evaluator, path: str, arguments: Sequence[Argument], keywords: Keywords
) -> Value:
    """What a call of a transform gives: the function that it has made, or what makes one with these
    options.
    """
    transform = frameworks.TRANSFORMS[path]
    names = transform.parameters
    if len(arguments) > len(names):
        return Anything()
    given = {
        name: ev.resolve(argument.value) for name, argument in zip(names, arguments, strict=False)
    }
    given.update((name, ev.resolve(argument.value)) for name, argument in keywords.items())
    function = given.pop(names[0], None)
    if function is None:
        return Partial(Library(path), (), given)
    return Transformed(path, function, given)


def call(
    ev: Evaluator,
    callee: Transformed,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
    node: ir.Call | None,
) -> Value:
    """The value of calling what a transform has made."""
    if arguments is None or keywords is None:
        return Anything()
    transform = frameworks.TRANSFORMS[callee.path]
    if transform.does == MAP:
        return _mapped(ev, callee, arguments, keywords, node)
    return _gradient(ev, callee, arguments, keywords, node)


def evaluate(
    ev: Evaluator,
    function: Value,
    arguments: Sequence[Argument],
    keywords: Keywords,
    node: ir.Call | None,
    index: int = 1,
) -> Value:
    """What a function gives that the call at `node` calls in its turn."""
    inner = None if node is None else step(node, index)
    return ev.resolve(ev.call(function, arguments, keywords, inner))


def _mapped(
    ev: Evaluator,
    callee: Transformed,
    arguments: Sequence[Argument],
    keywords: Keywords,
    node: ir.Call | None,
) -> Value:
    """What a mapped function gives."""
    arrays_only = frameworks.TRANSFORMS[callee.path].arrays_only
    axes = _axes_of_each(ev, callee, len(arguments))
    if axes is None or (keywords and arrays_only):
        return Anything()
    over = OverDim(ev, node, callee.path, arrays_only)
    try:
        given = [
            over.take(str(index), argument, spec)
            for index, (argument, spec) in enumerate(zip(arguments, axes, strict=True))
        ]
        named = {name: over.take(name, argument, number(0)) for name, argument in keywords.items()}
        dim = over.dim(callee.options.get("axis_size", NONE))
        result = evaluate(ev, callee.function, given, named, node)
        over.teach(dim)
        return over.put(result, callee.options.get("out_axes", number(0)), dim)
    except DoesNotFit:
        return Anything()


def _axes_of_each(ev: Evaluator, callee: Transformed, count: int) -> Sequence[Value] | None:
    """What `in_axes` says of each argument; None where that does not fit."""
    axes = ev.resolve(callee.options.get("in_axes", number(0)))
    if isinstance(axes, (Tuple, List)):
        rows = trees.parts(ev, axes)
        if rows is None or ... in rows:
            return [Anything()] * count
        return list(rows.values()) if len(rows) == count else None
    return [axes] * count


def _gradient(
    ev: Evaluator,
    callee: Transformed,
    arguments: Sequence[Argument],
    keywords: Keywords,
    node: ir.Call | None,
) -> Value:
    """The gradient of what a function gives, and that itself."""
    result = evaluate(ev, callee.function, arguments, keywords, node)
    by = ev.resolve(callee.options.get("argnums", number(0)))
    if isinstance(by, (Tuple, List)):
        rows = trees.parts(ev, by)
        if rows is None or ... in rows:
            return Anything()
        gradient: Value = Tuple([_of_argument(ev, one, arguments) for one in rows.values()])
    else:
        gradient = _of_argument(ev, by, arguments)
    has_more = known(ev.resolve(callee.options.get("has_aux", FALSE)))
    if has_more is None:
        return Anything()
    value: Value = Tensor((), "float", frameworks.jax.TENSOR)  # of anything else there is none
    if has_more[0]:
        pair = isinstance(result, Tuple) and len(result.elements) == 2
        more = result.elements[1] if isinstance(result, Tuple) and pair else Anything()
        value = Tuple((value, more))
    if frameworks.TRANSFORMS[callee.path].does == VALUE_AND_GRADIENT:
        return Tuple((value, gradient))
    return Tuple((gradient, value.elements[1])) if isinstance(value, Tuple) else gradient


def _of_argument(ev: Evaluator, index: Value, arguments: Sequence[Argument]) -> Value:
    """The gradient by one argument: the same tree, with tensors of the same dims."""
    found = known(ev.resolve(index))
    place = found[0] if found is not None else None
    if type(place) is not int or not -len(arguments) <= place < len(arguments):
        return Anything()
    return trees.mapped(ev, lambda leaves: array_like(ev, leaves[0]), [arguments[place].value])


def array_like(ev: Evaluator, value: Value) -> Value:
    """An array of the same dims; of a number one without dims."""
    value = ev.resolve(value)
    kind = kind_of_number(value)
    if kind:
        return Tensor((), kind, frameworks.jax.TENSOR)
    if not isinstance(value, Tensor):
        return Anything()
    return Tensor(ev.current(value.shape), value.kind, value.library, value.claimed)

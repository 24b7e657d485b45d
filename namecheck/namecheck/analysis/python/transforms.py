"""Transformed functions: `jax.vmap(f)` calls `f` for each index along a dim.

`jax.grad(f)` gives the gradient of the result of `f`.

The function is evaluated once; `frameworks` lists the transforms. A call that is not understood
gives an unknown value, without a finding.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from namecheck import frameworks
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
    trees,
)
from namecheck.frameworks.transforms import MAP, VALUE_AND_GRADIENT

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def transformed(
    ev: Evaluator, path: str, arguments: Sequence[Argument], keywords: Keywords
) -> Value:
    """The function that a transform makes, or a partial transform if the call has options only."""
    transform = frameworks.TRANSFORMS[path]
    names = transform.parameters
    if len(arguments) > len(names):
        return Anything()
    options = {
        name: ev.resolve(argument.value) for name, argument in zip(names, arguments, strict=False)
    }
    options.update((name, ev.resolve(argument.value)) for name, argument in keywords.items())
    function = options.pop(names[0], None)
    if function is None:
        return Partial(Library(path), (), options)
    return Transformed(path, function, options)


def call(
    ev: Evaluator,
    callee: Transformed,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
    node: ir.Call | None,
) -> Value:
    """The value of a call of a transformed function."""
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
    """The value of a function that the call at `node` calls."""
    inner = None if node is None else step(node, index)
    return ev.resolve(ev.call(function, arguments, keywords, inner))


def _mapped(
    ev: Evaluator,
    callee: Transformed,
    arguments: Sequence[Argument],
    keywords: Keywords,
    node: ir.Call | None,
) -> Value:
    """The value of a call of a mapped function."""
    arrays_only = frameworks.TRANSFORMS[callee.path].arrays_only
    axes = _axes_of_each(ev, callee, len(arguments))
    if axes is None or (keywords and arrays_only):
        return Anything()
    over = OverDim(ev, node, callee.path, arrays_only)
    try:
        parts = [
            over.take(str(index), argument, spec)
            for index, (argument, spec) in enumerate(zip(arguments, axes, strict=True))
        ]
        named = {name: over.take(name, argument, number(0)) for name, argument in keywords.items()}
        dim = over.dim(callee.options.get("axis_size", NONE))
        result = evaluate(ev, callee.function, parts, named, node)
        over.teach(dim)
        return over.put(result, callee.options.get("out_axes", number(0)), dim)
    except DoesNotFit:
        return Anything()


def _axes_of_each(ev: Evaluator, callee: Transformed, count: int) -> Sequence[Value] | None:
    """The part of `in_axes` for each argument; None if their numbers differ."""
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
    """The gradient of a function's result, with the result and auxiliary data if requested."""
    result = evaluate(ev, callee.function, arguments, keywords, node)
    argnums = ev.resolve(callee.options.get("argnums", number(0)))
    if isinstance(argnums, (Tuple, List)):
        rows = trees.parts(ev, argnums)
        if rows is None or ... in rows:
            return Anything()
        gradient: Value = Tuple([_of_argument(ev, one, arguments) for one in rows.values()])
    else:
        gradient = _of_argument(ev, argnums, arguments)
    has_aux = known(ev.resolve(callee.options.get("has_aux", FALSE)))
    if has_aux is None:
        return Anything()
    value: Value = Tensor((), "float", frameworks.jax.TENSOR)  # only a scalar has a gradient
    if has_aux[0]:
        pair = isinstance(result, Tuple) and len(result.elements) == 2
        auxiliary = result.elements[1] if isinstance(result, Tuple) and pair else Anything()
        value = Tuple((value, auxiliary))
    if frameworks.TRANSFORMS[callee.path].does == VALUE_AND_GRADIENT:
        return Tuple((value, gradient))
    return Tuple((gradient, value.elements[1])) if isinstance(value, Tuple) else gradient


def _of_argument(ev: Evaluator, index: Value, arguments: Sequence[Argument]) -> Value:
    """The gradient with respect to one argument: the same tree, with tensors of the same dims."""
    constant = known(ev.resolve(index))
    place = constant[0] if constant is not None else None
    if type(place) is not int or not -len(arguments) <= place < len(arguments):
        return Anything()
    return trees.mapped(ev, lambda leaves: array_like(ev, leaves[0]), [arguments[place].value])


def array_like(ev: Evaluator, value: Value) -> Value:
    """An array of the same dims; for a number, an array without dims."""
    value = ev.resolve(value)
    kind = kind_of_number(value)
    if kind:
        return Tensor((), kind, frameworks.jax.TENSOR)
    if not isinstance(value, Tensor):
        return Anything()
    return Tensor(ev.current(value.shape), value.kind, value.library, value.claimed)

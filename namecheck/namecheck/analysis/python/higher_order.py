"""Functions of libraries that call their arguments: over trees, along a dim, in loops and branches.

`frameworks` lists them.

JAX traces a function once. It requires that the body of a loop returns what it takes, and that both
branches give the same dims. So one evaluation suffices, and the carried value keeps its dims.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Final, cast

from namecheck.analysis.objects import literal_texts
from namecheck.analysis.python.over_dim import DoesNotFit, OverDim
from namecheck.analysis.python.transforms import array_like, evaluate
from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument, Keywords, given_as
from namecheck.analysis.state.values import (
    NONE,
    Anything,
    Constant,
    Dict,
    Either,
    Function,
    Library,
    List,
    Number,
    Tensor,
    Tuple,
    Value,
    join,
    known,
    number,
    trees,
)
from namecheck.frameworks import jax, python, transformers

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

Arguments = Sequence[Argument]
Evaluation = Callable[["Evaluator", Arguments, Keywords, "ir.Call | None"], Value]

MOST_LEAVES: Final = 24
"""The most leaves of a tree for which a function is evaluated one by one."""

NOTHING: Final = Argument(NONE)


def _tree_map(
    ev: Evaluator, arguments: Arguments, keywords: Keywords, node: ir.Call | None
) -> Value:
    """`jax.tree.map(f, tree, *rest)`."""
    if len(arguments) < 2 or keywords:
        return Anything()
    function, *rows = (argument.value for argument in arguments)
    count = 0

    def change(leaves: Sequence[Value]) -> Value:
        nonlocal count
        count += 1
        if count > MOST_LEAVES:
            return Anything()
        if not isinstance(ev.resolve(leaves[0]), (Tensor, Number, Constant)):
            return Anything()  # the leaf may be a tree
        return evaluate(ev, function, list(map(Argument, leaves)), {}, node, count)

    if not isinstance(ev.resolve(rows[0]), (Tensor, Tuple, List, Dict)):
        return Anything()
    return trees.mapped(ev, change, rows)


def _leaves(ev: Evaluator, arguments: Arguments, keywords: Keywords, node: ir.Call | None) -> Value:
    """`jax.tree.leaves(tree)`."""
    leaves = trees.leaves(ev, arguments[0].value) if len(arguments) == 1 and not keywords else None
    # An unknown value may be a tree with any number of leaves.
    if leaves is None or not all(isinstance(leaf, Tensor) for leaf in leaves):
        return Anything()
    row = List()
    ev.cells[row] = tuple(leaves)
    return row


def _map_along(
    ev: Evaluator, arguments: Arguments, keywords: Keywords, node: ir.Call | None
) -> Value:
    """`jax.lax.map(f, xs)`."""
    function, rows = (given_as(arguments, keywords, k, name) for k, name in enumerate(("f", "xs")))
    if function is None or rows is None:
        return Anything()
    over = OverDim(ev, node, jax.MAP_ALONG)
    try:
        part = over.take("xs", rows, number(0))
        dim = over.dim(NONE)
        result = evaluate(ev, function.value, [part], {}, node)
        over.teach(dim)
        return over.put(result, number(0), dim)
    except DoesNotFit:
        return Anything()


def _scan(ev: Evaluator, arguments: Arguments, keywords: Keywords, node: ir.Call | None) -> Value:
    """`jax.lax.scan(f, init, xs, length)`."""
    function, init, rows, length = (
        given_as(arguments, keywords, k, name)
        for k, name in enumerate(("f", "init", "xs", "length"))
    )
    if function is None or init is None:
        return Anything()
    carried = _carried(ev, init)
    over = OverDim(ev, node, jax.SCAN)
    try:
        part = over.take("xs", rows or NOTHING, number(0))
        dim = over.dim(NONE if length is None else length.value)
        result = evaluate(ev, function.value, [Argument(carried), part], {}, node)
        over.teach(dim)
        if not isinstance(result, Tuple) or len(result.elements) != 2:
            return Tuple((carried, Anything()))
        stacked = over.put(result.elements[1], number(0), dim)
    except DoesNotFit:
        return Anything()
    return Tuple((_agreeing(ev, [carried, result.elements[0]]), stacked))


def _counted_loop(
    ev: Evaluator, arguments: Arguments, keywords: Keywords, node: ir.Call | None
) -> Value:
    """`jax.lax.fori_loop(lower, upper, body_fun, init_val)`."""
    body = given_as(arguments, keywords, 2, "body_fun")
    init = given_as(arguments, keywords, 3, "init_val")
    if body is None or init is None:
        return Anything()
    carried = _carried(ev, init)
    turn = Tensor((), "int", jax.TENSOR)
    result = evaluate(ev, body.value, [Argument(turn), Argument(carried)], {}, node)
    return _agreeing(ev, [carried, result])


def _loop(ev: Evaluator, arguments: Arguments, keywords: Keywords, node: ir.Call | None) -> Value:
    """`jax.lax.while_loop(cond_fun, body_fun, init_val)`."""
    test, body, init = (
        given_as(arguments, keywords, k, name)
        for k, name in enumerate(("cond_fun", "body_fun", "init_val"))
    )
    if test is None or body is None or init is None:
        return Anything()
    carried = _carried(ev, init)
    evaluate(ev, test.value, [Argument(carried)], {}, node, 1)
    result = evaluate(ev, body.value, [Argument(carried)], {}, node, 2)
    return _agreeing(ev, [carried, result])


def _branches(
    ev: Evaluator, arguments: Arguments, keywords: Keywords, node: ir.Call | None
) -> Value:
    """`jax.lax.cond(pred, true_fun, false_fun, *operands)`."""
    if len(arguments) < 3 or keywords:
        return Anything()
    _, *options = arguments[:3]
    return _one_of(ev, [option.value for option in options], arguments[3:], node)


def _choices(
    ev: Evaluator, arguments: Arguments, keywords: Keywords, node: ir.Call | None
) -> Value:
    """`jax.lax.switch(index, branches, *operands)`."""
    if len(arguments) < 2 or keywords:
        return Anything()
    rows = trees.parts(ev, ev.resolve(arguments[1].value))
    if not rows or ... in rows or len(rows) > MOST_LEAVES:
        return Anything()
    return _one_of(ev, list(rows.values()), arguments[2:], node)


def _one_of(
    ev: Evaluator, options: Sequence[Value], operands: Arguments, node: ir.Call | None
) -> Value:
    """The value of a call of any of several functions; JAX traces all of them."""
    traced = [Argument(_carried(ev, operand)) for operand in operands]
    results = [
        evaluate(ev, option, traced, {}, node, index) for index, option in enumerate(options, 1)
    ]
    return _agreeing(ev, results)


def _prefixes(
    ev: Evaluator, arguments: Arguments, keywords: Keywords, node: ir.Call | None
) -> Value:
    """`jax.lax.associative_scan(fn, elems)`: the result has the dims of the elements."""
    rows = given_as(arguments, keywords, 1, "elems")
    return Anything() if rows is None else _carried(ev, rows)


def _call(ev: Evaluator, arguments: Arguments, keywords: Keywords, node: ir.Call | None) -> Value:
    """`jax.eval_shape(f, *args)`: the result has dims and dtypes only."""
    if not arguments:
        return Anything()
    return evaluate(ev, arguments[0].value, arguments[1:], keywords, node)


def _carried(ev: Evaluator, argument: Argument) -> Value:
    """An argument as a traced function gets it: numbers are arrays without dims."""
    return trees.mapped(ev, lambda leaves: _traced(ev, leaves[0]), [argument.value])


def _traced(ev: Evaluator, value: Value) -> Value:
    value = ev.resolve(value)
    array = array_like(ev, value)
    return value if isinstance(value, Tensor) or type(array) is Anything else array


def _agreeing(ev: Evaluator, results: Sequence[Value]) -> Value:
    """One value for several results that must have the same dims: all that any of them knows."""
    values = [ev.resolve(result) for result in results]
    values = [value for value in values if not isinstance(value, Anything)]
    if not values:
        return Anything()
    first = values[0]
    if isinstance(first, (Tuple, List, Dict)):
        rows = [trees.parts(ev, value) for value in values]
        if any(row is None or row.keys() != (rows[0] or {}).keys() for row in rows):
            return Anything()
        complete = [row for row in rows if row is not None]
        return trees.rebuilt(
            ev,
            first,
            {key: _agreeing(ev, [row[key] for row in complete]) for key in complete[0]},
        )
    if all(isinstance(value, Constant) and value.value is None for value in values):
        return first
    converted = [array_like(ev, value) for value in values]
    arrays = [one for one in converted if isinstance(one, Tensor)]
    if len(arrays) < len(converted):
        return Anything()
    ranked = [one for one in arrays if isinstance(one.shape, tuple)] or arrays
    return reduce(join, ranked[1:], cast("Value", ranked[0]))


def _chosen(_: Evaluator, arguments: Arguments, keywords: Keywords, __: ir.Call | None) -> Value:
    """`ALL_ATTENTION_FUNCTIONS.get_interface(name, default)`: the default stands for them all."""
    default = keywords.get("default") or (arguments[1] if len(arguments) == 2 else NOTHING)
    return Anything() if default is NOTHING else default.value


def _in_pieces(first: int) -> Evaluation:
    """`apply_chunking_to_forward(f, size, dim, *tensors)`: as `f(*tensors)`."""

    def called(
        ev: Evaluator, arguments: Arguments, keywords: Keywords, node: ir.Call | None
    ) -> Value:
        if keywords or len(arguments) <= first:
            return Anything()
        return evaluate(ev, arguments[0].value, arguments[first:], {}, node)

    return called


_BY_PATHS: Final[tuple[tuple[frozenset[str], Evaluation], ...]] = (
    (jax.TREE_MAPS, _tree_map),
    (jax.TREE_LEAVES, _leaves),
    (jax.CALLS, _call),
    (transformers.CHOICES_OF_ONE, _chosen),
)


def _is_function(
    ev: Evaluator, arguments: Arguments, keywords: Keywords, _: ir.Call | None
) -> Value:
    """`inspect.isfunction(value)`, which asks what a default is: a value, or what makes one."""
    value = ev.resolve(arguments[0].value) if len(arguments) == 1 else Anything()
    if not ev.reach.driven or keywords or isinstance(value, (Anything, Either, Library)):
        return Anything()
    return Constant(isinstance(value, Function))


def _split(ev: Evaluator, arguments: Arguments, keywords: Keywords, _: ir.Call | None) -> Value:
    """`re.split(pattern, text)` in a drive, of a text that the program spells."""
    words = [known(ev.resolve(argument.value)) for argument in arguments]
    if not ev.reach.driven or keywords or len(words) != 2 or None in words:
        return Anything()
    return literal_texts.split(ev, *[word[0] for word in words if word is not None])


CALLS: Final[dict[str, Evaluation]] = {
    python.IS_FUNCTION: _is_function,
    python.SPLITS: _split,
    jax.MAP_ALONG: _map_along,
    jax.SCAN: _scan,
    jax.COUNTED_LOOP: _counted_loop,
    jax.LOOP: _loop,
    jax.BRANCH: _branches,
    jax.SWITCH: _choices,
    jax.PREFIXES: _prefixes,
    **{path: evaluation for paths, evaluation in _BY_PATHS for path in paths},
}
CALLS.update((path, _in_pieces(first)) for path, first in transformers.IN_PIECES.items())
"""The evaluation of each of these functions, by path."""

"""Functions of libraries that call the functions that they are given: over trees, along a dim, in
loops, in branches and in pieces. Which they are stands in `frameworks`.

JAX traces what it is given once: a loop's body gives what it takes, and both branches are alike, or
nothing runs. So one evaluation says all, and what is carried has the dims that it began with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Final, cast

from namecheck.analysis.python import trees
from namecheck.analysis.python.over_dim import DoesNotFit, OverDim
from namecheck.analysis.python.transforms import array_like, evaluate
from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument, Keywords, given_as
from namecheck.analysis.state.values import (
    NONE,
    Anything,
    Constant,
    Dict,
    List,
    Number,
    Tensor,
    Tuple,
    Value,
    join,
    number,
)
from namecheck.frameworks import jax, transformers

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

Arguments = Sequence[Argument]
Evaluation = Callable[["Evaluator", Arguments, Keywords, "ir.Call | None"], Value]

MOST_LEAVES = 24
"""Leaves of a tree for each of which a function is evaluated."""

NOTHING = Argument(NONE)


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
            return Anything()  # which may be a tree
        return evaluate(ev, function, list(map(Argument, leaves)), {}, node, count)

    if not isinstance(ev.resolve(rows[0]), (Tensor, Tuple, List, Dict)):
        return Anything()
    return trees.mapped(ev, change, rows)


def _leaves(ev: Evaluator, arguments: Arguments, keywords: Keywords, node: ir.Call | None) -> Value:
    """`jax.tree.leaves(tree)`."""
    found = trees.leaves(ev, arguments[0].value) if len(arguments) == 1 and not keywords else None
    # What is not known may be a tree as well, of any number of leaves.
    if found is None or not all(isinstance(leaf, Tensor) for leaf in found):
        return Anything()
    made = List()
    ev.cells[made] = tuple(found)
    return made


def _map_along(
    ev: Evaluator, arguments: Arguments, keywords: Keywords, node: ir.Call | None
) -> Value:
    """`jax.lax.map(f, xs)`."""
    function, rows = (given_as(arguments, keywords, k, name) for k, name in enumerate(("f", "xs")))
    if function is None or rows is None:
        return Anything()
    over = OverDim(ev, node, jax.MAP_ALONG)
    try:
        given = over.take("xs", rows, number(0))
        dim = over.dim(NONE)
        result = evaluate(ev, function.value, [given], {}, node)
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
        given = over.take("xs", rows or NOTHING, number(0))
        dim = over.dim(NONE if length is None else length.value)
        result = evaluate(ev, function.value, [Argument(carried), given], {}, node)
        over.teach(dim)
        if not isinstance(result, Tuple) or len(result.elements) != 2:
            return Tuple((carried, Anything()))
        made = over.put(result.elements[1], number(0), dim)
    except DoesNotFit:
        return Anything()
    return Tuple((_agreeing(ev, [carried, result.elements[0]]), made))


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
    """What any of several functions gives; all of them are traced."""
    given = [Argument(_carried(ev, operand)) for operand in operands]
    results = [
        evaluate(ev, option, given, {}, node, index) for index, option in enumerate(options, 1)
    ]
    return _agreeing(ev, results)


def _prefixes(
    ev: Evaluator, arguments: Arguments, keywords: Keywords, node: ir.Call | None
) -> Value:
    """`jax.lax.associative_scan(fn, elems)`: what it gives has the dims of the elements."""
    rows = given_as(arguments, keywords, 1, "elems")
    return Anything() if rows is None else _carried(ev, rows)


def _call(ev: Evaluator, arguments: Arguments, keywords: Keywords, node: ir.Call | None) -> Value:
    """`jax.eval_shape(f, *args)`: only the dims and dtypes of what it gives are there."""
    if not arguments:
        return Anything()
    return evaluate(ev, arguments[0].value, arguments[1:], keywords, node)


def _carried(ev: Evaluator, argument: Argument) -> Value:
    """What a traced function sees of an argument: numbers are arrays without dims."""
    return trees.mapped(ev, lambda leaves: _traced(ev, leaves[0]), [argument.value])


def _traced(ev: Evaluator, value: Value) -> Value:
    value = ev.resolve(value)
    made = array_like(ev, value)
    return value if isinstance(value, Tensor) or type(made) is Anything else made


def _agreeing(ev: Evaluator, results: Sequence[Value]) -> Value:
    """What several results are that must be alike: what is known of any of them."""
    values = [ev.resolve(result) for result in results]
    values = [value for value in values if not isinstance(value, Anything)]
    if not values:
        return Anything()
    first = values[0]
    if isinstance(first, (Tuple, List, Dict)):
        rows = [trees.parts(ev, value) for value in values]
        if any(row is None or row.keys() != (rows[0] or {}).keys() for row in rows):
            return Anything()
        known = [row for row in rows if row is not None]
        return trees.made(
            ev, first, {key: _agreeing(ev, [row[key] for row in known]) for key in known[0]}
        )
    if all(isinstance(value, Constant) and value.value is None for value in values):
        return first
    made = [array_like(ev, value) for value in values]
    arrays = [one for one in made if isinstance(one, Tensor)]
    if len(arrays) < len(made):
        return Anything()
    whole = [one for one in arrays if isinstance(one.shape, tuple)] or arrays
    return reduce(join, whole[1:], cast("Value", whole[0]))


def _chosen(_: Evaluator, arguments: Arguments, keywords: Keywords, __: ir.Call | None) -> Value:
    """`ALL_ATTENTION_FUNCTIONS.get_interface(name, default)`: every one is as the default is."""
    default = keywords.get("default") or (arguments[1] if len(arguments) == 2 else NOTHING)
    return Anything() if default is NOTHING else default.value


def _in_pieces(first: int) -> Evaluation:
    """`apply_chunking_to_forward(f, size, dim, *tensors)`: what `f` gives for the whole of them."""

    def called(
        ev: Evaluator, arguments: Arguments, keywords: Keywords, node: ir.Call | None
    ) -> Value:
        if keywords or len(arguments) <= first:
            return Anything()
        return evaluate(ev, arguments[0].value, arguments[first:], {}, node)

    return called


_BY_PATHS: tuple[tuple[frozenset[str], Evaluation], ...] = (
    (jax.TREE_MAPS, _tree_map),
    (jax.TREE_LEAVES, _leaves),
    (jax.CALLS, _call),
    (transformers.CHOICES_OF_ONE, _chosen),
)

CALLS: Final[dict[str, Evaluation]] = {
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
"""What such a call gives, by path."""

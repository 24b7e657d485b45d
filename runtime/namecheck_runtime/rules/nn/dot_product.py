"""Scaled dot products of queries and keys, as functions.

The layers that project before and after live in `attention`.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import allow_one, require_equal
from namecheck_runtime.alignment import broadcast, unify_batch
from namecheck_runtime.declare import Shape, Size, op
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Trailing, known_dims
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.broadcasts import SizeMismatch
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import BadExtent, ContractionSize
from namecheck_runtime.rules.nn.spatial import is_true

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_UNKNOWN = Dim(UNKNOWN, UNKNOWN)
_ACTION = "scaled_dot_product_attention"


def same_size(left: Shape, right: Shape, mine: int, other: int, arguments: tuple[str, str]) -> None:
    """Require two dims to have one size, if both are known."""
    ours, theirs = known_dims(left), known_dims(right)
    for dims, place in ((ours, mine), (theirs, other)):
        if not -len(dims) <= place < len(dims):
            return
    first, second = ours[mine].size, theirs[other].size
    if first == second:
        return
    mistake = ContractionSize(
        left=left,
        right=right,
        left_size=first,
        right_size=second,
        blame=(Blame(arguments[0], mine), Blame(arguments[1], other)),
    )
    require_equal(first, second, mistake)


def _from_right(shape: Shape, back: int) -> Dim:
    dims = known_dims(shape)
    return dims[-back] if back <= len(dims) else _UNKNOWN


def _products(arguments: Mapping[str, Any], result: Any) -> Size:
    """Each query with each key, and the values of all keys for each query."""
    if not isinstance(result, tuple):
        return UNKNOWN
    rows = sizes.product(dim.size for dim in result[:-1])
    key = _from_right(arguments["key"], 2).size
    inner = _from_right(arguments["query"], 1).size
    return sizes.product((rows, key, sizes.add(inner, result[-1].size)))


@op("torch.nn.functional.scaled_dot_product_attention", products=_products)
def scaled_dot_product_attention(
    query: Shape,
    key: Shape,
    value: Shape,
    attn_mask: Shape | None = None,
    dropout_p: object = 0.0,
    is_causal: object = False,
    scale: object = None,
    enable_gqa: object = False,
) -> Shape:
    """`[*b, L, E], [*b, S, E], [*b, S, V] -> [*b, L, V]`.

    With enable_gqa the query may have a multiple of the heads.  Source:
    torch.nn.functional.scaled_dot_product_attention.
    """
    shapes = ((query, "query"), (key, "key"), (value, "value"))
    for shape, argument in shapes:
        if isinstance(shape, tuple) and len(shape) < 2:
            ranks = [len(known_dims(s)) for s, _ in shapes]
            text = (
                "Expected query, key, and value to all be  at least 2 dimensional, but got "
                f"query.dim: {ranks[0]} key.dim: {ranks[1]} and value.dim: {ranks[2]} instead."
            )
            raise RankMismatch(
                shape=shape, wanted="at least 2", text=text, blame=(Blame(argument),)
            )
    same_size(query, key, -1, -1, ("query", "key"))
    same_size(key, value, -2, -2, ("key", "value"))
    rows, columns = _from_right(query, 2), _from_right(value, 1)
    if not (isinstance(query, tuple) and isinstance(key, tuple) and isinstance(value, tuple)):
        _fit_mask(attn_mask, (rows, _from_right(key, 2)))
        return Trailing((rows, columns))
    batch = _batch(query, key, value, enable_gqa)
    if not isinstance(batch, tuple):
        return Trailing((rows, columns))
    _fit_mask(attn_mask, (*batch, rows, key[-2]))
    return (*batch, rows, columns)


def _batch(query: Dims, key: Dims, value: Dims, grouped: object) -> Shape:
    """The leading dims of the result."""
    if is_true(grouped).definite and len(query) > 2 and len(key) > 2:
        heads, groups = query[-3].size, key[-3].size
        if isinstance(heads, int) and isinstance(groups, int) and groups and heads % groups:
            text = "Number of heads in key and value must divide the number of heads in query."
            reason = f"the {groups} heads of the key do not divide the {heads} of the query"
            blame = (Blame("query", -3), Blame("key", -3))
            raise BadExtent(shape=query, reason=reason, text=text, blame=blame)
        same_size(key, value, -3, -3, ("key", "value"))
        lead = broadcast(query[:-3], key[:-3], arguments=("query", "key"), suspicious=False)
        return (*lead, query[-3]) if isinstance(lead, tuple) else UNKNOWN
    if not is_true(grouped).possible:
        lead = unify_batch(query[:-2], key[:-2], (query, key), _ACTION, ("query", "key"))
        scores = (*lead, query[-2], key[-2])
        return unify_batch(lead, value[:-2], (scores, value), _ACTION, ("query", "value"))
    return query[:-2] if len(query) == len(key) else UNKNOWN


def _fit_mask(mask: Shape | None, scores: Dims) -> None:
    """Require a mask to broadcast to the scores, as far as they are known."""
    if mask is None:
        return
    for back, (mine, other) in enumerate(
        zip(reversed(known_dims(mask)), reversed(scores), strict=False), 1
    ):
        allow_one(
            mine.size,
            other.size,
            SizeMismatch(
                left=mask,
                right=scores,
                position=-back,
                left_size=mine.size,
                right_size=other.size,
                blame=(Blame("attn_mask", -back), Blame("query")),
            ),
        )


@op(jax="jax.nn.dot_product_attention(query, key, value, bias, mask)")
def dot_product_attention(
    query: Shape,
    key: Shape,
    value: Shape,
    bias: object = None,
    mask: object = None,
    *,
    scale: object = None,
    is_causal: object = False,
    query_seq_lengths: object = None,
    key_value_seq_lengths: object = None,
    local_window_size: object = None,
    implementation: object = None,
) -> Shape:
    """`[B?, T, N, H], [B?, S, K, H], [B?, S, K, H] -> [B?, T, N, H]`.

    Source: jax.nn.dot_product_attention.
    """
    for shape, argument in ((query, "query"), (key, "key"), (value, "value")):
        if isinstance(shape, tuple) and len(shape) not in (3, 4):
            raise RankMismatch(shape=shape, wanted="3 or 4", blame=(Blame(argument),))
    same_size(query, key, -1, -1, ("query", "key"))
    same_size(key, value, -3, -3, ("key", "value"))
    same_size(key, value, -2, -2, ("key", "value"))
    return query

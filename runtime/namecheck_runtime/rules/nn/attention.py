"""Attention: scaled dot products as a function, and the layers of torch.nn made of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from namecheck_runtime import sizes
from namecheck_runtime.algebra import allow_one, broadcast, require_equal
from namecheck_runtime.declare import Fields, Shape, Size, op
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Trailing, known_dims
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import (
    BadExtent,
    ContractionSize,
    LayerSize,
    SizeMismatch,
)
from namecheck_runtime.rules.nn.spatial import is_settled, is_true, nn, optional, tensor

_UNKNOWN = Dim(UNKNOWN, UNKNOWN)


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


@op("torch.nn.functional.scaled_dot_product_attention")
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
    """`[*b, L, E], [*b, S, E], [*b, S, V] -> [*b, L, V]`; with enable_gqa the query may have a
    multiple of the heads.  Source: torch.nn.functional.scaled_dot_product_attention.
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
            reason = f"the {groups} heads of the key do not divide its {heads}"
            blame = (Blame("query", -3), Blame("key", -3))
            raise BadExtent(shape=query, reason=reason, text=text, blame=blame)
        same_size(key, value, -3, -3, ("key", "value"))
        lead = broadcast(query[:-3], key[:-3], arguments=("query", "key"), suspicious=False)
        return (*lead, query[-3]) if isinstance(lead, tuple) else UNKNOWN
    if not is_true(grouped).possible:
        lead = broadcast(query[:-2], key[:-2], arguments=("query", "key"), suspicious=False)
        return broadcast(lead, value[:-2], arguments=("query", "value"), suspicious=False)
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


# Multi-head attention


class _Heads(NamedTuple):
    """What multi-head attention is built of."""

    width: Size
    heads: Size
    key: Size
    value: Size
    more: Size
    """How many keys are added: one for bias_k, one for a zero."""
    batch_first: object = False


def require_last(shape: Shape, wanted: Size, role: str, argument: str) -> None:
    dims = known_dims(shape)
    if not dims or dims[-1].size == wanted:
        return
    mistake = LayerSize(
        input=shape,
        wanted=wanted,
        found=dims[-1].size,
        role=role,
        blame=(Blame(argument, -1),),
    )
    require_equal(wanted, dims[-1].size, mistake)


def _attend(
    built: _Heads,
    query: Shape,
    key: Shape,
    value: Shape,
    padding: Shape | None,
    mask: Shape | None,
    weighted: object,
    averaged: object,
) -> tuple[Shape, Any]:
    """`[L, N, E], [S, N, K], [S, N, V]` to `[L, N, E]` and the weights `[N, L, S]`, or as
    `batch_first` says, or without N.  Source: torch.nn.MultiheadAttention, "Inputs" and "Outputs".
    """
    shapes = ((query, "query"), (key, "key"), (value, "value"))
    for shape, argument in shapes:
        known = isinstance(shape, tuple)
        if (known and len(known_dims(shape)) not in (2, 3)) or len(known_dims(shape)) > 3:
            text = (
                f"{argument} should be unbatched 2D or batched 3D tensor but received "
                f"{len(known_dims(shape))}-D {argument} tensor"
            )
            raise RankMismatch(shape=shape, wanted="2 or 3", text=text, blame=(Blame(argument),))
    _check_ranks(query, key, value)
    require_last(query, built.width, "embed_dim", "query")
    require_last(key, built.key, "kdim", "key")
    require_last(value, built.value, "vdim", "value")
    if isinstance(key, tuple) and isinstance(value, tuple):
        for place in range(len(key) - 1):
            same_size(key, value, place, place, ("key", "value"))
    if not isinstance(query, tuple):
        return Trailing((*known_dims(query)[:-1], Dim(None, built.width))), UNKNOWN if is_true(
            weighted
        ).possible else None
    out = (*query[:-1], Dim(None, built.width))
    first = is_true(built.batch_first)
    settled = len(query) == 2 or first.definite or not first.possible
    if not settled:
        return out, UNKNOWN if is_true(weighted).possible else None
    time, batch = places_of(len(query), first.definite)
    if isinstance(key, tuple) and batch is not None:
        same_size(query, key, batch, batch, ("query", "key"))
    source = key[time] if isinstance(key, tuple) else _UNKNOWN
    _check_masks(built, query, source, padding, mask, (time, batch))
    if not is_true(weighted).possible:
        return out, None
    if not (is_true(weighted).definite and is_settled(averaged)):
        return out, UNKNOWN
    added = built.more != 0
    columns = source.resize(sizes.add(source.size, built.more)) if added else source
    heads = () if is_true(averaged).definite else (Dim(None, built.heads),)
    lead = (query[batch],) if batch is not None else ()
    return out, (*lead, *heads, query[time], columns)


def places_of(rank: int, batch_first: bool) -> tuple[int, int | None]:
    """Where the time and the batch are."""
    if rank == 2:
        return 0, None
    return (1, 0) if batch_first else (0, 1)


def _check_ranks(query: Shape, key: Shape, value: Shape) -> None:
    if not (isinstance(query, tuple) and isinstance(key, tuple) and isinstance(value, tuple)):
        return
    ranks = (len(query), len(key), len(value))
    if len(set(ranks)) > 1:
        which = "batched (3-D)" if ranks[0] == 3 else "unbatched (2-D)"
        text = (
            f"For {which} `query`, expected `key` and `value` to be {ranks[0]}-D but found "
            f"{ranks[1]}-D and {ranks[2]}-D tensors respectively"
        )
        wrong = "key" if ranks[1] != ranks[0] else "value"
        shape = key if wrong == "key" else value
        blame = (Blame(wrong), Blame("query"))
        raise RankMismatch(shape=shape, wanted=str(ranks[0]), text=text, blame=blame)


def _check_masks(
    built: _Heads,
    query: Dims,
    source: Dim,
    padding: Shape | None,
    mask: Shape | None,
    places: tuple[int, int | None],
) -> None:
    """The masks are `[N, S]` and `[L, S]` or `[N * heads, L, S]`."""
    time, batch = places
    if isinstance(padding, tuple):
        wanted = (*((query[batch],) if batch is not None else ()), source)
        require_mask(padding, wanted, "key_padding_mask")
    if isinstance(mask, tuple):
        lead: Dims = ()
        if len(mask) == 3:
            count = query[batch].size if batch is not None else 1
            lead = (Dim(None, sizes.multiply(count, built.heads)),)
        require_mask(mask, (*lead, query[time], source), "attn_mask")


def require_mask(mask: Dims, wanted: Dims, argument: str) -> None:
    if len(mask) != len(wanted):
        words = "2 or 3" if argument == "attn_mask" else str(len(wanted))
        raise RankMismatch(shape=mask, wanted=words, blame=(Blame(argument),))
    for place, (mine, other) in enumerate(zip(mask, wanted, strict=True)):
        mistake = LayerSize(
            input=mask,
            wanted=other.size,
            found=mine.size,
            role=f"a size of {argument}",
            blame=(Blame(argument, place),),
        )
        require_equal(other.size, mine.size, mistake)


def _added(*flags: object) -> Size:
    """How many keys are added: one for each flag that is set."""
    return sizes.total(int(is_true(f).definite) if is_settled(f) else UNKNOWN for f in flags)


def _built(fields: Fields) -> _Heads:
    width = fields["embed_dim"]
    return _Heads(
        width,
        fields["num_heads"],
        width if fields["kdim"] is None else fields["kdim"],
        width if fields["vdim"] is None else fields["vdim"],
        _added(fields["add_bias_kv"], fields["add_zero_attn"]),
        fields["batch_first"],
    )


@nn("activation", "MultiheadAttention")
class MultiheadAttention:
    """Attention with several heads.  Source: torch.nn.MultiheadAttention."""

    def __init__(
        self,
        embed_dim: Size,
        num_heads: Size,
        dropout: object = 0.0,
        bias: object = True,
        add_bias_kv: object = False,
        add_zero_attn: object = False,
        kdim: Size | None = None,
        vdim: Size | None = None,
        batch_first: object = False,
        device: object = None,
        dtype: object = None,
    ) -> None: ...

    @staticmethod
    def parameters(fields: Fields) -> Mapping[str, Shape | None]:
        """in_proj_weight `[3 * E, E]` (or one per operand), biases, out_proj's."""
        built = _built(fields)
        width = built.width
        found: dict[str, Shape | None] = {}
        one = built.key == width and built.value == width
        projections = {"q_proj_weight": width, "k_proj_weight": built.key}
        projections["v_proj_weight"] = built.value
        for name, size in projections.items():
            found[name] = None if one else tensor(width, size)
        tripled = sizes.multiply(3, width)
        found["in_proj_weight"] = tensor(tripled, width) if one else None
        optional(found, "in_proj_bias", fields["bias"], tensor(tripled))
        for name in ("bias_k", "bias_v"):
            optional(found, name, fields["add_bias_kv"], tensor(1, 1, width))
        found["out_proj.weight"] = tensor(width, width)
        optional(found, "out_proj.bias", fields["bias"], tensor(width))
        return found

    @staticmethod
    def forward(
        fields: Fields,
        query: Shape,
        key: Shape,
        value: Shape,
        key_padding_mask: Shape | None = None,
        need_weights: object = True,
        attn_mask: Shape | None = None,
        average_attn_weights: object = True,
        is_causal: object = False,
    ) -> tuple[Shape, object]:
        """`(output, weights)`, None for weights that are not needed."""
        masks = (key_padding_mask, attn_mask)
        return _attend(
            _built(fields), query, key, value, *masks, need_weights, average_attn_weights
        )


@op("torch.nn.functional.multi_head_attention_forward")
def multi_head_attention_forward(
    query: Shape,
    key: Shape,
    value: Shape,
    embed_dim_to_check: Size,
    num_heads: Size,
    in_proj_weight: object,
    in_proj_bias: object,
    bias_k: object,
    bias_v: object,
    add_zero_attn: object,
    dropout_p: object,
    out_proj_weight: object,
    out_proj_bias: object,
    training: object = True,
    key_padding_mask: Shape | None = None,
    need_weights: object = True,
    attn_mask: Shape | None = None,
    use_separate_proj_weight: object = False,
    q_proj_weight: object = None,
    k_proj_weight: object = None,
    v_proj_weight: object = None,
    static_k: object = None,
    static_v: object = None,
    average_attn_weights: object = True,
    is_causal: object = False,
) -> tuple[Shape, object]:
    """As torch.nn.MultiheadAttention, time first."""
    one = not is_true(use_separate_proj_weight).possible
    inner = embed_dim_to_check if one else UNKNOWN
    biased = UNKNOWN if bias_k is UNKNOWN else bias_k is not None
    built = _Heads(embed_dim_to_check, num_heads, inner, inner, _added(biased, add_zero_attn))
    masks = (key_padding_mask, attn_mask)
    if static_k is not None or static_v is not None:
        masks = (None, None)
    return _attend(built, query, key, value, *masks, need_weights, average_attn_weights)

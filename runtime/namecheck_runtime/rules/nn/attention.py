"""Multi-head attention, as layer and function.

Plain dot products live in `dot_product`, layers built from this one in `transformer`.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import element_count, require_equal
from namecheck_runtime.declare import Fields, Shape, Size, op
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Trailing, known_dims
from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import (
    LayerSize,
)
from namecheck_runtime.rules.nn.dot_product import same_size
from namecheck_runtime.rules.nn.spatial import is_settled, is_true, nn, optional, tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_UNKNOWN = Dim(UNKNOWN, UNKNOWN)


class _Heads(NamedTuple):
    """The constructor arguments of multi-head attention."""

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
    """`[L, N, E], [S, N, K], [S, N, V]` to `[L, N, E]` and the weights `[N, L, S]`.

    `batch_first` may put N first, and N may be missing.  Source: torch.nn.MultiheadAttention,
    "Inputs" and "Outputs".
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
    columns = _beside(columns, query[time])
    heads = () if is_true(averaged).definite else (Dim(None, built.heads),)
    lead = (query[batch],) if batch is not None else ()
    return out, (*lead, *heads, query[time], columns)


def _beside(columns: Dim, rows: Dim) -> Dim:
    """The dim of the keys beside that of the queries, unnamed if both have the same name.

    They do if a tensor attends to itself, but no two dims of a tensor may share a name.
    """
    if columns.name is None or rows.name is None:
        return columns
    if columns.name is UNKNOWN or rows.name is UNKNOWN:
        return columns.rename(UNKNOWN)
    return columns.rename(None) if columns.name == rows.name else columns


def places_of(rank: int, batch_first: bool) -> tuple[int, int | None]:
    """The places of the time and the batch; None without a batch."""
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
        argument = "key" if ranks[1] != ranks[0] else "value"
        shape = key if argument == "key" else value
        blame = (Blame(argument), Blame("query"))
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


def _products(built: _Heads, arguments: Mapping[str, Any]) -> Size:
    """The multiply-adds of attention with its projections."""
    query, key, value = (arguments[name] for name in ("query", "key", "value"))
    first = is_true(built.batch_first)
    if not (isinstance(query, tuple) and isinstance(key, tuple) and isinstance(value, tuple)):
        return UNKNOWN
    if len(query) == 3 and not (first.definite or not first.possible):
        return UNKNOWN
    time, _ = places_of(len(query), first.definite)
    rows = sizes.product(dim.size for dim in query[:-1])
    columns = sizes.add(key[time].size, built.more)
    width = built.width
    projections = (
        sizes.product((2, rows, width, width)),  # of the queries, and of the result
        sizes.multiply(element_count(key), width),
        sizes.multiply(element_count(value), width),
    )
    return sizes.total((*projections, sizes.product((2, rows, columns, width))))


@nn("activation", "MultiheadAttention")
class MultiheadAttention:
    """Attention with several heads.  Source: torch.nn.MultiheadAttention."""

    sequences = ("query", "key", "value")

    @staticmethod
    def batch_first(fields: Fields) -> object:
        """The argument that the layer was built with."""
        return fields["batch_first"]

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
        shapes: dict[str, Shape | None] = {}
        is_joint = built.key == width and built.value == width
        projections = {"q_proj_weight": width, "k_proj_weight": built.key}
        projections["v_proj_weight"] = built.value
        for name, size in projections.items():
            shapes[name] = None if is_joint else tensor(width, size)
        tripled = sizes.multiply(3, width)
        shapes["in_proj_weight"] = tensor(tripled, width) if is_joint else None
        optional(shapes, "in_proj_bias", fields["bias"], tensor(tripled))
        for name in ("bias_k", "bias_v"):
            optional(shapes, name, fields["add_bias_kv"], tensor(1, 1, width))
        shapes["out_proj.weight"] = tensor(width, width)
        optional(shapes, "out_proj.bias", fields["bias"], tensor(width))
        return shapes

    @staticmethod
    def products(fields: Fields, arguments: Mapping[str, Any], result: Any) -> Size:
        """Three projections, each query with each key, the values of all keys, and out_proj."""
        return _products(_built(fields), arguments)

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


def _function_products(arguments: Mapping[str, Any], result: Any) -> Size:
    """Those of the function, which takes the time first."""
    width = arguments["embed_dim_to_check"]
    return _products(_Heads(width, arguments["num_heads"], width, width, 0), arguments)


@op("torch.nn.functional.multi_head_attention_forward", products=_function_products)
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
    is_joint = not is_true(use_separate_proj_weight).possible
    inner = embed_dim_to_check if is_joint else UNKNOWN
    biased = UNKNOWN if bias_k is UNKNOWN else bias_k is not None
    built = _Heads(embed_dim_to_check, num_heads, inner, inner, _added(biased, add_zero_attn))
    masks = (key_padding_mask, attn_mask)
    if static_k is not None or static_v is not None:
        masks = (None, None)
    return _attend(built, query, key, value, *masks, need_weights, average_attn_weights)

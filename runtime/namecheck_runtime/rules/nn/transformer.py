"""Transformer layers: they keep their target's dims, and need one batch and one width.

Attention itself lives in `attention`.
"""

from __future__ import annotations

from namecheck_runtime.declare import Fields, Shape, Size
from namecheck_runtime.lattice import UNKNOWN, Dim, Trailing, known_dims
from namecheck_runtime.layers import LAYERS, Instance
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.rules.nn.attention import places_of, require_last, require_mask
from namecheck_runtime.rules.nn.dot_product import same_size
from namecheck_runtime.rules.nn.spatial import is_settled, is_true, nn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Final, TypeAlias


def _width(fields: Fields) -> tuple[Size, object]:
    """d_model and batch_first of a layer, or of the layer that a stack was built with."""
    layer = fields.get("encoder_layer", fields.get("decoder_layer"))
    if layer is not None:
        return _width(layer.fields) if isinstance(layer, Instance) else (UNKNOWN, UNKNOWN)
    return fields.get("d_model", UNKNOWN), fields.get("batch_first", UNKNOWN)


def _batch_first(fields: Fields) -> object:
    return _width(fields)[1]


def _reads(fields: Fields, option: str) -> bool:
    """Nothing: the layers inside have got the options."""
    return False


def _transformed(
    fields: Fields,
    target: Shape,
    memory: Shape | None,
    argument: str,
    padding: Shape | None = None,
) -> Shape:
    """The target; all operands end in d_model and have one batch.  Source: torch.nn.Transformer."""
    width, first = _width(fields)
    operands = ((target, argument), (memory, "memory"))
    for shape, name in operands:
        if shape is None:
            continue
        if isinstance(shape, tuple) and len(shape) not in (2, 3):
            raise RankMismatch(shape=shape, wanted="2 or 3", blame=(Blame(name),))
        require_last(shape, width, "d_model", name)
    if not isinstance(target, tuple):
        return (
            target if known_dims(target) or width is UNKNOWN else Trailing((Dim(UNKNOWN, width),))
        )
    if len(target) == 3 and is_settled(first):
        time, batch = places_of(3, is_true(first).definite)
        if isinstance(memory, tuple) and len(memory) == 3 and batch is not None:
            same_size(target, memory, batch, batch, (argument, "memory"))
        if isinstance(padding, tuple) and batch is not None:
            require_mask(padding, (target[batch], target[time]), "src_key_padding_mask")
    return target


# What they are made of.

_Steps: TypeAlias = "Sequence[tuple[str, tuple[Any, ...]]]"
"""Calls of parts, each with what the part is given."""


def _built(name: str, *arguments: object, **options: object) -> Instance:
    built = LAYERS[f"torch.nn.{name}"].build(arguments, options)
    assert built is not None
    return built


def _parts(fields: Fields, attentions: Sequence[str]) -> Mapping[str, Instance]:
    """Attentions, a feed-forward net, and a norm and a dropout for each of these."""
    width, hidden, bias = fields["d_model"], fields["dim_feedforward"], fields["bias"]
    rate = fields["dropout"]
    parts = {
        name: _built(
            "MultiheadAttention",
            width,
            fields["nhead"],
            bias=bias,
            batch_first=fields["batch_first"],
        )
        for name in attentions
    }
    parts["linear1"] = _built("Linear", width, hidden, bias)
    parts["dropout"] = _built("Dropout", rate)
    parts["linear2"] = _built("Linear", hidden, width, bias)
    count = len(attentions) + 1
    parts.update({f"norm{n}": _built("LayerNorm", width, bias=bias) for n in range(1, count + 1)})
    parts.update({f"dropout{n}": _built("Dropout", rate) for n in range(1, count + 1)})
    return parts


def _steps(fields: Fields, target: Shape, memory: Shape, attentions: Sequence[str]) -> _Steps:
    """The calls of one layer; each part keeps the target's dims, but for the feed-forward net."""
    dims = known_dims(target)
    inner: Shape = UNKNOWN
    if isinstance(target, tuple):
        inner = (*dims[:-1], Dim(None, fields["dim_feedforward"]))
    steps: list[tuple[str, tuple[Any, ...]]] = []
    for number, name in enumerate(attentions, 1):
        source = target if name == "self_attn" else memory
        steps.append((name, (target, source, source, None, False)))  # no weights are needed
        steps += [(f"dropout{number}", (target,)), (f"norm{number}", (target,))]
    last = len(attentions) + 1
    steps += [("linear1", (target,)), ("dropout", (inner,)), ("linear2", (inner,))]
    steps += [(f"dropout{last}", (target,)), (f"norm{last}", (target,))]
    return steps


def _stacked(layer: object, count: object, norm: object) -> Mapping[str, Instance]:
    """Equal layers in a row, and a norm behind them."""
    if not isinstance(layer, Instance) or not isinstance(count, int):
        return {}
    parts = {f"layers.{number}": layer for number in range(min(count, _MOST_LAYERS))}
    if isinstance(norm, Instance):
        parts["norm"] = norm
    return parts


_MOST_LAYERS: Final = 1_000


def _in_a_row(parts: Mapping[str, Instance], *operands: Shape) -> _Steps:
    """The calls of a row: each layer is given the same, the norm only the target."""
    return [(name, operands[:1] if name == "norm" else operands) for name in parts]


@nn("transformer", "TransformerEncoderLayer")
class TransformerEncoderLayer:
    """Self-attention and a feed-forward net.  Source: torch.nn.TransformerEncoderLayer."""

    sequences = ("src",)
    batch_first = staticmethod(_batch_first)
    reads = staticmethod(_reads)

    def __init__(
        self,
        d_model: Size,
        nhead: Size,
        dim_feedforward: Size = 2048,
        dropout: object = 0.1,
        activation: object = "relu",
        layer_norm_eps: object = 1e-5,
        batch_first: object = False,
        norm_first: object = False,
        bias: object = True,
        device: object = None,
        dtype: object = None,
    ) -> None: ...

    @staticmethod
    def parts(fields: Fields) -> Mapping[str, Instance]:
        """The layers inside, by the names of the attributes."""
        return _parts(fields, ("self_attn",))

    @staticmethod
    def steps(fields: Fields, arguments: Mapping[str, Any]) -> _Steps:
        """The calls of them."""
        return _steps(fields, arguments["src"], UNKNOWN, ("self_attn",))

    @staticmethod
    def forward(
        fields: Fields,
        src: Shape,
        src_mask: object = None,
        src_key_padding_mask: Shape | None = None,
        is_causal: object = False,
    ) -> Shape:
        """The source, which must end in d_model."""
        return _transformed(fields, src, None, "src", src_key_padding_mask)


_ATTENTIONS: Final = ("self_attn", "multihead_attn")
"""The attentions of a decoder's layer: to the target itself, and to the memory."""


@nn("transformer", "TransformerDecoderLayer")
class TransformerDecoderLayer:
    """Self-attention, attention to a memory, and a feed-forward net.

    Source: torch.nn.TransformerDecoderLayer.
    """

    sequences = ("tgt", "memory")
    batch_first = staticmethod(_batch_first)
    reads = staticmethod(_reads)

    def __init__(
        self,
        d_model: Size,
        nhead: Size,
        dim_feedforward: Size = 2048,
        dropout: object = 0.1,
        activation: object = "relu",
        layer_norm_eps: object = 1e-5,
        batch_first: object = False,
        norm_first: object = False,
        bias: object = True,
        device: object = None,
        dtype: object = None,
    ) -> None: ...

    @staticmethod
    def parts(fields: Fields) -> Mapping[str, Instance]:
        """The layers inside, by the names of the attributes."""
        return _parts(fields, _ATTENTIONS)

    @staticmethod
    def steps(fields: Fields, arguments: Mapping[str, Any]) -> _Steps:
        """The calls of them."""
        return _steps(fields, arguments["tgt"], arguments["memory"], _ATTENTIONS)

    @staticmethod
    def forward(
        fields: Fields,
        tgt: Shape,
        memory: Shape,
        tgt_mask: object = None,
        memory_mask: object = None,
        tgt_key_padding_mask: object = None,
        memory_key_padding_mask: object = None,
        tgt_is_causal: object = False,
        memory_is_causal: object = False,
    ) -> Shape:
        """The target, which must end in d_model as the memory does."""
        return _transformed(fields, tgt, memory, "tgt")


@nn("transformer", "TransformerEncoder")
class TransformerEncoder:
    """Encoder layers in a row.  Source: torch.nn.TransformerEncoder."""

    sequences = ("src",)
    batch_first = staticmethod(_batch_first)
    reads = staticmethod(_reads)

    def __init__(
        self,
        encoder_layer: object,
        num_layers: object,
        norm: object = None,
        enable_nested_tensor: object = True,
        mask_check: object = True,
    ) -> None: ...

    @staticmethod
    def parts(fields: Fields) -> Mapping[str, Instance]:
        """The layers, and the norm."""
        return _stacked(fields["encoder_layer"], fields["num_layers"], fields["norm"])

    @staticmethod
    def steps(fields: Fields, arguments: Mapping[str, Any]) -> _Steps:
        """The calls of them."""
        return _in_a_row(TransformerEncoder.parts(fields), arguments["src"])

    @staticmethod
    def forward(
        fields: Fields,
        src: Shape,
        mask: object = None,
        src_key_padding_mask: Shape | None = None,
        is_causal: object = None,
    ) -> Shape:
        """The source."""
        return _transformed(fields, src, None, "src", src_key_padding_mask)


@nn("transformer", "TransformerDecoder")
class TransformerDecoder:
    """Decoder layers in a row.  Source: torch.nn.TransformerDecoder."""

    sequences = ("tgt", "memory")
    batch_first = staticmethod(_batch_first)
    reads = staticmethod(_reads)

    def __init__(self, decoder_layer: object, num_layers: object, norm: object = None) -> None: ...

    @staticmethod
    def parts(fields: Fields) -> Mapping[str, Instance]:
        """The layers, and the norm."""
        return _stacked(fields["decoder_layer"], fields["num_layers"], fields["norm"])

    @staticmethod
    def steps(fields: Fields, arguments: Mapping[str, Any]) -> _Steps:
        """The calls of them."""
        parts = TransformerDecoder.parts(fields)
        return _in_a_row(parts, arguments["tgt"], arguments["memory"])

    @staticmethod
    def forward(
        fields: Fields,
        tgt: Shape,
        memory: Shape,
        tgt_mask: object = None,
        memory_mask: object = None,
        tgt_key_padding_mask: object = None,
        memory_key_padding_mask: object = None,
        tgt_is_causal: object = None,
        memory_is_causal: object = False,
    ) -> Shape:
        """The target."""
        return _transformed(fields, tgt, memory, "tgt")


@nn("transformer", "Transformer")
class Transformer:
    """An encoder and a decoder.  Source: torch.nn.Transformer, "Shape"."""

    sequences = ("src", "tgt")
    batch_first = staticmethod(_batch_first)
    reads = staticmethod(_reads)

    def __init__(
        self,
        d_model: Size = 512,
        nhead: Size = 8,
        num_encoder_layers: object = 6,
        num_decoder_layers: object = 6,
        dim_feedforward: Size = 2048,
        dropout: object = 0.1,
        activation: object = "relu",
        custom_encoder: object = None,
        custom_decoder: object = None,
        layer_norm_eps: object = 1e-5,
        batch_first: object = False,
        norm_first: object = False,
        bias: object = True,
        device: object = None,
        dtype: object = None,
    ) -> None: ...

    @staticmethod
    def parts(fields: Fields) -> Mapping[str, Instance]:
        """The encoder and the decoder, as they are built without others being given."""
        if fields["custom_encoder"] is not None or fields["custom_decoder"] is not None:
            return {}
        plain = {
            name: fields[name]
            for name in (
                *("d_model", "nhead", "dim_feedforward", "dropout", "batch_first"),
                *("norm_first", "bias"),
            )
        }
        norm = _built("LayerNorm", fields["d_model"], bias=fields["bias"])
        encoded = _built("TransformerEncoderLayer", **plain)
        decoded = _built("TransformerDecoderLayer", **plain)
        return {
            "encoder": _built("TransformerEncoder", encoded, fields["num_encoder_layers"], norm),
            "decoder": _built("TransformerDecoder", decoded, fields["num_decoder_layers"], norm),
        }

    @staticmethod
    def steps(fields: Fields, arguments: Mapping[str, Any]) -> _Steps:
        """The calls of them."""
        source, target = arguments["src"], arguments["tgt"]
        return [("encoder", (source,)), ("decoder", (target, source))]

    @staticmethod
    def forward(
        fields: Fields,
        src: Shape,
        tgt: Shape,
        src_mask: object = None,
        tgt_mask: object = None,
        memory_mask: object = None,
        src_key_padding_mask: object = None,
        tgt_key_padding_mask: object = None,
        memory_key_padding_mask: object = None,
        src_is_causal: object = None,
        tgt_is_causal: object = None,
        memory_is_causal: object = False,
    ) -> Shape:
        """The target; source and target have one batch and end in d_model."""
        return _transformed(fields, tgt, src, "tgt")

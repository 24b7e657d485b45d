"""Transformer layers and stacks of them.  Source: torch.nn.modules.transformer."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, ClassVar

from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.nn import functional as F
from namecheck_runtime.nn import init
from namecheck_runtime.nn.modules.activation import GELU, MultiheadAttention, ReLU
from namecheck_runtime.nn.modules.container import ModuleList
from namecheck_runtime.nn.modules.dropout import Dropout
from namecheck_runtime.nn.modules.linear import Linear
from namecheck_runtime.nn.modules.normalization import LayerNorm
from namecheck_runtime.nn.parts.declared import DeclaredLayer
from namecheck_runtime.tensors.dispatch import call_path
from namecheck_runtime.tensors.object import Tensor


def _activation(given: Any) -> Any:
    """The function of a name; any other function as it is."""
    if not isinstance(given, str):
        return given
    if given not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {given}")
    return getattr(F, given)


class _Block(DeclaredLayer):
    """A layer of attention and of two linear maps, each with a norm and a dropout."""

    attentions: ClassVar[tuple[str, ...]]

    def _build(self, fields: dict[str, Any]) -> None:
        made = {"device": fields["device"], "dtype": fields["dtype"]}
        width, bias = fields["d_model"], fields["bias"]
        dropout, inner = fields["dropout"], fields["dim_feedforward"]
        for name in self.attentions:
            options = {"dropout": dropout, "bias": bias, "batch_first": fields["batch_first"]}
            setattr(self, name, MultiheadAttention(width, fields["nhead"], **options, **made))
        self.linear1 = Linear(width, inner, bias=bias, **made)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(inner, width, bias=bias, **made)
        self.norm_first = fields["norm_first"]
        numbers = range(1, len(self.attentions) + 2)
        for number in numbers:
            norm = LayerNorm(width, eps=fields["layer_norm_eps"], bias=bias, **made)
            setattr(self, f"norm{number}", norm)
        for number in numbers:
            setattr(self, f"dropout{number}", Dropout(dropout))
        self.activation = _activation(fields["activation"])

    def _attend(
        self,
        number: int,
        x: Tensor,
        memory: Tensor,
        mask: Tensor | None,
        padding: Tensor | None,
        causal: bool,
    ) -> Tensor:
        """The result of an attention, after its dropout."""
        attention = getattr(self, self.attentions[number - 1])
        options = {"attn_mask": mask, "key_padding_mask": padding, "is_causal": causal}
        attended = attention(x, memory, memory, need_weights=False, **options)[0]
        return getattr(self, f"dropout{number}")(attended)  # type: ignore[no-any-return]

    def _ff_block(self, x: Tensor) -> Tensor:
        x = self.linear2(self.dropout(self.activation(self.linear1(x))))
        return getattr(self, f"dropout{len(self.attentions) + 1}")(x)  # type: ignore[no-any-return]

    def _added(self, number: int, x: Tensor, block: Any) -> Tensor:
        """A block beside the identity, with the norm before or after it."""
        norm = getattr(self, f"norm{number}")
        if self.norm_first:
            return x + block(norm(x))  # type: ignore[no-any-return]
        return norm(x + block(x))  # type: ignore[no-any-return]


class TransformerEncoderLayer(_Block):
    """Attention to itself: `[S, N?, d_model]` stays.  Source: torch.nn.TransformerEncoderLayer."""

    attentions = ("self_attn",)

    def _build(self, fields: dict[str, Any]) -> None:
        super()._build(fields)
        chosen = self.activation
        self.activation_relu_or_gelu = 0
        if chosen is F.relu or isinstance(chosen, ReLU):
            self.activation_relu_or_gelu = 1
        elif chosen is F.gelu or isinstance(chosen, GELU):
            self.activation_relu_or_gelu = 2

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        """The encoded source."""

        def attend(x: Tensor) -> Tensor:
            return self._attend(1, x, x, src_mask, src_key_padding_mask, is_causal)

        return self._added(2, self._added(1, src, attend), self._ff_block)


class TransformerDecoderLayer(_Block):
    """Attention to itself and to a memory.  Source: torch.nn.TransformerDecoderLayer."""

    attentions = ("self_attn", "multihead_attn")

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """The decoded target: `[T, N?, d_model]`, with a memory `[S, N?, d_model]`."""

        def to_itself(x: Tensor) -> Tensor:
            return self._attend(1, x, x, tgt_mask, tgt_key_padding_mask, tgt_is_causal)

        def to_memory(x: Tensor) -> Tensor:
            masks = (memory_mask, memory_key_padding_mask, memory_is_causal)
            return self._attend(2, x, memory, *masks)

        x = self._added(2, self._added(1, tgt, to_itself), to_memory)
        return self._added(3, x, self._ff_block)


def _is_causal(mask: Tensor | None, said: bool | None, layer: Any, tensor: Tensor) -> bool:
    """Whether a mask hides what is later: as the caller says, or by its elements."""
    if said is not None or mask is None or mask.device.type == "meta":
        return said is True
    steps = tensor.shape[1 if tensor.ndim == 3 and layer.self_attn.batch_first else 0]
    wanted = _causal_mask(steps, mask.dtype, mask.device)
    return tuple(mask.shape) == (steps, steps) and bool((mask == wanted).all())


def _causal_mask(steps: int, dtype: Any = None, device: Any = None) -> Tensor:
    """`[steps, steps]`: 0 up to the diagonal, and -inf behind it."""
    options = {"dtype": dtype, "device": device}
    full = call_path("torch.full", ((steps, steps), float("-inf")), options)
    return full.triu(1)  # type: ignore[no-any-return]


class _Layers(DeclaredLayer):
    """Copies of a layer, one after the other."""

    def _build(self, fields: dict[str, Any]) -> None:
        layer = fields.get("encoder_layer", fields.get("decoder_layer"))
        self.layers = ModuleList([deepcopy(layer) for _ in range(fields["num_layers"])])
        self.num_layers = fields["num_layers"]
        self.norm = fields["norm"]

    def _current_fields(self) -> dict[str, Any]:
        fields = super()._current_fields()
        first = self.layers[0] if len(self.layers) else None
        for name in fields.keys() & {"encoder_layer", "decoder_layer"}:
            fields[name] = first.instance() if isinstance(first, DeclaredLayer) else UNKNOWN
        return fields


class TransformerEncoder(_Layers):
    """A stack of encoder layers.  Source: torch.nn.TransformerEncoder."""

    def _build(self, fields: dict[str, Any]) -> None:
        super()._build(fields)
        self.enable_nested_tensor = fields["enable_nested_tensor"]
        self.use_nested_tensor = False
        self.mask_check = fields["mask_check"]

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:
        """The source after all layers: `[S, N?, d_model]`."""
        causal = _is_causal(mask, is_causal, self.layers[0], src)
        for layer in self.layers:
            src = layer(
                src, src_mask=mask, src_key_padding_mask=src_key_padding_mask, is_causal=causal
            )
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(_Layers):
    """A stack of decoder layers.  Source: torch.nn.TransformerDecoder."""

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """The target after all layers: `[T, N?, d_model]`."""
        causal = _is_causal(tgt_mask, tgt_is_causal, self.layers[0], tgt)
        for layer in self.layers:
            tgt = layer(
                tgt,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
                tgt_is_causal=causal,
                memory_is_causal=memory_is_causal,
            )
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(DeclaredLayer):
    """An encoder and a decoder.  Source: torch.nn.Transformer."""

    def _build(self, fields: dict[str, Any]) -> None:
        made = {"device": fields["device"], "dtype": fields["dtype"]}
        width, eps, bias = fields["d_model"], fields["layer_norm_eps"], fields["bias"]
        names = ("d_model", "nhead", "dim_feedforward", "dropout", "activation", "layer_norm_eps")
        options = {name: fields[name] for name in (*names, "batch_first", "norm_first", "bias")}
        self.encoder = fields["custom_encoder"]
        if self.encoder is None:
            layer: Any = TransformerEncoderLayer(**options, **made)
            norm = LayerNorm(width, eps=eps, bias=bias, **made)
            self.encoder = TransformerEncoder(layer, fields["num_encoder_layers"], norm)
        self.decoder = fields["custom_decoder"]
        if self.decoder is None:
            layer = TransformerDecoderLayer(**options, **made)
            norm = LayerNorm(width, eps=eps, bias=bias, **made)
            self.decoder = TransformerDecoder(layer, fields["num_decoder_layers"], norm)
        self._reset_parameters()
        self.d_model, self.nhead = width, fields["nhead"]
        self.batch_first = fields["batch_first"]

    def _reset_parameters(self) -> None:
        for parameter in self.parameters():
            if parameter.ndim > 1:
                init.xavier_uniform_(parameter)

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Any = None, dtype: Any = None) -> Tensor:
        """`[sz, sz]`: 0 up to the diagonal, and -inf behind it."""
        return _causal_mask(sz, dtype, device)

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """The target `[T, N?, d_model]`, decoded with the encoded source `[S, N?, d_model]`."""
        memory = self.encoder(
            src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal
        )
        return self.decoder(  # type: ignore[no-any-return]
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
            tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )

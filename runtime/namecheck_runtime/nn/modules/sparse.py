"""Tables of vectors.  Source: torch.nn.modules.sparse."""

from __future__ import annotations

from typing import Any, Self

from namecheck_runtime.autograd.modes import no_grad
from namecheck_runtime.nn import functional as F
from namecheck_runtime.nn import init
from namecheck_runtime.nn.parameter import Parameter
from namecheck_runtime.nn.parts.declared import DeclaredLayer
from namecheck_runtime.tensors.object import Tensor


class _Table(DeclaredLayer):
    """A table `[num_embeddings, embedding_dim]`."""

    def _build(self, fields: dict[str, Any]) -> None:
        rows, given = fields["num_embeddings"], fields["_weight"]
        place = fields["padding_idx"]
        if place is not None:
            if not -rows <= place < rows:
                raise AssertionError("Padding_idx must be within num_embeddings")
            fields["padding_idx"] = place % rows
        for name, value in self._attributes(fields).items():
            if name not in ("_weight", "_freeze"):
                setattr(self, name, value)
        wants = not fields.get("_freeze", False)
        if given is None:
            self._make_tensors(fields)
            self.get_parameter("weight").requires_grad_(wants)
            self.reset_parameters()
            return
        if tuple(given.shape) != (rows, fields["embedding_dim"]):
            raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
        self.weight = Parameter(given, requires_grad=wants)

    def reset_parameters(self) -> None:
        """Draw the vectors from a normal distribution; that of the padding is zeros."""
        init.normal_(self.weight)
        self._fill_padding_idx_with_zero()

    def _fill_padding_idx_with_zero(self) -> None:
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    def _texts(self, names: tuple[str, ...]) -> str:
        usual = {"norm_type": 2, "scale_grad_by_freq": False, "sparse": False}
        texts = [f"{self.num_embeddings}", f"{self.embedding_dim}"]
        for name in names:
            value = getattr(self, name)
            if value != usual.get(name):
                texts.append(f"{name}={value!r}" if name == "mode" else f"{name}={value}")
        return ", ".join(texts)


class Embedding(_Table):
    """Picks vectors: `[*]` to `[*, embedding_dim]`.  Source: torch.nn.Embedding."""

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
    ) -> Self:
        """A layer with the vectors of a tensor `[num_embeddings, embedding_dim]`."""
        if embeddings.ndim != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        rows, columns = embeddings.shape
        return cls(
            num_embeddings=rows,
            embedding_dim=columns,
            _weight=embeddings,
            _freeze=freeze,
            padding_idx=padding_idx,
            max_norm=max_norm,
            norm_type=norm_type,
            scale_grad_by_freq=scale_grad_by_freq,
            sparse=sparse,
        )

    def forward(self, input: Tensor) -> Tensor:
        """The vector of each index."""
        options = (self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse)
        return F.embedding(input, self.weight, self.padding_idx, *options)

    def extra_repr(self) -> str:
        """The sizes, and the options that are not the default."""
        return self._texts(("padding_idx", "max_norm", "norm_type", "scale_grad_by_freq", "sparse"))


class EmbeddingBag(_Table):
    """Adds up vectors in bags: `[B, N] -> [B, embedding_dim]`.  Source: torch.nn.EmbeddingBag."""

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
    ) -> Self:
        """A layer with the vectors of a tensor `[num_embeddings, embedding_dim]`."""
        if embeddings.ndim != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        rows, columns = embeddings.shape
        layer = cls(
            num_embeddings=rows,
            embedding_dim=columns,
            _weight=embeddings,
            max_norm=max_norm,
            norm_type=norm_type,
            scale_grad_by_freq=scale_grad_by_freq,
            mode=mode,
            sparse=sparse,
            include_last_offset=include_last_offset,
            padding_idx=padding_idx,
        )
        layer.weight.requires_grad = not freeze
        return layer

    def forward(
        self,
        input: Tensor,
        offsets: Tensor | None = None,
        per_sample_weights: Tensor | None = None,
    ) -> Tensor:
        """The sum, mean or maximum of the vectors of each bag."""
        return F.embedding_bag(
            *(input, self.weight, offsets, self.max_norm, self.norm_type),
            *(self.scale_grad_by_freq, self.mode, self.sparse, per_sample_weights),
            *(self.include_last_offset, self.padding_idx),
        )

    def extra_repr(self) -> str:
        """The sizes, the mode, and the options that are not the default."""
        return self._texts(("max_norm", "norm_type", "scale_grad_by_freq", "mode", "padding_idx"))

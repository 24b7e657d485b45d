"""Batch normalisation.  Source: torch.nn.modules.batchnorm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from namecheck_runtime.autograd.modes import no_grad
from namecheck_runtime.nn import functional as F
from namecheck_runtime.nn import init
from namecheck_runtime.nn.modules.lazy import LazyLayer
from namecheck_runtime.nn.parameter import UninitializedTensor
from namecheck_runtime.nn.parts.declared import DeclaredLayer
from namecheck_runtime.tensors.making.factories import tensor
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values.dtypes import DTYPES


class _NormBase(DeclaredLayer, as_declared="BatchNorm1d"):
    """A normalisation by statistics of channels, which may be kept in buffers."""

    _version = 2
    buffers_declared = frozenset({"running_mean", "running_var", "num_batches_tracked"})

    def _make_tensors(self, fields: Mapping[str, Any]) -> None:
        super()._make_tensors(fields)
        for name in ("weight", "bias"):
            if name not in self._parameters:
                self.register_parameter(name, None)
        for name in ("running_mean", "running_var", "num_batches_tracked"):
            if name not in self._buffers:
                self.register_buffer(name, None)

    def _make_tensor(self, name: str, shape: Any, options: dict[str, Any]) -> Any:
        if name == "num_batches_tracked":
            return tensor(0, dtype=DTYPES["int64"], device=options["device"])
        return super()._make_tensor(name, shape, options)

    def _attributes(self, fields: dict[str, Any]) -> dict[str, Any]:
        result = super()._attributes(fields)
        result.pop("bias", None)
        return result

    def _check_input_dim(self, input: Tensor) -> None:
        """Nothing: the declaration says which ranks a layer takes.  Programs define it anew."""

    def reset_running_stats(self) -> None:
        """Make the statistics those of no batch."""
        if self.track_running_stats and not isinstance(self.running_mean, UninitializedTensor):
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Make the statistics those of no batch, the weight ones and the bias zeros."""
        self.reset_running_stats()
        if self.affine:
            init.ones_(self.weight)
            if self.bias is not None:
                init.zeros_(self.bias)

    def extra_repr(self) -> str:
        """The number of channels and the options."""
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: Any, *rest: Any
    ) -> None:
        version = local_metadata.get("version", None)
        if (version is None or version < 2) and self.track_running_stats:
            key = f"{prefix}num_batches_tracked"  # older state dicts do not have it
            if key not in state_dict:
                state_dict[key] = self.num_batches_tracked
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *rest)


class _BatchNorm(_NormBase):
    """Batch normalisation, of any number of dims."""

    def forward(self, input: Tensor) -> Tensor:
        """The input, normalised over all dims but the channels."""
        self._check_input_dim(input)
        factor = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            with no_grad():
                self.num_batches_tracked.add_(1)
            if self.momentum is None and self.num_batches_tracked.device.type != "meta":
                factor = 1.0 / float(self.num_batches_tracked)
        by_batch = self.training or (self.running_mean is None and self.running_var is None)
        keeps = not self.training or self.track_running_stats
        mean, var = (self.running_mean, self.running_var) if keeps else (None, None)
        return F.batch_norm(input, mean, var, self.weight, self.bias, by_batch, factor, self.eps)


class BatchNorm1d(_BatchNorm):
    """Normalises `[N, C]` or `[N, C, L]` over all but C.  Source: torch.nn.BatchNorm1d."""


class BatchNorm2d(_BatchNorm):
    """Normalises `[N, C, H, W]` over all but C.  Source: torch.nn.BatchNorm2d."""


class BatchNorm3d(_BatchNorm):
    """Normalises `[N, C, D, H, W]` over all but C.  Source: torch.nn.BatchNorm3d."""


class SyncBatchNorm(_BatchNorm):
    """As BatchNorm: there is one process here.  Source: torch.nn.SyncBatchNorm."""

    @classmethod
    def convert_sync_batchnorm(cls, module: Any, process_group: Any = None) -> Any:
        """A module with this layer in the place of each BatchNorm inside it."""
        result = module
        if isinstance(module, _BatchNorm):
            options = (module.eps, module.momentum, module.affine, module.track_running_stats)
            result = cls(module.num_features, *options, process_group)
            result._parameters.update(module._parameters)
            result._buffers.update(module._buffers)
            result.training = module.training
        for name, inner in module.named_children():
            result.add_module(name, cls.convert_sync_batchnorm(inner, process_group))
        return result


class _LazyNorm(LazyLayer, _NormBase):
    """A normalisation for any number of channels."""

    inferred = "num_features"

    def infer_size(self, input: Tensor) -> int:
        """The size of the channels."""
        return input.shape[1]


class LazyBatchNorm1d(_LazyNorm, BatchNorm1d):
    """As BatchNorm1d, for any number of channels.  Source: torch.nn.LazyBatchNorm1d."""

    becomes = BatchNorm1d


class LazyBatchNorm2d(_LazyNorm, BatchNorm2d):
    """As BatchNorm2d, for any number of channels.  Source: torch.nn.LazyBatchNorm2d."""

    becomes = BatchNorm2d


class LazyBatchNorm3d(_LazyNorm, BatchNorm3d):
    """As BatchNorm3d, for any number of channels.  Source: torch.nn.LazyBatchNorm3d."""

    becomes = BatchNorm3d

"""Instance normalisation.  Source: torch.nn.modules.instancenorm."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar

from namecheck_runtime.nn import functional as F
from namecheck_runtime.nn.modules.batchnorm import _LazyNorm, _NormBase
from namecheck_runtime.tensors.object import Tensor


class _InstanceNorm(_NormBase):
    """Instance normalisation over `count` spatial dims."""

    count: ClassVar[int]

    def forward(self, input: Tensor) -> Tensor:
        """The input, normalised over its spatial dims."""
        self._check_input_dim(input)
        place = input.ndim - self.count - 1
        if input.shape[place] != self.num_features:
            text = f"input's size at dim={place}"
            if self.affine:
                raise ValueError(
                    f"expected {text} to match num_features ({self.num_features}), but got: "
                    f"{input.shape[place]}."
                )
            warnings.warn(
                f"{text} does not match num_features. You can silence this warning by not passing "
                "in num_features, which is not used because affine=False",
                stacklevel=3,
            )
        if input.ndim == self.count + 1:
            return self._normalized(input.unsqueeze(0)).squeeze(0)
        return self._normalized(input)

    def _normalized(self, input: Tensor) -> Tensor:
        by_input = self.training or not self.track_running_stats
        momentum = 0.0 if self.momentum is None else self.momentum
        statistics = (self.running_mean, self.running_var)
        return F.instance_norm(
            input, *statistics, self.weight, self.bias, by_input, momentum, self.eps
        )

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        version = local_metadata.get("version", None)
        names = ("running_mean", "running_var")
        if version is None and not self.track_running_stats:
            found = [f"{prefix}{name}" for name in names if f"{prefix}{name}" in state_dict]
            if found:
                kind, keys = type(self).__name__, " and ".join(f'"{key}"' for key in found)
                error_msgs.append(
                    f"Unexpected running stats buffer(s) {keys} for {kind} with "
                    "track_running_stats=False. If state_dict is a checkpoint saved before 0.4.0, "
                    f"this may be expected because {kind} does not track running stats by default "
                    "since 0.4.0. Please remove these keys from state_dict. If the running stats "
                    f"are actually needed, instead set track_running_stats=True in {kind} to "
                    f"enable them. See the documentation of {kind} for details."
                )
                for key in found:
                    state_dict.pop(key)
        rest = (strict, missing_keys, unexpected_keys, error_msgs)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *rest)


class InstanceNorm1d(_InstanceNorm):
    """Normalises `[N?, C, L]` over L.  Source: torch.nn.InstanceNorm1d."""

    count = 1


class InstanceNorm2d(_InstanceNorm):
    """Normalises `[N?, C, H, W]` over H and W.  Source: torch.nn.InstanceNorm2d."""

    count = 2


class InstanceNorm3d(_InstanceNorm):
    """Normalises `[N?, C, D, H, W]` over D, H and W.  Source: torch.nn.InstanceNorm3d."""

    count = 3


class _LazyInstanceNorm(_LazyNorm, _InstanceNorm):
    """Instance normalisation for any number of channels."""

    def infer_size(self, input: Tensor) -> int:
        """The size of the channels."""
        return input.shape[input.ndim - self.count - 1]


class LazyInstanceNorm1d(_LazyInstanceNorm, InstanceNorm1d):
    """As InstanceNorm1d, for any number of channels.  Source: torch.nn.LazyInstanceNorm1d."""

    becomes = InstanceNorm1d


class LazyInstanceNorm2d(_LazyInstanceNorm, InstanceNorm2d):
    """As InstanceNorm2d, for any number of channels.  Source: torch.nn.LazyInstanceNorm2d."""

    becomes = InstanceNorm2d


class LazyInstanceNorm3d(_LazyInstanceNorm, InstanceNorm3d):
    """As InstanceNorm3d, for any number of channels.  Source: torch.nn.LazyInstanceNorm3d."""

    becomes = InstanceNorm3d

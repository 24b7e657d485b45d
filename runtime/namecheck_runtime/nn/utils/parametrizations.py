"""Parametrizations of weights by norms.  Source: torch.nn.utils.parametrizations."""

from __future__ import annotations

from typing import Any

from namecheck_runtime.autograd.modes import no_grad
from namecheck_runtime.nn.modules.module import Module
from namecheck_runtime.nn.utils.norm_hooks import (
    as_matrix,
    dim_of_outputs,
    norm_except_dim,
    normalized,
    power_iteration,
    sigma_of,
)
from namecheck_runtime.nn.utils.parametrize import register_parametrization
from namecheck_runtime.tensors.object import Tensor


class _WeightNorm(Module):
    """A direction with a length for each entry of a dim."""

    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Any, weight_v: Any) -> Any:
        return weight_v * (weight_g / norm_except_dim(weight_v, self.dim))

    def right_inverse(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        """The lengths of a weight, and the weight."""
        return norm_except_dim(weight, self.dim), weight


class _SpectralNorm(Module):
    """A weight by its largest singular value, which each call in training comes nearer to."""

    def __init__(
        self, weight: Tensor, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12
    ) -> None:
        super().__init__()
        if not -weight.dim() <= dim < weight.dim():
            raise IndexError(
                f"Dimension out of range (expected to be in range of [-{weight.dim()}, "
                f"{weight.dim() - 1}] but got {dim})"
            )
        if n_power_iterations <= 0:
            raise ValueError(
                "Expected n_power_iterations to be positive, but got "
                f"n_power_iterations={n_power_iterations}"
            )
        self.dim = dim % weight.dim()
        self.eps = eps
        if weight.dim() > 1:
            self.n_power_iterations = n_power_iterations
            with no_grad():
                matrix = as_matrix(weight.detach(), self.dim)
                height, width = matrix.shape
                u = normalized(matrix.new_empty(height).normal_(0, 1), eps)
                v = normalized(matrix.new_empty(width).normal_(0, 1), eps)
            self.register_buffer("_u", u)
            self.register_buffer("_v", v)
            power_iteration(matrix.t(), v, u, 15, eps)  # `u` first here, unlike in the hook

    def forward(self, weight: Any) -> Any:
        if weight.dim() == 1:
            return normalized(weight, self.eps)
        matrix = as_matrix(weight, self.dim)
        if self.training:
            count = self.n_power_iterations
            power_iteration(matrix.t(), self._v, self._u, count, self.eps)
        return weight / sigma_of(matrix, self._u.clone(), self._v.clone())

    def right_inverse(self, value: Tensor) -> Tensor:
        """The value itself: it is taken for the weight before the division."""
        return value


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Let a weight be a direction `original1` with a length `original0` for each entry of `dim`.

    A state dict of `nn.utils.weight_norm`, with `name_g` and `name_v`, loads too.
    """
    register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def rename_old_keys(state_dict: Any, prefix: str, *_: Any) -> None:
        old = [f"{prefix}{name}_{letter}" for letter in "gv"]
        if all(key in state_dict for key in old):
            for place, key in enumerate(old):
                new = f"{prefix}parametrizations.{name}.original{place}"
                state_dict[new] = state_dict.pop(key)

    module._register_load_state_dict_pre_hook(rename_old_keys)
    return module


def spectral_norm(
    module: Module,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Module:
    """Let a weight be divided by its largest singular value.

    Raises ValueError if the module has no such parameter.
    """
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    where = dim_of_outputs(module) if dim is None else dim
    register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, where, eps))
    return module

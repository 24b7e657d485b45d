"""Weights that a hook computes before each call: `weight_norm` and `spectral_norm`.

Source: torch.nn.utils.weight_norm, torch.nn.utils.spectral_norm.  PyTorch advises to use
`nn.utils.parametrizations`; most published models were written before it was there.
"""

from __future__ import annotations

from typing import Any, TypeVar

from namecheck_runtime.autograd.modes import no_grad
from namecheck_runtime.nn.modules.module import Module
from namecheck_runtime.nn.parameter import Parameter
from namecheck_runtime.tensors.dispatch import call_path
from namecheck_runtime.tensors.object import Tensor

M = TypeVar("M", bound=Module)


def norm_except_dim(v: Tensor, dim: int | None) -> Tensor:
    """The norm of `v` over all dims but one, each of size 1 then; over all of them for None or -1.

    Source: torch.norm_except_dim.
    """
    if dim is None or dim == -1:
        return call_path("torch.linalg.vector_norm", (v,), {})  # type: ignore[no-any-return]
    rest = [place for place in range(v.dim()) if place != dim % v.dim()]
    if not rest:
        return call_path("torch.abs", (v,), {})  # type: ignore[no-any-return]
    options = {"dim": rest, "keepdim": True}
    return call_path("torch.linalg.vector_norm", (v,), options)  # type: ignore[no-any-return]


def as_matrix(weight: Tensor, dim: int) -> Tensor:
    """A weight as a matrix: one dim by all the others."""
    if dim:
        weight = weight.permute(dim, *(place for place in range(weight.dim()) if place != dim))
    return weight.reshape(weight.size(0), -1)


def normalized(x: Tensor, eps: float) -> Tensor:
    """A vector of length 1 in the direction of `x`."""
    options = {"dim": 0, "eps": eps}
    return call_path("torch.nn.functional.normalize", (x,), options)  # type: ignore[no-any-return]


def power_iteration(matrix: Tensor, u: Tensor, v: Tensor, count: int, eps: float) -> None:
    """Turn `u` and `v` towards the first singular vectors of a matrix, in place."""
    with no_grad():
        for _ in range(count):
            v.copy_(normalized(matrix.t() @ u, eps))
            u.copy_(normalized(matrix @ v, eps))


def sigma_of(matrix: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """The singular value of a matrix that belongs to `u` and `v`."""
    return call_path("torch.dot", (u, matrix @ v), {})  # type: ignore[no-any-return]


class WeightNorm:
    """Computes `name` from `name_g` and `name_v`: `v * (g / norm of v)`."""

    def __init__(self, name: str, dim: int | None) -> None:
        self.name = name
        self.dim = -1 if dim is None else dim

    def compute_weight(self, module: Module) -> Any:
        """The weight of the module's parameters as they are."""
        g, v = getattr(module, f"{self.name}_g"), getattr(module, f"{self.name}_v")
        return v * (g / norm_except_dim(v, self.dim))

    def remove(self, module: Module) -> None:
        """Make the weight a parameter again."""
        weight = self.compute_weight(module)
        delattr(module, self.name)
        del module._parameters[f"{self.name}_g"], module._parameters[f"{self.name}_v"]
        setattr(module, self.name, Parameter(weight.data))

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module))


class SpectralNorm:
    """Computes `name` from `name_orig`: divided by its largest singular value, as it is known."""

    def __init__(self, name: str, n_power_iterations: int, dim: int, eps: float) -> None:
        if n_power_iterations <= 0:
            raise ValueError(
                "Expected n_power_iterations to be positive, but got "
                f"n_power_iterations={n_power_iterations}"
            )
        self.name = name
        self.dim = dim
        self.n_power_iterations = n_power_iterations
        self.eps = eps

    def compute_weight(self, module: Module, do_power_iteration: bool) -> Any:
        """The weight of the module's parameters as they are."""
        weight = getattr(module, f"{self.name}_orig")
        u, v = getattr(module, f"{self.name}_u"), getattr(module, f"{self.name}_v")
        matrix = as_matrix(weight, self.dim)
        if do_power_iteration:
            power_iteration(matrix, u, v, self.n_power_iterations, self.eps)
            u, v = u.clone(), v.clone()
        return weight / sigma_of(matrix, u, v)

    def remove(self, module: Module) -> None:
        """Make the weight a parameter again."""
        with no_grad():
            weight = self.compute_weight(module, do_power_iteration=False)
        for suffix in ("", "_u", "_v", "_orig"):
            delattr(module, self.name + suffix)
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module, do_power_iteration=module.training))


def _require_first(module: Module, name: str, kind: type[Any]) -> None:
    for hook in module._forward_pre_hooks.values():
        if isinstance(hook, kind) and hook.name == name:
            words = "weight_norm" if kind is WeightNorm else "spectral_norm"
            raise RuntimeError(f"Cannot register two {words} hooks on the same parameter {name}")


def _remove(module: Module, name: str, kind: type[Any]) -> bool:
    for number, hook in module._forward_pre_hooks.items():
        if isinstance(hook, kind) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[number]
            return True
    return False


def weight_norm(module: M, name: str = "weight", dim: int | None = 0) -> M:
    """Let a weight be a direction `name_v` with a length `name_g` for each entry of `dim`.

    Raises RuntimeError for a weight that has one already.
    """
    _require_first(module, name, WeightNorm)
    norm = WeightNorm(name, dim)
    weight = getattr(module, name)
    del module._parameters[name]
    lengths = norm_except_dim(weight, norm.dim)
    module.register_parameter(f"{name}_g", Parameter(lengths.data))
    module.register_parameter(f"{name}_v", Parameter(weight.data))
    setattr(module, name, norm.compute_weight(module))
    module.register_forward_pre_hook(norm)
    return module


def remove_weight_norm(module: M, name: str = "weight") -> M:
    """Make a weight with a norm a parameter.  Raises ValueError for one that has none."""
    if not _remove(module, name, WeightNorm):
        raise ValueError(f"weight_norm of '{name}' not found in {module}")
    return module


def dim_of_outputs(module: Module) -> int:
    """The dim of a weight that the outputs of its module belong to."""
    transposed = any(
        kind.__name__ in ("ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d")
        for kind in type(module).__mro__
    )
    return 1 if transposed else 0


def spectral_norm(
    module: M,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> M:
    """Let a weight be divided by its largest singular value, which each call comes nearer to.

    Raises RuntimeError for a weight that is divided already.
    """
    _require_first(module, name, SpectralNorm)
    where = dim_of_outputs(module) if dim is None else dim
    norm = SpectralNorm(name, n_power_iterations, where, eps)
    weight = module._parameters[name]
    if weight is None:
        raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
    with no_grad():
        height, width = as_matrix(weight, where).shape
        u = normalized(weight.new_empty(height).normal_(0, 1), eps)
        v = normalized(weight.new_empty(width).normal_(0, 1), eps)
    delattr(module, name)
    module.register_parameter(f"{name}_orig", weight)
    setattr(module, name, weight.data)
    module.register_buffer(f"{name}_u", u)
    module.register_buffer(f"{name}_v", v)
    module.register_forward_pre_hook(norm)
    return module


def remove_spectral_norm(module: M, name: str = "weight") -> M:
    """Make such a weight a parameter.  Raises ValueError for one that is not divided."""
    if not _remove(module, name, SpectralNorm):
        raise ValueError(f"spectral_norm of '{name}' not found in {module}")
    return module

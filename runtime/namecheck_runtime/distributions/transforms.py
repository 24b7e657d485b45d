"""Functions with an inverse, and what they do to a density.

Source: torch.distributions.transforms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import namecheck_runtime as nt
from namecheck_runtime.distributions import constraints


class Transform:
    """A function `_call`, its inverse `_inverse`, and the logarithm of its slope.

    The last `event_dim` dims are one value.
    """

    bijective = False
    domain: Any = constraints.real
    codomain: Any = constraints.real

    def __init__(self, cache_size: int = 0) -> None:
        self._cache_size = cache_size

    @property
    def event_dim(self) -> int:
        """How many trailing dims are one value."""
        return int(self.domain.event_dim)

    @property
    def inv(self) -> Transform:
        """The inverse."""
        return _Inverse(self)

    @property
    def sign(self) -> Any:
        """1 if it increases, -1 if it decreases."""
        raise NotImplementedError

    def __call__(self, x: Any) -> Any:
        return self._call(x)

    def _call(self, x: Any) -> Any:
        raise NotImplementedError

    def _inverse(self, y: Any) -> Any:
        raise NotImplementedError

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """The logarithm of the slope at `x`, whose value is `y`."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return self is other

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def forward_shape(self, shape: Sequence[int]) -> Any:
        """The sizes of the value."""
        return shape

    def inverse_shape(self, shape: Sequence[int]) -> Any:
        """The sizes of what has a value of these sizes."""
        return shape


class _Inverse(Transform):
    """The inverse of a transform."""

    bijective = True

    def __init__(self, transform: Transform) -> None:
        super().__init__()
        self._forward = transform
        self.domain, self.codomain = transform.codomain, transform.domain

    @property
    def inv(self) -> Transform:
        return self._forward

    @property
    def sign(self) -> Any:
        return self._forward.sign

    def _call(self, x: Any) -> Any:
        return self._forward._inverse(x)

    def _inverse(self, y: Any) -> Any:
        return self._forward._call(y)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return -self._forward.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape: Sequence[int]) -> Any:
        return self._forward.inverse_shape(shape)

    def inverse_shape(self, shape: Sequence[int]) -> Any:
        return self._forward.forward_shape(shape)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Inverse) and self._forward == other._forward


class ComposeTransform(Transform):
    """Several transforms, one after another."""

    def __init__(self, parts: Sequence[Transform], cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.parts = list(parts)
        self.bijective = all(part.bijective for part in self.parts)
        if self.parts:
            self.domain, self.codomain = self.parts[0].domain, self.parts[-1].codomain

    @property
    def event_dim(self) -> int:
        return max((part.event_dim for part in self.parts), default=0)

    def _call(self, x: Any) -> Any:
        for part in self.parts:
            x = part(x)
        return x

    def _inverse(self, y: Any) -> Any:
        for part in reversed(self.parts):
            y = part._inverse(y)
        return y

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        total: Any = 0.0
        for part in self.parts:
            value = part(x)
            slope = part.log_abs_det_jacobian(x, value)
            total = total + sum_rightmost(slope, self.event_dim - part.event_dim)
            x = value
        return nt.zeros_like(x) if not self.parts else total

    def forward_shape(self, shape: Sequence[int]) -> Any:
        for part in self.parts:
            shape = part.forward_shape(shape)
        return shape

    def inverse_shape(self, shape: Sequence[int]) -> Any:
        for part in reversed(self.parts):
            shape = part.inverse_shape(shape)
        return shape


def _with_sizes(shape: Sequence[int], *values: Any) -> Any:
    """The sizes of what an elementwise op makes of these and of tensors or numbers."""
    sizes = [value.shape for value in values if isinstance(value, nt.Tensor)]
    return tuple(nt.broadcast_shapes(tuple(shape), *sizes))


def _same(mine: Any, others: Any) -> bool:
    """Whether two tensors or numbers have the same elements."""
    return bool(nt.as_tensor(mine == others).all())


def sum_rightmost(value: Any, count: int) -> Any:
    """The sum over so many trailing dims."""
    return value.flatten(value.dim() - count).sum(-1) if count > 0 else value


class AffineTransform(Transform):
    """`loc + scale * x`."""

    bijective = True

    def __init__(self, loc: Any, scale: Any, event_dim: int = 0, cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.loc, self.scale = loc, scale
        if event_dim:
            self.domain = self.codomain = constraints.independent(constraints.real, event_dim)

    @property
    def sign(self) -> Any:
        is_tensor = isinstance(self.scale, nt.Tensor)
        return self.scale.sign() if is_tensor else (self.scale > 0) - (self.scale < 0)

    def _call(self, x: Any) -> Any:
        return self.loc + self.scale * x

    def _inverse(self, y: Any) -> Any:
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        scale = self.scale
        if isinstance(scale, nt.Tensor):
            slope = scale.abs().log()
        else:
            slope = nt.full_like(x, math.log(abs(scale)))
        sizes = x.shape[: x.dim() - self.event_dim]
        return sum_rightmost(slope.expand(x.shape), self.event_dim).expand(sizes)

    def forward_shape(self, shape: Sequence[int]) -> Any:
        return _with_sizes(shape, self.loc, self.scale)

    def inverse_shape(self, shape: Sequence[int]) -> Any:
        return _with_sizes(shape, self.loc, self.scale)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AffineTransform):
            return False
        return _same(self.loc, other.loc) and _same(self.scale, other.scale)


class _Elementwise(Transform):
    """A transform of each number that increases."""

    bijective = True

    @property
    def sign(self) -> Any:
        return 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self))


class ExpTransform(_Elementwise):
    """`exp(x)`."""

    codomain = constraints.positive

    def _call(self, x: Any) -> Any:
        return x.exp()

    def _inverse(self, y: Any) -> Any:
        return y.log()

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return x


class SigmoidTransform(_Elementwise):
    """`sigmoid(x)`."""

    codomain = constraints.unit_interval

    def _call(self, x: Any) -> Any:
        info = nt.finfo(x.dtype)
        return nt.sigmoid(x).clamp(min=info.tiny, max=1.0 - info.eps)

    def _inverse(self, y: Any) -> Any:
        info = nt.finfo(y.dtype)
        y = y.clamp(min=info.tiny, max=1.0 - info.eps)
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return -nt.nn.functional.softplus(-x) - nt.nn.functional.softplus(x)


class TanhTransform(_Elementwise):
    """`tanh(x)`."""

    codomain = constraints.interval(-1.0, 1.0)

    def _call(self, x: Any) -> Any:
        return x.tanh()

    def _inverse(self, y: Any) -> Any:
        return nt.atanh(y)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return 2.0 * (math.log(2.0) - x - nt.nn.functional.softplus(-2.0 * x))


class SoftplusTransform(_Elementwise):
    """`log(1 + exp(x))`."""

    codomain = constraints.positive

    def _call(self, x: Any) -> Any:
        return nt.nn.functional.softplus(x)

    def _inverse(self, y: Any) -> Any:
        return (-y).expm1().neg().log() + y

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return -nt.nn.functional.softplus(-x)


class PowerTransform(Transform):
    """`x ** exponent`, of positive numbers."""

    bijective = True
    domain = constraints.positive
    codomain = constraints.positive

    def __init__(self, exponent: Any, cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.exponent = nt.as_tensor(exponent)

    @property
    def sign(self) -> Any:
        return self.exponent.sign()

    def _call(self, x: Any) -> Any:
        return x.pow(self.exponent)

    def _inverse(self, y: Any) -> Any:
        return y.pow(1 / self.exponent)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return (self.exponent * y / x).abs().log()

    def forward_shape(self, shape: Sequence[int]) -> Any:
        return _with_sizes(shape, self.exponent)

    def inverse_shape(self, shape: Sequence[int]) -> Any:
        return _with_sizes(shape, self.exponent)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PowerTransform) and _same(self.exponent, other.exponent)


class AbsTransform(Transform):
    """`abs(x)`, whose inverse is taken to be positive."""

    codomain = constraints.positive

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AbsTransform)

    def _call(self, x: Any) -> Any:
        return x.abs()

    def _inverse(self, y: Any) -> Any:
        return y

"""The base of distributions.  Source: torch.distributions.distribution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, ClassVar

import namecheck_runtime as nt
from namecheck_runtime.distributions import constraints
from namecheck_runtime.distributions.probabilities import lazy_property


class Distribution:
    """A batch of distributions: samples have the dims asked for, then batch dims, then event dims.

    The parameters are checked against `arg_constraints`, unless `validate_args` is False.
    """

    has_rsample: ClassVar[bool] = False
    has_enumerate_support: ClassVar[bool] = False
    arg_constraints: ClassVar[Any] = {}
    _validate_args = __debug__

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Whether distributions check their parameters and samples if the caller does not say."""
        if value not in (True, False):
            raise ValueError
        Distribution._validate_args = value

    def __init__(
        self,
        batch_shape: Sequence[int] = (),
        event_shape: Sequence[int] = (),
        validate_args: bool | None = None,
    ) -> None:
        self._batch_shape = nt.Size(batch_shape)
        self._event_shape = nt.Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._check_parameters()

    def _check_parameters(self) -> None:
        constraints_of: Mapping[str, Any] = self.arg_constraints
        for name, constraint in constraints_of.items():
            if constraints.is_dependent(constraint):
                continue
            if name not in self.__dict__ and isinstance(
                getattr(type(self), name, None), lazy_property
            ):
                continue
            value = getattr(self, name)
            if not bool(constraint.check(value).all()):
                raise ValueError(
                    f"Expected parameter {name} ({type(value).__name__} of shape "
                    f"{tuple(value.shape)}) of distribution {self!r} to satisfy the constraint "
                    f"{constraint!r}, but found invalid values:\n{value}"
                )

    @property
    def batch_shape(self) -> nt.Size:
        """The sizes over which parameters vary."""
        return self._batch_shape

    @property
    def event_shape(self) -> nt.Size:
        """The sizes of one sample."""
        return self._event_shape

    @property
    def support(self) -> Any:
        """The condition on samples."""
        raise NotImplementedError

    @property
    def mean(self) -> Any:
        """The mean."""
        raise NotImplementedError

    @property
    def mode(self) -> Any:
        """The most probable value."""
        raise NotImplementedError(f"{type(self)} does not implement mode")

    @property
    def variance(self) -> Any:
        """The variance."""
        raise NotImplementedError

    @property
    def stddev(self) -> Any:
        """The standard deviation."""
        return self.variance.sqrt()

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """The same distribution with larger batch dims."""
        sizes = nt.Size(batch_shape)
        new = copy(self)
        for name in self._parameter_names():
            value = getattr(self, name)
            event = value.shape[len(self._batch_shape) :]
            setattr(new, name, value.expand((*sizes, *event)))
        new._batch_shape = sizes
        return new

    def _parameter_names(self) -> list[str]:
        return [name for name in self.arg_constraints if name in self.__dict__]

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        """Samples without a gradient."""
        with nt.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        """Samples with the gradients of the parameters.

        Raises NotImplementedError where these are not defined.
        """
        raise NotImplementedError(f"{type(self).__name__}.rsample: samples have no gradients here")

    def sample_n(self, n: int) -> Any:
        """`n` samples."""
        return self.sample(nt.Size((n,)))

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density, or of the probability, of a value."""
        raise NotImplementedError

    def cdf(self, value: Any) -> Any:
        """The probability of a smaller value."""
        raise NotImplementedError

    def icdf(self, value: Any) -> Any:
        """The value that a smaller one has this probability of."""
        raise NotImplementedError

    def entropy(self) -> Any:
        """The entropy."""
        raise NotImplementedError

    def perplexity(self) -> Any:
        """The exponential of the entropy."""
        return self.entropy().exp()

    def _extended_shape(self, sample_shape: Sequence[int] = ()) -> nt.Size:
        return nt.Size((*sample_shape, *self._batch_shape, *self._event_shape))

    def _validate_sample(self, value: Any) -> None:
        if not isinstance(value, nt.Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        actual, expected = value.shape, (*self._batch_shape, *self._event_shape)
        for i, j in zip(reversed(actual), reversed(expected), strict=False):
            if i != j and i != 1 and j != 1:
                raise ValueError(
                    f"Value is not broadcastable with batch_shape+event_shape: {actual} vs "
                    f"{nt.Size(expected)}."
                )
        support = self.support
        if not constraints.is_dependent(support) and not bool(support.check(value).all()):
            raise ValueError(
                "Expected value argument "
                f"({type(value).__name__} of shape {tuple(value.shape)}) to be within the support "
                f"({support!r}) of the distribution {self!r}, but found invalid values:\n{value}"
            )

    def __repr__(self) -> str:
        values = [(name, self.__dict__[name]) for name in self._parameter_names()]
        texts = [
            f"{name}: {value if value.numel() == 1 else value.size()}" for name, value in values
        ]
        return f"{type(self).__name__}({', '.join(texts)})"


class Symmetric(Distribution):
    """A distribution that is symmetric around `loc`: its mode, and its mean if it has one."""

    loc: Any

    @property
    def mean(self) -> Any:
        return self.loc

    @property
    def mode(self) -> Any:
        return self.loc


class ExponentialFamily(Distribution):
    """A distribution whose density is the exponential of a product.  A mark only."""

"""What values are allowed.  Source: torch.distributions.constraints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import namecheck_runtime as nt


class Constraint:
    """A condition on the values of a tensor; `event_dim` trailing dims are one value."""

    is_discrete = False
    event_dim = 0

    def check(self, value: Any) -> Any:
        """Which values satisfy it: a tensor of truths, without the trailing dims."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__.removeprefix('_')}()"


class _Dependent(Constraint):
    """A condition that depends on other parameters."""

    def __init__(self, is_discrete: bool = False, event_dim: int = 0) -> None:
        self.is_discrete, self.event_dim = is_discrete, event_dim

    def check(self, value: Any) -> Any:
        raise ValueError("Cannot determine validity of dependent constraint")


class dependent_property(property):
    """A property that gives a condition which depends on other parameters."""

    def __init__(
        self,
        fn: Callable[..., Any] | None = None,
        *,
        is_discrete: bool = False,
        event_dim: int = 0,
    ) -> None:
        super().__init__(fn)
        self.is_discrete, self.event_dim = is_discrete, event_dim

    def __call__(self, fn: Callable[..., Any]) -> dependent_property:
        return dependent_property(fn, is_discrete=self.is_discrete, event_dim=self.event_dim)


class _Simple(Constraint):
    """A condition with a function that checks it."""

    def __init__(
        self,
        text: str,
        check: Callable[[Any], Any],
        event_dim: int = 0,
        is_discrete: bool = False,
        **facts: Any,
    ) -> None:
        self._text, self._check, self.event_dim = text, check, event_dim
        self.is_discrete = is_discrete
        for name, fact in facts.items():
            setattr(self, name, fact)

    def check(self, value: Any) -> Any:
        return self._check(value)

    def __repr__(self) -> str:
        return self._text


class independent(Constraint):
    """A condition whose dims before the trailing ones are part of one value, too."""

    def __init__(self, base_constraint: Constraint, reinterpreted_batch_ndims: int) -> None:
        self.base_constraint = base_constraint
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        self.is_discrete = base_constraint.is_discrete
        self.event_dim = base_constraint.event_dim + reinterpreted_batch_ndims

    def check(self, value: Any) -> Any:
        found = self.base_constraint.check(value)
        count = self.reinterpreted_batch_ndims
        return found.flatten(found.dim() - count).all(-1) if count else found

    def __repr__(self) -> str:
        return f"IndependentConstraint({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


def _bounds(low: Any, high: Any) -> dict[str, Any]:
    return {"lower_bound": low, "upper_bound": high}


def greater_than(lower_bound: Any) -> Constraint:
    """Values above a bound."""
    text = f"GreaterThan(lower_bound={lower_bound})"
    return _Simple(text, lambda x: x > lower_bound, lower_bound=lower_bound)


def greater_than_eq(lower_bound: Any) -> Constraint:
    """Values above a bound, or equal to it."""
    text = f"GreaterThanEq(lower_bound={lower_bound})"
    return _Simple(text, lambda x: x >= lower_bound, lower_bound=lower_bound)


def less_than(upper_bound: Any) -> Constraint:
    """Values below a bound."""
    text = f"LessThan(upper_bound={upper_bound})"
    return _Simple(text, lambda x: x < upper_bound, upper_bound=upper_bound)


def interval(lower_bound: Any, upper_bound: Any) -> Constraint:
    """Values between bounds, which belong to it."""
    text = f"Interval(lower_bound={lower_bound}, upper_bound={upper_bound})"
    facts = _bounds(lower_bound, upper_bound)
    return _Simple(text, lambda x: (x >= lower_bound) & (x <= upper_bound), **facts)


def half_open_interval(lower_bound: Any, upper_bound: Any) -> Constraint:
    """Values between bounds, of which the lower one belongs to it."""
    text = f"HalfOpenInterval(lower_bound={lower_bound}, upper_bound={upper_bound})"
    facts = _bounds(lower_bound, upper_bound)
    return _Simple(text, lambda x: (x >= lower_bound) & (x < upper_bound), **facts)


def integer_interval(lower_bound: Any, upper_bound: Any) -> Constraint:
    """Whole numbers between bounds, which belong to it."""
    text = f"IntegerInterval(lower_bound={lower_bound}, upper_bound={upper_bound})"

    def check(x: Any) -> Any:
        return (x % 1 == 0) & (x >= lower_bound) & (x <= upper_bound)

    return _Simple(text, check, is_discrete=True, **_bounds(lower_bound, upper_bound))


def multinomial(upper_bound: int) -> Constraint:
    """Whole numbers from 0 in the last dim, which add up to at most a bound."""

    def check(x: Any) -> Any:
        return (x >= 0).all(-1) & (x.sum(-1) <= upper_bound)

    text = f"Multinomial(upper_bound={upper_bound})"
    return _Simple(text, check, 1, is_discrete=True, upper_bound=upper_bound)


def _is_lower_cholesky(x: Any) -> Any:
    is_lower = (x.tril() == x).flatten(-2).all(-1)
    return is_lower & (x.diagonal(dim1=-2, dim2=-1) > 0).all(-1)


def _is_positive_definite(x: Any) -> Any:
    is_symmetric = nt.isclose(x, x.transpose(-2, -1), atol=1e-6).flatten(-2).all(-1)
    return is_symmetric & (nt.linalg.eigvalsh(x) > 0).all(-1)


dependent: Final = _Dependent()
boolean: Final = _Simple("Boolean()", lambda x: (x == 0) | (x == 1), is_discrete=True)
real: Final = _Simple("Real()", lambda x: x == x)  # NaN is not equal to itself
real_vector: Final = independent(real, 1)
positive: Final = greater_than(0.0)
nonnegative: Final = greater_than_eq(0.0)
unit_interval: Final = interval(0.0, 1.0)
simplex: Final = _Simple(
    "Simplex()", lambda x: (x >= 0).all(-1) & ((x.sum(-1) - 1).abs() < 1e-6), 1
)
one_hot: Final = _Simple(
    "OneHot()", lambda x: ((x == 0) | (x == 1)).all(-1) & (x.sum(-1) == 1), 1, True
)
nonnegative_integer: Final = _Simple(
    "IntegerGreaterThan(lower_bound=0)", lambda x: (x % 1 == 0) & (x >= 0), is_discrete=True
)
lower_cholesky: Final = _Simple("LowerCholesky()", _is_lower_cholesky, 2)
positive_definite: Final = _Simple("PositiveDefinite()", _is_positive_definite, 2)


def is_dependent(constraint: Any) -> bool:
    """Whether a condition depends on other parameters."""
    return isinstance(constraint, (_Dependent, dependent_property))

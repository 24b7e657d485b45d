"""The size that a number is the square root of, and the products that are taken for scores."""

from __future__ import annotations

import pytest

from namecheck.analysis.usage.scales import root_of
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dim, Trailing
from namecheck_runtime.notation.jaxtyping import read_jaxtyping
from namecheck_runtime.notation.written import many_name
from namecheck_runtime.rules.effects import SUMMATIONS

D = sizes.symbol("d")
HALF = sizes.opaque("float", 1, 2)
MATRICES = SUMMATIONS[0][0]


def power(exponent: sizes.Size) -> sizes.Size:
    return sizes.opaque("**.", D, exponent)


@pytest.mark.parametrize(
    "number",
    [
        power(HALF),
        power(sizes.opaque("float", -1, 2)),
        sizes.opaque("/.", 1, power(HALF)),
        sizes.opaque("/.", sizes.opaque("float", 1, 1), power(HALF)),
        sizes.opaque("*.", power(HALF), 2),
    ],
)
def test_roots_are_seen_through_numbers(number: sizes.Size) -> None:
    assert root_of(number) == D


@pytest.mark.parametrize(
    "number",
    [
        4,
        UNKNOWN,
        D,
        power(sizes.opaque("float", 1, 4)),
        sizes.opaque("/.", D, power(HALF)),
        sizes.multiply(2, power(HALF)),
    ],
)
def test_other_numbers_are_not_roots(number: sizes.Size) -> None:
    assert root_of(number) is UNKNOWN


def test_a_product_of_unknown_ranks_is_presumed_to_be_of_matrices() -> None:
    dims = (Dim(None, D), Dim(None, D))
    assert MATRICES(dims, Trailing(dims), "").presumed is False
    assert MATRICES(UNKNOWN, dims, "").presumed is True
    assert MATRICES(dims[:1], dims, "") is None


def test_only_a_bound_name_means_the_same_dims_each_time() -> None:
    names = [
        many_name(dim) for text in ("*b 3", "... n", "*#b 3") for dim in read_jaxtyping(text).dims
    ]
    assert names == ["b", None, None, None, None, None]

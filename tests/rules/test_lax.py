"""Ops that only jax.lax has, by its documentation: JAX is not one of the measured libraries."""

from __future__ import annotations

from typing import Any

import pytest

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from namecheck_runtime.infer import Answer, infer
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.mistakes import Mistake
from shapes import shape


def ask(function: str, *arguments: Any, **keywords: Any) -> Answer:
    operands = [shape(a.removeprefix("@")) if _is_shape(a) else a for a in arguments]
    return infer(f"jax.lax.{function}", operands, keywords)


def _is_shape(argument: Any) -> bool:
    """Whether a text is a shape: those begin with `@`, unlike words."""
    return isinstance(argument, str) and argument.startswith("@")


MATRIX = (((1,), (0,)), ((), ()))
BATCHES = (((2,), (1,)), ((0,), (0,)))
NHWC = ("NHWC", "HWIO", "NHWC")


@pytest.mark.parametrize(
    ("function", "arguments", "keywords", "expected"),
    [
        ("dot_general", ("@m k", "@k n", MATRIX), {}, "m n"),
        ("dot_general", ("@b m k", "@b k n", BATCHES), {}, "b m n"),
        ("dot_general", ("@b m k", "@c b k", (((2,), (2,)), ((0,), (1,)))), {}, "b m c"),
        ("dot_general", ("@b m k", "@b k n", UNKNOWN), {}, "..."),
        ("dot", ("@m k", "@k n"), {}, "m n"),
        ("dot", ("@k", "@k"), {}, ""),
        ("batch_matmul", ("@b h m k", "@b h k n"), {}, "b h m n"),
        ("conv", ("@b c h w", "@d c 3 3", (1, 1), "SAME"), {}, "b d h w"),
        ("conv", ("@b c h w", "@d c 3 3", (1, 1), "VALID"), {}, "b d h-2 w-2"),
        (
            "conv_general_dilated",
            ("@b h 28 c", "@3 3 c d", (2, 2), "SAME"),
            {"dimension_numbers": NHWC},
            "b ceil(h,2) 14 d",
        ),
        (
            "conv_general_dilated",
            ("@b h w c", "@3 3 1 c", (1, 1), ((1, 1), (1, 1))),
            {"dimension_numbers": NHWC, "feature_group_count": 1},
            None,
        ),
        (
            "conv_general_dilated",
            ("@2 8 8 3", "@3 3 3 5", (1, 1), ((1, 1), (2, 2))),
            {"dimension_numbers": NHWC, "lhs_dilation": (2, 1), "rhs_dilation": (1, 2)},
            "2 15 8 5",
        ),
        ("reduce_sum", ("@N:b T:t c", (1,)), {}, "N:b c"),
        ("reduce_max", ("@b t c", (0, 2)), {}, "t"),
        ("broadcast", ("@T:t c", (2, 3)), {}, "2 3 T:t c"),
        ("broadcasted_iota", ("int32", (2, 3), 0), {}, "2 3"),
        ("iota", ("int32", 5), {}, "5"),
        ("collapse", ("@b h t d", 1, 3), {}, "b h*t d"),
        ("collapse", ("@b h t d", -2), {}, "b h t*d"),
        ("pad", ("@b t", 0.0, ((0, 0, 0), (1, 2, 0))), {}, "b t+3"),
        ("pad", ("@2 3", 0.0, ((0, 0, 1), (-1, 0, 2))), {}, "3 6"),
        ("select_n", ("@b t", "@b t", "@b t"), {}, "b t"),
    ],
)
def test_the_answer_is_exact(
    function: str, arguments: tuple[Any, ...], keywords: dict[str, Any], expected: str | None
) -> None:
    if expected is None:
        # One input channel of the kernel for each group: as many groups as channels are missing.
        answer = ask(function, *arguments, **keywords)
        assert [(str(duty.left), str(duty.right)) for duty in answer.duties] == [("c", "1")]
        return
    answer = ask(function, *arguments, **keywords)
    assert answer.result == shape(expected)
    assert not answer.duties


@pytest.mark.parametrize(
    ("function", "arguments", "code"),
    [
        ("dot_general", ("@2 3", "@4 5", MATRIX), "NC203"),
        ("dot_general", ("@2 3", "@3 5", (((2,), (0,)), ((), ()))), "NC301"),
        ("dot_general", ("@2 3", "@3 5", (((1, 0), (0,)), ((), ()))), "NC303"),
        ("dot", ("@2 3", "@4 5"), "NC203"),
        ("dot", ("@2 3 4", "@4 5"), "NC303"),
        ("batch_matmul", ("@2 3 4", "@3 4 5"), "NC203"),
        ("conv", ("@2 3 8 8", "@5 4 3 3", (1, 1), "SAME"), "NC203"),
        ("conv", ("@2 3 8 8", "@5 3 3", (1, 1), "SAME"), "NC303"),
        ("reduce_sum", ("@2 3", (2,)), "NC301"),
        ("reduce_sum", ("@2 3", (0, -2)), "NC302"),
        ("pad", ("@2 3", 0.0, ((0, 0, 0),)), "NC303"),
        ("pad", ("@2 3", 0.0, ((-2, -2, 0), (0, 0, 0))), "NC212"),
    ],
)
def test_impossible_calls_are_refused(function: str, arguments: tuple[Any, ...], code: str) -> None:
    with pytest.raises(Mistake) as caught:
        ask(function, *arguments)
    assert caught.value.code == code

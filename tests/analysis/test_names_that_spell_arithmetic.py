"""Names that spell arithmetic: `batch_minus_one` beside what the program makes of `batch`.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

from namecheck_runtime.notation.spelled import operands

PROGRAMS = {
    "an annotation spells what the program computes": """
        import torch
        from torch import Tensor
        from jaxtyping import Float

        def mask(loss: Float[Tensor, "tm1 k"], conf: Float[Tensor, "t k"]):
            loss[torch.zeros((conf.shape[0] - 1, conf.shape[1]), dtype=torch.bool)] = 0.0
            return loss

        def joined(a: Float[Tensor, "b two_x_keypoints"], b: Float[Tensor, "b keypoints"]):
            return torch.cat([a, torch.cat([b, b], -1)])

        def doubled(x: Float[Tensor, "n d"], y: Float[Tensor, "n twice_d"]):
            return torch.cat([x, x], -1) + y

        class Sums:
            def summed(
                self,
                a: Float[Tensor, "n n_plus_m"],
                b: Float[Tensor, "n k"],
                c: Float[Tensor, "m k"],
            ):
                return [a @ torch.cat([b, c]) for _ in range(3)]
        """,
    "other names differ": """
        import torch
        from torch import Tensor
        from jaxtyping import Float

        def mask(loss: Float[Tensor, "batch_minus_one k"], conf: Float[Tensor, "batch k"]):
            loss[torch.zeros((conf.shape[1] - 1, conf.shape[1]), dtype=torch.bool)] = 0.0  # NC201
            return loss

        def product(x: Float[Tensor, "batch c"], y: Float[Tensor, "batch_minus_one c"]):
            return x @ y  # NC203

        def joined(a: Float[Tensor, "b points"], b: Float[Tensor, "b keypoints"]):
            return torch.cat([a, torch.cat([b, b], -1)])  # NC207
        """,
    "one size or another": """
        import torch
        import jax.numpy as jnp
        from jaxtyping import Float, Array
        from torch import Tensor

        def named(x: Float[Tensor, "B k"], n: Float[Tensor, "B_or_1 k"]):
            return x + n

        def one_or(x: Float[Array, "B k"], n: Float[Array, "one_or_B k"]):
            return x + n

        def other(x: Float[Tensor, "B k"], y: Float[Tensor, "C k"], n: Float[Tensor, "B_or_1 k"]):
            return y + n  # NC201

        def guard(x: Float[Tensor, "b k"], n: Float[Tensor, "m k"]):
            if n.shape[0] not in (1, x.shape[0]):
                raise ValueError
            return x + n

        def guard2(x: Float[Tensor, "b k"], n: Float[Tensor, "m k"]):
            b = x.shape[0]
            if not torch.compiler.is_compiling():
                if n.ndim != 2 or n.shape[0] not in [b, 1]:
                    raise ValueError
            return x + n

        def guard3(x: Float[Tensor, "b k"], n: Float[Tensor, "m k"]):
            assert n.size(0) in (1, x.size(0))
            return x * n

        def compared(x: Float[Tensor, "b k"], n: Float[Tensor, "m k"]):
            if x.shape[0] != n.shape[0]:
                print("the batches differ")
            return torch.cat([x, n], -1)

        def compared_to_a_number(x: Float[Tensor, "b k"], n: Float[Tensor, "m k"]):
            if x.shape[0] != 4:
                print("another batch")
            return torch.cat([x, n], -1)  # NC207

        def unguarded(x: Float[Tensor, "b k"], n: Float[Tensor, "m k"]):
            assert n.size(0) in (1, 2)
            return x * n  # NC201

        def commented(x, n):
            # x: (B, k)
            # n: (B_or_1, k)
            B, k = x.shape
            B_or_1, k = n.shape
            return x * n

        def commented2(x, n):
            B, k = x.shape
            m, k = n.shape
            if m not in (B, 1):
                raise ValueError
            return x * n
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])


@pytest.mark.parametrize(
    ("name", "others", "made_of"),
    [
        ("batch_minus_one", ("batch", "k"), {"batch"}),
        ("batch_x_num_keypoints", ("batch", "num_keypoints"), {"batch", "num_keypoints"}),
        ("two_x_num_keypoints", ("num_keypoints",), {"num_keypoints"}),
        ("hw", ("b", "h", "w"), {"h", "w"}),
        ("BT", ("B", "T"), {"B", "T"}),
        ("tp1", ("t",), {"t"}),
        ("batch_seq", ("batch", "seq"), {"batch", "seq"}),
        ("half_dim", (), set()),
        ("in_dim", ("dim",), None),
        ("num_heads", ("heads", "batch"), None),
        ("x", ("y",), None),
        ("dim_x", ("dim",), None),
        ("tp1", ("b",), None),
    ],
)
def test_operands(name: str, others: tuple[str, ...], made_of: set[str] | None) -> None:
    assert operands(name, (*others, name)) == made_of

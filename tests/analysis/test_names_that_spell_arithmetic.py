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

"""Two labels that only comments of different parameters name may be two names of one size.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "comments of parameters that meet in an elementwise op": """
        import torch

        def in_place(
            output: torch.Tensor,  # (num_tokens, k, dim)
            cache: torch.Tensor,  # (slices, M, k, dim)
            M: int,
            num_tokens: int,
            k: int,
        ):
            for i in range(3):
                output += cache[i]
            return output

        def product(
            a: torch.Tensor,  # (tokens, dim)
            b: torch.Tensor,  # (rows, dim)
            tokens: int,
            rows: int,
        ):
            return a * b

        def described(a, b, tokens: int, rows: int):
            \"\"\"Add.

            Args:
                a: Tensor of shape (tokens, 8)
                b: Tensor of shape (rows, 8)
            \"\"\"
            return torch.where(a > 0, a, b)

        class Kernel:
            def run(
                self,
                a: torch.Tensor,  # (tokens, dim)
                b: torch.Tensor,  # (rows, dim)
                tokens: int,
                rows: int,
            ):
                return torch.relu(a) + b[:, :4]
        """,
    "sizes that stand together elsewhere, or that the program gives to tensors": """
        import torch

        def made(
            a: torch.Tensor,  # (tokens, dim)
            b: torch.Tensor,  # (rows, dim)
            tokens: int,
            rows: int,
        ):
            return torch.zeros(tokens, 8) + torch.zeros(rows, 8)  # NC201

        def together(
            a: torch.Tensor,  # (tokens, dim)
            b: torch.Tensor,  # (rows, dim)
            mask: torch.Tensor,  # (tokens, rows)
            tokens: int,
            rows: int,
        ):
            return a + b  # NC201

        def misaligned(
            a: torch.Tensor,  # (batch, tokens)
            b: torch.Tensor,  # (tokens, rows)
            batch: int,
            tokens: int,
            rows: int,
        ):
            return a + b  # NC202

        def contracted(
            a: torch.Tensor,  # (tokens, dim)
            b: torch.Tensor,  # (rows, dim)
            tokens: int,
            rows: int,
        ):
            return a @ b  # NC203
        """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_labels_of_different_parameters_may_be_names_of_one_size(program: str) -> None:
    check_marks(program)

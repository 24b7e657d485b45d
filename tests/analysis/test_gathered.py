"""Indices that choose one of a dim, and gather along another (NC212), and look-alikes.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "one of each row": """
        import torch

        def wrong(probs):
            n, k = probs.shape
            best = probs.argmax(dim=-1)
            return probs.gather(0, best.unsqueeze(-1)).squeeze(-1)  # NC212

        def counted_from_the_end(probs):
            n, k = probs.shape
            best = probs.argmin(dim=1, keepdim=True)
            return torch.gather(probs, -2, best)  # NC212

        def right(probs):
            n, k = probs.shape
            best = probs.argmax(dim=-1)
            return probs.gather(-1, best.unsqueeze(-1)).squeeze(-1)

        def several(probs):
            n, k = probs.shape
            return probs.gather(1, probs.topk(3, dim=1).indices)
        """,
    "one vector of each sample": """
        import torch

        def wrong(x, best):
            b, m, d = x.shape
            index = best.view(b, 1, 1).expand(b, 1, d)
            return torch.gather(x, dim=2, index=index).squeeze(1)  # NC212

        def right(x, best):
            b, m, d = x.shape
            index = best.view(b, 1, 1).expand(b, 1, d)
            return torch.gather(x, dim=1, index=index).squeeze(1)

        def without_its_features(x):
            b, m, d = x.shape
            index = x.norm(dim=-1).topk(3).indices
            return torch.gather(x, 1, index[:, :, None])  # NC212

        def with_its_features(x):
            b, m, d = x.shape
            index = x.norm(dim=-1).topk(3).indices
            return torch.gather(x, 1, index[:, :, None].expand(-1, -1, d))
        """,
    "nothing to choose from": """
        import torch

        def alone(x, index):
            b, m = x.shape
            one = x.sum(1, keepdim=True)
            return one.gather(0, index.view(b, 1))

        def one_for_the_batch(x, index):
            batch, m = x.shape
            return x.gather(1, index.view(1, m))

        def unknown(x, index, dim):
            return x.gather(dim, index.unsqueeze(-1)), x.gather(0, index.unsqueeze(-1))
        """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_indices_choose_along_the_dim_that_they_have_one_of(program: str) -> None:
    check_marks(program)

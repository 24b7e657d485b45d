"""Weights of one dim, and what they weigh summed over another (NC305), and look-alikes.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "attention pooling": """
        import torch
        from torch import nn

        class Pool(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.score = nn.Linear(dim, dim)

            def right(self, x):
                b, t, d = x.shape
                weights = torch.softmax(self.score(x), dim=1)
                return (weights * x).sum(1)

            def over_features(self, x):
                b, t, d = x.shape
                weights = torch.softmax(self.score(x), dim=1)
                return (weights * x).sum(2)  # NC305

            def over_the_batch(self, x):
                b, t, d = x.shape
                weights = torch.softmax(self.score(x), dim=1)
                return torch.sum(weights * x, dim=0)  # NC305

            def by_other_weights(self, x):
                b, t, d = x.shape
                scores = torch.tanh(self.score(x))
                weights = scores.softmax(-1)
                weighted = x * weights
                return weighted.sum(dim=1)  # NC305

            def in_steps(self, x):
                b, t, d = x.shape
                weights = torch.softmax(self.score(x), dim=1)
                weighted = weights * x
                return weighted.sum(dim=-2)
        """,
    "mixtures": """
        import torch
        from torch import nn

        class LatentClasses(nn.Module):
            def over_classes(self, x, mask):
                utility = self.utilities(x)  # [classes, n, choices]
                classes = torch.softmax(self.class_logits(x), dim=0)
                choices = torch.softmax(utility.masked_fill(~mask, -1e9), dim=2)
                choices = choices.masked_fill(~mask, 0.0)
                return (classes.unsqueeze(2) * choices).sum(dim=0)

            def in_one_expression(self, x):
                utility = self.utilities(x)
                classes = self.class_logits(x).softmax(0)
                choices = utility.softmax(2)
                return torch.sum(choices * classes[:, :, None], dim=0)

            def of_one(self, x, k):
                utility = self.utilities(x)
                classes = torch.softmax(self.class_logits(x), dim=0)
                choices = torch.softmax(utility, dim=1)
                return (classes[:, k].reshape(-1, 1) * choices).sum(dim=0)

            def of_no_shares(self, x):
                utility = self.utilities(x)
                classes = torch.tanh(self.class_logits(x))
                choices = torch.softmax(utility, dim=2)
                return (classes.unsqueeze(2) * choices).sum(dim=0)  # NC305
        """,
    "of any rank": """
        import torch
        import torch.nn.functional as F
        from torch import nn

        class Pool(nn.Module):
            def __init__(self, hidden):
                super().__init__()
                self.w = nn.Linear(hidden, hidden, bias=False)

            def right(self, h):
                weights = F.softmax(self.w(h), dim=1)
                return (weights * h).sum(1), weights

            def wrong(self, h):
                weights = F.softmax(self.w(h), dim=2)
                return (weights * h).sum(1), weights  # NC305

            def from_both_ends(self, h):
                weights = F.softmax(self.w(h), dim=-2)
                return (weights * h).sum(1), weights

            def moved(self, h):
                weights = F.softmax(self.w(h), dim=2)
                weights = weights.transpose(1, 2).transpose(1, 2)
                return (weights * h).sum(1)
        """,
    "heads of one input": """
        import torch
        from torch import nn

        class Attend(nn.Module):
            def __init__(self, inside, outside):
                super().__init__()
                self.att = nn.Conv1d(inside, outside, 1)
                self.cla = nn.Conv1d(inside, outside, 1)

            def right(self, x):
                b, c, t = x.shape
                weights = torch.softmax(torch.clamp(self.att(x), -10, 10), dim=-1)
                classes = torch.sigmoid(self.cla(x))
                return torch.sum(weights * classes, dim=2)

            def wrong(self, x):
                b, c, t = x.shape
                weights = torch.softmax(torch.clamp(self.att(x), -10, 10), dim=-2)
                classes = torch.sigmoid(self.cla(x))
                return torch.sum(weights * classes, dim=2)  # NC305
        """,
    "soft assignment to clusters": """
        import torch
        import torch.nn.functional as F
        from torch import nn

        class Encoding(nn.Module):
            def __init__(self, dim, clusters):
                super().__init__()
                self.assign = nn.Linear(dim, clusters)
                self.centres = nn.Parameter(torch.randn(clusters, dim))

            def forward(self, x):
                b, n, d = x.shape
                shares = F.softmax(self.assign(x), dim=2)
                residuals = x.unsqueeze(2) - self.centres
                return (shares.unsqueeze(3) * residuals).sum(1)
        """,
    "probabilities and targets": """
        import torch
        import torch.nn.functional as F

        def dice(logits, target):
            b, c, h, w = logits.shape
            probabilities = F.softmax(logits, dim=1)
            return (probabilities * target).sum(3)

        def load(x, router):
            tokens, experts = x.shape[0], 8
            logits = x @ router
            gates = logits.view(2, tokens, experts).softmax(-1)
            chosen = F.one_hot(gates.argmax(-1), experts)
            return (gates * chosen).sum(1)

        def entropy(logits):
            b, c, t = logits.shape
            p = logits.softmax(1)
            return -(p * p.log()).sum(1)
        """,
    "one weight for all features": """
        import torch
        from torch import nn

        class Pool(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.score = nn.Linear(dim, 1)

            def forward(self, x):
                b, t, d = x.shape
                weights = torch.softmax(self.score(x), dim=1)
                return (weights * x).sum(-1)
        """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_what_is_weighed_is_summed_over_the_dim_of_the_weights(program: str) -> None:
    check_marks(program)

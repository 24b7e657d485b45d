"""A message names the operands of a call in the order of the program."""

from __future__ import annotations

import pytest

from namecheck.analysis import analyze
from namecheck.findings import Level


def message(call: str) -> str:
    """The message of the only finding, at a call with tensors."""
    program = (
        "import numpy as np\nimport torch\nimport torch.nn.functional as F\n"
        "import namecheck_runtime as nt\n"
        "a, b, w = torch.zeros(3, 4), torch.zeros(5, 6), torch.zeros(7, 6)\n"
        "n = nt.zeros(4, 3, names=('N', None))\n"
        "m = nt.zeros(3, 4, names=('C', 'N'))\n"
        f"{call}\n"
    )
    analysis = analyze("program.py", program.encode())
    (finding,) = (f for f in analysis.findings if f.level is not Level.NOTE)
    return finding.message


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("a + b", "cannot add [3, 4] and [5, 6]: sizes 4 and 6 meet at position -1"),
        ("b + a", "cannot add [5, 6] and [3, 4]: sizes 6 and 4 meet at position -1"),
        (
            "torch.add(other=b, input=a)",
            "cannot add [5, 6] and [3, 4]: sizes 6 and 4 meet at position -1",
        ),
        (
            "torch.add(input=a, other=b)",
            "cannot add [3, 4] and [5, 6]: sizes 4 and 6 meet at position -1",
        ),
        (
            "torch.matmul(other=b, input=a)",
            "cannot matmul [5, 6] and [3, 4]: 5 is contracted with 4",
        ),
        ("torch.bmm(mat2=b[None], input=a[None])", "5 is contracted with 4"),
        ("F.linear(weight=w, input=a)", "cannot linear [7, 6] and [3, 4]: 6 is contracted with 4"),
        ("F.linear(a, w)", "cannot linear [3, 4] and [7, 6]: 4 is contracted with 6"),
        ("F.linear(a, w[0])", "cannot linear [3, 4] and [6]: 4 is contracted with 6"),
        (
            "F.mse_loss(target=b, input=a)",
            "cannot mse_loss [5, 6] and [3, 4]: sizes 6 and 4 meet at position -1",
        ),
        (
            "F.mse_loss(target=a[:, 0], input=a[:, :1])",
            "mse_loss compares equal shapes, but [3] and [3, 1] broadcast to [3, 3]",
        ),
        (
            "F.binary_cross_entropy(target=b, input=a)",
            "binary_cross_entropy needs two equal shapes, but they are [5, 6] and [3, 4]",
        ),
        # These messages say which operand is which, so their order is that of the sentence.
        (
            "F.cross_entropy(target=torch.zeros(7).long(), input=a)",
            "cross_entropy of [3, 4] needs a target of shape [3], but it is [7]",
        ),
        ("n + m", "cannot add [N=4, 3] and [C=3, N=4]: 'N' appears at different positions"),
        ("m + n", "cannot add [C=3, N=4] and [N=4, 3]: 'N' appears at different positions"),
        ("nt.add(other=n, input=m)", "cannot add [N=4, 3] and [C=3, N=4]"),
    ],
)
def test_the_operands_are_in_the_order_of_the_code(call: str, expected: str) -> None:
    assert expected in message(call)

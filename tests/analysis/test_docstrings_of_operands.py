"""The shape after "Returns" that is that of an operand: the words around it say what is done.

A line ends in the code that is reported there (`snippets`).
"""

from __future__ import annotations

import pytest
from snippets import HEAD, read

PRODUCT = """
    def attend(weights, values):
        \"\"\"Mix the values.

        Args:
            weights (torch.Tensor): weights of shape (B, T, S).
            values (torch.Tensor): values of shape (B, S, D).

        Returns:
            {}
        \"\"\"
        return weights @ values{}
"""


@pytest.mark.parametrize(
    "words",
    [
        "torch.Tensor: The weights tensor of shape (B, T, S) multiplied by the values.",
        "Tensor: weights of shape `(B, T, S)`, which are then applied to the values.",
        "Weights of shape (B, T, S),\n            multiplied by the values.",
        "Weights of shape [B, T, S] after multiplication with the values.",
        "Tensor: features with shape (B, T, S), linearly projected to D.",
        "Tensor: features with shape (B, T, S) followed by a product with the values.",
        "Tensor: the product of the weights of shape (B, T, S) and the values.",
    ],
)
def test_what_is_done_further_leaves_no_claim(words: str) -> None:
    analysis, _ = read(PRODUCT.format(words, ""))
    assert analysis.findings == ()


@pytest.mark.parametrize(
    "words",
    [
        "torch.Tensor: A tensor of shape (B, T, S).",
        "Tensor: mixed values of shape (B, T, S). They are not normalized.",
        "The product, of shape (B, T, S) after the last layer.",
    ],
)
def test_the_shape_of_the_result_is_compared(words: str) -> None:
    analysis, marks = read(PRODUCT.format(words, "  # <- NC402"))
    above = HEAD.count("\n")
    assert [(f.span.line - above, f.code) for f in analysis.findings] == marks

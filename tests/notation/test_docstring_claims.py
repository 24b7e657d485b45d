"""Claims in docstrings, in the common styles."""

from __future__ import annotations

import pytest

from namecheck_runtime.notation import read_docstring, render


def claims(docstring: str) -> dict[str, str]:
    return {
        name: " | ".join(map(render, claim.alternatives))
        for name, claim in read_docstring(docstring)
    }


GOOGLE = """Mixes the tokens.

    Longer words on what is mixed (and why), with a shape (A, B) that belongs to nobody.

    Args:
        x (torch.Tensor): tokens of shape (B, T, C), see (Q, R).
        mask: [B, T] of booleans.
        bias (Tensor, optional): Defaults to None.
            Shape (T, T).
        scale (float): 1 / sqrt(D), of shape (Z, Z)
        grid_size: (height, width)
        parts (list of Tensor): each of shape (B, C)
        state: a tuple of tensors, shape (B, S)
        attn_mask: (L, S) or (N, L, S)
        labels: (B, K, T) one-hot or (B, T) class indices
        twice: (B, T)
        twice: (B, C)

    Returns:
        torch.Tensor: mixed tokens, shape (B, T, 2 * C)

    Raises:
        ValueError: If x is not of shape (U, V)

    Example:
        y: (K, L)
"""

NUMPY = """Projects.

    Parameters
    ----------
    x : array of shape (n_samples, n_features)
        The samples.
    weights : ndarray, shape (n_features, n_components)
    offset : array
        Array of shape (n_components,).
    k : int
        Not of shape (n_other, n_features).

    Returns
    -------
    array of shape (n_samples, n_components)
"""

SPHINX = """
:param x: tensor of shape (B, T)
:param Tensor y: [B, T, 1]
:return: tensor of shape (B, 2*T)
"""

TRANSFORMERS = """
    Args:
        input_ids (`torch.LongTensor` of shape `(batch_size, sequence_length)`, *optional*):
            Indices of tokens, as in (a, b, c).
        pixel_values (`torch.FloatTensor` of shape `(batch_size, num_channels, height, width)`):
            Pixels.
        caches (`tuple(torch.FloatTensor)` of shape `(batch_size, num_heads)`):
            Caches.
        gate (`torch.Tensor`):
            gate of shape `(batch_size, seq_len)`; what the others do has shape `(batch_size, 1)`.
        rest (`torch.Tensor`):
            `(batch_size, seq_len)` with ones.

    Returns:
        logits (`torch.Tensor` of shape `(batch_size, num_labels)`)
        loss (`torch.Tensor` of shape `(1,)`)
"""

TORCH = r"""
    * **input**: tensor of shape :math:`(L, N, H)`
    * **other**: tensor of shape :math:`(L, N \times 2, H)`
    * **query** (Tensor) - shape :math:`(L, E)` for unbatched input, :math:`(L, N, E)` otherwise
"""


def test_google_style() -> None:
    assert claims(GOOGLE) == {
        "x": "B T C",
        "mask": "B T",
        "bias": "T T",
        "attn_mask": "L S | N L S",
        "return": "B T 2*C",
    }


def test_numpy_style() -> None:
    assert claims(NUMPY) == {
        "x": "n_samples n_features",
        "weights": "n_features n_components",
        "offset": "n_components",
        "return": "n_samples n_components",
    }


def test_sphinx_style() -> None:
    assert claims(SPHINX) == {"x": "B T", "y": "B T 1", "return": "B 2*T"}


def test_transformers_style() -> None:
    assert claims(TRANSFORMERS) == {
        "input_ids": "batch_size sequence_length",
        "pixel_values": "batch_size num_channels height width",
        "rest": "batch_size seq_len",
        "return 0 of 2": "batch_size num_labels",
    }


def test_torch_style() -> None:
    assert claims(TORCH) == {"input": "L N H"}


@pytest.mark.parametrize(
    ("docstring", "expected"),
    [
        ("Returns: tensor of shape (B, T)", {"return": "B T"}),
        ("Returns a tensor of shape (B, T).", {"return": "B T"}),
        ("Returns a tensor\n    of shape (B, T).", {"return": "B T"}),
        ("Returns a mask. Its shape is (B, T).", {"return": "B T"}),
        ("Returns (B, T). The keys are (B, S).", {"return": "B T"}),
        ("Return the mask (see [1]), i.e. the weights\n    of shape (B, T).", {"return": "B T"}),
        ("Return the pages.\n\n    Their contents are\n    (B, T).", {}),
        ("Return the pages.\n\n    (B, T)", {}),
        ("Return the pages. In memory they are\n    (B, T).", {}),
        ("Return the pages. The cache has shape (B, T).", {}),
        ("Return pages [B, T] or, if flat,\n    [B * T].", {}),
        ("Returns the loss\n    of all tokens; the logits have\n    shape (B, T).", {}),
        ("Pages.\n\n    Returns the pages.\n        The cache is\n        (B, T).", {}),
        (":return: the mask. It is\n    (B, T)", {"return": "B T"}),
        (":return: the mask.\n    Shape (B, T)", {"return": "B T"}),
        ("Returns:\n    The mask.\n    Shape (B, T).", {"return": "B T"}),
        ("x: (B, T, C)", {"x": "B T C"}),
        ("x: the input, (B, T, C)", {}),
        ("x: B x T x C [sic]", {"x": "B T C"}),
        ("Splits x into (B, T, C).", {}),
        ("", {}),
        ("Returns:\n  (B, T)\n  (B, C)", {}),
    ],
)
def test_single_lines(docstring: str, expected: dict[str, str]) -> None:
    assert claims(docstring) == expected


def test_claims_know_their_place() -> None:
    ((_, claim), *_) = read_docstring(GOOGLE)
    assert GOOGLE[claim.start : claim.end] == "(B, T, C)"
    assert claim.label is None
    assert claim.confidence == "keyword"


ELSEWHERE = """Takes edges.

    Args:
        mask: a mask broadcastable to (B, H, T, T)
        x: a tensor of shape (B, T)
        y: a tensor that will be expanded to
            (B, T, C)
        z: a tensor
            of shape (B, T, C)
        v: not of shape (B, T, C)

    Returns:
        edges: the edges, of shape (n_edges, 2)
        inverse: the numbers of the edges of cells, which can be reshaped to
            (n_cells, n_edges_per_cell)
"""


def test_what_a_value_can_be_reshaped_to_is_not_its_shape() -> None:
    assert claims(ELSEWHERE) == {"x": "B T", "z": "B T C", "return 0 of 2": "n_edges 2"}
    plain = ELSEWHERE.replace("which can be reshaped to", "a tensor of shape")
    assert claims(plain)["return 1 of 2"] == "n_cells n_edges_per_cell"


@pytest.mark.parametrize("gives", ["Returns", "Gives", "It yields", "It returns"])
def test_a_sentence_about_the_result_is_not_about_the_parameter(gives: str) -> None:
    text = f"Spread.\n\n    ``rows``: (Q, T). {gives} (Q,) array of values.\n"
    assert claims(text).get("rows") in (None, "(Q, T)")
    assert claims(text.replace(gives, "Given as")).get("rows") is not None

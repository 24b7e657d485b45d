"""Where in a text names of dims are written, whatever else is there and missing."""

from __future__ import annotations

import pytest

from namecheck.lsp.features.written_dims import in_comments, written_at

DOCSTRING = 'def f(x):\n    """Mix.\n\n    Args:\n        '


@pytest.mark.parametrize(
    ("marked", "kind", "word", "subject", "before"),
    [
        ("x = f()  # (B, T|", "comment", "T", "", 1),
        ("x = f()  # (|", "comment", "", "", 0),
        ("# x: [B, |T", "comment", "T", "x", 1),
        ("# shape: (B, 2*|H)", "comment", "H", "shape", 1),
        ("# of shape (B|atch)", "comment", "Batch", "", 0),
        ("x = 1  # (B, T) -> (B|", "comment", "B", "", 0),
        ('s = "it\'s"  # x: (N|', "comment", "N", "x", 0),
        ('x = zeros(2, 3, names=("A", "|', "names", "", "", 1),
        ('x = zeros(2, 3, names=["B|"])', "names", "B", "", 0),
        ('x = Tensor(names="B T |C")', "names", "C", "", 2),
        ('def f(x: Float[Tensor, "batch |', "annotation", "", "x", 1),
        ("y: jt.Int[torch.Tensor, r'b|atch c'] = 0", "annotation", "batch", "y", 0),
        ('q = rearrange(q, "b s (h |', "pattern", "", "q", 3),
        ("q = einops.repeat(self.q, 'b s|'", "pattern", "s", "self.q", 1),
        (f"{DOCSTRING}x (Tensor): of shape (N, |", "docstring", "", "x", 1),
        ('def f(x):\n    r"""x: `(N, C|`"""', "docstring", "C", "x", 1),
        # A bracket above was never closed.
        ('x = f(1,\ndef g(q):\n    r = rearrange(q, "b|', "pattern", "b", "q", 0),
    ],
)
def test_dims_are_written(marked: str, kind: str, word: str, subject: str, before: int) -> None:
    text, place = marked.replace("|", ""), marked.index("|")
    found = written_at(text, place)
    assert found is not None
    assert (found.kind, found.word, found.subject, found.before) == (kind, word, subject, before)
    assert text[found.start : found.end] == word


@pytest.mark.parametrize(
    "marked",
    [
        "|",
        "x = (B|, T)",
        "# the result (se|e below)",
        "# see f(a, |",
        "# (b|oth of them, and more)",
        "# B, T = 3 (fo|ur",
        'print("a b|',
        "d['a|']",
        'd[f"{x|}"]',
        'x = """(N, |',
        "f(x, '# (B|')",
        'rearrange(q, "b, c|',
        'f(names, "a|")',
        "x = 'never closed\n|",
        'def f(x):\n    """Mix (two or |three)."""',
    ],
)
def test_no_dims_are_written(marked: str) -> None:
    assert written_at(marked.replace("|", ""), marked.index("|")) is None


def test_the_dims_of_comments() -> None:
    lines = [
        "x = f()  # (B, 2 * T)\n",
        "# q, k: (B, C), see (this one)\n",
        "y = (a, b)\n",
        "# f(a)\n",
    ]
    assert list(in_comments(lines)) == [(1, "", "[B, 2 * T]"), (2, "k", "[B, C]")]

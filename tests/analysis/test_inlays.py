"""What `show` adds to the knowledge of `check`: ranks found by trying, and names kept distinct."""

from __future__ import annotations

from namecheck.analysis import analyze

HEAD = "import torch\nfrom einops import rearrange\nfrom torch import nn\n"


def shown(program: str, thorough: bool = True) -> dict[str, str]:
    """The last dims shown beside each target."""
    analysis = analyze("program.py", (HEAD + program).encode(), thorough)
    assert not analysis.findings
    return {shape.target: shape.dims_text for shape in sorted(analysis.shapes)}


def test_a_line_shows_what_later_lines_teach_of_its_tensor() -> None:
    texts = shown("def f(x):\n    y = torch.relu(x)\n    B, T = y.shape\n    return y\n", False)
    assert texts["y"] == "[B, T]"


def test_two_sizes_of_one_name_are_shown_differently() -> None:
    program = """
def f(q, k):
    q, k = (rearrange(t, 'b n (h d) -> b h n d', h=4) for t in (q, k))
    scores = torch.einsum('b h i d, b h j d -> b h i j', q, k)
    return scores
"""
    assert shown(program, False)["scores"].endswith(("n, n']", "n', n]"))


def test_the_only_possible_rank_is_shown() -> None:
    program = """
class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.to_qkv = nn.Linear(dim, 3 * dim)

    def forward(self, x):
        x = self.norm(x)
        q, k, v = self.to_qkv(x).chunk(3, dim=-1)
        q = rearrange(q, 'b n (h d) -> b h n d', h=4)
        return q
"""
    assert shown(program)["x"].count(",") == 2
    assert shown(program, False)["x"] == "[..., dim]"


def test_if_several_ranks_are_possible_all_calls_must_agree() -> None:
    program = """
def scale(x):
    y = torch.relu(x)
    return y

def first(a):
    B, T, C = a.shape
    return scale(a)
"""
    assert shown(program)["y"].count(",") == 2
    other = "\ndef second(a):\n    B, C = a.shape\n    return scale(a)\n"
    assert "y" not in shown(program + other)


def test_a_size_that_differs_between_rounds_is_not_shown_as_the_last() -> None:
    program = """
def f():
    for size in (2, 3):
        x = torch.zeros(size, 5)
"""
    assert shown(program, False)["x"].startswith(("[?", "[_"))

"""What `show` claims beside a line holds whatever the program does: else it says `?`.

Each program has a claim that rested on a presumption, and beside it one that still stands.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

from namecheck.analysis import analyze
from namecheck_runtime import sizes

HEAD = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n"


def shown(program: str) -> dict[str, str]:
    """The last dims shown beside each target."""
    analysis = analyze("program.py", (HEAD + program).encode(), thorough=True)
    assert not analysis.findings
    return {shape.target: shape.dims_text for shape in sorted(analysis.shapes)}


# Quotients


def test_a_quotient_is_shown_in_lowest_terms_and_with_its_divisor_in_parentheses() -> None:
    program = """
def f(x, y):
    B, K, S = x.shape
    halves = x.view(B, -1, S * 2)
    rows = x.view(-1, 4 * B)
    rounded = torch.zeros(B * S // (2 * S), 1)
    B, T, C, h = y.shape
    odd = torch.zeros((T + 1) // (2 * h), 1)
    return halves, rows, rounded, odd
"""
    texts = shown(program)
    assert texts["halves"] == "[B, K/2, 2*S]"
    assert texts["rows"] == "[K*S/4, 4*B]"
    assert texts["rounded"] == "[(B//2), 1]"
    assert texts["odd"] == "[((T + 1)//(2*h)), 1]"


def test_lowest_terms_keep_what_is_equal() -> None:
    s, k = sizes.symbol("S"), sizes.symbol("K")
    product = sizes.multiply(s, k)
    twice = sizes.multiply(2, k)
    assert sizes.divide_exactly(product, twice) == sizes.divide_exactly(s, 2)
    assert sizes.floor_divide(product, twice) == sizes.floor_divide(s, 2)
    assert sizes.divide_exactly(product, k) == s
    assert sizes.divide_exactly(sizes.multiply(k, k), twice) == sizes.divide_exactly(k, 2)
    more = sizes.add(product, 1)
    assert str(sizes.floor_divide(more, twice)) == "((S*K + 1)//(2*K))"


# Loops

STAGES = """
class Conv(nn.Module):
    def __init__(self, width, out):
        super().__init__()
        self.conv = nn.Conv1d(width, out, 3, padding=1)

    def forward(self, x):
        b, c, n = x.shape
        return self.conv(x)

class Residual(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, x):
        return self.fn(x) + x

class Net(nn.Module):
    def __init__(self, dim, first):
        super().__init__()
        widths = [first, *map(lambda m: dim * m, (1, 2, 4))]
        self.first = nn.Conv1d(3, first, 1)
        self.stages = nn.ModuleList([])
        for width, out in zip(widths[:-1], widths[1:]):
            self.stages.append(nn.ModuleList([
                Conv(width, width), Residual(Conv(width, width)), nn.Conv1d(width, out, 4, 2, 1)
            ]))

    def forward(self, x):
        start = self.first(x)
        x = start
        for conv, attend, down in self.stages:
            same = conv(x)
            attended = attend(same)
            x = down(attended)
        return x
"""


def test_what_one_round_of_a_loop_requires_is_not_claimed_of_all() -> None:
    texts = shown(STAGES)
    # The first round names the sizes of `start`; the others have other channels and lengths.
    assert texts["start"] == "[b, first, n]"
    for name in ("same", "attended"):
        assert texts[name].endswith(", ?, ?]")


def test_a_size_read_in_the_loop_itself_is_that_of_the_round() -> None:
    program = """
def f(layers, x):
    for layer in layers:
        b, c, n = x.shape
        y = torch.relu(x)
        x = layer(y)
    return x
"""
    assert shown(program)["y"] in ("[b, c, n]", "[b', c', n']")


def test_a_size_from_before_the_loop_keeps_its_name() -> None:
    program = """
class Net(nn.Module):
    def __init__(self, dim, depth):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(dim, dim) for _ in range(depth)])

    def forward(self, x):
        B, N, C = x.shape
        for layer in self.layers:
            x = layer(x)
        return x
"""
    assert shown(program)["x"] == "[B, N, dim]"


# Layers that are defaults

DEFAULTS = """
class Pooling(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.pool = nn.AvgPool2d(3, stride=1, padding=1)

    def forward(self, x):
        pooled = self.pool(x)
        return pooled - x

class Block(nn.Module):
    def __init__(self, dim, mixer=Pooling):
        super().__init__()
        self.mixer = mixer(dim)

    def forward(self, x):
        mixed = self.mixer(x)
        return x + mixed

    def known(self, x):
        B, C, H, W = x.shape
        both = x + self.mixer(x)
        return both
"""


def test_the_rank_that_a_default_layer_takes_is_not_that_of_its_caller() -> None:
    texts = shown(DEFAULTS)
    assert texts.get("mixed", "[...").startswith("[...")
    assert texts["both"] == "[B, C, H, W]"


def test_the_default_of_a_plain_function_is_as_before() -> None:
    program = (
        DEFAULTS
        + """
def run(x, mixer=Pooling(4)):
    B, C, H, W = x.shape
    out = mixer(x)
    return out
"""
    )
    assert "out" not in shown(program) or shown(program)["out"].count(",") == 3


PASSED_ON = """
from somewhere import Mlp

class Star(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        starred = self.scale * torch.relu(x)
        return starred

class Separable(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.conv = nn.Conv2d(dim, dim, 1)
        self.act = Star()

    def forward(self, x):
        B, C, H, W = x.shape
        return self.act(self.conv(x))
"""


def test_a_class_that_unknown_code_gets_may_be_called_with_other_ranks() -> None:
    assert shown(PASSED_ON)["starred"].count(",") == 3
    passed = "\ndef block(dim, act=Star):\n    return Mlp(dim, act_layer=act)\n"
    assert shown(PASSED_ON + passed).get("starred", "[...").startswith("[...")
    named = "\ndef block(dim):\n    return Mlp(dim, 4, Star)\n"
    assert shown(PASSED_ON + named).get("starred", "[...").startswith("[...")


# Broadcasts


@pytest.mark.parametrize(
    ("parameter", "expected"),
    [
        ("torch.ones(dim, 1, 1)", "[..., dim, ?, ?]"),
        ("torch.ones(dim, 1, 1) * 1e-6", "[..., dim, ?, ?]"),
        ("torch.zeros(heads, 1, dim)", "[..., heads, ?, dim]"),
        ("torch.ones(1, dim, 1, 1)", "[scaled.0, dim, scaled.2, scaled.3]"),
        ("torch.zeros(1, heads, dim)", "[scaled.0, heads, dim]"),
    ],
)
def test_a_parameter_that_is_spread_does_not_give_the_result_its_rank(
    parameter: str, expected: str
) -> None:
    program = f"""
from somewhere import block

class Scale(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.scale = nn.Parameter({parameter})

    def forward(self, x):
        scaled = block(x) * self.scale
        return scaled
"""
    assert shown(program)["scaled"] == expected


# Comments


@pytest.mark.parametrize(
    "work",
    [
        "pad = [(0, 0)] * x.ndim",
        "pad = x.dim() * [0]",
        "pad = (1,) * (len(x.shape) - 1)",
        "pad = [i for i in range(x.ndim)]",
        "pad = [1] * (len(x.size()) - 1)",
    ],
)
def test_a_comment_gives_no_rank_to_what_may_have_any(work: str) -> None:
    program = f"""
def blocks(x, dim):
    {work}
    # [batch, blocks, length] -> [batch, blocks + 2, length]
    x = F.pad(x, pad, value=0)
    return x

def beside(y, dim):
    # [batch, blocks, length] -> [batch, blocks + 2, length]
    y = F.pad(y, dim, value=0)
    return y
"""
    texts = shown(program)
    assert "x" not in texts
    assert texts["y"] == "[batch, blocks + 2, length]"


def test_a_comment_at_a_parameter_gives_no_rank_to_what_may_have_any() -> None:
    program = """
def spread(x, t):  # x: (B, C, H, W)
    scale = t.reshape(-1, *((1,) * (x.ndim - 1)))
    y = torch.relu(x)
    return y * scale
"""
    assert shown(program).get("y", "[...").startswith("[...")
    assert shown(program.replace("x.ndim - 1", "3"))["y"] == "[B, C, H, W]"


EMBEDDED = """
class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.words = nn.Embedding(config.vocabulary, config.dim)
        self.places = nn.Embedding(config.length, config.dim)

    def forward(self, ids, places=None):
        B, N = ids.shape
        if places is None:
            places = FILLED
        embedded = self.places(places)  # (batch, length, dim)
        return self.words(ids) + embedded
"""


@pytest.mark.parametrize(
    ("filled", "expected"),
    [
        ("torch.arange(N)[None]", "[?, ?, config.dim]"),
        ("torch.zeros(1, N).long()", "[?, ?, config.dim]"),
        ("torch.arange(N).unsqueeze(0)", "[?, ?, config.dim]"),
    ],
)
def test_a_comment_gives_no_size_to_a_dim_that_one_path_has_as_1(
    filled: str, expected: str
) -> None:
    assert shown(EMBEDDED.replace("FILLED", filled))["embedded"] == expected


# What is reported

PROGRAMS = {
    "rounds with other widths": """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self, dim, first):
                super().__init__()
                widths = [first, *map(lambda m: dim * m, (1, 2, 4))]
                self.first = nn.Conv1d(3, first, 1)
                self.last = nn.Conv1d(dim, dim, 1)
                self.stages = nn.ModuleList([])
                for width, out in zip(widths[:-1], widths[1:]):
                    self.stages.append(nn.ModuleList([
                        nn.Conv1d(width, width, 1), nn.Conv1d(width, out, 1)
                    ]))

            def forward(self, x):
                x = self.first(x)
                for conv, down in self.stages:
                    x = down(conv(x))
                return x
        """,
    "layers of one round that do not fit": """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.stages = nn.ModuleList([])
                for width in (dim, 2 * dim):
                    self.stages.append(nn.ModuleList([
                        nn.Conv1d(16, width, 1), nn.Conv1d(32, 16, 1)
                    ]))
                self.rows = nn.ModuleList([nn.Linear(8, 16) for _ in range(dim)])
                self.out = nn.Linear(8, 4)

            def forward(self, x):
                for row in self.rows:
                    y = self.out(row(x))  # NC208
                return y
        """,
    "a default layer and a rank": """
        import torch
        from torch import nn

        class Pooling(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.pool = nn.AvgPool2d(3, stride=1, padding=1)

            def forward(self, x):
                B, C, H, W = x.shape
                return self.pool(x)

        class Block(nn.Module):
            def __init__(self, dim, mixer=Pooling):
                super().__init__()
                self.mixer = mixer(dim)
                self.own = Pooling(dim)

            def tokens(self, x):
                y = self.mixer(x)
                B, N, C = x.shape  # NC303
                return y

            def wrong(self, x):
                y = self.own(x)
                B, N, C = x.shape  # NC303
                return y
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_findings(name: str) -> None:
    check_marks(PROGRAMS[name])

"""A shape that `show` prints names a size only as the reader of that function understands it."""

from __future__ import annotations

from namecheck.analysis import analyze

HEAD = "import torch\nfrom torch import nn\n"


def shown(program: str) -> dict[tuple[int, str], str]:
    """The dims shown beside each target, by its line in the program and name."""
    analysis = analyze("program.py", (HEAD + program).encode(), thorough=True)
    assert not analysis.findings
    return {(s.line - 2, s.target): s.dims_text for s in analysis.shapes if s.kind == "assign"}


MODEL = """
class Model(nn.Module):
    def __init__(self, widths, channels: int):
        super().__init__()
        self.channels = channels
        {layers}

    def forward(self, x):
        B, T, _ = x.shape
        for layer in self.layers:
            y = layer(x)
        first = self.layers[0](x)
        z = x.reshape(B, T, self.channels)
        return y
"""


def test_the_variable_of_a_constructors_loop_is_no_name_elsewhere() -> None:
    loop = "self.layers = nn.ModuleList()\n        for d in widths:\n"
    loop += "            self.layers.append(nn.Linear(channels, d))"
    pairs = loop.replace("d in widths", "i, d in enumerate(widths)")
    each = "self.layers = nn.ModuleList([nn.Linear(channels, d) for d in widths])"
    for layers in (loop, pairs, each):
        texts = {target: text for (_, target), text in shown(MODEL.format(layers=layers)).items()}
        assert texts["y"] == "[B, T, ?]"
        assert texts["first"] == "[B, T, ?]"
        assert texts["z"] == "[B, T, channels]"


def test_the_variable_of_a_functions_own_loop_is_its_name() -> None:
    program = """
def f(widths):
    for d in widths:
        x = torch.zeros(d, 3)
"""
    assert shown(program)[4, "x"] == "[d, 3]"


STAGE = """
class Stage(nn.Module):
    def __init__(self, dim: int, out{default}, wide: bool = True):
        super().__init__()
        {change}
        self.proj = nn.Linear(dim, out)

    def forward(self, x):
        y = self.proj(x)
        return y
"""


def last_dim(default: str, change: str) -> str:
    """The last dim that is shown of the output of a stage."""
    texts = shown(STAGE.format(default=default, change=change))
    (text,) = [text for (_, target), text in texts.items() if target == "y"]
    return text.rpartition(", ")[2]


def test_a_parameter_that_one_branch_changes_is_not_shown_as_the_parameter() -> None:
    for change in (
        "if wide:\n            out = out * 2",
        "if wide:\n            out = dim",
        "out = 2 * out if wide else out",
    ):
        assert last_dim(": int", change) == "out']"


def test_a_parameter_whose_default_is_filled_in_keeps_its_name() -> None:
    for change in ("out = out or dim", "if out is None:\n            out = 4 * dim"):
        assert last_dim("=None", change) == "out]"
    assert last_dim("=None", "if wide:\n            out = 2 * out") == "out']"
    filled_in = "out = out or dim\n        "
    either = "out = 5 * dim if dim < 9 else 2 * dim"
    assert last_dim("=None", filled_in + either) == "out']"
    branches = "if dim < 9:\n            out = 5 * dim\n        else:\n            out = 2 * dim"
    assert last_dim("=None", filled_in + branches) == "out']"


def test_an_attribute_of_another_object_is_not_shown_as_one_of_self() -> None:
    program = """
class Attention(nn.Module):
    def __init__(self, size: int):
        super().__init__()
        self.size = size

    def resize(self, size: int):
        self.size = size

class Window(nn.Module):
    def __init__(self, size: int, window: int):
        super().__init__()
        self.size = size
        self.attention = Attention(window)

    def resize(self, size: int):
        self.size = size

    def forward(self, x):
        B, C = x.shape
        y = torch.zeros(B, self.attention.size)
        z = torch.zeros(B, self.size)
        return y, z
"""
    texts = {target: text for (_, target), text in shown(program).items()}
    assert texts["y"] == "[B, Attention.size]"
    assert texts["z"] == "[B, self.size]"

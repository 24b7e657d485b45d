"""Modules that a program builds with numbers and does not call: their input is unknown then.

Each program has right modules and wrong ones. A line ends in the code that is reported there.
"""

from __future__ import annotations

from textwrap import dedent

import pytest
from snippets import HEAD, check_marks

from namecheck.analysis import analyze_text
from namecheck.findings import Level

TOWER = """
class Tower(nn.Module):
    def __init__(self, channels, widths, classes):
        super().__init__()
        layers = []
        for width in widths:
            layers += [nn.Conv2d(channels, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU()]
            channels = width
        self.features = nn.Sequential(*layers)
        self.head = nn.Linear(channels, classes)

    def forward(self, x):
        return self.head(self.features(x).mean(dim=(2, 3)))

class Slip(Tower):
    def __init__(self, channels, widths, classes):
        super().__init__(channels, widths, classes)
        self.head = nn.Linear(widths[0], classes)

    def forward(self, x):
        return self.head(self.features(x).mean(dim=(2, 3)))  # NC208
"""

BUILT = {
    "by a factory": TOWER
    + """
def tower_tiny(pretrained=False):
    model = Tower(3, [8, 16], 10)
    return model

def slip_tiny(pretrained=False):
    model = Slip(3, [8, 16], 10)
    return model
""",
    "by a factory with keywords, registered by another file": """
from zoo import register_model
"""
    + TOWER
    + """
def _tower(cls, widths, **kwargs):
    return cls(3, widths, **kwargs)

@register_model
def tower_base(**kwargs):
    return _tower(Tower, [8, 16, 32], classes=7, **kwargs)

@register_model("slip", pretrained=False)
def slip_base(**kwargs):
    return _tower(Slip, [8, 16, 32], classes=7, **kwargs)
""",
    "by a factory that needs a number": TOWER
    + """
def tower(classes, depth=3):
    return Tower(3, [8 * 2**i for i in range(depth)], classes)

def slip(classes, depth=3):
    return Slip(3, [8 * 2**i for i in range(depth)], classes)
""",
    "by the statements of a module": TOWER
    + """
right = Tower(3, (4, 8), 2)
wrong = Slip(3, (4, 8), 2)
optimizer = torch.optim.SGD(wrong.parameters(), lr=0.1)
""",
    "by another class": TOWER
    + """
class Trainer:
    def __init__(self, rate=0.1):
        self.right = Tower(3, [4, 8], 2)
        self.wrong = Slip(3, [4, 8], 2)
        self.rate = rate

trainer = Trainer()
""",
    "by a test": TOWER
    + """
def test_parameters():
    right, wrong = Tower(3, (4, 8), 2), Slip(3, (4, 8), 2)
    assert len(list(right.parameters())) == len(list(wrong.parameters()))
""",
    "by a program with arguments": TOWER
    + """
def main(args):
    right = Tower(3, (4, 8), 2)
    wrong = Slip(3, (4, 8), args.classes)
    args.train(right, wrong)
""",
    "by a module that needs a number": """
class Block(nn.Module):
    def __init__(self, before, after, stride=1):
        super().__init__()
        self.conv = nn.Conv2d(before, after, 3, stride, 1)
        self.skip = nn.Identity()
        if stride != 1 or before != after:
            self.skip = nn.Conv2d(before, before, 1, stride)

    def forward(self, x):
        return self.conv(x) + self.skip(x)  # NC201

class Net(nn.Module):
    def __init__(self, classes, depth=2):
        super().__init__()
        self.stem = nn.Conv2d(3, 16, 3)
        self.first = self._stage(16, 16, depth, 1)
        self.second = self._stage(16, 32, depth, 2)
        self.head = nn.Linear(32, classes)

    def _stage(self, before, after, depth, stride):
        blocks = [Block(before, after, stride)]
        for _ in range(depth - 1):
            blocks.append(Block(after, after))
        return nn.Sequential(*blocks)

    def forward(self, x):
        x = self.second(self.first(self.stem(x)))
        return self.head(x.mean((2, 3)))
""",
    "with a configuration": """
from dataclasses import dataclass

@dataclass
class Settings:
    width: int = 12
    heads: int = 3
    layers: int = 2

class Attend(nn.Module):
    def __init__(self, settings: Settings):
        super().__init__()
        self.heads = settings.heads
        self.qkv = nn.Linear(settings.width, 3 * settings.width)
        self.out = nn.Linear(settings.width // 2, settings.width)

    def forward(self, x):
        b, n, c = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, c // self.heads).unbind(2)
        return self.out((q * k * v).reshape(b, n, c))  # NC208

class Model(nn.Module):
    def __init__(self, settings: Settings):
        super().__init__()
        self.blocks = nn.ModuleList([Attend(settings) for _ in range(settings.layers)])
        self.table = nn.Embedding(50, settings.width)

    def forward(self, tokens):
        x = self.table(tokens)
        for block in self.blocks:
            x = x + block(x)
        return x
""",
}

SILENT = {
    "another layer takes the place of one before a call": TOWER.replace("  # NC208", "")
    + """
def fine_tuned(path):
    net = Slip(3, [8, 16], 10)
    net.head = nn.Linear(16, 5)
    return net

def slip(pretrained=True):
    return Slip(3, [8, 16], 10)
""",
    "a method fills what is empty": """
class Whitened(nn.Module):
    def __init__(self, width=8, kept=4):
        super().__init__()
        self.basis = torch.zeros(1, 1)
        self.head = nn.Linear(kept, 2)

    def fit(self, x):
        self.basis = torch.linalg.svd(x)[2][:, :4]

    def forward(self, x):
        return self.head(x @ self.basis)

model = Whitened()
""",
    "only another input would not fit": """
class Patches(nn.Module):
    def __init__(self, image=32, patch=4, width=8):
        super().__init__()
        self.embed = nn.Conv2d(3, width, patch, patch)
        self.place = nn.Parameter(torch.zeros(1, (image // patch) ** 2, width))
        self.flat = nn.Linear(width * (image // patch) ** 2, 10)

    def forward(self, x):
        x = self.embed(x).flatten(2).transpose(1, 2)
        return self.flat((x + self.place).flatten(1))

def patches(**options):
    return Patches(**options)
""",
    "it raises before": TOWER.replace("  # NC208", "").replace(
        "        return self.head(self.features(x)",
        '        raise NotImplementedError("call `tokens`")\n'
        "        return self.head(self.features(x)",
    )
    + """
def slip():
    return Slip(3, [8, 16], 10)
""",
}


@pytest.mark.parametrize("kind", BUILT)
def test_what_no_input_fits(kind: str) -> None:
    check_marks(HEAD + dedent(BUILT[kind]))


@pytest.mark.parametrize("kind", SILENT)
def test_what_some_input_fits(kind: str) -> None:
    check_marks(HEAD + dedent(SILENT[kind]))


def test_who_builds_it() -> None:
    program = HEAD + dedent(BUILT["by a factory"])
    (finding,) = analyze_text("a.py", program).findings
    assert finding.level is Level.WARNING
    built = program.splitlines().index("    model = Slip(3, [8, 16], 10)") + 1
    (note,) = [note for note in finding.notes if note.text == "Slip is built here"]
    assert note.span is not None
    assert note.span.line == built

"""After an edit only what has used the edited code is evaluated, and the findings are those of all.

Each case is a program, an edit of it, and what the edit concerns. The law takes random edits of the
programs of the lessons.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from tests.lessons import programs
from tests.random_edits import EDITS

from namecheck.analysis import Kept, Program, analyze_text, open_program
from namecheck.findings import Finding
from namecheck.times import BY_ITSELF, Times

PATH = "/nowhere/edited.py"

MODEL = '''\
"""Layers, and what is made of them."""

import torch
from torch import nn

WIDTHS = [8, 16]


def doubled(x):
    return torch.cat([x, x], dim=-1)


class Base(nn.Module):
    scale = 2

    def scaled(self, x):
        return x * self.scale

    def helped(self, x):
        return x


class Layer(Base):
    def __init__(self, dim):
        super().__init__()
        self.up = nn.Linear(dim, 4 * dim)
        self.down = nn.Linear(4 * dim, dim)

    def forward(self, x):
        y = self.up(x)
        return self.down(y)

    def other(self, x):
        return x.sum(-1)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Layer(8), Layer(8)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def through_model():
    model = Model()
    return model(torch.zeros(2, 3, 8)).view(2, 24)


def by_table(x):
    return TABLE["doubled"](x).view(7, 7)


TABLE = {"doubled": doubled}


def alone(x):
    return torch.zeros(3, 5) + torch.zeros(3, 7)


def of_two(x):
    return doubled(torch.zeros(2, 3)) + torch.zeros(2, 5)
'''


def opened() -> Program:
    program = open_program()
    program.drives = False
    return program


def check(text: str, kept: Kept | None, program: Program) -> tuple[Finding, ...]:
    return analyze_text(PATH, text, program=program, shapes=False, kept=kept).findings


def edited(old: str, new: str, text: str = MODEL) -> tuple[set[str], tuple[Finding, ...]]:
    """What is evaluated by itself after an edit, and the findings."""
    after = text.replace(old, new, 1)
    assert after != text
    kept, program = Kept(), opened()
    check(text, kept, program)
    program.times = Times()
    found = check(after, kept, program)
    evaluated = {part.name for part in program.times.spent if part.kind == BY_ITSELF and part.line}
    assert found == check(after, None, opened())
    return evaluated, found


def chunks(evaluated: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in evaluated}


EVERYTHING = {"doubled", "Base", "Layer", "Model", "through_model", "by_table", "alone", "of_two"}


@pytest.mark.parametrize(
    ("old", "new", "concerned"),
    [
        # a function that nothing uses
        ("torch.zeros(3, 5) +", "torch.zeros(3, 7) +", {"alone"}),
        # one that is used by its name, and through a table
        ("torch.cat([x, x], dim=-1)", "torch.cat([x, x])", {"doubled", "by_table", "of_two"}),
        # methods that are called, by calls of calls, and one that is not
        ("return self.down(y)", "return y", {"Layer", "Model", "through_model"}),
        ("return x.sum(-1)", "return x.sum(0)", {"Layer"}),
        ("return x.sum(-1)", "return x / x.sum(-1)", {"Layer"}),
        ("            x = layer(x)\n", "            x = layer(x)[0]\n", {"Model", "through_model"}),
        # a constructor
        (
            "nn.Linear(4 * dim, dim)",
            "nn.Linear(3 * dim, dim)",
            {"Base", "Layer", "Model", "through_model"},
        ),
        ("[Layer(8), Layer(8)]", "[Layer(8), Layer(9)]", {"Layer", "Model", "through_model"}),
        # a method of a base that nothing calls, and an attribute that every instance has
        ("        return x * self.scale\n", "        return x + self.scale\n", {"Base"}),
        ("scale = 2", "scale = 3", {"Base", "Layer", "Model", "through_model"}),
        # an attribute that methods assign from now on
        ("        y = self.up(x)\n", "        self.up = y = self.up(x)\n", None),
        # a header, a name, a statement
        ("class Layer(Base)", "class Layer(nn.Module)", EVERYTHING),
        ("def alone(x)", "def lonely(x)", None),
        ("WIDTHS = [8, 16]", "WIDTHS = [8]", EVERYTHING),
        # nothing but words, and nothing at all
        ('"""Layers, and', '"""Modules, and', set()),
        ("def alone(x):\n", "def alone(x):\n    # what comes next\n", {"alone"}),
    ],
)
def test_an_edit_concerns_what_has_used_the_edited_code(
    old: str, new: str, concerned: set[str] | None
) -> None:
    evaluated, _ = edited(old, new)
    if concerned is not None:
        assert chunks(evaluated) == concerned


def test_what_a_caller_shows_in_another_function_stays() -> None:
    text = MODEL + "\n\ndef calls():\n    return takes(torch.zeros(4))\n"
    text += "\n\ndef takes(x):\n    return x + torch.zeros(3)\n"
    evaluated, found = edited("torch.zeros(3, 5) +", "torch.zeros(3, 8) +", text)
    assert chunks(evaluated) == {"alone"}
    assert any(finding.span.line == text.count("\n") for finding in found)


def test_one_finding_about_a_claim_that_two_functions_contradict() -> None:
    """Outcomes of an edited function and of another one become one finding."""
    uses = "".join(
        f"\n\ndef use{n}(held: Held):\n    B, T = held.x.shape\n    return B\n" for n in range(3)
    )
    text = (
        "import torch\nfrom jaxtyping import Float\nfrom torch import Tensor\n\n\n"
        'class Held:\n    x: Float[Tensor, "b t d"]\n' + uses
    )
    _, found = edited("    B, T = held.x.shape\n", "    (B, T) = held.x.shape\n", text)
    assert found


def test_sizes_that_other_calls_decide() -> None:
    """How a class is built anywhere in the file says whether two of its sizes are one."""
    text = (
        "import torch\nfrom torch import nn\n\n\n"
        "class Mix(nn.Module):\n"
        "    def __init__(self, width, inner):\n"
        "        super().__init__()\n"
        "        self.up = nn.Linear(width, inner)\n"
        "        self.down = nn.Linear(width, 3)\n\n"
        "    def forward(self, x):\n"
        "        return self.down(self.up(x))\n\n\n"
        "def one():\n    return Mix(8, 8)\n\n\n"
        "def two():\n    n = 4\n    return Mix(n, n)\n"
    )
    for old, new in (("Mix(8, 8)", "Mix(8, 9)"), ("n = 4", "n = 5"), ("(x))", "(x) + 1)")):
        edited(old, new, text)


def test_a_decorator_concerns_what_uses_the_decorated_function() -> None:
    text = (
        "import torch\n\n\n"
        "def turned(function):\n"
        "    def inner(x):\n        return function(x.transpose(0, 1))\n\n"
        "    return inner\n\n\n"
        "def replaced(function):\n    return torch.zeros(3, 5)\n\n\n"
        "@turned\ndef first(x):\n    return x[0]\n\n\n"
        "@replaced\ndef data():\n    pass\n\n\n"
        "def use(x):\n    return first(torch.zeros(3, 5)) + torch.zeros(5)\n\n\n"
        "def read():\n    return data + torch.zeros(5)\n\n\n"
        "def alone():\n    return torch.zeros(3) + torch.zeros(5)\n"
    )
    evaluated, _ = edited("transpose(0, 1)", "transpose(1, 0)", text)
    assert {"turned", "first", "use"} <= chunks(evaluated) <= {"turned", "first", "use", "inner"}
    evaluated, _ = edited("return torch.zeros(3, 5)", "return torch.zeros(3, 6)", text)
    assert {"replaced", "data", "read"} <= chunks(evaluated)
    assert "alone" not in chunks(evaluated)


def test_a_syntax_error_in_between_costs_nothing() -> None:
    kept, program = Kept(), opened()
    check(MODEL, kept, program)
    broken = check(MODEL.replace("def alone(x):", "def alone(x:"), kept, program)
    assert [finding.code for finding in broken] == ["NC900"]
    program.times = Times()
    after = MODEL.replace("torch.zeros(3, 7)", "torch.zeros(3, 5)")
    assert check(after, kept, program) == check(after, None, opened())
    assert {part.name for part in program.times.spent if part.line} == {"alone"}


def test_what_is_too_large_is_not_kept() -> None:
    large = "def large(x):\n" + "    x = x + 1\n" * 50_000
    kept, program = Kept(), opened()
    text = MODEL + "\n\n" + large
    assert any(finding.code == "NC802" for finding in check(text, kept, program))
    assert kept.last is None


def in_order(found: tuple[Finding, ...]) -> list[Finding]:
    """The findings with their notes in one order: sizes are told in the order of their evaluation,
    which is another one if less is evaluated.
    """
    return [finding._replace(notes=tuple(sorted(finding.notes, key=repr))) for finding in found]


def law(seed: int, every: int) -> int:
    """Random edits one after another; returns how many there were."""
    count = 0
    for lesson in sorted((Path(__file__).parents[1] / "cases").glob("*.md")):
        for number, program in enumerate(programs(lesson)):
            if number % every != seed % every:
                continue
            chance = Random(f"{seed} {lesson.name} {number}")
            kept, opened_program, text = Kept(), opened(), program.marks.text
            check(text, kept, opened_program)
            for _ in range(4):
                edit = chance.choices(EDITS, [often for often, _ in EDITS])[0][1]
                text = edit(chance, text)
                count += 1
                found = check(text, kept, opened_program)
                assert in_order(found) == in_order(check(text, None, opened())), text
    return count


def test_the_findings_are_those_of_a_clean_run() -> None:
    assert law(1, 40) > 50


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(5))
def test_the_findings_are_those_of_a_clean_run_for_each_lesson(seed: int) -> None:
    assert law(seed, 1) > 2_000

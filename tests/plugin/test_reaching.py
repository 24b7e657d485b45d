"""The value that `Reaching` gives for a read of a variable is the one that it has at run time.

Random functions are made of everything that binds, branches and leaves.  Each assignment binds a
number of its own, and each read notes the number that it sees.  The functions run many times, along
different branches, and a read must not see a number that `Reaching` did not give.
"""

from __future__ import annotations

import contextlib
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from mypy import build
from mypy.modulefinder import BuildSource
from mypy.nodes import CallExpr, FuncDef, IntExpr, NameExpr
from mypy.options import Options

from namecheck_plugin.expressions.reaching import Reaching
from namecheck_plugin.expressions.tree import within

FUNCTIONS = 300
RUNS = 60
HEAD = """\
import contextlib


def tag(number: int) -> int:
    return number


def see(place: int, value: object) -> object:
    raise NotImplementedError


def choose() -> bool:
    raise NotImplementedError


def risk() -> None:
    raise NotImplementedError


class Quiet:
    def __enter__(self) -> None: ...
    def __exit__(self, *raised: object) -> bool:
        return True
"""
VARIABLES = ("a", "b", "p")


class Writer:
    """Writes the functions of one module."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines = [HEAD]
        self.count = 0

    def number(self) -> int:
        self.count += 1
        return self.count

    def function(self, name: str) -> None:
        self.lines += [f"def {name}(p: int, q: int = 0) -> object:", "    a = tag(0); b = tag(0)"]
        self.block(1, 4, False)
        self.say(1, f"return {self.read()}")

    def say(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def read(self) -> str:
        return f"see({self.number()}, {self.random.choice(VARIABLES)})"

    def block(self, depth: int, most: int, loop: bool) -> None:
        for _ in range(self.random.randint(1, most)):
            self.statement(depth, loop)

    def statement(self, depth: int, loop: bool) -> None:
        kinds = ["bind", "bind", "read", "read", "swap", "risk", "leave", "walrus", "delete"]
        if depth < 4:
            kinds += ["if", "if", "for", "while", "try", "with", "match", "nested"]
        getattr(self, f"write_{self.random.choice(kinds)}")(depth, loop)

    def write_bind(self, depth: int, loop: bool) -> None:
        self.say(depth, f"{self.random.choice(VARIABLES)} = tag({self.number()})")

    def write_read(self, depth: int, loop: bool) -> None:
        self.say(depth, self.read())

    def write_swap(self, depth: int, loop: bool) -> None:
        self.say(depth, f"a, b = tag({self.number()}), tag({self.number()})")

    def write_risk(self, depth: int, loop: bool) -> None:
        self.say(depth, "risk()")

    def write_leave(self, depth: int, loop: bool) -> None:
        ways = [f"return {self.read()}", "raise ValueError"]
        self.say(depth, f"if choose(): {self.random.choice(ways + ['break', 'continue'] * loop)}")

    def write_walrus(self, depth: int, loop: bool) -> None:
        self.say(depth, f"choose() and (a := tag({self.number()}))")

    def write_delete(self, depth: int, loop: bool) -> None:
        self.say(depth, "if choose():")
        self.say(depth + 1, f"del b; b = tag({self.number()})")

    def write_if(self, depth: int, loop: bool) -> None:
        self.say(depth, "if choose():")
        self.block(depth + 1, 3, loop)
        if self.random.random() < 0.3:
            self.say(depth, "elif choose():")
            self.block(depth + 1, 3, loop)
        if self.random.random() < 0.6:
            self.say(depth, "else:")
            self.block(depth + 1, 3, loop)

    def write_for(self, depth: int, loop: bool) -> None:
        self.say(depth, f"for {self.random.choice(('i', 'b'))} in range(3):")
        self.loop(depth)

    def write_while(self, depth: int, loop: bool) -> None:
        self.say(depth, "while choose():")
        self.loop(depth)

    def loop(self, depth: int) -> None:
        self.block(depth + 1, 3, True)
        if self.random.random() < 0.3:
            self.say(depth, "else:")
            self.block(depth + 1, 2, False)

    def write_try(self, depth: int, loop: bool) -> None:
        self.say(depth, "try:")
        self.block(depth + 1, 3, loop)
        finally_ = self.random.random() < 0.4
        if not finally_ or self.random.random() < 0.6:
            self.say(depth, f"except ValueError{self.random.choice(('', ' as e'))}:")
            self.block(depth + 1, 2, loop)
            if self.random.random() < 0.3:
                self.say(depth, "else:")
                self.block(depth + 1, 2, loop)
        if finally_:
            self.say(depth, "finally:")
            self.say(depth + 1, self.read())
            self.say(depth + 1, f"b = tag({self.number()})")

    def write_with(self, depth: int, loop: bool) -> None:
        managers = ("Quiet()", "contextlib.nullcontext()", "contextlib.suppress(ValueError)")
        self.say(depth, f"with {self.random.choice(managers)}:")
        self.block(depth + 1, 3, loop)

    def write_match(self, depth: int, loop: bool) -> None:
        self.say(depth, "match choose():")
        self.say(depth + 1, f"case True{self.random.choice(('', ' as b'))}:")
        self.block(depth + 2, 2, loop)
        if self.random.random() < 0.5:
            self.say(depth + 1, "case _:")
            self.block(depth + 2, 2, loop)

    def write_nested(self, depth: int, loop: bool) -> None:
        shared = self.random.random() < 0.5
        self.say(depth, "def inner() -> None:")
        if shared:
            self.say(depth + 1, "nonlocal a")
        self.say(depth + 1, f"a = tag({self.number()})")
        self.say(depth + 1, f"see({self.number()}, a)")
        self.say(depth, "inner()")


def module(seed: int) -> str:
    writer = Writer(seed)
    for number in range(FUNCTIONS):
        writer.function(f"f{number}")
    return "\n".join([*writer.lines, ""])


def claimed(path: Path, folder: Path) -> dict[int, int | None]:
    """By the number of a read, the number that `Reaching` gives for it, or None for the value of a
    parameter; reads of unknown values are left out.
    """
    options = Options()
    options.cache_dir = str(folder / "cache")
    options.preserve_asts = True
    options.export_types = True
    options.allow_redefinition = True
    source = BuildSource(str(path), "made", None)
    tree = build.build([source], options).files["made"]
    numbers: dict[int, int | None] = {}
    for node in tree.defs:
        if not isinstance(node, FuncDef) or not node.name.startswith("f"):
            continue
        reaching = Reaching(node, lambda variable: False)
        for place, read in reads(node):
            bound = reaching.at(read)
            if bound is None or bound.part is not None:
                continue
            if bound.value is None:
                numbers[place] = None
            elif isinstance(bound.value, CallExpr):
                (number,) = bound.value.args
                assert isinstance(number, IntExpr)
                numbers[place] = number.value
    return numbers


def reads(function: FuncDef) -> Iterator[tuple[int, NameExpr]]:
    for node in within(function.body):
        if isinstance(node, FuncDef):
            yield from reads(node)
        elif isinstance(node, CallExpr) and isinstance(node.callee, NameExpr):
            if node.callee.name == "see":
                place, value = node.args
                assert isinstance(place, IntExpr)
                assert isinstance(value, NameExpr)
                yield place.value, value


def seen(text: str, seed: int) -> dict[int, set[object]]:
    """By the number of a read, all values that it saw in many runs."""
    chance = random.Random(seed)
    values: defaultdict[int, set[object]] = defaultdict(set)
    patience = 0

    def choose() -> bool:
        nonlocal patience
        patience -= 1
        return patience > 0 and chance.random() < 0.5

    def risk() -> None:
        if choose():
            raise ValueError

    names: dict[str, object] = {"__name__": "made"}
    exec(compile(text, "made.py", "exec"), names)
    names.update(choose=choose, risk=risk, see=lambda place, value: values[place].add(value))
    for number in range(FUNCTIONS):
        function = names[f"f{number}"]
        assert callable(function)
        for _ in range(RUNS):
            patience = 60
            with contextlib.suppress(ValueError, UnboundLocalError):
                function("own")
    return values


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(2, 12))]
)
def test_a_read_sees_only_the_claimed_value(seed: int, tmp_path: Path) -> None:
    text = module(seed)
    path = tmp_path / "made.py"
    path.write_text(text)
    claims, values = claimed(path, tmp_path), seen(text, seed)
    wrong = {
        place: (number, values[place])
        for place, number in claims.items()
        if values[place] - {"own" if number is None else number}
    }
    assert not wrong
    assert len(claims.keys() & values.keys()) > 300
    assert any(claims[place] is None for place in claims.keys() & values.keys())

"""Twice as much code takes about twice the work and never four times, in `check` and `show`.

Work is the number of lines of Python that the interpreter runs, in all modules together. So these
tests look inside modules that may be compiled, and measure no time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

import pytest

from namecheck.analysis import open_program
from namecheck.analysis.state import suppositions
from namecheck.analysis.state.values import Function
from namecheck.files.documents import document_of
from namecheck.files.project import Project
from namecheck.findings import Analysis
from namecheck.report.shapes import rows
from namecheck.running import suppressions
from namecheck.running.examination import examine

pytestmark = pytest.mark.interpreted

HEAD = "import torch\n"


def run(text: str, thorough: bool) -> Analysis:
    document = document_of("/nowhere/a.py", text)
    analysis = examine(
        document, open_program(Project()), thorough=thorough, statistics=not thorough
    )
    suppressions.of_document(document)
    if thorough:
        rows(text, analysis.shapes, 80)
    return analysis


def work(text: str, thorough: bool) -> int:
    """The number of lines of Python that are run."""
    count = 0

    def local(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += 1
        return local

    before = sys.gettrace()
    sys.settrace(local)
    try:
        run(text, thorough)
    finally:
        sys.settrace(before)
    return count


def is_linear(program: Callable[[int], str], number: int, thorough: bool = False) -> None:
    run(program(number), thorough)  # what is read only once is read before
    one, two, four = (work(program(number * k), thorough) for k in (1, 2, 4))
    assert four - two < 2.5 * (two - one), (one, two, four)


def numbered(text: str, number: int, between: str = "") -> str:
    return between.join(text.replace("#N", str(n)) for n in range(number))


def function(parameters: str, body: str) -> str:
    return f"{HEAD}def f({parameters}):\n{body}"


OF_COMMENTS: dict[str, Callable[[int], str]] = {
    "a block": lambda n: HEAD + "# a comment (B, T)\n" * n + "x = 1\n",
    "a block that claims": lambda n: function("x", "    # x: (B, T, C)\n" * n + "    return x\n"),
    "a block of sentences": lambda n: function(
        "x", "    # goes on and\n    # gives (B, T)\n" * n + "    return x\n"
    ),
    "a block of words to tools": lambda n: function(
        "x", "    # (B, T)\n" + "    # noqa\n" * n + "    y = x\n    return y\n"
    ),
    "below a block": lambda n: (
        f"{HEAD}def f(k):\n    if k:\n{numbered('        x#N = 1', n, chr(10))}\n"
        + "      # still inside\n" * n
        + "    y = 1\n"
    ),
    "behind statements": lambda n: function("x", numbered("    a#N = x  # (B, T)\n", n)),
    "inside statements": lambda n: function("", numbered("    a#N = [\n    1,  # c\n    ]\n", n)),
    "inside one statement": lambda n: f"{HEAD}x = [\n{numbered('    #N,  # c', n, chr(10))}\n]\n",
    "alone in one statement": lambda n: (
        f"{HEAD}x = [\n{numbered('    # c' + chr(10) + '    #N,', n, chr(10))}\n]\n"
    ),
    "beside parameters": lambda n: function(
        f"\n{numbered('    a#N: torch.Tensor,  # (B, T)', n, chr(10))}\n", "    return a0\n"
    ),
    "of parameters in a docstring": lambda n: function(
        numbered("a#N", n, ", "),
        f'    """Does.\n\n    Args:\n{numbered("        a#N: shape (B, T)", n, chr(10))}\n    """\n'
        "    return a0.sum(-1)\n",
    ),
    "a docstring and returns": lambda n: function(
        "x, k",
        f'    """Does.\n\n    Args:\n{numbered("        a#N: shape (B, T)", n, chr(10))}\n    """\n'
        f"{numbered('    if k == #N:' + chr(10) + '        return x + 1', n, chr(10))}\n",
    ),
}


@pytest.mark.parametrize("program", OF_COMMENTS.values(), ids=OF_COMMENTS.keys())
def test_comments(program: Callable[[int], str]) -> None:
    is_linear(program, 40)


def test_names_of_one_shape() -> None:
    """A shape has at most 64 dims, and all their names are compared with each other."""
    is_linear(lambda n: function("x", f"    {numbered('a#N', n, ', ')} = x.shape\n"), 70)


INNER = "    def g#N(y):\n        return y + x\n"

OF_FUNCTIONS: dict[str, Callable[[int], str]] = {
    "functions in one": lambda n: function("x", numbered(INNER, n) + "    return x\n"),
}


@pytest.mark.parametrize("program", OF_FUNCTIONS.values(), ids=OF_FUNCTIONS.keys())
def test_functions(program: Callable[[int], str]) -> None:
    is_linear(program, 50)


def test_classes_in_a_chain() -> None:
    """Each class looks through all that it inherits from, and at each class at most once."""

    def program(number: int) -> str:
        chain = "".join(f"class C{k}(C{k - 1}):\n    b{k} = 1\n" for k in range(1, number))
        return f"{HEAD}class C0:\n    a = 1\n{chain}"

    run(program(25), False)
    one, two, four = (work(program(25 * k), False) for k in (1, 2, 4))
    assert four - two < 5 * (two - one), (one, two, four)


OF_PARAMETERS: dict[str, Callable[[int], str]] = {
    "nothing is known of": lambda n: function(numbered("a#N", n, ", "), "    return a0\n"),
    "that may be None": lambda n: function(
        numbered("a#N=None", n, ", "),
        numbered("    a#N = a0 if a#N is None else a#N\n", n),
    ),
    "of functions that are called": lambda n: (
        HEAD
        + numbered("def f#N(x):\n    return x.sum(-1)\n", n)
        + numbered("y#N = f#N(torch.zeros(2, 3))\n", n)
    ),
}


@pytest.mark.parametrize("program", OF_PARAMETERS.values(), ids=OF_PARAMETERS.keys())
def test_parameters_with_ranks_to_try(
    program: Callable[[int], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Two hundred trials take long while lines are counted.
    monkeypatch.setattr("namecheck.analysis.state.suppositions.MOST_TRIALS", 4)
    is_linear(program, 20, thorough=True)


@pytest.mark.parametrize(("most", "is_enough"), [(suppositions.MOST_TRIALS, True), (20, False)])
def test_as_many_trials_as_thirty_parameters_take(
    most: int, is_enough: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suppositions, "MOST_TRIALS", most)
    number = 30
    trials: list[Function] = []
    run_one = suppositions._Trials._try

    def counted(
        self: suppositions._Trials, function: Function, supposed: Mapping[str, int]
    ) -> suppositions.Verdict | None:
        trials.append(function)
        return run_one(self, function, supposed)

    monkeypatch.setattr(suppositions._Trials, "_try", counted)
    body = numbered("    b#N = a#N.sum(-1)\n", number)  # two ranks each, both possible
    run(function(numbered("a#N", number, ", "), body + "    return b0\n"), thorough=True)
    assert (len(trials) < most) is is_enough
    assert min(2 * number, most) <= len(trials) <= most

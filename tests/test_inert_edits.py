"""What a function reports is no part of what other files evaluate, and their results hold."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from tests.random_edits import INERT, edit_project

from namecheck.analysis import file_parts
from namecheck.analysis.objects.module_parts import for_others
from namecheck.main import main
from namecheck.running import workers
from namecheck.running.cache import Task
from namecheck.text.chunks import split
from namecheck.text.file_parts import WHOLE
from namecheck.text.layout import read_layout

HELPERS = '''\
"""Helpers."""

import logging
import warnings

import torch

logger = logging.getLogger(__name__)


class Norm(torch.nn.Module):
    """One of our own."""

    limit = 3

    def __init__(self, width):
        super().__init__()
        self.linear = torch.nn.Linear(width, width)
        print("built")

    def forward(self, x):
        if x.dim() != 3:
            raise ValueError(f"Expected three dims instead of {x.dim()}")
        logger.debug("at work")
        return self.linear(x)


def half(x):
    """The first half of it."""
    assert x is not None, "There is nothing"
    size = x.shape[-1]  # noqa: E501
    if size % 2:
        warnings.warn(
            "An odd number",
            stacklevel=2,
        )
    return x[..., : size // 2]


def rows(items):
    spare_text = "of rows"
    for item in items:
        print(item)
    return torch.zeros(len(items), 5)
'''
PROGRAM = """\
import torch

from helpers import Norm, half, rows

norm = Norm(8)


def run(x):
    y = half(norm(torch.ones(2, 3, 8)))
    return y @ torch.zeros(5, 2), rows([1, 2]) @ y


class Other(Norm):
    def forward(self, x):
        return half(super().forward(x)) + torch.ones(3)
"""


def report(*arguments: str) -> Any:
    """The findings, as plain values."""
    options = ["--jobs=1", "--output-format=json", "--exit-zero", "--notes"]
    done = CliRunner().invoke(main, ["check", *options, *arguments])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.fixture
def project(cached: Path) -> Path:
    """A project of a program and what it calls, with its cache turned on and filled."""
    (cached / "helpers.py").write_text(HELPERS)
    (cached / "program.py").write_text(PROGRAM)
    assert [finding["filename"] for finding in report(".")] == ["program.py"] * 2
    return cached


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are analysed from now on."""
    paths: list[str] = []
    analyse = workers.Worker.analyse

    def watched(worker: workers.Worker, task: Task) -> workers.Result:
        paths.append(task.path)
        return analyse(worker, task)

    monkeypatch.setattr(workers.Worker, "analyse", watched)
    return paths


NOTHING = {
    "the words of an error": ("Expected three", "Wanted three"),
    "the words of an assertion": ('"There is nothing"', '"Nothing there"'),
    "a warning": ('"An odd number"', '"One too many"'),
    "a longer warning": ("            stacklevel=2,\n", ""),
    "a warning that goes": (
        HELPERS[HELPERS.index("        warnings.warn") : HELPERS.index("    return x[")],
        "        pass\n",
    ),
    "a log": ('"at work"', '"%d dims", x.ndim'),
    "a log that goes": ('        logger.debug("at work")\n', ""),
    "a print": ("print(item)", 'print("item", item, sep="\\n")'),
    "one print more": ("        print(item)\n", "        print(1)\n        print(item)\n"),
    "a print above": ("    size = x.shape", '    print("x")\n    size = x.shape'),
    "a print below a comment": (
        "    size = x.shape",
        "    # words\n    print(x)\n    size = x.shape",
    ),
    "a number that nothing reads": ("    size = x.shape", "    unread = -1\n    size = x.shape"),
    "a text that nothing reads": ('"of rows"', "3.5"),
    "a directive": ("  # noqa: E501", ""),
}
"""Edits that give nothing to the program."""

SOMETHING = {
    "which error": ("raise ValueError(", "raise TypeError("),
    "the values in an error": ("instead of {x.dim()}", "instead of {x.shape}"),
    "dims in an error": ("Expected three dims", "Expected (B, T, C)"),
    "a dim in an assertion": ('"There is nothing"', '"not (B, T)"'),
    "a test": ("assert x is not None", "assert x is None"),
    "a number that something reads": ("    size = x.shape[-1]", "    size = 4"),
    "a number that is read by its name": ("    spare_text =", "    locals()\n    spare_text ="),
    "an attribute of a class": ("limit = 3", "limit = 4"),
    "a print that changes something": ("print(item)", "print(items.pop())"),
    "a print that binds a name": ("print(item)", "print(size := 3)"),
    "a print and more": ("print(item)", "print(item); items = []"),
    "a call of what a print gives": ("print(item)", "print(item)(3)"),
    "a comment about dims": ("  # noqa: E501", "  # (B, T, C)"),
    "a comment about dims behind a directive": ("  # noqa: E501", "  # noqa: E501  # (B, T, C)"),
    "a word that is looked for": ("Expected three dims", "Expected backward(three) dims"),
}
"""Edits of what the program evaluates."""


@pytest.mark.parametrize(("old", "new"), NOTHING.values(), ids=list(NOTHING))
def test_what_a_function_reports_leaves_other_files(
    project: Path, analysed: list[str], old: str, new: str
) -> None:
    assert old in HELPERS
    (project / "helpers.py").write_text(HELPERS.replace(old, new))
    found = report(".")
    assert analysed == ["helpers.py"]
    assert found == report("--no-cache", ".")
    analysed.clear()
    assert report(".") == found
    assert analysed == []


@pytest.mark.parametrize(("old", "new"), SOMETHING.values(), ids=list(SOMETHING))
def test_what_a_function_computes_analyses_other_files(
    project: Path, analysed: list[str], old: str, new: str
) -> None:
    assert old in HELPERS
    (project / "helpers.py").write_text(HELPERS.replace(old, new))
    found = report(".")
    assert sorted(analysed) == ["helpers.py", "program.py"]
    assert found == report("--no-cache", ".")


def test_places_in_other_files_move_with_what_is_left_out(project: Path) -> None:
    """A finding in a helper that only a call of the program shows."""
    wrong = HELPERS.replace("return self.linear(x)", "return self.linear(x) + torch.ones(3)")
    (project / "helpers.py").write_text(wrong)
    before = report(".")
    assert any(finding["filename"] == "helpers.py" for finding in before)
    more = wrong.replace(
        '        logger.debug("at work")\n', "        print(1)\n        print(\n2)\n"
    )
    (project / "helpers.py").write_text(more)
    after = report(".")
    assert after == report("--no-cache", ".")
    assert after != before


@pytest.mark.parametrize("remark", ["# noqa", "# words alone"])
def test_a_place_that_is_a_whole_line_ends_with_its_code(project: Path, remark: str) -> None:
    """A note on a parameter of a helper cites the line with its definition."""
    text = HELPERS.replace("size // 2]", "size // 1]")
    (project / "helpers.py").write_text(text)
    before = report("--select=ALL", ".")
    assert "parameter of Norm" in json.dumps(before)
    text = text.replace("(self, width):", f"(self, width):  {remark}")
    (project / "helpers.py").write_text(text)
    assert report("--select=ALL", ".") == before == report("--no-cache", "--select=ALL", ".")


def evaluated(text: str) -> str:
    """A definition as it is evaluated for other files."""
    (chunk,) = split(text)
    left = for_others(chunk)
    assert left.text.count("\n") == text.count("\n")
    assert left.layout == read_layout(left.text)
    return left.text


@pytest.mark.parametrize(
    ("body", "left"),
    [
        ("    print(1)\n    return x\n", "\n    return x\n"),
        ("    print(1)\n", "    pass\n"),
        ("    print(1)\n    print(\n2)\n", "    pass\n\n\n"),
        ("    if x:\n        print(1)\n    return x\n", "    if x:\n        pass\n    return x\n"),
        ('    """Words."""\n    print(1)\n', '    """Words."""\n\n'),
        ("    if x: print(1)\n", "    if x: print(1)\n"),
        ("    y = print(1)\n", "    y = print(1)\n"),
        ("    print(f(x))\n", "    print(f(x))\n"),
        ("    print(len(x), str(1), 'a'.join(x))\n", "    pass\n"),
        ("    warnings.warn(FutureWarning('old'))\n", "    pass\n"),
        ("    warnings.warning(x)\n", "    warnings.warning(x)\n"),
        ("    log.append(x)\n", "    log.append(x)\n"),
        ("    self.logger.info(x)\n", "    pass\n"),
        ("    logging.getLogger().info(x)\n", "    logging.getLogger().info(x)\n"),
        ("    z = 1\n    return x\n", "\n    return x\n"),
        ("    z = 'a b'\n    return x\n", "\n    return x\n"),
        ("    z = 1, 'a'\n    return x\n", "    z = 1, 'a'\n    return x\n"),
        ("    z = 'a' or x\n    return x\n", "    z = 'a' or x\n    return x\n"),
        ("    z = 1\n    return z\n", "    z = 1\n    return z\n"),
        ("    z = (x, 1)\n    return x\n", "    z = (x, 1)\n    return x\n"),
        ("    z = 1 if x else 2\n", "    z = 1 if x else 2\n"),
        ("    z: int = 1\n", "    z: int = 1\n"),
        ("    class A:\n        z = 1\n", "    class A:\n        z = 1\n"),
        ("    z = 1\n    return eval('x')\n", "    z = 1\n    return eval('x')\n"),
        ("    return '''\n    print(1)\n'''\n", "    return '''\n    print(1)\n'''\n"),
        ("    print(1)  # (B, T)\n", "    print(1)  # (B, T)\n"),
        (
            "    # x: (B, T)\n    print(1)\n    y = x\n",
            "    # x: (B, T)\n    print(1)\n    y = x\n",
        ),
        ("    print(1)  # words\n    y = x\n", "\n    y = x\n"),
        ("    print(1\n", "    print(1\n"),
        ("    print(await x)\n", "    print(await x)\n"),
    ],
)
def test_what_is_left_of_a_function(body: str, left: str) -> None:
    assert evaluated(f"def f(x):\n{body}") == f"def f(x):\n{left}"


def test_statements_of_a_class_body_are_attributes() -> None:
    text = (
        "class A:\n    z = 1\n    print(1)\n\n    def f(self):\n        y = 1\n        return 2\n"
    )
    assert evaluated(text) == text.replace("        y = 1", "")


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("raise E('no a')", "raise E('no b c')", True),
        ("raise E('a')", "raise E('b')", False),
        ("raise E(d['a'], 'no b')", "raise E(d['a'], 'no c')", True),
        ("raise E(d['a'], 'no b')", "raise E(d['c'], 'no b')", False),
        ("raise E(f'no {x} b')", "raise E(f'{x} c')", True),
        ("raise E(f'no {x}')", "raise E(f'no {y}')", False),
        ("raise E(f'{{x}} {y}')", "raise E(f'{x} {y}')", False),
        ("raise E(f'{x:{y}}')", "raise E(f'{x:{z}}')", False),
        ("raise E('no %s' % x)", "raise E('%s b' % x)", True),
        ("raise E('no a')", "raise E('no a', x)", False),
        ("raise E('no a')", "raise E()", False),
        ("raise E('no a'); f('no b')", "raise E('no a'); f('no c')", False),
        ("raise E('a (b, c)')", "raise E('a (b, d)')", False),
        ("raise E('a -> c')", "raise E('b -> d')", False),
        ("raise E('no a\\n')", "raise E('no b\\t\\'')", True),
        ("raise E(' \\x28b, c)')", "raise E(' \\x28b, d)')", False),
        ("raise E('a (b' ' c, d)')", "raise E('a (b' ' c, e)')", False),
        ("raise E('a (b)', 'no c')", "raise E('a (c)', 'no d')", True),
        ("raise E(f'no {x[\"b\"]} c')", "raise E(f'not {x[\"b\"]} e')", True),
        ("raise E(f'no {x[\"b\"]} c')", "raise E(f'not {x[\"c\"]} e')", False),
        ("raise E('no a' if x else'no b')", "raise E('no c' if x else'no d')", True),
        ('raise E("""no a""")', 'raise E("""no b""")', False),
        ("raise E('no a' + 'b\\\nc')", "raise E('no b' + 'b\\\nc')", False),
        ("raise E('no a' + \"no b\")", "raise E('no c' + \"no d\")", True),
        ("raise E('w h', F['w h'])", "raise E('h w', F['w h'])", False),
        ("assert x, 'no a'", "assert x, 'no b'", True),
        ("assert x, ('no a' 'no b')", "assert x, ('no c' 'no d')", True),
        ("assert x == 'a'", "assert x == 'b'", False),
        ("assert x in ('a', 'no b')", "assert x in ('a', 'no c')", False),
        ("assert x == 'no a', 'no b'", "assert x == 'no c', 'no b'", False),
        ("assert x == 'no a', 'no b'", "assert x == 'no a', 'no c'", True),
        ("request.getfixturevalue; raise E", "request.getfixturevalue; raise F", False),
        (
            "getfixturevalue\n        raise E('no a')",
            "getfixturevalue\n        raise E('no b')",
            False,
        ),
        ("return E('no a')", "return E('no b')", False),
    ],
)
def test_messages_in_digests(one: str, other: str, is_same: bool) -> None:
    texts = [f"def f(x, y, z):\n    if x:\n        {text}\n" for text in (one, other)]
    parts, parts_now = map(file_parts, texts)
    assert parts.has_same(parts_now, ["f"]) is is_same
    assert not parts.has_same(parts_now, [WHOLE])


LAWS = [
    pytest.param(0, id="0"),
    *(pytest.param(seed, id=str(seed), marks=pytest.mark.deep) for seed in range(1, 9)),
]


@pytest.mark.parametrize("seed", LAWS)
def test_the_answer_after_random_edits_is_that_of_a_clean_run(
    project: Path, analysed: list[str], seed: int
) -> None:
    random, gone, kept = Random(seed), dict[Path, str](), 0
    everything = "--select=ALL", "--statistics", "."
    report(*everything)
    for turn in range(60):
        if turn % 10 == 9:  # so that it does not fall to pieces
            (project / "helpers.py").write_text(HELPERS)
            (project / "program.py").write_text(PROGRAM)
            report(*everything)
        helpers = project / "helpers.py"
        if helpers.exists() and random.random() < 0.8:
            number = random.randrange(len(INERT))
            done = f"inert edit {number}"
            helpers.write_text(INERT[number](random, helpers.read_text()))
        else:
            done = edit_project(random, project, gone)
        analysed.clear()
        found = report(*everything)
        kept += "helpers.py" in analysed and "program.py" not in analysed
        assert found == report("--no-cache", *everything), (turn, done)
    assert kept > 10, "most edits of what a function reports leave the program"

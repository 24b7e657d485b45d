"""The checker does not evaluate again where that would teach nothing: counted in expressions."""

from __future__ import annotations

from collections import Counter
from textwrap import dedent

import pytest

from namecheck.analysis import analyze, open_program
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.loop_variables import carried
from namecheck.analysis.reading.records import lower
from namecheck.analysis.runs import file_analysis
from namecheck.analysis.state.evaluate import Evaluator
from namecheck.analysis.state.values import Function

pytestmark = pytest.mark.interpreted

HEAD = "import torch\nfrom torch import nn\n"


def cost(program: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """The number of expressions that a check of the program evaluates."""
    counts = [0]
    plain = Evaluator.value

    def value(self: Evaluator, node: ir.Expression) -> object:
        counts[0] += 1
        return plain(self, node)

    with monkeypatch.context() as patch:
        patch.setattr(Evaluator, "value", value)
        analysis = analyze("made.py", (HEAD + dedent(program)).encode(), shapes=False)
    assert not analysis.findings
    return counts[0]


def loop(text: str) -> ir.For | ir.While:
    (statement,) = lower(dedent(text)).statements
    assert isinstance(statement, ir.For | ir.While)
    return statement


def test_shapes_are_reported_only_on_request() -> None:
    source = f"{HEAD}def f(x):\n    y = x.view(2, 3)\n    return y\n".encode()
    assert {shape.target for shape in analyze("made.py", source).shapes} >= {"y"}
    assert file_analysis.analyze("made.py", source, shapes=False).shapes == ()


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("for x in xs:\n    y = x + z\n    z = y\n", {"z"}),
        ("for x in xs:\n    y = x\n    z = y\n", set()),
        ("for a, (b, *c) in xs:\n    d = a + b + c\n", set()),
        ("for x in xs:\n    n += x\n", {"n"}),
        ("for x in xs:\n    t[x] = 1\n", {"t"}),
        ("for x in xs:\n    if x:\n        y = 1\n    z = y\n", {"y"}),
        ("for x in xs:\n    if x:\n        y = 1\n    else:\n        y = 2\n    z = y\n", set()),
        ("for x in xs:\n    for y in x:\n        z = y\n    w = z\n", {"z"}),
        ("for x in xs:\n    with f(x) as y:\n        z = y\n    w = z\n", {"f", "z"}),
        (
            "for x in xs:\n    try:\n        y = g(x)\n    except E:\n        y = 0\n    z = y\n",
            None,
        ),
        ("for x in xs:\n    def f():\n        return y\n    y = f()\n", {"f", "y"}),
        ("while n:\n    n = n - 1\n", {"n"}),
        ("while True:\n    y = 1\n    n = y\n", set()),
    ],
)
def test_the_names_that_a_round_hands_to_the_next(text: str, read: set[str] | None) -> None:
    names = carried(loop(text)).read
    if read is None:  # in doubt, a name counts as read
        assert {"y", "g", "E"} <= names
    else:
        assert names == read


@pytest.mark.parametrize(
    ("text", "grown"),
    [
        ("row.append(x)", {("row", "")}),
        ("row.append(x)\n    other.extend(f(x))", {("row", ""), ("other", "")}),
        ("if x:\n        self.row.append(f(self.width))", {("self", "row")}),
        ("row.append(row[-1])", set()),
        ("row.append(f(row))", set()),
        ("row = []\n    row.append(x)", set()),
        ("row.append(x)\n    row.sort()", set()),
        ("self.row.append(x)\n    y = self.row[0]", set()),
        ("self.row.append(self.last())", set()),
        ("self.row.append(f(self))", set()),
    ],
)
def test_the_lists_that_a_round_only_appends_to(text: str, grown: set[tuple[str, str]]) -> None:
    assert carried(loop(f"for x in xs:\n    {text}\n")).grown == grown


def test_no_third_round_is_run_to_add_a_third_time(monkeypatch: pytest.MonkeyPatch) -> None:
    body = """
    def f(xs, g):
        rows = []
        for x in xs:
            y = torch.relu(x) + torch.sigmoid(x) + torch.tanh(x)
            {}
        return rows
    """
    append = "rows.append(nn.Sequential(g(x)))"
    adds = cost(body.format(append), monkeypatch)
    assert adds + 10 < cost(body.format(f"{append}; last = rows[-1]"), monkeypatch)


def test_an_unknown_count_needs_no_further_round(monkeypatch: pytest.MonkeyPatch) -> None:
    body = """
    def f(xs):
        n = 0
        for x in xs:
            y = torch.relu(x) + torch.sigmoid(x) + torch.tanh(x)
            n += {}
        return n
    """
    assert cost(body.format("1"), monkeypatch) < 60


def test_modules_with_unknown_keywords_are_built_on_first_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = """
    class Block(nn.Module):
        def __init__(self, dim, depth=2):
            super().__init__()
            self.layers = nn.ModuleList([nn.Linear(dim, dim) for _ in range(depth)])
            self.norm = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim), nn.LayerNorm(dim))

    class Outer(nn.Module):
        def __init__(self, dim, rest):
            super().__init__()
            {}
    """
    once = cost(text.format("self.a = Block(dim, **rest)"), monkeypatch)
    thrice = "self.a, self.b, self.c = [Block(dim, **rest), Block(dim, **rest), Block(dim, **rest)]"
    assert cost(text.format(thrice), monkeypatch) < once + 20


def test_a_round_is_not_repeated_for_what_it_binds_first(monkeypatch: pytest.MonkeyPatch) -> None:
    body = """
    def f(xs, a):
        y = {0}
        for x in xs:
            {1}
            y = x.view(3, 4)
            z = torch.relu(y) + torch.sigmoid(y) + torch.tanh(y)
        return y
    """
    first = cost(body.format("None", "w = a"), monkeypatch)
    assert first == cost(body.format("a", "w = a"), monkeypatch)
    assert first < cost(body.format("None", "w = y"), monkeypatch) - 10


def test_modules_with_unknown_keywords_stay_separate() -> None:
    text = """
    class Block(nn.Module):
        def __init__(self, dim, depth=2):
            super().__init__()
            self.norm = nn.LayerNorm(dim)

        def forward(self, x):
            return self.norm(x)

    class Both(nn.Module):
        def __init__(self, small, large, few, many):
            super().__init__()
            self.few = nn.Linear(small, small)
            self.many = nn.Linear(large, large)
            self.to = nn.Linear(small, large)
            self.one = Block(dim=small, **few)
            self.other = Block(dim=large, **many)

        def forward(self, x, y):
            x, y = self.one(x), self.other(y)
            return self.few(x), self.many(y)
    """
    assert not analyze("made.py", (HEAD + dedent(text)).encode()).findings


def test_a_rate_of_zero_that_is_passed_on_decides_no_dim(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
    class Inner(nn.Module):
        def __init__(self, dim, flag):
            super().__init__()
            self.a = nn.Linear(dim, dim)

        def forward(self, x):
            return self.a(x)

    class Outer(nn.Module):
        def __init__(self, dim, flag={}):
            super().__init__()
            self.inner = Inner(dim, flag)

        def forward(self, x):
            return self.inner(x) + self.inner(x.relu()) + self.inner(x.sigmoid())
    """
    assert cost(text.format("0.0"), monkeypatch) + 20 < cost(text.format("0.5"), monkeypatch)
    assert cost(text.format("None"), monkeypatch) == cost(text.format("0.5"), monkeypatch)


def test_paths_with_the_same_knowledge_are_merged(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
    def f(x, flag):
        y = None
        if flag:
            y = {}
        a = torch.relu(x) + torch.sigmoid(x) + torch.tanh(x) + torch.exp(x) + torch.abs(x)
        if flag:
            a = a + y
        return a
    """
    together = cost(text.format("g(x)"), monkeypatch)
    apart = cost(text.format("x.view(3, 4)"), monkeypatch)
    assert apart > together + 15


def test_a_builder_of_models_by_name_is_not_evaluated_for_each_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    builder = "def build(name, **rest):\n    a = [1, 2, 3, 4]\n    return make(name, a, **rest)\n"
    call = "def f{0}(**rest):\n    return build('{0}', **rest)\n"
    fifty, hundred = (
        cost(builder + "".join(call.format(n) for n in range(count)), monkeypatch)
        for count in (50, 100)
    )
    assert hundred - fifty < 50 * 5


def test_what_is_in_doubt_is_asked_again_where_it_was_found() -> None:
    """A comment was believed, and something is wrong that does not cite it."""
    others = "".join(f"def f{k}(x):\n    # x: (B, {k + 2})\n    return x + 1\n" for k in range(20))
    wrong = "def g():\n    return torch.ones(2, 3) @ torch.ones(4, 5)\n"
    assert evaluated_in(others + wrong) == {"f0": 1, "g": 2}
    # If it is not shown there, any other code may show it.
    doubtful = (
        "def g(x):\n    # x: (B, C, D)\n    n = len(x.shape[:-1])\n"
        "    return torch.ones(2, n) @ torch.ones(4, 5)\n"
    )
    assert evaluated_in(others + doubtful) == {"f0": 2, "g": 3}


def evaluated_in(program: str) -> dict[str, int]:
    """How often a run without drives evaluates two functions of a program by themselves."""
    counts: Counter[str] = Counter()
    plain = file_analysis.evaluate_function

    def evaluate(ev: Evaluator, function: Function) -> None:
        counts[function.name] += 1
        plain(ev, function)

    files = open_program()
    files.drives = False
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file_analysis, "evaluate_function", evaluate)
        analyze("made.py", (HEAD + program).encode(), program=files, shapes=False)
    return {name: counts[name] for name in ("f0", "g")}

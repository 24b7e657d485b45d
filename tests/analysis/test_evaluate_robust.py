"""The evaluator when something goes wrong, in the program or in the evaluator itself."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from snippets import read, reported
from sources import ODD, modules

from namecheck.analysis import analyze
from namecheck.analysis.asking import rulings
from namecheck.findings import Finding

TWO = """
    def bad():
        return torch.zeros(2, 3) @ torch.zeros(4, 5)

    def worse(x):
        return x.cumsum(7)
"""


def codes(findings: tuple[Finding, ...]) -> list[str]:
    return [finding.code for finding in findings]


@pytest.mark.parametrize("name", ODD)
def test_odd_programs_have_no_findings(name: str) -> None:
    reported_codes = codes(analyze("odd.py", ODD[name].encode()).findings)
    assert not [code for code in reported_codes if code != "NC900"]


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(modules())
def test_no_program_makes_the_evaluator_fail(text: str) -> None:
    assert "NC999" not in codes(analyze("random.py", text.encode()).findings)


def test_a_syntax_error_is_one_finding() -> None:
    (finding,) = analyze("broken.py", b"def f(:\n    pass\n").findings
    assert (finding.code, finding.span.line) == ("NC900", 1)


@pytest.mark.interpreted
def test_a_bug_of_ours_is_reported_and_hides_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    true = rulings.infer

    def fail(call, arguments=(), keywords=None):  # type: ignore[no-untyped-def]
        if "cumsum" in getattr(call, "path", ""):
            raise RuntimeError("on purpose")
        return true(call, arguments, keywords)

    monkeypatch.setattr(rulings, "infer", fail)
    analysis, _ = read(TWO)
    assert reported(analysis) == [(2, "NC203"), (5, "NC999")]
    trouble = next(f for f in analysis.findings if f.code == "NC999")
    assert "worse" in trouble.message
    assert "on purpose" in trouble.message


def test_recursion_ends() -> None:
    analysis, _ = read("""
        def down(x, n):
            return down(x.sum(0), n - 1) if n else x

        class Node(nn.Module):
            def __init__(self, depth):
                super().__init__()
                self.next = Node(depth - 1) if depth else None
                self.fc = nn.Linear(3, 3)

            def forward(self, x):
                x = self.fc(x)
                return self.next(x) if self.next is not None else x
    """)
    assert reported(analysis) == []


def test_a_program_that_costs_too_much_is_given_up() -> None:
    """Forty functions, each of which calls the one before twice with another argument."""
    lines = ["def f0(x, n):", "    return x + n"]
    for number in range(1, 40):
        lines += [
            f"def f{number}(x, n):",
            f"    y = f{number - 1}(x, n * 2)",
            f"    return f{number - 1}(y, n * 3 + {number})",
        ]
    analysis = analyze("steep.py", "\n".join(["import torch", *lines]).encode())
    assert codes(analysis.findings) == []


def test_a_long_sum_is_not_a_deep_recursion() -> None:
    total = " + ".join(["x"] * 900)
    analysis = analyze("long.py", f"import torch\nx = torch.zeros(2)\ny = {total}\n".encode())
    assert codes(analysis.findings) == []


def test_counts_add_up() -> None:
    analysis, _ = read("""
        def f(x, z):
            B, T = x.shape
            y = x.exp()
            w = torch.stack(z)
            return y
    """)
    counts = analysis.counts
    assert counts.files == 1
    assert counts.lines == 12
    assert (counts.assignments, counts.known_rank) == (2, 1)
    assert counts.understood < counts.expressions


def test_a_finding_names_both_operands_and_where_they_came_from() -> None:
    analysis, _ = read("""
        def f(x):
            B, N, D = x.shape
            k = x.exp()
            return x @ k
    """)
    (finding,) = analysis.findings
    assert finding.level == "warning"
    assert [label.text for label in finding.labels] == ["[B, N, D]", "[B, N, D]"]
    places = [(note.text, note.span.line - 7) for note in finding.notes if note.span is not None]
    assert ("k is [B, N, D]", 3) in places
    assert any(line == 2 and "bound together" in text for text, line in places)
    assert finding.hint


def test_a_finding_in_a_callee_shows_the_call() -> None:
    analysis, _ = read("""
        def last(x):
            return x.sum(dim=3)

        def f():
            return last(torch.zeros(2, 3))
    """)
    (finding,) = analysis.findings
    assert finding.span.line - 7 == 2
    assert [note.span.line - 7 for note in finding.notes if note.span is not None] == [5]


MASKED = '''
    def attend(w: Tensor, mask, b, h, t, s):
        """Attention.

        Args:
            mask (`torch.Tensor` of shape `(batch, 1, target, source)`): added to the scores
        """
        mask = mask.expand(b, 1, *mask.size())
        {test}
        return torch.zeros(b, h, t, s) + mask, mask.is_contiguous(), mask.permute(0, 2, 1, 3)
'''


@pytest.mark.parametrize(
    "test",
    [
        "assert mask.size() == (b, 1, t, s)",
        "assert mask.shape == torch.Size([b, 1, t, s])",
        "if mask.shape != (b, 1, t, s): raise ValueError",
        "n, one, height, width = mask.shape",
        "assert mask.dim() == 4",
        "assert mask.ndim == 4 and mask.shape[1] == 1",
    ],
)
def test_a_test_of_the_rank_forgets_the_strides_of_another_one(test: str) -> None:
    """A docstring may give the rank that a tensor has after the `expand`."""
    analysis, _ = read(MASKED.format(test=test))
    assert not {"NC999"} & set(codes(analysis.findings))


def test_a_test_of_the_sizes_keeps_the_strides() -> None:
    analysis, marks = read("""
        def f(b, t, s):
            x = torch.zeros(b, t, s).transpose(1, 2)
            if x.shape != (b, s, t):
                raise ValueError
            return x.view(b, s * t)  # <- NC501
    """)
    assert reported(analysis) == marks

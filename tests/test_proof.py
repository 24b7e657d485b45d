"""The cost of proving fixes, the reach of an edit, and that no unproven fix is offered."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from namecheck.analysis.runs.file_analysis import analyze_text
from namecheck.analysis.runs.findings_of import Mistakes
from namecheck.codes.coverage import left_unread
from namecheck.findings import Applicability, Finding, Span
from namecheck.fixes import proof
from namecheck.fixes.code import Code
from namecheck.fixes.edits import Apart, Change, applied, changes, collide
from namecheck.fixes.proof import FEW_LINES, with_fixes
from namecheck.fixes.reach import Chunks
from namecheck.text.chunks import split

FAULTS = Path(__file__).parent / "faults"


class Proofs:
    """Proves the fixes of a text, and counts the work."""

    def __init__(self, text: str) -> None:
        self.text = textwrap.dedent(text).lstrip("\n")
        self.lines = len(Code(self.text).lines)
        self.analysed: list[int] = []
        """The lines that each analysis evaluated."""
        mistakes: Mistakes = {}
        findings = analyze_text("a.py", self.text, mistakes=mistakes).findings
        self.findings = with_fixes("a.py", self.text, findings, mistakes, self._analyse)

    def _analyse(self, changed: str, only: Collection[int] | None) -> Collection[Finding]:
        chunks = split(changed)
        begun = [*(chunk.line for chunk in chunks), changed.count("\n") + 1]
        self.analysed.append(
            sum(
                after - chunk.line
                for chunk, after in zip(chunks, begun[1:], strict=True)
                if only is None
                or chunk.line in only
                or not chunk.text.lstrip("\n").startswith(("def ", "class ", "@"))
            )
        )
        return analyze_text("a.py", changed, shapes=False, only=only).findings

    @property
    def fixed(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.fix is not None]

    def hold(self) -> bool:
        """Whether each fix works, alone and with the others, by analyses of the whole text."""
        alone = [[finding] for finding in self.fixed]
        return all(map(self._holds, [*alone, self.fixed] if alone else []))

    def _holds(self, some: Iterable[Finding]) -> bool:
        code = Code(self.text)
        accepted = Apart()
        some = [
            finding
            for finding in some
            if finding.fix and accepted.add(changes(code, finding.fix.edits))
        ]
        new = Code(applied(self.text, tuple(accepted)))
        left = analyze_text("a.py", new.text).findings
        keys = [proof.key_of(finding, "a.py", new) for finding in left]
        before = [proof.key_of(finding, "a.py", code, tuple(accepted)) for finding in self.findings]
        gone = [proof.key_of(finding, "a.py", code, tuple(accepted)) for finding in some]
        return set(keys) <= set(before) and set(keys).isdisjoint(gone)


HEAD = "import torch\n\n\n"


def right(number: int) -> str:
    return textwrap.dedent(
        f"""
        def right_{number}(x):
            B, T, C = x.shape
            y = x.transpose(1, 2)
            z = y.reshape(B, C * T)
            return z.sum(-1)

        """
    )


def wrong(number: int) -> str:
    return textwrap.dedent(
        f"""
        def wrong_{number}(x):
            B, T, C = x.shape
            mean = x.mean(-1)
            return x - mean

        """
    )


def test_many_fixes_cost_one_analysis() -> None:
    proofs = Proofs(HEAD + "".join(map(wrong, range(25))))
    assert len(proofs.findings) == len(proofs.fixed) == 25
    assert len(proofs.analysed) == 1
    assert sum(proofs.analysed) <= proofs.lines
    assert proofs.hold()


@pytest.mark.parametrize("number", [1, 3, 10])
def test_a_few_fixes_cost_only_the_code_they_reach(number: int) -> None:
    text = HEAD + "".join(map(right, range(40))) + "".join(map(wrong, range(number)))
    proofs = Proofs(text)
    assert len(proofs.findings) == len(proofs.fixed) == number
    assert len(proofs.analysed) == 2  # without the fixes, and with them
    assert sum(proofs.analysed) <= 2 * (6 * number + 4) < proofs.lines
    assert proofs.hold()


def test_a_group_that_cannot_be_fixed_does_not_block_another() -> None:
    stubborn = """
    def stubborn_{0}(x):
        B, T, C = x.shape
        mean = x.mean(-1)
        y = mean.reshape(B, T)
        return (x - mean) + torch.cat([mean, torch.zeros(1, T, 1)], 1)

    """
    text = HEAD + "".join(map(wrong, range(12)))
    text += "".join(textwrap.dedent(stubborn).format(number) for number in range(6))
    proofs = Proofs(text)
    assert [finding.span.line for finding in proofs.fixed] == [
        8 + 6 * number for number in range(12)
    ]
    assert len(proofs.findings) > len(proofs.fixed)
    assert sum(proofs.analysed) <= max(proofs.lines, FEW_LINES)
    assert proofs.hold()


BROKEN_CALLERS = {
    "function": """
        def caller(x):
            B, T, C = x.shape
            return torch.cat([mean(x), x.sum(-1)], 1)
        """,
    "class": """
        class Caller:
            def call(self, x):
                B, T, C = x.shape
                return torch.cat([mean(x), x.sum(-1)], 1)
        """,
    "variable": """
        alias = mean


        def caller(x):
            B, T, C = x.shape
            return torch.cat([alias(x), x.sum(-1)], 1)
        """,
    "another function": """
        def between(x):
            return mean(x)


        def caller(x):
            B, T, C = x.shape
            return torch.cat([between(x), x.sum(-1)], 1)
        """,
    "module": """
        if __name__ == '__main__':
            x = torch.zeros(2, 3, 4)
            y = torch.cat([mean(x), x.sum(-1)], 1)
        """,
}


@pytest.mark.parametrize("caller", BROKEN_CALLERS.values(), ids=BROKEN_CALLERS)
def test_a_fix_that_breaks_a_caller_is_not_offered(caller: str) -> None:
    fixable = """
    def mean(x):
        B, T, C = x.shape
        found = x.mean(-1)
        y = x - found
        return found


    """
    rest = "".join(map(right, range(40)))
    alone = Proofs(HEAD + textwrap.dedent(fixable) + rest)
    assert len(alone.fixed) == 1
    proofs = Proofs(HEAD + textwrap.dedent(fixable) + textwrap.dedent(caller) + rest)
    assert alone.findings[0].code in [finding.code for finding in proofs.findings]
    assert proofs.fixed == []
    assert 0 < sum(proofs.analysed) <= proofs.lines


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gen_b_33", "gen_b_53"])
def test_functions_that_all_call_each_other(name: str) -> None:
    proofs = Proofs((FAULTS / f"{name}.py").read_text())
    # In the first, a function exceeds the budget of its evaluation, so nothing is proven.
    assert len(proofs.analysed) == (name == "gen_b_53")
    assert sum(proofs.analysed) <= proofs.lines


def test_an_unfinished_evaluation_proves_nothing() -> None:
    text = HEAD + "".join(map(wrong, range(3)))
    mistakes: Mistakes = {}
    originals = analyze_text("a.py", text, mistakes=mistakes).findings
    assert [original.span.line for original in originals] == [8, 14, 20]

    def analyse(changed: str, only: Collection[int] | None) -> Collection[Finding]:
        return analyze_text("a.py", changed, only=only).findings

    def cut(line: int) -> Finding:
        return left_unread("a.py", Span(line, 1, line, 9), "it is too large")

    def fixed(findings: Sequence[Finding], analyse: proof.Analyse) -> list[int]:
        reported = with_fixes("a.py", text, findings, mistakes, analyse)
        return [finding.span.line for finding in reported if finding.fix is not None]

    assert fixed(originals, analyse) == [8, 14, 20]
    assert fixed([*originals, cut(14)], lambda *some: [*analyse(*some), cut(14)]) == [8, 20]
    # Without the fix the evaluation was complete, with it not: the finding may still be there.
    assert fixed(originals, lambda *some: [*analyse(*some), cut(14)]) == [8, 20]


def test_a_short_program_may_be_analysed_a_few_times() -> None:
    proofs = Proofs(
        """
        import torch
        x = torch.zeros(5, 6, 7)
        a, b = x.mean(1), x.mean(2)
        y = x - x.mean(-1).sum(-1)
        z = x - b
        """
    )
    assert sum(proofs.analysed) <= FEW_LINES
    assert len(proofs.analysed) <= FEW_LINES // proofs.lines


def test_a_finding_that_a_part_does_not_have_is_proven_by_the_whole() -> None:
    """A finding that needs the whole file is not fixed because a part does not have it."""
    text = HEAD + wrong(0) + "".join(map(right, range(40)))
    mistakes: Mistakes = {}
    findings = analyze_text("a.py", text, mistakes=mistakes).findings
    parts: list[Collection[int] | None] = []

    def blind(changed: str, only: Collection[int] | None) -> Collection[Finding]:
        parts.append(only)
        return () if only is not None else findings

    assert with_fixes("a.py", text, findings, mistakes, blind) == findings
    assert parts[0] is not None
    assert (
        len(parts) == 1
    )  # the rest of the budget is too small for the whole file, so there is no fix


def test_without_a_budget_there_is_no_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof.Budget, "take", lambda self, lines: False)
    proofs = Proofs(HEAD + wrong(0))
    assert (proofs.fixed, proofs.analysed) == ([], [])


def test_the_search_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    text = HEAD + "".join(map(wrong, range(10)))
    assert len(Proofs(text).fixed) == 10
    monkeypatch.setattr(proof, "MOST_SEARCHED", 100)
    assert 0 < len(Proofs(text).fixed) < 10


def test_the_syntax_of_a_finding_is_searched_in_its_own_statement() -> None:
    code = Code(HEAD + "".join(map(wrong, range(50))) + "a = 1; b = 2\n")
    for number in range(50):
        (around,) = {len(code.around(line)) for line in (5 + 6 * number, 8 + 6 * number)}
        assert around < 40
    assert len(code.around(len(code.lines))) == 6  # two assignments, with a name and a number
    assert code.around(4) == ()
    assert code.around(10_000) == ()


# How far an edit reaches


def reached(text: str, *edited: int) -> list[set[int]]:
    """The chunks that edits of lines reach, by the lines where they begin."""
    chunks = Chunks(Code(textwrap.dedent(text).lstrip("\n")))
    parts = chunks.apart([{chunks.at(line)} for line in edited])
    return [{chunks.all[number].line for number in part} for part in parts]


PROGRAM = """
import torch

def f(x):
    return x

def g(x):
    return f(x)

def h(x):
    return x

class A:
    def call(self, x):
        return h(x)

class B(A):
    pass

made = B()

def k(x):
    return made.call(x)

@torch.no_grad()
def free(x):
    return torch.relu(x)
"""


def test_an_edit_reaches_the_code_that_mentions_its_names() -> None:
    assert reached(PROGRAM, 4) == [{2, 5}]
    assert reached(PROGRAM, 7) == [{5}]
    assert reached(PROGRAM, 10) == [{8, 11, 15, 18, 20}]
    assert reached(PROGRAM, 25) == [{23}]
    # The names of an import reach the code that mentions them.
    assert reached(PROGRAM, 1) == [{1, 23}]


def test_the_reaches_of_two_edits_are_one_part_if_they_overlap() -> None:
    assert reached(PROGRAM, 4, 10) == [{2, 5}, {8, 11, 15, 18, 20}]
    assert reached(PROGRAM, 4, 7) == [{2, 5}]
    assert reached(PROGRAM, 7, 4) == [{2, 5}]
    assert reached(PROGRAM, 20, 10, 18) == [{8, 11, 15, 18, 20}]


def test_an_edit_reaches_through_changes_to_globals() -> None:
    text = """
    table = {}

    def f(x):
        return x

    table["f"] = f

    def g(x):
        return table["f"](x)

    def h():
        global count
        count = 1

    def k():
        return count
    """
    chunks = Chunks(Code(textwrap.dedent(text).lstrip("\n")))
    table, f, changed, g, h, k = (chunks.all[chunks.at(line)].line for line in (1, 3, 6, 8, 11, 15))
    assert reached(text, 3) == [
        {table, f, changed, g}
    ]  # the code that changes the table may have created it
    assert reached(text, 11) == [{h, k}]


def test_the_cost_of_a_part() -> None:
    chunks = Chunks(Code(PROGRAM.lstrip("\n")))
    assert chunks.cost(None) == len(chunks.code.lines) == 26
    module = chunks.cost(frozenset())
    assert module == 2 + 1 + 2  # module-level code: it is always read
    assert chunks.cost(frozenset({chunks.at(4)})) == module + 3


# Changes that can all be made

CHANGES = st.builds(
    lambda start, length, content: Change(start, start + length, content),
    st.integers(0, 12),
    st.integers(0, 3),
    st.sampled_from(["", "a", "b"]),
)


@given(st.lists(st.lists(CHANGES, min_size=1, max_size=1), max_size=8))
def test_apart_accepts_changes_that_do_not_collide(some: Sequence[Sequence[Change]]) -> None:
    apart = Apart()
    accepted: list[Change] = []
    for group in some:
        fits = not collide(group, accepted)
        assert apart.add(group) is fits
        if fits:
            accepted += group
    assert tuple(apart) == tuple(sorted(set(accepted)))


def test_applicability_stays() -> None:
    text = HEAD + "x = torch.zeros(2, 3, 4)\ny = x.transpose(1, 2).view(-1)\nz = x - x.mean(-1)\n"
    kinds = [finding.fix.applicability for finding in Proofs(text).fixed if finding.fix]
    assert kinds == [Applicability.SAFE, Applicability.UNSAFE]

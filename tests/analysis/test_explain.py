"""A finding says where each of the contradicting facts comes from, with its line."""

from __future__ import annotations

import pytest

from namecheck.analysis import analyze
from namecheck.findings import Finding, Level


def only_finding(program: str) -> Finding:
    """The only finding of a program."""
    analysis = analyze("program.py", program.encode())
    (finding,) = (f for f in analysis.findings if f.level is not Level.NOTE)
    return finding


def noted_lines(program: str) -> list[tuple[str, int]]:
    """The notes of the only finding, each with its line."""
    notes = only_finding(program).notes
    assert all(note.span is not None for note in notes)
    return [(note.text, note.span.line) for note in notes if note.span is not None]


def test_names_of_an_unpacking() -> None:
    program = """
def f(x):
    B, T, C = x.shape
    y = x.transpose(1, 2)
    return x @ x
"""
    assert noted_lines(program) == [
        ("x is [B, T, C]", 2),
        ("'T' is dim 1 of x and 'C' is dim 2 of x since `B, T, C = x.shape`", 3),
        ("names bound together are assumed to be different sizes", 3),
    ]


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_note_on_a_line_ends_where_the_line_ends(end: str) -> None:
    program = "import torch\n" + end.join(
        ["def f(x):", "    B, T, C = x.shape", "    return x - x.mean(1)", ""]
    )
    spans = [note.span for note in only_finding(program).notes]
    assert next((span.line, span.end_column) for span in spans if span is not None) == (2, 10)


def test_sizes_of_a_constructor_and_where_the_layer_is_built() -> None:
    program = """
from torch import nn


class Net(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.fc = nn.Linear(dim, 3 * dim)

    def forward(self, x):
        h = self.fc(x)
        return self.fc(h)
"""
    assert noted_lines(program) == [
        ("h is [..., 3*dim]", 11),
        ("the layer is built by `self.fc = nn.Linear(dim, 3 * dim)`", 8),
        ("'dim' is a parameter of Net", 6),
    ]


def test_literals_of_a_layer_and_of_an_attribute() -> None:
    program = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(7, 8))

    def forward(self):
        return torch.zeros(9, 3) @ self.weight
"""
    assert noted_lines(program) == [("self.weight is [7, 8]", 9)]


def test_an_assumption_of_an_op_is_noted() -> None:
    program = """
from torch import nn


class Net(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x):
        B, T, C = x.shape
        y = self.fc(x)
        return x @ y
"""
    assert ("dim is C since `y = self.fc(x)`", 12) in noted_lines(program)
    assert ("'dim' is a parameter of Net", 6) in noted_lines(program)


def test_an_assertion_is_noted() -> None:
    program = """
import torch


def f(x):
    B, T = x.shape
    assert T == 4
    return x @ torch.zeros(5, 2)
"""
    assert noted_lines(program) == [
        ("x is [B, 4]", 5),
        ("'T' is dim 1 of x since `B, T = x.shape`", 6),
        ("T is 4 since `assert T == 4`", 7),
    ]


SIGNATURE = 'def f(x: Float[Tensor, "n m"], y: Float[Tensor, "m k"]):'


def test_annotations() -> None:
    program = f"""
from jaxtyping import Float
from torch import Tensor


{SIGNATURE}
    return x @ y.T
"""
    assert noted_lines(program) == [
        ("x is [n, m]", 6),
        (f"'m' and 'k' are named in `{SIGNATURE}`", 6),
        ("different names in one signature are different sizes", 6),
    ]


def test_comments() -> None:
    program = """
def f(x):
    # x: (B, T, C)
    y = x.transpose(1, 2)  # (B, T, C)
    return y
"""
    assert noted_lines(program) == [("'T' names that size", 3), ("'C' names that size", 3)]
    program = """
def f(x):  # x: (B, T, C)
    return x @ x
"""
    assert noted_lines(program) == [
        ("x is [B, T, C]", 2),
        ("'T' and 'C' are named in `def f(x): # x: (B, T, C)`", 2),
        ("the labels of one comment are assumed to be different sizes", 2),
    ]


def test_letters_of_a_pattern() -> None:
    program = """
from einops import rearrange


def f(x):
    y = rearrange(x, "b t c -> b c t")
    return x @ x
"""
    assert [line for _, line in noted_lines(program)] == [5, 6, 6]


def test_a_callee_that_is_wrong_for_one_caller() -> None:
    program = """
import torch


def inner(x, w):
    return x @ w


def middle(x):
    return inner(x, torch.zeros(5, 3))


def right(x):
    return inner(x, x)


y = middle(torch.zeros(2, 4))
"""
    finding = only_finding(program)
    assert finding.span.line == 6
    notes = noted_lines(program)
    assert [line for text, line in notes if text.startswith(("called", "driven"))] == [10, 17]


def test_variables_of_other_chunks_and_of_the_module() -> None:
    padding = "\n".join(f"def unused{n}():\n    return {n}\n\n" for n in range(60))
    program = f"import torch\n\nx = torch.zeros(2, 3)\n\n{padding}\ny = x @ x\n"
    assert noted_lines(program) == [("x is [2, 3]", 3)]
    program = f"import torch\n\nx = torch.zeros(2, 3)\n\n{padding}\ndef f():\n    return x @ x\n"
    assert noted_lines(program) == [("x is [2, 3]", 3)]


@pytest.mark.parametrize(
    ("call", "labels"),
    [
        ("torch.cat([a, b])", ["[2, 3]", "[2, 4]"]),
        ("a.sum(2)", ["[2, 3]"]),
        ("torch.einsum('ijk,kl->il', a, b)", ["[2, 3]"]),
        ("torch.einsum('ij,klm->il', a, b)", ["[2, 4]"]),
        ("a.permute(0, 0)", ["[2, 3]"]),
    ],
)
def test_operands_are_shown_even_if_an_argument_is_blamed(call: str, labels: list[str]) -> None:
    program = f"import torch\n\na, b = torch.zeros(2, 3), torch.zeros(2, 4)\nc = {call}\n"
    assert [label.text for label in only_finding(program).labels] == labels

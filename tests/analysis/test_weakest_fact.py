"""What a finding rests on: its level, and the line that it cites."""

from __future__ import annotations

import re
from textwrap import dedent

import pytest

from namecheck.analysis import analyze_text
from namecheck.findings import Finding


def findings(program: str) -> list[Finding]:
    return list(analyze_text("a.py", dedent(program).lstrip("\n")).findings)


def levels(program: str) -> list[tuple[int, str, str]]:
    return [(one.span.line, one.code, one.level.value) for one in findings(program)]


def notes(finding: Finding) -> list[str]:
    return [note.text for note in finding.notes]


PROGRAMS = {
    "the program alone": (
        """
        import torch

        def f(x):
            x = x.reshape(-1, 16)
            return x @ torch.zeros(8, 4)
        """,
        "error",
    ),
    "an annotation": (
        """
        import torch
        from jaxtyping import Float
        from torch import Tensor

        def f(x: Float[Tensor, "b 16"]):
            return x @ torch.zeros(8, 4)
        """,
        "error",
    ),
    "the rank in a comment": (
        """
        import torch

        def f(x):
            x = x.float()  # (B, 16)
            return x @ torch.zeros(8, 4)
        """,
        "warning",
    ),
    "a docstring": (
        """
        import torch

        def f(x):
            \"\"\"Project.

            Args:
                x: features of shape (B, 16)
            \"\"\"
            return x @ torch.zeros(8, 4)
        """,
        "warning",
    ),
    "a size in a comment, the rank in the program": (
        """
        import torch

        def f(x, attend):
            y = attend(x).permute(0, 2, 1)  # (B, T, 16)
            return y @ torch.zeros(8, 4)
        """,
        "warning",
    ),
    "what was computed from a commented value": (
        """
        import torch

        def f(x):
            x = x.float()  # (B, 16)
            y = torch.relu(x.T).T
            return y @ torch.zeros(8, 4)
        """,
        "warning",
    ),
    "a number read off a commented value": (
        """
        import torch

        def f(x):
            x = x.float()  # (B, 16)
            n = x.shape[1]
            return torch.zeros(4, n) @ torch.zeros(8, 4)
        """,
        "warning",
    ),
    "a number computed from one": (
        """
        import torch

        def f(x):
            x = x.float()  # (B, 16)
            b, n = x.shape
            return torch.zeros(4, 2 * n) @ torch.zeros(8, 4)
        """,
        "warning",
    ),
    "a tensor of a commented shape": (
        """
        import torch

        def f(x):
            x = x.float()  # (B, 16)
            return torch.zeros(x.shape) @ torch.zeros(8, 4)
        """,
        "warning",
    ),
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_an_error_rests_on_the_program_alone(name: str) -> None:
    program, level = PROGRAMS[name]
    assert [one[2] for one in levels(program)] == [level]


def test_a_part_of_a_shape_rests_on_the_comment_that_says_its_length() -> None:
    program = """
        def f(lab):
            # lab: (1, H, W)
            image = lab[0]
            c, h, w = image.shape[-3:]
            return c * h * w

        def g(lab):
            # lab: (1, H, W)
            a, b = lab.shape[:1] + ()
            return a * b
        """
    assert levels(program) == [(4, "NC303", "warning"), (9, "NC303", "warning")]


@pytest.mark.parametrize("name", [n for n, (_, level) in PROGRAMS.items() if level == "warning"])
def test_a_finding_cites_the_claim_that_it_rests_on(name: str) -> None:
    program, _ = PROGRAMS[name]
    (finding,) = findings(program)
    lines = dedent(program).lstrip("\n").splitlines()
    claim = next(n for n, line in enumerate(lines, 1) if re.search(r"\(B, (T, )?16\)", line))
    assert claim in {note.span.line for note in finding.notes if note.span is not None}
    assert any("16)" in text for text in notes(finding))


def test_an_annotation_that_contradicts_several_uses_is_one_finding_at_the_annotation() -> None:
    program = """
        import torch
        from jaxtyping import Float
        from torch import Tensor

        def f(x: Float[Tensor, "b 3"], w):
            a = x @ torch.zeros(4, 2)
            b = x @ torch.zeros(4, 3)
            c = x.reshape(-1, 3) @ torch.zeros(3, 5)
            d = x @ torch.zeros(4, 4)
            e = x @ torch.zeros(4, 5)
            g = x @ torch.zeros(4, 6)
            return a, b, c, d, e, g
        """
    (finding,) = findings(program)
    assert (finding.span.line, finding.code, finding.level.value) == (5, "NC203", "error")
    assert notes(finding)[:5] == [
        'x is annotated "b 3"',
        "`a = x @ torch.zeros(4, 2)` contradicts it",
        "`b = x @ torch.zeros(4, 3)` contradicts it",
        "`d = x @ torch.zeros(4, 4)` contradicts it",
        "and 2 more places",
    ]


def test_a_comment_that_contradicts_several_uses_is_one_finding_at_its_statement() -> None:
    program = """
        import torch
        from torch import nn

        class Head(nn.Module):
            def __init__(self):
                super().__init__()
                self.proj = nn.Linear(8, 8)

            def forward(self, x):  # x: (B, T, 9)
                return self.proj(x) + self.proj(x * 2)
        """
    assert levels(program) == [(9, "NC208", "warning")]


def test_a_returned_annotation_that_contradicts_each_return_is_one_finding() -> None:
    program = """
        from jaxtyping import Float
        from torch import Tensor

        def f(x: Float[Tensor, "b t c"]) -> Float[Tensor, "b c"]:
            if x.mean() > 0:
                return x.mean(2)
            return x.mean(2) * 3
        """
    assert levels(program) == [(4, "NC401", "warning")]


def test_places_with_causes_of_their_own_are_findings_of_their_own() -> None:
    program = """
        import torch
        import torch.nn.functional as F

        def f(pred, target):  # pred: (B, 1), target: (B,)
            return F.l1_loss(pred, target), F.huber_loss(pred, target)

        def g(x):
            x = x.reshape(-1, 16)
            return x @ torch.zeros(8, 4), x @ torch.zeros(7, 4)
        """
    assert [line for line, _, _ in levels(program)] == [5, 5, 9, 9]


def test_a_long_formula_has_a_short_name_that_a_note_explains() -> None:
    program = """
        import torch

        def f(x, height, width, patch, stride, padding, dilation):
            n = (height + 2 * padding - dilation * (patch - 1) - 1) // stride + 1
            m = (width + 2 * padding - dilation * (patch - 1) - 1) // stride + 1
            y = torch.zeros(3, n * m * n * m + 1)
            return y @ torch.zeros(n * m * n * m, 2)
        """
    (finding,) = findings(program)
    assert (
        finding.message == "cannot matmul [3, size1] and [size2, 2]: size1 is contracted with size2"
    )
    texts = notes(finding)
    assert any(text.startswith("size1 is computed from ") for text in texts)
    assert all(len(part) <= 80 for text in texts for part in text.split(" is "))


@pytest.mark.parametrize("spelling", ["int(?)", "? is ?", "_,", "[_"])
def test_no_inner_spelling_reaches_a_person(spelling: str) -> None:
    program = """
        import torch

        def f(x, values):
            b, _, c = x.shape
            n = len(values) + int(values[0])
            y = x.reshape(b, -1, c) @ torch.zeros(c + 1, n)
            z = torch.zeros(n, 3, 4) @ torch.zeros(5, 2)
            return y, z, x @ torch.zeros(_, 2).T.reshape(3, 4)
        """
    for finding in findings(program):
        words = (finding.message, *notes(finding), *(label.text for label in finding.labels))
        assert not any(spelling in re.sub(r"`[^`]*`", "", word) for word in words)


UNCITED = {
    "an index": """
        def f(out):
            prob = out.load()  # [S, N, M]
            table = torch.zeros(prob.shape[:-3] + (4, 4))
            return table[:, 0, 0]
        """,
    "a write to an index, in a loop": """
        def f(out, n):
            prob = out.load()  # [S, N, M]
            table = torch.zeros(size=prob.shape[:-3] + (n, n)).to("cpu")
            for i in range(n):
                table[:, i, i] = n
            return table
        """,
    "an argument of another function": """
        def g(prob, n):
            return torch.zeros(prob.shape[:-3] + (n, n)).permute(0, 2, 1)

        def f(out):
            prob = out.load()  # [S, N, M]
            return g(prob, 4)
        """,
    "a method": """
        class Head(torch.nn.Module):
            def table(self, prob):
                return torch.zeros(prob.shape[:-3] + (4, 4))

            def forward(self, out):
                prob = out.load()  # [S, N, M]
                return self.table(prob).permute(0, 2, 1)
        """,
    "an array": """
        def f(out):
            prob = out.load()  # [S, N, M]
            return np.zeros(prob.shape[:-3] + (4, 4)).transpose(0, 2, 1)
        """,
    "a docstring": '''
        def f(prob):
            """Tabulate.

            Args:
                prob: of shape (S, N, M)
            """
            return torch.zeros(prob.shape[:-3] + (4, 4)).permute(0, 2, 1)
        ''',
}


@pytest.mark.parametrize("program", UNCITED.values(), ids=UNCITED)
def test_what_a_comment_decides_unseen_is_not_reported(program: str) -> None:
    assert findings("import numpy as np\nimport torch\n\n" + dedent(program)) == []


CONFIRMED = {
    "the comment changes nothing": """
        def f(out):
            prob = out.load()  # [S, N, M]
            table = torch.zeros(4, 4)
            return table.permute(0, 2, 1), prob
        """,
    "the program has the rank as well": """
        def f(out):
            s, n, m = out.shape
            prob = out.float()  # [s, n, m]
            return torch.zeros(prob.shape[:-3] + (4, 4)).permute(0, 2, 1)
        """,
}


@pytest.mark.parametrize("program", CONFIRMED.values(), ids=CONFIRMED)
def test_what_the_code_alone_shows_is_an_error_beside_comments(program: str) -> None:
    program = "import numpy as np\nimport torch\n\n" + dedent(program)
    assert [(code, level) for _, code, level in levels(program)] == [("NC303", "error")]


def test_a_comment_that_is_cited_is_not_asked_of_the_code_alone() -> None:
    program = """
        import torch

        def f(out):
            prob = out.float()  # (B, 16)
            return prob @ torch.zeros(8, 4)
        """
    assert [code for _, code, _ in levels(program)] == ["NC203"]
    assert any("the comment says" in note for note in notes(findings(program)[0]))


def test_what_names_the_labels_of_a_comment_stays_as_a_warning() -> None:
    program = """
        import torch

        def f(x, E):
            \"\"\"Turn.

            Args:
                E: of shape :math:`(B, 3, 3)`
                x: of shape :math:`(B, 3, 3)`
            \"\"\"
            if len(E.shape) == 2:
                E = E[None]
            x = x.to(E.dtype)
            return x[None, :].expand(-1, 4, -1, -1)
        """
    (finding,) = findings(program)
    assert (finding.code, finding.level.value) == ("NC206", "warning")
    assert any("'B' is named in" in note for note in notes(finding))


CALLEES = {
    "a wrong annotation of a step": """
        import jax
        import jax.numpy as jnp
        from jaxtyping import Array, Float

        def velocity(state: Float[Array, "state"]) -> Float[Array, "state"]:
            return jnp.full(len(state), state[5])

        def advance(state: Float[Array, "state"], steps):
            def body(carry: Float[Array, "state"], step: Float[Array, "4"]):
                return carry, velocity(carry + step * carry)

            return jax.lax.scan(body, state, jnp.array([0, 1, 1, 2]) * steps)
        """,
    "a template of one step": """
        from typing import NamedTuple

        import jax.numpy as jnp
        from jaxtyping import Array, Float

        class Step(NamedTuple):
            gain: Float[Array, "1"]

        def time_first(x):
            return jnp.swapaxes(x, 0, 1)

        def advance(history: Step):
            return time_first(history.gain.squeeze())
        """,
}


@pytest.mark.parametrize("program", CALLEES.values(), ids=CALLEES)
def test_an_annotation_makes_no_callee_wrong(program: str) -> None:
    assert findings(program) == []


def test_what_a_call_passes_makes_a_callee_wrong() -> None:
    program = """
        import jax.numpy as jnp
        from jaxtyping import Array, Float

        def time_first(x):
            return jnp.swapaxes(x, 0, 1)

        def advance(history: Float[Array, "time"]):
            return time_first(jnp.zeros(3)), history
        """
    assert levels(program) == [(5, "NC301", "error")]

"""Labels of comments beside the names that the annotations of a signature declare.

A line ends in the code that is reported there.
"""

from __future__ import annotations

from textwrap import dedent

import pytest
from snippets import check_marks

from namecheck.analysis import analyze_text

HEAD = """
import numpy as np
import torch
from einops import rearrange
from jaxtyping import Bool, Float, Int
from torch import Tensor

"""

PROGRAMS = {
    "a comment does not bind a declared name again": """
        def masks(
            ids: Int[Tensor, "... n"], mask: Bool[Tensor, "... n"]
        ) -> tuple[Bool[Tensor, "... c n"], Int[Tensor, "c"]]:
            u = torch.unique(ids[mask])
            m = rearrange(ids, "... n -> ... 1 n") == rearrange(u, "nc -> nc 1")
            # the next comment is wrong
            m = m & True  # shape: (..., n, max_c)  # NC402
            return m & rearrange(mask, "... n -> ... 1 n"), u

        def turned(x: Float[Tensor, "b t"], w: Float[Tensor, "k t"]) -> Float[Tensor, "k b"]:
            y = w @ x.T  # (b, k)  # NC402
            return y

        def in_a_method_of_a_value(x: Float[Tensor, "t d"]) -> Float[Tensor, "d t"]:
            y = x.transpose(0, 1) * 2  # (t, d)  # NC402
            return y

        def in_a_loop(x: Float[Tensor, "t d"]) -> Float[Tensor, "d t"]:
            for _ in range(3):
                y = x.permute(1, 0)  # (t, d)  # NC402
            return y
        """,
    "right comments": """
        def masks(
            ids: Int[Tensor, "... n"], mask: Bool[Tensor, "... n"]
        ) -> tuple[Bool[Tensor, "... c n"], Int[Tensor, "c"]]:
            u = torch.unique(ids[mask])
            m = rearrange(ids, "... n -> ... 1 n") == rearrange(u, "nc -> nc 1")
            m = m & True  # shape: (..., max_c, n)
            return m & rearrange(mask, "... n -> ... 1 n"), u

        def letters(x: Float[Tensor, "batch time"]) -> Float[Tensor, "time batch"]:
            y = x.T  # (T, B)
            return y

        def variables(x: Float[Tensor, "n d"], y: Float[Tensor, "m d"]) -> Float[Tensor, "m n"]:
            n, d = y.shape
            z = y @ x.T  # (n, k)
            return z

        def parts(x: Float[Tensor, "n d"]) -> Float[Tensor, "k d"]:
            y = x[x[:, 0] > 0]  # (n, d)
            return y

        def other(
            x: Float[np.ndarray, "n d"], index: Int[np.ndarray, "k"]
        ) -> Float[np.ndarray, "k d"]:
            y = x[index]  # (k, d)
            return y
        """,
    "annotations that are wrong by the program": """
        def f(x: Float[Tensor, "b t c"]) -> Float[Tensor, "b c t"]:
            y = x * 2  # (b, t, c)
            return y  # NC401
        """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=list(PROGRAMS))
def test_only_the_marked_lines_are_reported(program: str) -> None:
    check_marks(HEAD + dedent(program))


def levels(program: str) -> list[str]:
    return [one.level.value for one in analyze_text("a.py", HEAD + program).findings]


def test_the_comment_is_reported_with_the_annotation() -> None:
    text = HEAD + dedent(
        """
        def turned(x: Float[Tensor, "b t"], w: Float[Tensor, "k t"]) -> Float[Tensor, "k b"]:
            y = w @ x.T  # (b, k)
            return y
        """
    )
    (finding,) = analyze_text("a.py", text).findings
    notes = [note.text for note in finding.notes]
    assert "'b' is declared in the annotations of turned" in notes


SIGNATURES = {
    "a mask": 'def f(x: Float[Tensor, "n"], m: Bool[Tensor, "k"]):\n    return x[m]',
    "a mask to write to": 'def f(x: Float[Tensor, "n"], m: Bool[Tensor, "k"]):\n    x[m] = 0',
    "a product": 'def f(x: Float[Tensor, "a n"], y: Float[Tensor, "k b"]):\n    return x @ y',
    "an array": 'def f(x: Float[np.ndarray, "a n"], y: Float[np.ndarray, "k"]):\n    return x @ y',
    "rows joined": 'def f(x: Float[Tensor, "a n"], y: Float[Tensor, "a k"]):\n'
    "    return torch.cat([x, y], dim=0)",
    "a result": 'def f(x: Float[Tensor, "n"], y: Float[Tensor, "k"]) -> Float[Tensor, "k"]:\n'
    "    return x * 2",
    "an argument": 'def g(x: Float[Tensor, "n n"]): ...\ndef f(x: Float[Tensor, "a b"]):\n    g(x)',
    "a method": 'class A:\n    def f(self, x: Float[Tensor, "n"], m: Bool[Tensor, "k"]):\n'
    "        return x[m]",
}


@pytest.mark.parametrize("program", SIGNATURES.values(), ids=list(SIGNATURES))
def test_names_of_one_signature_are_presumed_to_differ(program: str) -> None:
    assert levels(program) == ["warning"]


def test_other_sizes_of_annotations_are_certain() -> None:
    program = """
        def f(x: Float[Tensor, "n 3"], y: Float[Tensor, "4 n"]):
            return x @ y
        """
    assert levels(dedent(program)) == ["error"]

"""Annotations of one signature that have the same axes in two orders.

A line ends in the code that is reported there.
"""

from __future__ import annotations

from textwrap import dedent

import pytest
from snippets import check_marks

from namecheck.analysis import analyze_text

PROGRAMS = {
    "a result and a parameter": """
        def colors(
            rgb: Float[Tensor, "*bs n 3"],
            weights: Float[Tensor, "*bs n 1"],
        ) -> Float[Tensor, "3 *bs"]:  # NC401
            return accumulate(rgb, weights)

        def colors(rgb: Float[Tensor, "*bs n 3"]) -> Float[Tensor, "*bs 3"]:
            return accumulate(rgb)
        """,
    "the axes of a batch lead or end": """
        def encode(x: Float[Tensor, "wide *bs"]) -> Float[Tensor, "*bs narrow"]:  # NC401
            return harmonics(x)

        def encode(x: Float[Tensor, "*bs wide"]) -> Float[Tensor, "*bs narrow"]:
            return harmonics(x)

        def any_number(x: Float[Tensor, "wide ..."]) -> Float[Tensor, "... narrow"]:
            return harmonics(x)
        """,
    "two parameters": """
        def blend(x: Float[Tensor, "b t c"], y: Float[Tensor, "t b c"]):  # NC401
            return mix(x, y)

        def blend(x: Float[Tensor, "b t c"], y: Float[Tensor, "b t c"]):
            return mix(x, y)

        def broadcast(x: Float[Tensor, "b t c"], y: Float[Tensor, "#t #b #c"]):
            return mix(x, y)
        """,
    "of three, the one with which the others disagree": """
        def attend(
            q: Float[Tensor, "b d t"],  # NC401
            k: Float[Tensor, "b t d"],
            v: Float[Tensor, "b t d"],
        ) -> Float[Tensor, "b t d"]:
            return attention(q, k, v)
        """,
    "a name for a type": """
        Background = Union[Literal["black"], Float[Tensor, "3"], Float[Tensor, "3 *bs"]]
        Either = Union[Float[Tensor, "h w 3"], Float[Tensor, "3 h w"]]

        def paint(
            rgb: Float[Tensor, "*bs n 3"],
            ground: Background,  # NC401
        ) -> Float[Tensor, "*bs 3"]:
            return accumulate(rgb, ground)

        def show(image: Either) -> Float[Tensor, "h w 3"]:
            return convert(image)
        """,
    "a function that turns axes": """
        def turn(x: Float[Tensor, "b t c"]) -> Float[Tensor, "b c t"]:
            return x.transpose(1, 2)

        def turn_last(x: Float[Tensor, "... a b"]) -> Float[Tensor, "... b a"]:
            return x.mT

        def turn_and_more(x: Float[Tensor, "b t c"]) -> Float[Tensor, "b c t"]:
            if x.ndim > 3:
                return unfold(x)
            return x.transpose(1, 2)

        def declared_only(x: Float[Tensor, "b t c"]) -> Float[Tensor, "b c t"]:
            raise NotImplementedError
        """,
    "axes that others join": """
        def scores(
            q: Float[Tensor, "b q h d"], k: Float[Tensor, "b k h d"], mask: Bool[Tensor, "b h q k"]
        ) -> Float[Tensor, "b h q k"]:
            return attention(q, k, mask)

        def product(left: Float[Tensor, "m n"], right: Float[Tensor, "n m"]):
            return multiply(left, right)

        def cameras(matrix: Float[Tensor, "n 3 4"], inverse: Float[Tensor, "n 4 3"]):
            return project(matrix, inverse)
        """,
    "a layout of its own for fewer axes": """
        def attend(
            q: Float[Tensor, "t h d"], k: Float[Tensor, "t h d"]
        ) -> tuple[Float[Tensor, "t h d"], Float[Tensor, "h t"]]:
            return attention(q, k)

        def scan(
            x: Float[Tensor, "batch seq heads state"],
            decay: Float[Tensor, "batch heads seq"],
            step: Float[Tensor, "batch heads seq"],
        ):
            return mamba(x, decay, step)

        def slipped(
            x: Float[Tensor, "batch seq heads d"], y: Float[Tensor, "batch heads seq d"]  # NC401
        ):
            return mamba(x, y)
        """,
    "dims of any number may begin with the batch": """
        def modulated(x: Float[Tensor, "*dims d"], m: Float[Tensor, "B d"]):
            return x * m

        def narrow(x: Float[Tensor, "*dims d"], m: Float[Tensor, "B k"]):
            n, d = x.shape
            return x * m  # NC201

        def plain(x: Float[Tensor, "n d"], m: Float[Tensor, "B d"], y: Float[Tensor, "*dims d"]):
            return x * m  # NC201

        def scaled(x: Float[Tensor, "*dims d"], m: Float[Tensor, "B d"]):
            n, d = x.shape
            return x * m
        """,
}

HEAD = """\
from typing import Literal, Union
from jaxtyping import Bool, Float
from torch import Tensor
"""


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(HEAD + dedent(PROGRAMS[name]))


def test_the_message_quotes_both_annotations() -> None:
    program = HEAD + 'def f(x: Float[Tensor, "b t c"], y: Float[Tensor, "t b c"]): pass\n'
    (finding,) = analyze_text("a.py", program).findings
    assert finding.message == (
        "'y' is annotated \"t b c\", but 'x' is annotated \"b t c\": "
        "'b' and 't' are in another order"
    )
    assert finding.level == "warning"

"""Real programs with a few changes: cut, spliced, and with tokens replaced.

Hypothesis decides on the changes and their places, so it can make a failing case small: fewer
changes, and the first program. The changes are here; what has to hold then is in `invariants`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from hypothesis import strategies as st

__all__ = ["COMMENTS", "mutated", "mutated_bytes"]

WORDS: Final = (
    *(
        "0",
        "1",
        "-1",
        "2",
        "1.5",
        "1j",
        "1e400",
        "9" * 25,
        "2**70",
        "10**30",
        "0x1F",
        "True",
        "None",
    ),
    *("...", '""', '"B T"', "'b c -> c b'", 'f"{x!r:>{w}}"', '"\\ud800"', 'b"\\xff"', "'''a\nb'''"),
    *("x", "self", "x.shape", "x.shape[-1]", "x[..., None]", "x[1:, ::2]", "x.T", "x.mT", "len(x)"),
    *("torch.zeros(2, 3)", "torch.ones(B, T)", "np.zeros((2, 3))", "jnp.ones(4)", "x.view(-1)"),
    *(
        "x.transpose(1, 2)",
        "x.sum(-1)",
        "x @ x",
        "*x",
        "**x",
        "(x, *y)",
        "[*x]",
        "{**x}",
        "x.names",
    ),
    *(
        "lambda x: x",
        "[x for x in x]",
        "x if x else x",
        "(y := x)",
        "not x",
        "x < x < x",
        "await x",
    ),
    *("nn.Linear(2, 3)", "nn.Sequential()", "einsum('ij,jk', x, x)", "rearrange(x, 'a b -> b a')"),
    *("(", ")", "[", "]", "{", "}", ",", ":", "=", "==", "->", "@", "+", "-", "*", "**", "//", "%"),
    *("+=", "@=", ":=", ".", ";", "\\\n", "\n", "\n    ", "\n\n", "\t", "# (B, T, C)", "#"),
    *("if x:", "else:", "for x in x:", "while x:", "def f(x):", "class C(nn.Module):", "return x"),
    *(
        "with x as y:",
        "try:",
        "except*:",
        "match x:\n    case [x, *_]:",
        "del x",
        "global x",
        "yield",
    ),
    *("import torch", "from x import *", "from . import x", "assert x.shape == (B, T)", "raise"),
    *("B, T, C = x.shape", "@staticmethod", "type X = int", "Float[Tensor, 'b c']", "async"),
    *("names=('B', 'T')", "dim=-1", "axis=0", "keepdim=True", "out=x", "x.refine_names('B', ...)"),
)
"""Replacements of a token: words that the analysis knows, and texts that break it."""

COMMENTS: Final = (
    "# namecheck: ignore[NC202] why",
    "# namecheck: ignore[NC2, misaligned-broadcast]",
    "# namecheck: ignore[NC999]",
    "# namecheck: ignore",
    "# namecheck: ignore[]",
    "# namecheck: ignroe[NC202]",
    "# namecheck: ignore[NC202",
    "# namecheck: file-ignore[NC203, ALL]",
    "# namecheck: disable[NC2]",
    "# namecheck: enable[NC2]",
    "# namecheck: enable",
    "# namecheck:",
    "# noqa",
    "# noqa: NC203, F401",
    "# noqa:NC901 # namecheck: ignore[NC902] # type: ignore",
    "#namecheck:ignore[NC\u2028]",
    "# namecheck: ignore[\ufeffNC203,,]  ",
)

_TOKEN: Final = re.compile(r"\w+|\s+|.", re.DOTALL)
_ODD_BYTES: Final = (
    *(b"\0", b"\xff", b"\xef\xbb\xbf", b"\x0c", b"\r", b"\r\n", b"\x1a", b"\x85", b"\xe2\x80\xa8"),
    *(
        b"\xed\xa0\x80",
        b"\xf0\x9f\x92\xa9",
        b"\xcc\x81",
        b"\xc2\xa0",
        b"\\\n",
        b"\x7f",
        b"\xef\xbc\x91",
    ),
    *(
        b"# coding: utf-16\n",
        b"# coding: latin-1\n",
        b'"""',
        b"'",
        b"{",
        b"}",
        b"(" * 250,
        b"-" * 150,
    ),
)


def mutated(programs: Sequence[str]) -> st.SearchStrategy[bytes]:
    """The bytes of a program with a few changes, or sometimes with none."""

    @st.composite
    def made(draw: st.DrawFn) -> bytes:
        text = draw(st.sampled_from(programs))
        for change in draw(st.lists(st.sampled_from(_CHANGES), max_size=5)):
            text = change(draw, text, programs)
        source = text.encode("utf-8", "surrogatepass")
        if draw(st.integers(0, 7)) == 7:
            source = draw(mutated_bytes(source))
        return source

    return made()


@st.composite
def mutated_bytes(draw: st.DrawFn, source: bytes) -> bytes:
    """Bytes with a few of them removed, doubled or replaced."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(source)))
        end = min(len(source), start + draw(st.sampled_from((0, 1, 1, 2, 5, 40, 1000))))
        new: bytes = draw(
            st.one_of(
                st.sampled_from(_ODD_BYTES),
                st.binary(max_size=4),
                st.just(b""),
                st.just(source[start:end] * 2),
                st.just(source[end : 2 * end - start]),
            )
        )
        source = source[:start] + new + source[end:]
    return source


Change = Callable[[st.DrawFn, str, Sequence[str]], str]


def _tokens(draw: st.DrawFn, text: str) -> tuple[list[str], int]:
    """The tokens of a text, and the index of one that is not white space, if there is any."""
    tokens = _TOKEN.findall(text) or [""]
    solid = [n for n, token in enumerate(tokens) if not token.isspace()]
    return tokens, draw(st.sampled_from(solid or [0]))


def _replace(draw: st.DrawFn, text: str, programs: Sequence[str]) -> str:
    tokens, index = _tokens(draw, text)
    tokens[index] = draw(st.sampled_from(WORDS))
    return "".join(tokens)


def _insert(draw: st.DrawFn, text: str, programs: Sequence[str]) -> str:
    tokens, index = _tokens(draw, text)
    tokens[index] += f" {draw(st.sampled_from(WORDS))} "
    return "".join(tokens)


def _swap(draw: st.DrawFn, text: str, programs: Sequence[str]) -> str:
    tokens, index = _tokens(draw, text)
    _, second_index = _tokens(draw, text)
    tokens[index], tokens[second_index] = tokens[second_index], tokens[index]
    return "".join(tokens)


def _remove(draw: st.DrawFn, text: str, programs: Sequence[str]) -> str:
    tokens, index = _tokens(draw, text)
    del tokens[index : index + draw(st.integers(1, 6))]
    return "".join(tokens)


def _lines(draw: st.DrawFn, text: str) -> tuple[list[str], int, int]:
    """The lines of a text, and the first and the end of a range of them."""
    lines = text.splitlines(keepends=True) or [""]
    start = draw(st.integers(0, len(lines) - 1))
    return lines, start, min(len(lines), start + draw(st.integers(1, 8)))


def _cut(draw: st.DrawFn, text: str, programs: Sequence[str]) -> str:
    lines, start, end = _lines(draw, text)
    return "".join(lines[:start] + lines[end:])


def _double(draw: st.DrawFn, text: str, programs: Sequence[str]) -> str:
    lines, start, end = _lines(draw, text)
    return "".join(lines[:end] + lines[start:])


def _indent(draw: st.DrawFn, text: str, programs: Sequence[str]) -> str:
    lines, start, end = _lines(draw, text)
    width = draw(st.sampled_from((" ", "    ", "\t", "\f", "")))
    moved = [width + line.lstrip(" ") if width == "" else width + line for line in lines[start:end]]
    return "".join(lines[:start] + moved + lines[end:])


def _splice(draw: st.DrawFn, text: str, programs: Sequence[str]) -> str:
    lines, place, _ = _lines(draw, text)
    donor, start, end = _lines(draw, draw(st.sampled_from(programs)))
    return "".join(lines[:place] + donor[start:end] + lines[place:])


def _append(draw: st.DrawFn, text: str, programs: Sequence[str]) -> str:
    return f"{text}\n{draw(st.sampled_from(programs))}"


def _truncate(draw: st.DrawFn, text: str, programs: Sequence[str]) -> str:
    return text[: draw(st.integers(0, len(text)))]


def _comment(draw: st.DrawFn, text: str, programs: Sequence[str]) -> str:
    lines, index, _ = _lines(draw, text)
    words = draw(st.sampled_from(COMMENTS))
    line = lines[index].rstrip("\r\n")
    behind = draw(st.booleans())
    space = line[: len(line) - len(line.lstrip())]
    lines[index] = f"{line}  {words}\n" if behind else f"{space}{words}\n{lines[index]}"
    return "".join(lines)


def _ends(draw: st.DrawFn, text: str, programs: Sequence[str]) -> str:
    return text.replace("\n", draw(st.sampled_from(("\r\n", "\r", "\n\n", "\\\n", "\f\n"))))


_CHANGES: Final[tuple[Change, ...]] = (
    *(_replace, _replace, _replace, _insert, _insert, _swap, _remove, _cut, _double, _indent),
    *(_splice, _append, _truncate, _comment, _comment, _ends),
)

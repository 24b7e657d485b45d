"""Exact abstract answers: data/exact_answers.txt, at least one row for every op and every layer.

Rules that know nothing satisfy the laws, too; this table has what they have to know.  A row is a
call, or several spellings of one, and its outcome:

    torch.sum Tensor.sum([N:2 T:? C:c*3], -1) -> [N:2 T:?]
    torch.nn.Linear(c, 4*c)([... T:t c]) -> [... T:t 4*c]
    torch.cat(([2 c], [3 c])) -> [5 c]
    torch.mm([n k], [k' m]) -> [n m] if k == k'
    torch.add([2 3], [4]) ! NC201
    torch.sub([b 1], [b]) -> [b b] doubts NC202 NC209

Tensors are written in brackets as in `shapes.shape`, other arguments as in Python or as sizes; `?`
is UNKNOWN everywhere, and texts like `1:` are slices.  Several results are separated by commas, and
the sizes that a question answers are in round brackets.  `or 1` marks a duty that a 1 fulfils as
well.  A line that begins with spaces continues the line before.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from calls import Call, ask, everything, name_of, read_listed

from namecheck_runtime.declare import OPS
from namecheck_runtime.lattice import UNKNOWN, Dim, Symbolic, Trailing
from namecheck_runtime.layers import LAYERS
from namecheck_runtime.mistakes import Mistake
from shapes import shape, size

DATA = Path(__file__).parents[1] / "data"
ROWS = DATA / "exact_answers.txt"
UNDECIDED = read_listed(DATA / "undecided_answers.txt")
"""Ops whose answer depends on more than names and sizes, with the reason."""


class Row(NamedTuple):
    """One call and its expected outcome."""

    number: int
    text: str
    call: Call
    result: Any = None
    refused: str = ""
    duties: tuple[tuple[Any, Any, bool], ...] = ()
    doubts: tuple[str, ...] = ()


def split(text: str, separator: str = ",") -> list[str]:
    """The parts of a text between the separators that are outside of brackets and strings."""
    parts, depth, quoted = [""], 0, False
    for character in text:
        quoted ^= character == "'"
        depth += (character in "([") - (character in ")]")
        if character == separator and not depth and not quoted:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def value(text: str) -> Any:
    """One argument or result."""
    if text.startswith("["):
        return shape(text[1:-1])
    if text.startswith("("):
        return tuple(map(value, split(text[1:-1])))
    if text == "?":
        return UNKNOWN
    if re.fullmatch(r"[^':]*:[^']*", text):
        return slice(*(value(part.strip()) if part.strip() else None for part in text.split(":")))
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return size(text)


def arguments(text: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments between the brackets of a call."""
    positional: list[Any] = []
    keywords: dict[str, Any] = {}
    for entry in split(text):
        name, equals, right = entry.partition("=")
        if equals and name.strip().isidentifier():
            keywords[name.strip()] = value(right.strip())
        else:
            positional.append(value(entry))
    return tuple(positional), keywords


def brackets(text: str) -> tuple[str, str]:
    """The text in the round brackets at the start of `text`, and the text behind them."""
    depth, quoted = 0, False
    for index, character in enumerate(text):
        quoted ^= character == "'"
        if not quoted:
            depth += (character in "([") - (character in ")]")
        if not depth:
            return text[1:index], text[index + 1 :].strip()
    raise ValueError(f"a bracket is not closed: {text}")


def read(number: int, text: str) -> Iterator[Row]:
    """The rows of one line: one for each spelling."""
    paths, _, rest = text.partition("(")
    inner, after = brackets("(" + rest)
    built = None
    if after.startswith("("):
        built = arguments(inner)
        inner, after = brackets(after)
    positional, keywords = arguments(inner)
    expected = outcome(after)
    for path in paths.split():
        yield Row(number, text, Call(path, positional, keywords, built), **expected)


def outcome(text: str) -> dict[str, Any]:
    """The fields of a row from the text behind a call."""
    if text.startswith("!"):
        return {"refused": text[1:].strip()}
    text, _, doubts = text.removeprefix("->").partition(" doubts ")
    text, _, conditions = text.partition(" if ")
    parts = split(text)
    results = tuple(map(value, parts))
    return {
        "result": results if len(parts) > 1 or text.rstrip().endswith(",") else results[0],
        "duties": tuple(map(duty, split(conditions))),
        "doubts": tuple(doubts.split()),
    }


def duty(text: str) -> tuple[Any, Any, bool]:
    or_one = text.endswith(" or 1")
    left, _, right = text.removesuffix(" or 1").partition(" == ")
    return size(left.strip()), size(right.strip()), or_one


def read_rows() -> list[Row]:
    """All rows of the table."""
    started: dict[int, str] = {}
    for number, line in enumerate(ROWS.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith(" "):
            started[max(started)] += " " + line.strip()
        elif line and not line.startswith("#"):
            started[number] = line
    return [row for number, text in started.items() for row in read(number, text)]


TABLE = read_rows()


@pytest.mark.parametrize("row", TABLE, ids=[f"{row.number}-{row.call.path}" for row in TABLE])
def test_row(row: Row) -> None:
    answer = ask(row.call)
    assert answer is not None, f"line {row.number}: {row.call} does not bind"
    if isinstance(answer, Mistake):
        assert answer.code == row.refused, f"line {row.number}: {row.call} is refused: {answer}"
        return
    assert not row.refused, f"line {row.number}: {row.call}  ->  {answer.result}"
    assert answer.result == row.result, f"line {row.number}: {row.text}\n{answer.result!r}"
    duties = tuple((duty.left, duty.right, duty.or_one) for duty in answer.duties)
    assert duties == row.duties, f"line {row.number}: {row.text}"
    assert tuple(doubt.code for doubt in answer.doubts) == row.doubts, f"line {row.number}"


def is_known(value: Any, symbols: bool = True) -> bool:
    """Whether an argument or a result has no UNKNOWN (and no symbol, if not `symbols`)."""
    if isinstance(value, Dim):
        return value.name is not UNKNOWN and is_known(value.size, symbols)
    if isinstance(value, Trailing):
        return False
    if isinstance(value, tuple | list):
        return all(is_known(entry, symbols) for entry in value)
    return value is not UNKNOWN and (symbols or not isinstance(value, Symbolic))


def has_no_unknowns(call: Call, symbols: bool = True) -> bool:
    built = call.built or ((), {})
    parts = (*call.arguments, *call.keywords.values(), *built[0], *built[1].values())
    return is_known(parts, symbols)


def test_every_op_and_layer_has_a_row() -> None:
    missing = set(everything()) - {name_of(row.call.path) for row in TABLE}
    assert not missing, "no row in tests/data/exact_answers.txt"


def test_calls_without_unknowns_have_answers_without_unknowns() -> None:
    """Each op has such a row, or is listed as undecided."""
    answered: set[str] = set()
    for row in TABLE:
        name = name_of(row.call.path)
        if row.refused or not has_no_unknowns(row.call):
            continue
        if has_no_unknowns(row.call, symbols=False):
            assert is_known(row.result) or name in UNDECIDED, f"line {row.number}: {row.text}"
        if is_known(row.result):
            answered.add(name)
    undecided = set(everything()) - answered - UNDECIDED.keys()
    assert not undecided, "no row of exact_answers.txt that says all, nor in undecided_answers.txt"
    assert not UNDECIDED.keys() & answered, (
        "decided after all: remove it from undecided_answers.txt"
    )
    assert not UNDECIDED.keys() - OPS.keys() - LAYERS.keys()


def test_every_family_has_three_rows() -> None:
    """A family is a module of rules; the counted rows have an unknown, a symbol or leading dims."""
    rows: dict[str, set[str]] = {}
    for row in TABLE:
        if row.call.built is None:
            function = OPS[name_of(row.call.path)].rules[0].function
        else:
            function = LAYERS[row.call.path].forward.function
        if not has_no_unknowns(row.call) or re.search(r"[\[ :][a-z]", row.text):
            rows.setdefault(function.__module__, set()).add(row.text)
    assert {family: texts for family, texts in rows.items() if len(texts) < 3} == {}

"""Every declaration's parameters are those of the documented signature.

Each rule of each spelling and each layer is compared with data/signatures.json, read from the
libraries: the same parameters in the same order, with a default or without.  A rule may leave out
the keywords that no rule reads (`IGNORED_KEYWORDS`); other differences are data with a reason.  And
every measured call binds.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from calls import read_listed

import golden_names
from namecheck import frameworks
from namecheck_runtime.binding import IGNORED_KEYWORDS, REQUIRED, Rule
from namecheck_runtime.declare import OPS, REGISTRY, Spelling
from namecheck_runtime.layers import LAYERS

DATA = Path(__file__).parents[1] / "data"
EXCEPTIONS = read_listed(DATA / "signature_exceptions.txt")
"""`path:parameter` for a parameter that differs, `path` for a signature that differs."""

UNLOOKED = IGNORED_KEYWORDS | {"out", "names"}


class Slot(NamedTuple):
    """One parameter of a library's signature or of ours, in the form that is compared."""

    name: str
    kind: str
    """`positional`, `keyword`, `variadic` or `keywords`."""
    required: bool


@functools.cache
def signatures() -> Mapping[str, Any]:
    return json.loads((DATA / "signatures.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def overloads(path: str) -> list[tuple[Slot, ...]]:
    """The signatures of a spelling in the library, in its documentation, and in torch 2.12."""
    name = "numpy." + path if path.startswith("ndarray.") else path
    data = signatures()
    in_registry = [
        *data["calls"].get(name, ()),
        *data["documented"].get(name, ()),
        *data["removed"].get(name, ()),
    ]
    return [tuple(read(overload)) for overload in in_registry]


def read(overload: Sequence[str]) -> Iterator[Slot]:
    kind = "positional"
    for text in overload:
        name, equals, _ = text.partition("=")
        if name == "/":
            continue
        if name == "*":
            kind = "keyword"
        elif name.startswith("**"):
            yield Slot(name[2:], "keywords", False)
        elif name.startswith("*"):
            yield Slot(name[1:], "variadic", False)
            kind = "keyword"
        else:
            yield Slot(name, kind, not equals)


def ours(rule: Rule, spelling: Spelling | None, method: bool) -> list[Slot]:
    """A rule's parameters as the spelling takes them: the order of NumPy may differ."""
    slots = [Slot(p.name, p.kind, p.default is REQUIRED) for p in rule.parameters]
    if spelling is not None and spelling.order is not None:
        by_name = {slot.name: slot for slot in slots}
        placed = [
            by_name[name]._replace(kind="positional")
            if name in by_name
            else Slot(name, "ignored", False)
            for name in spelling.order
        ]
        others = [
            slot if slot.kind in ("variadic", "keywords") else slot._replace(kind="keyword")
            for slot in slots
            if slot.name not in spelling.order
        ]
        slots = placed + others
    return slots[1:] if method else slots


def words(path: str) -> Mapping[str, tuple[str, ...]]:
    first = {"Tensor": "torch", "ndarray": "numpy"}.get(path.split(".")[0], path.split(".")[0])
    return frameworks.LIBRARIES[first].WORDS if first in frameworks.LIBRARIES else {}


def same(path: str, our: str, their: str) -> bool:
    """Whether a rule's parameter is the library's, by its keyword in the library or by ours."""
    return our == their or our in words(path).get(their, ())


def differences(
    path: str, mine: Sequence[Slot], theirs: Sequence[Slot], elsewhere: Set[str]
) -> list[str]:
    """The reasons why a rule does not take the calls of one overload.

    `elsewhere` are the parameters of the op's other overloads and spellings, which the rule may
    have as well.  For NumPy and JAX only the order counts: a rule chooses the keywords that matter.
    """
    problems: list[str] = []
    torch = path.startswith(("torch", "Tensor"))
    everything = any(slot.kind == "keywords" for slot in mine)
    variadic = next((slot for slot in mine if slot.kind == "variadic"), None)
    placed = [slot for slot in mine if slot.kind in ("positional", "ignored")]
    expected = [slot for slot in theirs if slot.kind == "positional"]
    named = [slot for slot in mine if slot.kind in ("positional", "keyword")]

    def has(their: Slot) -> bool:
        return (
            everything
            or their.name in UNLOOKED
            or any(same(path, slot.name, their.name) for slot in named)
        )

    operands = set() if torch else {"input", "other"}
    for our, their in zip(placed, expected, strict=False):
        if our.name in operands:
            # NumPy has many names for operands, and calls do not use them.
            operands.discard(our.name)
            named = [slot for slot in named if slot != our]
        elif not same(path, our.name, their.name):
            problems.append(f"{our.name} stands where {their.name} does")
    for their in expected[len(placed) :]:
        if variadic is not None:
            variadic = None
        elif (torch and not has(their)) or (
            their.required and their.name not in UNLOOKED and not everything
        ):
            problems.append(f"{their.name} is missing")
    for their in theirs:
        if their.kind == "keyword" and torch and not has(their):
            problems.append(f"{their.name}= is missing")
        if their.kind == "variadic" and variadic is None and not everything:
            problems.append(f"*{their.name} is missing")
    if not torch:
        return [d for d in problems if f"{path}:{d.split()[0].strip('*=')}" not in EXCEPTIONS]
    there = {slot.name for slot in theirs}
    for our in named:
        if our.name == "names" and not our.required:
            continue  # every factory of ours has names
        if not any(same(path, our.name, name) for name in there):
            if our.required:
                problems.append(f"{our.name} is required")
            elif our.name not in elsewhere and not any(t.kind == "keywords" for t in theirs):
                problems.append(f"{our.name} is not there")
    return [d for d in problems if f"{path}:{d.split()[0].strip('*=')}" not in EXCEPTIONS]


def elsewhere(names: Sequence[str]) -> frozenset[str]:
    """All parameter names of these spellings, the library's and ours."""
    keywords: set[str] = set()
    for path in names:
        for overload in overloads(path):
            for slot in overload:
                keywords |= {slot.name, *words(path).get(slot.name, ())}
    return frozenset(keywords)


def compared(
    path: str, rules: Sequence[Rule], spelling: Spelling | None, others: Set[str]
) -> list[str]:
    """The differences between the rules of a spelling and its known signatures: overloads that no
    rule takes, rules that fit no overload, and undocumented requirements.
    """
    documented = overloads(path)
    if not documented or path in EXCEPTIONS:
        return []
    method = path.startswith(("Tensor.", "ndarray."))
    slots = [ours(rule, spelling, method) for rule in rules]
    table = [[differences(path, mine, theirs, others) for theirs in documented] for mine in slots]
    problems: list[str] = []
    for row in table:
        if all(row):
            problems.append(f"{path}: {', '.join(shortest(row))}")
    name = "numpy." + path if path.startswith("ndarray.") else path
    for index in range(len(signatures()["calls"].get(name, ()))):
        column = [row[index] for row in table]
        if all(column):
            problems.append(f"{path}({show(documented[index])}): {', '.join(shortest(column))}")
    for mine in slots:
        for our in mine:
            if our.required or our.kind != "positional" or (spelling and spelling.order):
                continue
            theirs = [t for o in documented for t in o if same(path, our.name, t.name)]
            if len(theirs) == len(documented) and all(t.required for t in theirs):
                if f"{path}:{our.name}" not in EXCEPTIONS:
                    problems.append(f"{path}: {our.name} has no default")
    return list(dict.fromkeys(problems))


def shortest(problems: Sequence[list[str]]) -> list[str]:
    return min(problems, key=lambda listed: len(listed))


def show(overload: Sequence[Slot]) -> str:
    return ", ".join(slot.name for slot in overload)


def spellings_with_signature(name: str) -> list[Spelling]:
    return [
        REGISTRY[path]
        for path in OPS[name].spellings
        if not REGISTRY[path].attribute
        and path.split(".")[0] not in ("operator", "builtins", "xla")
    ]


def op_problems(name: str) -> list[str]:
    others = elsewhere(OPS[name].spellings)
    return [
        problem
        for spelling in spellings_with_signature(name)
        for problem in compared(spelling.path, OPS[name].rules, spelling, others)
    ]


def layer_problems(path: str) -> list[str]:
    layer = LAYERS[path]
    return [
        *compared(path, [layer.constructor], None, frozenset()),
        *compared(f"{path}.forward", [layer.forward], None, frozenset()),
    ]


@pytest.mark.parametrize("name", list(OPS))
def test_op(name: str) -> None:
    problems = op_problems(name)
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("path", sorted({layer.name for layer in LAYERS.values()}))
def test_layer(path: str) -> None:
    problems = layer_problems(path)
    assert not problems, "\n".join(problems)


def test_every_measured_call_binds() -> None:
    """Calls that ran on the real library, and calls that it refused because of shapes or names."""
    for row in golden_names.read_rows():
        path = golden_names.spelling_of(row) if row["f"] not in golden_names.RUNTIME_FORMS else ""
        if path not in REGISTRY or golden_names.left_out(row) is not None:
            continue
        assert golden_names.replay(row).got[:10] != "Unbindable", row["id"]


def test_exceptions_are_needed() -> None:
    paths = {entry.partition(":")[0].removesuffix(".forward") for entry in EXCEPTIONS}
    assert not paths - REGISTRY.keys() - LAYERS.keys()

"""Every declaration's parameters are those of the documented signature.

Each rule of each spelling and each layer is held against data/signatures.json, read from the
libraries: the same parameters in the same order, with a default or without.  A rule may leave out
what no rule looks at (`IGNORED_KEYWORDS`); what else differs is data with a reason.  And every
call that was measured binds.
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
"""`path:parameter` for a parameter that differs, `path` for a signature that does."""

UNLOOKED = IGNORED_KEYWORDS | {"out", "names"}


class Slot(NamedTuple):
    """One parameter of a library's signature, or of ours, as both are compared."""

    name: str
    kind: str
    """`positional`, `keyword`, `variadic` or `keywords`."""
    required: bool


@functools.cache
def signatures() -> Mapping[str, Any]:
    return json.loads((DATA / "signatures.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def overloads(path: str) -> list[tuple[Slot, ...]]:
    """What the library and its document say of a spelling, also what torch 2.12 took."""
    name = "numpy." + path if path.startswith("ndarray.") else path
    data = signatures()
    found = [
        *data["calls"].get(name, ()),
        *data["documented"].get(name, ()),
        *data["removed"].get(name, ()),
    ]
    return [tuple(read(overload)) for overload in found]


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
    """A rule's parameters as the spelling takes them: NumPy has an order of its own."""
    slots = [Slot(p.name, p.kind, p.default is REQUIRED) for p in rule.parameters]
    if spelling is not None and spelling.order is not None:
        known = {slot.name: slot for slot in slots}
        placed = [
            known[name]._replace(kind="positional")
            if name in known
            else Slot(name, "ignored", False)
            for name in spelling.order
        ]
        rest = [
            slot if slot.kind in ("variadic", "keywords") else slot._replace(kind="keyword")
            for slot in slots
            if slot.name not in spelling.order
        ]
        slots = placed + rest
    return slots[1:] if method else slots


def words(path: str) -> Mapping[str, tuple[str, ...]]:
    first = {"Tensor": "torch", "ndarray": "numpy"}.get(path.split(".")[0], path.split(".")[0])
    return frameworks.LIBRARIES[first].WORDS if first in frameworks.LIBRARIES else {}


def same(path: str, our: str, their: str) -> bool:
    """Whether a rule's name is a library's, in the library's own words or in ours."""
    return our == their or our in words(path).get(their, ())


def differences(
    path: str, mine: Sequence[Slot], theirs: Sequence[Slot], elsewhere: Set[str]
) -> list[str]:
    """What keeps a rule from taking a call of one overload; `elsewhere` are the parameters of the
    op's other overloads and spellings, which the rule may have as well.  Of NumPy and JAX only the
    order counts: which of their keywords matter is the rule's choice.
    """
    found: list[str] = []
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
            operands.discard(our.name)  # NumPy's names of operands are many, and nobody writes them
            named = [slot for slot in named if slot != our]
        elif not same(path, our.name, their.name):
            found.append(f"{our.name} stands where {their.name} does")
    for their in expected[len(placed) :]:
        if variadic is not None:
            variadic = None
        elif (torch and not has(their)) or (
            their.required and their.name not in UNLOOKED and not everything
        ):
            found.append(f"{their.name} is missing")
    for their in theirs:
        if their.kind == "keyword" and torch and not has(their):
            found.append(f"{their.name}= is missing")
        if their.kind == "variadic" and variadic is None and not everything:
            found.append(f"*{their.name} is missing")
    if not torch:
        return [d for d in found if f"{path}:{d.split()[0].strip('*=')}" not in EXCEPTIONS]
    there = {slot.name for slot in theirs}
    for our in named:
        if our.name == "names" and not our.required:
            continue  # ours has names on every factory
        if not any(same(path, our.name, name) for name in there):
            if our.required:
                found.append(f"{our.name} is required")
            elif our.name not in elsewhere and not any(t.kind == "keywords" for t in theirs):
                found.append(f"{our.name} is not there")
    return [d for d in found if f"{path}:{d.split()[0].strip('*=')}" not in EXCEPTIONS]


def elsewhere(names: Sequence[str]) -> frozenset[str]:
    """All parameter names of these spellings, also in our words."""
    found: set[str] = set()
    for path in names:
        for overload in overloads(path):
            for slot in overload:
                found |= {slot.name, *words(path).get(slot.name, ())}
    return frozenset(found)


def compared(
    path: str, rules: Sequence[Rule], spelling: Spelling | None, others: Set[str]
) -> list[str]:
    """What differs between the rules of a spelling and what is known of its signature: overloads
    that no rule takes, rules that fit none, defaults that nobody documents.
    """
    known = overloads(path)
    if not known or path in EXCEPTIONS:
        return []
    method = path.startswith(("Tensor.", "ndarray."))
    slots = [ours(rule, spelling, method) for rule in rules]
    table = [[differences(path, mine, theirs, others) for theirs in known] for mine in slots]
    problems: list[str] = []
    for row in table:
        if all(row):
            problems.append(f"{path}: {', '.join(shortest(row))}")
    name = "numpy." + path if path.startswith("ndarray.") else path
    for index in range(len(signatures()["calls"].get(name, ()))):
        column = [row[index] for row in table]
        if all(column):
            problems.append(f"{path}({show(known[index])}): {', '.join(shortest(column))}")
    for mine in slots:
        for our in mine:
            if our.required or our.kind != "positional" or (spelling and spelling.order):
                continue
            theirs = [t for o in known for t in o if same(path, our.name, t.name)]
            if len(theirs) == len(known) and all(t.required for t in theirs):
                if f"{path}:{our.name}" not in EXCEPTIONS:
                    problems.append(f"{path}: {our.name} has no default")
    return list(dict.fromkeys(problems))


def shortest(found: Sequence[list[str]]) -> list[str]:
    return min(found, key=lambda listed: len(listed))


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
    """Calls that ran on the real library, and those it refused for shapes or names."""
    for row in golden_names.read_rows():
        path = golden_names.spelling_of(row) if row["f"] not in golden_names.RUNTIME_FORMS else ""
        if path not in REGISTRY or golden_names.left_out(row) is not None:
            continue
        assert golden_names.replay(row).got[:10] != "Unbindable", row["id"]


def test_exceptions_are_needed() -> None:
    paths = {entry.partition(":")[0].removesuffix(".forward") for entry in EXCEPTIONS}
    assert not paths - REGISTRY.keys() - LAYERS.keys()

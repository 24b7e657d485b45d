"""The properties of a rule code are in the class of its mistake, never in a collection of codes.

A new rule code is then a class in `namecheck_runtime/mistakes/`, and its author need not search for
the sets that it belongs to.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = [
    path
    for folder in ("runtime", "namecheck", "plugin", "docs/hooks", "packaging")
    for path in sorted((ROOT / folder).rglob("*.py"))
]

CODE = re.compile(r"NC\d{3}")

ALLOWED = {
    # One row per fix: the module that makes it, which is above the mistakes.
    ("namecheck/namecheck/fixes/candidates.py", "MAKERS"),
    # A run that remembers its findings needs both without loading the mistakes
    # (`test_a_warm_run_is_light`). `test_selection` compares them with the classes.
    ("namecheck/namecheck/codes/selection.py", "DEFAULT"),  # families, and one code of a family
    ("namecheck/namecheck/codes/selection.py", "STRICT"),
}
"""The allowed collections of codes, by path and variable."""


def constants(node: ast.AST) -> Iterator[str]:
    """The words in the strings of a collection, of a pattern's alternatives, or of an `or`."""
    match node:
        case ast.Set(elts=parts) | ast.List(elts=parts) | ast.Tuple(elts=parts):
            inner: list[ast.AST] = [*parts]
        case ast.Dict(keys=keys, values=values):
            inner = [*filter(None, keys), *values]
        case ast.MatchOr(patterns=patterns):
            inner = [
                inner_node.value
                for inner_node in patterns
                if isinstance(inner_node, ast.MatchValue)
            ]
        case ast.BoolOp(op=ast.Or(), values=values):
            inner = [
                right for inner_node in values for right in getattr(inner_node, "comparators", ())
            ]
            if len(inner) < 2:
                return
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="split")):
            yield from text.split()
            return
        case _:
            return
    for inner_node in inner:
        if isinstance(inner_node, ast.Constant) and isinstance(inner_node.value, str):
            yield inner_node.value


def collections(tree: ast.Module) -> Iterator[tuple[str, int, list[str]]]:
    """The collections with rule codes in them: the module-level variable, the line, the codes."""
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                pass
            case _:
                name = ""
        for node in ast.walk(statement):
            codes = [text for text in constants(node) if CODE.fullmatch(text)]
            if codes:
                yield name, getattr(node, "lineno", 0), codes


def test_no_collection_of_rule_codes_is_outside_the_mistakes() -> None:
    codes_by_place = {
        (str(path.relative_to(ROOT)), name): (line, codes)
        for path in SOURCES
        for name, line, codes in collections(ast.parse(path.read_bytes()))
    }
    assert {place: codes for place, codes in codes_by_place.items() if place not in ALLOWED} == {}
    assert codes_by_place.keys() == ALLOWED, "an exception that is no longer needed"


@pytest.mark.parametrize(
    ("source", "is_found"),
    [
        ('SOME = frozenset({"NC201", "NC202"})', True),
        ('SOME = {"NC201": 1}', True),
        ('def f(code):\n    return code in ("NC201",)', True),
        ('def f(code):\n    return code == "NC201" or code == "NC202"', True),
        ('match code:\n    case "NC201" | "NC202":\n        pass', True),
        ('SOME = "NC201 NC202".split()', True),
        ('def f(code):\n    return code == "NC201"', False),
        ('FAMILIES = ("NC1", "NC2")', False),
        ('UNREAD = "NC900"', False),
        ('"""NC201 and NC202."""', False),
    ],
)
def test_collections_are_found(source: str, is_found: bool) -> None:
    assert bool(list(collections(ast.parse(source)))) is is_found

"""What a drive finds in the tables of other files, whatever the same run has checked before."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent

import pytest

from namecheck.analysis import analyze_text, open_program
from namecheck.files.project import Project
from namecheck.findings import Analysis

PROJECT = {
    "shop/__init__.py": "from .registry import build\n",
    "shop/registry.py": """
        import torch

        FOUND = {}
        KINDS = {"heads": {}, "bodies": {}}
        WIDTHS = {"small": 3}
        RULES = [(torch.nn.Linear, 3)]
        _MASKS = {}

        def register(name):
            def enter(cls):
                if name in FOUND:
                    raise KeyError(name)
                FOUND[name] = cls
                return cls
            return enter

        def register_kind(kind):
            def enter(function):
                KINDS[kind][function.__name__] = function
                return function
            return enter

        def configure(name, width):
            WIDTHS[name] = width

        def add_rule(kind, width):
            RULES.append((kind, width))

        def build(name, *sizes):
            if name not in FOUND:
                raise ValueError(name)
            return FOUND[name](*sizes)

        def mask(size):
            if size not in _MASKS:
                _MASKS[size] = torch.ones(size, size)
            return _MASKS[size]

        @register("plain")
        class Plain(torch.nn.Linear):
            def __init__(self, width):
                super().__init__(width, 2)
        """,
    "shop/small.py": """
        from torch import nn
        from .registry import configure, register, register_kind

        configure("small", 4)

        @register("small")
        class Small(nn.Linear):
            def __init__(self, width):
                super().__init__(width, 3)

        @register_kind("heads")
        def tiny(width=4):
            return Small(width)
        """,
    "shop/large.py": """
        from torch import nn
        from shop.registry import register, register_kind

        @register("large")
        class Large(nn.Linear):
            def __init__(self, width):
                super().__init__(width, 9)

        @register_kind("bodies")
        def huge(width=4):
            return Large(width)
        """,
    "shop/all.py": "from . import large, small\n",
    "test_small.py": """
        import torch
        import shop.small
        from shop.registry import KINDS, RULES, WIDTHS, build

        def test_right():
            y = build("small", 5)(torch.ones(2, 5)) @ torch.ones(3, 2)
            y = build("plain", 5)(torch.ones(2, 5)) @ torch.ones(2, 2)
            return KINDS["heads"]["tiny"](6)(torch.ones(2, 6)) @ torch.ones(3, 2)

        def test_wrong():
            return build("small", 5)(torch.ones(2, 5)) @ torch.ones(4, 2)  # NC203

        def test_wrong_kind():
            return KINDS["heads"]["tiny"](6)(torch.ones(2, 6)) @ torch.ones(4, 2)  # NC203

        def test_of_a_file_that_is_not_imported():
            return build("large", 5)(torch.ones(2, 5)) @ torch.ones(4, 2)

        def test_what_another_file_has_set():
            return torch.ones(2, 4) @ torch.ones(WIDTHS["small"], 2)

        def test_what_others_may_add():
            return torch.ones(2, 1) @ torch.ones(len(RULES), len(KINDS["heads"]))
        """,
    "test_all.py": """
        import torch
        from shop import all, build
        from shop.registry import mask, register

        @register("own")
        class Own(torch.nn.Linear):
            def __init__(self, width):
                super().__init__(width, 7)

        def test_right():
            y = build("large", 5)(torch.ones(2, 5)) @ torch.ones(9, 2)
            y = build("own", 5)(torch.ones(2, 5)) @ torch.ones(7, 2)
            return build("small", 5)(torch.ones(2, 5)) @ torch.ones(3, 2)

        def test_wrong():
            return build("large", 5)(torch.ones(2, 5)) @ torch.ones(4, 2)  # NC203

        def test_wrong_own():
            return build("own", 5)(torch.ones(2, 5)) @ torch.ones(4, 2)  # NC203

        def test_cache():
            y = torch.ones(2, 3) @ mask(3)
            return torch.ones(2, 3) @ mask(4)  # NC203
        """,
    "test_none.py": """
        import torch
        from shop import build
        from shop.registry import mask

        def test_none():
            y = torch.ones(2, 4) @ mask(4)
            return build("small", 5)(torch.ones(2, 5)) @ torch.ones(4, 2)

        def test_registered_in_the_table_s_own_file():
            return build("plain", 5)(torch.ones(2, 5)) @ torch.ones(4, 2)  # NC203
        """,
}

CHECKED = ("test_small.py", "test_all.py", "test_none.py", "shop/small.py", "shop/all.py")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder of the project."""
    for name, text in PROJECT.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(dedent(text))
    return tmp_path


def analyses(root: Path, names: Sequence[str]) -> dict[str, Analysis]:
    """The analyses of some files, one after the other, by one program."""
    program = open_program(Project([str(root)]))
    paths = {name: root / name for name in names}
    return {
        name: analyze_text(str(path), path.read_text(), program=program)
        for name, path in paths.items()
    }


@pytest.mark.parametrize("name", CHECKED)
def test_what_a_file_finds(root: Path, name: str) -> None:
    marks = [
        (number, mark[1])
        for number, line in enumerate((root / name).read_text().splitlines(), 1)
        if (mark := re.search(r"# (NC\d{3})$", line))
    ]
    found = analyses(root, [name])[name].findings
    assert [(one.span.line, one.code) for one in found] == marks


def test_what_is_checked_before_changes_nothing(root: Path) -> None:
    alone = {name: analyses(root, [name])[name] for name in CHECKED}
    for order in itertools.permutations(CHECKED[:3]):
        for names in ((*order, *CHECKED[3:]), (*CHECKED[3:], *order)):
            together = analyses(root, names)
            for name in CHECKED:
                assert together[name] == alone[name], (name, names)


def test_a_file_depends_on_what_enters_in_tables(root: Path) -> None:
    read = analyses(root, ["test_all.py"])["test_all.py"].depends
    inside = {"all.py", "large.py", "small.py", "registry.py"}
    assert {str(root / "shop" / name) for name in inside} <= set(read)

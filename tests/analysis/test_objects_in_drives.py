"""What a drive follows: attributes as classes define them, decorators, rows, tables, configs."""

from __future__ import annotations

import os
from pathlib import Path
from textwrap import dedent

import pytest
from snippets import check_marks

from namecheck.analysis import analyze, open_program
from namecheck.files.project import Project

PROGRAMS = {
    "tables that cannot be changed, and keys made of shapes": """
        from types import MappingProxyType
        import torch
        from torch import nn
        KINDS = frozenset({"a", "b"})
        SIZES = MappingProxyType({"wide": 7, "narrow": 5})
        def test_table():
            layer = nn.Linear(SIZES["wide"], 3)
            layer(torch.randn(2, SIZES["wide"]))
            if "a" in KINDS:
                layer(torch.randn(2, SIZES["narrow"]))  # NC208
        def test_text():
            y = torch.randn(2, 5)
            assert str(y.shape) == "torch.Size([2, 5])"
            table = {}
            if str(y.size()) not in table:
                table[str(y.size())] = torch.zeros(5, 3)
            y @ table[str(y.size())] @ torch.zeros(4, 2)  # NC203
        """,
    "a protocol": """
        from typing import Protocol, runtime_checkable
        import torch
        from torch import nn
        @runtime_checkable
        class Backend(Protocol):
            def step(self, x): ...
        class Linear:
            def step(self, x):
                return x
        class Other:
            pass
        class Net(nn.Module):
            def __init__(self, backend):
                super().__init__()
                if not isinstance(backend, Backend):
                    raise TypeError("no backend")
                self.lin = nn.Linear(4, 5)
        def test_it():
            Net(Linear()).lin(torch.zeros(3, 5))  # NC208
        def test_other():
            Net(Other()).lin(torch.zeros(3, 4))
        """,
    "a property's setter": """
        import torch
        class Sizes:
            def __init__(self):
                self._width = 3
            @property
            def width(self):
                return 2 * self._width
            @width.setter
            def width(self, value):
                self._width = value
        def test_it():
            sizes = Sizes()
            sizes.width = 5
            torch.randn(3, sizes.width) @ torch.randn(10, 2)
            return torch.randn(3, sizes.width) @ torch.randn(5, 2)  # NC203
        """,
    "a setter of a base class, by setattr": """
        import torch
        class Base:
            @property
            def labels(self):
                return len(self.names)
            @labels.setter
            def labels(self, count):
                self.names = {i: f"label_{i}" for i in range(count)}
        class Sizes(Base):
            def __init__(self, **rest):
                self.names = {}
                for key, value in rest.items():
                    setattr(self, key, value)
        def test_it():
            sizes = Sizes(labels=4, depth=3)
            torch.randn(sizes.depth, sizes.labels) @ torch.randn(4, 2)
            return torch.randn(3, sizes.labels) @ torch.randn(sizes.depth, 2)  # NC203
        """,
    "names that stand for others": """
        import torch
        class Config:
            aliases = {"hidden_size": "dim"}
            def __init__(self, dim, heads=2):
                self.dim = dim
                self.heads = heads
            def __setattr__(self, key, value):
                if key in super().__getattribute__("aliases"):
                    key = super().__getattribute__("aliases")[key]
                super().__setattr__(key, value)
            def __getattribute__(self, key):
                if key != "aliases" and key in super().__getattribute__("aliases"):
                    key = super().__getattribute__("aliases")[key]
                return super().__getattribute__(key)
        def test_it():
            config = Config(6)
            torch.randn(3, config.hidden_size) @ torch.randn(6, 2)
            config.hidden_size = 8
            torch.randn(3, getattr(config, "depth", 5)) @ torch.randn(5, 2)
            return torch.randn(3, config.dim) @ torch.randn(6, 2)  # NC203
        """,
    "attributes that are looked up elsewhere": """
        import torch
        class Config:
            def __init__(self, **entries):
                self.entries = entries
            def __getattr__(self, name):
                return self.entries[name]
        def test_it():
            config = Config(width=4)
            torch.randn(3, config.width) @ torch.randn(4, 2)
            return torch.randn(3, config.width) @ torch.randn(5, 2)  # NC203
        """,
    "attributes as a dict": """
        import torch
        class Config:
            def __init__(self, width, depth):
                self.width = width
                self.__dict__["height"] = 7
                self.depth = depth
            def as_dict(self):
                return {key: value for key, value in self.__dict__.items() if key != "depth"}
        def test_it():
            first = Config(4, 5)
            second = Config(**{**first.as_dict(), "width": 6, "depth": 3}) if False else first
            vars(second).update(width=9)
            torch.randn(3, second.height) @ torch.randn(7, 2)
            torch.randn(3, len(first.as_dict())) @ torch.randn(2, 2)
            return torch.randn(3, second.width) @ torch.randn(4, 2)  # NC203
        """,
    "whether there is an attribute": """
        import torch
        class Config:
            width = 4
            def __init__(self):
                self.depth = 5
        def test_it():
            config = Config()
            wide = 8 if hasattr(config, "height") else config.width
            deep = config.depth if hasattr(config, "depth") else 2
            torch.randn(wide, deep) @ torch.randn(5, 4)
            return torch.randn(wide, deep) @ torch.randn(4, 4)  # NC203
        """,
    "fields by a marked base class": """
        from typing import ClassVar
        from typing_extensions import dataclass_transform
        import torch
        @dataclass_transform(kw_only_default=True)
        class Base:
            kind: ClassVar[str] = ""
            depth: int = 1
            def __post_init__(self, **rest):
                for key, value in rest.items():
                    setattr(self, key, value)
        class Config(Base):
            width: int = 64
            ratio: int = 2
            def __post_init__(self, **rest):
                self.inner = self.width * self.ratio
                super().__post_init__(**rest)
        def test_it():
            config = Config(width=5, extra=3)
            torch.randn(config.extra, config.inner) @ torch.randn(10, config.depth)
            return torch.randn(2, config.width) @ torch.randn(64, 3)  # NC203
        """,
    "defaults that fields make": """
        from dataclasses import dataclass, field, replace
        import torch
        @dataclass
        class Config:
            width: int = field(default=6)
            sizes: list = field(default_factory=list)
        def test_it():
            config = replace(Config(), sizes=[3, 4])
            torch.randn(config.sizes[0], config.width) @ torch.randn(6, 2)
            config.sizes.append(5)
            return torch.randn(config.sizes[2], 3) @ torch.randn(config.width, 2)  # NC203
        """,
    "a decorator with arguments on a method": """
        import functools
        import torch
        def logged(*, quietly):
            def wear(method):
                @functools.wraps(method)
                def inner(self, *args, **kwargs):
                    scale = kwargs.pop("scale", None)
                    if not quietly:
                        self.greet()
                    result = method(self, *args, **kwargs)
                    return result if scale is None else result * scale
                return inner
            return wear
        class Mill:
            @logged(quietly=True)
            def weave(self, warp, weft):
                return warp @ weft  # NC203
        def test_right():
            return Mill().weave(torch.randn(3, 4), torch.randn(4, 5), scale=2)
        def test_wrong():
            return Mill().weave(torch.randn(3, 4), torch.randn(5, 4))
        """,
    "a decorator that changes the result": """
        import functools
        import torch
        def transposed(function):
            @functools.wraps(function)
            def inner(*args, **kwargs):
                return function(*args, **kwargs).T
            return inner
        class Mill:
            @transposed
            def weave(self, x):
                return x
        def test_it():
            x = Mill().weave(torch.randn(3, 4))
            x @ torch.randn(3, 2)
            return x @ torch.randn(4, 2)  # NC203
        """,
    "the names of a function's variables": """
        import functools
        import torch
        def completed(function):
            @functools.wraps(function)
            def inner(self, *args, **kwargs):
                names = function.__code__.co_varnames
                if "width" in names and kwargs.get("width") is None:
                    kwargs["width"] = getattr(self, "default_width", 3)
                return function(self, *args, **kwargs)
            return inner
        class Mill:
            default_width = 6
            @completed
            def weave(self, x, width=None):
                return x @ torch.randn(width, 2)  # NC203
        def test_right():
            return Mill().weave(torch.randn(3, 6))
        def test_wrong():
            return Mill().weave(torch.randn(3, 5))
        """,
    "a dict of makers": """
        from collections import OrderedDict
        import torch
        from torch import nn
        class Makers(OrderedDict):
            def __getitem__(self, key):
                content = super().__getitem__(key)
                cls, options = content if isinstance(content, tuple) else (content, {})
                return cls(**options)
        HALF = nn.Linear, {"in_features": 4, "out_features": 2}
        MAKERS = Makers({"relu": nn.ReLU, "half": HALF})
        def test_it():
            x = MAKERS["half"](MAKERS["relu"](torch.randn(3, 4)))
            x @ torch.randn(2, 5)
            return x @ torch.randn(4, 5)  # NC203
        """,
    "an object that is a row": """
        import torch
        class Row:
            def __init__(self, size):
                self.size = size
            def __len__(self):
                return self.size
            def __getitem__(self, index):
                if isinstance(index, slice):
                    raise TypeError
                return torch.randn(index + 2, 3)
        def test_it():
            parts = [part for part in Row(3)]
            torch.cat(parts) @ torch.randn(3, len(parts))
            torch.cat(list(Row(2))) + torch.randn(5, 3)
            return Row(3)[1] + torch.randn(4, 3)  # NC201
        """,
    "a slice in a variable": """
        import torch
        def cut(x, keep):
            if isinstance(keep, int):
                keep = slice(-keep, None)
            return x[:, keep, :]
        def test_it():
            x = cut(torch.randn(3, 7, 5), 2)
            x.view(3, 10)
            cut(torch.randn(3, 7, 5), 0).view(3, 35)
            return x.view(3, 35)  # NC204
        """,
    "two dicts in one": """
        import torch
        def build(width=2, depth=3):
            return torch.randn(depth, width)
        def test_it():
            options = {"width": 4} | {"depth": 5}
            build(**options) @ torch.randn(4, 2)
            return build(**options) @ torch.randn(2, 2)  # NC203
        """,
    "namespaces": """
        from types import SimpleNamespace
        import torch
        def test_it():
            plan = SimpleNamespace(bricks=6)
            plan.tiles = plan.bricks + 1
            torch.randn(3, plan.tiles) @ torch.randn(7, getattr(plan, "rows", 2))
            return torch.randn(3, plan.tiles) @ torch.randn(6, 2)  # NC203
        """,
    "dicts with attributes": """
        import torch
        from easydict import EasyDict
        def build(width, depth=3):
            return torch.randn(depth, width)
        def test_it():
            config = EasyDict({"model": {"width": 4}, "rate": 0.1})
            config.model.depth = 5
            config["batch"] = 2
            build(**config.model) @ torch.randn(config.model["width"], config.batch)
            return build(**config.model) @ torch.randn(config.model.get("depth"), 2)  # NC203
        """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=list(PROGRAMS))
def test_wrong_lines_behind_drives(program: str) -> None:
    check_marks(program)


UNKNOWN = {
    "an attribute that may be there": """
        import torch
        class Config:
            def __init__(self, flag):
                if flag.on:
                    self.width = 4
        def test_set():
            width = getattr(Config(open("flag")), "width", 5)
            return torch.randn(3, width) @ torch.randn(4, 2)
        def test_left_out():
            width = getattr(Config(open("flag")), "width", 5)
            return torch.randn(3, width) @ torch.randn(5, 2)
        """,
    "a class behind a decorator that is not known": """
        import torch
        from somewhere import configured
        @configured
        class Config:
            width: int = 4
        def test_it():
            return torch.randn(3, Config(width=5).width) @ torch.randn(5, 2)
        """,
    "attributes that code sets which is not known": """
        import torch
        class Config:
            def __init__(self, names):
                for name in names:
                    setattr(self, name, 5)
        def test_it():
            config = Config(open("names.txt"))
            return torch.randn(3, getattr(config, "width", 4)) @ torch.randn(5, 2)
        """,
    "a metaclass that makes the objects": """
        import torch
        class Made(type):
            def __call__(cls, *arguments):
                made = super().__call__(*arguments)
                made.width = 9
                return made
        class Config(metaclass=Made):
            def __init__(self, width):
                self.width = width
        def test_it():
            return torch.randn(2, Config(4).width) @ torch.randn(9, 2)
        """,
    "a base that sets what its subclasses have": """
        import torch
        class Base:
            def __init_subclass__(cls, **rest):
                cls.width = 5
        class Config(Base):
            width = 3
        def test_it():
            return torch.randn(2, Config().width) @ torch.randn(5, 2)
        """,
    "a key that a dict makes up": """
        import torch
        class Sizes(dict):
            def __missing__(self, key):
                return 4
        def test_it():
            return torch.randn(2, Sizes(a=3)["b"]) @ torch.randn(4, 2)
        """,
    "an object that counts as false": """
        import torch
        class Nothing:
            def __len__(self):
                return 0
        def test_it():
            return torch.randn(3, 3 if Nothing() else 4) @ torch.randn(4, 2)
        """,
    "an attribute that is deleted": """
        import torch
        class Config:
            def __init__(self):
                self.width = 1
                del self.width
        def test_it():
            return torch.randn(3, getattr(Config(), "width", 6)) @ torch.randn(6, 2)
        """,
    "an enumeration of texts": """
        from enum import Enum
        import torch
        class Kind(str, Enum):
            WIDE = "wide"
        def test_it():
            width = 4 if isinstance(Kind.WIDE, Kind) else 5
            return torch.randn(3, width) @ torch.randn(4, 2)
        """,
    "a decorator whose result is not known": """
        import torch
        from somewhere import changed
        class Mill:
            @changed
            def weave(self, x):
                return x
        def test_it():
            return Mill().weave(torch.randn(3, 4)) @ torch.randn(5, 2)
        """,
    "a decorator that calls the function on one of its ways": """
        import functools
        import torch
        def cached(function):
            @functools.wraps(function)
            def inner(self, x):
                found = self.store.load(x)
                if found is not None:
                    return found
                return function(self, x)
            return inner
        class Mill:
            def __init__(self, store):
                self.store = store
            @cached
            def weave(self, x):
                return x
        def test_it():
            return Mill(open("store")).weave(torch.randn(3, 4)) @ torch.randn(5, 2)
        """,
    "a generator that is its iterator": """
        import torch
        class Row:
            def __init__(self, values):
                self.values = values
            def __iter__(self):
                for value in self.values:
                    yield value * 2
        def test_it():
            return [x @ torch.randn(5, 2) for x in Row([torch.randn(3, 4)])]  # NC203
        """,
}


@pytest.mark.parametrize("program", UNKNOWN.values(), ids=list(UNKNOWN))
def test_nothing_is_guessed(program: str) -> None:
    check_marks(program)


LOGGED = """
import functools
from contextlib import contextmanager

@contextmanager
def setting(quietly=None):
    yield

def logged(*, quietly):
    def wear(method):
        @functools.wraps(method)
        def inner(worker, *args, **kwargs):
            loud = not quietly
            if loud:
                worker.greet()
            with setting(quietly=quietly or loud):
                return method(worker, *args, **kwargs)
        return inner
    return wear
"""

MILL = """
import torch
from logs import logged

class Mill:
    @logged(quietly=True)
    def weave(self, warp, weft):
        return warp @ weft

def test_it():
    return Mill().weave(torch.randn(3, 4), torch.randn({rows}, 4))
"""


@pytest.mark.parametrize(("rows", "codes"), [(5, ["NC203"]), (4, [])])
def test_a_decorator_of_another_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int, codes: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("logs.py").write_text(LOGGED)
    text = MILL.replace("{rows}", str(rows))
    Path("mill.py").write_text(text)
    program = open_program(Project(["."], {os.path.realpath("mill.py"): "mill.py"}))
    analysis = analyze("mill.py", text.encode(), program=program)
    assert [finding.code for finding in analysis.findings] == codes


OUTPUTS = """
from collections import OrderedDict

class ModelOutput(OrderedDict):
    def __post_init__(self):
        register(self)

    def to_tuple(self):
        return tuple(self[k] for k in self.keys())
"""

HEAD = """
from dataclasses import dataclass
import torch
from generic import ModelOutput

@dataclass
class Output(ModelOutput):
    loss: torch.Tensor | None = None
    logits: torch.Tensor | None = None
    states: tuple | None = None

def run(with_loss=False):
    loss = torch.randn(4, 4) if with_loss else None
    return Output(loss=loss, logits=torch.randn(3, 5), states=(torch.randn(6, 7),))

def test_it():
    run()[0] @ torch.randn(5, 2)
    run(True)[0] @ torch.randn(4, 2)
    run(True).to_tuple()[1] @ torch.randn(5, 2)
    run()["logits"] @ torch.randn(5, 2)
    run()[-1][0] @ torch.randn(7, 2)
    run()[1:][0][0] @ torch.randn(7, 2)
    return {wrong}
"""


@pytest.mark.parametrize(
    "wrong",
    [
        "run()[0] @ torch.randn(4, 2)",
        "run(True).to_tuple()[0] @ torch.randn(5, 2)",
        "run().logits.T @ torch.randn(5, 2)",
    ],
)
def test_the_fields_of_a_result_are_a_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("generic.py").write_text(OUTPUTS)
    text = dedent(HEAD).replace("{wrong}", wrong)
    Path("head.py").write_text(text)
    program = open_program(Project(["."], {os.path.realpath("head.py"): "head.py"}))
    findings = analyze("head.py", text.encode(), program=program).findings
    assert [(one.span.line, one.code) for one in findings] == [(len(text.splitlines()), "NC203")]

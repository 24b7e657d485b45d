"""Names from other files of the project: where they are found, and what they mean."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner

from namecheck.analysis import analyze, open_program
from namecheck.analysis.python.imports import Found, Program, Unwanted
from namecheck.files.project import Project
from namecheck.findings import Analysis
from namecheck.main import main

Write = Callable[[dict[str, str]], None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """A function that writes the files of a project below an empty working folder."""
    monkeypatch.chdir(tmp_path)

    def write(files: dict[str, str]) -> None:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text))

    return write


def look(path: str, program: Program | None = None) -> Analysis:
    """The analysis of a file with its imports followed from the working folder."""
    program = program or open_program(Project(["."], {os.path.realpath(path): path}))
    return analyze(path, Path(path).read_bytes(), program=program)


def returned(path: str) -> str:
    """The dims of the last value that is returned in the file."""
    analysis = look(path)
    assert not analysis.findings, analysis.findings
    return [shape.dims_text for shape in sorted(analysis.shapes) if shape.kind == "return"][-1]


# Where a module is


def test_modules_are_found_where_python_finds_them(write: Write, tmp_path: Path) -> None:
    write(
        {
            "top.py": "",
            "package/__init__.py": "",
            "package/one.py": "",
            "package/inner/__init__.py": "",
            "package/inner/two.py": "",
            "loose/three.py": "",
            "both/__init__.py": "",
            "both.py": "",
        }
    )
    project = Project()
    two = str(tmp_path / "package/inner/two.py")

    def place(level: int, module: str, importer: str = two) -> str | None:
        result = project.find(importer, level, module)
        if result is None:
            return None
        return os.path.relpath(result.path or f"{result.folder}/", tmp_path)

    assert place(1, "two") == "package/inner/two.py"
    assert place(1, "") == "package/inner/__init__.py"
    assert place(2, "one") == "package/one.py"
    assert place(2, "inner.two") == "package/inner/two.py"
    assert place(2, "") == "package/__init__.py"
    assert place(0, "package.one") == "package/one.py"
    assert place(0, "package") == "package/__init__.py"
    assert place(0, "top") == "top.py"
    assert place(0, "loose.three") == "loose/three.py"
    assert place(0, "loose") == "loose"
    assert place(0, "both") == "both/__init__.py"
    assert place(0, "two") is None
    assert place(1, "one") is None
    assert place(0, "package.nothing") is None
    assert place(0, "") is None
    assert project.find(two, 2, "one") == Found(
        "package.one", str(tmp_path / "package/one.py"), None
    )


def test_libraries_are_not_files_of_the_project(write: Write, tmp_path: Path) -> None:
    write(
        {
            "torch/__init__.py": "",
            "torch/nn.py": "",
            "typing.py": "",
            "einops/__init__.py": "",
            "main.py": "",
        }
    )
    project = Project()
    main = str(tmp_path / "main.py")
    assert project.find(main, 0, "torch") is None
    assert project.find(main, 0, "typing") is None
    # Neither are their own files when a user checks those: the rulebook knows what they mean.
    assert project.find(str(tmp_path / "torch/nn.py"), 1, "nn") is None


@pytest.mark.parametrize(
    ("library", "followed"),
    [("equinox", True), ("flax", True), ("torch", False), ("einops", False)],
)
def test_a_library_of_layers_knows_its_own_files(
    write: Write, tmp_path: Path, library: str, followed: bool
) -> None:
    write({f"{library}/{name}.py": "" for name in ("__init__", "one", "two")})
    importer = str(tmp_path / library / "two.py")
    project = Project([str(tmp_path)])
    for module in (project.find(importer, 1, "one"), project.find(importer, 0, f"{library}.one")):
        assert (module is not None and module.path is not None) == followed
    write({"other.py": ""})
    assert project.find(str(tmp_path / "other.py"), 0, library) is None


def test_packages_installed_beside_one_are_not_followed(write: Write, tmp_path: Path) -> None:
    write(
        {
            "site-packages/mine/__init__.py": "",
            "site-packages/mine/part.py": "",
            "site-packages/theirs/__init__.py": "",
        }
    )
    importer = str(tmp_path / "site-packages/mine/part.py")
    project = Project([str(tmp_path / "site-packages")])
    assert project.find(importer, 0, "mine.part") is not None
    assert project.find(importer, 0, "theirs") is None


@pytest.mark.parametrize("marker", ["pyproject.toml", "setup.py", ".git/HEAD"])
def test_sources_in_src(write: Write, tmp_path: Path, marker: str) -> None:
    write({marker: "", "src/package/__init__.py": "", "tests/unit/test_it.py": ""})
    test = str(tmp_path / "tests/unit/test_it.py")
    module = Project().find(test, 0, "package")
    assert module is not None
    assert module.path == str(tmp_path / "src/package/__init__.py")


def test_named_folders_are_roots(write: Write, tmp_path: Path) -> None:
    write({"work/space/deep/a.py": "", "work/space/other/b.py": "", "work/src/c.py": ""})
    importer = str(tmp_path / "work/space/deep/a.py")
    assert Project().find(importer, 0, "space.other.b") is None
    project = Project([str(tmp_path / "work")])
    assert project.find(importer, 0, "space.other.b") is not None
    assert project.find(importer, 0, "c") is not None
    assert Project([str(tmp_path / "elsewhere")]).find(importer, 0, "c") is None


# Every form of an import

SIZES = """\
    import torch
    from torch import nn

    WIDTH = 48
    SIZES = [16, 32]
    NAMES = {"small": 12, "large": 24}
    GATE = nn.Linear(20, 40)

    def double(x):
        return torch.cat([x, x], dim=-1)

    class Head(nn.Module):
        def __init__(self, dim, out=10):
            super().__init__()
            self.out = out
            self.linear = nn.Linear(dim, out)

        def forward(self, x):
            return self.linear(x)

        @staticmethod
        def pad(x):
            return torch.cat([x, x], dim=0)
"""


@pytest.mark.parametrize(
    ("statement", "expression", "dims"),
    [
        ("from .sizes import WIDTH", "torch.zeros(WIDTH)", "[48]"),
        ("from .sizes import WIDTH as W", "torch.zeros(W)", "[48]"),
        ("from .sizes import (WIDTH, SIZES,)", "torch.zeros(*SIZES)", "[16, 32]"),
        ("from . import sizes", "torch.zeros(sizes.WIDTH)", "[48]"),
        ("from . import sizes as s", "torch.zeros(s.NAMES['large'])", "[24]"),
        ("from ..pkg.sizes import double", "double(torch.zeros(3, 4))", "[3, 8]"),
        ("from .. import pkg", "torch.zeros(pkg.sizes.WIDTH)", "[48]"),
        ("from pkg.sizes import Head", "Head(5)(torch.zeros(2, 5))", "[2, 10]"),
        ("from pkg import sizes", "sizes.Head(5, 6)(torch.zeros(2, 5))", "[2, 6]"),
        ("from pkg.sizes import Head as H", "H.pad(torch.zeros(2, 5))", "[4, 5]"),
        ("import pkg.sizes", "torch.zeros(pkg.sizes.SIZES[1])", "[32]"),
        ("import pkg.sizes as m", "m.GATE(torch.zeros(7, 20))", "[7, 40]"),
        ("from .sizes import *", "double(torch.zeros(WIDTH))", "[96]"),
        ("from pkg import Renamed", "Renamed(5)(torch.zeros(2, 5))", "[2, 10]"),
        ("from . import Renamed, again", "Renamed(again)(torch.zeros(2, 48))", "[2, 10]"),
        ("if True:\n    from .sizes import WIDTH", "torch.zeros(WIDTH)", "[48]"),
        ("if typing.TYPE_CHECKING:\n    from .sizes import Head", "0", ""),
    ],
)
def test_forms(write: Write, statement: str, expression: str, dims: str) -> None:
    main = f"import torch, typing\n{statement}\n\ndef f():\n    return {expression}\n"
    write(
        {
            "pkg/__init__.py": "from .sizes import Head as Renamed, WIDTH as again\n",
            "pkg/sizes.py": SIZES,
            "pkg/main.py": main,
        }
    )
    if dims:
        assert returned("pkg/main.py") == dims
    else:
        assert not look("pkg/main.py").findings


def test_import_in_a_function(write: Write) -> None:
    write(
        {
            "sizes.py": SIZES,
            "main.py": """\
                import torch

                def f():
                    from sizes import Head, WIDTH
                    return Head(WIDTH)(torch.zeros(3, WIDTH))
                """,
        }
    )
    assert returned("main.py") == "[3, 10]"


@pytest.mark.parametrize("inside", ["from . import sizes", "from shop import sizes"])
def test_a_package_that_imports_its_own_module(write: Write, inside: str) -> None:
    write(
        {
            "shop/__init__.py": f"{inside}\n",
            "shop/sizes.py": SIZES,
            "main.py": """\
                import shop, torch
                from shop import sizes

                def f():
                    return torch.zeros(sizes.WIDTH, shop.sizes.SIZES[0])
                """,
        }
    )
    assert returned("main.py") == "[48, 16]"


def test_all_lists_the_names_that_a_star_imports(write: Write) -> None:
    write(
        {
            "sizes.py": "__all__ = ['a', '_b']\na = 2\n_b = 3\nc = 4\n",
            "hidden.py": "d = 5\n_e = 6\n",
            "main.py": """\
                import torch
                from sizes import *
                from hidden import *

                def f(): return torch.zeros(a, _b, d)
                def g(): return torch.zeros(a, c)
                def h(): return torch.zeros(a, _e)
                """,
        }
    )
    shapes = [s.dims_text for s in sorted(look("main.py").shapes)]
    assert shapes == ["[2, 3, 5]", "[2, c]", "[2, _e]"]


def test_stars_through_packages(write: Write) -> None:
    write(
        {
            "pkg/__init__.py": "from .nets import *\nfrom .more import *\n",
            "pkg/nets/__init__.py": "from .one import *\nfrom .one import hidden as shown\n",
            "pkg/nets/one.py": "__all__ = ['width']\nwidth = 3\nhidden = 4\n",
            "pkg/more.py": "depth = 5\n",
            "main.py": """\
                import torch
                import pkg
                from pkg import width, shown, depth

                def f(): return torch.zeros(width, shown, depth, pkg.width)
                """,
        }
    )
    assert returned("main.py") == "[3, 4, 5, 3]"


def test_a_package_of_star_imports_is_not_read_whole_for_one_name(write: Write) -> None:
    files = {f"pkg/part{n}.py": f"a{n} = {n}\n" for n in range(40)}
    stars = "".join(f"from .part{n} import *\n" for n in range(40))
    write({**files, "pkg/__init__.py": stars, "main.py": "from pkg import a7, part8\nx = a7\n"})
    program = open_program(Project(["."]))
    assert not look("main.py", program).findings
    assert len(look("main.py", program).depends) == 1
    assert not look("pkg/__init__.py", program).depends


def test_later_binding_wins(write: Write) -> None:
    write(
        {
            "a.py": "n = 3\n",
            "b.py": "n = 4\nm = 5\nm = 6\n",
            "main.py": """\
                import torch
                from a import n
                from b import n, m

                def f(): return torch.zeros(n, m)
                """,
        }
    )
    assert returned("main.py") == "[4, 6]"


def test_import_error_handlers_of_files_that_exist(write: Write) -> None:
    write(
        {
            "sizes.py": "n = 3\ndef f(x): return x.unsqueeze(0)\n",
            "main.py": """\
                import torch
                try:
                    from sizes import f, n
                except ImportError:
                    f, n = None, 1
                try:
                    from missing import m
                except ImportError:
                    m = 7

                def g(): return f(torch.zeros(n))
                def h(): return torch.zeros(m, 2)
                """,
        }
    )
    shapes = [s.dims_text for s in sorted(look("main.py").shapes)]
    assert shapes[0] == "[1, 3]"
    assert shapes[1] != "[7, 2]"


def test_either_of_two_imports(write: Write) -> None:
    write(
        {
            "a.py": "n = 3\n",
            "b.py": "n = 4\n",
            "main.py": """\
                import sys
                import torch
                if sys.platform == "linux":
                    from a import n
                else:
                    from b import n

                x = torch.zeros(2, 5) @ torch.zeros(n, 3)
                """,
        }
    )
    assert not look("main.py").findings


# What the names mean


def test_inheritance_and_super_across_files(write: Write) -> None:
    write(
        {
            "pkg/__init__.py": "",
            "pkg/base.py": """\
                from torch import nn

                class Base(nn.Module):
                    scale = 2

                    def __init__(self, config):
                        super().__init__()
                        self.config = config
                        self.dim = config.dim
                        self.linear = nn.Linear(self.dim, self.dim * self.scale)

                    def forward(self, x):
                        return self.linear(x)

                    @property
                    def width(self):
                        return self.dim * self.scale
                """,
            "pkg/config.py": """\
                from dataclasses import dataclass

                DEFAULT = 6

                @dataclass
                class Config:
                    dim: int = DEFAULT
                    heads: int = 2
                """,
            "pkg/model.py": """\
                import torch
                from torch import nn
                from .base import Base
                from .config import Config

                class Model(Base):
                    def __init__(self, config):
                        super().__init__(config)
                        self.norm = nn.LayerNorm(self.width)

                    def forward(self, x):
                        return self.norm(super().forward(x))

                def f():
                    return Model(Config())(torch.zeros(3, 6))
                def g():
                    return Model(Config(dim=5))(torch.zeros(3, 5))
                """,
        }
    )
    analysis = look("pkg/model.py")
    assert not analysis.findings
    shapes = {s.line: s.dims_text for s in analysis.shapes if s.kind == "return"}
    assert shapes[15] == "[3, 12]"
    assert shapes[17] == "[3, 10]"


def test_layers_of_imported_classes_in_lists(write: Write) -> None:
    write(
        {
            "blocks.py": """\
                from torch import nn

                class Block(nn.Module):
                    def __init__(self, dim, out):
                        super().__init__()
                        self.net = nn.Sequential(nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, out))

                    def forward(self, x):
                        return self.net(x)
                """,
            "main.py": """\
                import torch
                from torch import nn
                from blocks import Block

                class Net(nn.Module):
                    def __init__(self):
                        super().__init__()
                        self.same = nn.ModuleList([Block(8, 8) for _ in range(3)])
                        self.last = Block(8, 5)

                    def forward(self, x):
                        for block in self.same:
                            x = x + block(x)
                        return self.last(x)

                def f():
                    return Net()(torch.zeros(2, 8))
                """,
        }
    )
    assert returned("main.py") == "[2, 5]"


def test_isinstance_across_files(write: Write) -> None:
    """A class is the same whether its file is evaluated by itself or for another file."""
    write(
        {
            "a.py": """\
                import torch
                import b

                class Base:
                    pass

                def f():
                    one = b.make()
                    if isinstance(one, Base):
                        return torch.zeros(2)
                    return torch.zeros(3)

                def g():
                    if isinstance(b.Other(), Base):
                        return torch.zeros(2)
                    return torch.zeros(3)
                """,
            "b.py": """\
                import a

                class Other:
                    pass

                def make():
                    class Derived(a.Base):
                        pass
                    return Derived()
                """,
        }
    )
    shapes = {s.line: s.dims_text for s in look("a.py").shapes if s.kind == "return"}
    assert shapes == {10: "[2]", 16: "[3]"}


def test_the_order_of_ancestors_is_pythons(write: Write) -> None:
    write(
        {
            "mixins.py": """\
                class Base:
                    n = 1
                class Left(Base):
                    pass
                class Right(Base):
                    n = 2
                """,
            "main.py": """\
                import torch
                from mixins import Left, Right

                class Both(Left, Right):
                    pass

                def f(): return torch.zeros(Both.n)
                """,
        }
    )
    assert returned("main.py") == "[2]"


def test_a_function_uses_the_names_of_its_own_file(write: Write) -> None:
    """A callee's globals, defaults and imports are those of its file."""
    write(
        {
            "pkg/__init__.py": "",
            "pkg/ops.py": """\
                import torch as t
                from .consts import N as size

                WIDTH = 9

                def make(rows=WIDTH):
                    return t.zeros(rows, size, WIDTH)
                """,
            "pkg/consts.py": "N = 4\nWIDTH = 1\n",
            "pkg/main.py": """\
                from .ops import make

                WIDTH, size, t = 100, 200, None

                def f(): return make()
                """,
        }
    )
    assert returned("pkg/main.py") == "[9, 4, 9]"


def test_globals_that_functions_assign_are_unknown(write: Write) -> None:
    write(
        {
            "state.py": """\
                N = 3

                def use(n):
                    global N
                    N = n
                """,
            "main.py": """\
                import torch
                from state import N, use

                use(4)
                x = torch.zeros(2, 4) @ torch.zeros(N, 5)
                """,
        }
    )
    assert not look("main.py").findings


def test_lists_of_another_file_are_not_changed_for_it(write: Write) -> None:
    write(
        {
            "state.py": "SIZES = [2, 3]\n",
            "grow.py": """\
                import torch
                from state import SIZES

                def f():
                    SIZES.append(4)
                    return torch.zeros(*SIZES)
                """,
            "main.py": """\
                import torch
                from state import SIZES

                def f(): return torch.zeros(*SIZES)
                """,
        }
    )
    program = open_program(Project(["."]))
    look("grow.py", program)
    shapes = look("main.py", program).shapes
    assert [s.dims_text for s in shapes] == ["[2, 3]"]


# Circles, and files that cannot be read


def test_circles(write: Write) -> None:
    write(
        {
            "a.py": """\
                import torch
                from b import M

                N = 3
                L = M

                def f(): return torch.zeros(N, M)
                """,
            "b.py": """\
                import torch
                from a import N

                M = N

                def g(): return torch.zeros(N)
                """,
            "main.py": """\
                import torch
                from a import N, f, L

                def h(): return torch.zeros(N)
                """,
            "one.py": "from two import X\nY = X\n",
            "two.py": "from one import Y\nX = Y\n",
            "self.py": "import self as me\nfrom self import z\nw = z\nv = me.v\n",
        }
    )
    for path in ("a.py", "b.py", "one.py", "two.py", "self.py"):
        assert not look(path).findings
    assert returned("main.py") == "[3]"
    # A name is looked up when it is used, so a circle of files is not a circle of names.
    assert returned("b.py") == "[3]"


def test_a_class_that_inherits_from_itself_in_a_circle(write: Write) -> None:
    write(
        {
            "a.py": "from b import B\nclass A(B):\n    pass\n",
            "b.py": "from a import A\nclass B(A):\n    pass\n",
            "main.py": "from a import A\nx = A().anything\n",
        }
    )
    assert not look("main.py").findings
    assert not look("a.py").findings


def test_long_chains_of_imports_end(write: Write) -> None:
    chain = {
        f"m{n}.py": f"from m{n + 1} import C{n + 1}, v{n + 1}\n"
        f"v{n} = v{n + 1}\nclass C{n}(C{n + 1}):\n    pass\n"
        for n in range(200)
    }
    last = {"m200.py": "v200 = 3\nclass C200: pass\n"}
    write({**chain, **last, "main.py": "from m0 import C0, v0\nx = C0()\ny = v0\n"})
    assert not look("main.py").findings


@pytest.mark.parametrize(
    "text", ["def f(:\n", "x = 1\n  y = 2\n", "# coding: no-such\n", "\0", "a = " + "(" * 300]
)
def test_files_that_cannot_be_read_are_unknown(write: Write, tmp_path: Path, text: str) -> None:
    write(
        {
            "broken.py": "",
            "main.py": """\
                import torch
                from broken import n, Net, f
                from broken import *

                x = Net(3)(torch.zeros(2, 4)) @ torch.zeros(n, 5)
                y = f(x) + undefined
                """,
        }
    )
    (tmp_path / "broken.py").write_text(text)
    assert not look("main.py").findings


def test_a_function_that_cannot_be_read_is_unknown(write: Write) -> None:
    write(
        {
            "half.py": "n = 3\n\n\ndef f(:\n    pass\n\n\ndef g(x): return x\n",
            "main.py": "import torch\nfrom half import f, n\nx = f(torch.zeros(n))\n",
        }
    )
    assert not look("main.py").findings


def test_lazy_packages(write: Write) -> None:
    """`__getattr__` or a replaced module gives what it gives to a type checker."""
    write(
        {
            "pkg/__init__.py": """\
                import sys
                from typing import TYPE_CHECKING

                if TYPE_CHECKING:
                    from .net import *
                else:
                    _file = globals()["__file__"]
                    sys.modules[__name__] = LazyModule(__name__, _file)
                """,
            "pkg/net.py": "__all__ = ['width']\nwidth = 3\n",
            "pkg/late.py": "depth = 4\n",
            "other/__init__.py": "def __getattr__(name):\n    return 5\n",
            "other/part.py": "n = 6\n",
            "main.py": """\
                import torch
                import other
                import pkg
                from pkg import width, late
                from other import part, missing

                def f(): return torch.zeros(width, late.depth, part.n)
                x = torch.zeros(2, other.missing) @ torch.zeros(missing, 3)
                y = pkg.missing(x) + other.part.missing
                """,
        }
    )
    assert returned("main.py") == "[3, 4, 6]"


# Findings

CALLEE = """\
    import torch

    def project(x, weight):
        return x @ weight

    def wrong():
        return torch.zeros(2, 3) @ torch.zeros(4, 5)
"""
CALLER = """\
    import torch
    from pkg.callee import project, wrong

    def use():
        a = project(torch.zeros(2, 3), torch.zeros(3, 4))
        wrong()
        return project(torch.zeros(2, 3), torch.zeros(5, 4))
"""


def test_a_callee_that_is_wrong_for_one_caller(write: Write, tmp_path: Path) -> None:
    write({"pkg/__init__.py": "", "pkg/callee.py": CALLEE, "pkg/caller.py": CALLER})
    findings = look("pkg/caller.py").findings
    assert [(f.path, f.span.line, f.code) for f in findings] == [("pkg/callee.py", 4, "NC203")]
    notes = [(n.path, n.span.line) for n in findings[0].notes if n.span and "called" in n.text]
    assert notes == [("pkg/caller.py", 7)]
    # A finding that does not depend on the caller is reported for the callee alone.
    of_callee = look("pkg/callee.py").findings
    assert [(f.path, f.span.line, f.code) for f in of_callee] == [("pkg/callee.py", 7, "NC203")]


def test_the_command_reports_a_finding_once(write: Write) -> None:
    other_caller = CALLER.replace("use", "once_more")
    write(
        {
            "pkg/__init__.py": "",
            "pkg/callee.py": CALLEE,
            "pkg/caller.py": CALLER,
            "pkg/again.py": other_caller,
        }
    )

    def lines(*arguments: str) -> list[str]:
        result = CliRunner().invoke(main, ["check", "--output-format", "concise", *arguments])
        assert result.exit_code == 1, result.output
        return [line.split(" ")[0] for line in result.output.splitlines()]

    both = ["pkg/callee.py:4:12:", "pkg/callee.py:7:12:"]
    assert lines("pkg") == both
    assert lines(".") == both
    assert lines("pkg/caller.py", "pkg/callee.py") == both
    assert lines("pkg/caller.py") == both[:1]
    assert lines("pkg/callee.py") == both[1:]


def test_paths_from_another_folder(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(
        {"pkg/__init__.py": "", "pkg/callee.py": CALLEE, "pkg/caller.py": CALLER, "else/x.py": ""}
    )
    monkeypatch.chdir(tmp_path / "else")
    result = CliRunner().invoke(main, ["check", str(tmp_path / "pkg/caller.py")])
    assert result.exit_code == 1
    assert f"{tmp_path}/pkg/callee.py:4:12" in result.output
    assert "return x @ weight" in result.output
    assert f"at {tmp_path}/pkg/caller.py:7:5" in result.output
    assert "driven by `" in result.output
    monkeypatch.chdir(tmp_path / "pkg")
    result = CliRunner().invoke(main, ["check", "caller.py"])
    assert "callee.py:4:12" in result.output
    shown = CliRunner().invoke(main, ["show", "caller.py"])
    assert shown.exit_code == 0
    assert "[2, 4]" in shown.output


def test_findings_where_only_the_caller_is_wrong(write: Write) -> None:
    """If the result of a callee does not fit the caller, the finding is in the caller."""
    write(
        {
            "layers.py": SIZES,
            "main.py": """\
                import torch
                from layers import Head, double

                def f():
                    x = Head(5)(torch.zeros(2, 5))
                    return double(x) @ torch.zeros(10, 3)
                """,
        }
    )
    findings = look("main.py").findings
    assert [(f.path, f.span.line, f.code) for f in findings] == [("main.py", 6, "NC203")]


# What one run keeps


def test_depends(write: Write, tmp_path: Path) -> None:
    write(
        {
            "a.py": "from b import n\nfrom unused import never\nx = n\n",
            "b.py": "from c import m\nn = m\nfrom d import o\n",
            "c.py": "m = 3\n",
            "d.py": "o = 4\n",
            "unused.py": "never = 5\n",
        }
    )
    expected = tuple(str(tmp_path / name) for name in ("b.py", "c.py"))
    program = open_program(Project(["."]))
    assert look("a.py", program).depends == expected
    assert look("a.py", program).depends == expected  # also if every file is loaded already
    assert look("c.py", program).depends == ()


def test_depends_of_classes(write: Write, tmp_path: Path) -> None:
    write(
        {
            "a.py": "from b import B\nx = B().n\n",
            "b.py": "from c import C\nclass B(C):\n    pass\n",
            "c.py": "from d import n\nclass C:\n    n = n\n",
            "d.py": "n = 3\n",
        }
    )
    expected = tuple(str(tmp_path / name) for name in ("b.py", "c.py", "d.py"))
    program = open_program(Project(["."]))
    assert look("a.py", program).depends == expected
    assert look("a.py", program).depends == expected


def test_a_file_is_read_again_when_it_has_changed(write: Write, tmp_path: Path) -> None:
    write({"a.py": "n = 3\n", "main.py": "import torch\nfrom a import n\nx = torch.zeros(n)\n"})
    program = open_program(Project(["."]))
    assert [s.dims_text for s in look("main.py", program).shapes] == ["[3]"]
    program.refresh()
    (tmp_path / "a.py").write_text("n = 4444\n")
    program.refresh()
    assert [s.dims_text for s in look("main.py", program).shapes] == ["[4444]"]
    (tmp_path / "a.py").unlink()
    program.refresh()
    assert [s.dims_text for s in look("main.py", program).shapes] == []


def dims(path: str, program: Program) -> list[str]:
    return [shape.dims_text for shape in look(path, program).shapes]


def test_an_unsaved_text_replaces_the_file(write: Write, tmp_path: Path) -> None:
    """Imports see the unsaved text of an editor, even of a file that does not exist yet."""
    main = "import torch\nfrom a import n\nfrom b import m\nx = torch.zeros(n, m)\n"
    write({"a.py": "n = 3\n", "main.py": main})
    program = open_program(Project(["."]))
    a, b = os.path.realpath("a.py"), os.path.realpath("b.py")
    program.project.unsaved = {a: "n = 5\n", b: "m = 6\n"}
    assert dims("main.py", program) == ["[5, 6]"]
    program.project.unsaved = {a: "n = 7\n", b: "m = 6\n"}
    program.refresh()
    assert dims("main.py", program) == ["[7, 6]"]
    program.project.unsaved = {b: "m = 6\n"}
    program.refresh()
    assert dims("main.py", program) == ["[3, 6]"]


def test_saving_what_was_unsaved_changes_nothing(write: Write, tmp_path: Path) -> None:
    main = "import torch\nfrom a import n\nx = torch.zeros(n)\n"
    write({"a.py": "n = 3\n", "main.py": main})
    program = open_program(Project(["."]))
    a = os.path.realpath("a.py")
    assert dims("main.py", program) == ["[3]"]
    before = program.modules[a]
    program.project.unsaved = {a: "n = 3\n"}  # opened in an editor
    program.refresh()
    assert program.modules[a] is before
    program.project.unsaved = {a: "n = 55\n"}
    program.refresh()
    assert dims("main.py", program) == ["[55]"]
    before = program.modules[a]
    (tmp_path / "a.py").write_text("n = 55\n")
    program.project.unsaved = {}
    program.refresh()
    assert dims("main.py", program) == ["[55]"]
    assert program.modules[a] is before


def test_a_change_drops_only_the_files_that_import_it(write: Write, tmp_path: Path) -> None:
    write(
        {
            "pkg/__init__.py": "",
            "pkg/size.py": "n = 3\n",
            "pkg/other.py": "m = 4\n",
            "middle.py": "import pkg.size\nn = pkg.size.n\n",
            "main.py": "import torch\nfrom middle import n\nfrom pkg.other import m\n"
            "x = torch.zeros(n, m)\n",
        }
    )
    program = open_program(Project(["."]))
    assert dims("main.py", program) == ["[3, 4]"]
    before = dict(program.modules)
    (tmp_path / "pkg" / "size.py").write_text("n = 555\n")
    program.refresh()
    assert dims("main.py", program) == ["[555, 4]"]
    anew = {
        os.path.relpath(key, tmp_path.resolve())
        for key, module in program.modules.items()
        if before[key] is not module
    }
    assert anew == {"pkg/__init__.py", "pkg/size.py", "middle.py"}


def test_a_change_to_another_module_is_made_once(write: Write, tmp_path: Path) -> None:
    """Every module is dropped if a changed module had changed a value of another module."""
    write(
        {
            "sizes.py": "known = []\n",
            "first.py": "from sizes import known\nknown.append(3)\n",
            "main.py": "import torch\nimport first\nfrom first import known\n"
            "x = torch.zeros(len(known))\n",
        }
    )
    program = open_program(Project(["."]))
    assert dims("main.py", program) == ["[1]"]
    (tmp_path / "first.py").write_text("from sizes import known\nknown.append(44)\n")
    program.refresh()
    assert dims("main.py", program) == ["[1]"]


def test_an_unwanted_analysis_ends(write: Write) -> None:
    """It leaves nothing behind that would make the next analysis wrong."""
    write({"pkg/__init__.py": "", "pkg/callee.py": CALLEE, "pkg/caller.py": CALLER})
    fresh = look("pkg/caller.py", open_program(Project(["."])))
    for patience in range(6):
        program = open_program(Project(["."]))
        answers = iter([False] * patience)
        program.unwanted = lambda answers=answers: next(answers, True)
        with pytest.raises(Unwanted):
            look("pkg/caller.py", program)
        program.unwanted = None
        assert look("pkg/caller.py", program) == fresh


def test_a_file_alone(write: Write) -> None:
    """Without a program a file is checked by itself."""
    write({"a.py": "n = 3\n", "main.py": "import torch\nfrom a import n\nx = torch.zeros(n)\n"})
    analysis = analyze("main.py", Path("main.py").read_bytes())
    assert [s.dims_text for s in analysis.shapes] != ["[3]"]
    assert analysis.depends == ()


def test_the_order_in_which_files_are_checked_does_not_matter(write: Write) -> None:
    write({"pkg/__init__.py": "", "pkg/callee.py": CALLEE, "pkg/caller.py": CALLER})
    forth, back = open_program(Project(["."])), open_program(Project(["."]))
    paths = ["pkg/callee.py", "pkg/caller.py"]
    first = {path: look(path, forth) for path in paths}
    second = {path: look(path, back) for path in reversed(paths)}
    assert first == second


# What is written in another file


OTHER_FILE = {
    "layers.py": """
        from torch import Tensor
        from jaxtyping import Float

        def scaled(x: Float[Tensor, "b n 3"]):
            return x * 2

        def join(points):
            return scaled(points)
        """,
    "model.py": """
        import torch
        from layers import join

        def sample(points: torch.Tensor):
            xyz = points.abs()  # (n, 3)
            return join(xyz)
        """,
}


def test_a_comment_of_another_file_blames_no_code(write: Write) -> None:
    write(OTHER_FILE)
    assert look("model.py").findings == ()
    # In its own file it may, and what the program shows blames code of any file.
    layers, model = map(dedent, (OTHER_FILE["layers.py"], OTHER_FILE["model.py"]))
    write({"model.py": layers + model.replace("from layers import join\n", "")})
    assert [(one.code, one.level) for one in look("model.py").findings] == [("NC404", "warning")]
    shown = model.replace("    xyz", "    n, c = points.shape\n    xyz")
    write({"model.py": shown})
    assert [(one.code, one.level) for one in look("model.py").findings] == [("NC404", "error")]


# One defect in several files


OUTPUT = """
    import numpy as np
    from jaxtyping import Float

    def extend(
        cell: Float[np.ndarray, "n"],
        face: Float[np.ndarray, "n+1"],
    ):
        left = np.expand_dims(face[:, 0], axis=-1)
        right = np.expand_dims(face[:, -1], axis=-1)
        return left, right
    """
STATE = """
    import dataclasses
    import numpy as np
    from jaxtyping import Float

    @dataclasses.dataclass
    class Profiles:
        q: Float[np.ndarray, "n"]
        q_face: Float[np.ndarray, "n+1"]
    """
SAVE = """
    from state import Profiles

    def save(p: Profiles):
        return extend(p.q, p.q_face)
    """


def _places(path: str) -> list[tuple[str, int, str]]:
    return [(f.path, f.span.line, f.code) for f in look(path).findings]


def test_what_contradicts_an_annotation_is_not_told_again_as_a_call_shows_it(
    write: Write,
) -> None:
    here = dedent(OUTPUT) + dedent(SAVE)
    write({"state.py": STATE, "output.py": here})
    assert _places("output.py") == [("output.py", 7, "NC301")]


def test_nor_as_a_call_in_another_file_shows_it(write: Write) -> None:
    imported = "from output import extend\n" + dedent(SAVE)
    write({"state.py": STATE, "output.py": OUTPUT, "fill.py": imported})
    assert _places("output.py") == [("output.py", 7, "NC301")]
    assert _places("fill.py") == []


def test_a_callee_is_not_wrong_by_the_annotation_of_a_field_alone(write: Write) -> None:
    """The field may hold what was stacked, as in torax."""
    plain = OUTPUT.replace(': Float[np.ndarray, "n+1"]', "")
    imported = "from output import extend\n" + dedent(SAVE)
    write({"state.py": STATE, "output.py": plain, "fill.py": imported})
    assert _places("output.py") == []
    assert _places("fill.py") == []


def test_another_mistake_at_a_call_is_told_beside_a_contradicted_annotation(write: Write) -> None:
    wrong = SAVE.replace("p.q_face)", "p.q_face), np.zeros((2, 3)) @ np.zeros(4)")
    write({"state.py": STATE, "output.py": dedent(OUTPUT) + dedent(wrong)})
    assert _places("output.py") == [("output.py", 7, "NC301"), ("output.py", 16, "NC203")]

"""`namecheck annotate` writes inferred dims into programs, but only certain ones."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from click.testing import CliRunner, Result

from namecheck.annotations.annotation_proof import State, Trial
from namecheck.annotations.changes import Annotation
from namecheck.annotations.files import Edited, annotate
from namecheck.annotations.margins import _of_folder, line_length
from namecheck.annotations.search import accepted
from namecheck.findings import Counts, Finding, Level, Span
from namecheck.fixes.code import Code
from namecheck.fixes.words import agree, word
from namecheck.main import main
from namecheck.running.checking import Checked
from namecheck_runtime import sizes
from namecheck_runtime.lattice import Dim
from notebooks import code_cell, notebook

HEAD = "import torch\nfrom torch import nn\nfrom einops import rearrange\n\n\n"


def annotated(path: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["annotate", str(path), "--no-cache", *options])


def written(text: str, folder: Path, *options: str) -> str:
    """The annotated text; a second run must not change it."""
    path = folder / "a.py"
    path.write_bytes(text.encode())
    done = annotated(path, *options)
    assert done.exit_code == 0, done.output
    once = path.read_bytes()
    again = annotated(path, *options)
    assert (again.exit_code, "Wrote" in again.output) == (0, False)
    assert path.read_bytes() == once
    return once.decode()


def of_method(body: str, folder: Path, *options: str) -> str:
    """The `forward` method of a layer, annotated."""
    layer = """\
class Attention(nn.Module):
    def __init__(self, dim, heads, dim_head):
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(dim)
        self.to_q = nn.Linear(dim, heads * dim_head)
        self.to_out = nn.Linear(heads * dim_head, dim)

    def forward(self, x, y):
        B, T, D = x.shape
"""
    text = HEAD + layer + textwrap.indent(textwrap.dedent(body), " " * 8)
    return textwrap.dedent(written(text, folder, *options).removeprefix(HEAD + layer))


COMMENTS = [
    ("x = self.norm(x)", "x = self.norm(x)  # (B, T, dim)"),
    ("x = (\n    self.norm(x)\n)", "x = (\n    self.norm(x)\n)  # (B, T, dim)"),
    ("x += self.norm(x)", "x += self.norm(x)  # (B, T, dim)"),
    ("x: object = self.norm(x)", "x: object = self.norm(x)  # (B, T, dim)"),
    ("return self.norm(x).mean(1)", "return self.norm(x).mean(1)  # (B, dim)"),
    (
        "return self.norm(x), self.norm(x).mean(1)",
        "return self.norm(x), self.norm(x).mean(1)  # (B, T, dim), (B, dim)",
    ),
    ("return x, self.norm(x)", "return x, self.norm(x)  # (B, T, dim), (B, T, dim)"),
    ("q = self.to_q(x)", "q = self.to_q(x)  # (B, T, heads*dim_head)"),
    ("x = self.norm(x)   ", "x = self.norm(x)  # (B, T, dim)"),
    ("if y:\n    x = self.norm(x)", "if y:\n    x = self.norm(x)  # (B, T, D)"),
    (
        "a, b = self.norm(x).chunk(2, 0)[0], self.norm(x).mean(1)",
        "a, b = self.norm(x).chunk(2, 0)[0], self.norm(x).mean(1)  # b: (B, dim)",
    ),
    (
        "a, b = self.norm(x), self.norm(x).mean(1)",
        "a, b = self.norm(x), self.norm(x).mean(1)  # a: (B, T, dim), b: (B, dim)",
    ),
    ("a, b = self.norm(x), self.norm(x)", "a, b = self.norm(x), self.norm(x)  # (B, T, dim)"),
]


@pytest.mark.parametrize(("before", "after"), COMMENTS)
def test_comments(before: str, after: str, tmp_path: Path) -> None:
    assert of_method(before + "\n", tmp_path) == after + "\n"


SILENT = [
    "x = y",  # nothing is known
    "x = self.norm(x)  # normalised",
    "x = self.norm(x)  # noqa: E501",
    "x = self.norm(x)  # [B, T, dim]",
    "# (B, T, dim)\nx = self.norm(x)",
    "x = self.norm(x); z = y",
    "if y: x = self.norm(x)",
    "return x",
    "return self.norm(x), None",  # a comment with one shape would describe the whole tuple
    "return self.norm(x), (self.norm(x), y)",
    "return [self.norm(x)]",
    "return x, x",
    "y = torch.zeros(B, T, self.heads)",  # the line itself says it
    "y = rearrange(x, 'B T D -> B D T')",
    "y = x.reshape(B, T, self.heads, -1)[:, :, :, :3].flatten(1)",  # formulas too long to read
    "y = x.unfold(1, 5, 2)",
    "y = x.shape",
    "y = {'a': x}",
    "x.data = self.norm(x)\ny['a'] = self.norm(x)",
]


@pytest.mark.parametrize("body", SILENT)
def test_lines_that_get_no_comment(body: str, tmp_path: Path) -> None:
    assert "#" not in of_method(body + "\n", tmp_path).replace(body, "")


def test_a_variable_that_keeps_its_dims_gets_one_comment(tmp_path: Path) -> None:
    body = """\
        x = self.norm(x)
        x = x + y.reshape(B, T, -1)
        x = self.norm(x)
        x = x.mean(1)
        x = x * 2
        x = x[:, None].expand(B, T, -1)
        z = x
    """
    assert of_method(body, tmp_path) == textwrap.dedent("""\
        x = self.norm(x)  # (B, T, dim)
        x = x + y.reshape(B, T, -1)
        x = self.norm(x)
        x = x.mean(1)  # (B, dim)
        x = x * 2
        x = x[:, None].expand(B, T, -1)  # (B, T, dim)
        z = x
    """)


def test_a_comment_that_does_not_fit_goes_above_the_line(tmp_path: Path) -> None:
    long = "x = self.norm(x) + self.norm(x) + self.norm(x) + self.norm(x) + self.norm(x) + x"
    assert of_method(long + "\n", tmp_path) == f"# (B, T, dim)\n{long}\n"
    assert of_method(long + "\n", tmp_path, "--line-length", "120") == f"{long}  # (B, T, dim)\n"
    assert of_method(f"# some prose\n{long}\n", tmp_path) == f"# some prose\n{long}\n"
    assert of_method("x = self.norm(x)\n", tmp_path, "--line-length", "20") == "x = self.norm(x)\n"


def test_a_form_feed_stays_where_it_is(tmp_path: Path) -> None:
    text = "import torch\nx = torch.zeros(2, 3)\n\fy = x.sum(0)\n"
    assert written(text, tmp_path) == text.replace("sum(0)", "sum(0)  # shape: (3,)")
    assert written(text, tmp_path, "--line-length", "20") == text


def test_comments_follow_the_style_of_the_file(tmp_path: Path) -> None:
    body = "x = self.norm(x)  # [B, T, dim]\nx = x.mean(1)\n"
    assert of_method(body, tmp_path).endswith("x = x.mean(1)  # [B, dim]\n")


def test_ranks_that_only_calls_suggest_are_not_certain(tmp_path: Path) -> None:
    text = HEAD + textwrap.dedent("""\
        class FeedForward(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.net = nn.Linear(dim, dim)

            def forward(self, x):
                return self.net(x)


        def use(x, dim):
            b, n, _ = x.shape
            return FeedForward(dim)(x)
    """)
    assert "return self.net(x)  # (..., dim)\n" in written(text, tmp_path)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_all_other_bytes_stay(newline: str, encoding: str, tmp_path: Path) -> None:
    if (encoding, newline) == ("latin-1", "\r"):
        pytest.skip("Python's own reader of declared encodings wants lines to end in \\n")
    declared = f"# -*- coding: {encoding} -*-{newline}" if encoding == "latin-1" else ""
    lines = [
        "import torch",
        "\f",
        "def f(x):",
        "\tB, T, C = x.shape",
        "\tü = 'ä  '   ",
        "\ty = x.transpose(1, 2)",
        "\tz = x.sum(0) + x.sum(0) + x.sum(0) + x.sum(0) + x.sum(0) + x.sum(0) + x",
        "\treturn y",
    ]
    path = tmp_path / "a.py"
    path.write_bytes((declared + newline.join(lines)).encode(encoding))
    assert annotated(path).exit_code == 0
    lines[5] += "  # (B, C, T)"
    lines.insert(6, "\t# (B, T, C)")
    assert path.read_bytes() == (declared + newline.join(lines)).encode(encoding)


def test_diff_and_its_exit_code(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    text = "import torch\nx = torch.zeros(2, 3)\ny = x.sum(0)\n"
    path.write_text(text)
    done = annotated(path, "--diff")
    assert done.exit_code == 1
    assert "-y = x.sum(0)\n+y = x.sum(0)  # shape: (3,)\n" in done.output
    assert "Would write 1 annotation in 1 file." in done.output
    assert path.read_text() == text
    assert annotated(path).exit_code == 0
    assert annotated(path, "--diff").exit_code == 0


def test_standard_input_goes_to_standard_output() -> None:
    text = "import torch\nx = torch.zeros(2, 3)\ny = x.sum(0)\n"
    done = CliRunner().invoke(main, ["annotate", "-", "-q", "-n"], input=text)
    assert done.stdout == text.replace("sum(0)", "sum(0)  # shape: (3,)")
    done = CliRunner().invoke(main, ["annotate", "-", "-n"], input="x = 1\n")
    assert (done.exit_code, done.stdout) == (0, "x = 1\n")


@pytest.mark.parametrize(
    "source", [b"", b"\n", b"x = (\n", b"\xff\xfe", b"import torch\n\x00", b"# (B, T)"]
)
def test_unreadable_files_are_left_alone(source: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(source)
    assert annotated(path).exit_code == 0
    assert path.read_bytes() == source


def test_deeply_nested_code_is_left_alone(tmp_path: Path) -> None:
    branches = "".join(f"elif n == {i}:\n    y = x.sum(0)\n" for i in range(700))
    text = f"import torch\nx = torch.zeros(2, 3)\nn = len(x)\nif n == 7:\n    pass\n{branches}"
    path = tmp_path / "a.py"
    path.write_text(text)
    assert annotated(path).exit_code == 0
    compile(path.read_text(), "a.py", "exec", ast.PyCF_ONLY_AST)


def test_an_internal_error_does_not_stop_the_other_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from namecheck.annotations import files

    edited = files._edited

    def failing(document: files.Document, *others: object) -> object:
        if document.path.endswith("a.py"):
            raise KeyError("oh")
        return edited(document, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(files, "_edited", failing)
    text = "import torch\nx = torch.zeros(2, 3)\ny = x.sum(0)\n"
    (tmp_path / "a.py").write_text(text)
    (tmp_path / "b.py").write_text(text)
    done = annotated(tmp_path)
    assert done.exit_code == 2
    assert "namecheck failed on" in done.output
    assert (tmp_path / "a.py").read_text() == text
    assert "# shape: (3,)" in (tmp_path / "b.py").read_text()


def test_several_processes_write_the_same_annotations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("namecheck.running.processes.WORTHWHILE", 1)
    for jobs in ("1", "2"):
        folder = tmp_path / jobs
        folder.mkdir()
        for name in "abcd":
            text = f"import torch\n{name} = torch.zeros(2, 3)\ny = {name}.sum(0)\n"
            (folder / f"{name}.py").write_text(text)
        assert annotated(folder, "--jobs", jobs).exit_code == 0
    alone, several = (sorted((tmp_path / jobs).iterdir()) for jobs in "12")
    assert [path.read_text() for path in alone] == [path.read_text() for path in several]
    assert all("# shape: (3,)" in path.read_text() for path in several)


def test_annotations_that_cause_findings_are_retried_and_then_withdrawn(tmp_path: Path) -> None:
    """The first attempt is wrong for `a.py` and `b.py`; only `a.py` has a better second one."""
    paths = [str(tmp_path / name) for name in ("a.py", "b.py", "c.py")]
    for path in paths:
        Path(path).write_text("x = 1\n")
    asked: list[tuple[str, bool]] = []

    def edit(files: Sequence[str], texts: Mapping[str, bytes], strict: bool) -> Iterator[Edited]:
        for path in files:
            asked.append((path[-4:], strict))
            good = path.endswith("c.py") or (strict and path.endswith("a.py"))
            yield Edited(path, b"x = 1  # good\n" if good else b"x = 1  # bad\n", 1)

    def check(texts: Mapping[str, bytes]) -> Checked:
        findings = [
            Finding(path, Span(1, 1, 1, 2), "NC201", "size-mismatch", Level.ERROR, "oh")
            for path, source in texts.items()
            if b"bad" in source
        ]
        return Checked(findings, Counts(), [], lambda path, _: texts[path].decode(), [], paths)

    outcome = annotate(paths, edit, check, {})
    assert {path[-4:]: file.after.source for path, file in outcome.files.items()} == {
        "a.py": b"x = 1  # good\n",
        "c.py": b"x = 1  # good\n",
    }
    assert outcome.written == 2
    plain = [("a.py", False), ("b.py", False), ("c.py", False)]
    assert asked == [*plain, ("a.py", True), ("b.py", True)]


FUNCTIONS = "".join(f"def f{n}(x):\n    y = x\n    z = y\n    return z\n\n\n" for n in range(12))
"""Twelve functions of six lines each."""


class Judge(Trial):
    """A trial in which some annotations, by their lines, spoil another line."""

    spoils: ClassVar[dict[int, int]] = {}
    evaluated: ClassVar[list[int]] = []

    def within(self, chunks: frozenset[int]) -> Judge:
        return Judge(*self.arguments, chunks)

    @property
    def arguments(self) -> tuple[Any, ...]:
        return self.path, self.whole, self.examine, self.joined, self.silent, self.strict

    def of(self, some: Sequence[Annotation]) -> State | frozenset[int]:
        self.evaluated.append(self.lines)
        spoilt = {
            self.spoils[annotation.keys[0][0]]
            for annotation in some
            if annotation.keys[0][0] in self.spoils
        }
        spoilt_here = {
            line for line in spoilt if self.chunks is None or self.chunks_of([line]) <= self.chunks
        }
        return frozenset(spoilt_here) or self.whole


@pytest.mark.parametrize(
    "spoils",
    [{}, {2: 3}, {2: 27}, {14: 2, 20: 2}, {8: 40, 50: 3, 51: 3}, {n: n for n in range(2, 14)}],
)
def test_annotations_that_do_not_hold_are_found_from_the_lines_they_spoil(
    spoils: dict[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    code = Code(FUNCTIONS)
    lines = [line for line, text in enumerate(code.lines, 1) if text.startswith("    ")]
    options = [Annotation(((line, "x", "assign"),), ()) for line in lines]
    monkeypatch.setattr(Judge, "spoils", spoils)
    monkeypatch.setattr(Judge, "evaluated", [])
    state = State(code, {}, tuple)
    trial = Judge("a.py", state, lambda *_: state, lambda _: (), True, False)
    taken, after = accepted(trial, options, set())
    assert list(taken) == [option for option in options if option.keys[0][0] not in spoils]
    assert after is state
    times = sum(Judge.evaluated) / len(code.lines)
    assert times < 3 + len(spoils), "texts as long as the whole one that were analysed"


def test_a_file_that_may_not_be_written(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("# coding: ascii\nimport torch\nα = 1\n")
    assert annotated(path).exit_code == 0
    assert annotated(tmp_path / "missing.py").exit_code == 2


def test_notebooks(tmp_path: Path) -> None:
    cells = ["%matplotlib inline\nimport torch", "x = torch.zeros(4, 5)", "y = x.sum(0)\n!ls"]
    path = tmp_path / "a.ipynb"
    path.write_bytes(notebook(*(code_cell(cell.splitlines(keepends=True)) for cell in cells)))
    before = path.read_text()
    assert annotated(path).exit_code == 0
    assert path.read_text() == before.replace("y = x.sum(0)", "y = x.sum(0)  # shape: (5,)")
    assert annotated(path, "--diff").exit_code == 0


def test_several_files_and_their_imports(tmp_path: Path) -> None:
    (tmp_path / "layers.py").write_text("def halved(x):\n    return x.sum(1)\n")
    text = "import torch\nfrom layers import halved\n\nz = halved(torch.zeros(2, 3, 4))\n"
    (tmp_path / "use.py").write_text(text)
    done = annotated(tmp_path)
    assert done.exit_code == 0
    assert (tmp_path / "use.py").read_text() == text.replace("4))", "4))  # shape: (2, 4)")


def test_the_program_stays_the_same(tmp_path: Path) -> None:
    text = HEAD + "def f(x):\n    B, T = x.shape\n    return '''\n''', x.sum(0)\n"
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(written(text, tmp_path)))


WORDS = [
    (sizes.symbol("dim"), "dim"),
    (sizes.symbol("config.n_embd"), "config.n_embd"),
    (sizes.symbol("x.0"), None),
    (sizes.symbol("n'"), None),
    (sizes.symbol("?"), None),
    (sizes.symbol("_"), None),
    (7, "7"),
]


@pytest.mark.parametrize(("size", "expected"), WORDS)
def test_sizes_are_written_as_words(size: sizes.Size, expected: str | None) -> None:
    assert word(Dim(None, size)) == expected


def test_which_texts_of_dims_agree() -> None:
    assert agree(("B", None), ("B", "C"))
    assert not agree(("B", "C"), ("B", None))
    assert not agree(("B", "C"), ("A", "B", "C"))
    assert agree(("...", "C"), ("B", "C"))
    assert not agree(("...", "B", "C"), ("C",))


MARGINS = [
    ("pyproject.toml", "[tool.ruff]\nline-length = 100\n", 100),
    ("pyproject.toml", "[tool.black]\nline-length = 99\n", 99),
    ("pyproject.toml", "[tool.ruff.lint.pycodestyle]\nmax-line-length = 98\n", 98),
    ("pyproject.toml", "tool = 3\n", 88),
    ("pyproject.toml", "[tool.ruff\n", 88),
    ("ruff.toml", "line-length = 97\n", 97),
    (".flake8", "[flake8]\nmax-line-length = 96\n", 96),
    ("setup.cfg", "[pycodestyle]\nmax_line_length = 95\n", 95),
    ("tox.ini", "[flake8]\nmax-line-length = many\n", 88),
    (".editorconfig", "root = true\n\n[*.py]\nmax_line_length = 94\n", 94),
]


@pytest.mark.parametrize(("name", "text", "expected"), MARGINS)
def test_the_projects_line_length(name: str, text: str, expected: int, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "inner").mkdir()
    (tmp_path / ".git").mkdir()
    _of_folder.cache_clear()
    assert line_length(str(tmp_path / "inner" / "a.py")) == expected


# Annotations

LAYER = """\
class Layer(nn.Module):
    def __init__(self, dim, out):
        super().__init__()
        self.net = nn.Linear(dim, out)

"""


def typed(method: str, folder: Path, head: str = HEAD, layer: str = LAYER) -> str:
    """A method of a layer, annotated. Other tests look at the imports."""
    text = head + layer + textwrap.indent(textwrap.dedent(method), "    ")
    result = written(text, folder, "--style", "jaxtyping")
    compile(result, "a.py", "exec")
    return textwrap.dedent(result[result.index(layer) + len(layer) :])


BODY = "\n    B, T, D = x.shape\n    return self.net(x)\n"
SIGNATURES = [
    (
        f"def forward(self, x):{BODY}",
        (
            'def forward(\n    self, x: Shaped[torch.Tensor, "B T dim"]\n'
            f') -> Float[torch.Tensor, "B T out"]:{BODY}'
        ),
    ),
    (
        "def forward(self, x: torch.Tensor) -> torch.Tensor: # no\n    return self.net(x)\n",
        # The header cannot be broken, so only what fits is written.
        (
            'def forward(self, x: Shaped[torch.Tensor, "... dim"]) -> torch.Tensor: # no\n'
            "    return self.net(x)\n"
        ),
    ),
    (
        f"def f(self, x: torch.Tensor):{BODY.replace('self.net(x)', 'None')}",
        f'def f(self, x: Shaped[torch.Tensor, "B T D"]):{BODY.replace("self.net(x)", "None")}',
    ),
    (
        "def f(self, x):\n    B, T = x.shape\n    return x.mean(1)\n",
        (
            'def f(self, x: Shaped[torch.Tensor, "B T"]) -> Float[torch.Tensor, " B"]:\n'
            "    B, T = x.shape\n    return x.mean(1)\n"
        ),
    ),
    (
        "def f(\n    self,\n    x,  # what goes in\n    y=1,\n):\n    B, T = x.shape\n",
        (
            'def f(\n    self,\n    x: Shaped[torch.Tensor, "B T"],  # what goes in\n    y=1,\n):\n'
            "    B, T = x.shape\n"
        ),
    ),
    (
        "async def f(self, x):\n    B, T = x.shape\n    return x.mean(1)\n",
        (
            'async def f(self, x: Shaped[torch.Tensor, "B T"]) -> Float[torch.Tensor, " B"]:\n'
            "    B, T = x.shape\n    return x.mean(1)\n"
        ),
    ),
]


@pytest.mark.parametrize(("before", "after"), SIGNATURES)
def test_signatures(before: str, after: str, tmp_path: Path) -> None:
    assert typed(before, tmp_path) == after


UNTOUCHED = [
    "def f(self, x: object):\n    B, T = x.shape\n",
    "def f(self, x: 'torch.Tensor'):\n    B, T = x.shape\n",
    "def f(self, x=3):\n    B, T = x.shape\n",
    "def f(self, *x):\n    B, T = x[0].shape\n",
    "@compiled\ndef f(self, x):\n    B, T = x.shape\n",
    "def f(self, x):\n    # type: (Tensor) -> Tensor\n    B, T = x.shape\n",
    "def f(self, x):\n    return x\n",
    "def f(self, n):\n    yield torch.zeros(n)\n",
    "def f(self, n, m):\n    if m:\n        return torch.zeros(n)\n",
    "def f(self, n, m):\n    if m:\n        return\n    return torch.zeros(n)\n",
    "def f(self, n, m):\n    if m:\n        return 0\n    return torch.zeros(n)\n",
    "def f(self, n, m):\n    if m:\n        return torch.zeros(n), 0\n    return torch.zeros(n)\n",
    "def f(self, n):\n    return torch.zeros(n), foo()\n",
    "def f(self, n):\n    return {'a': torch.zeros(n)}\n",
    "def f(self, n) -> tuple[object, object]:\n    return torch.zeros(n), torch.zeros(n)\n",
    "def f(self, n) -> tuple[torch.Tensor]:\n    return torch.zeros(n), torch.zeros(n)\n",
    "def f(self, n) -> 'tuple[torch.Tensor, int]':\n    return torch.zeros(n), 3\n",
    "def f(self, m) -> torch.Tensor:\n    if m:\n        return None\n    return torch.zeros(2)\n",
    "def f(self, n):\n    return None\n",
    "def f(self, n):\n    return 1, None\n",
    "def f(self, n):\n    return torch.zeros(n).max(0)\n",  # it has fields
    "def f(self, n, tuple):\n    return torch.zeros(n), 1\n",  # the file means something else by it
    "def f(self, n, m):\n    if m:\n        return torch.zeros(m)\n    return torch.zeros(n)\n",
    "def f(self, n) -> object:\n    return torch.zeros(n)\n",
    "async def f(self, n):\n    yield torch.zeros(n)\n",
    "def f(self, n): return torch.zeros(n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n)\n",
]


@pytest.mark.parametrize("method", UNTOUCHED)
def test_signatures_that_stay(method: str, tmp_path: Path) -> None:
    assert typed(method, tmp_path) == method


N = 'Shaped[torch.Tensor, " n"]'
RETURNED = [
    ("", "return torch.zeros(n), torch.zeros(n, 3)", f'tuple[{N}, Shaped[torch.Tensor, "n 3"]]'),
    ("", "return torch.zeros(n), 3", f"tuple[{N}, int]"),
    ("", "return torch.zeros(n), 'a', None, 1.5, True", f"tuple[{N}, str, None, float, bool]"),
    ("", "a = torch.zeros(n), 3\n    return a", f"tuple[{N}, int]"),
    ("", "return (torch.zeros(n), (1, torch.zeros(n)))", f"tuple[{N}, tuple[int, {N}]]"),
    ("", "if m:\n        return None\n    return torch.zeros(n)", f"{N} | None"),
    (
        "",
        "if m:\n        return torch.zeros(n), None\n    return torch.zeros(n), torch.zeros(n)",
        f"tuple[{N}, {N} | None]",
    ),
    ("", "return [torch.zeros(n), torch.zeros(n)]", f"list[{N}]"),
    (
        "",
        "a = []\n    for _ in range(m):\n        a.append(torch.zeros(n))\n    return a, m",
        None,  # m is unknown
    ),
    (
        "",
        "a = []\n    for _ in range(9):\n        a.append(torch.zeros(n))\n    return a",
        f"list[{N}]",
    ),
    ("tuple[torch.Tensor, int]", "return torch.zeros(n), m", f"tuple[{N}, int]"),
    (
        "Tuple[torch.Tensor, object, List[torch.Tensor]]",
        "return torch.zeros(n), m, [torch.zeros(n)]",
        f"Tuple[{N}, object, List[{N}]]",
    ),
    ("Optional[torch.Tensor]", "return torch.zeros(n)", f"Optional[{N}]"),
    ("torch.Tensor | None", "return None if m else torch.zeros(n)", None),
    (
        "torch.Tensor | None",
        "if m:\n        return None\n    return torch.zeros(n)",
        f"{N} | None",
    ),
    (
        "Union[torch.Tensor, None]",
        "if m:\n        return None\n    return torch.zeros(n)",
        f"Union[{N}, None]",
    ),
    ("Union[torch.Tensor, int]", "return torch.zeros(n)", None),
    (f"tuple[{N}, torch.Tensor]", "return torch.zeros(n), torch.zeros(n)", f"tuple[{N}, {N}]"),
]


@pytest.mark.parametrize(("there", "body", "after"), RETURNED)
def test_return_annotations(there: str, body: str, after: str | None, tmp_path: Path) -> None:
    head = HEAD + "from typing import List, Optional, Tuple, Union\nfrom jaxtyping import Shaped\n"
    before = "def f(n: int, m){}:\n    " + body + "\n"
    text = head + before.format(f" -> {there}" if there else "")
    result = written(text, tmp_path, "--style", "jaxtyping", "--line-length", "120")
    expected = there if after is None else after
    assert result == head + before.format(f" -> {expected}" if expected else "")


def test_a_long_type_is_broken_as_black_breaks_it(tmp_path: Path) -> None:
    text = textwrap.dedent("""\
        import torch
        from jaxtyping import Shaped


        def f(batch: int, time: int):
            return torch.zeros(batch, time), torch.zeros(batch, time, 3), batch


        def g(
            batch: int,
            time: int,
        ):
            return torch.zeros(batch, time), torch.zeros(batch, 3)
        """)
    broken = """\
) -> tuple[
    Shaped[torch.Tensor, "batch time"],
    Shaped[torch.Tensor, "batch time 3"],
    int,
]:
"""
    together = """\
) -> tuple[
    Shaped[torch.Tensor, "batch time"], Shaped[torch.Tensor, "batch 3"]
]:
"""
    result = written(text, tmp_path, "--style", "jaxtyping", "--line-length", "72")
    first, second = text.split("def g")
    first = first.replace("(batch: int, time: int):\n", "(\n    batch: int, time: int\n" + broken)
    assert result == first + "def g" + second.replace("):\n", together, 1)


def of_function(head: str, parameter: str, folder: Path) -> str:
    text = f"{head}\n\ndef f({parameter}):\n    B, T = x.shape\n"
    result = written(text, folder, "--style", "jaxtyping")
    compile(result, "a.py", "exec")
    return result


IMPORTS = [
    ("import torch\n", "import torch\nfrom jaxtyping import Shaped\n"),
    (
        '"""Doc."""\nfrom __future__ import annotations\n\nimport os\n\nimport torch\n',
        (
            '"""Doc."""\nfrom __future__ import annotations\n\nimport os\n\nimport torch\n'
            "from jaxtyping import Shaped\n"
        ),
    ),
    (
        "import einops\nimport torch\nfrom torch import nn\n",
        "import einops\nimport torch\nfrom jaxtyping import Shaped\nfrom torch import nn\n",
    ),
    (
        "import torch\nfrom jaxtyping import Float, Int  # words\n",
        "import torch\nfrom jaxtyping import Float, Int, Shaped  # words\n",
    ),
    (
        "import torch\nfrom jaxtyping import (\n    Float,\n)\n",
        "import torch\nfrom jaxtyping import (\n    Float, Shaped,\n)\n",
    ),
    (
        "import torch\nfrom jaxtyping import Shaped\n",
        "import torch\nfrom jaxtyping import Shaped\n",
    ),
    (
        (
            "import torch\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n"
            "    from jaxtyping import Shaped\n"
        ),
        (
            "import torch\nfrom jaxtyping import Shaped\nfrom typing import TYPE_CHECKING\n"
            "if TYPE_CHECKING:\n    from jaxtyping import Shaped\n"
        ),
    ),
]


@pytest.mark.parametrize(("before", "after"), IMPORTS)
def test_imports(before: str, after: str, tmp_path: Path) -> None:
    result = of_function(before, "x", tmp_path)
    assert result == after + '\n\ndef f(x: Shaped[torch.Tensor, "B T"]):\n    B, T = x.shape\n'


ARRAYS = [
    ("from torch import Tensor\n", "x", 'x: Shaped[Tensor, "B T"]'),
    ("from torch import Tensor as T_\n", "x", 'x: Shaped[T_, "B T"]'),
    ("from torch import nn\n", "x", 'x: Shaped[Tensor, "B T"]'),
    ("import torch as th\n", "x", 'x: Shaped[th.Tensor, "B T"]'),
    ("import numpy as np\n", "x: np.ndarray", 'x: Shaped[np.ndarray, "B T"]'),
    ("import jax\n", "x: jax.Array", 'x: Shaped[jax.Array, "B T"]'),
    # A list of lists has no shape here, but NumPy's functions give it one.
    ("import numpy as np\n", "x", "x"),
    ("import torch\nShaped = 3\n", "x", "x"),
    ("import torch.nn as nn\nclass Tensor:\n    pass\n", "x", "x"),
    ("import torch\nimport torch.jit\n", "x", "x"),
    ("try:\n    import torch\nexcept ImportError:\n    torch = None\n", "x", "x"),
    ("def lazy():\n    import torch\n", "x", "x"),
    ("import torch\nfrom torch import jit\n", "x", "x"),
]


@pytest.mark.parametrize(("head", "before", "after"), ARRAYS)
def test_classes_of_arrays(head: str, before: str, after: str, tmp_path: Path) -> None:
    assert f"def f({after}):" in of_function(head, before, tmp_path)


def test_the_class_is_imported_next_to_its_library(tmp_path: Path) -> None:
    result = of_function("from torch import nn\n", "x", tmp_path)
    assert result.startswith("from jaxtyping import Shaped\nfrom torch import nn, Tensor\n")


def test_ends_of_lines_and_tabs_in_headers(tmp_path: Path) -> None:
    text = "import torch\r\n\r\nclass A:\r\n\tdef f(self, first_image, second_image):\r\n\t\t"
    text += "B, C, H, W = first_image.shape\r\n\t\tb, c = second_image.shape\r\n"
    result = written(text, tmp_path, "--style", "jaxtyping")
    assert result == text.replace(
        "import torch\r\n", "import torch\r\nfrom jaxtyping import Shaped\r\n"
    ).replace(
        "self, first_image, second_image)",
        '\r\n\t\tself,\r\n\t\tfirst_image: Shaped[torch.Tensor, "B C H W"],\r\n'
        '\t\tsecond_image: Shaped[torch.Tensor, "b c"],\r\n\t)',
    )


def test_formulas_need_their_names_bound(tmp_path: Path) -> None:
    text = """\
        import torch


        def f(x, y):
            B, T, h, d = x.shape
            assert y.shape == (B, h * d)
            return x.reshape(B, T, h * d)


        def g(x, h, d):
            B, n = x.shape
            return torch.zeros(B, h * d)


        def k(
            x,  # (B, T)
            mask=None,  # (B, T)
        ):
            return x
    """
    result = written(
        textwrap.dedent(text), tmp_path, "--style", "jaxtyping", "--line-length", "120"
    )
    assert 'def f(x: Shaped[torch.Tensor, "B T h d"], y: Shaped[torch.Tensor, "B h*d"])' in result
    assert '-> Shaped[torch.Tensor, "B T h*d"]:' in result
    assert '-> Shaped[torch.Tensor, "B _"]:' in result
    assert 'mask: Shaped[torch.Tensor, "B T"] | None = None,  # (B, T)' in result

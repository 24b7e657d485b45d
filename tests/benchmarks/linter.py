"""The speed of the linter: the existing rows of the budget, as ratios measured in one run.

    python tests/benchmarks/linter.py [--lines N] [--rivals FOLDER] [--only ROW] [PATH...]

Rows:

* check: CPU time of analysing the files of each PATH (a folder or a file; default: our own sources)
  over that of `libcst.parse_module` alone on the same files, alternating in one process, with the
  garbage collector off while parsing.  The first N lines are taken, spread evenly over the files.
  Dense einops code, generated here, makes one more row.
* lengths: files and functions of doubling length: microseconds per line stay the same where
  time is linear.
* edit: the files of the PATHs whose lengths are nearest to 1,400 and 5,000 lines, and dense code,
  in an editor's server after seeded edits: half are comments, half change dims in a body.
* start: imports, without the time that Python takes to free them at exit, and one file in a new
  process.
* large: 100,000 lines, cold and unchanged; peak memory.
* shared: runs over the first PATH, without its tests, after seeded edits of a file that many others
  import (--shared FILE in it), as shares of a cold run: comments, docstrings, bodies, names.
* whole: whole processes over each PATH (N lines of it, or all), cold without and with drives and
  unchanged, beside the parsers of Python and LibCST and the tools in FOLDER or on PATH.

The benchmark measures the packages installed in the Python that runs it, or else the sources
(`processes.py`).  The budgets are in docs/decisions.md.
"""

from __future__ import annotations

import argparse
import gc
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import process_time
from typing import NamedTuple

from processes import (
    ROOTS,
    cost,
    headline,
    install,
    lay_out,
    namecheck,
    ours,
)

ours()  # from here on our packages can be imported

import libcst as cst  # noqa: E402
from editor_edits import editor_row  # noqa: E402
from shared_edits import shared_row  # noqa: E402
from whole_runs import whole_row  # noqa: E402

from namecheck.analysis import analyze  # noqa: E402
from namecheck.running.discovery import discover  # noqa: E402
from namecheck.source import Undecodable, decode  # noqa: E402

ROUNDS = 3


class Text(NamedTuple):
    """One file: its nominal path and its text."""

    path: str
    source: bytes

    @property
    def lines(self) -> int:
        return self.source.count(b"\n")


class Spent(NamedTuple):
    """CPU seconds on the same files."""

    lines: int
    parse: float
    check: float

    def __str__(self) -> str:
        return (
            f"{self.check / self.parse:5.2f}x  parse {self.parse:6.2f} s, check {self.check:6.2f} s"
            f", {self.lines:,} lines, {self.lines / self.check / 1000:5.1f} klines/s"
        )


def measure(texts: Sequence[Text], rounds: int = ROUNDS) -> Spent:
    """Parse and check every file in turns, and take the minimum of several rounds for each file."""
    parse = check = 0.0
    for text in texts:
        parses, checks = [], []
        try:
            decoded = decode(text.source)
            cst.parse_module(decoded)
        except (Undecodable, cst.ParserSyntaxError):
            continue
        for _ in range(rounds):
            gc.collect()
            gc.disable()
            start = process_time()
            cst.parse_module(decoded)
            parses.append(process_time() - start)
            gc.enable()
            gc.collect()
            start = process_time()
            analyze(text.path, text.source, shapes=False)
            checks.append(process_time() - start)
        parse += min(parses)
        check += min(checks)
    return Spent(sum(text.lines for text in texts), parse, check)


def sample(paths: Iterable[str], lines: int | None) -> list[Text]:
    """Files of folders, spread evenly, with about this many lines in all."""
    texts = [Text(file, Path(file).read_bytes()) for file in discover(paths).files]
    total = sum(text.lines for text in texts)
    if lines is None or total <= lines:
        return texts
    taken: list[Text] = []
    passed = lines_taken = 0
    for text in texts:
        passed += text.lines
        if lines_taken < lines * passed / total:
            taken.append(text)
            lines_taken += text.lines
    return taken


EDITED = (1_400, 5_000)
"""Lines of files in an editor: one of usual length, and a long one."""


def of_length(texts: Iterable[Text], lines: int) -> Text:
    """The text whose length is nearest to a number of lines."""
    return min(texts, key=lambda text: abs(text.lines - lines))


# Generated code


BLOCK = """
class Attention{n}(nn.Module):
    def __init__(self, dim, heads=8, dim_head=64, dropout=0.0):
        super().__init__()
        inner = dim_head * heads
        self.heads = heads
        self.scale = dim_head ** -0.5
        self.norm = nn.LayerNorm(dim)
        self.to_qkv = nn.Linear(dim, inner * 3, bias=False)
        self.to_out = nn.Sequential(nn.Linear(inner, dim), nn.Dropout(dropout))

    def forward(self, x, mask=None):
        x = self.norm(x)
        q, k, v = self.to_qkv(x).chunk(3, dim=-1)
        q, k, v = map(lambda t: rearrange(t, "b n (h d) -> b h n d", h=self.heads), (q, k, v))
        dots = einsum("b h i d, b h j d -> b h i j", q, k) * self.scale
        if mask is not None:
            mask = rearrange(mask, "b j -> b 1 1 j")
            dots = dots.masked_fill(~mask, -torch.finfo(dots.dtype).max)
        attn = dots.softmax(dim=-1)
        out = einsum("b h i j, b h j d -> b h i d", attn, v)
        out = rearrange(out, "b h n d -> b n (h d)")
        return self.to_out(out)


class Block{n}(nn.Module):
    def __init__(self, dim, depth, heads, mlp_dim):
        super().__init__()
        self.layers = nn.ModuleList([])
        for _ in range(depth):
            self.layers.append(nn.ModuleList([
                Attention{n}(dim, heads=heads),
                nn.Sequential(nn.Linear(dim, mlp_dim), nn.GELU(), nn.Linear(mlp_dim, dim)),
            ]))

    def forward(self, img):
        x = rearrange(img, "b c (h p1) (w p2) -> b (h w) (p1 p2 c)", p1=16, p2=16)
        for attend, feed in self.layers:
            x = attend(x) + x
            x = feed(x) + x
        return reduce(x, "b n d -> b d", "mean")
"""
"""Two modules of the dense kind: nearly every line has tensor flow."""

HEADER = """import torch
from einops import einsum, rearrange, reduce
from torch import nn
"""


def modules(lines: int) -> str:
    """A file of this many lines of dense modules."""
    count = max(1, round(lines / BLOCK.count("\n")))
    return HEADER + "".join(BLOCK.format(n=n) for n in range(count))


def function(body: str) -> str:
    return f"{HEADER}def f(x, y, flag):\n    B, T, C = x.shape\n{body}    return x\n"


def straight(lines: int) -> str:
    """One function of this many lines without a branch."""
    return function("    x = x.transpose(1, 2).transpose(1, 2) * y.view(1, T, 1)\n" * lines)


def branches(lines: int) -> str:
    """One function that consists of branches of two lines each."""
    text = "".join(f"    if flag.a{n}:\n        x = x * {n}.0\n" for n in range(lines // 2))
    return function(text)


def returns(lines: int) -> str:
    """One function with a return in every branch."""
    text = "".join(f"    if flag == {n}:\n        return x * {n}.0\n" for n in range(lines // 2))
    return function(text)


def ladder(lines: int) -> str:
    """One long `elif` chain of two lines per branch."""
    rungs = "".join(
        f"    {'el' if n else ''}if flag == {n}:\n        x = x * {n}.0\n"
        for n in range(lines // 2)
    )
    return function(rungs)


def conjunction(lines: int) -> str:
    """One long `and` chain with an operand per line."""
    operands = "".join(f"        and x.sum() > {n}\n" for n in range(lines - 3))
    return function(f"    z = (\n        flag\n{operands}    )\n")


def loops(lines: int) -> str:
    """Repeated nests of loops, five deep."""
    nest = "".join(f"    {'    ' * depth}for i{depth} in flag:\n" for depth in range(5))
    nest += f"    {'    ' * 5}x = x + y.view(1, T, 1)\n"
    return function(nest * (lines // 6))


def literals(lines: int) -> str:
    """A table of numbers."""
    return HEADER + "TABLE = [\n" + "    [1.0, 2.0, 3.0],\n" * lines + "]\n"


def calls(lines: int) -> str:
    """Functions that each call the two before them."""
    text = "def f0(x):\n    return x * 2\n\n\ndef f1(x):\n    return x * 3\n"
    for n in range(2, max(3, lines // 4)):
        text += f"\n\ndef f{n}(x):\n    return f{n - 1}(x) + f{n - 2}(x.transpose(0, 1))\n"
    return HEADER + text


def methods(lines: int) -> str:
    """A class of many methods that set and read its attributes."""
    text = "class M(nn.Module):\n    def __init__(self, dim):\n        super().__init__()\n"
    count = max(1, lines // 5)
    text += "".join(f"        self.a{n} = nn.Linear(dim, dim)\n" for n in range(count))
    for n in range(count):
        text += f"\n    def m{n}(self, x):\n        self.last{n} = x\n"
        text += f"        return self.a{n}(x)\n"
    return HEADER + text


SHAPES: dict[str, tuple[Callable[[int], str], int]] = {
    "file of modules": (modules, 10_000),
    "one straight function": (straight, 10_000),
    "500 branches in one function": (branches, 1_000),
    "500 returns in one function": (returns, 1_000),
    "500 rungs of elif": (ladder, 1_000),
    "`and` of 500": (conjunction, 500),
    "loops, five deep": (loops, 1_000),
    "table of numbers": (literals, 10_000),
    "functions that call two others": (calls, 4_000),
    "class of many methods": (methods, 4_000),
}
"""Generators of code of a given length, and the largest length."""


def doubling(write: Callable[[int], str], lines: int) -> list[tuple[int, float]]:
    """Lines, and microseconds of checking per line, at an eighth, a quarter, a half and all."""
    rows = []
    for length in (lines // 8, lines // 4, lines // 2, lines):
        source = write(length).encode()
        spent = []
        for _ in range(ROUNDS):
            start = process_time()
            analyze("made.py", source, shapes=False)
            spent.append(process_time() - start)
        rows.append((source.count(b"\n"), min(spent) / source.count(b"\n") * 1e6))
    return rows


# Processes


RULES = "namecheck_runtime.rules"
HEAVY = ("libcst", "numpy", RULES)
"""Modules that a run without changes does not load."""

LEAVE = "import os; os._exit(0)"
"""Ends Python without freeing objects."""


def start_row(search: Path, folder: Path) -> None:
    """The cost of starting."""

    def run(*command: str) -> float:
        return cost(command, folder, 6, search).seconds * 1e3

    def python(statement: str) -> float:
        return run(sys.executable, "-c", statement)

    print("start, CPU milliseconds, with bytecode present (imports: over a bare Python)")
    with_exit, bare = python("pass"), python(LEAVE)
    budgets = {RULES: "budget 30, "}
    for module in (RULES, "libcst", "namecheck.analysis.runs.file_analysis"):
        took = python(f"import {module}; {LEAVE}") - bare
        ended = python(f"import {module}") - with_exit - took
        print(
            f"  {took:6.0f}  import {module} ({budgets.get(module, '')}{ended:.0f} as Python ends)"
        )
    sources = {"one line": b"import torch\n", "1,400 dense lines": modules(1_400).encode()}
    for number, (name, source) in enumerate(sources.items()):
        (file,) = lay_out([source], folder / f"one{number}")
        spent = run(*namecheck("-n", file))
        print(f"  {spent:6.0f}  one file of {name}, new process (budget 350)")


def large_row(files: Sequence[Text], search: Path, folder: Path) -> None:
    """The cost of a run over a large project, cold and unchanged."""
    lines = sum(text.lines for text in files)
    place = folder / "large"
    paths = lay_out((text.source for text in files), place)
    first = cost(namecheck("-j1", "--exit-zero", *paths), place, 1, search)
    warm = cost(namecheck("-j1", "--exit-zero", *paths), place, 8, search)
    loaded = subprocess.run(
        [sys.executable, "-X", "importtime", *namecheck("-j1", "--exit-zero", *paths)[1:]],
        cwd=place,
        env={"PYTHONPATH": str(search)},
        check=True,
        capture_output=True,
        text=True,
    ).stderr
    imported = {line.rpartition("|")[2].strip() for line in loaded.splitlines()}
    heavy = ", ".join(sorted(imported.intersection(HEAVY))) or "none"
    print(f"{lines:,} lines in {len(files)} files, one process")
    print(f"  {first.seconds:6.2f} s   cold, {lines / first.seconds / 1000:.1f} klines/s")
    print(f"  {first.mebibytes:6.0f} MiB peak memory (budget 250 for 100,000 lines)")
    print(f"  {warm.seconds * 1e3:6.0f} ms  nothing changed (budget 100 for 100,000 lines)")
    print(f"  {heavy:>6} of {', '.join(HEAVY)} imported then (budget: none)")


ROWS = ("check", "lengths", "edit", "start", "large", "shared", "whole")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--lines", type=int, help="lines of each PATH (all)")
    parser.add_argument("--large", type=int, default=100_000, help="lines of a large project")
    parser.add_argument("--rivals", metavar="FOLDER", help="where other tools are (PATH)")
    parser.add_argument("--shared", metavar="FILE", help="the file edited in the row of that name")
    parser.add_argument(
        "--edits", type=int, default=20, help="edits of a file, in the editor and of each kind"
    )
    parser.add_argument("--only", choices=ROWS, action="append", help="rows to measure (all)")
    options = parser.parse_args()
    print(headline())
    chosen = options.only or ROWS
    paths = options.paths or [str(root) for root in ROOTS.values()]
    dense = Text("dense.py", modules(10_000).encode())
    analyze(*dense)  # imports and tables, once

    if "check" in chosen:
        print("check over libcst.parse_module (budget 1.50x)")
        for path in paths:
            print(f"  {measure(sample([path], options.lines))}  {path}")
        print(f"  {measure([dense])}  dense einops, generated")
    if "lengths" in chosen:
        print("microseconds per line at growing length (linear: the same)")
        for name, (write, lines) in SHAPES.items():
            rows = doubling(write, lines)
            row = "  ".join(f"{length:6,}: {each:6.0f}" for length, each in rows)
            print(f"  {row}  {name}, last over first {rows[-1][1] / rows[0][1]:.2f}")
    if "edit" in chosen:
        edited = [of_length(sample(paths, None), lines) for lines in EDITED]
        edited += [Text("dense.py", modules(lines).encode()) for lines in EDITED]
        print(
            f"{options.edits} edits of a file in an editor, CPU (budget 25 ms, 40 for 5,000 lines)"
        )
        for text in edited:
            editor_row(*text, options.edits)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        search = install(folder / "installed")
        if "start" in chosen:
            start_row(search, folder)
        if "large" in chosen:
            large_row(sample(paths, options.large), search, folder)
        if "shared" in chosen and Path(paths[0]).is_dir():
            shared_row(Path(paths[0]), options.shared, options.edits, search, folder)
        if "whole" in chosen:
            for path in paths:
                texts = None if options.lines is None else sample([path], options.lines)
                sources = None if texts is None else [text.source for text in texts]
                whole_row(path, sources, options.rivals, search, folder)


if __name__ == "__main__":
    main()

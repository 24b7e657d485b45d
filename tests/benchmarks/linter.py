"""How fast the linter is: the rows of the budget that exist, as ratios measured in one run.

    python tests/benchmarks/linter.py [--lines N] [--only ROW] [PATH...]

Each PATH (a folder or a file; default: our own sources) is one row: the CPU time of analysing its
files over that of `libcst.parse_module` alone on the same ones, taken in turns in one process, with
the garbage collector off while parsing.  Of a PATH the first N lines are taken, spread evenly over
its files.  The other rows need no files: dense einops code that is written here, files and
functions of doubling length (microseconds per line, which stay the same where time is linear), the
peak memory of `namecheck check`, and what starting it costs.
"""

from __future__ import annotations

import argparse
import gc
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import process_time
from typing import NamedTuple

REPOSITORY = Path(__file__).parents[2]
ROOTS = [str(REPOSITORY / root) for root in ("runtime", "namecheck", "plugin")]
sys.path[:0] = ROOTS

import libcst as cst  # noqa: E402

from namecheck.analysis import analyze  # noqa: E402
from namecheck.discovery import discover  # noqa: E402
from namecheck.source import Undecodable, decode  # noqa: E402

ROUNDS = 3


class Text(NamedTuple):
    """One file: where it is said to be, and what is in it."""

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
    """Parses and checks every file in turns; of several rounds the least of each file."""
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
    """Files of folders, spread evenly, with about so many lines in all."""
    found = [Text(file, Path(file).read_bytes()) for file in discover(paths).files]
    whole = sum(text.lines for text in found)
    if lines is None or whole <= lines:
        return found
    taken: list[Text] = []
    passed = had = 0
    for text in found:
        passed += text.lines
        if had < lines * passed / whole:
            taken.append(text)
            had += text.lines
    return taken


# What is written here


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
    """A file of so many lines, all of it dense modules."""
    count = max(1, round(lines / BLOCK.count("\n")))
    return HEADER + "".join(BLOCK.format(n=n) for n in range(count))


def function(body: str) -> str:
    return f"{HEADER}def f(x, y, flag):\n    B, T, C = x.shape\n{body}    return x\n"


def straight(lines: int) -> str:
    """One function of so many lines without a branch."""
    return function("    x = x.transpose(1, 2).transpose(1, 2) * y.view(1, T, 1)\n" * lines)


def branches(lines: int) -> str:
    """One function that is nothing but branches, two lines each."""
    text = "".join(f"    if flag.a{n}:\n        x = x * {n}.0\n" for n in range(lines // 2))
    return function(text)


def returns(lines: int) -> str:
    """One function with a return in every branch."""
    text = "".join(f"    if flag == {n}:\n        return x * {n}.0\n" for n in range(lines // 2))
    return function(text)


def ladder(lines: int) -> str:
    """One long `elif` chain, two lines a rung."""
    rungs = "".join(
        f"    {'el' if n else ''}if flag == {n}:\n        x = x * {n}.0\n"
        for n in range(lines // 2)
    )
    return function(rungs)


def conjunction(lines: int) -> str:
    """One long `and` chain, an operand a line."""
    operands = "".join(f"        and x.sum() > {n}\n" for n in range(lines - 3))
    return function(f"    z = (\n        flag\n{operands}    )\n")


def loops(lines: int) -> str:
    """Loops inside each other, five deep, again and again."""
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
"""What is made longer and longer, and the length at which it ends."""


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


def seconds(command: Sequence[str], rounds: int = 5) -> float:
    """CPU seconds of a process that finds bytecode, the least of several."""
    spent = []
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": cache, "PYTHONDONTWRITEBYTECODE": ""}
        for _ in range(rounds + 1):  # the first one writes the bytecode
            before = getrusage(RUSAGE_CHILDREN)
            subprocess.run(
                command,
                check=False,
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            after = getrusage(RUSAGE_CHILDREN)
            spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(spent)


def python(statement: str) -> list[str]:
    return [sys.executable, "-c", f"import sys; sys.path[:0] = {ROOTS!r}; {statement}"]


def import_seconds(module: str) -> float:
    """What importing costs over a bare Python, bytecode being there."""
    return seconds(python(f"import {module}")) - seconds(python("pass"))


RUN = """
import resource, sys
from namecheck.main import main
try:
    main()
finally:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"PEAK {peak}", file=sys.stderr)
"""


def checked(paths: Sequence[str]) -> list[str]:
    return python(f"sys.argv = ['namecheck', 'check', *{list(paths)!r}]; exec({RUN!r})")


def peak_mebibytes(paths: Sequence[str]) -> float:
    """The most memory that one `namecheck check` takes."""
    done = subprocess.run(checked(paths), check=False, capture_output=True, text=True)
    (peak,) = [line for line in done.stderr.splitlines() if line.startswith("PEAK ")]
    return int(peak.split()[1]) / 1024


ROWS = ("check", "lengths", "memory", "start")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--lines", type=int, help="lines of each PATH (all)")
    parser.add_argument("--only", choices=ROWS, action="append", help="rows to measure (all)")
    options = parser.parse_args()
    wanted = options.only or ROWS
    paths = options.paths or ROOTS
    dense = Text("dense.py", modules(10_000).encode())
    analyze(*dense)  # imports and tables, once

    if "check" in wanted:
        print("check over libcst.parse_module (budget 1.50x)")
        for path in paths:
            print(f"  {measure(sample([path], options.lines))}  {path}")
        print(f"  {measure([dense])}  dense einops, made here")
    if "lengths" in wanted:
        print("microseconds per line at growing length (linear: the same)")
        for name, (write, lines) in SHAPES.items():
            rows = doubling(write, lines)
            row = "  ".join(f"{length:6,}: {each:6.0f}" for length, each in rows)
            print(f"  {row}  {name}, last over first {rows[-1][1] / rows[0][1]:.2f}")
    if "memory" in wanted:
        files = sample(paths, 100_000)
        lines = sum(text.lines for text in files)
        peak = peak_mebibytes([text.path for text in files])
        print(f"peak memory {peak:.0f} MiB for {lines:,} lines (budget 250 MiB for 100,000)")
    if "start" in wanted:
        print("start, CPU milliseconds, bytecode being there (imports: over a bare Python)")
        for module in ("namecheck_runtime.rules", "libcst", "namecheck.analysis.file"):
            print(f"  {import_seconds(module) * 1e3:6.0f}  import {module}")
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "one.py")
            file.write_text(modules(1_400))
            print(f"  {seconds(checked([str(file)])) * 1e3:6.0f}  one file of 1,400 dense lines")
            file.write_text("import torch\n")
            print(f"  {seconds(checked([str(file)])) * 1e3:6.0f}  one file of one line (350)")


if __name__ == "__main__":
    main()

"""The cost of the plugin: CPU seconds of mypy with it over those without, in separate processes.

`python tests/benchmarks/plugin.py` prints ratios of medians of alternating paired runs:

* dense: 5,000 lines of annotated named-tensor code, without a cache of it (the cache of NumPy's and
  the runtime's stubs is warm: it is the same with and without);
* varied: the same with other names and sizes in each class, so that no answer is remembered from
  one class to the next (real code lies between the two);
* no tensors: the standard library's type stubs and plain code, no cache;
* warm: the dense program, unchanged;
* edit: the daemon, after an edit of one function.

The packages are copied with the `RECORD` that an installer writes beside them: each run from a
clone takes 7 ms more to read its sources and see whether they have changed.  The benchmark measures
the packages of the Python that runs it, or else the sources (`processes.py`).

Budgets are those of design.md, section 8: 1.2, 1.02 and 1.05.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from processes import headline, install

ROUNDS = int(os.environ.get("ROUNDS", "7"))
CONFIG = "[mypy]\nstrict = true\nmypy_path = {path}\nnamespace_packages = true\n{plugins}"

HEAD = """\
from typing import Literal as L, TypeAlias

import namecheck_runtime as nt
import namecheck_runtime.nn.functional as F
from namecheck_runtime import Tensor

Rows: TypeAlias = Tensor[L["N"], L["T"], L["C"]]
"""

BLOCK = """

class Block{number}:
    def __init__(self, channels: int) -> None:
        self.query = nt.randn({size}, {size}, names=("{c}", "{e}"))
        self.scale = nt.ones({size}, names=("{c}",))
        self.shift = nt.zeros({size}, names=("{c}",))

    def norm(self, x: {rows}) -> {rows}:
        mean = x.mean("{c}", keepdim=True)
        variance = x.var("{c}", unbiased=False, keepdim=True)
        centered = x - mean
        scaled = centered / (variance + 1e-5).sqrt()
        return scaled * self.scale + self.shift

    def __call__(self, x: {rows}) -> {rows}:
        hidden = self.norm(x)
        mixed = hidden @ self.query
        weights = F.softmax(mixed, dim="{e}")
        turned = weights.transpose("{t}", "{e}")
        total = turned.sum("{e}") + x.sum("{c}").relu()
        first = x[:, 0]
        return x + hidden.relu() * total.mean("{t}").sum() - first.mean()
"""

VARIED = (
    """

Rows{number}: TypeAlias = Tensor[L["N{number}"], L["{t}"], L["{c}"]]
"""
    + BLOCK
)
PLAIN = """

class Record{number}:
    def __init__(self, name: str, sizes: list[int]) -> None:
        self.name = name
        self.sizes = sizes
        self.total = sum(sizes)

    def largest(self) -> int:
        best = 0
        for size in self.sizes:
            if size > best:
                best = size + len(self.name) - len(self.name)
        return best

    def words(self) -> dict[str, int]:
        found: dict[str, int] = {{}}
        for word in self.name.split():
            found[word] = found.get(word, 0) + 1
        return {{word.lower(): count * 2 for word, count in found.items()}}

    def shown(self) -> str:
        parts = [f"{{word}}={{count}}" for word, count in sorted(self.words().items())]
        return ", ".join(parts) + str(self.largest() + self.total)
"""


def program(block: str, head: str, lines: int = 5000, varied: bool = False) -> str:
    """About this many lines of repeated blocks, numbered, or with names and sizes that vary."""
    blocks = []
    for number in range(lines // block.count("\n")):
        words = {word: f"{word.upper()}{number if varied else ''}" for word in "tce"}
        rows, size = (f"Rows{number}", str(number + 2)) if varied else ("Rows", "channels")
        blocks.append(block.format(number=number, rows=rows, size=size, **words))
    return head + "".join(blocks)


def environment(folder: Path) -> dict[str, str]:
    """The environment of a run."""
    variables = {
        name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    }
    return {**variables, "PYTHONPATH": str(folder.parent / "packages")}


def run(folder: Path, *arguments: str) -> float:
    """CPU seconds of a command in a folder, its children's included."""
    before = getrusage(RUSAGE_CHILDREN)
    process = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode in (0, 1), process.stdout + process.stderr
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def made(folder: Path, text: str, plugins: str) -> Path:
    folder.mkdir()
    (folder / "program.py").write_text(text)
    (folder / "stubs.py").write_text(HEAD if "Tensor" in text else "import collections, re\n")
    path = str(folder.parent / "packages")
    (folder / "mypy.ini").write_text(CONFIG.format(path=path, plugins=plugins))
    run(folder, "mypy", "stubs.py")
    shutil.copytree(folder / ".mypy_cache", folder / "cache")
    return folder


def cold(folder: Path) -> float:
    """A run with a cache of the imports and not of the program."""
    shutil.rmtree(folder / ".mypy_cache")
    shutil.copytree(folder / "cache", folder / ".mypy_cache")
    return run(folder, "mypy", "program.py")


def warm(folder: Path) -> float:
    """A run without changes."""
    return run(folder, "mypy", "program.py")


def compared(row: str, folders: tuple[Path, Path], measure: object) -> None:
    """Print a row: the median of the ratios of pairs, and the minimum of each side."""
    assert callable(measure)
    pairs = [tuple(measure(folder) for folder in folders) for _ in range(ROUNDS)]
    ratio = statistics.median(ours / bare for bare, ours in pairs)
    bare, ours = (min(times) for times in zip(*pairs, strict=True))
    print(f"{row:<12} {bare:7.2f} s {ours:7.2f} s   {ratio:5.2f}   {ours / bare:5.2f}", flush=True)


def daemon_seconds(folder: Path) -> float:
    """CPU seconds of a running daemon after an edit, as the system counts them."""
    status = (folder / ".dmypy.json").read_text()
    process = status.split('"pid":')[1].split(",")[0].strip(" }\n")
    ticks = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(ticks[11]) + int(ticks[12])) / os.sysconf("SC_CLK_TCK")


def edited(folder: Path) -> float:
    path = folder / "program.py"
    text = path.read_text()
    old, new = 'x.mean("C", keepdim=True)', 'x.mean("C",  keepdim=True)'
    path.write_text(text.replace(old, new, 1) if old in text else text.replace(new, old, 1))
    before = daemon_seconds(folder)
    run(folder, "mypy.dmypy", "run", "--", "program.py")
    return daemon_seconds(folder) - before


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        print(headline())
        install(top / "packages")
        plugin = "plugins = namecheck_plugin\n"
        dense, varied = program(BLOCK, HEAD), program(VARIED, HEAD, varied=True)
        folders = made(top / "bare", dense, ""), made(top / "ours", dense, plugin)
        unlike = made(top / "varied", varied, ""), made(top / "varied_ours", varied, plugin)
        plain = program(PLAIN, "")
        others = made(top / "plain", plain, ""), made(top / "plain_ours", plain, plugin)
        print(f"{'':<12} {'without':>9} {'with':>9}   {'median':>5}   {'least':>5}")
        compared("dense", folders, cold)
        compared("varied", unlike, cold)
        compared("warm", folders, warm)
        compared("no tensors", others, cold)
        compared("plain warm", others, warm)
        try:
            for folder in folders:
                run(folder, "mypy.dmypy", "run", "--", "program.py")
            compared("edit", folders, edited)
        finally:
            for folder in folders:
                run(folder, "mypy.dmypy", "kill")


if __name__ == "__main__":
    main()

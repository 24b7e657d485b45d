"""What the plugin costs mypy: CPU seconds with it over those without, in processes of their own.

`python tests/benchmarks/plugin.py` prints ratios of medians of paired runs, taken in turn:

* dense: 5,000 lines of named-tensor code, with annotations, no cache of it (that of NumPy's and the
  runtime's stubs is warm: it is the same with and without);
* no tensors: the standard library's type stubs and plain code, no cache;
* warm: the dense program with nothing changed;
* edit: the daemon, after one function of it was edited.

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

ROOT = Path(__file__).parents[2]
ROUNDS = int(os.environ.get("ROUNDS", "7"))
PATHS = os.pathsep.join(str(ROOT / name) for name in ("runtime", "plugin"))
CONFIG = "[mypy]\nstrict = true\nmypy_path = {path}\nnamespace_packages = true\n{plugins}"

HEAD = """\
from typing import Literal as L, TypeAlias

import namecheck_runtime as nt
import namecheck_runtime.nn.functional as F
from namecheck_runtime import Tensor

Rows: TypeAlias = Tensor[L["N"], L["T"], L["C"]]
"""

DENSE = """

class Block{number}:
    def __init__(self, channels: int) -> None:
        self.query = nt.randn(channels, channels, names=("C", "E"))
        self.scale = nt.ones(channels, names=("C",))
        self.shift = nt.zeros(channels, names=("C",))

    def norm(self, x: Rows) -> Rows:
        mean = x.mean("C", keepdim=True)
        variance = x.var("C", unbiased=False, keepdim=True)
        centered = x - mean
        scaled = centered / (variance + 1e-5).sqrt()
        return scaled * self.scale + self.shift

    def __call__(self, x: Rows) -> Rows:
        hidden = self.norm(x)
        mixed = hidden @ self.query
        weights = F.softmax(mixed, dim="E")
        turned = weights.transpose("T", "E")
        total = turned.sum("E") + x.sum("C").relu()
        first = x[:, 0]
        return x + hidden.relu() * total.mean("T").sum() - first.mean()
"""

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


def program(block: str, head: str, lines: int = 5000) -> str:
    """About so many lines of the same, numbered."""
    count = lines // block.count("\n")
    return head + "".join(block.format(number=number) for number in range(count))


def environment(folder: Path) -> dict[str, str]:
    """That of a run: what is imported has been compiled, as an installer does."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": PATHS, "PYTHONPYCACHEPREFIX": str(folder.parent / "compiled")}


def run(folder: Path, *arguments: str) -> float:
    """CPU seconds of a command in a folder, its children's included."""
    before = getrusage(RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def made(folder: Path, text: str, plugins: str) -> Path:
    folder.mkdir()
    (folder / "program.py").write_text(text)
    (folder / "stubs.py").write_text(HEAD if "Tensor" in text else "import collections, re\n")
    path = str(ROOT / "runtime")
    (folder / "mypy.ini").write_text(CONFIG.format(path=path, plugins=plugins))
    run(folder, "mypy", "stubs.py")
    shutil.copytree(folder / ".mypy_cache", folder / "cache")
    return folder


def cold(folder: Path) -> float:
    """The program is new to a cache that knows what it imports."""
    shutil.rmtree(folder / ".mypy_cache")
    shutil.copytree(folder / "cache", folder / ".mypy_cache")
    return run(folder, "mypy", "program.py")


def warm(folder: Path) -> float:
    """Nothing is new."""
    return run(folder, "mypy", "program.py")


def compared(what: str, folders: tuple[Path, Path], measure: object) -> None:
    """One row: the median of the ratios of pairs, and the least of each."""
    assert callable(measure)
    pairs = [tuple(measure(folder) for folder in folders) for _ in range(ROUNDS)]
    ratio = statistics.median(ours / bare for bare, ours in pairs)
    bare, ours = (min(one) for one in zip(*pairs, strict=True))
    print(f"{what:<12} {bare:7.2f} s {ours:7.2f} s   {ratio:5.2f}   {ours / bare:5.2f}", flush=True)


def daemon_seconds(folder: Path) -> float:
    """CPU seconds that a running daemon needs after an edit, as the system counts them."""
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
        plugin = "plugins = namecheck_plugin\n"
        dense = program(DENSE, HEAD)
        folders = made(top / "bare", dense, ""), made(top / "ours", dense, plugin)
        plain = program(PLAIN, "")
        others = made(top / "plain", plain, ""), made(top / "plain_ours", plain, plugin)
        print(f"{'':<12} {'without':>9} {'with':>9}   {'median':>5}   {'least':>5}")
        compared("dense", folders, cold)
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

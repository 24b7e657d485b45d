"""The cost of lowering beside LibCST's parse, in CPU seconds of one process without collections.

    python tests/benchmarks/lowering.py [--lines N] PATH...

PATH are files and folders of Python sources. The largest files come last, and files are taken until
there are N lines (default: all). Without a PATH the benchmark measures our own sources.
"""

from __future__ import annotations

import argparse
import ast
import gc
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import TypeVar

import libcst as cst

from namecheck.analysis.reading import from_libcst, ir, positions, records
from namecheck.analysis.reading.walking import walk
from namecheck.text import chunks
from namecheck.text.layout import read_layout

T = TypeVar("T")
seconds: dict[str, float] = {}


def timed(stage: str, work: Callable[[], T]) -> T:
    start = process_time()
    result = work()
    seconds[stage] = seconds.get(stage, 0.0) + process_time() - start
    return result


def sources(paths: list[Path], lines: int | None) -> list[str]:
    files = [
        file for path in paths for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path])
    ]
    files.sort(key=lambda file: file.stat().st_size)
    texts: list[str] = []
    count = 0
    for file in files:
        if lines is not None and count >= lines:
            break
        try:
            text, _ = chunks.decode(file.read_bytes())
            ast.parse(text)
        except (SyntaxError, ValueError):
            continue
        texts.append(text)
        count += text.count("\n")
    return texts


def measure(text: str) -> None:
    """Time every stage on one text."""
    module = timed("libcst.parse_module", lambda: cst.parse_module(text))
    layout = timed("layout", lambda: read_layout(text))
    chunk = timed("lower", lambda: from_libcst.lower_module(module, layout))
    timed("ast.parse", lambda: ast.parse(text))
    timed("split", lambda: chunks.split(text))
    timed("lower_chunks", lambda: records.lower_chunks(text))
    numbers = [node.id for node in walk(chunk) if isinstance(node, ir.Expression)][:1]
    timed("locate one, tree kept", lambda: positions.locate(text, numbers, module))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--lines", type=int)
    options = parser.parse_args()
    roots = [Path(__file__).parents[2] / root for root in ("runtime", "namecheck", "plugin")]
    texts = sources(options.paths or roots, options.lines)
    if not texts:
        sys.exit("no Python sources there")
    measure(texts[0])  # imports and tables, once
    seconds.clear()
    gc.disable()
    for text in texts:
        measure(text)
    lines = sum(text.count("\n") for text in texts)
    parse = seconds["libcst.parse_module"]
    print(f"{len(texts)} files, {lines} lines")
    for stage, spent in seconds.items():
        print(
            f"{stage:24} {spent:8.3f} s  {lines / spent / 1000:8.0f} klines/s  {spent / parse:6.3f}"
        )
    lowering = seconds["layout"] + seconds["lower"]
    print(f"lowering (layout + lower) over the parse: +{100 * lowering / parse:.1f} %")
    chunked = seconds["lower_chunks"] / parse
    print(f"from text to records by chunks, over the parse: {chunked:.3f}")


if __name__ == "__main__":
    main()

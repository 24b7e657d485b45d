r"""Runs the examples in docstrings of libraries, and writes docstring_examples.jsonl.

    PYTHONPATH=runtime:namecheck:plugin:tests /path/to/python \
        write_docstring_examples.py [LIBRARY ...]

Needs numpy, torch, jax, einops, scipy and libcst. Each docstring is a program: the statements in it
that run. The analyzer reads it, too; what it claims of a variable or a result is compared with the
shape that was measured, and everything that it reports is printed. The calls in the statements are
kept without their text; see README.md for the rows. With names of libraries only the comparison is
printed, and nothing is written.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import json
import re
import select
import signal
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from run_docstring_examples import preamble, shape_of

from docstring_examples import FILE, LIBRARIES, Call, has_text, head, home, judge, statements

RUNNER = Path(__file__).with_name("run_docstring_examples.py")

STALL = 120
"""So many seconds without an answer, and the process is begun anew after that docstring."""

MISSING = False
"""Whether to print the results of a rule that are not claimed with all dims."""

LARGEST = 4_000_000
"""The most elements of an operand that is made again."""


# Running


def run(library: str) -> list[dict[str, Any]]:
    """What the examples of a library make."""
    rows: list[dict[str, Any]] = []
    first, count = 0, 1
    while first < count:
        command = [sys.executable, str(RUNNER), library, str(first)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert process.stdout is not None
        for line in answers(process):
            row = json.loads(line)
            if "docstrings" in row:
                count = row["docstrings"]
            elif "begins" in row:
                first = row["begins"] + 1
                begun = row["object"]
            else:
                rows.append(row)
                begun = ""
        process.kill()
        if process.wait() == 0:
            break
        print(f"{library}: {begun} ends its process")
    return rows


def answers(process: subprocess.Popen[bytes]) -> Iterator[bytes]:
    """The lines of a process, until it ends or stalls."""
    rest = b""
    while select.select([process.stdout], [], [], STALL)[0]:
        block = process.stdout.read1(1 << 20)  # type: ignore[union-attr]
        if not block:
            process.wait()
            return
        *lines, rest = (rest + block).split(b"\n")
        yield from lines


# The examples themselves


def compare(library: str, row: dict[str, Any], counts: Counter[str]) -> None:
    """Let the analyzer read the program of a docstring; print what is wrong."""
    plain = preamble(library)
    assigned = preamble(library)
    events: list[tuple[int, str, list[int]]] = []
    ruled: set[tuple[int, str]] = set()
    for statement in row["statements"]:
        source = statement["source"]
        plain += source
        start = assigned.count("\n")
        made = [entry for entry in statement["made"] if entry[2] is not None]
        shown = made[0] if made and made[0][1] is None and len(statement["made"]) == 1 else None
        if shown is not None:
            name = f"shown{statement['at']}"
            shapes = shown[2]["seq"] if isinstance(shown[2], dict) else [shown[2]]
            names = [name]
            if isinstance(shown[2], dict):
                names = [f"{name}_{index}" for index in range(len(shapes))]
                name = "".join(f"{each}, " for each in names)
            before = source.splitlines(keepends=True)
            before.insert(shown[0] - 1, f"{name} = ")
            source = "".join(before)
            made = [[shown[0], n, s] for n, s in zip(names, shapes, strict=True) if s is not None]
        assigned += source
        for line, target, shape in made:
            if target is not None and isinstance(shape, list):
                events.append((start + line, target, shape))
                if statement["calls"] and has_rule(library, statement["calls"][-1]):
                    ruled.add((start + line, target))
    check(row["object"], plain, assigned, events, ruled, counts)


def has_rule(library: str, kept: dict[str, Any]) -> bool:
    return Call(library, "", kept["plain"]).has_rule


def check(
    name: str,
    plain: str,
    assigned: str,
    events: list[tuple[int, str, list[int]]],
    ruled: set[tuple[int, str]],
    counts: Counter[str],
) -> None:
    _, findings = judge(plain, [], thorough=False)
    claims, more = judge(assigned, events)
    counts["findings"] += len(findings)
    counts["results"] += len(claims)
    counts["results of a rule"] += len(ruled)
    for key, (claim, complete, wrong) in claims.items():
        counts["claimed"] += complete
        counts["claimed of a rule"] += complete and key in ruled
        counts["wrong"] += bool(wrong)
        if MISSING and key in ruled and not complete:
            line = assigned.splitlines()[key[0] - 1].strip()
            print(f"  open {name}: {line}: {key[1]} {claim}")
        if wrong:
            print(f"  WRONG {name}: {assigned.splitlines()[key[0] - 1].strip()}: {claim} {wrong}")
    for line, finding in findings:
        print(f"  FINDING {name}: {plain.splitlines()[line - 1].strip()}: {finding}")
    for line, finding in more:
        if finding not in [text for _, text in findings]:
            print(f"  finding {name}: {assigned.splitlines()[line - 1].strip()}: {finding}")


# What is kept


def neutral(row: dict[str, Any]) -> dict[str, Any]:
    """A call with letters of ours in its pattern."""
    op = row["op"]
    if not op.startswith("einops.") and not op.endswith(".einsum"):
        return row
    renamed: dict[str, str] = {}
    word = re.compile(r"[A-Za-z_]\w*" if op.startswith("einops.") else r"[A-Za-z]")

    def rename(name: str) -> str:
        return renamed.setdefault(name, chr(ord("a") + len(renamed)))

    def pattern(value: Any) -> Any:
        is_pattern = isinstance(value, str) and (" " in value or "->" in value or "," in value)
        return word.sub(lambda m: rename(m[0]), value) if is_pattern else value

    args = [pattern(value) for value in row["args"]]
    if op.startswith("einops."):
        keywords = {renamed.get(name, name): value for name, value in row["kw"].items()}
    else:
        keywords = row["kw"]
    return {**row, "args": args, "kw": keywords}


def make(shape: tuple[int, ...], dtype: str, library: str) -> Any:
    """An operand that most ops take: invertible where it is square, and positive."""
    if np.prod(shape, dtype=float) > LARGEST:
        raise MemoryError
    if not dtype or "float" in dtype or "complex" in dtype:
        value = np.random.default_rng(0).uniform(0.1, 0.9, shape)
        if len(shape) > 1 and shape[-1] == shape[-2]:
            value = value + np.swapaxes(value, -1, -2) + 4 * shape[-1] * np.eye(shape[-1])
    else:
        value = np.ones(shape)
    name = dtype or ("float64" if library == "np" else "float32")
    if library == "torch":
        import torch

        return torch.tensor(value).to(getattr(torch, name))
    if library == "jnp":
        import jax.numpy as jnp

        return jnp.asarray(value).astype(name)
    return np.asarray(value).astype(name)


def gives(call: Call) -> bool:
    """Whether a call runs with operands of ours, and gives the same shapes."""
    lines = head(call.library) + "\n".join(statements(call, "r", "make")) + "\n"
    names: dict[str, Any] = {"make": make}
    signal.alarm(20)
    try:
        exec(lines, names)
    except BaseException:
        return False
    finally:
        signal.alarm(0)
    if isinstance(call.row["r"], dict):
        given = [shape_of(names[f"r_{index}"]) for index in range(len(call.results))]
    else:
        given = [shape_of(names["r"])]
    return given == call.results


def without_library(value: Any, library: str) -> Any:
    """A row without the library of arrays where it is the usual one."""
    if isinstance(value, list):
        return [without_library(item, library) for item in value]
    if isinstance(value, dict):
        short = {name: without_library(item, library) for name, item in value.items()}
        if "l" in short and "T" in short:
            mine = {"numpy": "np", "jax": "jnp"}.get(short.pop("l"), "torch")
            if mine != library:
                short["l"] = mine
        return short
    return value


def keep(library: str, rows: list[dict[str, Any]], counts: Counter[str]) -> list[str]:
    """The lines of a library in the file."""
    seen: set[str] = set()
    kept = []
    for row in rows:
        calls = []
        for statement in row["statements"]:
            counts.update(f"not kept: {reason}" for reason in statement["unkept"])
            for recorded in statement["calls"]:
                own = without_library(recorded, home(library))
                key = json.dumps(own)
                if key in seen:
                    counts["seen before"] += 1
                    continue
                seen.add(key)
                plain = own["plain"]
                if has_text(plain["args"], False) or has_text([*plain["kw"].values()], False):
                    counts["not kept: a text"] += 1
                    continue
                for form in ("plain", "exact"):
                    if form not in own:
                        continue
                    call = {**neutral(own[form]), "r": own["r"]}
                    call = {name: value for name, value in call.items() if value or name != "kw"}
                    if gives(Call(library, row["object"], call)):
                        calls.append({"at": statement["at"], **call})
                        break
                else:
                    counts["not kept: other elements, another shape"] += 1
        if calls:
            line = {"object": row["object"], "calls": calls}
            kept.append(json.dumps(line, separators=(",", ":")))
            counts["kept"] += len(calls)
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("libraries", nargs="*")
    parser.add_argument("--cache", type=Path, help="a folder to keep what the examples make in")
    parser.add_argument("--missing", action="store_true", help="print what is not claimed")
    options = parser.parse_args()
    global MISSING
    MISSING = options.missing
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, stop)
    lines = []
    for library in options.libraries or LIBRARIES:
        package = library.split(".")[0]
        rows = run_once(library, options.cache)
        counts: Counter[str] = Counter()
        for row in rows:
            counts["docstrings"] += bool(row["statements"])
            counts["ran"] += len(row["statements"])
            counts["raised"] += row["raised"]
            compare(library, row, counts)
        if not options.libraries:
            importlib.import_module(package)
            with contextlib.redirect_stdout(io.StringIO()):
                kept = keep(library, rows, counts)
            lines += [json.dumps({"library": library, "version": version(package)}), *kept]
        print(f"{library} {version(package)}: ", end="")
        print(", ".join(f"{count} {name}" for name, count in counts.items()), flush=True)
    if not options.libraries:
        FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def run_once(library: str, cache: Path | None) -> list[dict[str, Any]]:
    """What the examples of a library make, now or from an earlier run that was kept."""
    file = cache / f"{library}.json" if cache is not None else None
    if file is not None and file.exists():
        rows: list[dict[str, Any]] = json.loads(file.read_text())
        return rows
    rows = run(library)
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(rows))
    return rows


def stop(*_: object) -> None:
    raise TimeoutError


if __name__ == "__main__":
    main()

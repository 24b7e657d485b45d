"""Replays data/shapes_*.jsonl, calls that were run on the real libraries, at the level of rules.

Every row becomes one `infer()` call in each measured form (function, method).  A row is

* `right`: the measured shapes, or a mistake where the library refused;
* `wrong`: another shape, a mistake on a call that runs, a call that does not bind, an open duty
  although all sizes are ints;
* `silent`: the library refused and the rule did not (allowed for `argument`, `type`, `dtype` and
  `value`; few for `shape` and `dim`);
* `unknown`: the rule does not know a size or the rank (sizes that depend on the elements);
* `no rule`: the spelling is not in the registry.

`python tests/measured_shapes.py [--file torch] [--op X] [--show N]` prints counts per op.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from namecheck import frameworks
from namecheck_runtime.declare import REGISTRY, Spelling, Unbindable
from namecheck_runtime.infer import Answer, infer
from namecheck_runtime.lattice import UNKNOWN, Dim, Trailing
from namecheck_runtime.layers import LAYERS, Instance
from namecheck_runtime.mistakes import Mistake
from namecheck_runtime.rules.index import IndexTensor

DATA = Path(__file__).parent / "data"
FILES = ("torch", "numpy", "einops", "more")

REFUSED = ("shape", "dim")
"""Categories of errors that a rule must find; the others may be out of its scope."""


class Outcome(NamedTuple):
    """The outcome of one form of one row."""

    row: dict[str, Any]
    path: str
    verdict: str
    got: str = ""

    @property
    def category(self) -> str:
        """The category of the measured error; empty for a call that runs."""
        result = self.row["r"]
        return str(result.get("cat", "")) if isinstance(result, dict) else ""


class Opaque(NamedTuple):
    """An argument that rules ignore: a dtype."""

    text: str


def read_rows(file: str) -> list[dict[str, Any]]:
    """All rows of one file, in order."""
    with (DATA / f"shapes_{file}.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def decode(value: Any) -> Any:
    """An argument of a row as rules take it."""
    if isinstance(value, list):
        return tuple(map(decode, value)) or []  # an empty tuple would be a shape without dims
    if not isinstance(value, dict):
        return value
    if "T" in value:
        return tuple(Dim(None, size) for size in value["T"])
    if "M" in value:
        return build(value["M"], value)
    if "E" in value:
        return Ellipsis
    if "S" in value:
        return slice(*value["S"])
    if "L" in value:
        return [decode(entry) for entry in value["L"]]
    if "F" in value:
        return float(value["F"])
    if "D" in value:
        return Opaque(value["D"])
    raise ValueError(f"no argument: {value}")


def decode_index(entries: Any) -> Any:
    """The subscript of a row, as the rule of subscripts takes it."""
    decoded = tuple(map(decode_entry, entries))
    return decoded[0] if len(decoded) == 1 else decoded


def decode_entry(entry: Any) -> Any:
    """One entry of a subscript; a tensor keeps whether it is a mask."""
    if isinstance(entry, dict) and "T" in entry:
        return IndexTensor(decode(entry), "bool" if entry.get("d") == "bool" else "int")
    return decode(entry)


def build(path: str, record: Mapping[str, Any]) -> Instance:
    """The instance of a layer; raises Unbindable for a constructor call that does not bind."""
    keywords = {name: decode(value) for name, value in record.get("init_kw", {}).items()}
    instance = LAYERS[path].build([decode(v) for v in record.get("init", [])], keywords)
    if instance is None:
        raise Unbindable(f"{path} is not built with these arguments")
    return instance


def spellings(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The paths under which the registry may know the call of a row."""
    op = str(row["op"])
    if op.endswith("item__"):
        owner = "ndarray" if op.startswith("numpy.") else "Tensor"
        method = op.rpartition(".")[2]
        return (f"{owner}.{method}", f"operator.{method.strip('_')}")
    if op.startswith("numpy.ndarray."):
        return ("ndarray." + op.removeprefix("numpy.ndarray."),)
    if row.get("m"):
        owner = "ndarray" if op.startswith("numpy.") else "Tensor"
        return (op, f"{owner}.{op.split('.')[-1]}")
    return (op,)


def rename(spelling: Spelling, keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Keywords under the rule's names, as readers translate them."""
    names = {parameter.name for rule in spelling.op.rules for parameter in rule.parameters}
    return {
        frameworks.in_our_words(spelling.path, name, names): value
        for name, value in keywords.items()
    }


def ask(row: Mapping[str, Any], path: str) -> Answer:
    """The rule's answer to the call of a row."""
    arguments: list[Any] = [decode(argument) for argument in row["args"]]
    keywords = {name: decode(value) for name, value in row.get("kw", {}).items()}
    if path in LAYERS:
        return infer(build(path, row), arguments, keywords)
    if path.strip("_").endswith(("getitem", "setitem")):
        arguments[1] = decode_index(row["args"][1])
    return infer(REGISTRY[path], arguments, rename(REGISTRY[path], keywords))


def replay(row: dict[str, Any]) -> Iterator[Outcome]:
    """Compare the rule's answers to each form of one row."""
    for path in spellings(row):
        if path not in REGISTRY and path not in LAYERS:
            yield Outcome(row, path, "no rule")
            continue
        yield compare(row, path)


def compare(row: dict[str, Any], path: str) -> Outcome:
    """The outcome of one form of one row."""
    expected = row["r"]
    refused = isinstance(expected, dict) and "err" in expected
    try:
        answer = ask(row, path)
    except Mistake as mistake:
        return Outcome(row, path, "right" if refused else "wrong", str(mistake))
    except Unbindable as unbindable:
        if refused:
            # No signature takes the call, which is right only if the library raises TypeError.
            return Outcome(row, path, "right" if expected["cat"] == "type" else "silent", "unbound")
        return Outcome(row, path, "wrong", f"Unbindable: {unbindable}")
    except Exception as error:  # a rule that crashes makes a wrong row like any other
        return Outcome(row, path, "wrong", f"CRASH {type(error).__name__}: {error}")
    got = f"{answer.result!r}"
    if refused:
        return Outcome(row, path, "silent", got)
    if answer.duties:
        return Outcome(row, path, "wrong", f"{got} leaves duties {answer.duties}")
    return Outcome(row, path, agreement(expected, answer.result), got)


def agreement(expected: Any, got: Any) -> str:
    """Whether a result is the measured one."""
    if isinstance(expected, list):
        return agreement_of_shapes(expected, got)
    if expected is None:
        return "right" if got is None or got is UNKNOWN else "wrong"
    if "seq" in expected:
        if got is UNKNOWN:
            return "unknown"
        if not isinstance(got, tuple | list) or len(got) != len(expected["seq"]):
            return "wrong"
        agreements = {agreement(w, g) for w, g in zip(expected["seq"], got, strict=True)}
        return next((v for v in ("wrong", "unknown") if v in agreements), "right")
    if "v" not in expected or got is UNKNOWN:
        return "unknown"
    value = expected["v"]
    if value is None:
        return "unknown"  # in place: the rule answers the new shape of self
    if got == () and isinstance(value, int | float):
        return "right"  # NumPy's scalars
    if isinstance(value, list) and isinstance(got, tuple):
        return "right" if list(got) == value else "wrong"
    return "right" if got == value else "wrong"


def agreement_of_shapes(expected: Sequence[int], got: Any) -> str:
    if got is UNKNOWN:
        return "unknown"
    if isinstance(got, Trailing):
        sizes_got = [dim.size for dim in got.dims]
        tail = expected[len(expected) - len(sizes_got) :]
        fits = len(sizes_got) <= len(expected) and all(
            size is UNKNOWN or size == right for size, right in zip(sizes_got, tail, strict=True)
        )
        return "unknown" if fits else "wrong"
    if not isinstance(got, tuple) or not all(isinstance(dim, Dim) for dim in got):
        return "wrong"
    if len(got) != len(expected):
        return "wrong"
    if any(d.size is not UNKNOWN and d.size != s for d, s in zip(got, expected, strict=True)):
        return "wrong"
    return "unknown" if any(d.size is UNKNOWN for d in got) else "right"


def parameters_agree(row: Mapping[str, Any]) -> str:
    """The difference in a layer's own tensors in a row that lists them, or an empty text."""
    instance = build(row["op"], row)
    inferred = instance.layer.parameters(instance.fields)
    for name, shape in inferred.items():
        if shape is None:
            if name in row["p"]:
                return f"{name} is there, and not None"
            continue
        if name not in row["p"]:
            return f"{name} is not there"
        if agreement(row["p"][name], shape) == "wrong":
            return f"{name} is {row['p'][name]}, not {shape!r}"
    return ""


def replay_file(file: str, op: str | None = None) -> list[Outcome]:
    """All rows of one file, or those of one op."""
    rows = (row for row in read_rows(file) if op in (None, row["op"]))
    return [outcome for row in rows for outcome in replay(row)]


def caught(outcomes: Sequence[Outcome]) -> float:
    """The share of the refusals over shapes and dims that a rule finds too."""
    asked = [o for o in outcomes if o.category in REFUSED and o.verdict != "no rule"]
    return sum(o.verdict == "right" for o in asked) / len(asked) if asked else math.nan


def main() -> None:
    """Print counts per file and op, and failures on request."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--file", choices=FILES)
    parser.add_argument("--op", help="only this op, or all that start so with a trailing *")
    parser.add_argument("--show", type=int, default=0, help="print so many failures")
    parser.add_argument("--verdict", default="wrong", help="which rows --show prints")
    options = parser.parse_args()
    for file in (options.file,) if options.file else FILES:
        outcomes = replay_file(file)
        if options.op:
            start = options.op.rstrip("*")
            outcomes = [
                o
                for o in outcomes
                if o.row["op"] == start
                or (options.op.endswith("*") and o.row["op"].startswith(start))
            ]
        report(file, outcomes)
        for outcome in [o for o in outcomes if o.verdict == options.verdict][: options.show]:
            row = {k: v for k, v in outcome.row.items() if k not in ("r", "p", "d")}
            print(json.dumps(row)[:600])
            print("   want", json.dumps(outcome.row["r"])[:300])
            print("   got ", outcome.got[:300])


def report(file: str, outcomes: Sequence[Outcome]) -> None:
    """Print the counts of one file."""
    counts = Counter(
        o.verdict + (f" ({o.category})" if o.verdict == "silent" else "") for o in outcomes
    )
    print(f"{file}:", ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    print(f"  caught of shape and dim refusals: {caught(outcomes):.1%}")
    for verdict in ("wrong", "unknown", "no rule"):
        ops = Counter(o.path for o in outcomes if o.verdict == verdict)
        if ops:
            print(f"  {verdict}:", *(f"{op} {count}" for op, count in ops.most_common()))
    ops = Counter(o.path for o in outcomes if o.verdict == "silent" and o.category in REFUSED)
    if ops:
        print("  silent:", *(f"{op} {count}" for op, count in ops.most_common()))


if __name__ == "__main__":
    main()

"""Calls from the examples in docstrings of libraries, as programs whose results are known.

data/docstring_examples.jsonl says where each example stands, which calls are in it, and which
shapes they take and give. Here a call becomes a program again, with operands of these shapes. The
claims of the analyzer about its results are compared with the measured shapes, and each finding is
a false alarm: all of these calls ran.

`python tests/docstring_examples.py [LIBRARY ...] [--show N]` prints the figures of each library.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from loading import load_file
from namecheck import frameworks
from namecheck.analysis import analyze
from namecheck_runtime.declare import REGISTRY
from namecheck_runtime.layers import LAYERS

TESTS = Path(__file__).parent
FILE = TESTS / "data" / "docstring_examples.jsonl"

inlay = load_file(TESTS / "benchmarks" / "precision" / "inlay.py")

LIBRARIES = (
    "numpy",
    "torch",
    "jax.numpy",
    "jax.lax",
    "einops",
    "scipy.linalg",
    "scipy.signal",
    "scipy.ndimage",
)

TOGETHER = 40
"""How many calls are one program."""


class Call(NamedTuple):
    """A call of an example, and where that stands."""

    library: str
    object: str
    row: Mapping[str, Any]

    @property
    def has_rule(self) -> bool:
        """Whether the rulebook has the op or layer that is called."""
        path = frameworks.canonical(self.row["op"])
        return path in REGISTRY or path in LAYERS

    @property
    def results(self) -> list[list[int] | None]:
        """The shapes of the results, None for what is not an array."""
        result = self.row["r"]
        return result["seq"] if isinstance(result, dict) else [result]


WORD = re.compile(r"[<>=|]?[A-Za-z_][\w-]{0,24}|[\w .,()*>-]{0,60}(->|,| )[\w .,()*>-]{0,60}")
"""Texts that are words of an interface: modes, dtypes, and patterns of einsum and einops."""


def has_text(value: Any, within: bool = True) -> bool:
    """Whether an argument contains a text of the example's own; no text is kept `within` lists."""
    if isinstance(value, str):
        return within or not WORD.fullmatch(value)
    if isinstance(value, dict):
        kinds = [kind for kind in value if kind not in ("D", "B", "F", "d", "l", "k")]
        return any(has_text(value[kind]) for kind in kinds)
    if isinstance(value, list):
        return any(has_text(item, within or isinstance(item, list)) for item in value)
    return False


def read_calls() -> Iterator[Call]:
    """The calls in the file, in its order."""
    library = ""
    with FILE.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            library = row.get("library", library)
            for call in row.get("calls", ()):
                yield Call(library, row["object"], call)


# From rows to programs


def home(library: str) -> str:
    """The library of arrays that the examples of a library are about, as `np` and the like."""
    return {"torch": "torch", "jax.numpy": "jnp", "jax.lax": "jnp"}.get(library, "np")


ALIASES = {"numpy": "np", "jax": "jnp", "torch": "torch"}


class Writer:
    """Writes calls of one library as Python."""

    def __init__(self, library: str, maker: str = "") -> None:
        self.home = home(library)
        self.maker = maker
        """A function of a shape, a dtype and a library, called instead of `ones`."""

    def text(self, value: Any) -> str:
        """An argument."""
        if isinstance(value, list):
            return "(" + "".join(f"{self.text(item)}, " for item in value) + ")"
        if not isinstance(value, dict):
            return repr(value)
        ((kind, content), *_) = value.items()
        match kind:
            case "T":
                return self.array(value)
            case "L":
                return "[" + ", ".join(map(self.text, content)) + "]"
            case "N":
                return nested(content, value["k"])
            case "S":
                return "slice(" + ", ".join(map(self.text, content)) + ")"
            case "E":
                return "..."
            case "F":
                return f"float('{content}')"
            case "C":
                return repr(complex(*content))
            case "R":
                return "range(" + ", ".join(map(repr, content)) + ")"
            case "B":
                return str(content)
            case "D":
                return self.dtype(content, self.home)
            case "G":
                return "np.random.default_rng(0)"
            case "K":
                key = "jax.random.key(0)"
                return f"jax.random.split({key}, {tuple(content)})" if content else key
        raise ValueError(f"no argument: {value}")

    def array(self, value: Mapping[str, Any]) -> str:
        """An operand: ones, or the elements that the row has."""
        library = value.get("l", self.home)
        dtype = value.get("d", "")
        last = f", dtype={self.dtype(dtype, library)}" if dtype else ""
        if "v" in value:
            return f"{library}.{'tensor' if library == 'torch' else 'array'}({value['v']}{last})"
        shape = tuple(value["T"])
        if self.maker:
            return f"{self.maker}({shape}, {dtype!r}, {library!r})"
        return f"{library}.ones({shape}{last})"

    def dtype(self, name: str, library: str) -> str:
        """A dtype in the spelling of a library."""
        if name == "bool" and library != "torch":
            return "bool"
        return f"{library}.{name}"

    def entry(self, value: Any) -> str:
        """An entry of a subscript."""
        if isinstance(value, dict) and "S" in value:
            start, stop, step = ("" if part is None else self.text(part) for part in value["S"])
            return f"{start}:{stop}" + (f":{step}" if step else "")
        return self.text(value)

    def call(self, row: Mapping[str, Any], name: str) -> tuple[list[str], str]:
        """The statements that make the operands of a call, and the call."""
        before = []
        arguments = []
        for index, value in enumerate(row["args"]):
            if isinstance(value, dict) and "T" in value:
                before.append(f"{name}x{index} = {self.text(value)}")
                arguments.append(f"{name}x{index}")
            else:
                arguments.append(self.text(value))
        owner, _, op = row["op"].rpartition(".")
        if op == "__getitem__":
            entries = row["args"][1]
            subscript = ", ".join(map(self.entry, entries)) + ("," if is_tuple(entries) else "")
            return before, f"{arguments[0]}[{subscript or '()'}]"
        keywords = [f"{word}={self.text(value)}" for word, value in row.get("kw", {}).items()]
        if "init" in row:
            given = [self.text(value) for value in row["init"]]
            given += [f"{word}={self.text(v)}" for word, v in row.get("init_kw", {}).items()]
            before.append(f"{name}m = {row['op']}({', '.join(given)})")
            return before, f"{name}m({', '.join([*arguments, *keywords])})"
        if owner in ("Tensor", "ndarray", "numpy.random.Generator"):
            receiver, *arguments = arguments
            return before, f"{receiver}.{op}({', '.join([*arguments, *keywords])})"
        return before, f"{spelled(row['op'])}({', '.join([*arguments, *keywords])})"


def is_tuple(entries: list[Any]) -> bool:
    """Whether a subscript of one entry needs a comma: the entry is a tuple."""
    return len(entries) == 1 and isinstance(entries[0], list)


def spelled(op: str) -> str:
    """An op as programs write it."""
    for package, alias in (("numpy.", "np."), ("jax.numpy.", "jnp.")):
        if op.startswith(package):
            return alias + op.removeprefix(package)
    return op


def nested(shape: list[int], kind: str, at: int = 0) -> str:
    """A nested list of numbers of a kind; floats rise, as the edges of bins must."""
    if not shape:
        return {"b": "True", "i": "1", "f": f"{at + 1}.0", "c": "1j"}[kind]
    inner = [nested(shape[1:], kind, at * shape[0] + index) for index in range(shape[0])]
    return "[" + ", ".join(inner) + "]"


def head(library: str) -> str:
    """The imports of a program."""
    lines = ["import numpy as np"]
    if library == "torch":
        lines.append("import torch")
    elif library.startswith("jax"):
        lines += ["import jax", "import jax.numpy as jnp"]
    else:
        lines += [f"import {library}"] * (library != "numpy")
    return "\n".join(lines) + "\n"


def statements(call: Call, name: str, maker: str = "") -> list[str]:
    """A call as statements; the last assigns its results to `name`, or to `name_0`, `name_1`."""
    before, text = Writer(call.library, maker).call(call.row, name)
    if isinstance(call.row["r"], dict):
        targets = "".join(f"{name}_{index}, " for index in range(len(call.results)))
        return [*before, f"{targets}= {text}"]
    return [*before, f"{name} = {text}"]


# The comparison


class Verdict(NamedTuple):
    """What the analyzer says of one call."""

    call: Call
    program: str
    claims: tuple[str, ...]
    is_complete: bool
    """Whether all dims of all arrays in the result are claimed."""
    wrong: tuple[str, ...]
    findings: tuple[str, ...]


def judge(
    program: str, events: Iterable[tuple[int, str, list[int]]], thorough: bool = True
) -> tuple[dict[tuple[int, str], tuple[str, bool, list[str]]], list[tuple[int, str]]]:
    """The claim, whether it is complete and what is wrong in it; and the findings, with lines."""
    analysis = analyze("program.py", program.encode(), thorough)
    claims = inlay.read_claims([list(shape) for shape in analysis.shapes])
    judging = inlay.Judge(claims)
    listed = [[line, target, "assign", shape, {}] for line, target, shape in events]
    judging.hear({"given": {}, "events": listed})
    answers = {}
    for row in judging.table():
        line, target, _ = row["key"]
        claim = claims.get((line, target, "assign"))
        complete = claim is not None and claim.ranked and None not in claim.dims
        answers[line, target] = (row["claim"], complete, row["wrong"])
    return answers, [(f.span.line, f"{f.code} {f.message}") for f in analysis.findings]


def judge_calls(calls: list[Call]) -> list[Verdict]:
    """The verdicts on calls of one library, as one program."""
    lines = head(calls[0].library).splitlines()
    places: list[tuple[range, list[str]]] = []
    events = []
    for number, call in enumerate(calls):
        own = statements(call, f"r{number}")
        places.append((range(len(lines) + 1, len(lines) + len(own) + 1), own))
        lines += own
        names = [f"r{number}"]
        if isinstance(call.row["r"], dict):
            names = [f"r{number}_{index}" for index in range(len(call.results))]
        for name, shape in zip(names, call.results, strict=True):
            if shape is not None:
                events.append((len(lines), name, shape))
    answers, findings = judge("\n".join(lines) + "\n", events)
    verdicts = []
    for call, (place, own) in zip(calls, places, strict=True):
        theirs = [answers[line, name] for line, name, _ in events if line == place[-1]]
        verdicts.append(
            Verdict(
                call,
                "\n".join(own),
                tuple(claim for claim, _, _ in theirs),
                all(complete for _, complete, _ in theirs),
                tuple(text for _, _, wrong in theirs for text in wrong),
                tuple(text for line, text in findings if line in place),
            )
        )
    return verdicts


def replay(library: str) -> list[Verdict]:
    """The verdicts on all calls of a library."""
    calls = [call for call in read_calls() if call.library == library]
    starts = range(0, len(calls), TOGETHER)
    return [v for start in starts for v in judge_calls(calls[start : start + TOGETHER])]


def share(verdicts: Iterable[Verdict]) -> tuple[int, int]:
    """How many calls that a rule exists for are claimed with all dims, and how many there are."""
    ruled = [verdict for verdict in verdicts if verdict.call.has_rule]
    return sum(verdict.is_complete for verdict in ruled), len(ruled)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("libraries", nargs="*", default=LIBRARIES)
    parser.add_argument("--show", type=int, default=0, help="print so many of each kind")
    options = parser.parse_args()
    for library in options.libraries:
        verdicts = replay(library)
        claimed, ruled = share(verdicts)
        print(
            f"{library}: {len(verdicts)} calls, a rule for {ruled}, all dims claimed of {claimed}"
            f" ({claimed / max(ruled, 1):.1%}), {sum(bool(v.wrong) for v in verdicts)} wrong,"
            f" {sum(bool(v.findings) for v in verdicts)} with findings"
        )
        for kind in ("wrong", "findings"):
            for verdict in [v for v in verdicts if getattr(v, kind)][: options.show]:
                print(f"  {kind} {verdict.call.object}")
                print("    " + verdict.program.replace("\n", "\n    "))
                print(f"    {getattr(verdict, kind)} {verdict.claims} {verdict.call.row['r']}")
        if options.show:
            missing: dict[str, list[Verdict]] = defaultdict(list)
            for verdict in verdicts:
                if verdict.call.has_rule and not verdict.is_complete:
                    missing[verdict.call.row["op"]].append(verdict)
            for op, silent in sorted(missing.items(), key=lambda item: -len(item[1])):
                first = silent[0].program.splitlines()
                print(f"  open {op} {len(silent)}: {'; '.join(first)[:150]} {silent[0].claims}")
            unruled = Counter(v.call.row["op"] for v in verdicts if not v.call.has_rule)
            print("  no rule:", *(f"{op} {count}" for op, count in unruled.most_common(60)))


if __name__ == "__main__":
    main()

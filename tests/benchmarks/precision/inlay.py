"""Inlay truth: the dims that `namecheck show` claims, against the shapes that torch computes.

Every driver's file runs with a hook after each assignment, which records the shape of the value;
the claim for that line and target is compared with it. Within one activation of a function a symbol
has one value. Needs torch (see the README beside this file); `--python` names the
interpreter that has it. Exits with 1 if any claim is wrong. With `--certain` the claims are only
those that `namecheck annotate` relies on.

    python tests/benchmarks/precision/inlay.py --python PYTHON [--missing] [--certain] [driver ...]
"""

from __future__ import annotations

import argparse
import ast
import functools
import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import floor
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

HERE = Path(__file__).parent
REPOS = HERE / "repos"

MOST_TIMES = 64
"""The most observations of an assignment in one activation; a long loop adds no information."""


# Claims


class Unreadable(Exception):
    """A dim without a claim that can be checked."""


def split_dims(text: str) -> tuple[bool, list[str]]:
    """Whether the rank is claimed, and the dims as written."""
    inner = text.strip()[1:-1]
    dims: list[str] = []
    depth, start = 0, 0
    for index, letter in enumerate(inner):
        if letter in "([":
            depth += 1
        elif letter in ")]":
            depth -= 1
        elif letter == "," and depth == 0:
            dims.append(inner[start:index].strip())
            start = index + 1
    if inner[start:].strip():
        dims.append(inner[start:].strip())
    if dims and dims[0] == "...":
        return False, dims[1:]
    return dims != ["?"], [] if dims == ["?"] else dims


def parse(dim: str) -> ast.expr | None:
    """A dim as an expression, or None if it does not claim a size."""
    _, _, size = dim.rpartition("=")
    if "?" in size or size == "_":
        return None
    size = size.replace("'", "_prime").replace(".[", "[")
    size = re.sub(r"(?<=[A-Za-z_\]])\.(\d+)", r".dim\1", size)  # `x.0` is dim 0 of x
    try:
        tree = ast.parse(size, mode="eval").body
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) not in ("min", "max"):
            return None
    return tree


def labels(node: ast.expr) -> set[str]:
    """The symbols in a dim, as written."""
    match node:
        case ast.Name() | ast.Attribute() | ast.Subscript():
            return {ast.unparse(node)}
        case ast.BinOp(left, _, right):
            return labels(left) | labels(right)
        case ast.UnaryOp(_, operand):
            return labels(operand)
        case ast.Call(_, arguments):
            return set().union(*map(labels, arguments))
    return set()


def compute(node: ast.expr, values: Mapping[str, Fraction]) -> Fraction:
    """The value of a dim if every symbol has one."""
    match node:
        case ast.Constant(int(value)):
            return Fraction(value)
        case ast.Name() | ast.Attribute() | ast.Subscript():
            return values[ast.unparse(node)]
        case ast.UnaryOp(ast.USub(), operand):
            return -compute(operand, values)
        case ast.Call(ast.Name(function), arguments):
            sizes = [compute(argument, values) for argument in arguments]
            return min(sizes) if function == "min" else max(sizes)
        case ast.BinOp(left, operator, right):
            mine, other = compute(left, values), compute(right, values)
            match operator:
                case ast.Add():
                    return mine + other
                case ast.Sub():
                    return mine - other
                case ast.Mult():
                    return mine * other
                case ast.Div():
                    return mine / other
                case ast.FloorDiv():
                    return Fraction(mine // other)
                case ast.Mod():
                    return mine % other
    raise Unreadable


class Claim(NamedTuple):
    """The claim about one target on one line."""

    ranked: bool
    dims: tuple[ast.expr | None, ...]
    text: str

    @property
    def says(self) -> bool:
        """Whether the rank is known, and the size of at least one dim, unless there are none."""
        return self.ranked and (not self.dims or any(dim is not None for dim in self.dims))


Key = tuple[int, str, str]


def read_claims(shapes: list[list[Any]]) -> dict[Key, Claim]:
    """The claims of a file by line, target and kind."""
    claims = {}
    for line, target, text, kind, *_ in shapes:
        ranked, dims = split_dims(text)
        claims[line, target, kind] = Claim(ranked, tuple(map(parse, dims)), text)
    return claims


# Events


class Recorder:
    """Records the run of a driver.

    It keeps every activation with its int arguments, and every tensor with its line and target.
    """

    def __init__(self) -> None:
        self.frames: dict[int, tuple[FrameType, int]] = {}
        self.activations: list[dict[str, Any]] = []
        self.counts: dict[tuple[int, Key], int] = defaultdict(int)
        self.built: dict[int, tuple[object, dict[str, dict[str, int]]]] = {}
        """The ints in the arguments of each constructor that ran for an object, by its class.

        They are read when it runs: a program may change its configuration between two modules.
        """

    def enter(self, line: int) -> None:
        """A function's body begins."""
        frame = sys._getframe(1)
        variables = dict(frame.f_locals)
        code = frame.f_code
        parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        owner, _, name = code.co_qualname.rpartition(".")
        ints: dict[str, int] = {}
        receiver = variables.get(parameters[0]) if parameters and owner else None
        if receiver is not None and name in ("__init__", "__post_init__"):
            given: dict[str, int] = {}
            for word, value in variables.items():
                spread(word, value, given)
            self.built.setdefault(id(receiver), (receiver, {}))[1][owner] = given
        elif receiver is not None and id(receiver) in self.built:
            constructors = self.built[id(receiver)][1]
            lineage = [cls.__qualname__ for cls in type(receiver).__mro__]
            mine = lineage[lineage.index(owner) :] if owner in lineage else []
            for cls in reversed(mine):
                ints.update(constructors.get(cls, {}))
        roots = {name: variables[name] for name in parameters if name in variables}
        if receiver is not None:
            roots["self"] = receiver
        for word, value in roots.items():
            spread(word, value, ints)
        self._begin(frame, ints)
        for name in parameters:
            if name in variables:
                self._note(frame, (line, name, "parameter"), variables[name])

    def _begin(self, frame: FrameType, ints: dict[str, int]) -> int:
        number = len(self.activations)
        # The reference keeps the frame alive, so that no other activation gets its id.
        self.frames[id(frame)] = (frame, number)
        self.activations.append({"given": ints, "events": []})
        return number

    def assigned(self, line: int, target: str, value: object) -> None:
        """A target was assigned on a line."""
        self._note(sys._getframe(1), (line, target, "assign"), value)

    def returned(self, line: int, target: str, value: Any) -> Any:
        """A value is about to be returned."""
        self._note(sys._getframe(1), (line, target, "return"), value)
        return value

    def _note(self, frame: FrameType, key: Key, value: object) -> None:
        shape = shape_of(value)
        if shape is None and (value is None or isinstance(value, int | float | complex)):
            return
        if getattr(value, "is_nested", False):
            return  # a tensor without one shape
        entry = self.frames.get(id(frame))
        number = entry[1] if entry is not None else self._begin(frame, {})
        self.counts[number, key] += 1
        if self.counts[number, key] > MOST_TIMES:
            return
        ints = {k: v for k, v in frame.f_locals.items() if type(v) is int}
        self.activations[number]["events"].append([*key, shape, ints])


def spread(word: str, value: object, ints: dict[str, int], depth: int = 0) -> None:
    """Add to `ints` the ints that a program can read from a value, by expression."""
    if type(value) is int:
        ints[word] = value
    elif isinstance(value, tuple | list) and depth < 3 and len(value) < 32:
        for index, inner in enumerate(value):
            spread(f"{word}[{index}]", inner, ints, depth + 1)
    elif isinstance(value, dict) and depth < 3 and len(value) < 200:
        for key, inner in value.items():
            spread(f"{word}[{key!r}]", inner, ints, depth + 1)
    elif depth < 2 and hasattr(value, "__dict__"):
        for name, inner in vars(value).items():
            spread(f"{word}.{name}", inner, ints, depth + 1)


# The comparison


class Site:
    """The observations at one target on one line."""

    def __init__(self) -> None:
        self.times = 0
        self.others = 0
        self.right: set[int] = set()
        self.wrong: dict[int, str] = {}
        self.open: set[int] = set()
        self.shape: list[int] | None = None
        self.bad_rank = ""


Ints = Callable[[], tuple[dict[str, int], dict[str, int]]]


def ints_of_round(events: list[list[Any]], number: int) -> tuple[dict[str, int], dict[str, int]]:
    """The variables that are ints at an event, and as they are when the round of its loop is over.

    `B, H, W = x.shape` reads the sizes of this round behind the line that made `x`.
    """
    *key, _, now = events[number]
    later = dict(now)
    for line, target, kind, _, ints in events[number + 1 :]:
        if [line, target, kind] == key:
            break
        later.update(ints)
    return now, later


class Judge:
    """Compares the events of a run with the claims."""

    def __init__(self, claims: dict[Key, Claim]) -> None:
        self.claims = claims
        self.sites: dict[Key, Site] = defaultdict(Site)

    def hear(self, activation: dict[str, Any]) -> None:
        """Process the events of one run of a function, in order."""
        values = {label: Fraction(value) for label, value in activation["given"].items()}
        waiting = activation["events"]
        pairs: list[tuple[Key, int, ast.expr, int, Ints]] = []
        for number, (line, target, kind, shape, _) in enumerate(waiting):
            key = (line, target, kind)
            site = self.sites[key]
            if shape is None:
                site.others += 1
                continue
            site.times += 1
            site.shape = site.shape or shape
            claim = self.claims.get(key)
            if claim is None:
                continue
            count = len(claim.dims)
            if count != len(shape) if claim.ranked else count > len(shape):
                site.bad_rank = f"{claim.text} is {shape}"
                continue
            for back in range(1, count + 1):
                dim = claim.dims[-back]
                if dim is not None:
                    ints = functools.partial(ints_of_round, waiting, number)
                    pairs.append((key, count - back, dim, shape[-back], ints))
        for _ in range(3):
            pairs = [pair for pair in pairs if not self._compare(values, *pair)]
        for key, index, *_ in pairs:
            self.sites[key].open.add(index)

    def _compare(
        self,
        values: dict[str, Fraction],
        key: Key,
        index: int,
        dim: ast.expr,
        size: int,
        ints: Ints,
    ) -> bool:
        """Whether the claimed size could be checked."""
        site = self.sites[key]
        unknown = [label for label in labels(dim) if label not in values]
        try:
            if not unknown:
                expected = compute(dim, values)
                if expected.denominator > 1 and isinstance(dim, ast.BinOp):
                    expected = Fraction(floor(expected))  # `T/h` means Python's `T // h`
                if expected != size:
                    for of_round in ints():
                        # In a loop, the value of the variable of that name in this round; `h'` is
                        # another size of the name `h`.
                        named = {k: re.sub("(_prime)+$", "", k) for k in labels(dim)}
                        now = {k: Fraction(of_round[n]) for k, n in named.items() if n in of_round}
                        if compute(dim, {**values, **now}) == size:
                            values.update(now)
                            break
                    else:
                        assumed = ", ".join(f"{k}={values[k]}" for k in sorted(labels(dim)))
                        text = f"{self.claims[key].text} dim {index} is {size}, not {expected}"
                        site.wrong[index] = text + (f" ({assumed})" if assumed else "")
                        return True
                site.right.add(index)
                return True
            if len(unknown) == 1:
                solution = solve(dim, values, unknown[0], size)
                if solution is None:
                    text = f"{self.claims[key].text} dim {index} cannot be {size}"
                    site.wrong[index] = text
                else:
                    values[unknown[0]] = solution
                    site.right.add(index)
                return True
        except (Unreadable, ZeroDivisionError):
            pass
        return False

    def table(self) -> list[dict[str, Any]]:
        """The results, site by site."""
        rows = []
        for key, site in sorted(self.sites.items()):
            claim = self.claims.get(key)
            rows.append(
                {
                    "key": key,
                    "times": site.times,
                    "shape": site.shape,
                    "claim": claim.text if claim is not None else "",
                    "ranked": claim is not None and claim.ranked,
                    "says": claim is not None and claim.says,
                    "right": len(site.right - site.wrong.keys()),
                    "open": len(site.open - site.right - site.wrong.keys()),
                    "wrong": [
                        *site.wrong.values(),
                        *([site.bad_rank] if site.bad_rank else ()),
                        *([f"{claim.text} is not a tensor"] if claim and site.others else ()),
                    ],
                }
            )
        return rows


def solve(dim: ast.expr, values: dict[str, Fraction], label: str, size: int) -> Fraction | None:
    """The only value of a symbol that gives a dim this size, or None if there is none.

    Unreadable is raised if it cannot be computed.
    """
    if isinstance(dim, ast.Name | ast.Attribute | ast.Subscript):
        return Fraction(size)
    rounded = (ast.FloorDiv, ast.Mod, ast.Call)
    if any(isinstance(node, rounded) for node in ast.walk(dim)):
        raise Unreadable  # more than one value may give this size
    sizes = [compute(dim, {**values, label: Fraction(k)}) for k in (1, 2, 3)]
    if sizes[1] - sizes[0] == sizes[2] - sizes[1] != 0:
        solution = 1 + (size - sizes[0]) / (sizes[1] - sizes[0])
    elif sizes[0] and sizes[0] / sizes[1] == 2 and sizes[0] / sizes[2] == 3:  # n / h
        solution = sizes[0] / size
    else:
        raise Unreadable
    return solution if solution >= 0 and solution.denominator == 1 else None


def shape_of(value: object) -> tuple[int, ...] | None:
    """The shape of a tensor or array, or None for any other value."""
    module = type(value).__module__.partition(".")[0]
    if not hasattr(value, "dtype") or module not in ("torch", "numpy", "jax", "jaxlib"):
        if not any(
            cls.__module__ == "torch" and cls.__name__ == "Tensor" for cls in type(value).__mro__
        ):
            return None
    shape = getattr(value, "shape", None)
    try:
        return tuple(int(size) for size in shape)  # type: ignore[union-attr]
    except Exception:
        return None


class Hook(ast.NodeTransformer):
    """Adds calls of the recorder after assignments, before bodies and around returns."""

    def _call(self, name: str, node: ast.AST, *arguments: ast.expr) -> ast.Call:
        function = ast.Name(name, ast.Load())
        return ast.Call(function, [ast.Constant(node.lineno), *arguments], [])  # type: ignore[attr-defined]

    def _behind(self, node: ast.stmt, targets: list[ast.expr]) -> list[ast.stmt]:
        statements = [node]
        for target in targets:
            for simple in simple_targets(target):
                read = ast.parse(ast.unparse(simple), mode="eval").body
                call = self._call(
                    "__inlay_assigned__", node, ast.Constant(ast.unparse(simple)), read
                )
                statements.append(ast.Expr(call))
        return [ast.copy_location(statement, node) for statement in statements]

    def visit_Assign(self, node: ast.Assign) -> Any:
        self.generic_visit(node)
        return self._behind(node, node.targets)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        self.generic_visit(node)
        return self._behind(node, [node.target])

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        self.generic_visit(node)
        return self._behind(node, [node.target]) if node.value is not None else node

    def visit_Return(self, node: ast.Return) -> Any:
        self.generic_visit(node)
        if node.value is not None:
            written = ast.Constant(ast.unparse(node.value))
            node.value = ast.copy_location(
                self._call("__inlay_returned__", node, written, node.value), node.value
            )
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        self.generic_visit(node)
        documented = ast.get_docstring(node, clean=False) is not None
        place = node.body[0]
        enter = ast.copy_location(ast.Expr(self._call("__inlay_enter__", node)), place)
        node.body.insert(int(documented), enter)
        return node


def simple_targets(target: ast.expr) -> Iterator[ast.expr]:
    """The names and attributes of names that a target binds."""
    match target:
        case ast.Tuple(elements) | ast.List(elements):
            for element in elements:
                yield from simple_targets(element)
        case ast.Name() | ast.Attribute(ast.Name()):
            yield target


def trace(name: str) -> None:
    """Run a driver in the interpreter that has torch, and print the events."""
    sys.path[:0] = [str(HERE), str(HERE / "drivers")]
    import harness  # type: ignore[import-not-found]

    driver = harness.load_driver(name)
    if hasattr(driver, "setup"):
        driver.setup()
    source = (REPOS / driver.FILE).read_text("utf8")
    recorder = Recorder()
    tree = ast.fix_missing_locations(Hook().visit(ast.parse(source)))
    import builtins

    builtins.__inlay_enter__ = recorder.enter  # type: ignore[attr-defined]
    builtins.__inlay_assigned__ = recorder.assigned  # type: ignore[attr-defined]
    builtins.__inlay_returned__ = recorder.returned  # type: ignore[attr-defined]
    harness.seed()
    silent = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    module = harness.load_target(driver, tree)
    driver.run(module)
    sys.stdout.flush()
    os.dup2(silent, 1)
    print(json.dumps(recorder.activations))


# The table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("drivers", nargs="*", help="names of drivers (all)")
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has torch")
    parser.add_argument("--missing", action="store_true", help="list assignments without a claim")
    parser.add_argument(
        "--certain", action="store_true", help="judge only the claims that annotate relies on"
    )
    parser.add_argument("--keep", type=Path, help="a folder to keep the events of each run in")
    parser.add_argument("--trace", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.trace:
        trace(options.drivers[0])
        return
    names = [
        str(path.relative_to(HERE / "drivers").with_suffix(""))
        for path in sorted((HERE / "drivers").rglob("*.py"))
        if path.stem[0] != "_"
    ]
    total: dict[str, int] = defaultdict(int)
    print(f"{'driver':34s} {'dims right':>10s} {'wrong':>6s} {'open':>5s} {'tensors':>8s}", end="")
    print(f" {'claimed':>8s} {'rank only':>10s} {'share':>6s}")
    troubled = False
    for name in options.drivers or names:
        try:
            rows = judge(name, options.python, options.keep, options.certain)
        except Stopped as stop:
            print(f"{name:34s} failed: {stop}")
            troubled = True
            continue
        for key, count in show_driver(name, rows, options.missing).items():
            total[key] += count
    show_line("all", total)
    sys.exit(1 if total["wrong"] or troubled else 0)


class Stopped(Exception):
    """A driver that does not run."""


def judge(name: str, python: str, keep: Path | None, sure: bool) -> list[dict[str, Any]]:
    """The right and wrong claims in the file of one driver."""
    from namecheck.analysis.runs.file_analysis import analyze_text
    from namecheck.analysis.state.shapes_seen import Known
    from namecheck.source import decode

    written = ast.parse((HERE / "drivers" / f"{name}.py").read_text())
    files = [
        ast.literal_eval(node.value)
        for node in written.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "FILE"
    ]
    path = REPOS / files[0]
    if not path.exists():
        raise Stopped(f"{path} does not exist")
    certain: dict[Key, Known] | None = {} if sure else None
    analysis = analyze_text(str(path), decode(path.read_bytes()), thorough=True, certain=certain)
    for finding in analysis.findings:
        if finding.code == "NC999":
            raise Stopped(finding.message)
    judge = Judge(read_claims([list(shape) for shape in analysis.shapes]))
    for activation in happened(name, python, keep):
        judge.hear(activation)
    return judge.table()


def happened(name: str, python: str, keep: Path | None) -> Any:
    """The events of a driver's run, now or from an earlier run that was kept."""
    file = keep / f"{name}.json" if keep is not None else None
    if file is not None and file.exists():
        return json.loads(file.read_text())
    command = [python, __file__, "--trace", name]
    process = subprocess.run(command, capture_output=True, text=True, timeout=900)
    if process.returncode:
        raise Stopped(process.stderr.strip()[-600:])
    text = process.stdout.splitlines()[-1]
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return json.loads(text)


def show_driver(name: str, rows: list[dict[str, Any]], missing: bool) -> dict[str, int]:
    """Print a driver's line and its wrong claims, and return the counts."""
    count: dict[str, int] = defaultdict(int)
    lines = []
    for row in rows:
        line, target, kind = row["key"]
        tensor = kind == "assign" and row["times"] > 0
        count["tensors"] += tensor
        count["claimed"] += tensor and row["says"]
        count["ranked"] += tensor and row["ranked"] and not row["says"]
        count["right"] += row["right"]
        count["open"] += row["open"]
        count["wrong"] += len(row["wrong"])
        place = f"    {line}: {target[:40]}"
        lines += [f"{place}: WRONG {text}" for text in row["wrong"]]
        if missing and tensor and not row["says"]:
            lines.append(f"{place}: {row['claim'] or '-'} is {row['shape']}")
    show_line(name, count)
    for text in lines:
        print(text)
    return count


def show_line(name: str, count: Mapping[str, int]) -> None:
    tensors = count.get("tensors", 0)
    share = f"{100 * count.get('claimed', 0) / tensors:5.0f}%" if tensors else "     -"
    print(
        f"{name:34s} {count.get('right', 0):10d} {count.get('wrong', 0):6d}"
        f" {count.get('open', 0):5d} {tensors:8d} {count.get('claimed', 0):8d}"
        f" {count.get('ranked', 0):10d} {share}",
        flush=True,
    )


if __name__ == "__main__":
    main()

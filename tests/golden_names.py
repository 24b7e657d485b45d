"""Replays the measured behaviour of torch 2.12.1, the last with names, at the level of rules.

Every row of golden/name_inference_visible.jsonl becomes one `infer()` call; names and sizes of its
results, of `out=` and of self after an in-place call must be the measured ones, and a refusal must
be of the measured category.  Dtypes, shared memory and object identity belong to the tests of the
runtime.  `python tests/golden_names.py [--op OP] [--show N] [--exact]
[--missing]` prints counts and the first failures.

How each form is called: `fn` torch.X, `m` and `get` Tensor.X, `F` torch.nn.functional.X, `set`
"Tensor.X=", `idx` operator.getitem, `setidx` operator.setitem, `py` operator.X, `len`
builtins.len, `iter` builtins.iter.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from namecheck_runtime.declare import REGISTRY, Unbindable
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN, Dim, Shape
from namecheck_runtime.mistakes import Mistake
from namecheck_runtime.rules.index import IndexKind, IndexTensor

GOLDEN = Path(__file__).parent / "golden" / "name_inference_visible.jsonl"

# The categories of measured texts: the first pattern that occurs in a text decides.
CATEGORIES = [
    ("not-supported", r"is not yet supported with named tensors|NYI|does not yet support"),
    ("not-supported", r"not yet implemented|cannot be parametrized by|unsupported"),
    ("name-dup-matmul", r"would produce output tensor with duplicate names"),
    ("name-dup", r"duplicate names"),
    ("name-misaligned", r"Misaligned dims|because the latter names already have"),
    ("name-misaligned", r"Are your tensors misaligned"),
    ("name-mismatch", r"at the same position from the right but do not match"),
    ("name-mismatch", r"to match .* but they do not match"),
    ("name-out", r"Name mismatch: specified out tensor"),
    ("name-rename", r"rename_?:"),
    ("name-missing", r"Name .* not found in"),
    ("name-wildcard-lookup", r"Please look up dimensions by name"),
    ("name-count", r"Number of names|different number of dims|only support up to"),
    ("name-invalid", r"Invalid name"),
    ("name-refine", r"cannot coerce Tensor"),
    ("name-align", r"^align|Could not align|would change the absolute position|align_to"),
    ("name-glob", r"More than one Ellipsis"),
    ("name-flatten", r"^flatten|unflatten"),
    ("name-resize", r"Cannot resize named tensor"),
    ("name-broadcast-to", r"attempted to broadcast Tensor"),
    ("type", r"invalid combination of arguments|must be|expected .* but got"),
    ("type", r"unexpected keyword|missing \d+ required|takes \d|missing a required"),
    ("dim-range", r"Dimension out of range|Dimension specified as|out of range"),
    ("dim-range", r"dimension .* does not exist|Invalid dim"),
    ("dim-repeat", r"appears multiple times|repeated dim|identical|duplicate"),
    ("shape", r"size|shape|dimension|broadcast|numel|1D|2D|3D|expected|matrix"),
    ("shape", r"cannot be multiplied|Tensors must|inconsistent"),
]

RUNTIME_FORMS = {"grad", "repr", "pickle", "copy", "deepcopy", "bool", "float", "int"}
"""Ops that are not about dims: autograd, printing, copying, conversion to Python numbers."""

RUNTIME_CATEGORIES = {
    "not-supported": "torch had no name rule; ours has the natural one",
    "type": "a TypeError: the argument parser's business, which readers check",
}

UNTAGGED = {
    "iadd:f433ba0e",
    "itruediv:6acf2dcf",
    "masked_fill_:aa8668a8",
    "mul_:14de2621",
    "sub_:b148a376",
    "div_:ca82db9b",
    "mv:68b4ae3c",
    "cat:e6944aa1",
}
"""Rows that break the documented rule (quirks Q5, Q6) without carrying the tag."""

DTYPE_TEXTS = (
    "signbit does not support non-boolean outputs",
    "the base given to float_power_ has dtype",
    "not implemented for 'Bool'",
    "can't retain_grad on Tensor",
)
"""Refusals for reasons other than dims: dtypes and autograd."""

DATA_DEPENDENT = {
    "nonzero",
    "argwhere",
    "masked_select",
    "unique",
    "unique_consecutive",
    "bincount",
}
"""Ops whose sizes depend on the elements: the rule's UNKNOWN agrees with the measured number."""

NOT_OF_DIMS = {
    "stride",
    "storage_offset",
    "itemsize",
    "nbytes",
    "element_size",
    "get_device",
    "item",
    "tolist",
}
"""Ops whose numbers do not follow from names and sizes: the rule's UNKNOWN agrees with them."""

_EMPTY = "torch does not look at the dim of a tensor without elements"
_UNCHECKED = "torch leaves the names of out= alone where none are computed; ours compares (Q6)"
_INTERNAL = "an internal error of torch's on a named tensor"
_BIAS = "torch takes mv's out= as a bias, whose names unify; ours is a destination like any other"
_STORAGE = "how much memory there is behind the tensor is the runtime's knowledge"
_VALUES = "which numbers an index holds is the runtime's knowledge"
ASKED_OF_THE_RUNTIME = (_STORAGE, _VALUES)
"""Reasons that do not excuse the runtime."""

EXCEPTIONS = {
    "cummin:8e277d7e": _EMPTY,
    "mode:e92c5497": "torch loses the names of a tensor without elements",
    "masked_select:d9cb4071": _UNCHECKED,
    "masked_select:e38584cc": _UNCHECKED,
    "empty:16bfbe22": _UNCHECKED,
    "is_coalesced:06fe1198": "a refusal of strided memory, which no dim causes",
    "is_coalesced:23d386fc": "a refusal of strided memory, which no dim causes",
    "new_tensor:3ed3bce1": _INTERNAL,
    "resize:fd074552": _INTERNAL,
    "mv:13540ce0": _BIAS,
    "mv:ac60bb6d": _BIAS,
    "mv:7faacf46": _BIAS,
    "as_strided:3b410695": _STORAGE,
    "as_strided:7ab89aff": _STORAGE,
    "index_fill:40101fd2": _VALUES,
    "index_fill_:03dc8334": _VALUES,
    "scatter:3cd86ce6": _VALUES,
}
"""Rows by id with another answer of the rule, and the reason."""


class Outcome(NamedTuple):
    """How one row went: `right`, `wrong`, `no rule`, or left out and why."""

    row: dict[str, Any]
    verdict: str
    got: str = ""
    exact: bool | None = None
    """For a right refusal: whether the sentence is exactly the measured one."""


class Opaque(NamedTuple):
    """An argument that rules ignore: a dtype, a memory format."""

    text: str


def category(text: str, exception: str = "") -> str:
    """The category of a measured or computed text."""
    if exception == "TypeError":
        return "type"
    return next((name for name, pattern in CATEGORIES if re.search(pattern, text)), "other")


def read_rows() -> list[dict[str, Any]]:
    """All rows, in the order of the file."""
    with GOLDEN.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def tensor(sizes: Iterable[int], names: Iterable[str | None] | None) -> Shape:
    """The shape of a measured tensor."""
    sizes = tuple(sizes)
    return tuple(
        Dim(name, size) for name, size in zip(names or (None,) * len(sizes), sizes, strict=True)
    )


def decode(value: Any, earlier: list[Any]) -> Any:
    """An argument of a row as rules take it; `earlier` are the arguments before it."""
    if isinstance(value, list):
        return [decode(v, earlier) for v in value]
    if not isinstance(value, dict):
        return value
    ((kind, content),) = ((k, v) for k, v in value.items() if k in "TESUODMR")
    match kind:
        case "T":
            return tensor(content[0], content[1])
        case "E":
            return Ellipsis
        case "S":
            return slice(*content)
        case "U":
            return tuple(decode(v, earlier) for v in content)
        case "O":
            return tuple((key, size) for key, size in content)
        case "R":
            return earlier[content]
        case _:
            return Opaque(content)


def decode_index(value: Any, earlier: list[Any]) -> Any:
    """The subscript of a row; a tensor in it keeps whether it is a mask."""
    if isinstance(value, dict) and "U" in value:
        return tuple(decode_index(entry, earlier) for entry in value["U"])
    if isinstance(value, dict) and "T" in value:
        kind: IndexKind = "bool" if value["T"][2:] == ["bool"] else "int"
        return IndexTensor(decode(value, earlier), kind)
    return decode(value, earlier)


def spelling_of(row: dict[str, Any]) -> str:
    """The spelling under which the registry knows the call of a row."""
    form, op = row["f"], row["op"]
    return {
        "fn": f"torch.{op}",
        "m": f"Tensor.{op}",
        "get": f"Tensor.{op}",
        "set": f"Tensor.{op}=",
        "F": f"torch.nn.functional.{op}",
        "idx": "operator.getitem",
        "setidx": "operator.setitem",
        "py": f"operator.{op}",
        "len": "builtins.len",
        "iter": "builtins.iter",
    }[form]


def left_out(row: dict[str, Any]) -> str | None:
    """The reason why a row is not replayed, or None."""
    if row["f"] in RUNTIME_FORMS:
        return "form of the runtime"
    if "q" in row and not row["q"].startswith("msg-"):
        return "quirk"
    if row["id"] in UNTAGGED:
        return "quirk"
    if row["id"] in EXCEPTIONS:
        return "exception"
    expected = row["r"]
    if expected.get("cat") in RUNTIME_CATEGORIES and not (
        expected["cat"] == "type" and expected["err"] != "TypeError"
    ):
        return str(expected["cat"])
    if any(text in row["r"].get("msg", "") for text in DTYPE_TEXTS):
        return "dtype"
    return None


def replay(row: dict[str, Any], excuse: bool = True) -> Outcome:
    """Compare the rule's answer with one row, without `excuse` even with one to be left out."""
    reason = left_out(row) if excuse else None
    if reason is not None:
        return Outcome(row, f"left out: {reason}")
    path = spelling_of(row)
    if path not in REGISTRY:
        return Outcome(row, "no rule")
    arguments: list[Any] = []
    for argument in row["a"]:
        subscript = len(arguments) == 1 and row["f"] in ("idx", "setidx")
        arguments.append(
            decode_index(argument, arguments) if subscript else decode(argument, arguments)
        )
    keywords = {name: decode(value, arguments) for name, value in row.get("k", {}).items()}
    expected = row["r"]
    try:
        answer = infer(path, arguments, keywords)
    except Mistake as mistake:
        text = mistake.sentence()
        refusal = category(text, mistake.exception.__name__)
        got = f"[{refusal}] {text}"
        if "err" not in expected or expected["cat"] != refusal:
            return Outcome(row, "wrong", got)
        # Long texts were cut at 420 characters.
        exact = text[:420] + "~" * (len(text) > 420) == expected["msg"]
        return Outcome(row, "right", got, exact)
    except Unbindable as unbindable:
        return Outcome(row, "wrong", f"Unbindable: {unbindable}")
    except Exception as error:  # a rule that crashes makes a wrong row like any other
        return Outcome(row, "wrong", f"CRASH {type(error).__name__}: {error}")
    got = f"{answer.result!r}"
    if answer.duties:
        return Outcome(row, "wrong", f"{got} leaves duties {answer.duties}")
    right = "err" not in expected and all(
        agrees(part, answer.result, row["op"]) for part in measured_results(row)
    )
    return Outcome(row, "right" if right else "wrong", got)


def measured_results(row: dict[str, Any]) -> Iterator[Any]:
    """The measured results to compare with: the result, `out` and self after the call."""
    expected = row["r"]
    if row["f"] in ("set", "setidx"):
        yield {"t": expected["self"]}
        return
    yield expected
    if "self" in expected:
        yield {"t": expected["self"]}
    if "out" in expected:
        out = expected["out"]
        several = (
            bool(out) and isinstance(out[0], list) and bool(out[0]) and isinstance(out[0][0], list)
        )
        yield {"seq": [{"t": part} for part in out]} if several else {"t": out}


def agrees(expected: Any, got: Any, op: str) -> bool:
    """Whether a rule's result is the measured one."""
    if "t" in expected:
        if not isinstance(got, tuple) or not all(isinstance(dim, Dim) for dim in got):
            return False
        sizes, names = expected["t"][:2]
        if len(sizes) != len(got):
            return False
        same_sizes = all(
            dim.size == size or (dim.size is UNKNOWN and op in DATA_DEPENDENT)
            for dim, size in zip(got, sizes, strict=True)
        )
        return same_sizes and [dim.name for dim in got] == (names or [None] * len(sizes))
    if "seq" in expected:
        parts = expected["seq"]
        if got is UNKNOWN:
            return op in NOT_OF_DIMS
        return (
            isinstance(got, tuple)
            and len(got) == len(parts)
            and all(agrees(part, mine, op) for part, mine in zip(parts, got, strict=True))
        )
    value = expected.get("v")
    if got is UNKNOWN:
        of_dims = isinstance(value, int) and not isinstance(value, bool) and op not in NOT_OF_DIMS
        return not of_dims
    return bool(got == value)


def replay_all(op: str | None = None) -> list[Outcome]:
    """All rows, or those of one op."""
    return [replay(row) for row in read_rows() if op in (None, row["op"])]


def main() -> None:
    """Print counts, and failures on request."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--op")
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--exact", action="store_true", help="show refusals whose text differs")
    parser.add_argument("--missing", action="store_true", help="list ops without a rule")
    options = parser.parse_args()
    outcomes = replay_all(options.op)
    counts = Counter(outcome.verdict for outcome in outcomes)
    exact = [outcome for outcome in outcomes if outcome.exact is not None]
    for verdict, count in sorted(counts.items()):
        print(f"{count:6d} {verdict}")
    print(f"{sum(bool(o.exact) for o in exact):6d} of {len(exact)} refusals in torch's exact words")
    wrong = Counter(o.row["op"] for o in outcomes if o.verdict == "wrong")
    if wrong:
        print("wrong:", *(f"{op} {count}" for op, count in wrong.most_common()))
    if options.missing:
        missing = Counter(spelling_of(o.row) for o in outcomes if o.verdict == "no rule")
        print("no rule:", *(f"{path} {count}" for path, count in sorted(missing.items())))
    shown = [o for o in outcomes if (o.exact is False if options.exact else o.verdict == "wrong")]
    for outcome in shown[: options.show]:
        row = outcome.row
        call = {key: row[key] for key in ("op", "f", "a", "k", "id") if key in row}
        print(
            json.dumps(call),
            "\n   want",
            json.dumps(row["r"])[:400],
            "\n   got ",
            outcome.got[:400],
        )


if __name__ == "__main__":
    main()

"""Replay on the runtime the calls measured on torch 2.12.1, the last version with names.

Every row of golden/name_inference_visible.jsonl is run by `case_runner` on the runtime: names,
sizes, dtypes, identity and sharing of results, of `out=` and of self, or the category of the
refusal.  `PYTHONPATH=tests python tests/runtime/golden_runtime.py [--op OP] [--show N]` prints
counts and failures.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import case_runner
import view_runner

import namecheck_runtime as nt
from golden_names import ASKED_OF_THE_RUNTIME, DTYPE_TEXTS, EXCEPTIONS, UNTAGGED

GOLDEN = Path(__file__).parents[1] / "golden"


def _differences() -> dict[str, str]:
    path = Path(__file__).parents[1] / "data" / "golden_differences.txt"
    reasons: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            reason, _, ids = line.partition(": ")
            reasons.update(dict.fromkeys(ids.split(), reason))
    return reasons


DIFFERENCES = _differences()
"""Rows that the runtime deliberately answers differently, by id, and the reasons."""


def rows_of(name: str) -> list[dict[str, Any]]:
    """The rows of one golden file."""
    with (GOLDEN / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def verdict_of(row: dict[str, Any], excuse: bool = True) -> tuple[str, Any]:
    """The verdict on one row of the names, and its outcome; `excuse`: leave out listed rows."""
    expected = row["r"]
    if row["f"] == "grad":
        return "left out: autograd", None
    if row.get("q", "msg-").startswith("msg-") is False or row["id"] in UNTAGGED:
        return "left out: quirk", None
    if EXCEPTIONS.get(row["id"]) not in (None, *ASKED_OF_THE_RUNTIME):
        return "left out: exception", None
    if excuse and row["id"] in DIFFERENCES:
        return "left out: on purpose", None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            got = case_runner.run(row, nt)
        except Exception as error:
            return "wrong", f"HARNESS {type(error).__name__}: {error}"
    if "has no kernel" in got.get("msg", ""):
        return "no kernel", got
    if expected.get("cat") == "not-supported" and ("err" not in got or refused_by_rule(row)):
        return "left out: we support more", None
    if "err" in expected:
        return ("right" if got.get("cat") == expected["cat"] else "wrong"), got
    return ("right" if got == expected else "wrong"), got


def refused_by_rule(row: dict[str, Any]) -> bool:
    """Whether the runtime refuses the call of a row because of names, sizes or dtypes.

    PyTorch refused these calls because an op had no rule for names.
    """
    *_, ask = case_runner.call(row, nt)
    try:
        ask()
    except nt.TensorError:
        return True
    except Exception as error:
        texts = (*DTYPE_TEXTS, "does not support non-boolean outputs")
        return any(text in str(error) for text in texts)
    return False


def main() -> None:
    """Print the counts, and the failures on request."""
    show = int(sys.argv[sys.argv.index("--show") + 1]) if "--show" in sys.argv else 0
    only = sys.argv[sys.argv.index("--op") + 1] if "--op" in sys.argv else None
    counts: Counter[str] = Counter()
    for row in rows_of("name_inference_visible.jsonl"):
        if only not in (None, row["op"]):
            continue
        verdict, got = verdict_of(row)
        counts[verdict] += 1
        if verdict in ("wrong", "no kernel") and show:
            show -= 1
            print(json.dumps({k: row[k] for k in row if k != "r"})[:260])
            print("   want", json.dumps(row["r"])[:200])
            print("   got ", json.dumps(got)[:230])
    print(dict(counts))
    views = rows_of("views_visible.jsonl") if only is None else []
    wrong = 0
    for row in views:
        right, got = view_of(row)
        if not right:
            wrong += 1
            print(row, got)
    print(f"{len(views) - wrong} of {len(views)} views")


def view_of(row: dict[str, Any]) -> tuple[bool, Any]:
    """Whether one row of the views is right, and its outcome."""
    got = view_runner.run(row, nt)
    expected = row["r"]
    return (agrees(expected, got) if "err" in expected else got == expected), got


def agrees(expected: dict[str, Any], got: dict[str, Any]) -> bool:
    """Whether a refusal of a view is the measured one: class, step and text."""
    return all(expected[key] == got.get(key) for key in ("err", "at"))


if __name__ == "__main__":
    main()

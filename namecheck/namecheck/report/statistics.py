"""The sums of `--statistics`: findings per code, how much was understood, which calls cost most.

As text for people, and as a JSON object for whoever follows the numbers. What is counted is said at
`findings.Counts` and `findings.UnknownCall`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from namecheck.coverage import costliest
from namecheck.escapes import json_text, visible
from namecheck.findings import Counts, Finding, UnknownCall

__all__ = ["record", "tally"]

_WIDTH = 80


def tally(findings: Iterable[Finding], counts: Counts, calls: Iterable[UnknownCall] = ()) -> str:
    """The sums as lines of text, with an empty line in front."""
    per_code = Counter((finding.code, finding.name) for finding in findings)
    lines = [""]
    for (code, name), number in sorted(per_code.items(), key=lambda item: (-item[1], item[0])):
        lines.append(f"{number:>9,}  {code}  {name}")
    if per_code:
        lines.append("")
    lines += [
        f"{counts.files:>9,}  files",
        f"{counts.lines:>9,}  lines",
        f"{counts.expressions:>9,}  tensor expressions",
    ]
    if counts.expressions:
        lines += [
            _share(counts.understood, counts.expressions, "of known rank"),
            _share(counts.partly, counts.expressions, "of which the last dims are known"),
            _share(_unknown(counts), counts.expressions, "unknown"),
        ]
    lines.append(f"{counts.assignments:>9,}  assignments of tensors")
    if counts.assignments:
        lines.append(_share(counts.known_rank, counts.assignments, "of known rank"))
    worst = costliest(calls)
    if worst:
        lines += ["", "Tensor expressions that are unknown because of a call (NC801):"]
    for call in worst:
        where = f"{visible(call.path)}:{call.line}"
        if call.calls > 1:
            where = f"{call.calls:,} calls, the first at {where}"
        line = f"{call.expressions:>9,}  {visible(call.name)}"
        whole = f"{line}  ({where})"
        # A place that would be broken in two by a terminal has a line of its own.
        lines += [whole] if len(whole) <= _WIDTH else [line, f"{'':11}({where})"]
    return "\n".join(lines) + "\n"


def _share(part: int, whole: int, words: str) -> str:
    return f"{part:>9,}    {words} ({100 * part / whole:.0f} %)"


def _unknown(counts: Counts) -> int:
    return counts.expressions - counts.understood - counts.partly


def record(findings: Iterable[Finding], counts: Counts, calls: Iterable[UnknownCall] = ()) -> str:
    """The sums as one JSON object, ended by a newline."""
    per_code = Counter(finding.code for finding in findings)
    found = {
        "files": counts.files,
        "lines": counts.lines,
        "findings": dict(sorted(per_code.items())),
        "expressions": {
            "all": counts.expressions,
            "known_rank": counts.understood,
            "last_dims": counts.partly,
            "unknown": _unknown(counts),
        },
        "assignments": {"all": counts.assignments, "known_rank": counts.known_rank},
        "unknown_calls": [
            {
                "call": call.name,
                "expressions": call.expressions,
                "calls": call.calls,
                "filename": call.path,
                "row": call.line,
            }
            for call in costliest(calls)
        ],
    }
    return json_text(found, indent=2) + "\n"

"""The sums of `--statistics`: findings per code, how much was understood, which calls cost most.

As text for people, and as a JSON object for programs. `findings.Counts` and `findings.UnknownCall`
define what is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from namecheck.codes.coverage import costliest
from namecheck.findings import Counts, Finding, UnknownCall
from namecheck.printing.counts import plural
from namecheck.printing.escapes import json_text, visible

__all__ = ["record", "tally"]

_WIDTH = 80


def tally(findings: Iterable[Finding], counts: Counts, calls: Iterable[UnknownCall] = ()) -> str:
    """The sums as lines of text, with an empty line in front.

    Indented rows are the parts of the row above them, and add up to it.
    """
    per_code = Counter((finding.code, finding.name) for finding in findings)
    lines = ["", f"{per_code.total():>9,}  {plural('finding', per_code.total())}"]
    for (code, name), number in sorted(per_code.items(), key=lambda item: (-item[1], item[0])):
        lines.append(f"{number:>9,}    {code}  {name}")
    lines += [
        f"{counts.files:>9,}  files",
        f"{counts.lines:>9,}  lines",
        f"{counts.expressions:>9,}  tensor expressions",
        *_shares(
            (counts.understood, "of known rank"),
            (counts.partly, "of unknown rank, with known last dims"),
            (_unknown(counts), "unknown"),
        ),
        f"{counts.assignments:>9,}  assignments of tensors",
        *_shares(
            (counts.known_rank, "of known rank"),
            (counts.assignments - counts.known_rank, "of unknown rank"),
        ),
    ]
    return "\n".join([*lines, *_causes(list(calls), _unknown(counts))]) + "\n"


def _causes(calls: list[UnknownCall], unknown: int) -> Iterator[str]:
    """The rows on unknown tensor expressions, by the calls that cause most of them."""
    worst = costliest(calls)
    if not worst:
        return
    yield ""
    yield f"{unknown:>9,}  unknown tensor expressions (NC801)"
    for call in worst:
        where = f"{visible(call.path)}:{call.line}"
        if call.calls > 1:
            where = f"{call.calls:,} calls, the first at {where}"
        line = f"{call.expressions:>9,}    from {visible(call.name)}"
        with_place = f"{line}  ({where})"
        # A place that a terminal would break in two gets a line of its own.
        yield from [with_place] if len(with_place) <= _WIDTH else [line, f"{'':13}({where})"]
    from_calls = sum(call.expressions for call in calls)
    others = from_calls - sum(call.expressions for call in worst)
    if others:
        yield f"{others:>9,}    from other calls"
    if unknown > from_calls:
        yield f"{unknown - from_calls:>9,}    from parameters, and the calls themselves"


def _shares(*rows: tuple[int, str]) -> Iterator[str]:
    """Rows that are parts of a total, with percentages that add up to 100."""
    total = sum(number for number, _ in rows)
    if not total:
        return
    percents = [100 * number // total for number, _ in rows]
    by_remainder = sorted(range(len(rows)), key=lambda k: -(100 * rows[k][0] % total))
    for k in by_remainder[: 100 - sum(percents)]:
        percents[k] += 1
    for (number, words), percent in zip(rows, percents, strict=True):
        yield f"{number:>9,}    {words} ({percent} %)"


def _unknown(counts: Counts) -> int:
    return counts.expressions - counts.understood - counts.partly


def record(findings: Iterable[Finding], counts: Counts, calls: Iterable[UnknownCall] = ()) -> str:
    """The sums as one JSON object, with a newline at the end."""
    per_code = Counter(finding.code for finding in findings)
    sums = {
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
    return json_text(sums, indent=2) + "\n"

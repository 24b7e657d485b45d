"""The codes of coverage, NC801 and NC802: where inference stopped. They are notes, shown when asked
for.

How they are found is the analysis' business (`analysis.runs.survey`); how calls are counted over
several files stands here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from namecheck.codes.troubles import ToolCode
from namecheck.findings import WHOLE_FILE, Finding, Level, Span, UnknownCall
from namecheck.printing.counts import counted

__all__ = [
    "COVERAGE",
    "UNKNOWN_OP",
    "UNKNOWN_SHAPE",
    "costliest",
    "is_passed_by",
    "left_unknown",
    "left_unread",
    "passed_by",
    "unknown_call",
]

UNKNOWN_OP: Final = "NC801"
UNKNOWN_SHAPE: Final = "NC802"

COVERAGE: Final[dict[str, ToolCode]] = {
    UNKNOWN_OP: ToolCode(
        "unknown-op",
        """A tensor went into a call, and nothing is known of what came out.

The call is named, and how many tensor expressions behind it are unknown for that reason: what is
computed from them is not checked. The first unknown call on the way counts, not the ones that it
makes unknown.

This is a note about namecheck's reach and no mistake of yours. Notes are shown with `--notes`,
their sums with `--statistics`.

```python
import elsewhere
import torch

x = torch.zeros(4, 8)
y = elsewhere.embed(x)
loss = (y - y.mean(dim=1)).sum()
```

What to do: say what comes out where it matters, with an annotation
(`y: Float[Tensor, "b t c"] = net(x)`), a comment (`y = net(x)  # (B, T, C)`) or by unpacking
(`B, T, C = y.shape`).""",
        Level.NOTE,
    ),
    UNKNOWN_SHAPE: ToolCode(
        "unknown-shape",
        """A function is larger than the budget of one evaluation, or nested too deeply.

It was evaluated up to the line that is named; what follows in it is unknown, and nothing is said
about it. The budget counts expressions, those of the functions that are called included, so that
checking takes a time that grows with the size of the file and no faster.

Or a single value is larger than what is followed: a size that is a formula of more than 1,024
terms and factors, a tensor with more than 64 dims or cut into more than 256 pieces, a sequence of
more than 4,096 values. The line is evaluated, and that value is unknown.

A whole file is passed by if there is nothing in it to check: a stub (`.pyi`), or a notebook in
another language.

This is a note about namecheck's reach and no mistake of yours. Notes are shown with `--notes`.

What to do: nothing, or split the function: what it calls is evaluated by itself too.""",
        Level.NOTE,
    ),
}


def unknown_call(path: str, span: Span, call: UnknownCall) -> Finding:
    """A call of which nothing is known, and what it costs (NC801)."""
    many = counted(call.expressions, "tensor expression")
    are = "is" if call.expressions == 1 else "are"
    message = f"nothing is known of what '{call.name}' gives: {many} behind it {are} unknown"
    return _note(UNKNOWN_OP, path, span, message)


def left_unread(path: str, span: Span, what: str) -> Finding:
    """What is too large to be evaluated to its end (NC802), as a sentence; the span is where the
    evaluation stopped.
    """
    message = f"{what}: what follows from here is unknown"
    return _note(UNKNOWN_SHAPE, path, span, message)


def left_unknown(path: str, span: Span, what: str) -> Finding:
    """A value that is too large to be followed (NC802), and why, as a sentence."""
    return _note(UNKNOWN_SHAPE, path, span, f"{what}: it is unknown")


def passed_by(path: str, reason: str) -> Finding:
    """A file in which there is nothing for us to check (NC802)."""
    return _note(UNKNOWN_SHAPE, path, WHOLE_FILE, f"{path} is not checked: {reason}")


def is_passed_by(finding: Finding) -> bool:
    """Whether a finding says that there is nothing for us to check in its file."""
    return finding.code == UNKNOWN_SHAPE and finding.span == WHOLE_FILE


def _note(code: str, path: str, span: Span, message: str) -> Finding:
    about = COVERAGE[code]
    return Finding(path, span, code, about.name, about.level, message)


def costliest(calls: Iterable[UnknownCall], most: int = 10) -> list[UnknownCall]:
    """The calls that make most expressions unknown, those of one name counted together."""
    sums: dict[str, UnknownCall] = {}
    for call in calls:
        before = sums.get(call.name)
        sums[call.name] = (
            call
            if before is None
            else before._replace(
                expressions=before.expressions + call.expressions, calls=before.calls + call.calls
            )
        )
    counted = [call for call in sums.values() if call.expressions]
    return sorted(counted, key=lambda call: (-call.expressions, call.name))[:most]

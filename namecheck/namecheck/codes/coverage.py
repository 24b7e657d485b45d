"""The codes of coverage, NC801 and NC802: where inference stopped. Notes are shown on request.

The analysis finds them (`analysis.runs.survey`); here calls are counted over several files.
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
        """A tensor is passed to a call whose result is unknown.

The note names the call, and how many tensor expressions after it are unknown for that reason:
calculations with them are not checked. Only the first unknown call on the way counts, not the calls
that it makes unknown.

This is a note about the limits of namecheck, not a mistake of yours. Notes are shown with
`--notes`, their sums with `--statistics`.

```python
import elsewhere
import torch

x = torch.zeros(4, 8)
y = elsewhere.embed(x)
loss = (y - y.mean(dim=1)).sum()
```

What to do: write the dims of the result where they matter, with an annotation
(`y: Float[Tensor, "b t c"] = net(x)`), a comment (`y = net(x)  # (B, T, C)`) or by unpacking
(`B, T, C = y.shape`).""",
        Level.NOTE,
    ),
    UNKNOWN_SHAPE: ToolCode(
        "unknown-shape",
        """A function is larger than the budget of one evaluation, or nested too deeply.

It was evaluated up to the line of the note; the rest is unknown and not checked. The budget counts
expressions, also those of the functions that are called, so that the time of a check grows with the
size of the file and no faster.

Or a single value is too large: a size that is a formula of more than 1,024 terms and factors, a
tensor with more than 64 dims or cut into more than 256 pieces, a sequence of more than 4,096
values. The line is evaluated, and that value is unknown.

A whole file is left out if there is nothing in it to check: a stub (`.pyi`), or a notebook in
another language.

This is a note about the limits of namecheck, not a mistake of yours. Notes are shown with
`--notes`.

What to do: nothing, or split the function: the functions that it calls are also evaluated by
themselves.""",
        Level.NOTE,
    ),
}


def unknown_call(path: str, span: Span, call: UnknownCall) -> Finding:
    """The note for a call whose result is unknown, and its cost (NC801)."""
    expressions = counted(call.expressions, "tensor expression")
    are = "is" if call.expressions == 1 else "are"
    message = f"the result of '{call.name}' is unknown: {expressions} after it {are} unknown"
    return _note(UNKNOWN_OP, path, span, message)


def left_unread(path: str, span: Span, what: str) -> Finding:
    """The note for code that is too large to be evaluated to its end (NC802): the reason as a
    sentence, and the span where the evaluation stopped.
    """
    message = f"{what}: the rest is unknown"
    return _note(UNKNOWN_SHAPE, path, span, message)


def left_unknown(path: str, span: Span, what: str) -> Finding:
    """The note for a value that is too large (NC802), with the reason as a sentence."""
    return _note(UNKNOWN_SHAPE, path, span, f"{what}: it is unknown")


def passed_by(path: str, reason: str) -> Finding:
    """The note for a file with nothing for us to check (NC802)."""
    return _note(UNKNOWN_SHAPE, path, WHOLE_FILE, f"{path} is not checked: {reason}")


def is_passed_by(finding: Finding) -> bool:
    """Whether a finding is the note for a file with nothing for us to check."""
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
    costly = [call for call in sums.values() if call.expressions]
    return sorted(costly, key=lambda call: (-call.expressions, call.name))[:most]

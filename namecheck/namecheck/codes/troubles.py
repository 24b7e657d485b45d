"""The tool's own codes, NC9xx: files that cannot be read, and suppressions without effect.

They are findings like others, so that a file that cannot be read shows up in every report. The
codes about dims are mistakes of the rulebook (`namecheck_runtime.mistakes`).
"""

from __future__ import annotations

import os
from typing import Final

from namecheck.findings import WHOLE_FILE, Applicability, Finding, Level, Note, Span
from namecheck_runtime.light.records import NamedTuple

__all__ = [
    "INTERNAL_ERROR",
    "NOTES",
    "SYNTAX_ERROR",
    "TROUBLES",
    "UNKNOWN_CODE",
    "UNREAD",
    "UNUSED_IGNORE",
    "ToolCode",
    "internal_error",
    "is_mistake",
    "is_note",
    "syntax_error",
    "unreadable",
]


class ToolCode(NamedTuple):
    """A code about the tool's own work: its name, its page, and the level and fix of its findings.

    `is_unread`: a file with such a finding was not checked, or not all of it.
    """

    name: str
    text: str
    level: Level
    fix: Applicability | None = None
    is_unread: bool = False


SYNTAX_ERROR: Final = "NC900"
UNUSED_IGNORE: Final = "NC901"
UNKNOWN_CODE: Final = "NC902"
INTERNAL_ERROR: Final = "NC999"

NOTES: Final = "NC8"
"""The family of codes that are not mistakes, whatever level they are reported at."""

TROUBLES: Final[dict[str, ToolCode]] = {
    SYNTAX_ERROR: ToolCode(
        "syntax-error",
        """The file could not be read as Python.

Either it cannot be opened, or its bytes are not text in the encoding it declares (UTF-8 if it
declares none), or the text is not Python. Nothing in this file was checked; the other files were.
In a notebook only this cell was not checked.

```python
import torch

x = torch.zeros(2, 3
```

What to do: correct the file, or leave it out of the paths given to `namecheck check`.""",
        Level.ERROR,
        is_unread=True,
    ),
    UNUSED_IGNORE: ToolCode(
        "unused-ignore",
        """A suppression comment silences nothing.

No finding with its codes is on the lines it covers: the code was corrected or moved, or the comment
is in the wrong place. Left there, it would hide the next mistake on that line. If it lists several
codes, the finding names those that silence nothing. It is not reported for codes that are not
selected, nor in files that could not be checked.

```python
loss = (pred - target).mean()  # namecheck: ignore[NC202]
```

What to do: remove the comment or the code, as `--fix` does. A comment for one statement goes at its
end, or on a line of its own above it.""",
        Level.WARNING,
        Applicability.SAFE,
    ),
    UNKNOWN_CODE: ToolCode(
        "unknown-code",
        """A comment for namecheck that it does not understand, so that it silences nothing.

It lists a code that does not exist, or none (a suppression must name its codes, so that it hides
nothing else), or it is malformed.

```python
loss = (pred - target).mean()  # namecheck: ignore
loss = (pred - target).mean()  # namecheck: ignore[NC999]
loss = (pred - target).mean()  # namecheck: ignroe[NC202]
```

What to do: write a code, a name such as `misaligned-broadcast`, or a prefix such as `NC2`, several
with commas, and the reason after the bracket (`# namecheck: ignore[NC202] every pair is meant`); or
remove the comment. `--fix` corrects the comment if it can, and removes it if it cannot.""",
        Level.WARNING,
        Applicability.SAFE,
    ),
    INTERNAL_ERROR: ToolCode(
        "internal-error",
        """namecheck itself failed while it analysed this file.

This is a bug in namecheck, never in your code. Nothing else is reported about this file; the other
files were checked as usual. The command exits with 2, even with `--exit-zero`, because a file that
was not checked must not pass for a clean one.

What to do: please report it, with the file or the part of it that causes the failure.""",
        Level.ERROR,
        is_unread=True,
    ),
}

UNREAD: Final = frozenset(code for code, about in TROUBLES.items() if about.is_unread)
"""The codes of files that were not checked. They are reported whatever is selected, because such a
file must not pass for a clean one, and its suppressions are never reported as unused.
"""


def is_note(finding: Finding) -> bool:
    """Whether a finding is a note, not a mistake."""
    return finding.code.startswith(NOTES)


def is_mistake(finding: Finding) -> bool:
    """Whether a finding is about the program: neither a note nor one of the tool's own codes."""
    return not is_note(finding) and finding.code not in TROUBLES


def unreadable(path: str, reason: str) -> Finding:
    """The finding for a file or folder that cannot be opened, or is not text."""
    return trouble(SYNTAX_ERROR, path, WHOLE_FILE, f"cannot read {path}: {reason}")


def syntax_error(path: str, message: str, line: int = 1, column: int = 1) -> Finding:
    """The finding for a file that is not Python; the place is where parsing stopped (1-based)."""
    at = Span(line, column, line, column + 1)
    return trouble(SYNTAX_ERROR, path, at, f"cannot parse: {message}")


def internal_error(path: str, failure: BaseException) -> Finding:
    """The finding for a bug of ours: the exception, and where in our sources it was raised."""
    import traceback

    finding = trouble(
        INTERNAL_ERROR,
        path,
        WHOLE_FILE,
        f"namecheck failed on this file: {type(failure).__name__}: {failure}",
    )
    frames = traceback.extract_tb(failure.__traceback__)
    raised = [
        Note(f"raised in {os.path.basename(f.filename)}:{f.lineno}, {f.name}") for f in frames
    ]
    hint = "this is a bug in namecheck, not in your code; please report it"
    return finding._replace(notes=tuple(raised[-1:]), hint=hint)


def trouble(code: str, path: str, span: Span, message: str) -> Finding:
    about = TROUBLES[code]
    return Finding(path, span, code, about.name, about.level, " ".join(message.split()))

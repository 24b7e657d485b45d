"""The tool's own codes, NC9xx: what kept us from reading a file, and suppressions that do nothing.

They are findings like others, so that a file that cannot be read shows up in every report.  The
codes about dims are not here; they are mistakes of the rulebook (`namecheck_runtime.mistakes`).
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
    """A code that speaks of the tool's work: its name, its page, and what its findings are like.

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
"""The family of codes that speak of no mistake, whatever level they are reported at."""

TROUBLES: Final[dict[str, ToolCode]] = {
    SYNTAX_ERROR: ToolCode(
        "syntax-error",
        """The file could not be read as Python.

Either it cannot be opened, or its bytes are not text in the encoding it declares (UTF-8 if it
declares none), or the text is not Python.  Nothing in this file was checked; the other files were.
Of a notebook it is the cell, and the other cells were checked.

```python
import torch

x = torch.zeros(2, 3
```

What to do: mend the file, or leave it out of the paths given to `namecheck check`.""",
        Level.ERROR,
        is_unread=True,
    ),
    UNUSED_IGNORE: ToolCode(
        "unused-ignore",
        """A suppression comment silences nothing.

Nothing is reported with the codes it lists in the lines it speaks of: the code was mended, or moved
away, or the comment stands in the wrong place. Left there, it would hide the next mistake on that
line. Of a list the codes that silence nothing are named; codes that are not selected are never told
of, nor are files that could not be checked.

```python
loss = (pred - target).mean()  # namecheck: ignore[NC202]
```

What to do: remove the comment or the code, as `--fix` does. A comment for one statement stands at
its end, or on a line of its own above it.""",
        Level.WARNING,
        Applicability.SAFE,
    ),
    UNKNOWN_CODE: ToolCode(
        "unknown-code",
        """A comment to namecheck that it does not understand, so that it silences nothing.

It lists a code that does not exist, or lists none (a suppression has to say what it silences, so
that it hides nothing else), or is not written as one.

```python
loss = (pred - target).mean()  # namecheck: ignore
loss = (pred - target).mean()  # namecheck: ignore[NC999]
loss = (pred - target).mean()  # namecheck: ignroe[NC202]
```

What to do: write a code, a name such as `misaligned-broadcast`, or a prefix such as `NC2`, several
with commas, and the reason behind the bracket (`# namecheck: ignore[NC202] every pair is meant`);
or remove the comment. `--fix` corrects what it can tell, and removes the rest.""",
        Level.WARNING,
        Applicability.SAFE,
    ),
    INTERNAL_ERROR: ToolCode(
        "internal-error",
        """namecheck itself failed while it analysed this file.

This is a bug in namecheck, never in your code.  Nothing else is said about this file; the other
files were checked as usual.  The command ends with 2, also under `--exit-zero`, because a file that
was not checked must not pass for a clean one.

What to do: please report it, with the file or the part of it that brings the message about.""",
        Level.ERROR,
        is_unread=True,
    ),
}

UNREAD: Final = frozenset(code for code, about in TROUBLES.items() if about.is_unread)
"""What is found where a file was not checked: nobody knows what its suppressions are for, and it is
told whatever is selected, because such a file must not pass for a clean one.
"""


def is_note(finding: Finding) -> bool:
    """Whether a finding says what is known or not known, and of no mistake."""
    return finding.code.startswith(NOTES)


def is_mistake(finding: Finding) -> bool:
    """Whether a finding speaks of the program: it is no note, and not one of the tool's own."""
    return not is_note(finding) and finding.code not in TROUBLES


def unreadable(path: str, reason: str) -> Finding:
    """A file or folder that cannot be opened, or whose bytes are not text."""
    return trouble(SYNTAX_ERROR, path, WHOLE_FILE, f"cannot read {path}: {reason}")


def syntax_error(path: str, message: str, line: int = 1, column: int = 1) -> Finding:
    """A file that is not Python; the place is where reading it stopped (1-based)."""
    at = Span(line, column, line, column + 1)
    return trouble(SYNTAX_ERROR, path, at, f"cannot parse: {message}")


def internal_error(path: str, failure: BaseException) -> Finding:
    """A bug of ours that showed on this file: what was raised, and where in our sources."""
    import traceback

    found = trouble(
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
    return found._replace(notes=tuple(raised[-1:]), hint=hint)


def trouble(code: str, path: str, span: Span, message: str) -> Finding:
    about = TROUBLES[code]
    return Finding(path, span, code, about.name, about.level, " ".join(message.split()))

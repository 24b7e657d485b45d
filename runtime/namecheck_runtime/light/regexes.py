"""Regular expressions that are compiled with their first use.

A module that has some is imported by runs that never look for them, and to compile one takes
longer than to import most modules.  So modules write `regex(...)` where they would write
`re.compile(...)`.  What is made of a text that is known only at run time is `re`'s own business.
"""

from __future__ import annotations

import re
from typing import Any, cast


class _Regex:
    """Stands for a compiled expression, and has what was asked of it so far."""

    def __init__(self, text: str, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        # Asked once for each name: `re` remembers what it has compiled.
        value = getattr(re.compile(self._text, self._flags), name)
        setattr(self, name, value)
        return value


def regex(text: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile(text, flags)` is, compiled when something is first asked of it."""
    return cast("re.Pattern[str]", _Regex(text, flags))


__all__ = ["regex"]

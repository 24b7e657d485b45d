"""Regular expressions that are compiled when they are first used.

Many runs import a module without using its expressions, and compiling one takes longer than
importing most modules.  So modules write `regex(...)` instead of `re.compile(...)`.  An expression
whose text is known only at run time uses `re` itself.
"""

from __future__ import annotations

import re
from typing import Any, cast


class _Regex:
    """Takes the place of a compiled expression, and keeps the attributes used so far."""

    def __init__(self, text: str, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        # Called once for each attribute; `re` caches what it has compiled.
        value = getattr(re.compile(self._text, self._flags), name)
        setattr(self, name, value)
        return value


def regex(text: str, flags: int = 0) -> re.Pattern[str]:
    """The same as `re.compile(text, flags)`, but compiled with the first use of an attribute."""
    return cast("re.Pattern[str]", _Regex(text, flags))


__all__ = ["regex"]

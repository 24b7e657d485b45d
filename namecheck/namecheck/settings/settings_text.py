"""The settings of a path as TOML for a file, each with its source."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from namecheck.codes.selection import known_codes
from namecheck.printing.escapes import toml_text, visible
from namecheck.settings.config import Resolved
from namecheck.settings.keys import KEYS, MypySettings

__all__ = ["settings_text"]


def settings_text(path: str, resolved: Resolved) -> str:
    """All settings of a path, and the codes that they turn off."""
    off = [code for code in known_codes() if not resolved.selects(code)]
    note = f"Not reported: {', '.join(off) or 'nothing'}"
    lines = [f"# Settings of {visible(path)}", textwrap.fill(note, 98, **_COMMENT), ""]
    for key, field in KEYS.items():
        value = getattr(resolved.settings, field.name)
        source = resolved.origins.get(field.name, "default")
        if value is None:
            lines.append(f"# {key} is not set")
        else:
            lines.append(f"{key} = {_toml(value)}  # {visible(source)}")
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, MypySettings):
        value = {k: v for k, v in msgspec.structs.asdict(value).items() if v != _DEFAULTS[k]}
    if isinstance(value, Mapping):
        if not value:
            return "{}"
        return "{ " + ", ".join(f"{_toml(k)} = {_toml(v)}" for k, v in value.items()) + " }"
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return toml_text(value) if isinstance(value, str) else str(value)


_COMMENT: Final[dict[str, Any]] = {"initial_indent": "# ", "subsequent_indent": "#   "}
_DEFAULTS: Final = msgspec.structs.asdict(MypySettings())

"""What a person has set in the editor: how things are shown there, and nothing of what is found."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct, field

__all__ = ["InlayHints", "Preferences", "preferences"]


class InlayHints(Struct, frozen=True, forbid_unknown_fields=True):
    """Behind what dims are shown."""

    assignments: bool = True
    parameters: bool = True
    returns: bool = True


class Preferences(Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """The section `namecheck` of an editor's settings.

    `debounce` are milliseconds without an edit after which a text is checked.
    """

    inlay_hints: InlayHints | bool = field(default_factory=InlayHints)
    hover: bool = True
    debounce: int = 100

    @property
    def hints(self) -> InlayHints:
        """Which hints are shown."""
        if isinstance(self.inlay_hints, InlayHints):
            return self.inlay_hints
        on = self.inlay_hints
        return InlayHints(on, on, on)


def preferences(told: Any) -> Preferences:
    """What an editor tells, which may wrap it as it does its own. Raises `ValueError`, with why."""
    if not told:
        return Preferences()
    for wrapper in ("namecheck", "settings"):
        if isinstance(told, dict) and wrapper in told:
            return preferences(told[wrapper])
    try:
        return msgspec.convert(told, Preferences)
    except msgspec.ValidationError as fault:
        raise ValueError(f"settings of the editor: {fault}") from None

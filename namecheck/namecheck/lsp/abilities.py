"""What a client can do, of what it told when it began."""

from __future__ import annotations

from typing import Any, NamedTuple

from lsprotocol import types
from pygls.capabilities import get_capability

__all__ = ["Abilities"]


class Abilities(NamedTuple):
    """`related`: it shows what belongs to a diagnostic. `watches`: it tells of changed files."""

    related: bool
    watches: bool

    @classmethod
    def of(cls, capabilities: types.ClientCapabilities) -> Abilities:
        """What a client says that it can do."""

        def can(path: str) -> bool:
            told: Any = get_capability(capabilities, path, False)
            return bool(told)

        return cls(
            related=can("text_document.publish_diagnostics.related_information"),
            watches=can("workspace.did_change_watched_files.dynamic_registration"),
        )

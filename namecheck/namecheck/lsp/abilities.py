"""What a client can do, of what it told when it began."""

from __future__ import annotations

from typing import Any, NamedTuple

from lsprotocol import types
from pygls.capabilities import get_capability

__all__ = ["Abilities"]


class Abilities(NamedTuple):
    """Each of them is something that clients do, or do not.

    `related`: it shows what belongs to a diagnostic. `pulls`: it asks for diagnostics, and asks
    again when it is told to, as it does for hints if it `refreshes_hints`. `watches`: it tells of
    changed files. `versioned_edits`: an edit may say which version of a text it is meant for.
    `shows_documents`: it opens a page when it is told to. `has_settings`: it can be asked for them.
    `shows_disabled`: it shows what cannot be done, and why.
    """

    related: bool
    pulls: bool
    watches: bool
    versioned_edits: bool
    refreshes_hints: bool
    shows_documents: bool
    has_settings: bool
    shows_disabled: bool

    @classmethod
    def of(cls, capabilities: types.ClientCapabilities) -> Abilities:
        """What a client says that it can do."""

        def can(path: str) -> bool:
            told: Any = get_capability(capabilities, path, False)
            return bool(told)

        return cls(
            related=can("text_document.publish_diagnostics.related_information"),
            pulls=can("text_document.diagnostic") and can("workspace.diagnostics.refresh_support"),
            versioned_edits=can("workspace.workspace_edit.document_changes"),
            refreshes_hints=can("workspace.inlay_hint.refresh_support"),
            shows_documents=can("window.show_document.support"),
            has_settings=can("workspace.configuration"),
            shows_disabled=can("text_document.code_action.disabled_support"),
            watches=can("workspace.did_change_watched_files.dynamic_registration"),
        )

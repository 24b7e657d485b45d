"""The abilities of a client, from its `initialize` request."""

from __future__ import annotations

from typing import Any, NamedTuple

from lsprotocol import types
from pygls.capabilities import get_capability

__all__ = ["Abilities"]


class Abilities(NamedTuple):
    """Which optional parts of the protocol a client supports.

    `related`: it shows the related information of a diagnostic. `pulls`: it asks for diagnostics,
    and asks again on request, as for hints if it `refreshes_hints`. `watches`: it reports changed
    files. `versioned_edits`: an edit may name the version of the text that it is for.
    `shows_documents`: it opens a page on request. `has_settings`: the server can ask it for its
    user's settings. `shows_disabled`: it shows actions that are not possible, and why. `links`: it
    understands the place of a definition with the place that was asked about. `shows_work`: it
    shows that the server is working, and how far it has come.
    """

    related: bool
    pulls: bool
    watches: bool
    versioned_edits: bool
    refreshes_hints: bool
    shows_documents: bool
    has_settings: bool
    shows_disabled: bool
    links: bool
    shows_work: bool

    @classmethod
    def of(cls, capabilities: types.ClientCapabilities) -> Abilities:
        """The abilities that a client declares."""

        def can(path: str) -> bool:
            value: Any = get_capability(capabilities, path, False)
            return bool(value)

        return cls(
            related=can("text_document.publish_diagnostics.related_information"),
            pulls=can("text_document.diagnostic") and can("workspace.diagnostics.refresh_support"),
            versioned_edits=can("workspace.workspace_edit.document_changes"),
            refreshes_hints=can("workspace.inlay_hint.refresh_support"),
            shows_documents=can("window.show_document.support"),
            has_settings=can("workspace.configuration"),
            shows_disabled=can("text_document.code_action.disabled_support"),
            links=can("text_document.definition.link_support"),
            shows_work=can("window.work_done_progress"),
            watches=can("workspace.did_change_watched_files.dynamic_registration"),
        )

"""The server: which message of the protocol does what.

Every handler is a few lines: what is meant is in `session`, and in the module of what is asked for.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from typing import Any, BinaryIO, Final, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from namecheck import __version__
from namecheck.documentation.pages import find, pages
from namecheck.lsp.abilities import Abilities
from namecheck.lsp.answers import EXPLAIN, KINDS
from namecheck.lsp.framing import Frames
from namecheck.lsp.protocol import Protocol, converter
from namecheck.lsp.session import Session
from namecheck.lsp.texts import Texts
from namecheck.settings.config import Configuration

__all__ = ["Server", "made", "serve"]

NAME: Final = "namecheck"

CELLS: Final = types.NotebookDocumentSyncOptions(
    [
        types.NotebookDocumentFilterWithNotebook(
            notebook="jupyter-notebook", cells=[types.NotebookCellLanguage("python")]
        )
    ]
)

WATCHED: Final = ("**/*.{py,pyi,ipynb}", "**/{pyproject,namecheck}.toml")
"""The files whose changes the client is asked to tell of."""


class Server(LanguageServer):
    """The server of one client."""

    protocol: Protocol

    def __init__(self, configuration: Configuration) -> None:
        super().__init__(
            NAME,
            __version__,
            notebook_document_sync=CELLS,
            protocol_cls=Protocol,
            converter_factory=converter,
            max_workers=2,
        )
        self.configuration = configuration
        self._session: Session | None = None

    @property
    def session(self) -> Session:
        """What the client has open.  There is one once the client has introduced itself."""
        assert self._session is not None
        return self._session

    def begin(self, params: types.InitializeParams) -> None:
        """The client has introduced itself."""
        given = self.workspace
        texts = Texts(
            given.root_uri,
            workspace_folders=params.workspace_folders or [],
            position_encoding=given.position_encoding,
        )
        self.protocol.adopt(texts)
        self._session = Session(self, self.configuration, Abilities.of(params.capabilities))
        for folder in self.session.folders()[:1]:
            # As if `namecheck check` were typed there.
            with contextlib.suppress(OSError):
                os.chdir(folder)
        self.session.prefer(params.initialization_options)
        if self.session.client.pulls:
            pulled = types.DiagnosticOptions(
                inter_file_dependencies=True, workspace_diagnostics=False, identifier=NAME
            )
            self.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, pulled)(_diagnostics)
        self.protocol.is_begun = True

    def report_server_error(self, error: Exception, source: Any) -> None:
        """What went wrong outside of any request: what is no JSON is answered, too."""
        if source is JsonRpcException and isinstance(error, ValueError | RecursionError):
            self.protocol.refuse_unreadable(error)
        else:
            super().report_server_error(error, source)

    def ask_for_settings(self) -> None:
        """Asks the client what the person there has set."""

        def told(values: Any) -> None:
            if values and values[0] is not None:
                self.session.prefer(values[0])

        asked = types.ConfigurationParams([types.ConfigurationItem(section=NAME)])
        self.workspace_configuration(asked, told)

    def end(self) -> None:
        """The client goes."""
        if self._session is not None:
            self._session.end()


def serve(configuration: Configuration, stdin: BinaryIO, stdout: BinaryIO) -> int:
    """Serves the client at the other end of two streams; the exit code as the protocol has it."""
    server = made(configuration)
    server.start_io(cast(BinaryIO, Frames(stdin)), stdout)
    server.end()
    return 0 if server.protocol.is_shut_down else 1


def made(configuration: Configuration) -> Server:
    """A server with all that it answers, and no client yet."""
    server = Server(configuration)
    _texts(server)
    _files(server)
    _settings(server)
    _questions(server)
    return server


def _texts(server: Server) -> None:
    """What is told of texts that are open."""

    @server.feature(types.INITIALIZE)
    def initialize(ls: Server, params: types.InitializeParams) -> None:
        ls.begin(params)

    @server.feature(types.SHUTDOWN)
    def shutdown(ls: Server, params: None) -> None:
        ls.end()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
        ls.session.changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
        ls.session.edited(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
        ls.session.changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
        ls.session.changed(params.text_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def notebook_did_open(ls: Server, params: types.DidOpenNotebookDocumentParams) -> None:
        ls.session.changed(params.notebook_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def notebook_did_change(ls: Server, params: types.DidChangeNotebookDocumentParams) -> None:
        ls.session.edited(params.notebook_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)
    def notebook_did_save(ls: Server, params: types.DidSaveNotebookDocumentParams) -> None:
        ls.session.changed(params.notebook_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def notebook_did_close(ls: Server, params: types.DidCloseNotebookDocumentParams) -> None:
        ls.session.changed(params.notebook_document.uri)


def _files(server: Server) -> None:
    """What is told of files and folders."""

    @server.feature(types.INITIALIZED)
    def initialized(ls: Server, params: types.InitializedParams) -> None:
        if ls.session.client.has_settings:
            ls.ask_for_settings()
        if not ls.session.client.watches:
            return
        watchers = [types.FileSystemWatcher(pattern) for pattern in WATCHED]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        registration = types.Registration(
            "files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options
        )
        ls.client_register_capability(types.RegistrationParams([registration]))

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_files(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
        kinds = {change.type for change in params.changes}
        if kinds == {types.FileChangeType.Changed}:
            ls.session.check()
        else:
            ls.session.forget()

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def did_change_folders(ls: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
        ls.session.move()


def _settings(server: Server) -> None:
    """What is told of the editor's settings."""

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def did_change_settings(ls: Server, params: types.DidChangeConfigurationParams) -> None:
        if ls.session.client.has_settings:
            ls.ask_for_settings()
        else:
            ls.session.prefer(params.settings)


def _questions(server: Server) -> None:
    """What is asked for."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
        return await ls.session.hover(params.text_document.uri, params.position)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay_hint(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
        return await ls.session.hints(params.text_document.uri, params.range)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=KINDS)
    )
    async def code_action(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        return await ls.session.actions(params)

    @server.command(EXPLAIN)
    async def explain(ls: Server, code: str) -> str:
        page = find(code, pages())
        if page is None:
            raise JsonRpcInvalidParams(f"unknown code {code!r}")
        if ls.session.client.shows_documents:
            shown = ls.session.explanations.document(page)
            ls.window_show_document(shown)  # whether the client does it is its business
        else:
            text = types.ShowMessageParams(types.MessageType.Info, page.markdown())
            ls.window_show_message(text)
        return page.markdown()


async def _diagnostics(
    ls: Server, params: types.DocumentDiagnosticParams
) -> types.DocumentDiagnosticReport:
    found = await ls.session.diagnostics(params.text_document.uri)
    told = hashlib.blake2b(repr(found).encode(), digest_size=8).hexdigest()
    if told == params.previous_result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(told)
    return types.RelatedFullDocumentDiagnosticReport(found, result_id=told)

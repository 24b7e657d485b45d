"""The server: which message of the protocol does what.

Every handler is a few lines; the work is in `session` and in the module of each question.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from namecheck import __version__
from namecheck.documentation.pages import find, pages
from namecheck.lsp.answers import ANNOTATE, EXPLAIN, KINDS, Definition
from namecheck.lsp.client.abilities import Abilities
from namecheck.lsp.client.framing import Frames
from namecheck.lsp.client.protocol import DIMS, Protocol, converter
from namecheck.lsp.session import Session
from namecheck.lsp.texts import Texts
from namecheck.lsp.workspace_reports import result_id
from namecheck.settings.config import Configuration

if TYPE_CHECKING:
    from namecheck.lsp.features.dims_view import DimsAt

__all__ = ["Server", "made", "serve"]

NAME: Final = "namecheck"

CELLS: Final = types.NotebookDocumentSyncOptions(
    [
        types.NotebookDocumentFilterWithNotebook(
            notebook="jupyter-notebook", cells=[types.NotebookCellLanguage("python")]
        )
    ]
)

TRIGGERS: Final = ("'", '"', "(", "[", ",", " ")
"""The characters before a name of a dim, after which the client asks for completions."""

WATCHED: Final = ("**/*.{py,pyi,ipynb,md,markdown,rst}", "**/{pyproject,namecheck}.toml")
"""The files whose changes the client is asked to report."""


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
        """The session of the client. There is one after `initialize`."""
        assert self._session is not None
        return self._session

    def begin(self, params: types.InitializeParams) -> None:
        """Begin a session: the client has sent `initialize`."""
        workspace = self.workspace
        texts = Texts(
            workspace.root_uri,
            workspace_folders=params.workspace_folders or [],
            position_encoding=workspace.position_encoding,
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
                inter_file_dependencies=True, workspace_diagnostics=True, identifier=NAME
            )
            self.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, pulled)(_diagnostics)
            self.feature(types.WORKSPACE_DIAGNOSTIC)(_workspace_diagnostics)
        self.protocol.is_begun = True

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Report a failure outside of any request, and answer a message that is not JSON."""
        if source is JsonRpcException and isinstance(error, ValueError | RecursionError):
            self.protocol.refuse_unreadable(error)
        else:
            super().report_server_error(error, source)

    def ask_for_settings(self) -> None:
        """Ask the client for the settings of its user."""

        def take(values: Any) -> None:
            if values and values[0] is not None:
                self.session.prefer(values[0])

        section = types.ConfigurationParams([types.ConfigurationItem(section=NAME)])
        self.workspace_configuration(section, take)

    def end(self) -> None:
        """End the session: the client goes away."""
        if self._session is not None:
            self._session.end()


def serve(configuration: Configuration, stdin: BinaryIO, stdout: BinaryIO) -> int:
    """Serve the client at the other end of two streams. Returns the protocol's exit code."""
    server = made(configuration)
    server.start_io(cast(BinaryIO, Frames(stdin)), stdout)
    server.end()
    return 0 if server.protocol.is_shut_down else 1


def made(configuration: Configuration) -> Server:
    """A server with all its handlers, and no client yet."""
    server = Server(configuration)
    _texts(server)
    _files(server)
    _settings(server)
    _questions(server)
    return server


def _texts(server: Server) -> None:
    """Register the handlers of open texts."""

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
    """Register the handlers of files and folders."""

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
    """Register the handler of the editor's settings."""

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def did_change_settings(ls: Server, params: types.DidChangeConfigurationParams) -> None:
        if ls.session.client.has_settings:
            ls.ask_for_settings()
        else:
            ls.session.prefer(params.settings)


def _questions(server: Server) -> None:
    """Register the handlers of requests."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
        return await ls.session.hover(params.text_document.uri, params.position)

    @server.feature(DIMS)
    async def dims(ls: Server, params: types.TextDocumentPositionParams) -> DimsAt | None:
        return await ls.session.dims(params.text_document.uri, params.position)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def definition(ls: Server, params: types.DefinitionParams) -> Definition:
        return await ls.session.definition(params.text_document.uri, params.position)

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=TRIGGERS)
    )
    async def completion(ls: Server, params: types.CompletionParams) -> list[types.CompletionItem]:
        return await ls.session.completion(params.text_document.uri, params.position)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay_hint(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
        return await ls.session.hints(params.text_document.uri, params.range)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=KINDS)
    )
    async def code_action(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        return await ls.session.actions(params)

    @server.feature(types.INLAY_HINT_RESOLVE)
    async def inlay_hint_resolve(ls: Server, hint: types.InlayHint) -> types.InlayHint:
        return await ls.session.commented(hint)

    @server.command(ANNOTATE)
    async def annotate(ls: Server, uri: str) -> str:
        return await ls.session.annotated(uri)

    @server.command(EXPLAIN)
    async def explain(ls: Server, code: str = "") -> str:
        page = find(code, pages())
        if page is None:
            raise JsonRpcInvalidParams(f"unknown code {code!r}")
        if ls.session.client.shows_documents:
            shown = ls.session.explanations.document(page)
            ls.window_show_document(shown)  # the answer, whether the client did it, is ignored
        else:
            text = types.ShowMessageParams(types.MessageType.Info, page.markdown())
            ls.window_show_message(text)
        return page.markdown()


async def _diagnostics(
    ls: Server, params: types.DocumentDiagnosticParams
) -> types.DocumentDiagnosticReport:
    diagnostics = await ls.session.diagnostics(params.text_document.uri)
    digest = result_id(diagnostics)
    if digest == params.previous_result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(digest)
    return types.RelatedFullDocumentDiagnosticReport(diagnostics, result_id=digest)


async def _workspace_diagnostics(
    ls: Server, params: types.WorkspaceDiagnosticParams
) -> types.WorkspaceDiagnosticReport:
    token = params.partial_result_token

    def send(items: list[types.WorkspaceDocumentDiagnosticReport]) -> None:
        if token is not None:
            part = types.WorkspaceDiagnosticReportPartialResult(items)
            ls.progress(types.ProgressParams(token, part))

    previous = {known.uri: known.value for known in params.previous_result_ids}
    workspace = ls.session.workspace
    items = await workspace.report(previous, send if token is not None else None)
    if token is not None and items:  # the answer to a request that takes parts is empty
        send(items)
        items = []
    return types.WorkspaceDiagnosticReport(items)

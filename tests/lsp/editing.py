"""An editor for tests: a client of the language server, over the streams of the real command.

    @edited
    async def test_something(editor: Editor) -> None: ...

`Editor` names a file by its path in the folder; `capabilities` are those of a real editor.
"""

from __future__ import annotations

import asyncio
import functools
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest_lsp
from cattrs import Converter
from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp.client import register_lsp_features

ROOT = Path(__file__).parents[2]
PATIENCE = 20.0


def environment(**more: str) -> dict[str, str]:
    """The environment of a process in which this checkout's namecheck is the installed one."""
    roots = os.pathsep.join(str(ROOT / root) for root in ("runtime", "namecheck", "plugin"))
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("NAMECHECK_")}
    return inherited | {"PYTHONPATH": roots} | more


def converter() -> Converter:
    """lsprotocol's converter, which would read a code action with a command as a command."""
    default = default_converter()

    def action(data: Any, _: type) -> types.Command | types.CodeAction:
        plain = isinstance(data.get("command"), str)
        return default.structure(data, types.Command if plain else types.CodeAction)

    default.register_structure_hook(types.Command | types.CodeAction, action)
    return default


class Editor:
    """A client with a folder, and the diagnostics that the server published."""

    def __init__(self, folder: Path, capabilities: types.ClientCapabilities) -> None:
        self.folder = folder
        self.capabilities = capabilities
        self.client = pytest_lsp.LanguageClient(converter_factory=converter)
        register_lsp_features(self.client)
        self.published: dict[str, types.PublishDiagnosticsParams] = {}
        self.publishings: list[str] = []
        self.registered: list[types.Registration] = []
        self.versions: dict[str, int] = {}
        self.texts: dict[str, str] = {}
        self.news = asyncio.Event()
        self.server: types.InitializeResult | None = None

        def publish(params: types.PublishDiagnosticsParams) -> None:
            self.published[params.uri] = params
            self.publishings.append(params.uri)
            self.news.set()

        def register(params: types.RegistrationParams) -> None:
            self.registered += params.registrations

        features = self.client.protocol.fm.features
        for method, handler in (
            (types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, publish),
            (types.CLIENT_REGISTER_CAPABILITY, register),
        ):
            features.pop(method, None)
            self.client.feature(method)(handler)

    async def start(self, *options: str, folders: list[Path] | None = None, **begin: Any) -> None:
        """Starts the server and introduces the editor."""
        # The tests of the package set this to the command that an installer made.
        installed = os.environ.get("NAMECHECK_COMMAND")
        command = (installed,) if installed else (sys.executable, "-m", "namecheck")
        surroundings = dict(os.environ) if installed else environment()
        await self.client.start_io(*command, "server", *options, env=surroundings, cwd="/")
        roots = [self.folder] if folders is None else folders
        params = types.InitializeParams(
            capabilities=self.capabilities,
            workspace_folders=[types.WorkspaceFolder(root.as_uri(), root.name) for root in roots],
            **begin,
        )
        self.server = await self.client.initialize_session(params)

    async def stop(self) -> int | None:
        """Ends the server as the protocol prescribes, and returns its exit code."""
        await self.client.shutdown_session()
        process = self.client._server
        assert process is not None
        code = await process.wait()
        await self.client.stop()
        return code

    def uri(self, name: str) -> str:
        """The URI of a file in the folder; a URI is returned as it is."""
        return name if name.startswith(("untitled:", "file:")) else (self.folder / name).as_uri()

    def write(self, name: str, text: str) -> None:
        """Puts a file on the disk, as another program would."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")

    def open(self, name: str, text: str) -> None:
        """Opens a text."""
        self.versions[name], self.texts[name] = 1, text
        item = types.TextDocumentItem(self.uri(name), "python", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, name: str, text: str) -> None:
        """Replaces the whole text."""
        self.texts[name] = text
        self.send(name, types.TextDocumentContentChangeWholeDocument(text))

    def type(self, name: str, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
        """Replaces a range, counted as in the protocol."""
        range_ = types.Range(types.Position(*start), types.Position(*end))
        self.send(name, types.TextDocumentContentChangePartial(range_, text))

    def send(self, name: str, *changes: types.TextDocumentContentChangeEvent) -> None:
        """Sends changes of a text."""
        self.versions[name] += 1
        text = types.VersionedTextDocumentIdentifier(self.versions[name], self.uri(name))
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(text, changes))

    def save(self, name: str) -> None:
        """Writes the text to the disk and notifies the server."""
        self.write(name, self.texts[name])
        text = types.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(text))

    def close(self, name: str) -> None:
        """Closes a text."""
        del self.versions[name]
        text = types.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(text))

    def notice(self, name: str, kind: types.FileChangeType = types.FileChangeType.Changed) -> None:
        """Notifies the server that a file has changed on the disk."""
        event = types.FileEvent(self.uri(name), kind)
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))

    async def until(self, holds: Callable[[], bool]) -> None:
        """Waits until a condition on the published diagnostics holds."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                self.news.clear()
                await self.news.wait()

    async def diagnostics(self, name: str) -> list[types.Diagnostic]:
        """The diagnostics of a text in its current version."""
        uri = self.uri(name)

        def is_current() -> bool:
            params = self.published.get(uri)
            return params is not None and params.version == self.versions.get(name)

        await self.until(is_current)
        return list(self.published[uri].diagnostics)

    async def codes(self, name: str) -> list[object]:
        """The codes of the diagnostics of a text in its current version."""
        return [diagnostic.code for diagnostic in await self.diagnostics(name)]

    async def until_codes(self, name: str, *codes: str) -> None:
        """Waits until the diagnostics of a text have these codes, whatever they were before."""
        uri = self.uri(name)

        def have_codes() -> bool:
            params = self.published.get(uri)
            return params is not None and [
                diagnostic.code for diagnostic in params.diagnostics
            ] == list(codes)

        await self.until(have_codes)


Test = Callable[[Editor], Awaitable[None]]


def edited(
    test: Test | None = None, *, capabilities: str = "visual-studio-code", start: bool = True
) -> Any:
    """A test with an editor, whose server is started unless `start` is false."""
    if test is None:
        return functools.partial(edited, capabilities=capabilities, start=start)
    scenario = test

    def run(tmp_path: Path) -> None:
        asyncio.run(in_editor(scenario, tmp_path, capabilities, start))

    run.__name__, run.__doc__ = scenario.__name__, scenario.__doc__  # type: ignore[attr-defined]
    return run


async def in_editor(test: Test, folder: Path, capabilities: str, start: bool) -> None:
    """Runs a test with an editor."""
    folder = folder.resolve() / "work"
    folder.mkdir()
    editor = Editor(folder, pytest_lsp.client_capabilities(capabilities))
    if start:
        await editor.start()
    try:
        await test(editor)
    finally:
        assert await editor.stop() == 0

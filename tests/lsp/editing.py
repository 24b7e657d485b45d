"""An editor for tests: a client of the language server, over the streams of the real command.

    @edited
    async def test_something(editor: Editor) -> None: ...

`Editor` speaks of files by name in its folder; `capabilities` are those of a real editor.
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


def environment(**given: str) -> dict[str, str]:
    """That of a process in which this checkout's namecheck is the installed one."""
    roots = os.pathsep.join(str(ROOT / root) for root in ("runtime", "namecheck", "plugin"))
    kept = {k: v for k, v in os.environ.items() if not k.startswith("NAMECHECK_")}
    return kept | {"PYTHONPATH": roots} | given


def converter() -> Converter:
    """lsprotocol's, which takes a code action with a command for a command."""
    made = default_converter()

    def action(told: Any, _: type) -> types.Command | types.CodeAction:
        plain = isinstance(told.get("command"), str)
        return made.structure(told, types.Command if plain else types.CodeAction)

    made.register_structure_hook(types.Command | types.CodeAction, action)
    return made


class Editor:
    """A client with a folder, and what the server told it."""

    def __init__(self, folder: Path, capabilities: types.ClientCapabilities) -> None:
        self.folder = folder
        self.capabilities = capabilities
        self.client = pytest_lsp.LanguageClient(converter_factory=converter)
        register_lsp_features(self.client)
        self.told: dict[str, types.PublishDiagnosticsParams] = {}
        self.publishings: list[str] = []
        self.registered: list[types.Registration] = []
        self.versions: dict[str, int] = {}
        self.texts: dict[str, str] = {}
        self.news = asyncio.Event()
        self.server: types.InitializeResult | None = None

        def published(params: types.PublishDiagnosticsParams) -> None:
            self.told[params.uri] = params
            self.publishings.append(params.uri)
            self.news.set()

        def register(params: types.RegistrationParams) -> None:
            self.registered += params.registrations

        features = self.client.protocol.fm.features
        for method, handler in (
            (types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, published),
            (types.CLIENT_REGISTER_CAPABILITY, register),
        ):
            features.pop(method, None)
            self.client.feature(method)(handler)

    async def start(self, *options: str, folders: list[Path] | None = None, **begin: Any) -> None:
        """Starts the server and introduces the editor."""
        # Tests of the package name the command that an installer made.
        installed = os.environ.get("NAMECHECK_COMMAND")
        begun = (installed,) if installed else (sys.executable, "-m", "namecheck")
        surroundings = dict(os.environ) if installed else environment()
        await self.client.start_io(*begun, "server", *options, env=surroundings, cwd="/")
        roots = [self.folder] if folders is None else folders
        params = types.InitializeParams(
            capabilities=self.capabilities,
            workspace_folders=[types.WorkspaceFolder(root.as_uri(), root.name) for root in roots],
            **begin,
        )
        self.server = await self.client.initialize_session(params)

    async def stop(self) -> int | None:
        """Ends the server as the protocol has it, and gives its exit code."""
        await self.client.shutdown_session()
        process = self.client._server
        assert process is not None
        code = await process.wait()
        await self.client.stop()
        return code

    def uri(self, name: str) -> str:
        """A name as it is; a file's is in the folder."""
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
        """Exchanges the whole text."""
        self.texts[name] = text
        self.send(name, types.TextDocumentContentChangeWholeDocument(text))

    def type(self, name: str, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
        """Exchanges a stretch, in the protocol's counting."""
        stretch = types.Range(types.Position(*start), types.Position(*end))
        self.send(name, types.TextDocumentContentChangePartial(stretch, text))

    def send(self, name: str, *changes: types.TextDocumentContentChangeEvent) -> None:
        """Tells of changes of a text."""
        self.versions[name] += 1
        text = types.VersionedTextDocumentIdentifier(self.versions[name], self.uri(name))
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(text, changes))

    def save(self, name: str) -> None:
        """Writes the text to the disk and tells of it."""
        self.write(name, self.texts[name])
        text = types.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(text))

    def close(self, name: str) -> None:
        """Closes a text."""
        del self.versions[name]
        text = types.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(text))

    def notice(self, name: str, kind: types.FileChangeType = types.FileChangeType.Changed) -> None:
        """Tells that a file has changed on the disk."""
        event = types.FileEvent(self.uri(name), kind)
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))

    async def until(self, holds: Callable[[], bool]) -> None:
        """Waits until something holds of what was told."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                self.news.clear()
                await self.news.wait()

    async def diagnostics(self, name: str) -> list[types.Diagnostic]:
        """What is told of a text as it is now."""
        uri = self.uri(name)

        def is_there() -> bool:
            told = self.told.get(uri)
            return told is not None and told.version == self.versions.get(name)

        await self.until(is_there)
        return list(self.told[uri].diagnostics)

    async def codes(self, name: str) -> list[object]:
        """The codes of what is told of a text as it is now."""
        return [one.code for one in await self.diagnostics(name)]

    async def until_codes(self, name: str, *codes: str) -> None:
        """Waits until this is told of a text, whatever is told before."""
        uri = self.uri(name)

        def is_so() -> bool:
            told = self.told.get(uri)
            return told is not None and [one.code for one in told.diagnostics] == list(codes)

        await self.until(is_so)


Test = Callable[[Editor], Awaitable[None]]


def edited(
    test: Test | None = None, *, capabilities: str = "visual-studio-code", start: bool = True
) -> Any:
    """A test with an editor, whose server was started (unless not wanted) and ends well."""
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

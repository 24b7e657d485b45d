"""The language server under failures, cancelled requests and fast typing; and clients that pull."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcRequestCancelled

from editing import Editor, edited, environment
from namecheck.analysis.python.imports import Unwanted
from namecheck.lsp.desk import Desk
from namecheck.lsp.texts import Sheet
from namecheck.settings.config import Configuration
from raw import customized

WRONG = "import torch\n\nx = torch.zeros(3, 4) + torch.zeros(3, 5)\n"
LONG = "import torch\n\n\n" + "".join(
    f"def f{n}(x):\n    y = x.reshape(3, 4)\n    return y + torch.zeros(3, 4)\n\n\n"
    for n in range(1500)
)
"""A text whose analysis takes about a second."""


@edited
async def test_typing_never_waits_and_only_the_last_text_counts(editor: Editor) -> None:
    editor.open("a.py", LONG)
    await editor.diagnostics("a.py")
    before = len(editor.publishings)
    start = time.monotonic()
    for number in range(30):
        editor.change("a.py", LONG + f"z = {number}\n" + WRONG[13:])
        await asyncio.sleep(0.02)
    document = types.TextDocumentIdentifier(editor.uri("a.py"))
    # A request about an unknown text is answered while the analysis runs.
    unknown = types.TextDocumentIdentifier(editor.uri("unknown.py"))
    nothing = types.HoverParams(unknown, types.Position(0, 0))
    assert await editor.client.text_document_hover_async(nothing) is None
    assert await editor.codes("a.py") == ["NC201"]
    uris = editor.publishings[before:]
    assert len(uris) <= 3, f"{len(uris)} of 30 versions in {time.monotonic() - start:.1f} s"
    assert document.uri in uris


@edited
async def test_a_cancelled_request_is_answered(editor: Editor) -> None:
    editor.open("a.py", LONG)
    document = types.TextDocumentIdentifier(editor.uri("a.py"))
    stretch = types.Range(types.Position(0, 0), types.Position(9, 0))
    params = types.InlayHintParams(document, stretch)
    protocol = editor.client.protocol
    asked = protocol.send_request(types.TEXT_DOCUMENT_INLAY_HINT, params)
    (number,) = [id_ for id_, future in protocol._request_futures.items() if future is asked]
    protocol.notify(types.CANCEL_REQUEST, types.CancelParams(number))
    with pytest.raises(JsonRpcRequestCancelled):
        await asyncio.wait_for(asyncio.wrap_future(asked), 20)
    hints = await editor.client.text_document_inlay_hint_async(params)
    assert [hint.label for hint in hints or ()] == ["[3, 4]", "[3, 4]"]


@edited
async def test_a_syntax_error_and_its_mend(editor: Editor) -> None:
    editor.open("a.py", "def f(:\n")
    assert await editor.codes("a.py") == ["NC900"]
    document = types.TextDocumentIdentifier(editor.uri("a.py"))
    everything = types.Range(types.Position(0, 0), types.Position(99, 0))
    asked = types.InlayHintParams(document, everything)
    assert not await editor.client.text_document_inlay_hint_async(asked)
    place = types.HoverParams(document, types.Position(0, 4))
    await editor.client.text_document_hover_async(place)
    context = types.CodeActionContext([])
    await editor.client.text_document_code_action_async(
        types.CodeActionParams(document, everything, context)
    )
    editor.change("a.py", WRONG)
    assert await editor.codes("a.py") == ["NC201"]


CRASHING = """
import namecheck.lsp.desk as desk
examine = desk.examine
def crash(document, *args, **options):
    if 'crash' in document.text:
        raise ZeroDivisionError('on purpose')
    print('printed by somebody')
    return examine(document, *args, **options)
desk.examine = crash
"""
"""A `sitecustomize`: every Python process with its folder in PYTHONPATH runs it, a worker too."""


def test_a_crash_is_a_diagnostic_and_the_server_lives_on(tmp_path: Path) -> None:
    async def scenario() -> None:
        import pytest_lsp

        editor = Editor(tmp_path, pytest_lsp.client_capabilities("visual-studio-code"))
        surroundings = customized(tmp_path / "site", CRASHING)
        command = (sys.executable, "-m", "namecheck", "server")
        await editor.client.start_io(*command, env=surroundings)
        params = types.InitializeParams(editor.capabilities, root_uri=tmp_path.as_uri())
        await editor.client.initialize_session(params)
        editor.open("b.py", WRONG)
        assert await editor.codes("b.py") == ["NC201"]
        editor.open("a.py", WRONG + "# crash\n")
        (diagnostic,) = await editor.diagnostics("a.py")
        assert diagnostic.code == "NC999"
        assert "ZeroDivisionError: on purpose" in diagnostic.message
        editor.change("b.py", "")
        assert await editor.codes("b.py") == []
        editor.change("a.py", WRONG)
        assert await editor.codes("a.py") == ["NC201"]
        assert "ZeroDivisionError: on purpose" in editor.client.log_messages[0].message
        assert await editor.stop() == 0

    asyncio.run(scenario())


def test_without_a_shutdown_the_server_ends_with_1(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "namecheck", "server"],
        input=b"",
        env=environment(),
        capture_output=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (1, b"")


def test_an_interrupted_analysis_leaves_nothing_wrong_behind() -> None:
    path = "/nowhere/a.py"
    uri = "file:///nowhere/a.py"
    texts: dict[int | None, str] = {None: WRONG + "def f(x):\n    return x\n" * 3}
    sheet = Sheet(path, True, texts, {None: uri}, {None: 1}, uri)
    desk = Desk((), Configuration(isolated=True))
    for patience in range(1, 5):
        answers = iter([False] * patience)
        desk.take({path: sheet})
        desk.program.unwanted = lambda answers=answers: next(answers, True)
        with pytest.raises(Unwanted):
            desk.look(path)
        assert desk.stale() == [path]
        desk.program.unwanted = None
    desk.look(path)
    assert desk.stale() == []
    assert [finding.code for finding in desk.reported().findings[path]] == ["NC201"]


def pulling(editor: Editor) -> None:
    """Makes the editor ask for diagnostics."""
    assert editor.capabilities.text_document is not None
    assert editor.capabilities.workspace is not None
    editor.capabilities.text_document.diagnostic = types.DiagnosticClientCapabilities()
    editor.capabilities.workspace.diagnostics = types.DiagnosticWorkspaceClientCapabilities(True)


@edited(start=False)
async def test_a_pulling_client_is_answered_and_asked_to_refresh(editor: Editor) -> None:
    pulling(editor)
    await editor.start()
    assert editor.server is not None
    provider = editor.server.capabilities.diagnostic_provider
    assert isinstance(provider, types.DiagnosticOptions)
    assert provider.inter_file_dependencies
    editor.write("callee.py", "width = 3\n")
    caller = "import torch\nfrom callee import width\nx = torch.zeros(4) + torch.zeros(width)\n"
    editor.open("caller.py", caller)

    async def pull(
        previous: str | None = None,
    ) -> types.DocumentDiagnosticReport:
        document = types.TextDocumentIdentifier(editor.uri("caller.py"))
        asked = types.DocumentDiagnosticParams(document, previous_result_id=previous)
        return await editor.client.text_document_diagnostic_async(asked)

    first = await pull()
    assert isinstance(first, types.RelatedFullDocumentDiagnosticReport)
    assert [diagnostic.code for diagnostic in first.items] == ["NC201"]
    assert first.result_id is not None
    second = await pull(first.result_id)
    assert isinstance(second, types.RelatedUnchangedDocumentDiagnosticReport)
    assert (
        editor.uri("caller.py") not in editor.published
    )  # no diagnostic is both pulled and published
    editor.open("callee.py", "width = 4\n")
    async with asyncio.timeout(20):
        while not editor.client.diagnostic_refresh_count:
            await asyncio.sleep(0.05)
    after = await pull(first.result_id)
    assert isinstance(after, types.RelatedFullDocumentDiagnosticReport)
    assert list(after.items) == []


NOTEBOOK = "work.ipynb"


@edited
async def test_notebooks(editor: Editor) -> None:
    texts = ["import torch\nx = torch.zeros(3, 4)", "%matplotlib inline\ny = x + torch.zeros(5)"]
    uris = [f"vscode-notebook-cell:{editor.folder}/{NOTEBOOK}#c{n}" for n in range(3)]
    code, prose = types.NotebookCellKind.Code, types.NotebookCellKind.Markup
    cells = [
        types.NotebookCell(code, uris[0]),
        types.NotebookCell(prose, uris[1]),
        types.NotebookCell(code, uris[2]),
    ]
    notebook = types.NotebookDocument(editor.uri(NOTEBOOK), "jupyter-notebook", 1, cells)
    items = [
        types.TextDocumentItem(uri, "python", 1, text)
        for uri, text in zip((uris[0], uris[2]), texts, strict=True)
    ]
    editor.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(notebook, items))
    await editor.until(lambda: uris[2] in editor.published)
    (diagnostic,) = editor.published[uris[2]].diagnostics
    assert diagnostic.code == "NC201"
    assert diagnostic.range.start == types.Position(1, 4)
    assert not editor.published[uris[0]].diagnostics
    document = types.TextDocumentIdentifier(uris[2])
    place = types.HoverParams(document, types.Position(1, 4))
    shown = await editor.client.text_document_hover_async(place)
    assert shown is not None
    assert "x: [3, 4]" in str(shown.contents)
    everything = types.Range(types.Position(0, 0), types.Position(9, 0))
    asked = types.InlayHintParams(types.TextDocumentIdentifier(uris[0]), everything)
    hints = await editor.client.text_document_inlay_hint_async(asked)
    assert [(hint.position.line, hint.label) for hint in hints or ()] == [(1, "[3, 4]")]
    context = types.CodeActionContext([diagnostic])
    actions = await editor.client.text_document_code_action_async(
        types.CodeActionParams(document, everything, context)
    )
    silence = [a for a in actions or () if a.title == "Ignore NC201 here"]
    assert len(silence) == 1
    change = types.NotebookDocumentCellContentChanges(
        types.VersionedTextDocumentIdentifier(2, uris[0]),
        [types.TextDocumentContentChangeWholeDocument("import torch\nx = torch.zeros(3, 5)")],
    )
    editor.client.notebook_document_did_change(
        types.DidChangeNotebookDocumentParams(
            types.VersionedNotebookDocumentIdentifier(2, editor.uri(NOTEBOOK)),
            types.NotebookDocumentChangeEvent(
                cells=types.NotebookDocumentCellChanges(text_content=[change])
            ),
        )
    )
    await editor.until(lambda: not editor.published[uris[2]].diagnostics)

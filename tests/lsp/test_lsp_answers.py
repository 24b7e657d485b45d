"""The server answers every request, whatever it contains and whenever it comes, and does not end.

The tables list the requests that the server registers, so a new request is covered at once.
The codes are those of JSON-RPC 2.0 and of the language server protocol 3.17.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from random import Random
from typing import Any, get_type_hints

import attrs
from lsprotocol import types

from namecheck.lsp import server
from namecheck.lsp.client.framing import LONGEST
from namecheck.lsp.client.protocol import OWN
from namecheck.settings.config import Configuration
from raw import Client

WRONG = "import torch\n\nx = torch.zeros(3, 4) + torch.zeros(3, 5)\n"

PARSE, REQUEST, METHOD, PARAMS = -32700, -32600, -32601, -32602
NOT_INITIALIZED, CANCELLED = -32002, -32800

PULLS = {
    "textDocument": {"diagnostic": {}},
    "workspace": {"diagnostics": {"refreshSupport": True}},
}
"""The capabilities of a client that asks for diagnostics."""


def requests() -> list[str]:
    """The methods of all requests that the server answers."""

    class Nowhere:
        def write(self, data: bytes) -> None: ...

        def close(self) -> None: ...

    async def register() -> list[str]:
        instance = server.made(Configuration(isolated=True))
        instance.protocol.set_writer(Nowhere())
        begin = {"processId": None, "rootUri": None, "capabilities": PULLS}
        instance.protocol.handle_message(
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begin}
        )
        registry = instance.protocol.fm
        methods = {*registry.features, *registry.builtin_features}
        instance.end()
        return sorted(m for m in methods if m in OWN or types.METHOD_TO_TYPES[m][1] is not None)

    return asyncio.run(register())


REQUESTS = requests()
IN_TEXTS = [method for method in REQUESTS if method.startswith(("textDocument/", "namecheck/"))]


def test_the_server_registers_the_documented_requests() -> None:
    assert {
        "initialize",
        "namecheck/dims",
        "shutdown",
        "textDocument/codeAction",
        "textDocument/diagnostic",
        "textDocument/hover",
        "textDocument/inlayHint",
        "workspace/diagnostic",
        "workspace/executeCommand",
    } <= set(REQUESTS)


START: Any = {"line": 2, "character": 4}


def params_of(method: str, uri: object, start: object = START, end: object = START) -> Any:
    """The required parameters of a request; add here what a new request needs."""
    values = {
        "text_document": {"uri": uri},
        "position": start,
        "range": {"start": start, "end": end},
        "context": {"diagnostics": []},
        "command": "namecheck.explain",
        "capabilities": {},
        "previous_result_ids": [],
        "label": "[B]",
    }
    own = OWN.get(method)
    kind = types.METHOD_TO_TYPES[method][2] if own is None else get_type_hints(own)["params"]
    if kind is None:
        return None
    params = {}
    for field in attrs.fields(kind):
        if field.default is attrs.NOTHING:
            first, *rest = field.name.split("_")
            params[first + "".join(map(str.capitalize, rest))] = values[field.name]
    return params


def test_a_request_that_comes_too_early_or_too_late_is_refused(tmp_path: Path) -> None:
    with Client(tmp_path) as client:
        early = [m for m in REQUESTS if m != "initialize"]
        asked = [client.ask(m, params_of(m, client.uri("a.py"))) for m in early]
        for number in asked:
            assert client.answer(number)["error"]["code"] == NOT_INITIALIZED
        client.initialize()
        assert client.error("initialize", params_of("initialize", "")) == REQUEST
        client.open("a.py", WRONG)
        client.codes("a.py", "NC201")
        assert client.result("shutdown") is None
        asked = [client.ask(m, params_of(m, client.uri("a.py"))) for m in REQUESTS]
        for number in [*asked, client.ask("no/such")]:
            assert client.answer(number)["error"]["code"] == REQUEST
        client.open("b.py", WRONG)
        assert client.end(shut_down=False) == 0


def test_exit_without_shutdown_is_1(tmp_path: Path) -> None:
    with Client(tmp_path) as client:
        client.notify("exit")
        assert client.process.wait(60) == 1
    with Client(tmp_path) as client:
        client.initialize()
        client.open("a.py", WRONG)
        assert client.end(shut_down=False) == 1


def test_a_wrong_initialize_can_be_repeated(tmp_path: Path) -> None:
    with Client(tmp_path) as client:
        for params in (None, [], "text", {}, {"capabilities": 5}, {"capabilities": None}):
            assert client.error("initialize", params) == PARAMS
        assert client.initialize()["capabilities"]["hoverProvider"]
        assert client.end() == 0


BEHIND: list[Any] = [9, 10**3, 2**31 - 1, 2**31, 2**32 - 1, 2**63, 10**400, 3.0]
"""Numbers that are valid places: behind the end they mean the end."""

NO_PLACE: list[Any] = [-1, -(2**63), 1.5, float("nan"), float("inf"), "1", None, True, [], {}]


def test_all_requests_with_all_places(tmp_path: Path) -> None:
    with Client(tmp_path) as client:
        client.initialize(**PULLS)
        client.open("a.py", WRONG)
        uri = client.uri("a.py")
        good, bad = [], []
        for method in IN_TEXTS:
            sensitive = "position" in (params := params_of(method, uri)) or "range" in params
            for number in BEHIND:
                for place in (
                    {"line": number, "character": 0},
                    {"line": 0, "character": number},
                    {"line": number, "character": number},
                ):
                    good.append(client.ask(method, params_of(method, uri, place, place)))
                    good.append(client.ask(method, params_of(method, uri, START, place)))
                    good.append(
                        client.ask(method, params_of(method, uri, place, START))
                    )  # reversed
            for number in NO_PLACE if sensitive else ():
                for place in (
                    number,
                    {"line": number, "character": 0},
                    {"line": 0, "character": number},
                    {"line": 0},
                    {"character": 0},
                ):
                    bad.append(client.ask(method, params_of(method, uri, place, START)))
        assert len(good) > 200
        assert len(bad) > 100
        for number in good:
            assert "result" in client.answer(number)
        for number in bad:
            error = client.answer(number)["error"]
            assert error["code"] == PARAMS
            assert len(error["message"]) < 1000
        shown = client.result("textDocument/hover", params_of("textDocument/hover", uri))
        assert "[3, 4]" in shown["contents"]["value"]
        assert client.end() == 0


def test_a_place_behind_a_line_is_its_end(tmp_path: Path) -> None:
    text = "import torch\n\nx = torch.zeros(3, 4)\n"
    with Client(tmp_path) as client:
        client.initialize()
        client.open("a.py", text)

        def hover(character: int) -> Any:
            place = {"line": 2, "character": character}
            params = params_of("textDocument/hover", client.uri("a.py"), place)
            return client.result("textDocument/hover", params)

        assert hover(10**400) == hover(2**31) == hover(200) == hover(21) is not None
        everything = {"start": {"line": 0, "character": 0}, "end": {"line": 2**40, "character": 0}}
        params = {"textDocument": {"uri": client.uri("a.py")}, "range": everything}
        assert len(client.result("textDocument/inlayHint", params)) == 1
        # The same holds of an edit: some clients give a huge number as the end of the whole text.
        document = {"uri": client.uri("a.py"), "version": 2}
        change = {"range": everything, "text": WRONG}
        client.notify("textDocument/didChange", textDocument=document, contentChanges=[change])
        client.codes("a.py", "NC201")
        assert client.end() == 0


URIS: list[str] = [
    "untitled:Untitled-1",
    "",
    "no uri",
    "http://example.org/a.py",
    "file://host/share/a.py",
    "file:///nowhere/a%00b.py",
    "file:///nowhere/%ff%fe.py",
    "file:///nowhere/" + "x" * 5000 + ".py",
    "untitled:" + "y" * 5000,
    "vscode-notebook-cell:/nowhere/a.ipynb#c1",
    "file:///nowhere/\ud800.py",
    "file://[",
    "file:///",
    "file:",
]


def test_all_requests_about_all_texts(tmp_path: Path) -> None:
    """Texts with odd names: before they are opened, while they are open, and after that."""
    with Client(tmp_path) as client:
        client.initialize(**PULLS)
        asked = [client.ask(m, params_of(m, uri)) for m in IN_TEXTS for uri in URIS]
        for uri in URIS:
            client.notify(
                "textDocument/didOpen",
                textDocument={"uri": uri, "languageId": "python", "version": 1, "text": WRONG},
            )
        asked += [client.ask(m, params_of(m, uri)) for m in IN_TEXTS for uri in URIS]
        for number in asked:
            assert "result" in client.answer(number), client.answer(number)
        shown = client.result("textDocument/hover", params_of("textDocument/hover", URIS[0]))
        assert "[3, 4]" in shown["contents"]["value"]
        for uri in URIS:
            client.notify("textDocument/didClose", textDocument={"uri": uri})
            client.change(uri or ":", WRONG)  # closed: there is nothing to change
        for number in [client.ask(m, params_of(m, uri)) for m in IN_TEXTS for uri in URIS]:
            assert "result" in client.answer(number)
        client.open("a.py", WRONG)
        assert client.result(
            "textDocument/hover", params_of("textDocument/hover", client.uri("a.py"))
        )
        assert client.end() == 0


def test_parameters_of_wrong_types_are_refused(tmp_path: Path) -> None:
    with Client(tmp_path) as client:
        client.initialize(**PULLS)
        deep: Any = {}
        for _ in range(300):
            deep = {"textDocument": deep}
        for method in IN_TEXTS:
            for params in (None, [], {}, "text", 5, True, {"textDocument": 5}, deep):
                assert client.error(method, params) == PARAMS
            for uri in (5, None, [], {}):
                number = client.ask(method, params_of(method, uri))
                assert client.answer(number)  # lsprotocol takes 5 for "5"
        for params in ({}, {"command": 5}, {"command": "no.such"}, None):
            assert client.error("workspace/executeCommand", params) == PARAMS
        for arguments in ([], [5], [[]], ["NC000"], ["NC202", "NC203"], None):
            explain = {"command": "namecheck.explain", "arguments": arguments}
            assert client.error("workspace/executeCommand", explain) in (PARAMS, -32603)
        explain = {"command": "namecheck.explain", "arguments": ["NC202"]}
        assert client.result("workspace/executeCommand", explain).startswith("# NC202")
        for method in ("no/such", "$/no/such", "textDocument/rename", ""):
            assert client.error(method, {}) == METHOD
        assert client.error("textDocument/didOpen", {}) == REQUEST
        assert client.end() == 0


def test_invalid_messages_are_refused(tmp_path: Path) -> None:
    """Each is listed with the id of the answer, if it has one, and the code of the error."""
    hover = {"method": "textDocument/hover", "params": {}}
    table: list[tuple[object, int | str | None, int]] = [
        ([], None, REQUEST),
        ([{"jsonrpc": "2.0", "id": 1, **hover}], None, REQUEST),
        (5, None, REQUEST),
        ("text", None, REQUEST),
        (None, None, REQUEST),
        ({}, None, REQUEST),
        ({"jsonrpc": "2.0", "id": 1.5, **hover}, None, REQUEST),
        ({"jsonrpc": "2.0", "id": True, **hover}, None, REQUEST),
        ({"jsonrpc": "2.0", "id": None, **hover}, None, REQUEST),
        ({"jsonrpc": "2.0", "id": [1], **hover}, None, REQUEST),
        ({"jsonrpc": "2.0", "id": {"jsonrpc": "2.0"}, **hover}, None, REQUEST),
        ({"jsonrpc": "1.0", "id": "a", **hover}, "a", REQUEST),
        ({"id": "b", **hover}, "b", REQUEST),
        ({"jsonrpc": "2.0", "id": "c"}, "c", REQUEST),
        ({"jsonrpc": "2.0", "id": "d", "method": 5}, "d", REQUEST),
        ({"jsonrpc": "2.0", "id": "e", "method": {}, "params": {}}, "e", REQUEST),
        ({"jsonrpc": "2.0", "id": "", **hover}, "", PARAMS),
        ({"jsonrpc": "2.0", "id": -7, **hover}, -7, PARAMS),
        ({"jsonrpc": "2.0", "id": 10**30, **hover}, 10**30, PARAMS),
        # A message inside the parameters is not a message.
        ({"jsonrpc": "2.0", "id": "f", "method": "textDocument/hover",
          "params": {"jsonrpc": "2.0", "id": 1, "method": "exit"}}, "f", PARAMS),
    ]  # fmt: skip
    with Client(tmp_path) as client:
        client.initialize()
        for message, number, code in table:
            client.messages.clear()
            client.send(message)
            answer = client.answer(number)
            assert answer["error"]["code"] == code, message
        for silent in (
            {"jsonrpc": "2.0", "method": "textDocument/hover", "params": {}},
            {"jsonrpc": "2.0", "method": "no/such"},
            {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": 5}},
            {"jsonrpc": "2.0", "method": "textDocument/didOpen"},
            {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 10**30}},
            {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": []}},
            {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "never"}},
            {"jsonrpc": "2.0", "id": "never asked", "result": None},
            {"jsonrpc": "2.0", "id": 5, "error": {"code": 1, "message": "no"}},
            {"jsonrpc": "2.0", "id": [], "result": None},
        ):
            client.send(silent)
        client.open("a.py", WRONG)
        client.codes("a.py", "NC201")
        assert client.end() == 0


def frame(body: bytes, header: bytes = b"Content-Length: %d\r\n\r\n") -> bytes:
    return header % len(body) + body


HOVER = json.dumps({"jsonrpc": "2.0", "id": "lost", "method": "textDocument/hover"}).encode()
BROKEN = {
    "no JSON": frame(b"{"),
    "no UTF-8": frame(b"\xff\xfe{}"),
    "deep": frame(b"[" * 100_000 + b"]" * 100_000),
    "many digits": frame(b"1" * 10_000),
    "too short": b"Content-Length: 10\r\n\r\n" + HOVER + b"\r\n",
    "too short, no line end": b"Content-Length: 10\r\n\r\n" + HOVER,
    "negative": b"Content-Length: -5\r\n\r\n" + HOVER,
    "no number": b"Content-Length: many\r\n\r\n" + HOVER,
    "zero": b"Content-Length: 0\r\n\r\n",
    "zero, and a body": b"Content-Length: 0\r\n\r\n" + HOVER,
    "huge": b"Content-Length: %d\r\n\r\n" % 10**18,
    "longest": b"Content-Length: %d\r\n\r\n" % (LONGEST + 1),
    "beyond any machine": b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n",
    "no header": HOVER,
    "no header, many lines": HOVER + b"\r\n\r\n" + HOVER + b"\n\n\n",
    "only junk": b"\x00\xff" * 100_000,
    "junk in lines": b"junk: more\r\n" * 1000,
}


def test_a_broken_frame_loses_only_itself(tmp_path: Path) -> None:
    with Client(tmp_path) as client:
        client.initialize()
        params = params_of("textDocument/hover", client.uri("a.py"))
        next_one = {"jsonrpc": "2.0", "method": "textDocument/hover", "params": params}
        for name, broken in BROKEN.items():
            client.write(broken)
            assert client.result("textDocument/hover", params) is None, name
        for header in (
            b"content-length: %d\r\n\r\n",
            b"Content-Type: text/plain\r\nContent-Length: %d\r\n\r\n",
            b"Content-Length: %d\r\nContent-Type: text/plain\r\n\r\n",
            b"Content-Length:%d\n\n",
        ):
            body = json.dumps({**next_one, "id": header.decode()}).encode()
            client.write(frame(body, header))
            assert client.answer(header.decode())["result"] is None
        assert client.end() == 0


def test_a_length_that_is_too_long_loses_only_what_it_covers(tmp_path: Path) -> None:
    with Client(tmp_path) as client:
        client.initialize()
        client.write(b"Content-Length: 60\r\n\r\n" + HOVER[:20])  # into the next message
        client.ask("textDocument/hover", params_of("textDocument/hover", client.uri("a.py")))
        assert client.answer(None)["error"]["code"] == PARSE
        params = params_of("textDocument/hover", client.uri("a.py"))
        assert client.result("textDocument/hover", params) is None
        assert client.end() == 0


def test_a_stream_that_ends_in_the_middle(tmp_path: Path) -> None:
    with Client(tmp_path) as client:
        client.initialize()
        client.write(b"Content-Length: 1000\r\n\r\n{")
        assert client.process.stdin is not None
        client.process.stdin.close()
        assert client.process.wait(60) == 1


def test_mistakes_of_a_client_with_notebooks_do_not_end_the_server(tmp_path: Path) -> None:
    cell = "vscode-notebook-cell:/nowhere/a.ipynb#c1"
    uri = (tmp_path / "a.ipynb").as_uri()
    notebook = {"uri": uri, "notebookType": "jupyter-notebook", "version": 1}
    with Client(tmp_path) as client:
        client.initialize()
        # The text of a cell never comes; a notebook that is not open changes; one closes twice.
        opened = {**notebook, "cells": [{"kind": 2, "document": cell}]}
        client.notify("notebookDocument/didOpen", notebookDocument=opened, cellTextDocuments=[])
        not_open = {"uri": uri + "x", "version": 2}
        client.notify("notebookDocument/didChange", notebookDocument=not_open, change={})
        structure = {"array": {"start": 10**6, "deleteCount": 10**6, "cells": []}}
        change = {"cells": {"structure": structure}}
        client.notify(
            "notebookDocument/didChange",
            notebookDocument={"uri": uri, "version": 2},
            change=change,
        )
        for method in set(IN_TEXTS) - {"textDocument/diagnostic"}:
            assert not client.result(method, params_of(method, cell))
        for _ in range(2):
            client.notify(
                "notebookDocument/didClose", notebookDocument={"uri": uri}, cellTextDocuments=[]
            )
        client.open("a.py", WRONG)
        client.codes("a.py", "NC201")
        assert client.end() == 0


def test_every_request_is_answered_in_any_order_and_if_it_is_cancelled(tmp_path: Path) -> None:
    """Requests of all kinds, known and unknown, about open and closed texts, many cancelled."""
    dice = Random(55)
    closed = [URIS[0], "file:///nowhere/a.py"]
    with Client(tmp_path.resolve()) as client:
        client.initialize(**PULLS)
        client.open("a.py", WRONG)
        (tmp_path / "b.py").write_text(WRONG)
        uris = [client.uri("a.py"), client.uri("b.py"), *closed]
        methods = [m for m in REQUESTS if m not in ("initialize", "shutdown")]
        methods += ["no/such", "$/no/such", "textDocument/rename", "namecheck/none", ""]
        methods += ["textDocument/didOpen", "$/cancelRequest", "window/workDoneProgress/create"]
        asked = []
        for step in range(300):
            method = dice.choice(methods)
            known = method in REQUESTS
            params = params_of(method, dice.choice(uris)) if known else dice.choice([None, {}, 3])
            asked.append(client.ask(method, params))
            if dice.random() < 0.4:
                client.notify("$/cancelRequest", id=dice.choice(asked))
            if dice.random() < 0.1:
                client.change("a.py", WRONG + f"# {step}\n", version=step + 2)
        for number in asked:
            # All files are reported at once, or a request waits for news until it is cancelled.
            client.notify("$/cancelRequest", id=number)
        answers = [client.answer(number) for number in asked]
        codes = {answer["error"]["code"] for answer in answers if "error" in answer}
        assert codes <= {REQUEST, METHOD, CANCELLED, PARAMS}
        assert any("result" in answer for answer in answers)
        assert len({answer["id"] for answer in answers}) == len(asked)
        assert client.end() == 0

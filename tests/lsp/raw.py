"""A client of the language server that can send any bytes, and reads the answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from editing import environment

PATIENCE = 60.0
"""Seconds within which the server has to answer, on a loaded machine."""


class Client:
    """A server process, its messages in the order of arrival, and its answers by id."""

    def __init__(
        self,
        folder: Path,
        surroundings: Mapping[str, str] | None = None,
        options: Sequence[str] = ("--isolated",),
    ) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "namecheck", "server", *options],
            cwd=folder,
            env=dict(surroundings or environment()),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.folder = folder
        self.messages: list[dict[str, Any]] = []
        self.errors: list[bytes] = []
        self.number = 0
        self._news = threading.Condition()
        self._threads = [
            threading.Thread(target=self._read, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while header := stream.readline():
            length = int(header.partition(b":")[2])
            while stream.readline().strip():
                pass
            message = json.loads(stream.read(length))
            with self._news:
                self.messages.append(message)
                self._news.notify_all()

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        self.errors.extend(self.process.stderr)

    def write(self, data: bytes) -> None:
        """Sends bytes as they are."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: object) -> None:
        """Sends any JSON value with a proper header."""
        body = json.dumps(message).encode()
        self.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method: str, **params: object) -> None:
        """Sends a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: object = None) -> int:
        """Sends a request, and returns its id."""
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        return self.number

    def until(self, holds: Callable[[], Any], patience: float = PATIENCE) -> Any:
        """The first true result of a condition on the messages; waits for it."""
        end = time.monotonic() + patience
        with self._news:
            while not (result := holds()):
                left = end - time.monotonic()
                assert left > 0, (self.messages[-5:], b"".join(self.errors)[-3000:])
                self._news.wait(min(left, 1))
        return result

    def answer(self, number: int | str | None, patience: float = PATIENCE) -> dict[str, Any]:
        """The answer to the request with this id; with None, the last answer without an id."""

        def answered() -> dict[str, Any] | None:
            for message in reversed(self.messages):
                if "method" not in message and message.get("id", "") == number:
                    return message
            return None

        answer: dict[str, Any] = self.until(answered, patience)
        return answer

    def result(self, method: str, params: object = None) -> Any:
        """The result of a request."""
        return self.answer(self.ask(method, params))["result"]

    def error(self, method: str, params: object = None) -> int:
        """The code of the error that answers a request."""
        code: int = self.answer(self.ask(method, params))["error"]["code"]
        return code

    def initialize(self, **capabilities: object) -> Any:
        """Introduces the client."""
        root = {"uri": self.folder.as_uri(), "name": "work"}
        params = {
            "processId": None,
            "rootUri": None,
            "capabilities": capabilities,
            "workspaceFolders": [root],
        }
        result = self.result("initialize", params)
        self.notify("initialized")
        return result

    def uri(self, name: str) -> str:
        """The URI of a file in the folder; a name with a scheme is a URI already."""
        return name if ":" in name else (self.folder / name).as_uri()

    def open(self, name: str, text: str) -> None:
        """Opens a text."""
        document = {"uri": self.uri(name), "languageId": "python", "version": 1, "text": text}
        self.notify("textDocument/didOpen", textDocument=document)

    def change(self, name: str, text: str, version: int = 2) -> None:
        """Replaces the whole text."""
        document = {"uri": self.uri(name), "version": version}
        changes = [{"text": text}]
        self.notify("textDocument/didChange", textDocument=document, contentChanges=changes)

    def close(self, name: str) -> None:
        """Closes a text."""
        self.notify("textDocument/didClose", textDocument={"uri": self.uri(name)})

    def codes(self, name: str, *codes: str, patience: float = PATIENCE) -> None:
        """Waits until the diagnostics of a text have these codes."""

        def have_codes() -> bool:
            for message in reversed(self.messages):
                if message.get("method") == "textDocument/publishDiagnostics":
                    if message["params"]["uri"] == self.uri(name):
                        diagnostics = [
                            diagnostic["code"] for diagnostic in message["params"]["diagnostics"]
                        ]
                        return diagnostics == list(codes)
            return False

        self.until(have_codes, patience)

    def end(self, shut_down: bool = True) -> int:
        """Ends the server as the protocol prescribes, and returns its exit code.

        By then all processes that the server started are gone: each holds its standard error.
        """
        if shut_down:
            assert self.result("shutdown") is None
        self.notify("exit")
        code = self.process.wait(PATIENCE)
        for thread in self._threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()
        return code


def customized(folder: Path, program: str) -> dict[str, str]:
    """An environment in which every Python process, a worker too, runs this program first."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(program)
    surroundings = environment()
    surroundings["PYTHONPATH"] = os.pathsep.join((str(folder), surroundings["PYTHONPATH"]))
    return surroundings

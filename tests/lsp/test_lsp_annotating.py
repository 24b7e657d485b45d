"""What `annotate` writes, from an editor: the edits of one hint, and of a whole file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from commands import run
from raw import Client

MODEL = """\
import torch


def mix(x: torch.Tensor, w: torch.Tensor):
    b, t, c = x.shape
    y = x.transpose(1, 2)
    z = y.reshape(b, c * t)  # as rows
    return y
"""


def hints_of(client: Client, name: str) -> list[dict[str, Any]]:
    """The hints of a file, each as the client gets it when the user points at it."""
    uri = client.uri(name)
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    params = {"textDocument": {"uri": uri}, "range": everything}
    return client.result("textDocument/inlayHint", params)


def test_a_hint_writes_the_comment_of_annotate(tmp_path: Path) -> None:
    with Client(tmp_path) as client:
        client.initialize()
        client.open("a.py", MODEL)
        hints = {hint["position"]["line"]: hint for hint in hints_of(client, "a.py")}
        assert "textEdits" not in hints[5]
        resolved = client.result("inlayHint/resolve", hints[5])
        assert resolved["label"] == "[b, c, t]"
        (edit,) = resolved["textEdits"]
        assert edit["newText"] == "  # (b, c, t)"
        assert edit["range"]["start"] == edit["range"]["end"] == {"line": 5, "character": 25}
        # `annotate` writes nothing on a line with a comment.
        assert "textEdits" not in client.result("inlayHint/resolve", hints[6])


def test_a_hint_of_an_older_text_writes_nothing(tmp_path: Path) -> None:
    with Client(tmp_path) as client:
        client.initialize()
        client.open("a.py", MODEL)
        hint = next(h for h in hints_of(client, "a.py") if h["position"]["line"] == 5)
        client.change("a.py", MODEL.replace("import torch\n", "import torch\n\n"))
        assert "textEdits" not in client.result("inlayHint/resolve", hint)


def applied_edit(client: Client, name: str) -> tuple[list[dict[str, Any]], str]:
    """The edits of a text that the server has the client apply, and what the command returns."""
    asked = client.ask(
        "workspace/executeCommand",
        {"command": "namecheck.annotate", "arguments": [client.uri(name)]},
    )

    def request() -> dict[str, Any] | None:
        return next((m for m in client.messages if m.get("method") == "workspace/applyEdit"), None)

    edit = client.until(request)
    client.send({"jsonrpc": "2.0", "id": edit["id"], "result": {"applied": True}})
    return edit["params"]["edit"]["changes"][client.uri(name)], client.answer(asked)["result"]


def test_the_command_annotates_an_open_file(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(MODEL)
    with Client(tmp_path) as client:
        client.initialize()
        client.open("a.py", MODEL)
        edits, said = applied_edit(client, "a.py")
        assert said == "Wrote 1 annotation."
    assert [(edit["range"]["start"]["line"], edit["newText"]) for edit in edits] == [
        (5, "  # (b, c, t)")
    ]
    run(sys.executable, "-m", "namecheck", "annotate", "-q", "a.py", cwd=tmp_path)
    assert (tmp_path / "a.py").read_text() == MODEL.replace("(1, 2)", "(1, 2)  # (b, c, t)")


def test_the_command_says_that_there_is_nothing_to_write(tmp_path: Path) -> None:
    with Client(tmp_path) as client:
        client.initialize()
        client.open("a.py", "import torch\n")
        command = {"command": "namecheck.annotate", "arguments": [client.uri("a.py")]}
        assert client.result("workspace/executeCommand", command) == "Nothing to annotate."
        command["arguments"] = [client.uri("closed.py")]
        said = client.result("workspace/executeCommand", command)
        assert said == "Not annotated: the file is not open."

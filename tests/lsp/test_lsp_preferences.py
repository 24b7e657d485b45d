"""The editor's section `namecheck`: a key that the server cannot use does not affect the others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from namecheck.lsp.client.preferences import InlayHints, Preferences, read_section
from raw import Client

EXTENSION = {"path": ["/usr/bin/namecheck"], "trace": {"server": "verbose"}, "importStrategy": "x"}
"""Keys that extensions of editors put into the section of their server."""


@pytest.mark.parametrize("nothing", [None, {}, [], False, {"namecheck": None}, {"settings": {}}])
def test_an_empty_section_gives_the_defaults(nothing: Any) -> None:
    assert read_section(nothing) == (Preferences(), (), ())


def test_unknown_keys_do_not_affect_the_others() -> None:
    options = {**EXTENSION, "hover": False, "inlayHints": {"returns": False, "colour": 3}}
    section = read_section({"settings": {"namecheck": options}})
    assert section.preferences == Preferences(InlayHints(returns=False), hover=False)
    assert section.unknown == ("path", "trace", "importStrategy", "inlayHints.colour")
    assert section.faults == ()


def test_wrong_values_are_reported_and_the_others_count() -> None:
    options = {"hover": "no", "debounce": 7, "inlayHints": {"returns": 1, "parameters": False}}
    section = read_section(options)
    assert section.preferences == Preferences(InlayHints(parameters=False), debounce=7)
    assert section.faults == (
        "settings of the editor: Expected `bool`, got `str` - at `$.hover`",
        "settings of the editor: Expected `bool`, got `int` - at `$.inlayHints.returns`",
    )
    assert read_section("all").faults == ("settings of the editor: Expected `object`, got `str`",)
    assert read_section({"inlayHints": 5, "hover": None}).faults == (
        "settings of the editor: Expected `bool | object`, got `int` - at `$.inlayHints`",
    )


def test_unknown_keys_of_an_extension_show_no_message(tmp_path: Path) -> None:
    options = {**EXTENSION, "hover": False}
    with Client(tmp_path) as client:
        params = {"processId": None, "rootUri": None, "initializationOptions": options}
        client.result("initialize", {**params, "capabilities": {}})
        client.notify("initialized")
        # Editors send the section again when anything in it changes.
        client.notify("workspace/didChangeConfiguration", settings={"namecheck": options})
        client.open("a.py", "import torch\n\nx = torch.zeros(3, 4)\n")
        place = {
            "textDocument": {"uri": client.uri("a.py")},
            "position": {"line": 2, "character": 6},
        }
        assert client.result("textDocument/hover", place) is None
        options = {**options, "hover": "yes"}
        client.notify("workspace/didChangeConfiguration", settings={"namecheck": options})
        assert "3, 4" in client.result("textDocument/hover", place)["contents"]["value"]
        shown = [
            message["params"]["message"]
            for message in client.messages
            if message.get("method") in ("window/showMessage", "window/logMessage")
        ]
        assert client.end() == 0
    assert shown == ["namecheck: settings of the editor: Expected `bool`, got `str` - at `$.hover`"]
    log = [line for line in client.errors if b"settings of the editor" in line]
    assert len(log) == 1
    assert b"'path', 'trace', 'importStrategy'" in log[0]

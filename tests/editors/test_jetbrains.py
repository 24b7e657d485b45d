"""The template for LSP4IJ, with which JetBrains IDEs start the server."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import jsonschema
import msgspec

from invoking import invoke
from namecheck.lsp.client.preferences import Preferences, read_section

FOLDER = Path(__file__).parents[2] / "editors" / "jetbrains" / "namecheck"


def content(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def test_the_template_starts_the_server_for_python_files() -> None:
    template = content("template.json")
    assert (template["id"], template["name"]) == ("namecheck", "namecheck")
    for system, command in template["programArgs"].items():
        words = shlex.split(command)
        program, *arguments = shlex.split(words[-1]) if words[0] == "sh" else words
        assert program == ("namecheck.exe" if system == "windows" else "namecheck")
        assert invoke(*arguments, "--help").exit_code == 0
    (mapping,) = template["fileTypeMappings"]
    assert mapping["languageId"] == "python"
    assert mapping["fileType"]["patterns"] == ["*.py", "*.pyi"]


def test_the_options_are_those_of_the_server_with_their_defaults() -> None:
    options = content("initializationOptions.json")
    section = read_section(options)
    assert section == (Preferences(), (), ())
    names = {field.encode_name for field in msgspec.structs.fields(Preferences)}
    assert options.keys() == names
    schema = content("initializationOptions.schema.json")
    jsonschema.validate(options, schema)
    assert schema["properties"].keys() == names
    for name, declared in schema["properties"].items():
        assert declared.get("default", options[name]) == options[name]

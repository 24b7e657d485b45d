"""Writes the settings of the extension into package.json.

Those that stand for keys of a settings file come from docs/namecheck.schema.json, so that there is
one list; the others are listed here. `python configuration.py` writes them; a test compares.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PACKAGE = HERE / "package.json"
SCHEMA = HERE.parent.parent / "docs" / "namecheck.schema.json"

LEFT_OUT = {
    "extend": "only a settings file can extend another one",
    "exit-on": "an editor has no exit code",
    "output-format": "an editor shows findings in one way",
    "mypy": "only mypy reads it, and only in pyproject.toml",
}
"""The keys of a settings file that an editor has no use for, and why."""

PATHS = ("python", "baseline")
"""Keys whose value depends on the machine."""

ON_OFF = {"type": "boolean", "default": True}

PREFERENCES: dict[str, dict[str, Any]] = {
    "inlayHints": {
        "type": ["boolean", "object"],
        "properties": dict.fromkeys(("assignments", "parameters", "returns"), ON_OFF),
        "additionalProperties": False,
        "default": True,
        "markdownDescription": "Show dims behind assignments, parameters and returns. To choose "
        'among these three: `{"parameters": false}`. `#editor.inlayHints.enabled#` turns off the '
        "hints of all languages.",
    },
    "hover": {
        **ON_OFF,
        "description": "Show the dims of the expression under the pointer, and their origin.",
    },
    "definition": {
        **ON_OFF,
        "description": "Go from a name of a dim, or an expression, to where its names of dims come "
        "from.",
    },
    "completion": {
        **ON_OFF,
        "description": "Offer names of dims where names of dims are written.",
    },
    "callers": {
        **ON_OFF,
        "description": "Read files that are not open, too: their calls may show mistakes in open "
        "ones.",
    },
    "drives": {
        **ON_OFF,
        "description": "Follow tests, scripts and examples that drive open files with their own "
        "sizes.",
    },
    "workspace": {
        **ON_OFF,
        "description": "Show the findings of files that are not open in the Problems panel, too.",
    },
    "debounce": {
        "type": "integer",
        "minimum": 0,
        "maximum": 10_000,
        "default": 100,
        "description": "Milliseconds without an edit after which a file is checked.",
    },
}
"""What the server takes while it runs (`namecheck.lsp.preferences`)."""

SERVER: dict[str, dict[str, Any]] = {
    "server.copy": {
        "type": "string",
        "enum": ["auto", "environment", "bundled"],
        "enumDescriptions": [
            "The namecheck of the workspace's interpreter, or else the extension's own copy.",
            "Only a namecheck that is installed with an interpreter.",
            "Always the extension's own copy.",
        ],
        "default": "auto",
        "description": "Which namecheck runs.",
    },
    "server.interpreter": {
        "type": "string",
        "default": "",
        "scope": "machine-overridable",
        "markdownDescription": "The Python that runs namecheck: an interpreter or the folder of an "
        "environment. Otherwise, in this order: the one that is selected in the Python extension, "
        "`.venv` or `venv` in the folder, `#python.defaultInterpreterPath#`, and Python on the "
        "`PATH`.",
    },
    "trace.server": {
        "type": "string",
        "enum": ["off", "messages", "verbose"],
        "default": "off",
        "description": "Write the messages between the editor and the server to the output.",
    },
}


def configuration() -> list[dict[str, Any]]:
    """The value of `contributes.configuration`."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    checks = {}
    for key, described in schema["properties"].items():
        if key not in LEFT_OUT:
            entry = plain(described, schema["$defs"])
            entry["tomlKey"] = key
            if key in PATHS:
                entry["scope"] = "machine-overridable"
            if entry["type"] == "string" and "default" not in entry:
                entry["default"] = ""
            checks[camel(key)] = entry
    groups = {"Display": PREFERENCES, "Checks": checks, "Server": SERVER}
    return [
        {
            "title": title,
            "order": order,
            "properties": {
                f"namecheck.{key}": {"scope": "window", **entry, "order": place}
                for place, (key, entry) in enumerate(group.items())
            },
        }
        for order, (title, group) in enumerate(groups.items())
    ]


def plain(schema: Any, definitions: dict[str, Any]) -> Any:
    """A schema without references, which a package.json cannot have; quoted names as code."""
    if isinstance(schema, list):
        return [plain(item, definitions) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        definition = definitions[schema["$ref"].rpartition("/")[2]]
        schema = {**definition, **{key: value for key, value in schema.items() if key != "$ref"}}
    made = {key: plain(value, definitions) for key, value in schema.items()}
    if isinstance(text := made.get("description"), str) and "`" in text:
        made["markdownDescription"] = made.pop("description")
    return made


def camel(key: str) -> str:
    """A key of a settings file as VS Code writes keys: `extendSelect`."""
    return re.sub(r"-(\w)", lambda match: match[1].upper(), key)


def written() -> str:
    """The text of package.json with the settings of now."""
    package = json.loads(PACKAGE.read_text(encoding="utf-8"))
    package["contributes"]["configuration"] = configuration()
    return json.dumps(package, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PACKAGE.write_text(written(), encoding="utf-8")

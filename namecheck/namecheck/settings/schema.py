"""The JSON schema of the settings, for editors: made from `Settings`, so that there is one list.

`python -P -m namecheck.settings.schema > docs/namecheck.schema.json` writes the published one.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from namecheck.codes.selection import ALL, known_codes
from namecheck.settings.keys import Settings

__all__ = ["schema_text", "settings_schema"]


def settings_schema() -> dict[str, Any]:
    """The schema of the table `[tool.namecheck]`."""
    schema = msgspec.json.schema(Settings)
    definitions = schema.pop("$defs")
    top = definitions.pop(Settings.__name__)
    top.pop("required")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Settings of namecheck",
        **{key: value for key, value in top.items() if key != "title"},
        "$defs": {"Selector": _selector(), **_with_selectors(definitions)},
    } | {"properties": _with_selectors(top["properties"])}


def _selector() -> dict[str, Any]:
    codes = known_codes()
    prefixes = sorted({code[:length] for code in codes for length in range(2, len(code))})
    return {
        "description": "A code, a prefix of codes, a name, or ALL.",
        "type": "string",
        "enum": [ALL, *codes, *codes.values(), *prefixes],
    }


def _with_selectors(node: Any) -> Any:
    """A schema in which selectors refer to the list of them."""
    if isinstance(node, dict):
        if node.get("format") == "selector":
            return {"$ref": "#/$defs/Selector"}
        kinds = [kind for kind in node.get("anyOf", ()) if kind != {"type": "null"}]
        if len(kinds) == 1:  # TOML has no null: a key that is not set is left out
            node = {k: v for k, v in node.items() if k not in ("anyOf", "default")} | kinds[0]
        return {key: _with_selectors(value) for key, value in node.items() if key != "required"}
    return [_with_selectors(item) for item in node] if isinstance(node, list) else node


def schema_text() -> str:
    """The schema as it is published."""
    return json.dumps(settings_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")

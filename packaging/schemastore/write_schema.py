"""The schema of the settings in the form that SchemaStore takes: draft 7, at its own address.

    python packaging/schemastore/write_schema.py

writes src/schemas/json/namecheck.json from docs/namecheck.schema.json. SchemaStore needs a copy,
because its schema of pyproject.toml can only refer to schemas of its own.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PUBLISHED = HERE.parent.parent / "docs" / "namecheck.schema.json"
COPY = HERE / "src" / "schemas" / "json" / "namecheck.json"
ADDRESS = "https://json.schemastore.org/namecheck.json"


def of_draft_7(node: Any) -> Any:
    """A schema of draft 2020-12, which uses only features of draft 7, under their old names."""
    if isinstance(node, dict):
        renamed = {"definitions" if key == "$defs" else key: value for key, value in node.items()}
        schema = {key: of_draft_7(value) for key, value in renamed.items()}
        if "$ref" in schema:
            schema["$ref"] = schema["$ref"].replace("#/$defs/", "#/definitions/")
            if len(schema) > 1:  # draft 7 ignores everything beside a reference
                schema = {"allOf": [{"$ref": schema.pop("$ref")}], **schema}
        return schema
    return [of_draft_7(item) for item in node] if isinstance(node, list) else node


def copied() -> str:
    """The text of the copy."""
    published = of_draft_7(json.loads(PUBLISHED.read_text(encoding="utf-8")))
    head = {"$schema": "http://json-schema.org/draft-07/schema#", "$id": ADDRESS}
    rest = {key: value for key, value in published.items() if key != "$schema"}
    return json.dumps(head | rest, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    COPY.write_text(copied(), encoding="utf-8")

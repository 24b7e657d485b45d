"""The schema of the settings as SchemaStore takes it in: draft 7, under an address of theirs.

    python packaging/schemastore/write_schema.py

writes src/schemas/json/namecheck.json from docs/namecheck.schema.json. SchemaStore wants a copy:
its schema of pyproject.toml can refer to schemas that it has itself, and to no others.
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
    """A schema of draft 2020-12 that uses nothing but what draft 7 has, under the old names."""
    if isinstance(node, dict):
        renamed = {"definitions" if key == "$defs" else key: value for key, value in node.items()}
        made = {key: of_draft_7(value) for key, value in renamed.items()}
        if "$ref" in made:
            made["$ref"] = made["$ref"].replace("#/$defs/", "#/definitions/")
            if len(made) > 1:  # draft 7 reads nothing beside a reference
                made = {"allOf": [{"$ref": made.pop("$ref")}], **made}
        return made
    return [of_draft_7(one) for one in node] if isinstance(node, list) else node


def copied() -> str:
    """The text of the copy."""
    published = of_draft_7(json.loads(PUBLISHED.read_text(encoding="utf-8")))
    head = {"$schema": "http://json-schema.org/draft-07/schema#", "$id": ADDRESS}
    rest = {key: value for key, value in published.items() if key != "$schema"}
    return json.dumps(head | rest, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    COPY.write_text(copied(), encoding="utf-8")

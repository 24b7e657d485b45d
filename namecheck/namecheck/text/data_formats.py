"""Files of data: JSON, TOML and YAML as plain values."""

from __future__ import annotations

from typing import Any

from namecheck.text.yaml_subset import UNCLEAR, Unreadable, read_yaml

__all__ = ["UNCLEAR", "read_data"]


def read_data(form: str, text: str) -> Any:
    """What a text in one of the formats holds; `UNCLEAR` if it cannot be read."""
    try:
        if form == "json":
            import json

            return json.loads(text)
        if form == "toml":
            import tomllib

            return tomllib.loads(text)
        return read_yaml(text)
    except (ValueError, RecursionError, Unreadable):
        return UNCLEAR

"""Files of data: JSON, TOML and YAML as plain values."""

from __future__ import annotations

from typing import Any, Final

__all__ = ["UNCLEAR", "is_number", "read_data"]

UNCLEAR: Final = object()
"""What a text holds that cannot be read."""


def read_data(form: str, text: str) -> Any:
    """What a text in one of the formats holds; `UNCLEAR` if it cannot be read.

    YAML is read as `yaml.safe_load` reads it; without PyYAML it is not read.
    """
    try:
        match form:
            case "json":
                import json

                return json.loads(text)
            case "toml":
                import tomllib

                return tomllib.loads(text)
            case _:
                return _yaml(text)
    except (ValueError, RecursionError):
        return UNCLEAR


def _yaml(text: str) -> Any:
    try:
        import yaml
    except ModuleNotFoundError:  # the bundled copy of an editor is without it
        return UNCLEAR
    try:
        return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError:
        return UNCLEAR


def is_number(text: str) -> bool:
    """Whether a text is how some reader writes a number: `1e-4`."""
    try:
        float(text)
    except ValueError:
        return False
    return True

"""How long the lines of a file may be: as the project's formatter has it.

The nearest settings that say it count, of ruff, black, pycodestyle or flake8; the editor's come
last. Where nobody says anything a line is as long as ruff and black make it.
"""

from __future__ import annotations

import configparser
import os
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from namecheck.files.disk import read_file

__all__ = ["DEFAULT", "line_length"]

DEFAULT: Final = 88

_TABLES: Final = (
    ("tool", "ruff", "line-length"),
    ("tool", "black", "line-length"),
    ("tool", "ruff", "lint", "pycodestyle", "max-line-length"),
    ("tool", "pycodestyle", "max-line-length"),
    ("tool", "flake8", "max-line-length"),
    ("tool", "pylint", "format", "max-line-length"),
)
_SECTIONS: Final = ("flake8", "pycodestyle", "pep8")


def line_length(path: str) -> int:
    """The columns that a line of a file may have."""
    return _of_folder(os.path.dirname(os.path.abspath(path)))


@lru_cache(maxsize=1024)
def _of_folder(folder: str) -> int:
    for found in _told(folder):
        if isinstance(found, str) and found.isdecimal():
            found = int(found)
        if isinstance(found, int) and 20 <= found <= 1000:
            return found
    above = os.path.dirname(folder)
    if above == folder or os.path.exists(os.path.join(folder, ".git")):
        return DEFAULT
    return _of_folder(above)


def _told(folder: str) -> Iterator[object]:
    """What the settings files of a folder say, those that count more first."""
    for name in (".ruff.toml", "ruff.toml"):
        yield _toml(folder, name).get("line-length")
    project = _toml(folder, "pyproject.toml")
    for keys in _TABLES:
        found: Any = project
        for key in keys:
            found = found.get(key) if isinstance(found, dict) else None
        yield found
    for name in (".flake8", "setup.cfg", "tox.ini"):
        sections = _ini(folder, name)
        for section in _SECTIONS:
            if sections.has_section(section):
                for key in ("max-line-length", "max_line_length"):
                    yield sections.get(section, key, fallback=None)
    editor = _ini(folder, ".editorconfig")
    for section in ("*.py", "*.{py,pyi}", "*"):
        if editor.has_section(section):
            yield editor.get(section, "max_line_length", fallback=None)


def _toml(folder: str, name: str) -> Mapping[str, Any]:
    try:
        return tomllib.loads(read_file(os.path.join(folder, name)).decode())
    except (OSError, ValueError, RecursionError):
        return {}


def _ini(folder: str, name: str) -> configparser.RawConfigParser:
    made = configparser.RawConfigParser(strict=False)
    try:
        text = read_file(os.path.join(folder, name)).decode()
        # What stands above the first section belongs to none (`root = true`).
        made.read_string(f"[top of {name}]\n{text}")
    except (OSError, ValueError, configparser.Error):
        return configparser.RawConfigParser()
    return made

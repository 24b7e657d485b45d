"""The line length of a file, as the project's formatter has it.

The nearest settings with a line length decide: those of ruff, black, pycodestyle or flake8, and
last those of the editor. The default is that of ruff and black.
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
    """The most columns of a line in a file."""
    return _of_folder(os.path.dirname(os.path.abspath(path)))


@lru_cache(maxsize=1024)
def _of_folder(folder: str) -> int:
    for length in _configured(folder):
        if isinstance(length, str) and length.isdecimal():
            length = int(length)
        if isinstance(length, int) and 20 <= length <= 1000:
            return length
    above = os.path.dirname(folder)
    if above == folder or os.path.exists(os.path.join(folder, ".git")):
        return DEFAULT
    return _of_folder(above)


def _configured(folder: str) -> Iterator[object]:
    """The line lengths in the settings files of a folder, in order of precedence."""
    for name in (".ruff.toml", "ruff.toml"):
        yield _toml(folder, name).get("line-length")
    project = _toml(folder, "pyproject.toml")
    for keys in _TABLES:
        value: Any = project
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        yield value
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
    sections = configparser.RawConfigParser(strict=False)
    try:
        text = read_file(os.path.join(folder, name)).decode()
        # Lines above the first section belong to none (`root = true`).
        sections.read_string(f"[top of {name}]\n{text}")
    except (OSError, ValueError, configparser.Error):
        return configparser.RawConfigParser()
    return sections

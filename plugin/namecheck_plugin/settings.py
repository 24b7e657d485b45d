"""`[tool.namecheck.mypy]` of `pyproject.toml`: what the plugin does not report.

    [tool.namecheck.mypy]
    ignore = ["NC2"]       # codes, or prefixes of codes
    suspicions = false     # only certain mistakes (no NC202, NC205)
    notes = false          # no notes on where dims come from, and no hints

The plugin refuses an unknown key or value, with its place.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from mypy.errors import CompileError

from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.mistakes import CODES

_TABLE: Final = "[tool.namecheck.mypy]"


class Settings(NamedTuple):
    """What the plugin reports, and what it does not."""

    ignore: tuple[str, ...] = ()
    """Codes that are not reported, or prefixes of codes."""
    suspicions: bool = True
    """Whether code that is legal but hardly ever meant is reported."""
    notes: bool = True
    """Whether errors come with notes."""


def read(config_file: str | None) -> Settings:
    """The settings of the project that mypy's configuration file belongs to.

    Raises mypy's CompileError, which ends the run with a message, if they cannot be read.
    """
    start = Path(config_file).resolve().parent if config_file else Path.cwd()
    for folder in (start, *start.parents):
        path = folder / "pyproject.toml"
        if path.is_file():
            return of_file(path)
        if (folder / ".git").exists():
            break
    return Settings()


def of_file(path: Path) -> Settings:
    """The settings in one file."""
    text = path.read_text(encoding="utf-8")
    if "namecheck" not in text:
        return Settings()
    import tomllib  # few projects have settings for the plugin

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CompileError([f"{path}: error: {error}"], use_stdout=True) from None
    for key in ("tool", "namecheck", "mypy"):
        table = table.get(key, {})
        if not isinstance(table, dict):
            raise _refusal(path, text, key, f"{_TABLE} must be a table")
    for key, value in table.items():
        if key not in Settings._fields:
            raise _refusal(
                path,
                text,
                key,
                f"unknown key {key!r} in {_TABLE}{_suggestion(key, Settings._fields)}",
            )
        _check(path, text, key, value)
    return Settings(**{**table, "ignore": tuple(table.get("ignore", ()))})


def _check(path: Path, text: str, key: str, value: Any) -> None:
    if key != "ignore":
        if not isinstance(value, bool):
            raise _refusal(path, text, key, f"{key} must be true or false, not {value!r}")
        return
    if not isinstance(value, list) or not all(isinstance(code, str) for code in value):
        raise _refusal(path, text, key, f"ignore must be a list of codes, not {value!r}")
    for code in value:
        if not code or not any(known.startswith(code) for known in CODES):
            raise _refusal(path, text, key, f"unknown code {code!r}{_suggestion(code, CODES)}")


def _suggestion(word: str, words: Any) -> str:
    from difflib import get_close_matches

    close = get_close_matches(word, list(words), n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; there are {', '.join(words)}"


def _refusal(path: Path, text: str, key: str, message: str) -> CompileError:
    start = text.find(_TABLE)
    lines = text[: max(start, 0)].count("\n")
    for number, line in enumerate(text[max(start, 0) :].splitlines(), lines + 1):
        if line.split("=")[0].strip().strip("\"'") == key:
            return CompileError([f"{path}:{number}: error: {message}"], use_stdout=True)
    return CompileError([f"{path}: error: {message}"], use_stdout=True)

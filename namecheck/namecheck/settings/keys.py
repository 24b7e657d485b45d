"""The keys of `[tool.namecheck]`: their types, defaults and descriptions, in one place.

The checks of a settings file, the JSON schema and `--show-settings` all use them.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from namecheck.codes import selection
from namecheck.codes.selection import EXITS, LEVELS, SEVERITIES
from namecheck.findings import Level
from namecheck.report import FORMATS

__all__ = ["KEYS", "MypySettings", "Settings"]


Selector = Annotated[str, Meta(extra_json_schema={"format": "selector"})]
Word = Annotated[str, Meta(extra_json_schema={"minLength": 1})]
OutputFormat = Annotated[str, Meta(extra_json_schema={"enum": list(FORMATS)})]
Severity = Annotated[str, Meta(extra_json_schema={"enum": list(SEVERITIES)})]
LeastLevel = Annotated[str, Meta(extra_json_schema={"enum": list(LEVELS)})]
ExitLevel = Annotated[str, Meta(extra_json_schema={"enum": list(EXITS)})]


class MypySettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[tool.namecheck.mypy]`: what the mypy plugin does not report. The linter only checks it."""

    ignore: Annotated[
        tuple[Selector, ...],
        Meta(description="Codes, or prefixes of codes, that the plugin does not report."),
    ] = ()
    suspicions: Annotated[
        bool,
        Meta(description="Whether the plugin reports code that is legal but hardly ever meant."),
    ] = True
    notes: Annotated[bool, Meta(description="Whether the plugin's errors come with notes.")] = True


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """The keys of `[tool.namecheck]`, each with its default."""

    extend: Annotated[
        str | None,
        Meta(
            description="A settings file that this one extends, relative to this file. This one "
            "takes precedence."
        ),
    ] = None
    select: Annotated[
        tuple[Selector, ...],
        Meta(
            description="What is reported: codes (NC202), prefixes (NC2), names "
            "(misaligned-broadcast), or ALL. The longest selector that covers a code decides."
        ),
    ] = selection.DEFAULT
    extend_select: Annotated[
        tuple[Selector, ...], Meta(description="What is reported in addition to `select`.")
    ] = ()
    ignore: Annotated[tuple[Selector, ...], Meta(description="What is not reported.")] = ()
    notes: Annotated[
        bool, Meta(description="Report where inference stopped, too: `extend-select` of NC8.")
    ] = False
    strict: Annotated[
        bool,
        Meta(
            description="Report implicit rank promotion (NC209) and contracted names (NC108), too."
        ),
    ] = False
    per_file_ignores: Annotated[
        dict[str, tuple[Selector, ...]],
        Meta(
            description="What is not reported in files whose path matches a pattern; `!` negates "
            "the pattern."
        ),
    ] = {}
    severity: Annotated[
        dict[Selector, Severity],
        Meta(description="Levels for codes, prefixes or names: error, warning, note, or off."),
    ] = {}
    min_severity: Annotated[
        LeastLevel, Meta(description="The lowest level that is reported: note, warning or error.")
    ] = Level.NOTE.value
    exit_on: Annotated[
        ExitLevel,
        Meta(
            description="The lowest level of findings for which a run exits with 1: error, "
            "warning, note, or never."
        ),
    ] = Level.WARNING.value
    drive: Annotated[
        bool,
        Meta(
            description="Follow tests, scripts, and the examples of READMEs, pages and docstrings "
            "with their own sizes."
        ),
    ] = True
    exclude: Annotated[
        tuple[str, ...],
        Meta(description="Files and folders to leave out, as patterns of .gitignore."),
    ] = (".*", "__pycache__", "__pypackages__", "build", "node_modules", "venv")
    extend_exclude: Annotated[
        tuple[str, ...],
        Meta(description="Files and folders to leave out in addition to `exclude`."),
    ] = ()
    respect_gitignore: Annotated[
        bool, Meta(description="Leave out what git ignores (.gitignore, .git/info/exclude).")
    ] = True
    force_exclude: Annotated[
        bool, Meta(description="Leave out excluded files even if they are named.")
    ] = False
    dims: Annotated[
        dict[str, Word],
        Meta(description="Synonyms: words for dims, each with the word that has the same meaning."),
    ] = {}
    may_meet: Annotated[
        tuple[tuple[Word, ...], ...],
        Meta(description="Groups of words for different dims that may meet nevertheless."),
    ] = ()
    installed: Annotated[
        bool,
        Meta(
            description="Follow calls into installed packages that use a tensor library. Their "
            "sources are read, never imported; nothing in them is reported."
        ),
    ] = True
    python: Annotated[
        str | None,
        Meta(
            description="The interpreter, or the folder of the environment, that has these "
            "packages, relative to the settings file. Otherwise the active environment counts."
        ),
    ] = None
    required_version: Annotated[
        str,
        Meta(description="The versions of namecheck that may be used: '>=0.3', '==0.4.*'."),
    ] = ""
    output_format: Annotated[
        OutputFormat,
        Meta(description="The format of the findings, unless the command line sets it."),
    ] = "full"
    baseline: Annotated[
        str | None,
        Meta(
            description="A file of known findings, which are not reported (`namecheck baseline "
            "write`), relative to the settings file."
        ),
    ] = None
    mypy: Annotated[
        MypySettings,
        Meta(description="What the mypy plugin does not report (pyproject.toml only)."),
    ] = MypySettings()


KEYS: Final = {field.encode_name: field for field in msgspec.structs.fields(Settings)}
"""The fields of `Settings`, by key as it is written in TOML."""

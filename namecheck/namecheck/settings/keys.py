"""The keys of `[tool.namecheck]`: their types, defaults and descriptions, once.

What checks a file, the JSON schema and `--show-settings` all read them here.
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
    """`[tool.namecheck.mypy]`: what the mypy plugin leaves unsaid. The linter only checks it."""

    ignore: Annotated[
        tuple[Selector, ...],
        Meta(description="Codes, or what they begin with, of which the plugin says nothing."),
    ] = ()
    suspicions: Annotated[
        bool, Meta(description="Whether the plugin tells what is legal and hardly ever meant.")
    ] = True
    notes: Annotated[bool, Meta(description="Whether the plugin's errors come with notes.")] = True


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """The keys of `[tool.namecheck]`, each with what counts where nothing is said."""

    extend: Annotated[
        str | None,
        Meta(
            description="A settings file that this one goes on from; relative to this file. What "
            "this one says goes over it."
        ),
    ] = None
    select: Annotated[
        tuple[Selector, ...],
        Meta(
            description="What is told: codes (NC202), what they begin with (NC2), names "
            "(misaligned-broadcast), or ALL. The longest selector that covers a code decides."
        ),
    ] = selection.DEFAULT
    extend_select: Annotated[
        tuple[Selector, ...], Meta(description="What is told besides `select`.")
    ] = ()
    ignore: Annotated[tuple[Selector, ...], Meta(description="What is not told.")] = ()
    notes: Annotated[
        bool, Meta(description="Tell where inference stopped, too: `extend-select` of NC8.")
    ] = False
    strict: Annotated[
        bool,
        Meta(description="Tell implicit rank promotion (NC209) and contracted names (NC108), too."),
    ] = False
    per_file_ignores: Annotated[
        dict[str, tuple[Selector, ...]],
        Meta(
            description="What is not told of files whose path fits a pattern; `!` turns it round."
        ),
    ] = {}
    severity: Annotated[
        dict[Selector, Severity],
        Meta(
            description="Levels for codes, what they begin with, or names: error, warning, note, "
            "or off."
        ),
    ] = {}
    min_severity: Annotated[
        LeastLevel, Meta(description="The least level that is reported: note, warning or error.")
    ] = Level.NOTE.value
    exit_on: Annotated[
        ExitLevel,
        Meta(
            description="The least level of findings that makes a run end with 1: error, warning, "
            "note, or never."
        ),
    ] = Level.WARNING.value
    exclude: Annotated[
        tuple[str, ...],
        Meta(description="Files and folders to stay out of, as patterns of .gitignore."),
    ] = (".*", "__pycache__", "__pypackages__", "build", "node_modules", "venv")
    extend_exclude: Annotated[
        tuple[str, ...], Meta(description="What to stay out of besides `exclude`.")
    ] = ()
    respect_gitignore: Annotated[
        bool, Meta(description="Stay out of what git ignores (.gitignore, .git/info/exclude).")
    ] = True
    force_exclude: Annotated[
        bool, Meta(description="Leave out excluded files even if they are named.")
    ] = False
    dims: Annotated[
        dict[str, Word],
        Meta(description="Words for dims, each with the word that is meant: two words, one dim."),
    ] = {}
    may_meet: Annotated[
        tuple[tuple[Word, ...], ...],
        Meta(description="Groups of words for dims that differ, and may meet all the same."),
    ] = ()
    required_version: Annotated[
        str,
        Meta(description="The versions of namecheck that may be used: '>=0.3', '==0.4.*'."),
    ] = ""
    output_format: Annotated[
        OutputFormat, Meta(description="How findings are printed, unless the command line says.")
    ] = "full"
    baseline: Annotated[
        str | None,
        Meta(
            description="A file of known findings, which are not told (`namecheck baseline write`);"
            " relative to the settings file."
        ),
    ] = None
    mypy: Annotated[
        MypySettings, Meta(description="What the mypy plugin leaves unsaid (pyproject.toml only).")
    ] = MypySettings()


KEYS: Final = {field.encode_name: field for field in msgspec.structs.fields(Settings)}
"""The keys as they are written, with their types and defaults."""

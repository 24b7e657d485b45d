"""Files of data that programs read: how they are named, opened and read."""

from __future__ import annotations

from typing import Final

OPEN: Final = "builtins.open"
THIS_FILE: Final = "__file__"

PATH: Final = "pathlib.Path"
PATHS: Final = frozenset({PATH, "pathlib.PurePath", "pathlib.PosixPath"})
"""Classes of paths."""

JOINS: Final = "os.path.join"
FOLDER_OF: Final = "os.path.dirname"
MADE_WHOLE: Final = frozenset(
    {"os.fspath", "os.path.abspath", "os.path.realpath", "os.path.normpath", OPEN, *PATHS}
)
"""Functions that give the path that they are given, or a path or file that is named by it."""

PARENT: Final = "parent"
PARENTS: Final = "parents"
SAME: Final = frozenset(
    {"resolve", "absolute", "open", "read_text", "read_bytes", "as_posix", "read"}
)
"""Methods that give what has the same path, or the text of the file."""

JOIN: Final = "joinpath"
RENAME: Final = "with_name"
METHODS: Final = SAME | {JOIN, RENAME}
CHANGING: Final = frozenset({"write_text", "write_bytes", "unlink", "touch", "rename", "replace"})

READS: Final = {
    "json.load": "json",
    "json.loads": "json",
    "tomllib.load": "toml",
    "tomllib.loads": "toml",
    "tomli.load": "toml",
    "tomli.loads": "toml",
    "toml.load": "toml",
    "toml.loads": "toml",
    "yaml.load": "yaml",
    "yaml.safe_load": "yaml",
    "yaml.full_load": "yaml",
    "yaml.unsafe_load": "yaml",
    "omegaconf.OmegaConf.load": "yaml",
}
"""Functions that read a file, and its format."""

OF_TEXT: Final = ".loads"
"""How the names of those end that take the text of a file."""

WITH_ATTRIBUTES: Final = {"omegaconf.OmegaConf.load": "omegaconf.OmegaConf.create"}
"""Functions that make a dict with attributes of what they read, and the function that does."""

WRITES: Final = frozenset("wax+")
"""The letters of modes in which a file is written."""

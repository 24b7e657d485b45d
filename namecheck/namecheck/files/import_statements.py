"""The import statements of a program, read off its text, and the files that they mean.

There is no parser: a statement inside a string costs no more than a needless look at a file.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from namecheck import frameworks
from namecheck.analysis import Found
from namecheck.files.project import Project
from namecheck_runtime.light.regexes import regex

__all__ = ["Statement", "meant", "statements"]

_IMPORT = regex(
    r"^[ \t]*(?:"
    r"from[ \t]+(\.*)[ \t]*([\w.]*)[ \t]+import\b[ \t]*(\([^)]*\)|(?:\\\r?\n|[^\r\n#;\\])*)"
    r"|import[ \t]+((?:\\\r?\n|[^\r\n#;\\])+))",
    re.MULTILINE,
)
_NAME = regex(r"[^\W\d]\w*")
_COMMENT = regex(r"#[^\n]*")

_ELSEWHERE: Final = sys.stdlib_module_names.union(frameworks.LIBRARIES)
"""Packages that are never a module of the folders."""


class Statement(NamedTuple):
    """`from <level dots><module> import <names>`; `import module` has no names."""

    level: int
    module: str
    names: tuple[str, ...] = ()


def statements(text: str) -> tuple[Statement, ...]:
    """The import statements of a program that may mean a file of its own project."""
    imports = []
    for match in _IMPORT.finditer(text):
        dots, module, names, plain = match.groups()
        if plain is not None:
            for clause in plain.split(","):
                words = clause.split()
                if words and words[0].partition(".")[0] not in _ELSEWHERE:
                    parts = words[0].split(".")  # `a.b` gives what is in `a`, too
                    imports += [Statement(0, ".".join(parts[: n + 1])) for n in range(len(parts))]
        elif dots or module.partition(".")[0] not in _ELSEWHERE:
            listed = _COMMENT.sub("", names).strip("()").split(",")
            firsts = (_NAME.match(clause.strip("\\ \t\r\n")) for clause in listed)
            imported = tuple(name[0] for name in firsts if name)
            imports.append(Statement(len(dots), module, imported))
    return tuple(dict.fromkeys(imports))


def meant(project: Project, importer: str, imports: Iterable[Statement]) -> Iterator[str]:
    """The files that the statements of a file import."""
    for level, module, names in imports:
        module_found = project.find(importer, level, module)
        if module_found is None:
            continue
        yield from _paths(module_found)
        for name in names:
            inside = project.submodule(module_found, name)
            if inside is not None:
                yield from _paths(inside)


def _paths(found: Found) -> Iterator[str]:
    if found.path is not None:
        yield os.path.realpath(found.path)

"""Which network `namecheck summary` is asked for: a file or a module, and an expression."""

from __future__ import annotations

import ast
import builtins
import os
from typing import TYPE_CHECKING, Final

from namecheck.analysis import Network
from namecheck.exit_codes import Trouble
from namecheck.files.project import Project
from namecheck.running.examination import program_of
from namecheck_runtime.light.regexes import regex

if TYPE_CHECKING:
    from namecheck.analysis import Program
    from namecheck.settings.config import Configuration

__all__ = ["network_of"]

_FILE: Final = regex(r"(?P<module>.+?\.pyi?):(?P<expression>.+)", words=(".py",))
_MODULE: Final = regex(r"(?P<module>[^\W\d][\w.]*):(?P<expression>.+)", words=(":",))

FORM: Final = "it is FILE.py:EXPRESSION or package.module:EXPRESSION"


def network_of(target: str, configuration: Configuration) -> tuple[Network, Program]:
    """The network that a target names, and the program in which its imports are followed.

    Raises `Trouble` if there is no such file or module, or the expression cannot be read.
    """
    match = _FILE.fullmatch(target) or _MODULE.fullmatch(target)
    if match is None:
        raise Trouble(f"{target!r} names no network: {FORM}")
    shown, expression = match["module"], match["expression"].strip()
    names = _names_in(expression)
    if shown.endswith(".py") or os.sep in shown:
        return _of_file(shown, names, expression, configuration)
    folder = os.getcwd()
    program = program_of((folder,), (), configuration)
    project = program.project
    found = project.find(os.path.join(folder, "network.py"), 0, shown)
    if found is None and isinstance(project, Project) and project.follow(shown.partition(".")[0]):
        found = project.find(os.path.join(folder, "network.py"), 0, shown)
    if found is None or (found.path is None and found.folder is None):
        if shown.partition(".")[0] not in _known_libraries():
            raise Trouble(f"there is no module {shown!r}, neither here nor in the environment")
    return Network(shown, names, expression, folder, shown), program


def _of_file(
    path: str, names: tuple[str, ...], expression: str, configuration: Configuration
) -> tuple[Network, Program]:
    if not os.path.isfile(path):
        raise Trouble(f"there is no file {path!r}")
    folder, file = os.path.split(os.path.abspath(path))
    parts = [os.path.splitext(file)[0]]
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
        parts.insert(0, name)
    if parts[-1] == "__init__" and len(parts) > 1:
        del parts[-1]
    if not all(part.isidentifier() for part in parts):
        raise Trouble(f"{path!r} cannot be imported: its name is none of a module")
    program = program_of((folder,), (path,), configuration)
    return Network(".".join(parts), names, expression, folder, path), program


def _names_in(expression: str) -> tuple[str, ...]:
    """The names that an expression takes from its module."""
    try:
        tree = ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else str(error)
        raise Trouble(f"{expression!r} is no expression: {reason}") from None
    bound = {one.arg for one in ast.walk(tree) if isinstance(one, ast.arg)}
    read: dict[str, None] = {}
    for one in ast.walk(tree):
        if isinstance(one, ast.Name):
            if isinstance(one.ctx, ast.Load):
                read[one.id] = None
            else:
                bound.add(one.id)
    given = {*bound, *vars(builtins), *_known_libraries()}
    return tuple(name for name in read if name not in given)


def _known_libraries() -> frozenset[str]:
    from namecheck.frameworks import PACKAGE_OF_MODULES

    return frozenset({PACKAGE_OF_MODULES})

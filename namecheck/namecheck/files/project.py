"""Which file of the project an import means: packages, source roots, relative and absolute names.

Files are looked up as Python's import system would, and never imported. `imports` evaluates their
content.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from namecheck.analysis import Files, Found
from namecheck.files.disk import digest_of
from namecheck.files.environment import Environment
from namecheck.files.import_lookups import (
    FILE,
    FOLDER,
    MARKERS,
    NOTHING,
    Consulted,
    Roots,
    is_inside,
)
from namecheck.files.tree import Tree
from namecheck.frameworks import LIBRARIES
from namecheck.source import Undecodable, decode
from namecheck_runtime.light.regexes import regex


def _is_of_layers(name: str) -> bool:
    """Whether a library has modules and no tensors, so that its Python source can be evaluated."""
    library = LIBRARIES.get(name)
    return bool(getattr(library, "MODULES", ())) and not getattr(library, "TENSOR_TYPES", ())


FOREIGN: Final = frozenset(LIBRARIES) | sys.stdlib_module_names
"""Packages whose meaning is built in, whatever files of the same name there are."""
_NATIVE: Final = frozenset(name for name in FOREIGN if not _is_of_layers(name))
"""Packages whose sources say less than we know: their ops are not Python, or have no dims."""

_INSTALLED = frozenset({"site-packages", "dist-packages"})
_HIGHEST = 12
"""How many folders above a package are searched for the top of its project."""


COMMANDS: Final = ("pyproject.toml", "setup.cfg", "setup.py")
"""Files that name the commands of a project, each with the function that it calls."""
_COMMAND: Final = regex(r"=\s*[\"']?([A-Za-z_][\w.]*):([A-Za-z_]\w*)(?=[\"'\s]|$)", re.MULTILINE)
"""`train = "package.module:main"`, in any of them."""


_LARGEST_DATA: Final = 2**24
"""The most bytes of a file of data that is read; a program takes less from it."""


class Stamp(NamedTuple):
    """The time and size of a text's file, and a hash of the text, to notice changes.

    `status` is None if the text was not read from the disk, `text` if it could not be read.
    """

    status: tuple[int, int] | None
    text: int | None


class Project(Files):
    """The files that the checked files may import.

    `paths` are the files and folders of the command line: each folder is a source root, and so is
    `src` in it. `names` are the paths of files as reports print them, by real path. What is no file
    of the project is looked up among the packages of the `environment`. A project is a snapshot:
    folders and files of the `tree` are read once, until `refresh`.

    `consulted` returns all answers of the file system for a file: a cached result holds only as
    long as they do.
    """

    def __init__(
        self,
        paths: Iterable[str] = (),
        names: Mapping[str, str] | None = None,
        environment: Environment | None = None,
        tree: Tree | None = None,
    ) -> None:
        super().__init__(names)
        self.environment = Environment() if environment is None else environment
        self.tree = Tree() if tree is None else tree
        self.paths = tuple(os.path.realpath(path) for path in paths if os.path.isdir(path))
        self._folders: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
        self._roots: dict[str, tuple[str, Roots]] = {}
        self._asked: dict[str, dict[str, str]] = {}
        self._asking: dict[str, str] = {}
        self._digests: dict[str, bytes] = {}
        self._texts: dict[str, str | None] = {}
        self._stamps: dict[str, Stamp] = {}
        self._packages: Mapping[str, str] | None = None

    def find(self, importer: str, level: int, module: str) -> Found | None:
        """The module that `from <level dots><module> import ..` in a file means.

        None if it is not a file of the project.
        """
        top, known = self._roots_of(os.path.dirname(importer))
        self._asking = self._asked.setdefault(importer, {})
        package = os.path.relpath(importer, top).split(os.sep)[0]
        parts = module.split(".") if module else []
        if level:
            if package in _NATIVE:
                return None
            folder = os.path.dirname(importer)
            for _ in range(level - 1):
                folder = os.path.dirname(folder)
            return self._below(self._package(_dotted(folder, top), folder), parts)
        if not parts or parts[0] in (_NATIVE if parts[0] == package else FOREIGN):
            return None
        namespace: Found | None = None
        for root in known.roots:
            if os.path.basename(root) in _INSTALLED and parts[0] != package:
                continue
            found = self._below(Found("", None, root), parts)
            if found is not None and found.path is not None:
                return found
            namespace = namespace or found
        if namespace is None and not self._is_own(known.roots, parts[0]):
            site = self._installed().get(parts[0])
            if site is not None:
                return self._below(Found("", None, site), parts)
        return namespace

    def _is_own(self, roots: Iterable[str], name: str) -> bool:
        """Whether the project itself has a module or package of this name."""
        return any(
            self._submodule(Found("", None, root), name) is not None
            for root in roots
            if os.path.basename(root) not in _INSTALLED
        )

    def _installed(self) -> Mapping[str, str]:
        """The folders with the installed packages that are followed, by their names."""
        # mypyc makes a plain property of a `cached_property`.
        if self._packages is None:
            self._packages = self.tree.packages(self.environment.folders)
        return self._packages

    def follow(self, name: str) -> bool:
        """Follow the imports of an installed package, whatever its metadata names.

        Returns whether there is one of this name, or a module by itself.
        """
        packages = dict(self._installed())
        for folder in () if name in packages else self.environment.folders:
            found = self._submodule(Found("", None, folder), name)
            if found is not None:
                packages[name] = folder
                break
        self._packages = packages
        return name in packages

    def is_installed(self, path: str) -> bool:
        """Whether a file belongs to an installed package, and is not among the checked files."""
        return self.environment.has(path) and path not in self.names

    def submodule(self, package: Found, name: str) -> Found | None:
        """The module `name` of a package."""
        self._asking = self._asked.setdefault(package.path or f"{package.folder}/", {})
        return self._submodule(package, name)

    def _submodule(self, package: Found, name: str) -> Found | None:
        if package.folder is None:
            return None
        dotted = f"{package.name}.{name}" if package.name else name
        inside = os.path.join(package.folder, name)
        is_folder = self._kind(package.folder, name) == FOLDER
        if is_folder and self._kind(inside, "__init__.py") == FILE:
            return self._package(dotted, inside)
        if self._kind(package.folder, f"{name}.py") == FILE:
            return Found(dotted, f"{inside}.py", None)
        return Found(dotted, None, inside) if is_folder else None

    def commands(self, path: str) -> tuple[frozenset[str], frozenset[str]]:
        """The functions of a file that are commands of its project, and the files that say so."""
        top, known = self._roots_of(os.path.dirname(path))
        self._asking = self._asked.setdefault(path, {})
        names: set[str] = set()
        read: set[str] = set()
        for folder in {top, *known.roots}:
            for name in COMMANDS:
                if self._kind(folder, name) == FILE:
                    place = os.path.join(folder, name)
                    read.add(place)
                    for module, function in _COMMAND.findall(self.read(place) or ""):
                        found = self.find(path, 0, module)
                        if found is not None and found.path == path:
                            names.add(function)
        return frozenset(names), frozenset(read)

    def data(self, path: str, text: str) -> str | None:
        """The real path of the file of data that a file reads under the path `text`.

        It is looked for beside the file and at the top of the project, and nowhere outside of it.
        """
        top, known = self._roots_of(os.path.dirname(path))
        self._asking = self._asked.setdefault(path, {})
        folders = {os.path.dirname(path): None, top: None, **dict.fromkeys(known.roots)}
        found: dict[str, None] = {}
        for folder in folders:
            place = self.tree.real(os.path.join(folder, text))
            if any(is_inside(place, root) for root in folders):
                if self._kind(os.path.dirname(place), os.path.basename(place)) == FILE:
                    found[place] = None
        if len(found) != 1:
            return None
        (place,) = found
        status = self.tree.status(place)
        return place if status is not None and status[1] <= _LARGEST_DATA else None

    def read(self, path: str) -> str | None:
        """The text of a file; None if it cannot be read."""
        if path not in self._texts:
            self._stamps[path], self._texts[path] = self._look(path)
        return self._texts[path]

    def _look(self, path: str) -> tuple[Stamp, str | None]:
        """The text of a file as it is now, and its stamp."""
        status, source = None, b""
        text = self.unsaved.get(path)
        if text is None:
            status = self.tree.status(path)
            try:
                source = self.tree.read(path)
                text = decode(source)
            except (OSError, Undecodable):
                text = None
            self._digests[path] = digest_of(source)
        return Stamp(status, None if text is None else hash(text)), text

    def consulted(self, path: str) -> Consulted:
        """All look-ups for the imports of a file, with their answers.

        `path` is a real path: of a file, or of a package without `__init__.py`, with a slash at the
        end.
        """
        _, roots = self._roots_of(os.path.dirname(path))
        return Consulted(self._digests.get(path), roots, self._asked.get(path, {}))

    def forget_text(self, path: str) -> None:
        """Drop a file's text; it is read again when it is needed."""
        self._texts.pop(path, None)

    def shown(self, path: str) -> str:
        """A real path as reports print it."""
        return self.names.get(path) or self.tree.shown(path)

    def real(self, path: str) -> str:
        """The real path of a path."""
        return self.tree.real(path)

    def refresh(self) -> frozenset[str]:
        """Drop what has changed on the disk. Returns the files that were read and have changed.

        Folders are listed again in any case.
        """
        changed = {path for path, stamp in self._stamps.items() if self._has_changed(path, stamp)}
        self._folders.clear()
        self._roots.clear()
        for path in changed:
            self._texts.pop(path, None)
            self._asked.pop(path, None)
            del self._stamps[path]
        return frozenset(changed)

    def _has_changed(self, path: str, stamp: Stamp) -> bool:
        unsaved = self.unsaved.get(path)
        if unsaved is not None:
            return hash(unsaved) != stamp.text
        if stamp.status is not None and stamp.status == self.tree.status(path):
            return False
        now, _ = self._look(path)
        self._stamps[path] = now
        return now.text != stamp.text

    def _below(self, package: Found, parts: Iterable[str]) -> Found | None:
        found: Found | None = package
        for part in parts:
            found = self._submodule(found, part) if found is not None else None
        return found

    def _package(self, name: str, folder: str) -> Found:
        has_file = self._kind(folder, "__init__.py") == FILE
        return Found(name, os.path.join(folder, "__init__.py") if has_file else None, folder)

    def _kind(self, folder: str, name: str) -> str:
        """The kind of an entry of a folder: FILE, FOLDER or NOTHING."""
        folders, files = self._listing(folder)
        kind = FOLDER if name in folders else FILE if name in files else NOTHING
        self._asking[os.path.join(folder, name)] = kind
        return kind

    def _listing(self, folder: str) -> tuple[frozenset[str], frozenset[str]]:
        """The names of the folders and of the files in a folder."""
        known = self._folders.get(folder)
        if known is None:
            folders, files = self.tree.names(folder)
            files |= {os.path.basename(p) for p in self.unsaved if os.path.dirname(p) == folder}
            known = self._folders[folder] = folders, files
        return known

    def _roots_of(self, folder: str) -> tuple[str, Roots]:
        """The folder around a file's outermost package, and the folders to look imports up in."""
        known = self._roots.get(folder)
        if known is not None:
            return known
        asking, self._asking = self._asking, {}
        top = folder
        while self._kind(top, "__init__.py") == FILE and os.path.dirname(top) != top:
            top = os.path.dirname(top)
        folders = [top]
        given = tuple(path for path in self.paths if is_inside(folder, path))
        folders += [path for path in given if self._kind(path, "__init__.py") != FILE]
        above = top
        for _ in range(_HIGHEST):
            if {self._kind(above, marker) for marker in MARKERS} != {NOTHING}:
                folders.append(above)
                break
            above = os.path.dirname(above)
        roots = {top: None}
        for path in folders[1:]:
            roots[path] = None
            if self._kind(path, "src") == FOLDER:
                roots[os.path.join(path, "src")] = None
        known = self._roots[folder] = top, Roots(folder, given, tuple(roots), self._asking)
        self._asking = asking
        return known


def _dotted(folder: str, top: str) -> str:
    inside = os.path.relpath(folder, top)
    return "" if inside.startswith(os.curdir) else inside.replace(os.sep, ".")

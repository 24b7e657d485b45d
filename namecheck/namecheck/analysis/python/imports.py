"""Names from other files of the project: their modules are evaluated when a name is needed.

The simple statements of an imported module run when the first of its names is needed, and a class
or function statement when its own name is. Functions run when they are called. So an import costs
as much as is used of it. Nothing is reported here: the mistakes of a file are found when that file
is checked. `Files` says which file an import means.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from namecheck import frameworks
from namecheck.analysis.objects.module_parts import file_parts, for_others, globals_in, module_parts
from namecheck.analysis.objects.module_rows import (
    Tables,
    called_at_top,
    decorators_of,
    forget_changed,
)
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.unreadable import SourceError
from namecheck.analysis.state.evaluate import Evaluator, Exhausted
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.program_pieces import Lowered, Modules, Source, SourceFile
from namecheck.analysis.state.shapes_seen import DrivenShapes
from namecheck.analysis.state.values import (
    Anything,
    Constant,
    Deferred,
    Library,
    List,
    Tuple,
    Value,
    serials,
)
from namecheck.frameworks import canonical, is_source, python
from namecheck.terms import NO_TERMS, Terms
from namecheck.text.chunks import SourceChunk, defined_name, split
from namecheck.text.file_parts import STATEMENTS, Edited, FileParts, Used
from namecheck.text.layout import read_layout
from namecheck.times import IMPORTS, Times

if TYPE_CHECKING:
    from collections.abc import Sequence

DEEPEST: Final = 12
"""The deepest chain of files whose top level is evaluated because another file's needs it."""


MOST_STARS: Final = 32
"""The most modules with `import *` that are searched for a name.

A package may import from hundreds of modules, and one name would have them all read.
"""


MOST_DATA: Final = 100_000
"""The most characters of a file of data that a program reads."""


class Unwanted(BaseException):
    """The editor no longer waits for this analysis.  Not an `Exception`: this is not a bug."""


class Found(NamedTuple):
    """A module: its dotted name, its file, and the folder of its submodules if it is a package.

    A folder without `__init__.py` is a package without a file.
    """

    name: str
    path: str | None
    folder: str | None


class Files:
    """The files that imports may mean: none here, those of a project in `files.project.Project`.

    `names` are the paths of files as reports print them, by real path; `unsaved` are texts that
    replace those on the disk, by real path.
    """

    def __init__(self, names: Mapping[str, str] | None = None) -> None:
        self.names: Mapping[str, str] = dict(names or {})
        self.unsaved: Mapping[str, str] = {}

    def find(self, importer: str, level: int, module: str) -> Found | None:
        """The module that an import in a file means; None if it is not a file of the project.

        The import is `from <level dots><module> import ..`.
        """
        return None

    def is_installed(self, path: str) -> bool:
        """Whether a file belongs to an installed package, and is not among the checked files."""
        return False

    def submodule(self, package: Found, name: str) -> Found | None:
        """The module `name` of a package."""
        return None

    def commands(self, path: str) -> tuple[frozenset[str], frozenset[str]]:
        """The functions of a file that are commands of its project, and the files that say so."""
        return frozenset(), frozenset()

    def data(self, path: str, text: str) -> str | None:
        """The real path of the file of data that a file reads under the path `text`."""
        return None

    def read(self, path: str) -> str | None:
        """The text of a file; None if it cannot be read."""
        return frameworks.read_source(path)

    def forget_text(self, path: str) -> None:
        """Drop a file's text from memory; it is read again when it is needed."""

    def shown(self, path: str) -> str:
        """A real path as reports print it."""
        return self.names.get(path) or path

    def real(self, path: str) -> str:
        """The real path of a path."""
        return os.path.realpath(path)

    def refresh(self) -> frozenset[str]:
        """The files that have changed since they were read; they are read again."""
        return frozenset()


class OwnPlaces(NamedTuple):
    """The places and codes of a file's findings when it is checked alone, and what that read."""

    places: frozenset[tuple[Any, str]] = frozenset()
    used: frozenset[Used] = frozenset()


class Program(Modules):
    """The modules that one run has evaluated, by the real path of their files."""

    def __init__(
        self,
        project: Files | None = None,
        terms_of: Callable[[str], Terms] | None = None,
    ) -> None:
        self._terms_of = terms_of
        self.project = project or Files()
        self.modules: dict[str, Module] = {}
        self.loaded = 0
        """The characters in the files of the modules."""
        self.tables = Tables()
        """What the top level of the modules leaves in lists, dicts and objects."""
        self.lowered = Lowered()
        self.depth = 0
        self.doubts = 0
        """How often a value was unknown only because it was still being evaluated."""
        self.places: dict[str, OwnPlaces] = {}
        """What is wrong in each file by itself, by its real path."""
        self.parts: dict[str, FileParts] = {}
        """The parts of the files that were edited since they were evaluated, as they are now."""
        self.importers: dict[str, set[str]] = {}
        """The keys of the modules and files that import a module, by its key."""
        self.unwanted: Callable[[], bool] | None = None
        """Whether the editor no longer waits for the analysis; called now and then."""
        self.driven: DrivenShapes | None = None
        """Where the dims of drives in one of the files are kept; None if nothing will show them."""
        self.keeps_results = True
        """Whether results may be used again, so that the parts of files that they need count."""
        self.drives = True
        """Whether entry points of the files that are checked are followed to their end."""
        self.times: Times | None = None
        """What the parts of an analysis take; None if nothing will show it."""

    def terms_of(self, real: str) -> Terms:
        """The terms of the project that has a file, given by its real path."""
        return NO_TERMS if self._terms_of is None else self._terms_of(self.project.shown(real))

    def find(self, importer: SourceFile, level: int, name: str) -> Module | None:
        """The module that an import in a file means; None if it is not in the project."""
        if is_source(importer.real):
            source = frameworks.module_source(name)
            return None if source is None else self.module(Found(*source, None), importer.real)
        found = self.project.find(importer.real, level, name)
        return None if found is None else self.module(found, importer.real)

    def counterpart(self, importer: SourceFile, path: str) -> Module | None:
        """The module of ours with the source of an object of a library; None if there is none."""
        source = frameworks.source_of(path)
        return None if source is None else self.module(Found(*source, None), importer.real)

    def submodule(self, package: Found, name: str) -> Found | None:
        """The module `name` of a package."""
        if package.path is None or not is_source(package.path):
            return self.project.submodule(package, name)
        source = frameworks.module_source(f"{package.name}.{name}")
        return None if source is None else Found(*source, None)

    def module(self, found: Found, importer: str) -> Module:
        """The one value of a module, which `importer` now depends on."""
        key = key_of(found)
        self.importers.setdefault(key, set()).add(importer)
        module = self.modules.get(key)
        if module is None:
            module = self.modules[key] = Module(self, found)
        return module

    def refresh(self) -> Mapping[str, Edited] | None:
        """Forget the files that have changed since they were read, and modules that import them.

        The edits of these files come back, by their real paths; None if nothing may hold any more.
        """
        edits = {path: self._edited(path) for path in self.project.refresh()}
        if edits and self.tables.entangled:
            self.forget()
            return None
        waiting = list(edits)
        stale = set(waiting)
        while waiting:
            for importer in self.importers.pop(waiting.pop(), ()):
                if importer not in stale:
                    stale.add(importer)
                    waiting.append(importer)
        for key in stale:
            self.modules.pop(key, None)
            self.places.pop(key, None)
        return edits

    def _edited(self, path: str) -> Edited:
        """How a file was edited that results may depend on."""
        module = self.modules.get(path)
        before = self.parts.pop(path, None)
        if module is not None and module.parts is not None:
            before = module.parts
        text = None if before is None else self.project.read(path)
        if text is None:
            return Edited(before, None)
        now = self.parts[path] = file_parts(text)
        return Edited(before, now)

    def forget(self) -> None:
        """Forget all modules: files were added or removed, and imports may mean others."""
        self.modules.clear()
        self.loaded = 0
        self.tables = Tables()
        self.places.clear()
        self.parts.clear()
        self.importers.clear()

    def data(self, reader: SourceFile, text: str) -> tuple[str | None, str | None]:
        """The real path and the text of a file of data that a file reads under a path."""
        place = self.project.data(reader.real, text)
        content = None if place is None else self.project.read(place)
        if place is not None and content is not None and len(content) > MOST_DATA:
            self.project.forget_text(place)
            return place, None
        return place, content

    def is_installed(self, real: str) -> bool:
        """Whether a file, by its real path, belongs to an installed package."""
        return is_source(real) or self.project.is_installed(real)

    def check_wanted(self) -> None:
        """Raise `Unwanted` if the editor no longer waits."""
        if self.unwanted is not None and self.unwanted():
            raise Unwanted


def key_of(found: Found) -> str:
    """The key of a module: its file, or the folder of a package without one."""
    return found.path or f"{found.folder}/"


class Module(Value):
    """A module of the project; its file is read when the first of its names is needed."""

    __slots__ = (
        "decorated",
        "exported",
        "file",
        "found",
        "frame",
        "loading",
        "parts",
        "program",
        "serial",
        "used",
    )

    def __init__(self, program: Program, found: Found) -> None:
        self.program = program
        self.found = found
        self.serial = next(serials)
        self.file: SourceFile | None = None
        self.frame: Frame | None = None
        self.loading = False
        self.decorated: list[Definition] = []
        """Its classes and functions with decorators."""
        self.exported: frozenset[str] | None = None
        """The names in `__all__`; None if there is none or it is not known."""
        self.used: set[Used] = set()
        """What its top level was evaluated with."""
        self.parts: FileParts | None = None
        """The parts of its text; None if the module was not evaluated, if it is installed, or if
        nothing keeps results.
        """

    def attribute(self, ev: Evaluator, name: str) -> Value:
        """The value of a name of the module."""
        value = self.look_up(ev, name)
        if value is not None:
            return value
        if self.loading:
            self.program.doubts += 1
            return Anything()
        return Library(canonical(f"{self.found.name}.{name}"))

    def look_up(self, ev: Evaluator, name: str) -> Value | None:
        """As `attribute`; None if the module is not known to have the name."""
        frame = self.load(ev)
        if frame is not None:
            value = frame.variables.get(name)
            if value is not None and not self._names_inside(value, name):
                return value.give(ev) if isinstance(value, Deferred) else value
        inside = self.program.submodule(self.found, name)
        if inside is not None:
            return self.program.module(inside, key_of(self.found))
        if frame is not None:
            return from_stars(ev, frame, name)
        return None

    def _names_inside(self, value: Value, name: str) -> bool:
        """Whether a name of a package is one that it imports from itself: `from . import x`."""
        return isinstance(value, Imported) and value.module is self and value.name == name

    def gives(self, ev: Evaluator, name: str) -> bool:
        """Whether `from module import *` imports this name, if the module has it."""
        self.load(ev)
        if self.exported is not None:
            return name in self.exported
        return not name.startswith("_")

    def load(self, ev: Evaluator) -> Frame | None:
        """The frame with the module's names; None without a file, or too deep in imports."""
        path = self.found.path
        if path is None or not is_source(path):  # our sources are those of this version
            ev.used.add((key_of(self.found), STATEMENTS))
        if path is None:
            return None
        if self.frame is None and self.program.depth >= DEEPEST:
            self.program.doubts += 1
        elif self.frame is None:
            times = self.program.times
            if times is None:
                self._evaluate(ev)
            else:
                times.inside(IMPORTS, partial(self._evaluate, ev))
        ev.used |= self.used
        return self.frame

    def _evaluate(self, ev: Evaluator) -> None:
        path = self.found.path
        assert path is not None
        project = self.program.project
        text = project.read(path)
        project.forget_text(path)
        self.program.loaded += len(text or "")
        file = SourceFile(project.shown(path), path, self.program)
        chunks = () if text is None else split(text)
        empty = Source(file, "", 1, ir.Chunk((), (), 0))
        self.file, self.frame = file, _new_frame(empty)
        frame = self.frame
        pieces: list[tuple[Source | None, SourceChunk, str]] = []
        try:
            for chunk in chunks:
                name = defined_name(chunk)
                piece = None
                if not name:
                    records = self.program.lowered.lower(chunk)
                    piece = Source(file, chunk.text, chunk.line, records)
                pieces.append((piece, chunk, name))
        except SourceError:
            return  # the names of a file that cannot be read are unknown
        file.read_imports(
            (piece.chunk for piece, _, _ in pieces if piece is not None),
            (chunk.text for chunk in chunks),
        )
        # A function that assigns a name of the module may have been called.
        frame.globals_ = globals_in(chunk.text for chunk in chunks)
        # A package that is installed anew makes every result void, and our sources are not edited.
        if self.program.keeps_results and not self.program.is_installed(path):
            named = [(name, chunk) for _, chunk, name in pieces]
            self.parts = module_parts(named, frame.globals_, file.words)
        inner = self._evaluator(ev, empty, frame)
        self.loading = True
        self.program.depth += 1
        try:
            for piece, chunk, name in pieces:
                if piece is None:
                    definition = Definition(self, name, chunk)
                    if decorators_of(chunk.text):
                        self.decorated.append(definition)
                    if name not in frame.globals_:
                        frame.variables[name] = definition
                    continue
                frame.source = piece
                inner.steps, inner.alive, inner.frame = 0, True, frame
                run_quietly(inner, piece.chunk.statements)
        finally:
            self.program.depth -= 1
            self.loading = False
        frame.source = empty
        for name, value in frame.variables.items():
            frame.variables[name] = inner.resolve(value)
        self._share(inner, pieces)
        self.exported = _exported(inner, frame)
        self.used |= inner.used

    def _share(
        self, inner: Evaluator, pieces: Sequence[tuple[Source | None, SourceChunk, str]]
    ) -> None:
        """Share what the top level has left in lists, dicts and objects."""
        assert self.frame is not None
        definitions = [chunk.text for piece, chunk, _ in pieces if piece is None]
        kept = forget_changed(inner, self.frame, definitions)
        self.program.tables.publish(inner)
        if not kept:
            return
        statements = [
            s for piece, _, _ in pieces if piece is not None for s in piece.chunk.statements
        ]
        decorators = {name for text in definitions for name in decorators_of(text)}
        self.program.tables.keep(inner, kept, called_at_top(statements, definitions), decorators)

    def _evaluator(self, ev: Evaluator, source: Source, frame: Frame) -> Evaluator:
        inner = ev.another(source, self.program.tables.world)
        inner.on_expression = ev.on_expression
        inner.frame = inner.module = frame
        # What the user may say is decided where it is read, `parsed_options.as_given`.
        inner.units.imported = inner.units.options_unknown = True
        return inner

    def define(self, ev: Evaluator, definition: Definition) -> Value | None:
        """Evaluate a class or function statement of the module."""
        assert self.file is not None
        if not is_source(self.file.real):
            definition.used.add((self.file.real, definition.name))
        chunk = definition.chunk()
        try:
            records = self.program.lowered.lower(chunk)
        except SourceError:
            return None
        piece = Source(self.file, chunk.text, chunk.line, records)
        frame = Frame(piece, self.frame)
        frame.quiet = 1
        inner = self._evaluator(ev, piece, frame)
        run_quietly(inner, records.statements)
        value = frame.variables.get(definition.name)
        self.program.tables.publish(inner)
        definition.used |= inner.used
        return value


def _new_frame(source: Source) -> Frame:
    """Where the names of a module are to be."""
    frame = Frame(source)
    frame.quiet = 1
    if is_source(source.file.real):
        # What only checks elements says nothing of dims: as under `python -O`.
        frame.variables[python.DEBUG] = Constant(False)
    return frame


class Definition(Deferred):
    """A class or function at the top level of an imported module."""

    __slots__ = ("digest", "line", "module", "name", "running", "text", "used", "value")

    def __init__(self, module: Module, name: str, chunk: SourceChunk) -> None:
        self.module = module
        self.name = name
        # Not the chunk: its layout is large, and most definitions are never evaluated.
        self.text, self.line, self.digest = chunk.text, chunk.line, chunk.digest
        self.value: Value | None = None
        self.running = False
        self.used: set[Used] = set()

    def chunk(self) -> SourceChunk:
        """The piece of the file that has the definition, as it is evaluated for other files."""
        return for_others(SourceChunk(self.text, self.line, self.digest, read_layout(self.text)))

    def give(self, ev: Evaluator) -> Value:
        """The class or function; an unknown value while it is being evaluated."""
        if self.value is None:
            program = self.module.program
            if self.running or program.depth >= DEEPEST:
                program.doubts += 1
                return Anything()
            self.running = True
            program.depth += 1
            try:
                value = self.module.define(ev, self)
            finally:
                program.depth -= 1
                self.running = False
            self.value = (
                Library(f"{self.module.found.name}.{self.name}") if value is None else value
            )
            if not decorators_of(self.text):
                self.text = ""
        ev.used |= self.used
        return self.value


class Imported(Deferred):
    """`from module import name`."""

    __slots__ = ("module", "name", "running", "used", "value")

    def __init__(self, module: Module, name: str) -> None:
        self.module = module
        self.name = name
        self.running = False
        self.value: Value | None = None
        self.used: set[Used] = set()

    def give(self, ev: Evaluator) -> Value:
        """The value of the name; unknown if imports form a circle."""
        if self.value is not None:
            ev.used |= self.used
            return self.value
        program = self.module.program
        if self.running:
            program.doubts += 1
            return Anything()
        before, ev.used = ev.used, set()
        doubts = program.doubts
        self.running = True
        try:
            value = self.module.attribute(ev, self.name)
        finally:
            self.running = False
            self.used = ev.used
            ev.used = before | ev.used
        if doubts == program.doubts:
            self.value = value
        return value

    def stands_for(self) -> tuple[Any, str] | None:
        frame = self.module.frame
        return None if frame is None else (frame, self.name)


def from_stars(ev: Evaluator, frame: Frame, name: str) -> Value | None:
    """The value of a name from the last `from module import *` that has it; None if none has."""
    if name.startswith("__") or len(frame.stars) > MOST_STARS:
        return None
    for module in tuple(frame.stars)[::-1]:
        if module.loading:
            module.program.doubts += 1
        elif module.gives(ev, name):
            value: Value | None = module.look_up(ev, name)
            if value is not None:
                return value
    return None


def run_quietly(ev: Evaluator, statements: Sequence[ir.Statement]) -> None:
    """Run statements of another file; errors in that are reported when it is checked itself."""
    try:
        ev.run(statements)
    except (Exhausted, RecursionError):
        pass
    except Exception:  # a bug of ours is reported when that file is checked
        pass


def _exported(ev: Evaluator, frame: Frame) -> frozenset[str] | None:
    listed = frame.variables.get("__all__")
    if listed is None:
        return None
    contents = ev.cells.get(listed) if isinstance(listed, List) else None
    if isinstance(listed, Tuple):
        contents = listed.elements
    if not isinstance(contents, tuple):
        return None
    names = [ev.resolve(one) for one in contents]
    if not all(isinstance(one, Constant) and isinstance(one.value, str) for one in names):
        return None
    return frozenset(str(one.value) for one in names if isinstance(one, Constant))

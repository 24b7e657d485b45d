"""Copies of files for a worker on another machine, which need not have them on its disk.

The one side (`Sender`) knows the files; the other (`SentTree`) has what it was sent, under the
paths of the first. A file is sent with what its imports mean, by imports of imports, and a folder
as the list of its names. What else an analysis looks for is asked for: it ends with `Unwanted`, its
questions are answered, and it begins again. Contents go by their digests, so that none is sent to a
worker twice.
"""

from __future__ import annotations

import os
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple, TypeVar

from namecheck.analysis import Unwanted
from namecheck.files.disk import digest_of
from namecheck.files.documents import PROSE, bytes_of, read_document
from namecheck.files.environment import Environment
from namecheck.files.import_statements import meant, statements
from namecheck.files.project import COMMANDS, Project
from namecheck.files.tree import Names, Tree
from namecheck.frameworks import is_source, read_source
from namecheck.printing.printed_paths import shown
from namecheck.running.cache import Task
from namecheck.settings.config import Configuration
from namecheck.terms import Terms

__all__ = ["Opening", "Parcel", "Question", "Sender", "Sent", "SentTree"]

T = TypeVar("T")

NAMES: Final = "names"
SOURCE: Final = "source"
STATUS: Final = "status"
REAL: Final = "real"
TERMS: Final = "terms"

AHEAD: Final = 8_000_000
"""The bytes of source from which on a call brings no more than what its files import themselves."""

OURS: Final = ""
"""The folder of our own sources, which a worker has somewhere else."""


class Question(NamedTuple):
    """What a worker has to know: the names in a folder, the source of a file, ..."""

    kind: str
    path: str


class Opening(NamedTuple):
    """What a worker is told once.

    `here` is the working folder; `paths`, `names` and `folders` (of the environment) are those of a
    `Project`, and `packages` has the installed packages that are followed. `keeps_results` is that
    of a `Worker`.
    """

    here: str
    paths: tuple[str, ...]
    names: Mapping[str, str]
    folders: tuple[str, ...]
    packages: Mapping[str, str]
    keeps_results: bool


class Unreadable(NamedTuple):
    """Why a file cannot be read: the number and the text of the error."""

    number: int
    reason: str


class Parcel(NamedTuple):
    """What is sent along with some tasks, by paths, and `contents` by their digests.

    `regular` are the paths of files that can be read again; `terms` are by folders.
    """

    names: dict[str, Names]
    sources: dict[str, bytes | Unreadable]
    statuses: dict[str, tuple[int, int] | None]
    reals: dict[str, str]
    terms: dict[str, Terms]
    regular: set[str]
    contents: dict[bytes, bytes]


class Sent:
    """What one worker has been sent, with calls of these numbers."""

    def __init__(self) -> None:
        self.number = 0
        """The number of the last call."""
        self.answered: dict[Question, int] = {}
        """The calls that brought the answers."""
        self.sources: dict[str, bytes] = {}
        """The digests of the files that it was sent, by their paths."""
        self.digests: set[bytes] = set()
        self.whole: set[str] = set()
        """The files of which it was sent all imports, by imports of imports."""
        self.room = 0
        """The bytes that the next call has left for what may be needed."""

    def is_new(self, question: Question) -> bool:
        """Whether the worker has no answer to a question yet; the last call brings it one."""
        if question in self.answered:
            return False
        self.answered[question] = self.number
        return True

    def lacks(self, question: Question, number: int) -> bool:
        """Whether a question of the call of this number is to be answered: no later one has."""
        return self.answered.get(question, 0) <= number


class Sender:
    """The files of this machine, for workers of others.

    `paths` and `names` are those of a `Project`, `keeps_results` is that of a `Worker`.
    """

    def __init__(
        self,
        paths: Iterable[str],
        names: Mapping[str, str],
        configuration: Configuration,
        keeps_results: bool = True,
    ) -> None:
        self._configuration = configuration
        self._tree = _Listing()
        environment = configuration.environment_of(os.getcwd())
        self._project = Project(paths, names, environment, self._tree)
        self._reached: dict[str, tuple[str, ...]] = {}
        folders = environment.folders
        packages = self._tree.packages(folders)
        self.opening = Opening(
            os.getcwd(),
            self._project.paths,
            dict(names),
            folders,
            dict(packages),
            keeps_results,
        )

    def parcel(self, tasks: Iterable[Task], questions: Iterable[Question], sent: Sent) -> Parcel:
        """What a worker lacks for these tasks, as far as that is known, and of what it asks for."""
        parcel = Parcel({}, {}, {}, {}, {}, set(), {})
        sent.room = AHEAD
        for task in tasks:
            parcel.reals[task.path] = task.real
            if os.path.isfile(task.path):
                parcel.regular.add(task.path)
            self._add_whole(parcel, sent, task.real, task.path)
        for question in questions:
            self._answer(parcel, sent, question)
        for folder, names in self._tree.listed.items():
            if sent.is_new(Question(NAMES, folder)):
                parcel.names[folder] = names
        return parcel

    def _answer(self, parcel: Parcel, sent: Sent, question: Question) -> None:
        """Send what a worker asks for, even if it was sent: one call may overtake another."""
        path = question.path
        sent.answered.pop(question, None)
        if question.kind == NAMES:
            self._tree.names(path)
        elif question.kind == SOURCE:
            sent.digests.discard(sent.sources.get(path, b""))
            self._add_whole(parcel, sent, path)
        elif question.kind == STATUS:
            parcel.statuses[path] = self._tree.status(path)
            if parcel.statuses[path] is not None:  # what is there will be read
                self._add_whole(parcel, sent, path)
        elif question.kind == REAL:
            parcel.reals[path] = self._tree.real(path)
        else:
            self._add_terms(parcel, sent, path)

    def _add_whole(self, parcel: Parcel, sent: Sent, real: str, path: str | None = None) -> None:
        """Send a file with what it imports."""
        self._add(parcel, sent, real, path)
        self._add_imports(parcel, sent, real)

    def _add(self, parcel: Parcel, sent: Sent, real: str, path: str | None = None) -> None:
        """Send a file, unless the worker has it. A file to check is read under its own `path`."""
        if not sent.is_new(Question(SOURCE, real)):
            return
        parcel.statuses[real] = self._tree.status(real)
        shown = os.path.abspath(self._project.shown(real))
        self._add_terms(parcel, sent, os.path.dirname(shown))
        try:
            source = bytes_of(real if path is None else path)
        except (OSError, ValueError) as refusal:
            reason = getattr(refusal, "strerror", None) or str(refusal)
            parcel.sources[real] = Unreadable(getattr(refusal, "errno", None) or 0, reason)
            return
        parcel.sources[real] = sent.sources[real] = digest = digest_of(source)
        if digest not in sent.digests:
            sent.digests.add(digest)
            sent.room -= len(source)
            parcel.contents[digest] = zlib.compress(source, 1)

    def _add_imports(self, parcel: Parcel, sent: Sent, path: str) -> None:
        """Send what a file imports, and what that imports as far as there is room."""
        waiting, seen = deque([path]), {path}
        is_whole = True
        while waiting:
            file = waiting.popleft()
            if file in sent.whole:
                continue
            if sent.room <= 0 and file != path:
                is_whole = False
                continue
            if file not in self._reached:
                self._reached[file] = tuple(self._reach(file))
            for reached in self._reached[file]:
                self._add(parcel, sent, reached)
                if reached not in seen:
                    seen.add(reached)
                    waiting.append(reached)
        if is_whole:
            sent.whole |= seen

    def _add_terms(self, parcel: Parcel, sent: Sent, folder: str) -> None:
        if sent.is_new(Question(TERMS, folder)):
            place = os.path.dirname(__file__) if folder == OURS else folder
            parcel.terms[folder] = self._configuration.of_folder(place).terms

    def _reach(self, path: str) -> Iterator[str]:
        """The files that a file imports, and those that say which of its functions are commands.

        The folders in which they are looked up are listed meanwhile.
        """
        if path.endswith((".py", ".ipynb", *PROSE)):
            yield from meant(self._project, path, statements(read_document(path).text))
        for folder in self._project.consulted(path).roots.roots:
            names = self._tree.names(folder)[1]
            yield from (os.path.join(folder, name) for name in COMMANDS if name in names)


class _Listing(Tree):
    """The files and folders on the disk; a folder is listed once."""

    def __init__(self) -> None:
        self.listed: dict[str, Names] = {}

    def names(self, folder: str) -> Names:
        if folder not in self.listed:
            self.listed[folder] = super().names(folder)
        return self.listed[folder]


class SentTree(Tree):
    """The files and folders that a worker was sent. `questions` are what it lacks.

    Its methods raise `Unwanted` if they lack something, so that the analysis ends.
    """

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._parcel = Parcel({}, {}, {}, {}, {}, set(), {})
        self.questions: list[Question] = []

    def add(self, parcel: Parcel) -> None:
        """Take what came along with some tasks."""
        for name in Parcel._fields:
            getattr(self._parcel, name).update(getattr(parcel, name))

    def project(self) -> Project:
        """The project that these files belong to."""
        environment = Environment()
        environment.folders = self._opening.folders
        project = Project((), self._opening.names, environment, self)
        project.paths = self._opening.paths
        return project

    def names(self, folder: str) -> Names:
        """The names in a folder."""
        return self._known(NAMES, self._parcel.names, folder)

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises `OSError` with the reason why it could not be read."""
        own = read_source(path)
        if own is not None:
            return own.encode()
        source = self._known(SOURCE, self._parcel.sources, path)
        if isinstance(source, Unreadable):
            raise OSError(source.number, source.reason)
        return zlib.decompress(self._parcel.contents[source])

    def status(self, path: str) -> tuple[int, int] | None:
        """The time and the size of a file."""
        return None if is_source(path) else self._known(STATUS, self._parcel.statuses, path)

    def is_file(self, path: str) -> bool:
        """Whether a file that is checked can be read again."""
        return path in self._parcel.regular

    def real(self, path: str) -> str:
        """The real path of a path."""
        return self._known(REAL, self._parcel.reals, path)

    def shown(self, path: str) -> str:
        """A real path as reports print it."""
        return shown(path, self._opening.here)

    def packages(self, folders: Iterable[str]) -> Mapping[str, str]:
        """The folders with the installed packages that are followed, by their names."""
        return self._opening.packages

    def terms_of(self, path: str) -> Terms:
        """The terms that the project of a file has agreed on, by its path in reports."""
        path = os.path.normpath(os.path.join(self._opening.here, path))
        folder = OURS if is_source(path) else os.path.dirname(path)
        return self._known(TERMS, self._parcel.terms, folder)

    def _known(self, kind: str, answers: Mapping[str, T], path: str) -> T:
        try:
            return answers[path]
        except KeyError:
            self.questions.append(Question(kind, path))
            raise Unwanted from None

"""Analysing one file after another: a worker, and the result for a file.

A worker evaluates the imports of its files for itself, in one program. Several may work at once, in
processes of this machine or of others (`processes`, `cluster`).
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from namecheck.codes.troubles import INTERNAL_ERROR
from namecheck.files.disk import digest_of
from namecheck.files.documents import Document, bytes_of, read_document
from namecheck.findings import Analysis
from namecheck.running import suppressions
from namecheck.running.cache import Remembered, Task
from namecheck.running.examination import examine
from namecheck.times import OTHER, Part, Times

if TYPE_CHECKING:
    from namecheck.files.import_lookups import Consulted
    from namecheck.files.project import Project
    from namecheck.settings.config import Configuration
    from namecheck.terms import Terms
    from namecheck.text.file_parts import FileParts

__all__ = ["Result", "Worker", "local_worker"]


class Result(NamedTuple):
    """The result of a task; `digest` is that of the bytes that were checked.

    `versions` are the digests of the files that were read, by real path, its own first; there are
    none if the result must not be cached. `consulted` are the look-ups for their imports, without
    those that an earlier result of the same process has brought.
    """

    task: Task
    remembered: Remembered
    digest: bytes = b""
    versions: tuple[tuple[str, bytes], ...] = ()
    consulted: Mapping[str, Consulted] = {}  # a tuple's fields are its own
    times: Mapping[Part, float] | None = None


MOST_LOADED: Final = 20_000_000
"""The characters of source whose modules a process keeps: they take about 200 MB."""


class Worker:
    """Analyses files, following their imports in one program.

    `project` are the files that imports may mean, `terms_of` says what the project of a file has
    agreed on. `given` maps paths to bytes that replace those on the disk. `keeps_results` says
    whether a cache will keep the results, so that the parts of the files that they depend on are
    read.
    """

    def __init__(
        self,
        project: Project,
        terms_of: Callable[[str], Terms] | None = None,
        given: Mapping[str, bytes] = MappingProxyType({}),
        keeps_results: bool = True,
    ) -> None:
        from namecheck.analysis import open_program

        self.given = given
        self.project = project
        self.program = open_program(project, terms_of)
        self.program.keeps_results = keeps_results
        self._passed_on: dict[str, tuple[int, bool]] = {}

    def analyse(self, task: Task) -> Result:
        """The result for one file. Raises nothing on this machine: any failure becomes a finding.

        A worker whose files come from another one raises `Unwanted` if it lacks some.
        """
        if not task.timed:
            return self._analysed(task)
        times = self.program.times = Times()
        try:
            result = times.of(Part(OTHER, task.path, "", 0), lambda: self._analysed(task))
        finally:
            self.program.times = None
        return result._replace(times=times.spent)

    def _analysed(self, task: Task) -> Result:
        document = read_document(
            task.path, self.given.get(task.path), read=lambda path: self._read(task)
        )
        self.program.drives = task.drives
        if self.program.loaded > MOST_LOADED:
            self.program.forget()  # what the file imports is evaluated again
            gc.collect()  # it would come to them late, since they are old
        analysis = examine(document, self.program, statistics=task.statistics, fixes=True)
        remembered = Remembered(analysis, suppressions.of_document(document))
        digest = digest_of(document.source)
        if not self._is_lasting(task, document, analysis):
            return Result(task, remembered, digest)
        parts = None
        if document.is_module and self.program.keeps_results:
            from namecheck.analysis import file_parts

            parts = file_parts(document.text)
        consulted = self._consulted(task.real, digest, analysis, parts)
        return Result(task, remembered, digest, *consulted)

    def _read(self, task: Task) -> bytes:
        return bytes_of(task.path)

    def _is_lasting(self, task: Task, document: Document, analysis: Analysis) -> bool:
        """Whether the same bytes will give the same result again."""
        if document.trouble is not None or any(f.code == INTERNAL_ERROR for f in analysis.findings):
            return False
        return self.project.tree.is_file(task.path)

    def _consulted(
        self, real: str, digest: bytes, analysis: Analysis, parts: FileParts | None
    ) -> tuple[tuple[tuple[str, bytes], ...], Mapping[str, Consulted]]:
        """The versions of the files that a result depends on, and the look-ups for their imports.

        `digest` and `parts` are those of the file itself.
        """
        versions = [(real, digest)]
        new = {}
        # All of them first: a worker may learn here that it lacks a folder.
        look_ups = [(path, self.project.consulted(path)) for path in (real, *analysis.depends)]
        for path, asked in look_ups:
            module = self.program.modules.get(path)
            if path != real:
                versions.append((path, asked.digest or b""))
                asked = asked._replace(parts=None if module is None else module.parts)
            elif asked.digest not in (None, digest):
                return (), {}  # the file changed during the run
            else:
                asked = asked._replace(digest=digest, parts=parts)
            passed_on = len(asked.asked), asked.parts is not None
            if self._passed_on.get(path, (-1, False)) != passed_on:
                self._passed_on[path] = passed_on
                new[path] = asked
        return tuple(versions), new


def local_worker(
    paths: Sequence[str],
    names: Mapping[str, str],
    given: Mapping[str, bytes],
    configuration: Configuration | None = None,
    keeps_results: bool = True,
) -> Worker:
    """A worker with the files of this machine; the arguments are those of `processes.analyse`."""
    from namecheck.files.project import Project

    terms_of = None if configuration is None else configuration.terms_of
    environment = None if configuration is None else configuration.environment_of(os.getcwd())
    project = Project(paths, names, environment)
    project.unsaved = {
        os.path.realpath(path): read_document(path, source).text for path, source in given.items()
    }
    return Worker(project, terms_of, given, keeps_results)

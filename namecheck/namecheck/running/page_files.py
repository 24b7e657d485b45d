"""What a page of HTML shows of a file beside its findings: its source, and the dims in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from namecheck.analysis import Watch
from namecheck.files.documents import read_document
from namecheck.report.page.page_file import PageFile
from namecheck.running.examination import examine, known_dims, program_of

if TYPE_CHECKING:
    from namecheck.analysis import Program
    from namecheck.settings.config import Configuration

__all__ = ["pages_of"]


def pages_of(
    paths: Sequence[str],
    files: Sequence[str],
    configuration: Configuration,
    given: Mapping[str, bytes],
) -> Callable[[str], PageFile]:
    """A function that evaluates a file for its page, one of `files` or not.

    `paths` are what the user named. `given` maps paths to bytes that replace those on the disk.
    """

    @cache
    def program() -> Program:
        return program_of(paths, files, configuration)

    def page_of(path: str) -> PageFile:
        document = read_document(path, given.get(path))
        watch = Watch()
        analysis = examine(document, program(), thorough=True, watch=watch)
        known = known_dims(document, watch)
        return PageFile(path, document.parts, (), analysis.shapes, known)

    return page_of

"""The findings of all files of the client's folders, as `check FOLDER` reports them.

They are those of the same steps, with the same cache, in a process of their own. An open file has
the text of the editor.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Final

from namecheck.analysis import Unwanted
from namecheck.files.disk import read_file
from namecheck.files.import_lookups import is_inside
from namecheck.lsp.answers import Reader, WorkspaceFound
from namecheck.lsp.features.diagnostics import Drawing, by_uri
from namecheck.lsp.ranges import Places
from namecheck.lsp.texts import Sheet, uri_of
from namecheck.running.baseline import Baselines
from namecheck.running.checking import Checked, check_files
from namecheck.running.discovery import Discovered, discover
from namecheck.running.run_options import Means, cache_folder, project
from namecheck.source import encoding_of

if TYPE_CHECKING:
    from namecheck.findings import Finding
    from namecheck.lsp.desk import Desk

__all__ = ["workspace_findings"]

log = logging.getLogger(__name__)

MOST_FILES: Final = 5_000
"""The most files of a folder that are checked: a larger one is hardly a project."""

EVERY: Final = 2.0
"""Seconds between two partial answers."""


def workspace_findings(
    desk: Desk, reader: Reader, tell: Callable[[WorkspaceFound], None]
) -> WorkspaceFound:
    """The diagnostics of all files below the desk's folders; `tell` gets partial ones meanwhile.

    Raises `Unwanted`, and `Trouble` if settings or a baseline cannot be read.
    """
    found = WorkspaceFound({}, {}, 0, 0)
    for folder in _outermost(desk.folders):
        # Paths, settings and the cache are those of a check that is typed there.
        os.chdir(folder)
        before = found

        def told(here: WorkspaceFound, before: WorkspaceFound = before) -> None:
            tell(_joined(before, here))

        found = _joined(before, _FolderCheck(desk, reader, told).found())
    return found


class _FolderCheck:
    """The check of the working folder."""

    def __init__(self, desk: Desk, reader: Reader, tell: Callable[[WorkspaceFound], None]) -> None:
        self._desk = desk
        self._reader = reader
        self._tell = tell
        self._told = monotonic()
        self._done = 0
        self._discovered = discover((".",), desk.configuration)
        if len(self._discovered.files) > MOST_FILES:
            log.warning("%s has too many files to report all: open a folder in it", os.getcwd())
            self._discovered = Discovered(())
        self._files = (*self._discovered.files, *self._discovered.drivers)
        sheets = {os.path.realpath(s.path): s for s in desk.sheets.values() if s.is_file}
        self._sheets: dict[str, Sheet] = {
            path: sheet
            for path in self._discovered.files
            if (sheet := sheets.get(os.path.realpath(path))) is not None and not sheet.is_cells_text
        }

    def found(self) -> WorkspaceFound:
        """The diagnostics of all files."""
        configuration = self._desk.configuration
        means = Means(
            None if os.environ.get("NAMECHECK_NO_CACHE") else _cache(self._desk),
            advance=self._advance,
            project=project(configuration),
            so_far=self._so_far,
        )
        checked = check_files(
            (".",),
            self._discovered,
            configuration,
            baselines=Baselines(configuration),
            means=means,
            given=self._given(),
        )
        self._done = len(self._files)
        return self._drawn(checked)

    def _given(self) -> dict[str, bytes]:
        """The texts of open files that differ from those on the disk."""
        given: dict[str, bytes] = {}
        for path, sheet in self._sheets.items():
            source = _bytes(sheet)
            try:
                if read_file(path) == source:
                    continue
            except OSError:
                pass
            given[path] = source
        return given

    def _advance(self, done: int, files: int) -> None:
        self._done = done
        self._check_wanted()

    def _check_wanted(self) -> None:
        if self._desk.unwanted is not None and self._desk.unwanted():
            raise Unwanted

    def _so_far(self, findings: Callable[[], Checked]) -> None:
        if monotonic() - self._told > EVERY:
            self._tell(self._drawn(findings()))
            self._told = monotonic()

    def _drawn(self, checked: Checked) -> WorkspaceFound:
        by_path: dict[str, list[Finding]] = {}
        for finding in checked.reported:
            by_path.setdefault(finding.path, []).append(finding)
        drawing = self._drawing(checked)
        versions = {
            uri: sheet.versions[cell]
            for sheet in self._sheets.values()
            for cell, uri in sheet.uris.items()
        }
        return WorkspaceFound(by_uri(by_path, drawing), versions, self._done, len(self._files))

    def _drawing(self, checked: Checked) -> Drawing:
        known: dict[tuple[str, int | None], Places] = {}

        def uri(path: str, cell: int | None) -> str:
            sheet = self._sheets.get(path)
            return uri_of(path) if sheet is None else sheet.uri_of(cell)

        def places(path: str, cell: int | None) -> Places:
            if (path, cell) not in known:
                text = checked.sources(path, cell)
                known[path, cell] = Places(text, self._reader.encoding)
            return known[path, cell]

        return Drawing(places, uri, self._reader.related)


def _cache(desk: Desk) -> str:
    return cache_folder(os.environ.get("NAMECHECK_CACHE_DIR"), desk.configuration)


def _bytes(sheet: Sheet) -> bytes:
    """The bytes that an open file would have if it were saved now."""
    if sheet.text is None:
        return sheet.document().source
    plain = sheet.text.encode("utf-8", "surrogatepass")
    try:
        return sheet.text.encode(encoding_of(plain))
    except (UnicodeError, ValueError):
        return plain


def _outermost(folders: Sequence[str]) -> list[str]:
    """The folders that are in no other one."""
    return [
        folder
        for folder in folders
        if not any(other != folder and is_inside(folder, other) for other in folders)
    ]


def _joined(left: WorkspaceFound, right: WorkspaceFound) -> WorkspaceFound:
    return WorkspaceFound(
        {**left.diagnostics, **right.diagnostics},
        {**left.versions, **right.versions},
        left.done + right.done,
        left.files + right.files,
    )

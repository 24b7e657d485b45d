"""What drives have shown in open files, as a desk keeps it from one edit to the next.

A drive follows an entry point of a program with the program's own numbers. It may take long, so it
runs in the background (`driving`), and what it shows is reported once it is there. Until it has run
again after an edit, what it showed outside the edited definitions stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from namecheck.files.disk import Stamp
from namecheck.findings import Analysis, Finding
from namecheck.lsp.answers import Called, Driven
from namecheck.lsp.closed_files.known_callers import as_they_are
from namecheck.lsp.texts import Sheet
from namecheck.running.cache import Remembered
from namecheck.running.drivers import as_driver
from namecheck.running.moved_findings import after_edits
from namecheck.text.file_parts import Edited

__all__ = ["DrivenProgram", "DrivenResults", "KnownDrives"]

DRIVEN: Final = "driven by "
"""How the note on a driving line begins."""


class DrivenProgram(NamedTuple):
    """What a program shows, and whether nothing that this depends on has changed since.

    `stamp` is that of its file when it was read; None for an open one.
    """

    driven: Driven
    stamp: Stamp | None = None
    fresh: bool = True

    def after(
        self,
        edits: Mapping[str, Edited] | None,
        shown: Callable[[str], str],
        sheets: Mapping[str, Sheet],
    ) -> DrivenProgram:
        """The same after edits of other files (None: of any); stale if it may be different."""
        driven = self.driven
        own = _texts(sheets.get(driven.path))
        now = None if edits is None else after_edits(driven.analysis, edits, shown)
        if now is None or not self.fresh or own != driven.own:
            return self._replace(fresh=False)
        if now is driven.analysis:
            return self
        texts = {
            path: sheets[path].text or "" if path in sheets else text
            for path, text in driven.texts.items()
        }
        return self._replace(driven=driven._replace(analysis=now, texts=texts))


class KnownDrives:
    """The programs that were driven, by path, and those still to drive in this round.

    `waiting` is None until they were searched for.
    """

    def __init__(self) -> None:
        self.looked: dict[str, DrivenProgram] = {}
        self.waiting: list[str] | None = None
        self.spent = 0.0
        """The seconds that this round has taken."""
        self.drivers: tuple[frozenset[str], tuple[str, ...]] | None = None
        """Open files, and the programs of their projects that drive them."""

    def forget(self) -> None:
        """Drop all: files have been added or removed, or settings have changed."""
        self.looked.clear()
        self.drivers = None

    def expire(
        self,
        edits: Mapping[str, Edited] | None,
        shown: Callable[[str], str],
        sheets: Mapping[str, Sheet],
    ) -> None:
        """Mark programs stale that depend on what was edited (None: anything may have been)."""
        for path, program in self.looked.items():
            self.looked[path] = program.after(edits, shown, sheets)

    def begin(self) -> None:
        """Begin a round: drive all programs again that are not up to date."""
        self.waiting = None
        self.spent = 0.0


class DrivenResults:
    """What drives at another desk have shown, for the desk that reports it."""

    def __init__(self) -> None:
        self._programs: dict[str, DrivenProgram] = {}
        self._sheets: Mapping[str, Sheet] = {}
        """The open files as they were when the results came."""

    def take(self, driven: Sequence[Driven], sheets: Mapping[str, Sheet]) -> None:
        """Take what is known now in place of what was. `sheets` are the open files as they are."""
        self._sheets = sheets
        self._programs = {
            one.path: DrivenProgram(one, fresh=_texts(sheets.get(one.path)) == one.own)
            for one in driven
        }

    @property
    def incomplete(self) -> frozenset[str]:
        """The files whose comments may silence more than what is known of them now: programs that
        are not open, and open ones that have to be driven again.
        """
        return frozenset(
            path
            for path, program in self._programs.items()
            if program.driven.own is None or not program.fresh
        )

    def expire(
        self,
        edits: Mapping[str, Edited] | None,
        shown: Callable[[str], str],
        sheets: Mapping[str, Sheet],
    ) -> None:
        """Mark results stale that depend on what was edited (None: anything may have been).

        This desk has not read all that they depend on, so that `edits` may lack some of it.
        """
        for path, program in self._programs.items():
            depends = map(shown, program.driven.analysis.depends)
            texts = ((_texts(sheets.get(it)), _texts(self._sheets.get(it))) for it in depends)
            changed = any(now != then for now, then in texts)
            self._programs[path] = program.after(None if changed else edits, shown, sheets)

    def of(self, path: str) -> Remembered | None:
        """All findings of an open file with its own drives; None if that is not known now."""
        program = self._programs.get(path)
        if program is None or not program.fresh or program.driven.own is None:
            return None
        return Remembered(program.driven.analysis, program.driven.directives)

    def drivers(self, sheets: Mapping[str, Sheet]) -> Iterator[tuple[str, Remembered]]:
        """What other programs show in open files, and in themselves of them.

        Of an open program with an edited text, what its drives showed elsewhere than in the edited
        definitions.
        """
        for path, (driven, _, fresh) in self._programs.items():
            if driven.own is not None and fresh:
                continue
            if driven.own is None and fresh:
                yield path, as_driver(Remembered(driven.analysis, driven.directives), sheets)
                continue
            of_drives = tuple(one for one in driven.analysis.findings if _is_of_drive(one))
            here = tuple(one for one in of_drives if one.path in driven.texts)
            called = Called(path, here, driven.texts)
            yield path, Remembered(Analysis(as_they_are(called, sheets).findings))


def _texts(sheet: Sheet | None) -> Mapping[int | None, str] | None:
    return None if sheet is None else sheet.texts


def _is_of_drive(finding: Finding) -> bool:
    return any(note.text.startswith(DRIVEN) for note in finding.notes)

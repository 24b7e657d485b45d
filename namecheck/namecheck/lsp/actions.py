"""Code actions: what there is to do about findings. Fix, silence, explain; fix all that is safe.

Fixes are those of `check --fix`, proven as they are there; the comment that silences a finding is
that of `check --add-ignore`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from lsprotocol import types

from namecheck.applying.ignores import silencing, why_not
from namecheck.codes.troubles import is_mistake
from namecheck.findings import Applicability, Edit, Finding
from namecheck.lsp.answers import EXPLAIN, FIX_ALL
from namecheck.lsp.desk import Desk
from namecheck.lsp.diagnostics import Drawing, diagnostic
from namecheck.lsp.texts import Sheet

__all__ = ["Actions"]

MARKS: Final = {
    Applicability.SAFE: "",
    Applicability.UNSAFE: " (may change what it computes)",
    Applicability.DISPLAY: " (suggestion)",
}
"""What is said of a fix behind its title. Whoever picks one out of a list has seen it, so those
that no command applies are offered, too; safe ones are preferred, and only they are fixed at once.
"""


class Actions:
    """The actions for one text: a file, or a cell of a notebook.

    `versioned`: edits say which version of the text they are meant for. `disabled`: what cannot be
    done is told, with the reason.
    """

    def __init__(
        self,
        desk: Desk,
        sheet: Sheet,
        cell: int | None,
        drawing: Drawing,
        versioned: bool,
        disabled: bool,
    ) -> None:
        self.desk = desk
        self.sheet = sheet
        self.cell = cell
        self.drawing = drawing
        self.versioned = versioned
        self.disabled = disabled
        self.places = drawing.places(sheet.path, cell)

    def all(
        self, stretch: types.Range, only: Sequence[str | types.CodeActionKind] | None
    ) -> list[types.CodeAction]:
        """What can be done about what is found in a range, of the kinds that are asked for."""
        found: list[types.CodeAction] = []
        here = [one for one in self._told() if self._is_in(one, stretch)]
        if here and is_asked_for(types.CodeActionKind.QuickFix, only):
            fixed = {_key(one): one for one in self.desk.fixes(self.sheet.path)}
            for finding in here:
                found += self._of(fixed.get(_key(finding), finding))
        if is_asked_for(FIX_ALL, only) and (here or only is not None):
            found += self._fix_all()
        return found

    def _told(self) -> list[Finding]:
        told = self.desk.told().findings.get(self.sheet.path, ())
        return [finding for finding in told if finding.cell == self.cell]

    def _is_in(self, finding: Finding, stretch: types.Range) -> bool:
        """Whether a finding touches a range; a place on its lines will do."""
        begin, end = stretch.start.line + 1, stretch.end.line + 1
        return finding.span.line <= end and begin <= finding.span.end_line

    def _of(self, finding: Finding) -> Iterator[types.CodeAction]:
        about = [diagnostic(finding, self.drawing)]
        fix = finding.fix
        if fix is not None and fix.edits:
            yield types.CodeAction(
                fix.message + MARKS[fix.applicability],
                types.CodeActionKind.QuickFix,
                diagnostics=about,
                is_preferred=fix.applicability is Applicability.SAFE,
                edit=self._edit(fix.edits),
            )
        if is_mistake(finding):
            title = f"Ignore {finding.code} here"
            document = self.sheet.document()
            edits = silencing(document, self.cell, [finding])
            for edit in edits.values():
                yield types.CodeAction(
                    title,
                    types.CodeActionKind.QuickFix,
                    diagnostics=about,
                    edit=self._edit([edit]),
                )
            if not edits and self.disabled:
                yield types.CodeAction(
                    title,
                    types.CodeActionKind.QuickFix,
                    diagnostics=about,
                    disabled=types.CodeActionDisabled(why_not(document, self.cell)),
                )
        title = f"Explain {finding.code} {finding.name}"
        yield types.CodeAction(
            title,
            types.CodeActionKind.QuickFix,
            diagnostics=about,
            command=types.Command(title, EXPLAIN, arguments=[finding.code]),
        )

    def _fix_all(self) -> Iterator[types.CodeAction]:
        """All safe fixes, until nothing is left to fix."""
        title = "Fix all that namecheck can fix safely"
        edits, why = self.desk.fixed(self.sheet.path, self.cell)
        if edits:
            yield types.CodeAction(title, FIX_ALL, edit=self._edit(edits))
        elif why and self.disabled:
            yield types.CodeAction(title, FIX_ALL, disabled=types.CodeActionDisabled(why))

    def _edit(self, edits: Iterable[Edit]) -> types.WorkspaceEdit:
        uri = self.sheet.uri_of(self.cell)
        made = [types.TextEdit(self.places.range(edit.span), edit.content) for edit in edits]
        if not self.versioned:
            return types.WorkspaceEdit(changes={uri: made})
        text = types.OptionalVersionedTextDocumentIdentifier(uri, self.sheet.versions[self.cell])
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(text, made)])


def is_asked_for(
    kind: str | types.CodeActionKind, only: Sequence[str | types.CodeActionKind] | None
) -> bool:
    """Whether a kind is among those that are asked for, or part of one of them."""
    if only is None:
        return True
    names = [one.value if isinstance(one, types.CodeActionKind) else one for one in only]
    own = kind.value if isinstance(kind, types.CodeActionKind) else kind
    return any(own == name or own.startswith(f"{name}.") for name in names)


def _key(finding: Finding) -> tuple[object, ...]:
    return finding.cell, finding.span, finding.code

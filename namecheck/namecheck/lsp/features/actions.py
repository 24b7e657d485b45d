"""Code actions for findings: fix, ignore, explain, and fix all that is safe.

Fixes are those of `check --fix`, with the same proof; the comment that silences a finding is that
of `check --add-ignore`.
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
from namecheck.lsp.features.diagnostics import Drawing, diagnostic
from namecheck.lsp.texts import Sheet

__all__ = ["Actions"]

MARKS: Final = {
    Applicability.SAFE: "",
    Applicability.UNSAFE: " (may change what it computes)",
    Applicability.DISPLAY: " (suggestion)",
}
"""What follows the title of a fix. The user picks one and sees it, so even fixes that no command
applies are offered. Only safe ones are preferred, and only these are applied all at once.
"""


class Actions:
    """The actions for one text: a file, or a cell of a notebook.

    `versioned`: edits name the version of the text that they are for. `disabled`: actions that are
    not possible are offered as disabled, with the reason.
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
        """The actions for the findings in a range, of the kinds `only` (None: all kinds)."""
        actions: list[types.CodeAction] = []
        findings = [finding for finding in self._findings() if self._is_in(finding, stretch)]
        if findings and is_asked_for(types.CodeActionKind.QuickFix, only):
            fixable = {_key(finding): finding for finding in self.desk.fixes(self.sheet.path)}
            for finding in findings:
                actions += self._of(fixable.get(_key(finding), finding))
        if is_asked_for(FIX_ALL, only) and (findings or only is not None):
            actions += self._fix_all()
        return actions

    def _findings(self) -> list[Finding]:
        findings = self.desk.reported().findings.get(self.sheet.path, ())
        return [finding for finding in findings if finding.cell == self.cell]

    def _is_in(self, finding: Finding, stretch: types.Range) -> bool:
        """Whether a finding and a range share a line."""
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
        """The action that applies all safe fixes."""
        title = "Apply all safe fixes of namecheck"
        edits, why = self.desk.fixed(self.sheet.path, self.cell)
        if edits:
            yield types.CodeAction(title, FIX_ALL, edit=self._edit(edits))
        elif why and self.disabled:
            yield types.CodeAction(title, FIX_ALL, disabled=types.CodeActionDisabled(why))

    def _edit(self, edits: Iterable[Edit]) -> types.WorkspaceEdit:
        uri = self.sheet.uri_of(self.cell)
        changes = [types.TextEdit(self.places.range(edit.span), edit.content) for edit in edits]
        if not self.versioned:
            return types.WorkspaceEdit(changes={uri: changes})
        text = types.OptionalVersionedTextDocumentIdentifier(uri, self.sheet.versions[self.cell])
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(text, changes)])


def is_asked_for(
    kind: str | types.CodeActionKind, only: Sequence[str | types.CodeActionKind] | None
) -> bool:
    """Whether a kind is among `only`, or part of one of them."""
    if only is None:
        return True
    kinds = [k.value if isinstance(k, types.CodeActionKind) else k for k in only]
    name = kind.value if isinstance(kind, types.CodeActionKind) else kind
    return any(name == wanted or name.startswith(f"{wanted}.") for wanted in kinds)


def _key(finding: Finding) -> tuple[object, ...]:
    return finding.cell, finding.span, finding.code

"""SARIF 2.1.0, the format of GitHub's code scanning and of many viewers.

Paths are URIs relative to `%SRCROOT%`, whose value the reader knows. A rule has the page of
`namecheck explain` as its help. In notebooks the region is the file's beginning, the cell is named
as a logical location and in the message, and fixes are left out: their edits count within a cell.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from namecheck.codes.troubles import INTERNAL_ERROR
from namecheck.documentation.addresses import url_of
from namecheck.documentation.pages import Page, find, pages
from namecheck.findings import WHOLE_FILE, Applicability, Finding, Fix, Span
from namecheck.printing.escapes import json_text
from namecheck.printing.screen import one_line
from namecheck.report.fingerprint import fingerprints
from namecheck.report.locations import in_checkout, span_in_file, stated, uri
from namecheck_runtime import __version__

if TYPE_CHECKING:
    from namecheck.report.contents import Report

__all__ = ["report_text"]

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
ROOT: Final = "%SRCROOT%"
FINGERPRINT: Final = "namecheckFingerprint/v1"

Json = dict[str, Any]


def report_text(report: Report) -> str:
    """The report in this format."""
    codes = sorted({finding.code for finding in report.findings})
    failures = [finding for finding in report.findings if finding.code == INTERNAL_ERROR]
    driver = {"name": "namecheck", "version": __version__, "rules": rules(codes)}
    invocation: Json = {"executionSuccessful": not failures}
    if failures:
        invocation["toolExecutionNotifications"] = [
            {
                "level": "error",
                "message": {"text": stated(finding)},
                "locations": [location(report, finding)],
            }
            for finding in failures
        ]
    run = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "originalUriBaseIds": {ROOT: {"description": {"text": "The root of the repository."}}},
        "columnKind": "unicodeCodePoints",
        "results": [
            result(report, finding, codes.index(finding.code), print_)
            for finding, print_ in zip(report.findings, fingerprints(report), strict=True)
        ],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json_text(log, indent=2) + "\n"


def rules(codes: list[str]) -> list[Json]:
    known = pages()
    return [rule(page) for code in codes if (page := find(code, known))]


def rule(page: Page) -> Json:
    paragraph = one_line(page.text.partition("\n\n")[0])
    fields: Json = {
        "id": page.code,
        "name": page.name,
        "shortDescription": {"text": paragraph},
        "fullDescription": {"text": paragraph},
        "help": {"text": page.text, "markdown": page.markdown()},
    }
    url = url_of(page.code)
    return fields if url is None else fields | {"helpUri": url}


def result(report: Report, finding: Finding, index: int, fingerprint: str) -> Json:
    related = list(related_locations(report, finding))
    fields: Json = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": str(finding.level),
        "message": {"text": message(finding)},
        "locations": [location(report, finding)],
        "partialFingerprints": {FINGERPRINT: fingerprint},
    }
    if related:
        fields["relatedLocations"] = related
    fix = finding.fix
    if fix and fix.edits and fix.applicability is not Applicability.DISPLAY and not finding.cell:
        fields["fixes"] = [fix_of(report, finding.path, fix)]
    return fields


def message(finding: Finding) -> str:
    """The message, followed by the notes without a place, and the hint."""
    lines = [stated(finding)]
    lines += [one_line(note.text) for note in finding.notes if note.span is None]
    if finding.hint is not None:
        lines.append(f"hint: {one_line(finding.hint)}")
    return text("\n".join(lines))


def text(words: str) -> str:
    """A text in which a reader of SARIF does not see links, which are written `[text](target)`."""
    return words.replace("](", "] (")


def location(report: Report, finding: Finding) -> Json:
    fields: Json = {"physicalLocation": physical(report, finding.path, span_in_file(finding))}
    if finding.cell is not None:
        fields["logicalLocations"] = [{"name": f"cell {finding.cell}"}]
    return fields


def physical(report: Report, path: str, span: Span) -> Json:
    return {"artifactLocation": artifact(report, path), "region": region(span)}


def artifact(report: Report, path: str) -> Json:
    inside = in_checkout(path, report.checkout)
    base = {} if os.path.isabs(inside) else {"uriBaseId": ROOT}
    return {"uri": uri(inside), **base}


def region(span: Span) -> Json:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def related_locations(report: Report, finding: Finding) -> Iterator[Json]:
    """The operands with their dims, and the places of the facts that led to the finding."""
    related = [(label.text, finding.path, finding.cell, label.span) for label in finding.labels]
    related += [
        (note.text, note.path or finding.path, note.cell, note.span)
        for note in finding.notes
        if note.span is not None
    ]
    for number, (words, path, cell, span) in enumerate(related, 1):
        inside = "" if cell is None else f"cell {cell}, line {span.line}: "
        yield {
            "id": number,
            "message": {"text": text(inside + one_line(words))},
            "physicalLocation": physical(report, path, span if cell is None else WHOLE_FILE),
        }


def fix_of(report: Report, path: str, fix: Fix) -> Json:
    return {
        "description": {"text": text(fix.message)},
        "artifactChanges": [
            {
                "artifactLocation": artifact(report, path),
                "replacements": [
                    {"deletedRegion": region(edit.span), "insertedContent": {"text": edit.content}}
                    for edit in fix.edits
                ],
            }
        ],
    }

"""JUnit's XML: a suite per file, a failed case per finding.

A report without findings has one case that passed: CI services take a report without cases for a
failed job. Notes are not failures, and a file that namecheck failed on is an error. A case has a
name and no place, so the name contains the place, in notebooks with the cell.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from namecheck.codes.troubles import INTERNAL_ERROR
from namecheck.findings import Finding, Level
from namecheck.printing.counts import counted
from namecheck.printing.escapes import visible, xml_text
from namecheck.printing.screen import one_line
from namecheck.report.locations import where
from namecheck_runtime.light.regexes import regex

if TYPE_CHECKING:
    from namecheck.report.contents import Report

__all__ = ["report_text"]

NO_XML = regex("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow, even as references."""


def report_text(report: Report) -> str:
    """The report in this format."""
    root = ET.Element("testsuites", name="namecheck")
    for path, findings in itertools.groupby(report.findings, lambda finding: finding.path):
        add_suite(root, path, list(findings))
    if not report.findings:
        name = f"no findings in {counted(report.checked, 'file')}"
        passed = {"name": "namecheck", **counts([]), "tests": "1"}
        suite = ET.SubElement(root, "testsuite", passed)
        ET.SubElement(suite, "testcase", name=name, classname="namecheck")
    total = counts(report.findings)
    root.set("tests", str(max(len(report.findings), 1)))
    root.set("failures", total["failures"])
    root.set("errors", total["errors"])
    ET.indent(root)
    markup = xml_text(ET.tostring(root, encoding="unicode"))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{markup}\n'


def counts(findings: Sequence[Finding]) -> dict[str, str]:
    failed = sum(outcome(finding) == "failure" for finding in findings)
    broken = sum(outcome(finding) == "error" for finding in findings)
    numbers = {"tests": len(findings), "failures": failed, "errors": broken, "skipped": 0}
    return {key: str(number) for key, number in numbers.items()}


def outcome(finding: Finding) -> str:
    """The name of the element for the outcome of a case."""
    if finding.code == INTERNAL_ERROR:
        return "error"
    return "system-out" if finding.level is Level.NOTE else "failure"


def add_suite(root: ET.Element, path: str, findings: Sequence[Finding]) -> None:
    suite = ET.SubElement(root, "testsuite", {"name": xml(path), **counts(findings)})
    for finding in findings:
        place = where("", finding.cell, finding.span).removeprefix(":")
        name = f"{finding.code} {finding.name} at {place}"
        case = ET.SubElement(suite, "testcase", name=name, classname=xml(path))
        ended = ET.SubElement(case, outcome(finding))
        message = xml(one_line(finding.message))
        if outcome(finding) != "system-out":
            ended.set("type", finding.code)
            ended.set("message", message)
        lines = [f"{xml(where(finding.path, finding.cell, finding.span))}: {message}"]
        if finding.hint is not None:
            lines.append(f"hint: {xml(one_line(finding.hint))}")
        ended.text = "\n".join(lines)


def xml(text: str) -> str:
    return NO_XML.sub(lambda match: visible(match[0]), text)

"""The content of a report: the value that every format turns into text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from namecheck.findings import Finding
from namecheck_runtime.light.records import NamedTuple

if TYPE_CHECKING:
    from namecheck.report.page.page_file import PageFile

__all__ = ["Report"]


class Report(NamedTuple):
    """The findings to report, in order, and how many files were checked.

    `sources` gives the text that the spans of a path (and a notebook's cell) refer to. `checkout`
    is the root of the repository if a CI service names it; paths for that service are relative to
    it. `beside` are short texts on the findings that are not reported. Without `total`, the format
    `full` ends with the last finding. `page_of` gives what a page of HTML shows of a file beside
    its findings; without it, that is its source. The page has the `files` even without findings.
    """

    findings: Sequence[Finding]
    sources: Callable[[str, int | None], str]
    checked: int
    checkout: str | None = None
    total: bool = True
    beside: tuple[str, ...] = ()
    page_of: Callable[[str], PageFile] | None = None
    files: Sequence[str] = ()

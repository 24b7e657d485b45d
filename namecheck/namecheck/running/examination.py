"""One document, from its text to the findings of the analysis and their fixes.

Every process (`processes`) does this step of the pipeline (`checking`) by itself, and the language
server does it at each edit. Any failure in it becomes a finding.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from namecheck.codes.troubles import SYNTAX_ERROR, internal_error
from namecheck.files.documents import Document
from namecheck.findings import Analysis, Counts, Finding, Level

if TYPE_CHECKING:
    from namecheck.analysis import Kept, Mistakes, Program, Watch
    from namecheck.settings.config import Configuration

__all__ = ["examine", "known_dims", "program_of"]


def program_of(
    paths: Sequence[str], files: Sequence[str], configuration: Configuration | None = None
) -> Program:
    """The program in which the imports of these files are followed, by each file's settings."""
    from namecheck.analysis import open_program
    from namecheck.files.project import Project

    terms_of = None if configuration is None else configuration.terms_of
    environment = None if configuration is None else configuration.environment_of(os.getcwd())
    project = Project(paths, {os.path.realpath(file): file for file in files}, environment)
    return open_program(project, terms_of)


def examine(
    document: Document,
    program: Program,
    thorough: bool = False,
    statistics: bool = False,
    fixes: bool = False,
    watch: Watch | None = None,
    only: Collection[int] | None = None,
    kept: Kept | None = None,
) -> Analysis:
    """The analysis of a document. Any failure becomes a finding.

    The options are those of `analyze_text`; what is `kept` is of the same document, and used if its
    text is a module. Places are those of `document.parts`; in a `watch` they
    are those of the document's text. With `fixes`, findings have a fix if there is one.
    """
    instead = document.trouble or document.passed
    if instead is not None:
        return Analysis((instead,), counts=Counts(files=1))
    mistakes: Mistakes = {}
    shapes = thorough or watch is not None
    try:
        from namecheck.analysis import analyze_text

        prose = document.examples
        kept = kept if document.is_module else None
        options = thorough, program, statistics, shapes, mistakes, None, watch, only, prose, kept
        analysis = analyze_text(document.path, document.text, *options)
        troubles: tuple[Finding, ...] = ()
        if any(finding.code == SYNTAX_ERROR for finding in analysis.findings):
            document, troubles = document.mended()
            if troubles:
                analysis = analyze_text(document.path, document.text, *options)
        if fixes and analysis.findings and prose is None:
            from namecheck.fixes.proposals import propose

            analysis = propose(document.path, document.text, program, analysis, mistakes)
        analysis = document.restore(analysis)
        return analysis._replace(findings=(*troubles, *analysis.findings))
    except Exception as failure:  # a bug of ours must not keep the other files from being checked
        return Analysis((internal_error(document.path, failure),), counts=Counts(files=1))


def known_dims(document: Document, watch: Watch) -> tuple[Finding, ...]:
    """The expressions of a document that `examine` has seen to be tensors, the smallest first.

    Each is a note in its place: its message is the dims, its name the kind of its dtype ("" if that
    is not certain), its notes say where the dims come from.
    """
    notes = [
        Finding(document.path, one.span, "", one.dtype, Level.NOTE, one.dims_text, notes=one.notes)
        for one in watch.found
    ]
    return document.restore(Analysis(tuple(notes))).findings

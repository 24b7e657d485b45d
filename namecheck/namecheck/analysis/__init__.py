"""From source text to findings: the linter's abstract interpreter.

`analyze` and `analyze_text` are the one door. The parts are imported from their own modules;
nothing is imported here, so that a part (the records, the splitting of a file into chunks) can be
had without LibCST.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from namecheck.analysis.python.imports import Files, Program
    from namecheck.analysis.runs.findings_of import Mistakes
    from namecheck.analysis.runs.watched import Watch
    from namecheck.findings import Analysis
    from namecheck.terms import Terms


def analyze(
    path: str,
    source: bytes,
    thorough: bool = False,
    program: Program | None = None,
    statistics: bool = False,
    shapes: bool = True,
) -> Analysis:
    """Findings, shapes and counts of one file. Raises `namecheck.source.Undecodable`.

    `thorough` takes longer and knows more shapes; only `shapes` is to be read then. Imports of
    other files are followed within `program`; without one the file is looked at alone. With
    `statistics` what was not understood is counted too, and the calls that cost most are named
    (NC801). Who does not look at the shapes says so: putting them into words takes time.
    """
    from namecheck.analysis.runs import file_analysis  # brings LibCST and the rules along

    return file_analysis.analyze(path, source, thorough, program, statistics, shapes)


def analyze_text(
    path: str,
    text: str,
    thorough: bool = False,
    program: Program | None = None,
    statistics: bool = False,
    shapes: bool = True,
    watch: Watch | None = None,
    only: Collection[int] | None = None,
    mistakes: Mistakes | None = None,
) -> Analysis:
    """As `analyze`, of a text. Raises nothing.

    `watch` is filled with what is known of the expressions of the text. `only` the functions and
    classes in the chunks that begin on these lines are evaluated by themselves. `mistakes` is
    filled with what the findings of the text are made of.
    """
    from namecheck.analysis.runs import file_analysis

    return file_analysis.analyze_text(
        path, text, thorough, program, statistics, shapes, mistakes, watch=watch, only=only
    )


def open_program(
    project: Files | None = None, terms_of: Callable[[str], Terms] | None = None
) -> Program:
    """What the imports of one run are followed in.

    `project` are the files that they may mean, none if it is left out. `terms_of` says what the
    project of a file, by the path that reports call it, has agreed on.
    """
    import sys

    from namecheck_runtime.light.collector import CollectorPaused

    # All that analyses is imported by the first call, and never goes again.
    is_first = "namecheck.analysis.runs.file_analysis" not in sys.modules
    with CollectorPaused(keeps=is_first):
        from namecheck.analysis.python.imports import Program
        from namecheck.analysis.runs import file_analysis as file_analysis

    return Program(project, terms_of)

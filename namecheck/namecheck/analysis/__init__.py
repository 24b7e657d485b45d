"""From source text to findings: the linter's abstract interpreter.

This is the one door: the rest of the linter imports the analysis from here alone. Each name is
imported when it is first asked for, so that what needs a part of the analysis (the records of a
notebook, the shapes that are written down) does not pay for all of it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from namecheck.analysis.evidence.contradictions import written_text
    from namecheck.analysis.objects.module_parts import file_parts, silent_edit
    from namecheck.analysis.python.imports import Files, Found, Program, Unwanted
    from namecheck.analysis.reading.records import lower
    from namecheck.analysis.reading.unreadable import SourceError, TooDeep
    from namecheck.analysis.runs.file_analysis import analyze, analyze_text
    from namecheck.analysis.runs.findings_of import Mistakes
    from namecheck.analysis.runs.kept_outcomes import Kept
    from namecheck.analysis.runs.summaries import Input, Network, read_input, summarize
    from namecheck.analysis.runs.watched import Watch
    from namecheck.analysis.state.shapes_seen import FORM, DrivenShapes, Form, Group, Key, Known
    from namecheck.terms import Terms

__all__ = [
    # a file
    "analyze",
    "analyze_text",
    "Kept",
    "Mistakes",
    "Watch",
    "written_text",
    # a network
    "Input",
    "Network",
    "read_input",
    "summarize",
    # a project
    "open_program",
    "Program",
    "Files",
    "Found",
    "Unwanted",
    "file_parts",
    "silent_edit",
    # the shapes that `annotate` writes down
    "DrivenShapes",
    "FORM",
    "Form",
    "Group",
    "Key",
    "Known",
    # the records of a text
    "lower",
    "SourceError",
    "TooDeep",
]


def open_program(
    project: Files | None = None, terms_of: Callable[[str], Terms] | None = None
) -> Program:
    """What the imports of one run are followed in.

    `project` are the files that they may mean, none if it is left out. `terms_of` says what the
    project of a file, by the path that reports call it, has agreed on.
    """
    import sys

    from namecheck_runtime.light.collector import CollectorPaused

    # The first call imports the whole analysis, which is never garbage.
    is_first = "namecheck.analysis.runs.file_analysis" not in sys.modules
    with CollectorPaused(keeps=is_first):
        from namecheck.analysis.python.imports import Program
        from namecheck.analysis.runs import file_analysis as file_analysis

    return Program(project, terms_of)


if not TYPE_CHECKING:

    def __getattr__(name):
        match name:
            case "analyze" | "analyze_text":
                from namecheck.analysis.runs import file_analysis as home
            case "Kept":
                from namecheck.analysis.runs import kept_outcomes as home
            case "Mistakes":
                from namecheck.analysis.runs import findings_of as home
            case "Input" | "Network" | "read_input" | "summarize":
                from namecheck.analysis.runs import summaries as home
            case "Watch":
                from namecheck.analysis.runs import watched as home
            case "written_text":
                from namecheck.analysis.evidence import contradictions as home
            case "file_parts" | "silent_edit":
                from namecheck.analysis.objects import module_parts as home
            case "Program" | "Files" | "Found" | "Unwanted":
                from namecheck.analysis.python import imports as home
            case "DrivenShapes" | "FORM" | "Form" | "Group" | "Key" | "Known":
                from namecheck.analysis.state import shapes_seen as home
            case "lower":
                from namecheck.analysis.reading import records as home
            case "SourceError" | "TooDeep":
                from namecheck.analysis.reading import unreadable as home
            case _:
                raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(home, name)
        return value

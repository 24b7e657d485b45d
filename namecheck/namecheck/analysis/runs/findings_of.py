"""From outcomes at numbered expressions to findings with places and words.

Positions are computed here, and only for the chunks of the file that have a finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from namecheck.analysis.asking.long_sizes import ShortNames
from namecheck.analysis.python.steps import call_in_source
from namecheck.analysis.reading.from_ast import locate_quickly
from namecheck.analysis.reading.walking import statements_of
from namecheck.analysis.runs.contradicted import once
from namecheck.analysis.state.frames import Outcome
from namecheck.findings import Finding, Label, Level, Note, Span
from namecheck.frameworks import is_source
from namecheck.text.layout import read_layout

if TYPE_CHECKING:
    from namecheck.analysis.state.program_pieces import Source
    from namecheck_runtime.mistakes.base import Mistake

Mistakes: TypeAlias = "dict[tuple[Span, str], Mistake]"
"""The mistakes of the findings of one file, by place and code."""

LEVELS: Final = {"error": Level.ERROR, "warning": Level.WARNING, "note": Level.NOTE}


def findings(outcomes: Iterable[Outcome], mistakes: Mistakes | None = None) -> tuple[Finding, ...]:
    """The findings of one run, each place and code once, by file and in the order of the source.

    An outcome of a function by itself comes before one that only a call shows: it has the names
    that the function gave its sizes. `mistakes` is filled with the mistakes of the findings, which
    fixes need, and those at the places that a finding about a contradicted claim stands for.
    """
    outcomes = list(outcomes)
    spans = _spans(outcomes)
    by_source: dict[Source, list[Outcome]] = {}
    whole, replaced = once(outcomes, lambda source, node: spans[source][call_in_source(node)])
    for outcome in whole:
        by_source.setdefault(outcome.source, []).append(outcome)
    by_place: dict[tuple[str, Span, str], Finding] = {}
    for source, group in by_source.items():
        for outcome in sorted(group, key=lambda outcome: outcome.calls):
            finding = _finding(source, outcome, spans[source])
            if by_place.setdefault((finding.path, finding.span, finding.code), finding) is finding:
                if mistakes is not None:
                    mistakes[finding.span, finding.code] = outcome.mistake
    if mistakes is not None:
        for outcome in replaced:
            span = spans[outcome.source][call_in_source(outcome.node)]
            mistakes.setdefault((span, outcome.mistake.code), outcome.mistake)
    return tuple(sorted(by_place.values(), key=lambda f: (f.path, f.span, f.code)))


def by_example(
    outcomes: Sequence[Outcome], is_known: Callable[[Outcome, Finding], bool]
) -> list[Finding]:
    """The findings that examples in prose alone show, each at the line of the example.

    Whether the example or the code is wrong is not known, so that nothing is to be changed without
    a look at both. Only the first mistake that a statement leads to is reported: it ends there.
    What `is_known` of the code without the example is left out.
    """
    reported: dict[Span, Finding] = {}
    for outcome in outcomes:
        for finding in findings([outcome]):
            if is_known(outcome, finding):
                continue
            placed = finding
            if outcome.driver is not None:
                placed = _at_example(finding, *outcome.driver)
            reported.setdefault(placed.span, placed)
    return [reported[span] for span in sorted(reported)]


def _at_example(finding: Finding, source: Source, line: int) -> Finding:
    """A finding about code that an example has reached, at the line of the example."""
    span = source.whole_line(line)
    path = source.file.path
    elsewhere = None if finding.path == path else finding.path
    notes = [Note("the code that the example leads to is", elsewhere, finding.span)]
    for label in sorted(finding.labels):
        notes.append(Note(f"{label.text} is", elsewhere, label.span))
    for note in finding.notes:
        where = note.path or finding.path
        if where != path or note.span is None or note.span.line != span.line:
            notes.append(note._replace(path=None if where == path else where))
    return finding._replace(path=path, span=span, labels=(), notes=tuple(notes), fix=None)


def _spans(outcomes: Sequence[Outcome]) -> dict[Source, dict[int, Span]]:
    """The places of all expressions that the outcomes mention, by piece of the file."""
    nodes: dict[Source, set[int]] = {}
    for outcome in outcomes:
        mentioned = nodes.setdefault(outcome.source, set())
        mentioned.add(call_in_source(outcome.node))
        mentioned.update(call_in_source(node) for node, _ in outcome.labels)
        for root in outcome.roots:
            if root.source.file is outcome.source.file:
                nodes.setdefault(root.source, set()).add(root.node)
    return {source: spans_of(source, numbers) for source, numbers in nodes.items()}


def spans_of(source: Source, nodes: Iterable[int]) -> dict[int, Span]:
    """The places of numbered expressions of a piece of the file, in the file.

    Without LibCST some places are those of whole statements.
    """
    nodes = set(nodes)
    layout = read_layout(source.text)
    located = locate_quickly(source.text, layout, nodes)
    if located is None:
        try:
            from namecheck.analysis.reading.positions import locate  # and LibCST with it
        except ModuleNotFoundError:  # it is not installed
            located = statements_of(nodes, source.chunk, layout)
        else:
            located = locate(source.text, nodes)
    return {number: source.in_file(span) for number, span in located.items()}


def _finding(source: Source, outcome: Outcome, spans: dict[int, Span]) -> Finding:
    span = spans[call_in_source(outcome.node)]
    labels = tuple(Label(spans[call_in_source(node)], text) for node, text in outcome.labels)
    mistake = ShortNames().mistake(outcome.mistake)
    mistake = mistake.in_order([label.text for label in sorted(labels)])
    notes = tuple(
        Note(
            text,
            None if place.file.path == source.file.path else place.file.path,
            place.whole_line(line),
        )
        for text, place, line in outcome.notes
        # In a source of ours the reader could not look.
        if place.file is source.file or not is_source(place.file.real)
    )
    return Finding(
        source.file.path,
        span,
        mistake.code,
        mistake.name,
        LEVELS[outcome.level],
        mistake.message(),
        labels,
        notes,
        mistake.hint(),
        lines_up=mistake.lines_up,
    )

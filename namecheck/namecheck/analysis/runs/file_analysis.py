"""One file from its bytes to its analysis: lower, run the module, then every function by itself.

Each function of the file is evaluated once with what its own declarations say. If the evaluation of
one fails, that is an internal error of ours, and the rest is evaluated all the same.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any

from namecheck.analysis.evidence import moments
from namecheck.analysis.gradients import modes
from namecheck.analysis.objects.module_rows import (
    as_drives_find,
    called_at_top,
    decorators_of,
    forget_changed,
)
from namecheck.analysis.python.attributes import ALONE
from namecheck.analysis.python.imports import OwnPlaces, Program, Unwanted
from namecheck.analysis.python.interpreter import Interpreter
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.records import lower_chunks
from namecheck.analysis.reading.unreadable import SourceError, TooDeep
from namecheck.analysis.runs import config_fields, drives, handed_classes
from namecheck.analysis.runs.built_modules import may_be_built
from namecheck.analysis.runs.by_code_alone import (
    DECLARED,
    HEARSAY,
    LENT,
    Doubt,
    key,
    may_be_by_options,
    whatever_options,
)
from namecheck.analysis.runs.by_defaults import (
    calls_by_name,
    evaluate_by_defaults,
)
from namecheck.analysis.runs.findings_of import Mistakes, by_example, findings, spans_of
from namecheck.analysis.runs.guarded_units import check_wanted, guarded, times_of
from namecheck.analysis.runs.kept_outcomes import Kept, begin, put_together
from namecheck.analysis.runs.standalone import (
    evaluate_classes,
    evaluate_function,
    evaluate_nested,
    evaluate_spelled,
)
from namecheck.analysis.runs.survey import Cause, Survey
from namecheck.analysis.runs.watched import Watch, Watching
from namecheck.analysis.state import inlays
from namecheck.analysis.state.call_ranks import Calls, Verdict
from namecheck.analysis.state.evaluate import Evaluator, Exhausted
from namecheck.analysis.state.frames import Outcome
from namecheck.analysis.state.program_pieces import Source, SourceFile
from namecheck.analysis.state.shapes_seen import BESIDE, Key, Known
from namecheck.analysis.state.suppositions import suppose_ranks
from namecheck.analysis.state.values import Class, Function
from namecheck.analysis.state.values.uses import CLASS, STATEMENTS
from namecheck.codes.coverage import left_unknown, left_unread, unknown_call
from namecheck.codes.troubles import syntax_error
from namecheck.findings import (
    WHOLE_FILE,
    Analysis,
    Counts,
    Finding,
    ShapeAt,
    Span,
    UnknownCall,
)
from namecheck.source import decode
from namecheck.text.examples import Examples
from namecheck.text.file_parts import WHOLE, definitions_used, parts_used
from namecheck.text.layout import line_count
from namecheck.times import PARSING, Part
from namecheck_runtime import rules as rules  # fills the registry that calls are looked up in
from namecheck_runtime.lattice import show
from namecheck_runtime.light.collector import CollectorPaused
from namecheck_runtime.mistakes.sizes import ForcedLiteral


def analyze(
    path: str,
    source: bytes,
    thorough: bool = False,
    program: Program | None = None,
    statistics: bool = False,
    shapes: bool = True,
) -> Analysis:
    """Findings, shapes and counts of one file. Raises `namecheck.source.Undecodable` alone.

    `thorough` takes longer and guesses more; only the shapes may be read then. Imports of other
    files are followed within `program`; without one the file is analysed alone. With `statistics`
    the analysis also counts what was not understood, and names the calls that cost most (NC801). A
    caller that does not read the shapes turns `shapes` off: putting them into words takes time.
    """
    text = decode(source)
    return analyze_text(path, text, thorough, program, statistics, shapes)


def analyze_text(
    path: str,
    text: str,
    thorough: bool = False,
    program: Program | None = None,
    statistics: bool = False,
    shapes: bool = True,
    mistakes: Mistakes | None = None,
    certain: dict[Key, Known] | None = None,
    watch: Watch | None = None,
    only: Collection[int] | None = None,
    prose: Examples | None = None,
    kept: Kept | None = None,
) -> Analysis:
    """As `analyze`, of text. Raises nothing.

    `mistakes` is filled with those of the file's own findings. `certain` is filled with what is
    known about tensors, `thorough`ly and without guessing; `watch` with what is known about the
    expressions of the file. `only` the functions and classes in the chunks that begin on these
    lines are evaluated by themselves. The text may be that of examples in `prose`. What is `kept`
    of the last evaluation of the file, in the same program without drives, is not evaluated again.
    """
    # All objects of the analysis become garbage at once, at its end.
    with CollectorPaused():
        options = thorough, program, statistics, shapes
        return _analyze(path, text, *options, mistakes, certain, watch, only, prose, kept)


def _analyze(
    path: str,
    text: str,
    thorough: bool,
    program: Program | None,
    statistics: bool,
    shown: bool,
    mistakes: Mistakes | None,
    certain: dict[Key, Known] | None,
    watch: Watch | None,
    only: Collection[int] | None,
    prose: Examples | None,
    kept: Kept | None,
) -> Analysis:
    lines = line_count(text)
    lower = partial(lower_chunks, text, None if program is None else program.lowered)
    times = times_of(program)
    try:
        chunks = lower() if times is None else times.of(Part(PARSING, path, "", 0), lower)
    except TooDeep:
        # Python may well read the file, so that this is not a syntax error.
        unread = left_unread(path, WHOLE_FILE, "the file is nested too deeply")
        return Analysis((unread,), counts=Counts(files=1, lines=lines))
    except SourceError as error:
        trouble = syntax_error(path, error.message, error.line, error.column)
        return Analysis((trouble,), counts=Counts(files=1, lines=lines))
    if program is not None:
        for chunk, records in chunks:
            program.lowered.keep(chunk.digest, records, len(chunk.text))
    real = os.path.realpath(path) if program is None else program.project.real(path)
    file = SourceFile(path, real, program)
    columns = None if prose is None else prose.columns
    pieces = [Source(file, chunk.text, chunk.line, records, columns) for chunk, records in chunks]
    file.read_imports((records for _, records in chunks), (chunk.text for chunk, _ in chunks))
    evaluator = Watching if watch is not None else Survey if statistics else Interpreter
    ev = evaluator(pieces[0], (program or ALONE).tables.world)
    ev.inlays.wanted = shown
    modes.begin_file(ev, file)
    if thorough or certain is not None:
        ev.trials.calls = Calls(suggest=certain is None)
    elif program is None or program.drives:
        ev.units.drives = True
        ev.inlays.driven = None if program is None else program.driven
        ev.units.examples = drives.example_pieces(file, text) if prose is None else []
    left = None if kept is None else begin(kept, ev, [chunk for chunk, _ in chunks], pieces)
    only = only if left is None else left.lines
    troubles: list[Finding] = []
    _evaluate(ev, path, troubles, pieces, only, prose)
    if ev.trials.calls is None:
        _ask_again(ev, path, pieces, program, only)
    ev.leave_sizes()
    if kept is not None:
        put_together(kept, left, ev, [chunk for chunk, _ in chunks], pieces, bool(troubles))
    if watch is not None and isinstance(ev, Watching):
        watch.found = ev.known()
    if certain is not None:
        certain.update(ev.inlays.known)
    return _concluded(ev, file, lines, troubles, mistakes)


def _concluded(
    ev: Evaluator,
    file: SourceFile,
    lines: int,
    troubles: Sequence[Finding],
    mistakes: Mistakes | None,
) -> Analysis:
    """The analysis of a file of so many lines that was evaluated; `troubles` come first in it."""
    shapes = tuple(
        ShapeAt(line, target, show(known.shape), kind)
        for (line, target, kind), known in ev.inlays.known.items()
        if kind in BESIDE
    )
    counts = Counts(
        1,
        lines,
        len(ev.expressions),
        sum(ev.expressions.values()),
        len(ev.assigned),
        sum(ev.assigned.values()),
        driven=len(ev.units.driven | ev.units.cut_off),
        cut_off=len(ev.units.cut_off),
    )
    reported = [*troubles, *_left(file.path, file, ev), *_findings(ev, file, mistakes)]
    calls: list[tuple[Span, UnknownCall]] = []
    if isinstance(ev, Survey):
        ranks = Counter(rank for (piece, _), rank in ev.known_ranks.items() if piece.file is file)
        counts = counts._replace(
            expressions=ranks.total(), understood=ranks["known"], partly=ranks["partly"]
        )
        calls = _unknown_calls(file, ev)
        reported += [unknown_call(file.path, span, call) for span, call in calls]
    unknown = tuple(call for _, call in calls)
    used = [part for part in ev.used if part[0] != file.real]
    depends = tuple(sorted({path for path, _ in used}))
    return Analysis(tuple(reported), shapes, counts, depends, unknown, definitions_used(used))


def _findings(ev: Evaluator, file: SourceFile, mistakes: Mistakes | None) -> tuple[Finding, ...]:
    """The findings of a file, and those in other files that its calls show."""
    fitting = ev.origins.fitting
    own_outcomes = [
        outcome._replace(roots=tuple(r for r in outcome.roots if (r.source, r.node) not in fitting))
        for outcome in ev.found
        if outcome.source.file is file
    ]
    own_outcomes, by_prose = drives.of_prose(own_outcomes)
    reported = findings(own_outcomes, mistakes)
    own_places = frozenset((finding.span, finding.code) for finding in reported)

    def is_known(outcome: Outcome, finding: Finding) -> bool:
        places = own_places
        if outcome.source.file is not file and isinstance(file.program, Program):
            places = _own_places(ev, file.program, outcome.source.file.real)
        return (finding.span, finding.code) in places

    # That two sizes are independent is read off the file that has both. A caller in another file
    # may tie them in ways that the evaluation does not follow.
    others = [o for o in ev.found if o.source.file is not file and o.requires is None]
    others, by_prose_there = drives.of_prose(others)
    reported += tuple(by_example([*by_prose, *by_prose_there], is_known))
    if others and isinstance(file.program, Program):
        reported += tuple(_of_calls(ev, file.program, file, others))
    return reported


def _left(path: str, file: SourceFile, ev: Evaluator) -> Iterator[Finding]:
    """Where in the file something is unknown because it is too large (NC802)."""
    for (source, line), what in ev.limits.items():
        if source.file is file:
            yield left_unknown(path, source.whole_line(line), what)


def _of_calls(
    ev: Evaluator, program: Program, file: SourceFile, outcomes: Sequence[Outcome]
) -> Iterator[Finding]:
    """What is wrong in functions of other files as this file calls them, but not by itself.

    What is wrong in such a file by itself is reported when that file is checked.
    """
    by_file: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        by_file.setdefault(outcome.source.file.real, []).append(outcome)
    for real, outcomes_there in sorted(by_file.items()):
        if real != file.real:
            known_places = _own_places(ev, program, real)
            yield from (f for f in findings(outcomes_there) if (f.span, f.code) not in known_places)


def _own_places(ev: Evaluator, program: Program, real: str) -> frozenset[tuple[Span, str]]:
    """The places and codes of what is wrong in a file by itself, on which the result depends."""
    own = program.places.get(real)
    if own is None:
        before, program.drives = program.drives, False
        program.places[real] = OwnPlaces()  # files may call each other
        text = program.project.read(real)
        path = program.project.shown(real)
        mistakes: Mistakes = {}
        analysis = Analysis()
        try:
            if text is not None:
                analysis = analyze_text(
                    path, text, program=program, shapes=False, mistakes=mistakes
                )
        except Unwanted:
            del program.places[real]
            raise
        finally:
            program.drives = before
        used = parts_used(analysis.depends, analysis.parts)
        own = OwnPlaces(frozenset(mistakes), frozenset([(real, WHOLE), *used]))
        program.places[real] = own
    ev.used |= own.used
    return own.places


def _unknown_calls(file: SourceFile, ev: Survey) -> list[tuple[Span, UnknownCall]]:
    """The calls that make something unknown, in the order of the source."""
    calls = []
    by_source: dict[Any, list[tuple[Cause, int]]] = {}
    for cause, cost in ev.costs().items():
        if cause.source.file is not file:
            continue  # reported when that file is checked
        by_source.setdefault(cause.source, []).append((cause, cost))
    for source, causes in by_source.items():
        spans = spans_of(source, (cause.node for cause, _ in causes))
        for cause, cost in causes:
            span = spans[cause.node]
            calls.append((span, UnknownCall(cause.name, cost, 1, file.path, span.line)))
    return sorted(calls)


def _evaluate(
    ev: Evaluator,
    path: str,
    troubles: list[Finding],
    pieces: list[Source],
    only: Collection[int] | None,
    prose: Examples | None = None,
) -> None:
    """Run the module, then every class and every function (of `only` some pieces) by itself."""
    is_wanted = partial(_is_wanted, ev, only)
    for piece in pieces:
        if ev.units.ended and drives.is_program(piece):
            continue
        run = partial(_run_piece, ev, piece)
        if ev.units.drives and drives.is_program(piece):
            run = partial(drives.run_driven, ev, run, drives.name_of_piece(piece, prose))
        guarded(ev, path, troubles, "the module", run)
    if ev.units.built:
        guarded(ev, path, troubles, "the module", partial(drives.call_built, ev))
    if _keep_tables(ev, pieces):
        defining = [piece for piece in pieces if _defines(piece)]
        guarded(ev, path, troubles, "a decorator", partial(drives.enter_decorated, ev, defining))
    ev.module_cells, ev.module_facts = ev.cells, ev.facts
    if any(piece.is_prose for piece in pieces):
        return  # the functions of an example are what they are called with
    for piece in ev.units.examples:
        guarded(ev, path, troubles, "an example", partial(_run_piece, ev, piece))
    ev.units.next_round()
    for cls in filter(is_wanted, list(ev.units.classes)):
        guarded(ev, path, troubles, cls, partial(evaluate_classes, ev, cls))
        _evaluate_nested(ev, path, troubles)
    ev.units.next_round()
    for function in filter(is_wanted, list(ev.units.functions)):
        evaluate = partial(evaluate_function, ev, function)
        for run_once in drives.ways_to_run(ev, function, evaluate):
            guarded(ev, path, troubles, function, run_once)
            _evaluate_nested(ev, path, troubles)
        for again in moments.FUNCTION_DONE:
            ask = partial(again, ev, function, evaluate_spelled)
            guarded(ev, path, troubles, function, ask)
    for cls in filter(is_wanted, list(ev.units.classes)):
        for run_once in drives.inherited_tests(ev, cls):
            guarded(ev, path, troubles, cls, run_once)
            _evaluate_nested(ev, path, troubles)
    if ev.trials.calls is None or ev.trials.calls.suggest:  # what defaults build is not certain
        calls = cache(partial(calls_by_name, _statements_of(pieces)))
        ev.units.next_round()
        for cls in filter(is_wanted, list(ev.units.classes)):
            build = partial(evaluate_by_defaults, ev, cls, calls)
            guarded(ev, path, troubles, cls, build)
            if ev.units.drives and may_be_built(ev, cls):
                drive = partial(drives.evaluate_built, ev, cls, calls)
                guarded(ev, path, troubles, cls, drive)
    if ev.trials.calls is not None:
        guarded(ev, path, troubles, "a trial", partial(suppose_ranks, ev, partial(_try, ev)))
    fields_of = cache(config_fields.fields_of)
    ev.found = [one for one in ev.found if not _is_as_built(ev, one, pieces, fields_of)]


def _is_wanted(ev: Evaluator, only: Collection[int] | None, defined: Class | Function) -> bool:
    """Whether a definition is evaluated by itself."""
    uses = ev.units.uses
    if uses is not None and uses.wanted is not None and not uses.wanted(defined):
        return False
    return only is None or defined.source.line in only


def _keep_tables(ev: Evaluator, pieces: Sequence[Source]) -> bool:
    """Forget what functions change at the top level, and keep it for drives.

    Returns whether decorators may enter more for drives.
    """
    functions = [piece.text for piece in pieces if _defines(piece)]
    kept = forget_changed(ev, ev.module, functions)
    if not ev.units.drives:
        return False
    decorators = {name for text in functions for name in decorators_of(text)}
    if kept:
        others = [one for piece in pieces if not _defines(piece) for one in piece.chunk.statements]
        called = called_at_top(others, functions)
        for row, one in kept.items():
            ev.units.kept[row] = as_drives_find(one, called, decorators)
    return bool(decorators)


def _is_as_built(
    ev: Evaluator, outcome: Outcome, pieces: list[Source], fields_of: config_fields.FieldsOf
) -> bool:
    """Whether two sizes that have to be equal are so as the program builds its classes."""
    known = ev.independence
    if isinstance(outcome.mistake, ForcedLiteral):
        return known.fit_as_built(outcome.mistake.left_size, outcome.mistake.right_size)
    if outcome.requires is None:
        return False
    return (
        known.proven(*outcome.requires)
        or known.never_apart(*outcome.requires)
        or known.of_one_list(*outcome.requires)
        or config_fields.tie(*outcome.requires, known.classes(), fields_of)
        or handed_classes.built_alike(known, *outcome.requires, _statements_of(pieces))
    )


def _ask_again(
    ev: Evaluator,
    path: str,
    pieces: list[Source],
    program: Program | None,
    only: Collection[int] | None,
) -> None:
    """Keep what was found in a file only if the code shows it, see `by_code_alone`."""

    def evaluated(
        part: Collection[int] | None, doubt: Doubt | None, without_options: bool = False
    ) -> list[Outcome] | None:
        alone = ev.another(pieces[0], (program or ALONE).tables.world)
        alone.hearsay.left_out = doubt is HEARSAY or doubt is DECLARED
        alone.hearsay.undeclared = doubt is DECLARED
        alone.units.options_unknown = without_options
        # A single drive that was cut off goes as far again; several would take too long.
        alone.units.wasted = 0 if ev.units.wasted <= drives.BOUND + 1 else ev.units.wasted
        alone.hearsay.as_passed = doubt is LENT
        alone.inlays.wanted = False
        alone.units.drives, alone.units.examples = ev.units.drives, ev.units.examples
        alone.units.uses = ev.units.uses
        modes.begin_file(alone, pieces[0].file)
        unfinished: list[Finding] = []
        _evaluate(alone, path, unfinished, pieces, part)
        return None if unfinished else alone.found

    for doubt in (HEARSAY, DECLARED, LENT):
        if doubt.arises(ev):
            # Where what found them finds them again, the rest of the file has no say.
            part = _found_by(ev, filter(doubt.is_asked, ev.found), only)
            shown = None if part == only else evaluated(part, doubt)
            settled = None if shown is None else doubt.settled(ev.found, shown)
            if settled is not None and _are_same(settled, ev.found):
                continue
            shown = evaluated(only, doubt)
            if shown is not None:
                ev.found = doubt.settled(ev.found, shown)
    if may_be_by_options(ev):
        shown = evaluated(only, None, without_options=True)
        ev.found = whatever_options(ev, shown or ())


def _found_by(
    ev: Evaluator, outcomes: Iterable[Outcome], only: Collection[int] | None
) -> Collection[int] | None:
    """The lines of the chunks with the definitions whose evaluation found some outcomes.

    `only` with drives: what one of them finds depends on what the others have called.
    """
    if ev.units.drives:
        return only
    return frozenset().union(*[ev.units.found_in.get(key(one), ()) for one in outcomes])


def _are_same(outcomes: Sequence[Outcome], others: Sequence[Outcome]) -> bool:
    if len(outcomes) != len(others):
        return False
    return all(one is other for one, other in zip(outcomes, others, strict=True))


def _statements_of(pieces: list[Source]) -> list[ir.Statement]:
    return [statement for piece in pieces for statement in piece.chunk.statements]


def _defines(piece: Source) -> bool:
    """Whether a piece of a file defines functions or classes, and does nothing else."""
    return all(isinstance(s, (ir.FunctionDef, ir.ClassDef)) for s in piece.chunk.statements)


def _evaluate_nested(ev: Evaluator, path: str, troubles: list[Finding]) -> None:
    """Every function that was defined in the ones evaluated so far, by itself."""
    while ev.units.nested:
        record, (function, outer, at) = next(iter(ev.units.nested.items()))
        del ev.units.nested[record]
        ev.units.nested_done.add(record)
        evaluate = partial(evaluate_nested, ev, function, outer, at)
        guarded(ev, path, troubles, function, evaluate)


def _try(ev: Evaluator, function: Function, supposed: Mapping[str, int]) -> Verdict | None:
    """Run a function by itself with ranks that its parameters are supposed to have."""
    check_wanted(ev)
    _begin_trial(ev)
    evaluate_function(ev, function, supposed)
    ev.frame = ev.module
    return ev.trials.verdict


def _begin_trial(ev: Evaluator) -> None:
    # A function of its own: else mypyc takes the verdict for None after the run as well.
    ev.steps = 0
    ev.memory.evaluated.clear()
    ev.stack = []
    ev.inlays.seen = {}
    ev.alive = True
    ev.frame = ev.module
    ev.trials.verdict = None
    ev.trials.supposed.clear()


def _run_piece(ev: Evaluator, piece: Source) -> None:
    """Run the statements of one chunk of the module."""
    frame = ev.module
    frame.source = piece
    uses = ev.units.uses
    if uses is not None:
        uses.current = (piece, CLASS) if _defines(piece) else STATEMENTS
    try:
        ev.run(piece.chunk.statements)
        ev.units.ended = ev.units.ended or not ev.alive
        if uses is not None:
            for one in piece.chunk.statements:
                if isinstance(one, (ir.FunctionDef, ir.ClassDef)):
                    uses.note_bound(piece, frame.variables.get(one.name))
    except (Exhausted, RecursionError):
        ev.stopped = (piece, frame.line)
        raise
    finally:
        ev.found += frame.certain()
        inlays.describe(ev, frame)
        # Numbers of expressions start over with every chunk.
        frame.seen, frame.wrong, frame.symbols = {}, {}, {}

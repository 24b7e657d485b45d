"""One file from its bytes to its analysis: lower, run the module, then every function by itself.

Each function of the file is evaluated once with what its own declarations say; what is wrong in
one that our evaluation cannot cope with is an internal error of ours and keeps nothing else back.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from namecheck.analysis import inlays, ir, migration
from namecheck.analysis.evaluate import Evaluator, Exhausted
from namecheck.analysis.evidence.decisions import Outlook
from namecheck.analysis.expressions import TABLE
from namecheck.analysis.lower import SourceError, TooDeep, collector_paused, lower_chunks
from namecheck.analysis.report import findings
from namecheck.analysis.standalone import evaluate_classes, evaluate_function, evaluate_nested
from namecheck.analysis.statements import run
from namecheck.analysis.suppositions import Calls, Verdict, suppose_ranks
from namecheck.analysis.values import Function
from namecheck.findings import Analysis, Counts, Finding, Level, Note, ShapeAt, Span
from namecheck.source import decode
from namecheck.troubles import INTERNAL_ERROR, TROUBLES, syntax_error
from namecheck_runtime import rules as rules  # fills the registry that calls are looked up in


class Source:
    """A piece of the file with its records; lines count within the piece."""

    def __init__(self, text: str, line: int, chunk: ir.Chunk) -> None:
        self.text = text
        self.line = line
        self.chunk = chunk
        self.comments = ir.comments_by_statement(chunk)
        self._lines: list[str] | None = None
        self._outlooks: dict[int, Outlook] = {}

    def outlook(self, body: Sequence[ir.Statement]) -> Outlook:
        """What the statements of a body of this piece speak of."""
        found = self._outlooks.get(id(body))
        if found is None:
            found = self._outlooks[id(body)] = Outlook(body)
        return found

    def text_of(self, line: int) -> str:
        """What stands on one line."""
        if self._lines is None:
            self._lines = self.text.split("\n")
        return self._lines[line - 1] if 0 < line <= len(self._lines) else ""

    def whole_line(self, line: int) -> Span:
        """The span of what stands on one line."""
        text = self.text_of(line)
        start = len(text) - len(text.lstrip()) + 1
        end = max(len(text.rstrip()), start) + 1
        return Span(line + self.line - 1, start, line + self.line - 1, end)


def analyze(path: str, source: bytes, thorough: bool = False) -> Analysis:
    """What the analyzer finds in one file.  Raises nothing but `Undecodable`.

    `thorough` is for who looks at the shapes: it takes longer, and finds the same.
    """
    text = decode(source)
    return analyze_text(path, text, thorough)


def analyze_text(path: str, text: str, thorough: bool = False) -> Analysis:
    """As `analyze`, of text."""
    lines = text.count("\n") + (not text.endswith("\n") and text != "")
    try:
        chunks = lower_chunks(text)
    except TooDeep:
        # Python may well read it: we have nothing to say of the file.
        return Analysis((), counts=Counts(files=1, lines=lines))
    except SourceError as error:
        found = syntax_error(path, error.message, error.line, error.column)
        return Analysis((found,), counts=Counts(files=1, lines=lines))
    pieces = [Source(chunk.text, chunk.line, records) for chunk, records in chunks]
    ev = Evaluator(pieces[0])
    ev.on_expression = TABLE
    troubles: list[Finding] = []
    ev.tensor_class = _tensor_class(pieces)
    ev.migrates = migration.is_concerned(text)
    ev.mixed = not ev.tensor_class and any(_IMPORTS_LATER.search(piece.text) for piece in pieces)
    if thorough:
        ev.calls = Calls()
    with collector_paused():
        _evaluate(ev, path, troubles, pieces)
    shapes = tuple(
        ShapeAt(line, target, dims, kind) for (line, target, kind), dims in ev.shapes.items()
    )
    counts = Counts(
        1,
        lines,
        len(ev.expressions),
        sum(ev.expressions.values()),
        len(ev.assigned),
        sum(ev.assigned.values()),
    )
    return Analysis((*troubles, *findings(path, ev.found)), shapes, counts)


def _evaluate(ev: Evaluator, path: str, troubles: list[Finding], pieces: list[Source]) -> None:
    """Run the module, then every class and every function by itself."""
    for piece in pieces:
        _guarded(ev, path, troubles, "the module", partial(_run_piece, ev, piece))
    ev.module_cells, ev.module_facts = ev.cells, ev.facts
    for cls in list(ev.classes):
        _guarded(ev, path, troubles, cls.name, partial(evaluate_classes, ev, cls))
        _evaluate_nested(ev, path, troubles)
    for function in list(ev.functions):
        _guarded(ev, path, troubles, function.name, partial(evaluate_function, ev, function))
        _evaluate_nested(ev, path, troubles)
    if ev.calls is not None:
        _guarded(ev, path, troubles, "a trial", partial(suppose_ranks, ev, partial(_try, ev)))
    proven = ev.independence.proven
    ev.found = [o for o in ev.found if o.requires is None or not proven(*o.requires)]


def _evaluate_nested(ev: Evaluator, path: str, troubles: list[Finding]) -> None:
    """Every function that was defined in the ones evaluated so far, by itself."""
    while ev.nested:
        record, (function, outer, at) = next(iter(ev.nested.items()))
        del ev.nested[record]
        ev.nested_done.add(record)
        evaluate = partial(evaluate_nested, ev, function, outer, at)
        _guarded(ev, path, troubles, function.name, evaluate)


def _try(ev: Evaluator, function: Function, supposed: Mapping[str, int]) -> Verdict | None:
    """Run a function by itself with ranks that its parameters are supposed to have."""
    ev.steps = 0
    ev.evaluated.clear()
    ev.stack = []
    ev.seen = {}
    ev.alive = True
    ev.frame = ev.module
    ev.verdict = None
    ev.supposed.clear()
    evaluate_function(ev, function, supposed)
    ev.frame = ev.module
    return ev.verdict


def _tensor_class(pieces: list[Source]) -> str:
    """Whose methods an unknown value with a tensor's methods has, by the file's imports."""
    found = set()
    for statement in (statement for piece in pieces for statement in piece.chunk.statements):
        match statement:
            case ir.Import(names):
                found |= {alias.name.partition(".")[0] for alias in names}
            case ir.ImportFrom(module, _, 0):
                found.add(module.partition(".")[0])
    if found & {"torch", "namecheck_runtime"}:
        return "Tensor"
    if any(_IMPORTS_LATER.search(piece.text) for piece in pieces):
        return ""
    return "ndarray" if found & {"numpy", "jax"} else ""


_IMPORTS_LATER = re.compile(r"^[ \t]+(?:import|from) torch\b", re.MULTILINE)
"""A function that imports PyTorch for itself."""


def _run_piece(ev: Evaluator, piece: Source) -> None:
    """Run the statements of one chunk of the module."""
    frame = ev.module
    frame.source = piece
    try:
        run(ev, piece.chunk.statements)
    finally:
        ev.found += frame.certain()
        inlays.tell(ev, frame)
        # Numbers of expressions begin anew with every chunk.
        frame.seen, frame.wrong, frame.symbols = {}, {}, {}


def _guarded(
    ev: Evaluator, path: str, troubles: list[Finding], name: str, evaluate: Callable[[], None]
) -> None:
    """Evaluate something; a bug of ours is a finding, and the file goes on."""
    ev.steps = 0
    ev.evaluated.clear()
    ev.stack = []
    ev.seen = {}
    ev.alive = True
    try:
        evaluate()
    except (Exhausted, RecursionError):
        inlays.tell(ev, None)
    except Exception as failure:  # a bug of ours must not keep the rest from being checked
        troubles.append(_internal(path, name, ev, failure))
    ev.frame = ev.module
    ev.alive = True


def _internal(path: str, name: str, ev: Evaluator, failure: Exception) -> Finding:
    source, line = ev.at
    line += source.line - 1
    frames = traceback.extract_tb(failure.__traceback__)[-1:]
    notes = tuple(Note(f"raised in {f.filename.rpartition('/')[2]}:{f.lineno}") for f in frames)
    return Finding(
        path,
        Span(line, 1, line, 1),
        INTERNAL_ERROR,
        TROUBLES[INTERNAL_ERROR][0],
        Level.ERROR,
        f"namecheck failed in {name}: {type(failure).__name__}: {failure}",
        notes=notes,
        hint="this is a bug in namecheck, not in your code; please report it",
    )

"""Whether what was found holds without comments and docstrings, or even without annotations.

A finding knows what its operands rest on (`Claimed`), and its notes cite it. What a comment says
may also reach a finding by ways that carry no such mark: the number of sizes in `x.shape[:-2]`, a
branch that a size decides, a value that a call returns. Neither can the finding cite the comment
then, nor does it know that it is no more than a hint. So what cites none is asked of the code
alone: a file in which comments were believed is evaluated once more without them.

An annotation is a part of the program, and an error in the function that has it is an error. But a
wrong annotation also makes right functions look wrong that are called with what it says. So what
only a call shows must come of what the call passes: numbers, layers, shapes that were computed.

What a program does with the defaults of its options need not be what the user has it do: it is an
error only if it is one whatever the options say.

Nor does the annotation of a parameter say what its callers have: in `line(f * k)` of a vector `x`,
`k` may be one number. So what was found must also hold where arguments are only what is passed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from namecheck.analysis.state.frames import CALL_NOTES
from namecheck_runtime.mistakes.claims import CommentMismatch

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.frames import Outcome


def may_be_hearsay(ev: Evaluator) -> bool:
    """Whether something that was found may rest on comments or docstrings that it does not cite."""
    return ev.hearsay.has_come and any(map(_is_to_be_asked, ev.found))


def may_be_declared(ev: Evaluator) -> bool:
    """Whether something that only a call shows may rest on annotations."""
    return ev.hearsay.has_declared and any(map(_is_of_call, ev.found))


def shown_by_calls(found: Iterable[Outcome], undeclared: Iterable[Outcome]) -> list[Outcome]:
    """What was `found`, without what only a call shows and only with annotations."""
    shown = {key(outcome) for outcome in undeclared}
    return [outcome for outcome in found if not _is_of_call(outcome) or key(outcome) in shown]


class Doubt(NamedTuple):
    """What is asked of the code once more, without something that the evaluation believed."""

    arises: Callable[[Evaluator], bool]
    is_asked: Callable[[Outcome], bool]
    """Whether the answer may change an outcome."""
    settled: Callable[[Iterable[Outcome], Iterable[Outcome]], list[Outcome]]
    """What was found and may be reported, given what was found the second time."""


def may_be_by_options(ev: Evaluator) -> bool:
    """Whether something that was found may rest on the defaults of the command line's options."""
    if ev.units.reads_options is None:
        return False
    return any(outcome.level == "error" for outcome in ev.found)


def whatever_options(ev: Evaluator, shown: Iterable[Outcome]) -> list[Outcome]:
    """What was found, as warnings unless it is `shown` to be wrong whatever the options are."""
    assert ev.units.reads_options is not None
    certain = {key(outcome) for outcome in shown if outcome.level == "error"}
    note = ("the options have their defaults, as they are read", *ev.units.reads_options)
    kept: list[Outcome] = []
    for outcome in ev.found:
        if outcome.level == "error" and key(outcome) not in certain:
            kept.append(outcome._replace(level="warning", notes=(*outcome.notes, note)))
        else:
            kept.append(outcome)
    return kept


def may_be_lent(ev: Evaluator) -> bool:
    """Whether something that was found may rest on what a parameter says of an argument."""
    return ev.hearsay.has_lent and bool(ev.found)


def shown_as_passed(found: Iterable[Outcome], passed: Iterable[Outcome]) -> list[Outcome]:
    """What was `found` and does not rest on what parameters are annotated with that it is given to.

    `passed` is what is found without that; the level is that of both.
    """
    levels: dict[object, str] = {}
    for outcome in passed:
        if levels.get(key(outcome)) != "error":
            levels[key(outcome)] = outcome.level
    kept: list[Outcome] = []
    for outcome in found:
        level = levels.get(key(outcome))
        if level is not None:
            lighter = outcome.level == "error" and level != "error"
            kept.append(outcome._replace(level=level) if lighter else outcome)
    return kept


def _is_of_call(outcome: Outcome) -> bool:
    """Whether a function is wrong only as it is called.

    What contradicts an annotation, also that of the argument itself, is reported as that.
    """
    if outcome.mistake.about == "written" or outcome.roots:
        return False
    return any(text.startswith(CALL_NOTES) for text, _, _ in outcome.notes)


def confirmed(found: Iterable[Outcome], alone: Iterable[Outcome]) -> list[Outcome]:
    """What was `found` and may be reported, given what the code `alone` shows.

    It is an error only if the code alone makes it one. If the code alone does not show it, it stays
    as a warning where it names the labels of a comment.
    """
    levels: dict[object, set[str]] = {}
    for outcome in alone:
        levels.setdefault(key(outcome), set()).add(outcome.level)
    kept: list[Outcome] = []
    for outcome in found:
        if not _is_to_be_asked(outcome):
            kept.append(outcome)
            continue
        shown = levels.get(key(outcome), ())
        if outcome.level in shown:
            kept.append(outcome)
        elif shown or outcome.names_labels:
            kept.append(outcome._replace(level="warning"))
    return kept


def _is_to_be_asked(outcome: Outcome) -> bool:
    """Whether an outcome cites no comment, and is not about one."""
    return not outcome.is_claimed and not isinstance(outcome.mistake, CommentMismatch)


def key(outcome: Outcome) -> object:
    """What is equal for two outcomes that are the same mistake at the same place."""
    return outcome.source, outcome.node, outcome.mistake.code


def _any_outcome(outcome: Outcome) -> bool:
    return True


HEARSAY: Final = Doubt(may_be_hearsay, _is_to_be_asked, confirmed)
DECLARED: Final = Doubt(may_be_declared, _is_of_call, shown_by_calls)
LENT: Final = Doubt(may_be_lent, _any_outcome, shown_as_passed)


__all__ = [
    "DECLARED",
    "HEARSAY",
    "LENT",
    "Doubt",
    "key",
    "may_be_by_options",
    "whatever_options",
]

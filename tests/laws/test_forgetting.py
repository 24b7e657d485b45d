"""Forgetting: a call of which less is known is answered with nothing new and nothing false.

For every op and every layer: take a call that a rule accepts or refuses, and replace names, sizes,
ranks and options by UNKNOWN, or sizes by symbols of that value.  Then no mistake appears, no doubt
appears (by code), duties are true of the values, and the answer admits what it was before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from calls import (
    Call,
    Values,
    admits,
    ask,
    changed,
    drawn,
    drawn_layer,
    everything,
    forgotten_once,
    has_empty,
    holds,
    measured,
    mixed,
    name_of,
    read_listed,
    symbolic,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from namecheck_runtime.declare import LAYERS, OPS, REGISTRY
from namecheck_runtime.infer import Answer
from namecheck_runtime.lattice import Size
from namecheck_runtime.mistakes import Mistake
from namecheck_runtime.sizes import Symbol

EXAMPLES = 10
"""How many drawn calls of each op are looked at, besides what was measured."""
SEARCH = 600
"""How many more are drawn to find one that is accepted, and one that is refused."""

DATA = Path(__file__).parents[1] / "data"
NEVER_REFUSES = read_listed(DATA / "never_refuses.txt")
"""The ops that take every call that binds, with the reason in a word."""
ASSUMPTIONS = read_listed(DATA / "assumptions.txt")
"""The ops whose rules take a symbol to be larger than 1."""
PRESUMED_NOT_EMPTY = read_listed(DATA / "presumed_not_empty.txt")
"""The ops whose rules take a tensor of unknown sizes to have elements."""


def check(call: Call, truth: Answer, less: Call, values: Mapping[Symbol, Size]) -> None:
    """Hold the answer to a call that knows less against the answer to the accepted call."""
    answer = ask(less)
    story = f"{call}  ->  {truth.result}\n{less}"
    assert answer is not None, f"{story}  does not bind"
    assert not isinstance(answer, Mistake), f"{story}  is refused: {answer}"
    assert admits(answer.result, truth.result, values), f"{story}  ->  {answer.result}"
    for duty in answer.duties:
        assert holds(duty.left, duty.right, duty.or_one, values), (
            f"{story}  holds only if {duty.left} == {duty.right}"
        )


def check_doubts(call: Call, before: Answer, less: Call) -> None:
    """No doubt appears when something is replaced by UNKNOWN.  (Symbols may bring some: a doubt
    asks whether two sizes are one symbol.)
    """
    after = ask(less)
    assert isinstance(after, Answer)
    new = {doubt.code for doubt in after.doubts} - {doubt.code for doubt in before.doubts}
    assert not new, f"{call}\n{less}  is doubted: {new}"


def check_call(call: Call, random: Random, thorough: bool) -> str:
    """Forget what a call says, thing by thing if `thorough`, and several things at once.  Returns
    whether it was accepted, refused or did not bind.
    """
    truth = ask(call)
    if truth is None:
        return "unbound"
    if name_of(call.path) in PRESUMED_NOT_EMPTY and has_empty(call):
        return "empty"
    if isinstance(truth, Mistake):
        # A call that is wrong may be wrong for another reason, too: nothing can be new.  But its
        # rule must answer.
        for less in (mixed(call, random, 0.3), symbolic(call, Values(random), 0.5)):
            ask(less)
        return "refused"
    if thorough:
        for less in forgotten_once(call):
            check(call, truth, less, {})
            check_doubts(call, truth, less)
    values = Values(random, 2 if name_of(call.path) in ASSUMPTIONS else 1)
    renamed = symbolic(call, values, random.choice((0.3, 0.7, 1.0)))
    answer = ask(renamed)
    if answer is None:  # an option that is a number, and not a size
        renamed, answer = call, truth
    check(call, truth, renamed, values.of)
    assert isinstance(answer, Answer)
    less = mixed(renamed, random, random.choice((0.1, 0.3, 0.6)))
    check(call, truth, less, values.of)
    check_doubts(renamed, answer, less)
    return "accepted"


def draw(name: str, random: Random) -> Call:
    """A call of an op or layer: measured, measured and changed, or made from its annotations."""
    seeds = measured().get(name, ())
    if seeds and random.random() < 0.6:
        return changed(random.choice(seeds), random)
    if name in OPS:
        return drawn(REGISTRY[random.choice(OPS[name].spellings)], random)
    return drawn_layer(name, random)


def check_drawn(name: str, examples: int) -> Counter[str]:
    """So many drawn calls of an op or layer."""
    counts: Counter[str] = Counter()

    @settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.randoms(use_true_random=False))
    def property(random: Random) -> None:
        counts[check_call(draw(name, random), random, thorough=False)] += 1

    property()
    return counts


@pytest.mark.parametrize("name", everything())
def test_forgetting(name: str) -> None:
    random = Random(name)
    counts: Counter[str] = Counter()
    for call in measured().get(name, ()):
        counts[check_call(call, random, thorough=True)] += 1
    counts += check_drawn(name, EXAMPLES)
    for _ in range(SEARCH):
        if counts["accepted"] and (counts["refused"] or name in NEVER_REFUSES):
            break
        counts[check_call(draw(name, random), random, thorough=False)] += 1
    assert counts["accepted"], f"no call was accepted: {counts}"
    if name in NEVER_REFUSES:
        assert not counts["refused"], "it can refuse: take it out of never_refuses.txt"
    else:
        assert counts["refused"], f"no call was refused: {counts}"


@pytest.mark.slow
@pytest.mark.parametrize("name", everything())
def test_forgetting_deeper(name: str) -> None:
    check_drawn(name, 60)


def test_lists_name_ops() -> None:
    known = OPS.keys() | LAYERS.keys()
    assert not NEVER_REFUSES.keys() - known
    assert not ASSUMPTIONS.keys() - known
    assert not PRESUMED_NOT_EMPTY.keys() - known

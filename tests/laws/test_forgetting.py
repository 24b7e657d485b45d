"""Forgetting: the answer to a call of which less is known has nothing new and nothing false.

For every op and every layer: take a call that a rule accepts or refuses, and replace names, sizes,
ranks and options by UNKNOWN, or sizes by symbols of that value.  Then no mistake and no doubt (by
code) appears, duties are true of the values, and the new answer admits the old one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
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
    has_size,
    holds,
    measured,
    mixed,
    name_of,
    read_listed,
    symbolic,
)

from namecheck_runtime.declare import OPS, REGISTRY
from namecheck_runtime.infer import Answer
from namecheck_runtime.lattice import UNKNOWN, Size
from namecheck_runtime.layers import LAYERS
from namecheck_runtime.mistakes import Mistake
from namecheck_runtime.sizes import Symbol

EXAMPLES = 10
"""The number of drawn calls of each op, besides the measured ones."""
SEARCH = 600
"""The number of further draws to find an accepted and a refused call."""

DATA = Path(__file__).parents[1] / "data"
NEVER_REFUSES = read_listed(DATA / "never_refuses.txt")
"""The ops that accept every call that binds, with the reason in a word."""
ASSUMPTIONS = read_listed(DATA / "assumptions.txt")
"""The ops whose rules take a symbol to be larger than 1."""
LOSSES = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
LOSS_LAYERS = ("MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss")
NOT_MEANT: Mapping[str, Callable[[Call, Answer], bool]] = {
    # torch accepts an index without elements, whatever its rank.
    **dict.fromkeys(
        ("torch.gather", "torch.scatter", "torch.scatter_add", "torch.scatter_reduce"),
        lambda call, truth: has_size(call, 0),
    ),
    # A loss accepts one number as the target of many.
    **dict.fromkeys(
        [f"torch.nn.functional.{name}" for name in LOSSES]
        + [f"torch.nn.{name}" for name in LOSS_LAYERS],
        lambda call, truth: has_size(call, 1),
    ),
    # equinox's layers take one example; with more dims they run only if the sizes happen to fit.
    **dict.fromkeys(
        ("equinox.nn.Linear", "equinox.nn.MLP"),
        lambda call, truth: not isinstance(call.arguments[0], tuple) or len(call.arguments[0]) > 1,
    ),
    # Rows of different lengths have no shape, and NumPy refuses most of them.
    "numpy.array": lambda call, truth: truth.result is UNKNOWN,
}
"""By op, accepted calls that a rule deliberately refuses or doubts once less is known: the mistakes
that it finds in other calls are worth more.
"""


def check(call: Call, truth: Answer, vaguer: Call, values: Mapping[Symbol, Size]) -> None:
    """Compare the answer to a call that knows less with the answer to the accepted call."""
    answer = ask(vaguer)
    story = f"{call}  ->  {truth.result}\n{vaguer}"
    assert answer is not None, f"{story}  does not bind"
    assert not isinstance(answer, Mistake), f"{story}  is refused: {answer}"
    assert admits(answer.result, truth.result, values), f"{story}  ->  {answer.result}"
    for duty in answer.duties:
        assert holds(duty.left, duty.right, duty.or_one, values), (
            f"{story}  holds only if {duty.left} == {duty.right}"
        )


def check_doubts(call: Call, before: Answer, vaguer: Call) -> None:
    """Check that no doubt appears if something is replaced by UNKNOWN.  (Symbols may cause doubts:
    a doubt asks whether two sizes are one symbol.)
    """
    after = ask(vaguer)
    assert isinstance(after, Answer)
    new = {doubt.code for doubt in after.doubts} - {doubt.code for doubt in before.doubts}
    assert not new, f"{call}\n{vaguer}  is doubted: {new}"


def check_call(call: Call, random: Random, thorough: bool) -> str:
    """Forget parts of a call, one by one if `thorough`, and several at once.  Returns whether the
    call was accepted, refused or did not bind.
    """
    truth = ask(call)
    if truth is None:
        return "unbound"
    if isinstance(truth, Mistake):
        # A wrong call may be wrong for another reason, too, so no mistake counts as new.  But its
        # rule must answer.
        for vaguer in (mixed(call, random, 0.3), symbolic(call, Values(random), 0.5)):
            ask(vaguer)
        return "refused"
    not_meant = NOT_MEANT.get(name_of(call.path))
    if not_meant is not None and not_meant(call, truth):
        return "not meant"
    if thorough:
        for vaguer in forgotten_once(call):
            check(call, truth, vaguer, {})
            check_doubts(call, truth, vaguer)
    values = Values(random, 2 if name_of(call.path) in ASSUMPTIONS else 1)
    renamed = symbolic(call, values, random.choice((0.3, 0.7, 1.0)))
    answer = ask(renamed)
    if answer is None:  # a symbol replaced an option that is a number, and not a size
        renamed, answer = call, truth
    check(call, truth, renamed, values.of)
    assert isinstance(answer, Answer)
    vaguer = mixed(renamed, random, random.choice((0.1, 0.3, 0.6)))
    check(call, truth, vaguer, values.of)
    check_doubts(renamed, answer, vaguer)
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
    """Check `examples` drawn calls of an op or layer."""
    counts: Counter[str] = Counter()
    for example in range(examples):
        random = Random(f"{name} {example}")  # the same on every machine, with every library
        counts[check_call(draw(name, random), random, thorough=False)] += 1
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
        assert not counts["refused"], "it can refuse: remove it from never_refuses.txt"
    else:
        assert counts["refused"], f"no call was refused: {counts}"


@pytest.mark.deep
@pytest.mark.parametrize("name", everything())
def test_forgetting_deeper(name: str) -> None:
    check_drawn(name, 60)


def test_lists_name_ops() -> None:
    names = OPS.keys() | LAYERS.keys()
    assert not NEVER_REFUSES.keys() - names
    assert not ASSUMPTIONS.keys() - names
    assert not NOT_MEANT.keys() - names

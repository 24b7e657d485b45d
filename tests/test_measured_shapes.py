"""The rules, compared with calls that were run on the real libraries; see `measured_shapes`."""

from __future__ import annotations

import functools
from collections import Counter

import pytest

from measured_shapes import (
    FILES,
    REFUSED,
    Outcome,
    build,
    caught,
    parameters_agree,
    read_rows,
    replay_file,
)
from namecheck_runtime.layers import LAYERS

NO_RULE = {
    "a container: the readers' business": ("torch.nn.Sequential",),
}

FLOORS = {"torch": 0.95, "numpy": 0.88, "einops": 0.80, "more": 0.95}
"""The least share of refusals over shapes and dims that rules must find."""

UNKNOWN_CEILINGS = {"torch": 130, "numpy": 65, "einops": 3, "more": 3}
"""The most answers that may be unknown: those that depend on elements."""


@functools.cache
def outcomes(file: str) -> tuple[Outcome, ...]:
    return tuple(replay_file(file))


def described(outcome: Outcome) -> str:
    row = {name: value for name, value in outcome.row.items() if name not in ("d", "p")}
    return f"{outcome.path} {row}: {outcome.got}"


@pytest.mark.parametrize("file", FILES)
def test_no_row_is_wrong(file: str) -> None:
    wrong = [outcome for outcome in outcomes(file) if outcome.verdict == "wrong"]
    assert not wrong, "\n".join(map(described, wrong[:20]))


@pytest.mark.parametrize("file", FILES)
def test_every_call_has_a_rule(file: str) -> None:
    listed = {path for paths in NO_RULE.values() for path in paths}
    missing = Counter(o.path for o in outcomes(file) if o.verdict == "no rule")
    assert not missing.keys() - listed


def test_the_list_of_missing_rules_is_up_to_date() -> None:
    listed = {path for paths in NO_RULE.values() for path in paths}
    missing = {o.path for file in FILES for o in outcomes(file) if o.verdict == "no rule"}
    assert listed == missing


@pytest.mark.parametrize("file", FILES)
def test_refusals_are_found(file: str) -> None:
    silent = [o for o in outcomes(file) if o.verdict == "silent" and o.category in REFUSED]
    assert caught(outcomes(file)) >= FLOORS[file], "\n".join(map(described, silent[:20]))


@pytest.mark.parametrize("file", FILES)
def test_few_answers_are_unknown(file: str) -> None:
    unknown = [o for o in outcomes(file) if o.verdict == "unknown"]
    counts = Counter(o.path for o in unknown)
    assert len(unknown) <= UNKNOWN_CEILINGS[file], counts.most_common()


@pytest.mark.parametrize("file", FILES)
def test_layers_have_the_tensors_that_were_measured(file: str) -> None:
    rows = [row for row in read_rows(file) if "p" in row and row["op"] in LAYERS]
    wrong = [f"{row['id']}: {text}" for row in rows if (text := parameters_agree(row))]
    assert not wrong, "\n".join(wrong[:20])


def test_layers_list_their_tensors() -> None:
    """A layer with parameters lists each of them, except those of its sublayers."""
    missing: set[str] = set()
    for file in FILES:
        for row in read_rows(file):
            if "p" not in row or row["op"] not in LAYERS or "Transformer" in row["op"]:
                continue
            instance = build(row["op"], row)
            listed = instance.layer.parameters(instance.fields)
            missing |= {f"{row['op']}.{name}" for name in row["p"] if name not in listed}
    assert not {name for name in missing if "AdaptiveLogSoftmax" not in name}

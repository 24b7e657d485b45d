"""Calls from the examples in docstrings of libraries: all claims are right, and nothing is said.

What each call gives was measured; see `docstring_examples` and data/README.md.
"""

from __future__ import annotations

import functools

import pytest

from docstring_examples import LIBRARIES, Verdict, has_text, read_calls, replay, share

FLOORS = {
    "numpy": 0.93,
    "torch": 0.97,
    "jax.numpy": 0.90,
    "jax.lax": 0.96,
    "einops": 0.99,
    "scipy.linalg": 0.97,
    "scipy.signal": 0.97,
    "scipy.ndimage": 0.97,
}
"""The least share of the calls with a rule whose results are claimed with all dims.

The others mostly depend on elements.
"""


@functools.cache
def verdicts(library: str) -> tuple[Verdict, ...]:
    return tuple(replay(library))


def described(verdict: Verdict) -> str:
    said = (*verdict.wrong, *verdict.findings)
    return f"{verdict.call.object}: {verdict.program!r}: {'; '.join(said)}"


@pytest.mark.parametrize("library", LIBRARIES)
def test_no_claim_is_wrong(library: str) -> None:
    wrong = [verdict for verdict in verdicts(library) if verdict.wrong]
    assert not wrong, "\n".join(map(described, wrong[:20]))


@pytest.mark.parametrize("library", LIBRARIES)
def test_nothing_is_reported_of_calls_that_ran(library: str) -> None:
    loud = [verdict for verdict in verdicts(library) if verdict.findings]
    assert not loud, "\n".join(map(described, loud[:20]))


@pytest.mark.parametrize("library", LIBRARIES)
def test_silence_does_not_pass(library: str) -> None:
    claimed, ruled = share(verdicts(library))
    print(f"{library}: {len(verdicts(library))} calls, a rule for {ruled}, claimed {claimed}")
    assert claimed / ruled >= FLOORS[library]


def test_thousands_are_replayed() -> None:
    calls = list(read_calls())
    assert len(calls) > 7000
    assert sum(call.has_rule for call in calls) > 5500


def test_calls_of_functions_without_a_rule_claim_nothing() -> None:
    """A guess by the name of a function is for programs that say no more."""
    of_scipy = (v for library in LIBRARIES[-3:] for v in verdicts(library))
    claims = [v for v in of_scipy if not v.call.has_rule and any(v.claims)]
    assert not claims, "\n".join(map(described, claims[:20]))


def test_no_text_of_the_documentation_is_kept() -> None:
    texts = [call for call in read_calls() if has_text(call.row.get("args"), within=False)]
    assert not texts

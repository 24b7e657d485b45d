"""Which codes selectors cover, and which of several sources wins."""

from __future__ import annotations

import pytest

from namecheck.codes.selection import (
    DEFAULT,
    STRICT,
    Layer,
    canonical,
    is_selected,
    known_codes,
    meant,
)
from namecheck_runtime.mistakes import CODES

OFF = {*STRICT, "NC801", "NC802"}


def test_by_default_all_codes_are_on_but_the_optional_ones() -> None:
    layers = (Layer(DEFAULT),)
    assert {code for code in known_codes() if not is_selected(code, layers)} == OFF
    assert {code for code in CODES if is_selected(code, layers)} == CODES.keys() - STRICT


def test_the_classes_of_mistakes_say_which_codes_are_strict() -> None:
    assert {code for code, mistake in CODES.items() if mistake.is_strict} == STRICT


@pytest.mark.parametrize(
    ("layer", "code", "on"),
    [
        (Layer(("NC2",)), "NC202", True),
        (Layer(("NC2",)), "NC101", False),
        (Layer(("NC2",), ignore=("NC202",)), "NC202", False),
        (Layer(("NC2",), ignore=("NC202",)), "NC203", True),
        (Layer(("NC202",), ignore=("NC2",)), "NC202", True),
        (Layer(("NC202",), ignore=("NC2",)), "NC203", False),
        (Layer(("NC202",), ignore=("NC202",)), "NC202", False),
        (Layer(("ALL",), ignore=("NC2",)), "NC202", False),
        (Layer(("ALL",)), "NC801", True),
        (Layer(("NC2",), ignore=("ALL",)), "NC202", True),
        (Layer(("NC20",), ("NC101",), ("NC2",)), "NC202", True),
        (Layer(("NC1",), ("NC2",)), "NC202", True),
        (Layer(()), "NC202", False),
        # without a `select`, a layer extends the defaults
        (Layer(ignore=("NC2",)), "NC202", False),
        (Layer(ignore=("NC2",)), "NC101", True),
        (Layer(extend=("NC8",)), "NC801", True),
        (Layer(extend=("NC8",)), "NC202", True),
        # a family does not include codes about correct programs
        (Layer(("NC2",)), "NC209", False),
        (Layer(("NC20",)), "NC209", False),
        (Layer(("NC209",)), "NC209", True),
        (Layer(("ALL",)), "NC209", True),
        (Layer(("ALL",), ignore=("NC2",)), "NC209", False),
        # a file that was not checked never counts as a clean one
        (Layer((), ignore=("ALL",)), "NC900", True),
        (Layer((), ignore=("ALL",)), "NC999", True),
    ],
)
def test_one_layer_over_the_defaults(layer: Layer, code: str, on: bool) -> None:
    assert is_selected(code, (Layer(DEFAULT), layer)) is on


@pytest.mark.parametrize(
    ("below", "above", "code", "on"),
    [
        # the command line's family wins over the full code that a file ignores
        (Layer(ignore=("NC202",)), Layer(extend=("NC2",)), "NC202", True),
        (Layer(("NC202",)), Layer(ignore=("NC2",)), "NC202", False),
        (Layer(ignore=("NC202",)), Layer(("NC2",)), "NC202", True),
        (Layer(("NC1",)), Layer(("NC2",)), "NC101", False),
        (Layer(("NC1",)), Layer(extend=("NC2",)), "NC101", True),
        (Layer(("NC1",)), Layer(ignore=("NC2",)), "NC101", True),
    ],
)
def test_a_later_layer_wins(below: Layer, above: Layer, code: str, on: bool) -> None:
    assert is_selected(code, (Layer(DEFAULT), below, above)) is on


@pytest.mark.parametrize(
    ("selector", "code"),
    [
        ("NC202", "NC202"),
        ("NC2", "NC2"),
        ("NC", "NC"),
        ("ALL", "ALL"),
        ("misaligned-broadcast", "NC202"),
        ("N", None),
        ("", None),
        ("NC2021", None),
        ("NC7", None),
        ("nc202", None),
        ("misaligned", None),
    ],
)
def test_the_codes_of_selectors(selector: str, code: str | None) -> None:
    assert canonical(selector) == code


@pytest.mark.parametrize(
    ("written", "suggested"),
    [
        ("nc202", "NC202"),
        ("nc2", "NC2"),
        ("all", "ALL"),
        ("NC2O2", "NC202"),
        ("misaligned_broadcast", "misaligned-broadcast"),
        ("Misaligned-Broadcast", "misaligned-broadcast"),
        ("misaligned-brodcast", "misaligned-broadcast"),
        ("F401", None),
    ],
)
def test_guesses_at_misspelled_selectors(written: str, suggested: str | None) -> None:
    assert meant(written) == suggested

"""pytest: its context managers, and the names with which tests are marked and given values."""

from __future__ import annotations

from typing import Final

EXPECTING: Final = ("raises",)
"""How the names of context managers begin that catch an exception of their body."""

FIXTURES: Final = frozenset({"pytest.fixture", "pytest_asyncio.fixture"})
"""Decorators of functions whose values tests ask for by their names."""

PARAMETRIZE: Final = "pytest.mark.parametrize"
NAMES: Final = "argnames"
VALUES: Final = "argvalues"
INDIRECT: Final = "indirect"
"""The keyword that names the fixtures to which the values are passed, or has all of them."""

PARAMS: Final = "params"
EVERY_TEST: Final = "autouse"
"""Keywords of fixtures."""

ROW: Final = "param"
"""The function that makes a row with marks: `pytest.param(1, 2, marks=...)`."""

REQUEST: Final = "request"
"""The fixture that says, as its attribute `param`, which of its parameters a fixture is for."""

PARAM: Final = "param"

NOT_RUN: Final = frozenset({"pytest.mark.skip", "pytest.mark.xfail"})
"""Marks of tests that are not run, or are expected to fail."""

SHARED: Final = "conftest"
"""The module that has the fixtures of a folder."""

SET_UP: Final = ("setup_class", "setup_method")
"""Methods that prepare the tests of a class, in their order."""

TEST: Final = "test"
"""How the names of tests begin."""

"""pytest: its context managers, and the names with which tests are marked and given values."""

from __future__ import annotations

from typing import Final

EXPECTING: Final = ("raises",)
"""How the names of context managers begin that catch an exception of their body."""

ENDING: Final = frozenset({"pytest.skip", "pytest.xfail", "pytest.fail", "pytest.exit"})
"""Functions that do not return."""

RAISES: Final = "pytest.raises"
"""The context that expects an exception, which a row of a table may hold."""

MARKING: Final = frozenset({"applymarker", "add_marker"})
"""Methods that give a mark to the test that is being run."""

REPLACING: Final = frozenset({"setattr", "patch", "object"})
"""Methods of fixtures that replace parts of the program: `monkeypatch.setattr`, `mocker.patch`."""

FIXTURES: Final = frozenset({"pytest.fixture", "pytest_asyncio.fixture"})
"""Decorators of functions whose values tests ask for by their names."""

PARAMETRIZE: Final = "pytest.mark.parametrize"
MARK: Final = "pytest.mark."
"""How the paths of marks begin."""

MARKS: Final = "pytestmark"
"""The name under which a module or a class has the marks of all its tests."""

USES: Final = "pytest.mark.usefixtures"
"""The mark that names fixtures whose values a test does not take."""

NAMES: Final = "argnames"
VALUES: Final = "argvalues"
INDIRECT: Final = "indirect"
"""The keyword that names the fixtures to which the values are passed, or has all of them."""

PARAMS: Final = "params"
EVERY_TEST: Final = "autouse"
NAME: Final = "name"
"""Keywords of fixtures."""

WORD: Final = "fixture"
"""What the text of each fixture has in it."""

ROW: Final = "pytest.param"
"""The function that makes a row with marks: `pytest.param(1, 2, marks=...)`."""

ROW_FIELDS: Final = ("values", "marks", "id")
"""The fields of such a row."""

REQUEST: Final = "request"
"""The fixture that says, as its attribute `param`, which of its parameters a fixture is for."""

PARAM: Final = "param"
OBJECTS: Final = ("cls", "instance")
"""The attributes of `request` that are the object of the test, or its class."""

VALUE_OF: Final = "getfixturevalue"
"""The method of `request` that gives the value of a fixture by its name."""

NOT_RUN: Final = frozenset({"pytest.mark.skip", "pytest.mark.xfail"})
"""Marks of tests that are not run, or are expected to fail."""

SHARED: Final = "conftest"
"""The module that has the fixtures of a folder."""

PLUGINS: Final = "pytest_plugins"
"""The name under which a module lists others that have fixtures."""

SET_UP: Final = ("setup_class", "setup_method")
"""Methods that prepare the tests of a class, in their order."""

BEFORE: Final = (("setup_module", "setUpModule"), ("setup_function",))
"""Functions that prepare a module, and those that prepare each of its tests outside classes."""

AFTER: Final = "tear"
"""How the names of functions begin that are called behind tests."""

TEST: Final = "test"
"""How the names of tests begin."""

CLASS: Final = "Test"
"""How the names of classes begin that have tests, unless a base class says that they have."""


def searched_words(definition: str) -> tuple[str, ...]:
    """The words in a definition by which a test finds it as a fixture, whatever its name is."""
    if WORD not in definition:
        return ()
    return tuple([word for word in (EVERY_TEST, NAME) if word in definition])

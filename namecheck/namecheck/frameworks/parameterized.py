"""Tables of tests of other packages: parameterized, and absl's module of the same name."""

from __future__ import annotations

from typing import Final

ROW: Final = "parameterized.param"
"""The function that makes a row with keywords: `param(1, 2, width=8)`."""

ROW_FIELDS: Final = ("args", "kwargs")
"""The fields of such a row."""

LISTED: Final = frozenset({"parameterized.parameterized", "parameterized.parameterized.expand"})
"""Decorators that take a list of rows."""

OF_CLASSES: Final = "parameterized.parameterized_class"
"""The decorator that gives attributes to a class: names and rows, or dicts."""

SPELLED: Final = frozenset({"absl.testing.parameterized.parameters"})
"""Decorators whose arguments are the rows, or whose only one is a list of them."""

NAMED: Final = frozenset({"absl.testing.parameterized.named_parameters"})
"""Such decorators of rows that begin with the name of a test, or have it under `NAME`."""

NAME: Final = "testcase_name"

PRODUCTS: Final = frozenset({"absl.testing.parameterized.product"})
"""Decorators that take values by the names of parameters, for each of which the test is run."""

MARKS: Final = LISTED | SPELLED | NAMED | PRODUCTS | {OF_CLASSES}
"""All of these decorators."""

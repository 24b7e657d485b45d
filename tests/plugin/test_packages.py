"""The packages of arrays are listed twice: before the rules are read, and by the rules."""

from __future__ import annotations

from namecheck_plugin import entry
from namecheck_plugin.types import surface


def test_the_entry_knows_all_packages_of_arrays() -> None:
    assert surface.PACKAGES <= entry.ARRAYS

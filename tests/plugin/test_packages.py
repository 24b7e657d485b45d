"""Which packages the plugin is asked about is said before the rules are read, and by them."""

from __future__ import annotations

from namecheck_plugin import entry
from namecheck_plugin.types import surface


def test_who_waits_knows_all_packages_of_arrays() -> None:
    assert surface.PACKAGES <= entry.ARRAYS

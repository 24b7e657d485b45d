"""The mypy plugin of namecheck: names of dims in the type checker.

`plugins = ["namecheck_plugin"]` in mypy's configuration loads it.  Nothing here imports NumPy or
LibCST, because every run of mypy pays for what its plugins import.
"""

from __future__ import annotations

from mypy.plugin import Plugin

from namecheck_plugin.version import digest

__version__ = digest()
"""Part of mypy's cache key, so that no cached answer outlives the rules that gave it."""

__all__ = ["__version__", "plugin"]


def plugin(version: str) -> type[Plugin]:
    """The entry point that mypy calls, with its own version."""
    from namecheck_plugin.entry import NamecheckPlugin

    return NamecheckPlugin

"""The mypy plugin of namecheck.  **It installs no hook yet**: loading it changes nothing in mypy.

It is a valid plugin, so a project can already write `plugins = ["namecheck_plugin"]` and our own
type check loads it on every run.  The hooks, which will report the rulebook's mistakes as mypy
errors and show names in `reveal_type`, come with the plugin's own issue.

Nothing here imports NumPy or LibCST: mypy pays for whatever its plugins import.
"""

from __future__ import annotations

from mypy.plugin import Plugin

# mypy puts `__version__` of a plugin module into its cache key.
from namecheck_runtime import __version__

__all__ = ["NamecheckPlugin", "__version__", "plugin"]


class NamecheckPlugin(Plugin):
    """mypy's `Plugin` with no hook overridden: every question gets mypy's own answer."""


def plugin(version: str) -> type[Plugin]:
    """The entry point that mypy calls, with its own version."""
    return NamecheckPlugin

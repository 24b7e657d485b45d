"""What mypy's cache has to know of us: a digest of the plugin and the rules that it reads."""

from __future__ import annotations

import os
from functools import cache

import namecheck_runtime
from namecheck_runtime.readers import fingerprint


@cache
def digest() -> str:
    """A digest of the bytes of all of them.

    mypy itself looks at the plugin's own file only: its cache would keep answers of rules that have
    changed since.
    """
    runtime, plugin = namecheck_runtime.__path__[0], os.path.dirname(__file__)
    recorded = fingerprint.recorded(runtime, plugin)
    if recorded is not None:
        return recorded
    return fingerprint.digest([*fingerprint.sources(plugin), *fingerprint.sources_of_rules()])

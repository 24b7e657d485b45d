"""The version for mypy's cache: a digest of the plugin and of the rules that it asks."""

from __future__ import annotations

import os
from functools import cache

import namecheck_runtime
from namecheck_runtime.readers import fingerprint


@cache
def digest() -> str:
    """A digest of the bytes of all these files.

    mypy itself looks only at the plugin's own file, so its cache would keep the answers of rules
    that have changed since.
    """
    runtime, plugin = namecheck_runtime.__path__[0], os.path.dirname(__file__)
    recorded = fingerprint.recorded(runtime, plugin)
    if recorded is not None:
        return recorded
    return fingerprint.digest([*fingerprint.sources(plugin), *fingerprint.sources_of_rules()])

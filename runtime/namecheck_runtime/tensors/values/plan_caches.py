"""The caches of plans for calls, which any module below may empty.

A plan holds until the default dtype, the backends or their kernels change.
"""

from __future__ import annotations

from typing import Any, Final

_CACHES: Final[list[dict[Any, Any]]] = []


def new_cache() -> dict[Any, Any]:
    """A dict that `forget` empties."""
    cache: dict[Any, Any] = {}
    _CACHES.append(cache)
    return cache


def forget() -> None:
    """Empty all caches: something has changed on which plans depend."""
    for cache in _CACHES:
        cache.clear()

"""The caches of plans for calls, which any module below may empty.

A plan holds until the default dtype, the backends or their kernels change.
"""

from __future__ import annotations

from typing import Any, Final

FULL: Final = 1024
"""The most entries of a cache."""
_CACHES: Final[list[dict[Any, Any]]] = []


def new_cache() -> dict[Any, Any]:
    """A dict that `forget` empties."""
    cache: dict[Any, Any] = {}
    _CACHES.append(cache)
    return cache


def keep(cache: dict[Any, Any], key: Any, value: Any) -> None:
    """Keep an entry of a cache; a cache that is full is emptied before."""
    if len(cache) >= FULL:
        cache.clear()
    cache[key] = value


def forget() -> None:
    """Empty all caches: something has changed on which plans depend."""
    for cache in _CACHES:
        cache.clear()

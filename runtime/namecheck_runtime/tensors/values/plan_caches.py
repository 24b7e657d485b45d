"""What is kept of calls: dicts that anything below may have emptied.

What was said of a call holds until something changes that it was said with: the default dtype, the
backends, their kernels.
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
    """Ask everything anew: something has changed that plans were made with."""
    for cache in _CACHES:
        cache.clear()

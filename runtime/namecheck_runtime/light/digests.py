"""BLAKE2b, by which what was read before is known again.

`hashlib` has it too, and loads OpenSSL with it, which takes longer than all that is digested in a
run in which nothing has changed.
"""

from __future__ import annotations

try:
    from _blake2 import blake2b
except ImportError:  # a Python that has no module of its own for it
    from hashlib import blake2b

__all__ = ["blake2b"]

"""A digest of our own sources, which a cache needs besides the version.

A version identifies a release; a clone, or an installation from one, is identified only by its
bytes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

import namecheck_runtime
from namecheck_runtime.light.digests import blake2b

__all__ = ["digest", "recorded", "sources", "sources_of_rules"]


def sources(folder: str) -> Iterator[str]:
    """The Python files and stubs in a folder and below."""
    for entry in os.scandir(folder):
        if entry.name.endswith((".py", ".pyi")):
            yield entry.path
        elif entry.is_dir() and entry.name != "__pycache__":
            yield from sources(entry.path)


def sources_of_rules() -> Iterator[str]:
    """The files that say what an op does to dims, and the stubs.

    These are all but the kernels, which only compute.
    """
    kernels = os.path.join("tensors", "kernels", "")
    root = namecheck_runtime.__path__[0]
    return (path for path in sources(root) if not path[len(root) + 1 :].startswith(kernels))


def digest(paths: Iterable[str]) -> str:
    """A digest of the names and the bytes of files, in whatever order they are passed."""
    total = blake2b(digest_size=12)
    for path in sorted(paths):
        total.update(os.path.basename(path).encode())
        with open(path, "rb") as source:
            total.update(source.read())
    return total.hexdigest()


def recorded(*packages: str) -> str | None:
    """A digest of the files of packages that were installed together.

    It is made of the digests that the installer recorded. None if there are none, as for a clone.
    """
    names = tuple(f"{os.path.basename(package)}/" for package in packages)
    folder = f"namecheck_tensors-{namecheck_runtime.__version__}.dist-info"
    path = os.path.join(os.path.dirname(os.path.abspath(packages[0])), folder, "RECORD")
    try:
        with open(path, encoding="utf-8") as record:
            lines = [line for line in record if line.startswith(names) and ",sha256=" in line]
    except OSError:
        return None
    return blake2b("".join(sorted(lines)).encode(), digest_size=12).hexdigest() if lines else None

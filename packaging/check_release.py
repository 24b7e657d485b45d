"""Whether the sources are fit to be released under a tag.

    python packaging/check_release.py v0.2.0

The version has to be that of the tag, CHANGELOG.md has to have a section for it, and the addresses
in pyproject.toml have to be real ones. Put them into the other files, too, which
tests/test_release.py and tests/test_formats.py name.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESERVED = re.compile(r"\bexample\.(com|net|org)\b|\.(example|invalid|test)\b")
"""Reserved names (RFC 2606), which stand in for an address until there is one."""


def obstacles(root: Path, tag: str) -> Iterator[str]:
    """The reasons not to release the sources in a folder."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    source = (root / settings["tool"]["hatch"]["version"]["path"]).read_text(encoding="utf-8")
    version = re.findall(r'^__version__ = "(.+)"$', source, re.MULTILINE)
    if version != [tag.removeprefix("v")]:
        yield f"the tag is {tag}, and the version {', '.join(version)}"
    heading = rf"^## \[?{re.escape(tag.removeprefix('v'))}\b"
    if not re.search(heading, (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE):
        yield f"CHANGELOG.md has no section {tag.removeprefix('v')}"
    for name, address in settings["project"]["urls"].items():
        if RESERVED.search(address):
            yield f"[project.urls] of pyproject.toml has no address for {name} yet: {address}"


if __name__ == "__main__":
    reasons = list(obstacles(ROOT, sys.argv[1]))
    print(*reasons, sep="\n", file=sys.stderr)
    sys.exit(bool(reasons))

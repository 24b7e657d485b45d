"""Where the documentation is published: the addresses that reports and editors lead to."""

from __future__ import annotations

from typing import Final

__all__ = ["SITE", "url_of"]

SITE: Final[str | None] = None
"""The address of the site, ended by a slash.  None while it is not published: no report names an
address that leads nowhere, and `namecheck explain` has the same pages.  A test holds it against
`project.urls` of pyproject.toml, where an address of `example.com` stands for none."""


def url_of(code: str) -> str | None:
    """The address of a code's page in the published documentation, if there is one."""
    return None if SITE is None else f"{SITE}rules/{code}/"

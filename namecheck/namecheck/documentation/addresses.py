"""The addresses of the published documentation, for links in reports and editors."""

from __future__ import annotations

from typing import Final

__all__ = ["SITE", "url_of"]

SITE: Final[str | None] = None
"""The address of the site, with a slash at the end. None while it is not published: reports then
have no links, and `namecheck explain` has the same pages. A test compares it with `project.urls` of
pyproject.toml, where an address of `example.com` means none."""


def url_of(code: str) -> str | None:
    """The address of a code's page in the published documentation; None if there is none."""
    return None if SITE is None else f"{SITE}rules/{code}/"

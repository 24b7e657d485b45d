"""The documentation page of every code: of the rulebook's mistakes and of the tool's own.

Nothing is written here; the pages are the docstrings of the mistakes and the texts of `coverage`
and `troubles`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from namecheck.coverage import COVERAGE
from namecheck.documentation import url_of
from namecheck.troubles import TROUBLES
from namecheck_runtime.mistakes import CODES

__all__ = ["Page", "closest", "find", "pages"]


class Page(NamedTuple):
    """What is known about a code; `text` is Markdown."""

    code: str
    name: str
    text: str

    def markdown(self) -> str:
        """The page under its title."""
        return f"# {self.code} {self.name}\n\n{self.text}"

    def record(self) -> dict[str, str | None]:
        """The page as a JSON object."""
        return {
            "code": self.code,
            "name": self.name,
            "text": self.text,
            "url": url_of(self.code),
        }


def pages() -> list[Page]:
    """All pages, in order of code."""
    of_rules = [Page(c.code, c.name, c.documentation()) for c in CODES.values()]
    tool = {**COVERAGE, **TROUBLES}
    of_tool = [Page(code, name, text) for code, (name, text) in tool.items()]
    return sorted(of_rules + of_tool)


def find(asked: str, known: Sequence[Page]) -> Page | None:
    """The page of a code or a name, in whatever case it is written."""
    for page in known:
        if asked.casefold() in (page.code.casefold(), page.name):
            return page
    return None


def closest(asked: str, known: Sequence[Page]) -> str | None:
    """The code that was probably meant, with its name."""
    import difflib

    titles = {key: page for page in known for key in (page.code, page.name)}
    is_code = asked[:2].casefold() == "nc"
    spelling = asked.upper().replace("O", "0") if is_code else asked.casefold()
    near = difflib.get_close_matches(spelling, titles, n=1, cutoff=0.5)
    return f"{titles[near[0]].code} ({titles[near[0]].name})" if near else None

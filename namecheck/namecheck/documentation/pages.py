"""The documentation page of every code: of the rulebook's mistakes and of the tool's own codes.

The texts and levels are those of the mistakes (their docstrings), and of `coverage` and `troubles`;
the default comes from `selection`, the fixes from `fixes.candidates`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from namecheck.codes.coverage import COVERAGE
from namecheck.codes.selection import DEFAULT, Layer, is_selected
from namecheck.codes.troubles import TROUBLES
from namecheck.documentation.addresses import url_of
from namecheck.findings import Applicability, Level
from namecheck.fixes.candidates import MAKERS
from namecheck_runtime.mistakes import CODES

__all__ = ["Page", "closest", "find", "pages"]


class Page(NamedTuple):
    """The page of a code; `text` is Markdown.

    `level` is the highest of its findings (they are warnings if only a comment is evidence),
    `default` whether it is selected by default, `fix` the applicability of its best fix, None if it
    has none.
    """

    code: str
    name: str
    text: str
    level: Level
    default: bool
    fix: Applicability | None

    @property
    def summary(self) -> str:
        """The first paragraph, in one line."""
        return " ".join(self.text.partition("\n\n")[0].split())

    def markdown(self) -> str:
        """The page as Markdown, with its title."""
        return f"# {self.code} {self.name}\n\n{self.text}"

    def record(self) -> dict[str, str | bool | None]:
        """The page as a JSON object."""
        return {
            "code": self.code,
            "name": self.name,
            "text": self.text,
            "level": self.level,
            "default": self.default,
            "fix": self.fix,
            "url": url_of(self.code),
        }


def pages() -> list[Page]:
    """All pages, ordered by code."""
    of_rules = [
        _page(c.code, c.name, c.documentation(), Level(c.level), _fix(c.code))
        for c in CODES.values()
    ]
    of_tool = [
        _page(code, about.name, about.text, about.level, about.fix)
        for code, about in (COVERAGE | TROUBLES).items()
    ]
    return sorted(of_rules + of_tool)


def _page(code: str, name: str, text: str, level: Level, fix: Applicability | None) -> Page:
    default = is_selected(code, (Layer(DEFAULT),))
    return Page(code, name, text, level, default, fix)


def _fix(code: str) -> Applicability | None:
    maker = MAKERS.get(code)
    return None if maker is None else maker.applicability


def find(word: str, known: Sequence[Page]) -> Page | None:
    """The page of a code or a name, in upper or lower case; None if there is none."""
    for page in known:
        if word.casefold() in (page.code.casefold(), page.name):
            return page
    return None


def closest(word: str, known: Sequence[Page]) -> str | None:
    """The code that was probably meant, with its name; None if there is none."""
    import difflib

    titles = {key: page for page in known for key in (page.code, page.name)}
    is_code = word[:2].casefold() == "nc"
    spelling = word.upper().replace("O", "0") if is_code else word.casefold()
    near = difflib.get_close_matches(spelling, titles, n=1, cutoff=0.5)
    return f"{titles[near[0]].code} ({titles[near[0]].name})" if near else None

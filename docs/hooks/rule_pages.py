"""A page per rule, made while the site is built from what `namecheck explain` prints.

MkDocs calls `on_files` with what it found in `docs/`; the pages are added to it and written nowhere
else, so that there is one text of every rule: the mistake's docstring.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

from namecheck.pages import Page, pages

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

FAMILIES = {
    "NC1": "Names of dims",
    "NC2": "Sizes and broadcasting",
    "NC3": "Dims and arguments",
    "NC4": "What people wrote down",
    "NC5": "Memory",
    "NC6": "Migration",
    "NC8": "Coverage: where inference stopped",
    "NC9": "The tool itself",
}

ABOUT = """# Rules

What namecheck finds, by family. `namecheck explain NC202` prints the page of a rule in the
terminal.
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds `rules/index.md` and `rules/<code>.md`."""
    known = pages()
    for page in known:
        text = page.markdown() + "\n"
        files.append(File.generated(config, f"rules/{page.code}.md", content=text))
    files.append(File.generated(config, "rules/index.md", content=index(known)))
    return files


def index(known: list[Page]) -> str:
    """A table per family: code, name, and the first sentence of the page."""
    parts = [ABOUT]
    for family, title in FAMILIES.items():
        of_family = [page for page in known if page.code.startswith(family)]
        if not of_family:
            continue
        rows = "\n".join(
            f"| [{page.code}]({page.code}.md) | `{page.name}` | {first_sentence(page.text)} |"
            for page in of_family
        )
        parts.append(f"## {title}\n\n| code | name | |\n|---|---|---|\n{rows}\n")
    return "\n".join(parts)


def first_sentence(text: str) -> str:
    """The first paragraph, on one line and safe in a table."""
    return re.sub(r"\s+", " ", text.partition("\n\n")[0]).replace("|", "\\|")

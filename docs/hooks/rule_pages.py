"""A page for each rule, made from the output of `namecheck explain` while the site is built.

The text of a rule has one source, the mistake's docstring (`namecheck.documentation.pages`).  The
site adds the facts of the overview, and below the wrong program the output of the command for it.
MkDocs takes the pages as generated files, with their places in the navigation.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from click.testing import CliRunner
from mkdocs.structure.files import File

from namecheck.codes.selection import STRICT
from namecheck.codes.troubles import NOTES
from namecheck.documentation.pages import Page, pages
from namecheck.findings import Applicability, Level
from namecheck.main import main
from namecheck_runtime.mistakes import CODES

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page as SitePage

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

RULES = "Rules"
"""The section of the navigation that holds the families."""

DEVELOP = "Develop"
"""The section that the search leaves out: it holds old decisions, which a user of `keepdim` does
not need.
"""

ABOUT = """# Rules

What namecheck finds, by family. In the terminal, `namecheck rules` prints this overview and
`namecheck explain NC202` the page of one rule.

* **level**: the most severe level of the rule's findings. An *error* is wrong for every input that
  the program admits; it becomes a *warning* if only a comment or a docstring says so. A *warning*
  is legal and almost certainly not meant. A *note* is information. Levels can be
  [changed](../configuration.md).
* **default**: *on* if the rule is reported by default. `--extend-select NC209` turns a rule on.
* **fix**: the best [fix](../fixes.md) for findings of the rule; `--fix` applies *safe* ones,
  `--fix --unsafe-fixes` also *unsafe* ones.
"""

EXAMPLE = re.compile(r"^```python\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"  # NC\d{3}$", re.MULTILINE)
"""The mark of the finding in a program, which the output of the command replaces."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the pages of the rules into the navigation, below their overview."""
    for section in config.nav or []:
        if isinstance(section, dict) and RULES in section:
            section[RULES] = [
                *section[RULES],
                *(
                    {title: [f"rules/{page.code}.md" for page in of_family]}
                    for title, of_family in by_family(pages())
                ),
            ]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add `rules/index.md` and `rules/<code>.md`."""
    known = pages()
    for page in known:
        files.append(File.generated(config, f"rules/{page.code}.md", content=text_of(page)))
    files.append(File.generated(config, "rules/index.md", content=index(known)))
    return files


def on_page_markdown(markdown: str, page: SitePage, **_: object) -> str:
    """Leave the pages for developers out of the search."""
    if page.parent is not None and page.parent.title == DEVELOP:
        page.meta["search"] = {"exclude": True}
    return markdown


def by_family(known: list[Page]) -> Iterator[tuple[str, list[Page]]]:
    """The title of each family, with its pages in the order of their codes."""
    for family, title in FAMILIES.items():
        of_family = [page for page in known if page.code.startswith(family)]
        if of_family:
            yield title, of_family


def index(known: list[Page]) -> str:
    """The overview: a table for each family."""
    parts = [ABOUT]
    for title, of_family in by_family(known):
        rows = "\n".join(map(row, of_family))
        parts.append(
            f'## {title}\n\n<div class="rules" markdown>\n\n'
            "| code | name | level | default | fix | summary |\n"
            f"|---|---|---|---|---|---|\n{rows}\n\n</div>\n"
        )
    return "\n".join(parts)


def row(page: Page) -> str:
    link = f"[{page.code}]({page.code}.md)"
    return f"| {link} | `{page.name}` | {facts(page)} | {safe(page.summary)} |"


def text_of(page: Page) -> str:
    """The page of a rule: its facts, its text, and the output for the program in it."""
    text = page.text + "\n"
    example = EXAMPLE.search(text)
    shown = session(page, program_of(example[1])) if example else None
    if example and shown:
        program = f'```python title="example.py"\n{program_of(example[1])}```\n'
        block = f"{program}\n```console\n{shown}```\n"
        text = text[: example.start()] + block + text[example.end() :]
    table = f"| level | default | fix |\n|---|---|---|\n| {facts(page)} |\n"
    return f"# {page.code} {page.name}\n\n{table}\n{text}"


def facts(page: Page) -> str:
    """Level, default and fix, as cells of a table."""
    levels = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "note"}
    fixes = {Applicability.SAFE: "safe", Applicability.UNSAFE: "unsafe", None: "none"}
    found_by = " (at run time)" if is_found_running(page.code) else ""
    default = "on" if page.default else "off"
    return f"{levels[page.level]} | {default}{found_by} | {fixes.get(page.fix, 'display')}"


def is_found_running(code: str) -> bool:
    """Whether only the tensors of `namecheck_runtime` find it, in a running program."""
    return code in CODES and CODES[code].is_runtime_only


def safe(text: str) -> str:
    """A text with `|` escaped, so that it does not end the cell of a table."""
    return text.replace("|", "\\|")


def program_of(example: str) -> str:
    return MARK.sub("", example)


def session(page: Page, program: str) -> str | None:
    """The command and its output for a program; None if the output does not mention the rule."""
    runs = is_found_running(page.code)
    before = Path.cwd()
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            Path("example.py").write_text(program)
            command, printed = ran() if runs else checked(page.code)
        finally:
            os.chdir(before)
    return f"$ {command}\n{printed}" if runs or page.code in printed else None


def checked(code: str) -> tuple[str, str]:
    options = []
    if code in STRICT:
        options = ["--extend-select", code]
    elif code.startswith(NOTES) and code != "NC803":
        options = ["--notes"]
    arguments = ["check", *options, "example.py"]
    quiet = {name: None for name in os.environ if name.startswith(("NAMECHECK_", "FORCE_"))}
    runner = CliRunner(env=quiet | {"NAMECHECK_NO_CACHE": "1"})
    return " ".join(["namecheck", *arguments]), runner.invoke(main, arguments).output


def ran() -> tuple[str, str]:
    """The command, and the end of its traceback: the exception and its notes."""
    paths = {"PYTHONPATH": os.pathsep.join(sys.path)}
    run = [sys.executable, "example.py"]
    done = subprocess.run(run, env=os.environ | paths, capture_output=True, text=True, check=False)
    lines = done.stderr.splitlines(keepends=True)
    last = max(number for number, line in enumerate(lines) if line.startswith("  File ")) + 1
    raised = [line for line in lines[last:] if not line.startswith("  ")]
    return "python example.py", "Traceback (most recent call last):\n  ...\n" + "".join(raised)

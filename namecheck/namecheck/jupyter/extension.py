"""`%load_ext namecheck`: the cell magic `%%namecheck`, which shows findings and dims below a cell.

The cell is then run as if the first line were not there: a transformer of the input takes it away,
so that `await`, tracebacks and the value of the last line are the cell's own. What to show is
worked out before, when IPython says that it will run the cell.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from typing import Any, Final

from namecheck.exit_codes import Trouble
from namecheck.jupyter.session_cells import Session
from namecheck.printing.output import say
from namecheck_runtime.light.regexes import regex

__all__ = ["load", "unload"]

NAME: Final = "namecheck"
CHECK_ONLY: Final = "--check-only"

_MAGIC: Final = regex(r"\s*%%namecheck(?:[ \t]+(?P<options>[^\r\n]*))?[ \t]*(?:\r?\n|\Z)")

_NOTEBOOK: Final = "__vsc_ipynb_file__"
"""The variable in which VS Code has the path of the notebook."""


class Extension:
    """The magic in one shell of IPython."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._session = Session()

    def begin(self) -> None:
        """Register everything with the shell."""
        self._shell.register_magic_function(self.magic, "cell", NAME)
        self._shell.input_transformers_cleanup.append(_without_magic)
        self._shell.events.register("pre_run_cell", self.look)

    def end(self) -> None:
        """Undo `begin`."""
        self._shell.events.unregister("pre_run_cell", self.look)
        self._shell.input_transformers_cleanup.remove(_without_magic)
        self._shell.magics_manager.magics["cell"].pop(NAME, None)

    def look(self, info: Any) -> None:
        """Show what is known of a cell that the shell is about to run, if it has the magic."""
        if not _MAGIC.match(info.raw_cell):
            return
        number = self._shell.execution_count - (1 if info.store_history else 0)
        self._show(info.raw_cell, number)

    def magic(self, line: str, cell: str) -> None:
        """Show the mistakes with dims in the cell, and the dims of its tensors; then run it.

        `%%namecheck --check-only` does not run the cell. Earlier cells of this session are taken
        into account.
        """
        # Only a program calls this: in a cell, `look` and the transformer take its place.
        self._show(f"%%namecheck {line}\n{cell}", self._shell.execution_count)
        if CHECK_ONLY not in line.split():
            self._shell.run_cell(cell)

    def _show(self, text: str, number: int) -> None:
        unknown = [option for option in _options(text) if option != CHECK_ONLY]
        if unknown:
            say(f"%%namecheck: unknown {unknown[0]!r}; it has {CHECK_ONLY}", err=True)
        earlier = self._earlier()
        number = max(number, *(past + 1 for past in earlier))
        try:
            checked = self._session.check(earlier, number, text, self._notebook())
        except Trouble as trouble:
            say(f"namecheck: {trouble.format_message()}", err=True)
            return
        data = {"text/plain": checked.text(), "text/html": checked.html()}
        self._shell.display_pub.publish(data)

    def _earlier(self) -> Mapping[int, str]:
        """The cells that the session has run so far, by number."""
        history = self._shell.history_manager
        inputs = [] if history is None else history.input_hist_raw
        return {number: text for number, text in enumerate(inputs) if number and text}

    def _notebook(self) -> str:
        """The name of the notebook's file if the program that shows it says so."""
        paths = self._shell.user_ns.get(_NOTEBOOK), os.environ.get("JPY_SESSION_NAME")
        names = [os.path.basename(path) for path in paths if isinstance(path, str)]
        return next((name for name in names if name.endswith(".ipynb")), "notebook.ipynb")


def load(shell: Any) -> None:
    """Give a shell the magic; it keeps the one that it has."""
    if _EXTENSIONS.get(id(shell)) is None:
        extension = _EXTENSIONS[id(shell)] = Extension(shell)
        extension.begin()


def unload(shell: Any) -> None:
    """Take the magic away from a shell."""
    extension = _EXTENSIONS.pop(id(shell), None)
    if extension is not None:
        extension.end()


_EXTENSIONS: Final[dict[int, Extension]] = {}
"""The extension of each shell: there is one in most processes."""


def _options(text: str) -> list[str]:
    magic = _MAGIC.match(text)
    written = "" if magic is None else magic["options"] or ""
    try:
        return shlex.split(written, comments=True)
    except ValueError:
        return written.split()


def _without_magic(lines: list[str]) -> list[str]:
    """The lines of a cell without our magic; its place stays, for the numbers of lines."""
    text = "".join(lines)
    magic = _MAGIC.match(text)
    if magic is None:
        return lines
    if CHECK_ONLY in _options(text):
        return ["\n"]
    rest = text[magic.end() :]
    if rest.lstrip().startswith("%%"):  # IPython looks for magics in the first line
        return rest.lstrip().splitlines(keepends=True)
    return ["\n", *rest.splitlines(keepends=True)]


# A terminal that asks whether a cell is complete has to see its first line.
_without_magic.has_side_effects = True  # type: ignore[attr-defined]

"""The cell magic `%%namecheck`, in a real shell of IPython."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

import pytest

from invoking import invoke
from namecheck.jupyter.language_server import specification
from notebooks import code_cell, notebook

pytest.importorskip("IPython")

ADD = """\
import numpy as np


def add(x, y):
    return x + y
"""
WRONG = "%%namecheck\nx = np.zeros((3, 4))\ny = x + np.zeros((3, 5))"


class Ran(NamedTuple):
    """What a cell has shown: the output of the magic in each form, and all other output."""

    success: bool
    value: object
    html: str
    text: str
    printed: str


class Shell:
    """A shell with the extension, in an empty folder."""

    def __init__(self, folder: Path) -> None:
        from IPython.core.displaypub import CapturingDisplayPublisher
        from IPython.core.interactiveshell import InteractiveShell
        from traitlets.config import Config

        settings = Config()
        settings.HistoryManager.enabled = False  # it would be written to a database
        settings.InteractiveShell.colors = "nocolor"
        self.shell = InteractiveShell(config=settings, ipython_dir=str(folder))
        self.shell.display_pub = self.published = CapturingDisplayPublisher()
        self.run("%load_ext namecheck")

    def run(self, text: str) -> Ran:
        from IPython.utils.capture import capture_output

        self.published.outputs.clear()
        with capture_output() as captured:
            result = self.shell.run_cell(text, store_history=True)
        outputs = [output["data"] for output in self.published.outputs]
        ours = [data for data in outputs if "text/html" in data]
        assert len(ours) < 2
        shown = ours[0] if ours else {"text/html": "", "text/plain": ""}
        printed = captured.stdout + captured.stderr
        html, plain = shown["text/html"], shown["text/plain"]
        return Ran(result.success, result.result, html, plain, printed)


@pytest.fixture
def shell(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path_factory.mktemp("work"))
    return Shell(tmp_path_factory.getbasetemp() / "ipython")


class Shown(HTMLParser):
    """The elements of an output, in order, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.elements[-1][0] != "style":
            self.text += data

    def texts_of(self, name: str) -> Iterator[str | None]:
        return (attributes[name] for _, attributes in self.elements if name in attributes)


def test_findings_and_dims_are_shown_and_the_cell_is_run(shell: Shell) -> None:
    shell.run("import numpy as np")
    ran = shell.run("%%namecheck\nx = np.zeros((3, 4))\nx.T.argmax(0)")
    assert ran.success
    assert ran.value.shape == (3,)
    assert "no findings" in Shown(ran.html).text
    assert "x[3, 4] = np.zeros((3, 4))" in Shown(ran.html).text
    assert "2 | x = np.zeros((3, 4))  [3, 4]" in ran.text
    ran = shell.run(WRONG)
    assert not ran.success
    assert "operands could not be broadcast" in ran.printed
    assert "----> 3 y = x + np.zeros((3, 5))" in ran.printed  # the numbers are those of the cell
    shown = Shown(ran.html)
    for text in ("1 finding", "NC201 size-mismatch", "line 3", "cannot add [3, 4] and [3, 5]"):
        assert text in shown.text
    assert "error[NC201]: cannot add [3, 4] and [3, 5]" in ran.text


def test_earlier_cells_are_known(shell: Shell) -> None:
    shell.run(ADD)  # [2]
    ran = shell.run("%%namecheck --check-only\nadd(np.zeros((3, 4)), np.zeros((3, 5)))")
    shown = Shown(ran.html)
    assert "NC201" in shown.text
    assert "In [2], line 5" in shown.text  # the mistake is there as this cell calls it
    assert "line 2)" in shown.text
    # A cell that is not Python hides nothing, and places are those of the cell as it is shown.
    shell.run("\n\nx = (")
    ran = shell.run(
        "\n\n%%namecheck --check-only\n\n\nclass A:\n    y = add(np.zeros(3), np.zeros(4))"
    )
    assert "In [2], line 5" in Shown(ran.html).text
    assert "line 7)" in Shown(ran.html).text
    # Another cell does not repeat it, whatever it defines.
    assert "no findings" in Shown(shell.run("%%namecheck\ndef f(x): return x").html).text


def test_a_cell_that_is_only_checked(shell: Shell) -> None:
    shell.run("import numpy as np")
    ran = shell.run(WRONG.replace("namecheck", "namecheck --check-only"))
    assert ran.success
    assert "NC201" in ran.text
    assert "NameError" in shell.run("y").printed
    # So it defines nothing for later cells, here as in the file of a notebook.
    assert "[" not in shell.run("%%namecheck\nz = x").text


def test_the_cell_runs_as_if_the_line_were_not_there(shell: Shell) -> None:
    assert shell.run("%%namecheck\nimport asyncio\nawait asyncio.sleep(0, 7)").value == 7
    assert "CPU times" in shell.run("%%namecheck\n%%time\nseven = 7").printed
    assert shell.run("seven").value == 7
    assert shell.run("\n%%namecheck\n\nfrom __future__ import annotations\nseven").value == 7
    assert shell.run("%%namecheck").success
    ran = shell.run("%%namecheck\nx = (")
    assert "NC900" in ran.html
    assert "SyntaxError" in ran.printed
    assert "not found" in shell.run("%%namecheckx\n1").printed


def test_other_programs_call_the_magic(shell: Shell) -> None:
    ran = shell.run("get_ipython().run_cell_magic('namecheck', '', 'eight = 8')")
    assert "no findings" in ran.html
    assert shell.run("eight").value == 8
    assert "--check-only" in str(shell.shell.find_cell_magic("namecheck").__doc__)


def test_suppressions_and_settings_count(shell: Shell) -> None:
    shell.run("import numpy as np")
    wrong = WRONG.replace("y = x", "x")
    assert "size-mismatch" in shell.run(wrong).html
    assert "size-mismatch" not in shell.run(f"{wrong}  # namecheck: ignore[NC201]").html
    Path("namecheck.toml").write_text('ignore = ["NC201"]\n')
    assert "size-mismatch" not in shell.run(wrong).html
    Path("namecheck.toml").write_text("ignore = 3\n")
    ran = shell.run("%%namecheck\nnine = 9")
    assert "namecheck: " in ran.printed
    assert "ignore" in ran.printed
    assert ran.html == ""
    assert shell.run("nine").value == 9


def test_imported_files_are_read_as_they_are_now(shell: Shell) -> None:
    Path("net.py").write_text("import numpy as np\n\n\ndef data():\n    return np.zeros((3, 4))\n")
    cell = "%%namecheck --check-only\nfrom net import data\nx = data()"
    assert "[3, 4]" in shell.run(cell).text
    Path("net.py").write_text(
        "import numpy as np\n\n\ndef data():\n    return np.zeros((30, 4, 1))\n"
    )
    assert "[30, 4, 1]" in shell.run(cell).text


def test_what_it_does_not_know(shell: Shell) -> None:
    ran = shell.run("%%namecheck --fast\nten = 10")
    assert "unknown '--fast'" in ran.printed
    assert shell.run("ten").value == 10


def test_the_extension_can_be_taken_away_and_loaded_again(shell: Shell) -> None:
    shell.run("%load_ext namecheck")
    shell.run("%reload_ext namecheck")
    assert "no findings" in shell.run("%%namecheck\n1").html
    shell.run("%unload_ext namecheck")
    assert "not found" in shell.run("%%namecheck\n1").printed
    shell.run("%unload_ext namecheck")


def test_the_output_is_an_element_that_shares_a_page(shell: Shell) -> None:
    shell.run("import numpy as np")
    text = "%%namecheck\nx = np.zeros((3, 4))  # <script>alert(1)</script>\nx + np.zeros((3, 5))"
    shown = Shown(shell.run(text).html)
    tags = [tag for tag, _ in shown.elements]
    assert tags[:2] == ["div", "style"]
    assert "script" not in tags
    assert list(shown.texts_of("id")) == []
    assert list(shown.texts_of("data-x")) == []
    assert not any(address and address.startswith("#") for address in shown.texts_of("href"))
    assert "[3, 4]\nx is set" in shown.texts_of("title")
    # Every rule is about this element alone.
    style = shell.run(text).html.partition("<style>")[2].partition("</style>")[0]
    bare = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    depth, selectors = 0, [""]
    for letter in bare:
        depth += (letter == "{") - (letter == "}")
        if letter == "}" and depth == 0:
            selectors.append("")
        elif depth == 0:
            selectors[-1] += letter
    named = [part for one in selectors if one.strip() for part in one.split(",")]
    assert len(named) > 4
    assert all(".namecheck" in part for part in named if "@media" not in part)


def test_cells_with_the_magic_in_files(tmp_path: Path) -> None:
    def codes(*cells: str) -> list[str]:
        path = tmp_path / "n.ipynb"
        path.write_bytes(notebook(*map(code_cell, cells)))
        found = json.loads(
            invoke("check", str(path), "--isolated", "--output-format", "json").stdout
        )
        return [finding["code"] for finding in found]

    assert codes("import numpy as np", WRONG) == ["NC201"]
    only = WRONG.replace("namecheck", "namecheck --check-only")
    assert codes("import numpy as np", only) == []


def test_the_server_of_jupyter_lsp() -> None:
    (server,) = specification(None).values()
    assert server["argv"][1:] == ["-m", "namecheck", "server"]
    assert server["version"] == 2
    assert {"text/x-python", "text/x-ipython"} <= set(server["mime_types"])

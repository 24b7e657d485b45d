"""Notebooks: the Python of a cell, the places of findings, and rewriting without damage."""

from __future__ import annotations

import ast
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from invoking import invoke
from namecheck.files.documents import Document, read_document
from namecheck.files.magics import blank, python_of
from namecheck.findings import Analysis, Finding, Label, Level, Note, ShapeAt, Span, UnknownCall
from namecheck.report import FORMATS
from namecheck.running.examination import examine, program_of
from notebooks import code_cell, markdown_cell, notebook


def run(*arguments: str) -> Result:
    return invoke(*arguments, NO_COLOR="1")


def document_of(*cells: Any, **metadata: Any) -> Document:
    return read_document("n.ipynb", notebook(*cells, **metadata))


def findings(document: Document) -> Sequence[Finding]:
    return examine(document, program_of((), ()), thorough=False).findings


def places_of(document: Document) -> list[tuple[int | None, int, int, str]]:
    return [(f.cell, f.span.line, f.span.column, f.code) for f in findings(document)]


MAKES = ["import torch\n", "x = torch.zeros(2, 3)"]
WRONG = "y = x @ torch.zeros(4, 5)"


# The Python of a cell


@pytest.mark.parametrize(
    ("cell", "python"),
    [
        ("x = 1\n", "x = 1\n"),
        ("", ""),
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("!ls 'it\nx = 1", "pass\nx = 1"),
        ("!!ls\n", "pass\n"),
        ("!pip install \\\n  'a \\\n  b\nx = 1\n", "pass\n\n\nx = 1\n"),
        ("if x:\n    %cd ..\n    y = 1\n", "if x:\n    pass\n    y = 1\n"),
        ("x?\n?x\nx.y??\n", "pass\npass\npass\n"),
        ("np.*load*?\n%timeit?\nx[0]?\n", "pass\npass\npass\n"),
        ("files = !ls *.py\n", "files = get_ipython()\n"),
        ("a, b = !ls\n", "a, b = get_ipython()\n"),
        ("t = %timeit -o f(x)\n", "t = get_ipython()\n"),
        ("self.t= %timeit -o f(x)\n", "self.t= get_ipython()\n"),
        ("%time y = f(x)\n", "0;    y = f(x)\n"),
        ("%prun y = f(x)\n", "0;    y = f(x)\n"),
        ("%time for x in y: pass\n", "pass\n"),
        ("%timeit y = f(x)\n", "pass\n"),
        ("pip install torch\ncd ~/x\nls -l\n", "pass\npass\nls -l\n"),
        (",f a b\n;f a b\n/f a b\n", "pass\npass\npass\n"),
        ("plt.plot(x);\n", "plt.plot(x);\n"),
        ("await f()\n", "await f()\n"),
        ("\n%%bash\nif (\n", "\n\n\n"),
        ("%%time\ny = f(x)", "\ny = f(x)"),
        ("%%time\n%%capture out\ny = f(x)", "\n\ny = f(x)"),
        ("%%time\n%%html\n<p>", "\n\n"),
        ("%%timeit\ny = x.T", "\n"),
        (">>> x = 1\n1\n", "\n\n"),
        ("In [3]: x = 1\n", "\n"),
        ("x = 1\r\n%cd ..\r\ny = 1\r", "x = 1\r\npass\r\ny = 1\r"),
    ],
)
def test_magics(cell: str, python: str) -> None:
    assert python_of(cell) == python
    ast.parse(python)


@pytest.mark.parametrize(
    "cell",
    [
        "x = (a\n%b)\n",
        'x = """\n%matplotlib\n!ls\nwhat?\n"""\n',
        "x = [\n  a\n  % b]\n",
        "x = a \\\n  % b\n",
        "x %= 2\nx = y % z\nx == y % z\nx != y\nx = '!'\n",
        "f'{x!r}'\nx = f'{y!r}'\n",
        "x = 1  # really?\n",
        "# %timeit\n# ls -l?\n",
        "'why?'\n",
        "ls = 1\ncat in ls\ntime if ls else cat\nrm - ls\nenv.x\nstore[0]\n",
        "def f(x: int = 1): ...\n",
        "print(x != y)\n",
        "x: int = 5 % 3\n",
    ],
)
def test_python_that_looks_like_a_magic(cell: str) -> None:
    ast.parse(cell)
    assert python_of(cell) == cell


def test_a_magic_takes_time_in_proportion_to_the_cell() -> None:
    cell = "!ls 'x\n" * 20_000 + 'x = """\n' + "%x\n" * 20_000 + '"""\n'
    assert python_of(cell).count("pass") == 20_000


@pytest.mark.parametrize("text", ["", "a", "a\n", "a\r\nb\rc\n", "\n\n"])
def test_blank(text: str) -> None:
    assert blank(text) == text.replace("a", "").replace("b", "").replace("c", "")


# The places of findings


def test_a_finding_is_in_its_cell() -> None:
    wrong = code_cell(["\n", WRONG, "\n"])
    document = document_of(
        markdown_cell("# Data"), code_cell(MAKES), code_cell("%%bash\nls"), wrong
    )
    (finding,) = findings(document)
    assert (finding.path, finding.cell, finding.code) == ("n.ipynb", 4, "NC203")
    assert finding.span == Span(2, 5, 2, 26)
    assert [label.span.line for label in finding.labels] == [2, 2]
    assert [(n.cell, n.span) for n in finding.notes] == [(2, Span(2, 1, 2, 22))]


def test_source_is_a_string_or_a_list_of_lines() -> None:
    assert places_of(document_of(code_cell("".join(MAKES)), code_cell(WRONG))) == [
        (2, 1, 5, "NC203")
    ]


def test_every_place_is_mapped_back_to_its_cell() -> None:
    document = document_of(code_cell("a\n"), markdown_cell(""), code_cell("b\nc"))
    assert document.text == "a\n\nb\nc\n\n"
    assert [document.place(line) for line in range(1, 6)] == [
        (1, 1),
        (1, 1),
        (3, 1),
        (3, 2),
        (3, 2),
    ]
    assert [document.line(*place) for place in ((1, 1), (3, 1), (3, 2))] == [1, 3, 4]
    here, there = Span(4, 1, 4, 2), Span(1, 1, 1, 2)
    elsewhere = Note("w", "other.py", there)
    finding = Finding(
        "n.ipynb",
        here,
        "NC203",
        "contraction-size",
        Level.ERROR,
        "m",
        labels=(Label(here, "own"), Label(there, "far")),
        notes=(Note("v", None, there), elsewhere, Note("u")),
    )
    other = finding._replace(path="other.py", labels=(), notes=(Note("n", "n.ipynb", here),))
    analysis = Analysis(
        (finding, other),
        (ShapeAt(4, "c", "[N]", "assign"),),
        unknown_calls=(UnknownCall("f", 1, 1, "n.ipynb", 4), UnknownCall("f", 1, 1, "o.py", 4)),
    )
    restored = document.restore(analysis)
    mine, others = restored.findings
    assert (mine.cell, mine.span) == (3, Span(2, 1, 2, 2))
    assert mine.labels == (Label(Span(2, 1, 2, 2), "own"),)
    assert mine.notes == (
        Note("v", None, there, 1),
        elsewhere,
        Note("u"),
        Note("far", None, there, 1),
    )
    assert (others.cell, others.span) == (None, here)
    assert others.notes == (Note("n", "n.ipynb", Span(2, 1, 2, 2), 3),)
    assert restored.shapes == (ShapeAt(2, "c", "[N]", "assign", 3),)
    assert [(c.cell, c.line) for c in restored.unknown_calls] == [(3, 2), (None, 4)]


def test_a_broken_cell_does_not_prevent_checking_the_others() -> None:
    document = document_of(*map(code_cell, (MAKES, "z = 1\nx = (\n", WRONG, "def f(:\n", WRONG)))
    assert places_of(document) == [
        (2, 2, 5, "NC900"),
        (4, 1, 7, "NC900"),
        (3, 1, 5, "NC203"),
        (5, 1, 5, "NC203"),
    ]


def test_an_unfinished_line_does_not_reach_into_the_next_cell() -> None:
    document = document_of(code_cell([*MAKES, "\n", "z = 1 \\"]), code_cell(WRONG))
    assert places_of(document) == [(2, 1, 5, "NC203")]


@pytest.mark.parametrize("ends", ["z = 1\r", "z = 1\r\n", "# \r\r", "z = (\r0", "z = (\r"])
def test_a_cell_that_ends_in_a_carriage_return(ends: str) -> None:
    document = document_of(code_cell(MAKES), code_cell(ends), code_cell(["\n", WRONG]))
    (finding,) = (f for f in findings(document) if f.code != "NC900")
    assert (finding.cell, finding.span) == (3, Span(2, 5, 2, 26))
    assert [(n.cell, n.span) for n in finding.notes] == [(1, Span(2, 1, 2, 22))]


def test_a_cell_that_is_indented_as_a_whole() -> None:
    indented = "    # so\n    z = 1\n    " + WRONG + "\n"
    document = document_of(*map(code_cell, (MAKES, indented, WRONG)))
    assert places_of(document) == [(2, 3, 9, "NC203"), (3, 1, 5, "NC203")]


def test_a_cell_that_is_meant_to_fail() -> None:
    failing = code_cell(WRONG, metadata={"tags": ["raises-exception"]})
    assert places_of(document_of(code_cell(MAKES), failing, code_cell(WRONG))) == [
        (3, 1, 5, "NC203")
    ]


def test_a_value_assigned_by_a_magic_is_unknown() -> None:
    right = "x @ torch.zeros(2, 5)"
    assert places_of(document_of(*map(code_cell, (MAKES, "%time x = x.T", right)))) == []
    assert places_of(document_of(*map(code_cell, (MAKES, "x = !ls", WRONG)))) == []
    assert places_of(document_of(*map(code_cell, (MAKES, "%%timeit\nx = x.T", WRONG)))) != []


def test_a_lone_surrogate() -> None:
    document = read_document(
        "n.ipynb", notebook(code_cell("x = '@@'\n")).replace(b"@@", rb"\ud800")
    )
    assert document.trouble is None
    assert places_of(document) == []


# Other languages, other versions, and files that are not notebooks


@pytest.mark.parametrize(
    "metadata",
    [
        {"language_info": {"name": "R"}},
        {"kernelspec": {"language": "julia", "name": "julia-1.6"}},
        {"kernelspec": {"language": "sage"}, "language_info": {"name": "python"}},
    ],
)
def test_notebooks_in_another_language_are_skipped(metadata: dict[str, Any]) -> None:
    document = document_of(code_cell("x <- c(1"), **metadata)
    (note,) = findings(document)
    assert (note.code, note.level, document.text) == ("NC802", Level.NOTE, "")


@pytest.mark.parametrize(
    "metadata",
    [
        {},
        {"language_info": {"name": "python"}},
        {"kernelspec": {"name": "xpython", "language": "Python"}},
        {"kernelspec": {"name": "python3"}},
        {"kernelspec": 3, "language_info": []},
    ],
)
def test_python_is_checked(metadata: dict[str, Any]) -> None:
    assert places_of(document_of(code_cell(MAKES), code_cell(WRONG), **metadata)) == [
        (2, 1, 5, "NC203")
    ]


def test_a_cell_in_another_language() -> None:
    julia = code_cell("x = (", metadata={"vscode": {"languageId": "julia"}})
    assert places_of(document_of(code_cell(MAKES), julia, code_cell(WRONG))) == [(3, 1, 5, "NC203")]


def test_version_3() -> None:
    cells = [
        {"cell_type": "heading", "level": 1, "source": "Data"},
        {"cell_type": "code", "input": MAKES, "language": "python", "outputs": []},
    ]
    more = [{"cell_type": "code", "input": WRONG, "language": "python", "outputs": []}]
    sheets = {"worksheets": [{"cells": cells}, {"cells": more}], "nbformat": 3}
    assert places_of(read_document("n.ipynb", json.dumps(sheets).encode())) == [(3, 1, 5, "NC203")]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b" \n", "the file is empty"),
        (b'{\n "cells": [}', "not JSON: Expecting value in line 2, column 12"),
        (b"[]", "not a JSON object"),
        (b"{}", "it has no cells"),
        (b'{"cells": {}}', "it has no cells"),
        (b'{"worksheets": [3]}', "a worksheet has no cells"),
        (b'{"cells": [3]}', "cell 1 has no type"),
        (b'{"cells": [{"source": ""}]}', "cell 1 has no type"),
        (b'{"cells": [{"cell_type": "code"}]}', "cell 1 has no source"),
        (b'{"cells": [{"cell_type": "code", "source": [1]}]}', "cell 1 has no source"),
        (b"[" * 100_000, "nested too deeply"),
        (b"1" * 10_000, "not JSON: Exceeds the limit"),
        (b'{"cells": []}\xff', "byte 0xff at offset 13 is not utf-8"),
    ],
)
def test_a_file_that_is_not_a_notebook_is_one_finding(content: bytes, reason: str) -> None:
    document = read_document("n.ipynb", content)
    (finding,) = findings(document)
    assert (finding.code, finding.span) == ("NC900", Span(1, 1, 1, 1))
    assert finding.message.startswith(f"cannot read n.ipynb: {reason}")


def test_a_notebook_without_cells_or_with_a_byte_order_mark() -> None:
    assert places_of(document_of()) == []
    marked = b"\xef\xbb\xbf" + notebook(code_cell(MAKES), code_cell(WRONG))
    assert places_of(read_document("n.ipynb", marked)) == [(2, 1, 5, "NC203")]


def test_a_comment_in_the_json_does_not_declare_an_encoding() -> None:
    source = json.dumps({"cells": [code_cell("# coding: latin-1\nx = 'ä'")]}, ensure_ascii=False)
    assert places_of(read_document("n.ipynb", source.encode())) == []


# Rewriting


def test_unchanged_parts_keep_their_bytes() -> None:
    for spelled in (
        notebook(code_cell(MAKES), markdown_cell("é"), code_cell(WRONG)),
        notebook(code_cell(MAKES), code_cell([])),
        json.dumps({"cells": [code_cell("".join(MAKES)), code_cell(WRONG)]}).encode(),
        b"\xef\xbb\xbf" + notebook(code_cell(["a = 1\n", "b"])),
        b'{"cells" :[ {"source":["\\u00e9\\/\\n" , "y"],"cell_type":"code"}]\r\n}',
        b'{"cells": 1, "cells": [{"cell_type": "code", "source": "a", "source": "b"}]}',
        json.dumps(
            {"worksheets": [{"cells": [{"cell_type": "code", "input": ["a\n", "b"]}]}]}, indent=2
        ).encode(),
    ):
        document = read_document("n.ipynb", spelled)
        assert document.trouble is None
        assert document.rewritten({}) == spelled
        assert document.rewritten(document.parts) == spelled or b'"source": "' in spelled
        cell, text = next(iter(document.parts.items()))
        changed = document.rewritten({cell: text + "\nz = 'é'"})
        again = read_document("n.ipynb", changed)
        assert again.parts == {**document.parts, cell: text + "\nz = 'é'"}
        undone = again.rewritten({cell: text})
        assert read_document("n.ipynb", undone).parts == document.parts
        assert changed.isascii() == spelled.isascii()


def test_a_change_of_one_line_of_a_cell() -> None:
    spelled = notebook(code_cell(["a = 1\n", "b = '\u00e9'\n", "c = 3"]), code_cell(["c = 3"]))
    document = read_document("n.ipynb", spelled)
    changed = document.rewritten({1: "a = 1\nb = 2\nc = 3"})
    assert changed == spelled.replace("b = 'é'".encode(), b"b = 2")
    more = document.rewritten({1: "# first\n" + document.parts[1]})
    assert more == spelled.replace(b'"a = 1', b'"# first\\n",\n    "a = 1', 1)


def test_any_change_can_be_read_back() -> None:
    rng = random.Random(4)
    letters = ["a", "\n", "\r\n", "é", '"', "\\", "\x0c", "\u2028", "]", "}", ",", "\t"]
    text = lambda: "".join(rng.choices(letters, k=rng.randrange(8)))  # noqa: E731
    for _ in range(300):
        cells = []
        for _ in range(rng.randrange(1, 4)):
            cell_text = text()
            cells.append(code_cell(rng.choice([cell_text, cell_text.splitlines(keepends=True)])))
        document = document_of(*cells)
        new: dict[int | None, str] = {
            cell: text() for cell in document.parts if rng.random() < 0.5 and cell is not None
        }
        again = read_document("n.ipynb", document.rewritten(new))
        assert again.parts == {**document.parts, **new}
        was, now = json.loads(document.source), json.loads(again.source)
        for notebook_read in (was, now):
            for cell in notebook_read["cells"]:
                cell["source"] = "".join(cell["source"])
        for cell, changed in new.items():
            was["cells"][cell - 1]["source"] = changed
        assert was == now


# The commands


@pytest.fixture
def here(here: Path) -> Path:
    cells = (markdown_cell("# Data"), code_cell(MAKES), code_cell([WRONG, "\n"]))
    (here / "n.ipynb").write_bytes(notebook(*cells))
    return here


@pytest.mark.usefixtures("here")
def test_check_shows_the_cell() -> None:
    result = run("check", "n.ipynb")
    assert result.exit_code == 1
    assert "1 | y = x @ torch.zeros(4, 5)\n" in result.stdout
    assert json.loads(run("check", "n.ipynb", "--output-format", "json").stdout)


@pytest.mark.usefixtures("here")
def test_show() -> None:
    result = run("show", "n.ipynb")
    assert result.exit_code == 0
    assert result.stdout == (
        "cell 2\n"
        "1 | import torch\n"
        "2 | x = torch.zeros(2, 3)  [2, 3]\n"
        "cell 3\n"
        "1 | y = x @ torch.zeros(4, 5)\n"
    )


@pytest.mark.parametrize("form", FORMATS)
def test_the_cell_and_the_line_in_every_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.chdir(tmp_path)
    cells = markdown_cell("# Title\n"), code_cell(MAKES), code_cell(["%time\n", "\n", WRONG])
    (tmp_path / "n.ipynb").write_bytes(notebook(*cells))
    done = run("check", "n.ipynb", "--output-format", form)
    assert done.exit_code == 1
    output = " ".join(done.stdout.split())
    ways = {
        "full": "--> n.ipynb:cell 3:3:5",
        "concise": "n.ipynb:cell 3:3:5: NC203",
        "json": '"cell": 3, "location": { "row": 3, "column": 5 }',
        "json-lines": '"cell": 3, "location": {"row": 3, "column": 5}',
        "github": "n.ipynb:cell 3:3:5: NC203",
        "gitlab": "cell 3, line 3: cannot matmul",
        "sarif": "cell 3, line 3: cannot matmul",
        "junit": 'name="NC203 contraction-size at cell 3:3:5"',
        "rdjson": "cell 3, line 3: cannot matmul",
        "html": "n.ipynb:cell 3:3:5",
    }
    assert ways[form] in output

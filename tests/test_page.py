"""The page of HTML: `show --html` and `check --output-format html`."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from invoking import invoke
from namecheck.findings import Finding, Label, Level, Note, Span
from namecheck.report.page.document import page_text
from namecheck.report.page.page_file import PageFile
from namecheck.text.layout import split_lines
from notebooks import code_cell, markdown_cell, notebook

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "docs" / "examples").rglob("*.py"))
WRONG = """import torch


def loss(
    a: torch.Tensor,  # (B, 1)
    b: torch.Tensor,  # (B,)
):
    gap = a - b
    return gap.abs().mean()
"""
VOID = {"meta", "input"}


class Page(HTMLParser):
    """A page as a browser reads it: its elements with their texts, each closed in its place."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[dict[str, Any]] = []
        self.elements: list[dict[str, Any]] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = {"tag": tag, "text": "", "own": "", "inside": [*self.open], **dict(attrs)}
        self.elements.append(made)
        if tag not in VOID:
            self.open.append(made)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()["tag"] == tag

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element["text"] += data
        if self.open:
            self.open[-1]["own"] += data

    def of_class(self, kind: str) -> list[dict[str, Any]]:
        return [one for one in self.elements if kind in (one.get("class") or "").split()]


class Sources(HTMLParser):
    """The code of each line of a page, and the dims behind it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.lines: dict[str, str] = {}
        self.dims: dict[str, list[str]] = {}
        self.line = ""
        self.in_code = self.in_dims = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if tag == "div" and known.get("class") == "line":
            self.line = str(known["id"])
            self.lines[self.line], self.dims[self.line] = "", []
        self.in_code = self.in_code or (tag == "code")
        if tag == "b":
            self.in_dims = True
            self.dims[self.line].append("")

    def handle_endtag(self, tag: str) -> None:
        self.in_code = self.in_code and tag != "code"
        self.in_dims = self.in_dims and tag != "b"

    def handle_data(self, data: str) -> None:
        if self.in_dims:
            self.dims[self.line][-1] += data
        elif self.in_code:
            self.lines[self.line] += data


def page_of(folder: Path, *arguments: str) -> str:
    done = invoke("show", "--html", *arguments)
    assert done.exit_code == 0, done.output
    return str(done.stdout)


def test_the_listings_are_the_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    paths = [str(path.relative_to(ROOT)) for path in EXAMPLES]
    text = page_of(ROOT, *paths)
    shown, page = Sources(text), Page(text)
    files = [one["text"] for one in page.elements if one["tag"] == "h2"]
    assert sorted(files) == sorted(paths)
    for number, path in enumerate(files, 1):
        source = split_lines((ROOT / path).read_text(encoding="utf-8"))
        lines = {name: code for name, code in shown.lines.items() if name.startswith(f"f{number}-")}
        assert list(lines.values()) == [line.rstrip("\r\n") for line in source]
    assert len(page.of_class("x")) > 100
    assert len(page.of_class("card")) > 7


def test_a_page_fetches_nothing_and_its_links_lead_somewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.py").write_text(WRONG)
    text = page_of(tmp_path, ".")
    page = Page(text)
    names = {one["id"] for one in page.elements if "id" in one}
    assert len(names) == sum("id" in one for one in page.elements)
    for one in page.elements:
        assert not {"src", "srcset", "action", "background"} & one.keys()
        assert one["tag"] not in ("link", "iframe", "img", "object", "base")
        if "href" in one:
            assert one["href"].startswith("#")
            assert one["href"][1:] in names
    (style,) = (one["text"] for one in page.elements if one["tag"] == "style")
    assert not re.search(r"url\(|@import|https?:", style)


def test_a_finding_is_a_card_with_its_operands_lined_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.py").write_text(WRONG)
    for text in (page_of(tmp_path, "wrong.py"), checked_page("wrong.py")):
        page = Page(text)
        (card,) = page.of_class("card")
        assert "NC202 misaligned-broadcast" in card["text"]
        cells = [(one["class"], one["text"]) for one in page.elements if one["tag"] == "td"]
        assert cells == [
            ("axis stretch", "B"), ("axis stretch", "1"),
            ("none stretch", ""), ("axis stretch", "B"),
        ]  # fmt: skip
        heads = [one["text"] for one in page.elements if one["tag"] == "th"]
        assert heads == ["a", "b"]
        (found,) = page.of_class("found")
        assert found["text"] == "a - b"
        sources = Sources(text)
        assert sources.dims["f1-5"] == ["[B, 1]"]
        assert sources.dims["f1-8"] == ["[B, B]"]


def checked_page(path: str) -> str:
    done = invoke("check", "--output-format", "html", path)
    assert done.exit_code == 1, done.output
    return str(done.stdout)


def test_the_table_of_dims_says_where_they_come_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(
        "import torch\n\n\ndef f(x):\n    B, T = x.shape\n    y = x[:, None]\n    return y\n"
    )
    page = Page(page_of(tmp_path, "a.py"))
    (data,) = (one["text"] for one in page.elements if one.get("id") == "dims")
    table = json.loads(data)
    (inserted,) = (one for one in page.of_class("x") if one["text"] == "x[:, None]")
    axes, notes = table[int(inserted["data-x"])]
    assert axes == ["B", "1", "T"]
    assert [note[1:] for note in notes] == [[5, None, 1]]
    # An expression is inside the one around it.
    inner = [one for one in page.of_class("x") if one["text"] == "x" and inserted in one["inside"]]
    assert len(inner) == 1


def test_notebooks_have_a_listing_for_each_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cells = (
        code_cell("import torch\nx = torch.zeros(2, 3)"),
        markdown_cell("# text"),
        code_cell("y = x + torch.zeros(2, 4)"),
    )
    (tmp_path / "n.ipynb").write_bytes(notebook(*cells))
    sources = Sources(text := page_of(tmp_path, "n.ipynb"))
    assert list(sources.lines) == ["f1-c1-1", "f1-c1-2", "f1-c3-1"]
    assert sources.dims["f1-c1-2"] == ["[2, 3]"]
    page = Page(text)
    (card,) = page.of_class("card")
    assert any(one.get("href") == "#f1-c3-1" and card in one["inside"] for one in page.elements)


HOSTILE = "</script><script>alert(1)</script><b onclick=x>&amp;"


def test_nothing_that_files_contain_becomes_an_element() -> None:
    span = Span(1, 1, 1, 8)
    note = Note(HOSTILE, HOSTILE, span)
    label = Label(span, f"[{HOSTILE}]")
    finding = Finding(
        HOSTILE, span, "NC201", HOSTILE, Level.ERROR, HOSTILE, (label, label), (note,), HOSTILE
    )
    known = Finding(HOSTILE, span, "", "", Level.NOTE, f"[{HOSTILE}]", notes=(note,))
    file = PageFile(HOSTILE, {None: f"x = '{HOSTILE}'\n"}, [finding], (), [known])
    page = Page(page_text([file], HOSTILE, 1))
    assert [one["tag"] for one in page.elements].count("script") == 2
    assert not any("onclick" in one for one in page.elements)
    (data,) = (one["text"] for one in page.elements if one.get("id") == "dims")
    assert json.loads(data)[0][0] == [HOSTILE]
    (path,) = (one["text"] for one in page.elements if one["tag"] == "h2")
    assert path == HOSTILE


def test_columns_of_operands_that_fit_are_not_marked() -> None:
    span = Span(1, 1, 1, 2)
    labels = (Label(span, "[B, T, C]"), Label(Span(1, 5, 1, 6), "[N, C]"))
    finding = Finding("a.py", span, "NC201", "", Level.ERROR, "", labels, lines_up=True)
    file = PageFile("a.py", {None: "x + y\n"}, [finding])

    def marks(finding: Finding) -> list[str]:
        page = Page(page_text([file._replace(findings=[finding])], "", 1))
        return [one["class"] for one in page.elements if one["tag"] == "td"]

    lined_up = "axis stretch|axis clash|axis|none stretch|axis clash|axis"
    assert marks(finding) == lined_up.split("|")
    assert marks(finding._replace(lines_up=False)) == [*(5 * ["axis"]), "none"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--html", "--driven", "a.py"),
        ("--html", "-"),
        ("a.py", "a.py"),
        (".",),
        ("-o", "page.html", "a.py"),
        ("--html", "-o", "nowhere/page.html", "a.py"),
    ],
)
def test_what_does_not_go_together(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text("x = 1\n")
    assert invoke("show", *arguments).exit_code == 2
    assert not (tmp_path / "page.html").exists()


def test_many_files_without_findings_are_folded() -> None:
    found = Finding("a.py", Span(1, 1, 1, 2), "NC201", "size-mismatch", Level.ERROR, "wrong")
    files = [PageFile("a.py", {None: "x"}, [found])]
    clean = [PageFile(f"b{number}.py", {None: "x"}) for number in range(11)]
    page = Page(page_text([*files, *clean], "namecheck", 12))
    (summary,) = (one for one in page.elements if one["tag"] == "summary")
    assert summary["text"] == "11 files without findings"
    listed = [one for one in page.elements if "data-file" in one]
    folded = [one["data-file"] for one in listed if "details" in map(tag_of, one["inside"])]
    assert folded == [f"f{number}" for number in range(2, 13)]
    for few in ([*files, *clean[1:]], clean):  # no finding has to be found among them
        assert "details" not in map(tag_of, Page(page_text(few, "namecheck", 11)).elements)


def tag_of(element: dict[str, Any]) -> str:
    return str(element["tag"])


def test_a_page_goes_to_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.py").write_text(WRONG)
    done = invoke("show", "--html", "-o", "page.html", "wrong.py")
    assert (done.exit_code, done.stdout) == (0, "")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page_of(tmp_path, "wrong.py")

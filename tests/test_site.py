"""The documentation as a site, and the blocks of its pages, followed word for word.

A block titled with a file name is written to that file; a terminal block (`console`) is typed and
must print what it shows; a shell block (`sh`) is run and must succeed, except for installations.
One page is one folder, from its first block to its last.  A hook (`docs/hooks/console.py`) restores
the colours of a terminal block, which must be those of the report.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import NamedTuple
from urllib.parse import urldefrag

import pytest

from loading import load_file
from namecheck.analysis import analyze, open_program
from namecheck.codes.selection import STRICT
from namecheck.documentation.pages import pages
from namecheck.printing.screen import Piece, plain
from namecheck.report import Report
from namecheck.report.text import full_pieces
from namecheck.terms import Terms
from namecheck_runtime.mistakes import CODES

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
SESSIONS = [
    "index.md",
    "guide.md",
    "faq.md",
    "output_formats.md",
    "suppressing.md",
    "fixes.md",
    "annotate.md",
    "input.md",
    "notebooks.md",
    "drives.md",
    "summary.md",
]

BLOCK = re.compile(
    r'^```(?P<kind>\w+)(?: title="(?P<title>[^"]+)")?\n(?P<text>.*?)^```$',
    re.MULTILINE | re.DOTALL,
)


class Block(NamedTuple):
    kind: str
    title: str | None
    text: str


def blocks(page: Path) -> list[Block]:
    return [Block(m["kind"], m["title"], m["text"]) for m in BLOCK.finditer(page.read_text())]


def commands(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a terminal block, each with the output below it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """An environment where `namecheck` runs this checkout."""
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    script = bin_folder / "namecheck"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m namecheck "$@"\n')
    script.chmod(0o755)
    roots = os.pathsep.join(str(ROOT / root) for root in ("runtime", "namecheck", "plugin"))
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("NAMECHECK_", "FORCE_"))}
    return inherited | {
        "PYTHONPATH": roots,
        "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
    }


@pytest.mark.parametrize("name", SESSIONS)
def test_a_page_is_followed_word_for_word(name: str, tmp_path: Path, shell: dict[str, str]) -> None:
    here = tmp_path / "empty"
    here.mkdir()
    typed = 0
    for block in blocks(DOCS / name):
        if block.title is not None:
            (here / block.title).write_text(block.text)
        elif block.kind == "console":
            for command, shown in commands(block.text):
                done = run(command, here, shell)
                printed = done.stdout + done.stderr
                assert printed == shown, command
                typed += 1
        elif block.kind == "sh" and "pip install" not in block.text:
            done = run(block.text, here, shell)
            assert done.returncode == 0, done.stderr
    assert typed


def run(command: str, here: Path, shell: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", command], cwd=here, env=shell, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built without warnings or network access, so that it can be read offline."""
    pytest.importorskip("material", reason="mkdocs-material is not installed")
    folder = tmp_path_factory.mktemp("site")
    roots = os.pathsep.join(str(ROOT / root) for root in ("runtime", "namecheck"))
    offline = {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(folder)],
        cwd=ROOT,
        env={**os.environ, **offline, "PYTHONPATH": roots, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


class Links(HTMLParser):
    """The links of a page, its link targets, and its text in the requested elements."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.places: set[str] = set()
        self.feed(page.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.places.add(attributes.get("id") or "")
        if tag == "a" and (target := attributes.get("href")):
            self.targets.append(target)


def blocks_of(page: Path) -> list[str]:
    """The terminal blocks of a page of the site, as text."""
    elements = re.findall(r"<div class=\"language-console.*?</div>", page.read_text(), re.DOTALL)
    return [unescape(re.sub(r"<[^>]+>", "", block)) for block in elements]


def test_the_site_has_a_page_per_rule(site: Path) -> None:
    for page in pages():
        text = (site / "rules" / page.code / "index.html").read_text()
        assert f"{page.code} {page.name}</h1>" in re.sub("<a .*?</a>", "", text)
    overview = (site / "rules/index.html").read_text()
    assert all(f'href="{page.code}/"' in overview for page in pages())


def cells(row: str) -> list[str]:
    return [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<t[hd]>(.*?)</t[hd]>", row)]


def test_the_overview_and_the_pages_state_the_same_facts(site: Path) -> None:
    overview = (site / "rules/index.html").read_text()
    rows = [cells(row) for row in re.findall(r"<tr>(.*?)</tr>", overview, re.DOTALL)]
    heads = {tuple(row) for row in rows if not row[0].startswith("NC")}
    assert heads == {("code", "name", "level", "default", "fix", "summary")}
    facts = {row[0]: row[1:5] for row in rows if row[0].startswith("NC")}
    assert set(facts) == {page.code for page in pages()}
    assert facts["NC202"] == ["misaligned-broadcast", "warning", "on", "unsafe"]
    assert facts["NC209"] == ["rank-promotion", "warning", "off", "none"]
    assert facts["NC501"] == ["noncontiguous-view", "error", "on", "safe"]
    for page in pages():
        name, *stated = facts[page.code]
        text = (site / "rules" / page.code / "index.html").read_text()
        head, row = re.findall(r"<tr>(.*?)</tr>", text, re.DOTALL)[:2]
        assert name == page.name
        assert stated[0] == page.level
        assert stated[1].startswith("on" if page.default else "off")
        assert (cells(head), cells(row)) == (["level", "default", "fix"], stated)


def test_a_page_shows_the_output_for_its_program(
    site: Path, tmp_path: Path, shell: dict[str, str]
) -> None:
    """Rules of each kind run again in processes of their own; all pages name their code."""
    for code in CODES:
        (block,) = blocks_of(site / "rules" / code / "index.html")
        assert f"[{code}]" in block or block.startswith("$ python example.py")
    for code in ("NC202", "NC209", "NC803", "NC801", "NC902"):
        page = (site / "rules" / code / "index.html").read_text()
        program = re.search(r"example\.py</span>.*?<code>(.*?)</code>", page, re.DOTALL)
        (block,) = blocks_of(site / "rules" / code / "index.html")
        assert program
        (tmp_path / "example.py").write_text(unescape(re.sub(r"<[^>]+>", "", program[1])))
        ((command, shown),) = commands(block)
        assert run(command, tmp_path, shell).stdout == shown


def test_rules_link_to_the_previous_and_the_next_one(site: Path) -> None:
    every_page = pages()
    for before, page, after in zip(every_page, every_page[1:], every_page[2:], strict=False):
        text = (site / "rules" / page.code / "index.html").read_text()
        for way, other in (("prev", before), ("next", after)):
            (link,) = re.findall(rf"<a href=\"([^\"]+)\" class=\"[^\"]*footer__link--{way}", text)
            assert link == f"../{other.code}/"


def test_pages_for_developers_are_not_searched(site: Path) -> None:
    index = json.loads((site / "search/search_index.json").read_text())
    searched = {entry["location"].partition("#")[0] for entry in index["docs"]}
    assert not searched & {"decisions/", "adding_an_op/"}
    assert searched >= {"", "guide/", "faq/", "configuration/", "rules/", "rules/NC202/"}


def test_links_within_the_site_have_targets(site: Path) -> None:
    links_by_folder = {page.parent: Links(page) for page in site.rglob("index.html")}
    for folder, page in links_by_folder.items():
        for link in page.targets:
            address, place = urldefrag(link)
            if re.match(r"[a-z]+:", address):
                continue
            target = (folder / address).resolve() if address else folder
            assert target.exists(), (folder, link)
            if place and target in links_by_folder:
                assert place in links_by_folder[target].places, (folder, link)


def test_the_site_fetches_nothing_from_other_sites(site: Path) -> None:
    """Links may lead to other sites; files that a browser loads by itself may not."""
    loaded = re.compile(r'<(?:script|img|link rel="stylesheet")[^>]+(?:src|href)="(https?:[^"]+)"')
    for page in site.rglob("*.html"):
        assert not loaded.findall(page.read_text()), page


def test_every_page_is_in_the_navigation(site: Path) -> None:
    """The hook adds the pages of the rules. The guide comes before the rest."""
    front = (site / "index.html").read_text()
    sidebar = front[front.index("md-sidebar--primary") : front.index("md-sidebar--secondary")]
    for page in site.rglob("index.html"):
        name = page.parent.relative_to(site).as_posix()
        assert f'href="{name}/"' in sidebar or name == ".", name
    order = re.findall(r'href="([a-z_]+/)"', sidebar)
    assert order[:2] == ["guide/", "faq/"]
    assert order.index("adding_an_op/") > order.index("comparison/")


# Terminal blocks


@pytest.fixture(scope="module")
def console() -> ModuleType:
    return load_file(DOCS / "hooks/console.py")


def styled(pieces: Iterator[Piece]) -> list[tuple[str, str]]:
    """The text of each style, without blanks, which show no colour."""
    plain_styles = {
        "place": "",
        "note": "",
        "source": "",
    }  # these are plain in the terminal as well
    named = ((p.text, plain_styles.get(p.style, p.style)) for p in pieces)
    letters = [(letter, style) for text, style in named for letter in text if not letter.isspace()]
    return [
        ("".join(letter for letter, _ in same), style)
        for style, same in groupby(letters, key=lambda pair: pair[1])
    ]


def programs() -> list[str]:
    blocks_by_page = [re.findall(r"^```python\n(.*?)^```", p.text, re.M | re.S) for p in pages()]
    examples = [path.read_text() for path in (DOCS / "examples" / "mistakes").glob("*.py")]
    return [program for page in blocks_by_page for program in page] + examples


def test_a_block_has_the_colours_of_the_report(console: ModuleType) -> None:
    reports = 0
    for program in programs():
        opened = open_program(terms_of=lambda _: Terms(strict=STRICT))
        findings = analyze("example.py", program.encode(), program=opened).findings
        pieces = list(full_pieces(Report(findings, lambda *_, text=program: text, 1)))
        expected = [
            (text, "" if style == "note" else style) for text, style in styled(iter(pieces))
        ]
        got = styled(console.pieces(plain(pieces)))
        assert [(t, "" if s == "note" else s) for t, s in got] == expected
        reports += bool(findings)
    assert reports > 40


def test_commands_dims_and_diffs_have_colours_too(console: ModuleType) -> None:
    shown = """\
$ namecheck show a.py
1 | x = f(a)  # (B, T)   x: [B, T]
$ namecheck check --diff a.py
--- a.py
+++ a.py

-x = 1
+x = 2
Would fix 1 finding in 1 file.
"""
    pieces = [(p.text.strip(), p.style) for p in console.pieces(shown) if p.text.strip()]
    assert pieces == [
        ("$", "prompt"),
        ("namecheck show a.py", "command"),
        ("1 |", "gutter"),
        ("x = f(a)  # (B, T)", ""),
        ("x: [B, T]", "dims"),
        ("$", "prompt"),
        ("namecheck check --diff a.py", "command"),
        ("--- a.py", "message"),
        ("+++ a.py", "message"),
        ("-x = 1", "diff-red"),
        ("+x = 2", "diff-green"),
        ("Would fix 1 finding in 1 file.", ""),
    ]


def lines(text: str) -> list[str]:
    """The lines without trailing blanks, which Markdown removes."""
    return [line.rstrip() for line in text.rstrip().splitlines()]


def test_blocks_keep_their_text_and_copy_the_commands_alone(site: Path) -> None:
    copied = 0
    for name in ("index", "guide", "fixes"):
        page = site / ("" if name == "index" else name) / "index.html"
        texts = [block.text for block in blocks(DOCS / f"{name}.md") if block.kind == "console"]
        assert list(map(lines, blocks_of(page))) == list(map(lines, texts))
        for attribute, text in zip(
            re.findall(r'highlight" data-copy="([^"]+)"', page.read_text()), texts, strict=True
        ):
            assert unescape(attribute).split("\n") == [command for command, _ in commands(text)]
            copied += 1
    assert copied > 8


def test_blocks_with_pythons_prompt_copy_only_the_input(site: Path) -> None:
    text = (site / "from_torch" / "index.html").read_text()
    copied = [
        unescape(attribute)
        for attribute in re.findall(r'pycon highlight" data-copy="([^"]*)"', text)
    ]
    first = next(block.text for block in blocks(DOCS / "from_torch.md") if block.kind == "pycon")
    typed = [line[4:] for line in first.splitlines() if line[:4] in (">>> ", "... ")]
    assert copied[0].split("\n") == typed
    assert len(copied) == text.count("language-pycon")


STYLES = (DOCS / "assets" / "site.css").read_text()


def test_blocks_scroll(site: Path) -> None:
    """Lines wider than the page are not broken, so underlines stay below their operands."""
    assert re.search(r"\.md-typeset pre > code \{\s*white-space: pre;", STYLES)
    assert "pre-wrap" not in STYLES
    assert "site.css" in (site / "index.html").read_text()


def luminance(colour: str) -> float:
    channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize(
    ("scheme", "background"), [(r":root > \*", "#f5f5f5"), (r"\[data-md[^]]*\]", "#272a35")]
)
def test_colours_can_be_read(scheme: str, background: str) -> None:
    """WCAG AA, against the theme's background of code in light and dark."""
    declared = re.search(rf"^{scheme} \{{(.*?)^\}}", STYLES, re.M | re.S)
    assert declared
    colours = dict(re.findall(r"(--[\w-]+): (#[0-9a-f]{6});", declared[1]))
    assert len(colours) >= 6
    for name, colour in colours.items():
        light, dark = sorted((luminance(colour), luminance(background)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, name
    used = set(re.findall(r"var\((--nc-\w+)\)", STYLES))
    assert used <= set(colours)

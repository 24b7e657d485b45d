"""The documentation as a site, and what its pages say word for word.

A block titled with a file name is written to that file; a block of a terminal (`console`) is typed
and has to print what is shown; a block of shell (`sh`) is run and has to succeed, but for
installing. One page is one folder, from its first block to its last.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from namecheck.pages import pages

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
SESSIONS = [
    "index.md",
    "guide.md",
    "output_formats.md",
    "suppressing.md",
    "fixes.md",
    "annotate.md",
    "input.md",
    "notebooks.md",
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
    """The commands of a block of a terminal, each with what is shown below it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """An environment in which `namecheck` is this checkout's."""
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    script = bin_folder / "namecheck"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m namecheck "$@"\n')
    script.chmod(0o755)
    roots = os.pathsep.join(str(ROOT / root) for root in ("runtime", "namecheck", "plugin"))
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("NAMECHECK_", "FORCE_"))}
    return kept | {
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
    """The site, built without warnings; nothing is fetched, so it can be read offline."""
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


def test_the_site_has_a_page_per_rule(site: Path) -> None:
    for page in pages():
        text = (site / "rules" / page.code / "index.html").read_text()
        assert f"{page.code} {page.name}</h1>" in re.sub("<a .*?</a>", "", text)
    overview = (site / "rules/index.html").read_text()
    assert all(f'href="{page.code}/"' in overview for page in pages())


def test_the_site_fetches_nothing_from_elsewhere(site: Path) -> None:
    """Links may lead away; what a browser loads by itself may not."""
    loaded = re.compile(r'<(?:script|img|link rel="stylesheet")[^>]+(?:src|href)="(https?:[^"]+)"')
    for page in site.rglob("*.html"):
        assert not loaded.findall(page.read_text()), page


def test_every_page_is_in_the_navigation(site: Path) -> None:
    front = (site / "index.html").read_text()
    for page in DOCS.glob("*.md"):
        if page.name != "index.md":
            assert f'href="{page.stem}/"' in front, page.name

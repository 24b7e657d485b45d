"""The extension in a real VS Code: what a user sees and does, step by step."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path
from time import monotonic

import pytest
from window import PICTURES, Window, window
from workplace import ROOT, Workplace

from commands import run

EXAMPLES = ROOT / "docs" / "examples" / "mistakes"

VIEWS = """\
import torch

x = torch.zeros(8, 16, 4, 32)
heads_first = x.transpose(1, 2)
flat = heads_first.view(8, 512, 4)
"""

MIX = """\
import torch


def mix(x: torch.Tensor):
    b, t, c = x.shape
    y = x.transpose(1, 2)
    z = y.reshape(b, -1)
    return z
"""

CELLS = (
    "import torch\n\nscores = torch.zeros(32, 10)",
    "weights = torch.zeros(12, 4)\nscores @ weights",
)


def project(folder: Path) -> Path:
    """A folder with the docs' examples, some files to edit, and a notebook."""
    shutil.copytree(EXAMPLES, folder)
    (folder / "views.py").write_text(VIEWS)
    (folder / "mix.py").write_text(MIX)
    cells = [
        {
            "cell_type": "code",
            "metadata": {},
            "outputs": [],
            "execution_count": None,
            "source": source.splitlines(keepends=True),
        }
        for source in CELLS
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (folder / "scores.ipynb").write_text(json.dumps(notebook))
    return folder


@pytest.mark.registry
@pytest.mark.parametrize("theme", ["Light", "Dark"] if PICTURES in os.environ else ["Light"])
def test_the_extension_in_a_real_window(workplace: Workplace, tmp_path: Path, theme: str) -> None:
    folder = project(tmp_path / "project")
    steps = (
        squiggle_and_state,
        hover,
        hints_and_comment,
        dims_follow_the_cursor,
        quick_fix,
        fix_on_save,
        annotate,
        explain,
        notebook,
        settings,
        problems,
        restart,
    )
    chosen = {
        "editor.codeActionsOnSave": {"source.fixAll.namecheck": "explicit"},
        "workbench.colorTheme": f"Default {theme} Modern",
    }
    ending = "" if theme == "Light" else "-dark"
    serving = workplace.serving(folder, f"code{ending}", **chosen)
    with serving as code, window(workplace, code, ending) as shown:
        for step in steps:
            begin = monotonic()
            step(shown)
            print(f"{step.__name__}: {monotonic() - begin:.1f} s")


def squiggle_and_state(shown: Window) -> None:
    """Nothing is installed but Python: the extension's own copy finds the mistake."""
    seconds = shown.open("loss_broadcast.py")
    print(f"from the address to the first squiggle: {seconds:.1f} s")
    state(shown, "The extension's own copy")
    state(shown, "libcst is not installed there")


def state(shown: Window, text: str) -> None:
    """The status item has the version; point at it, and it says more."""
    shown.page.mouse.move(600, 5)
    item = shown.page.locator(".statusbar-item", has_text=f"namecheck {namecheck_version()}")
    item.wait_for()
    item.hover()
    shown.page.locator(".monaco-hover:visible", has_text=text).wait_for()


def namecheck_version() -> str:
    """The version in this repository."""
    from namecheck import __version__

    return __version__


def hover(shown: Window) -> None:
    """The hover has the dims, and what the code means."""
    shown.page.locator(".view-line .inline-hint, .view-line").first.wait_for()
    shown.point_at("return ((pred", "target", click=False)
    card = shown.page.locator(".monaco-hover:visible").first
    card.wait_for()
    # The two come one after the other.
    for part in (re.compile("NC202"), re.compile(r"target:\s\[B\]")):
        shown.page.locator(".monaco-hover:visible", has_text=part).first.wait_for()
    text = card.inner_text()
    assert "target: [B]" in text.replace("\xa0", " ")
    assert "sub of [B, 1] and [B] gives [B, B]" in text.replace("\xa0", " ")
    shown.picture("hover", aside=False)


def hints_and_comment(shown: Window) -> None:
    """A hint has the dims, and a double click writes them as a comment."""
    shown.show("mix.py")
    hint = shown.line("x.transpose(1, 2)").get_by_text("[b, c, t]")
    hint.wait_for()
    hint.dblclick()
    shown.line("# (b, c, t)").wait_for()
    assert "y[b, c, t] = x.transpose(1, 2)  # (b, c, t)" in shown.text()
    shown.command("File: Revert File")


def dims_follow_the_cursor(shown: Window) -> None:
    """The view has a box for each dim of what is at the cursor, and the way to its origin."""
    shown.command("namecheck: Focus on Dims View")
    dims = shown.dims()
    shown.show("loss_broadcast.py")
    shown.point_at("return ((pred", "pred")
    dims.locator(".expression", has_text="pred").wait_for()
    assert dims.locator(".box .label").all_inner_texts() == ["B", "1"]
    shown.picture("dims")
    shown.point_at("return ((pred", "target")
    dims.locator(".expression", has_text="target").wait_for()
    assert dims.locator(".box .label").all_inner_texts() == ["B"]
    place = dims.locator("button.place", has_text="loss_broadcast.py:18")
    place.click()
    shown.page.locator(".statusbar-item", has_text="Ln 18").wait_for()


def quick_fix(shown: Window) -> None:
    """A fix is offered where the finding is, and does what it says."""
    shown.command("View: Show Explorer")
    shown.show("views.py")
    shown.squiggles().first.wait_for()
    menu = shown.fixes("heads_first.view", "view")
    fix = menu.locator(".action", has_text="contiguous").first
    fix.wait_for()
    shown.picture("fix", aside=False)
    fix.click()
    shown.line("heads_first.contiguous().view(8, 512, 4)").wait_for()
    shown.no_squiggles()
    shown.command("File: Revert File")


def fix_on_save(shown: Window) -> None:
    """Saving applies the safe fixes, if the user has said so."""
    shown.squiggles().first.wait_for()
    shown.point_at("heads_first.view", "view")
    shown.press("End", "Space", "ControlOrMeta+S")
    shown.line("heads_first.contiguous().view(8, 512, 4)").wait_for()
    shown.page.locator(".tab.active:not(.dirty)").wait_for()
    assert ".contiguous().view(8, 512, 4)" in (shown.code.folder / "views.py").read_text()


def annotate(shown: Window) -> None:
    """The command writes what `namecheck annotate` writes, and leaves saving to the user."""
    shown.show("mix.py")
    shown.line("x.transpose(1, 2)").click()
    shown.command("namecheck: Annotate This File")
    shown.line("# (b, c, t)").wait_for()
    shown.page.locator(".tab.active.dirty").wait_for()
    shown.command("File: Revert File")


def explain(shown: Window) -> None:
    """The page of the rule under the cursor is shown as it reads."""
    shown.show("loss_broadcast.py")
    shown.squiggles().first.wait_for()
    shown.point_at("return ((pred", "target")
    shown.command("namecheck: Explain This Rule")
    tab = shown.page.locator(".tab", has_text="NC202")
    tab.wait_for()
    frames = shown.page.frame_locator("iframe.webview").last.frame_locator("iframe#active-frame")
    frames.locator("h1", has_text="NC202").wait_for()
    shown.command("View: Close All Editors")


def notebook(shown: Window) -> None:
    """A finding in a cell about a tensor of another cell."""
    shown.page.locator(".explorer-folders-view .monaco-list-row", has_text="scores.ipynb").click()
    shown.page.locator(".notebookOverlay .view-line", has_text="scores @ weights").wait_for()
    shown.squiggles().first.wait_for()
    shown.page.locator(".notebookOverlay .view-line", has_text="[32, 10]").first.wait_for()
    shown.picture("notebook")
    shown.command("View: Close All Editors")


def settings(shown: Window) -> None:
    """A setting of the editor takes precedence, at once, and has a place in the settings' page."""
    shown.show("loss_broadcast.py")
    shown.squiggles().first.wait_for()
    shown.set(**{"namecheck.ignore": ["NC202"]})
    shown.no_squiggles()
    shown.set(**{"namecheck.ignore": None})
    shown.squiggles().first.wait_for()
    shown.set(**{"namecheck.inlayHints": False})
    shown.page.wait_for_function(
        "![...document.querySelectorAll('.view-line')].some(l => l.innerText.includes('[B'))"
    )
    shown.set(**{"namecheck.inlayHints": None})
    shown.command("Preferences: Open Settings (UI)")
    search = shown.page.locator(".settings-editor .suggest-input-container").first
    search.click()
    shown.page.keyboard.type("@ext:namecheck.namecheck")
    shown.page.locator(".setting-item-label", has_text="Inlay Hints").first.wait_for()
    shown.press("Escape")
    shown.page.wait_for_timeout(500)
    shown.picture("settings")
    shown.command("View: Close All Editors")


def problems(shown: Window) -> None:
    """The findings of files that are not open stand in the panel, too: all that `check` reports."""
    shown.show("loss_broadcast.py")
    options = ("check", "--isolated", "--no-cache", "--exit-zero", "--output-format", "json")
    report = run(sys.executable, "-m", "namecheck", *options, ".", cwd=shown.code.folder)
    expected = str(len(json.loads(report)))
    shown.command("Problems: Focus on Problems View")
    count = shown.page.locator(".composite-bar .action-item", has_text="Problems")
    count.locator(".badge-content", has_text=re.compile(f"^{expected}$")).wait_for()
    shown.page.locator(".markers-panel-container .monaco-list-row").first.wait_for()
    shown.picture("problems")
    shown.command("View: Hide Panel")


def restart(shown: Window) -> None:
    """The folder's own interpreter is found once it is there, and its namecheck runs; that of the
    Python extension comes first.
    """
    make_environment(shown.code.folder / ".venv")
    shown.command("namecheck: Restart")
    state(shown, ".venv/bin/python")
    shown.squiggles().first.wait_for()
    elsewhere = shown.code.folder.parent / "elsewhere"
    make_environment(elsewhere)
    shown.code.selected.write_text(str(elsewhere / "bin" / "python"))
    shown.command("namecheck: Restart")
    state(shown, "the Python extension")
    shown.squiggles().first.wait_for()


def make_environment(folder: Path) -> None:
    """An environment in which this repository's namecheck is installed."""
    import venv

    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/python3*/site-packages")
    ours = [str(ROOT / name) for name in ("runtime", "namecheck", "plugin")]
    packages = [path for path in sys.path if path.endswith("site-packages")]
    (site / "namecheck.pth").write_text("\n".join([*ours, *packages]) + "\n")

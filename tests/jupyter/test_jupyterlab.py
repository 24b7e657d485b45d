"""A real JupyterLab, with our package installed as its users install it, and nothing set up."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from commands import run
from notebooks import code_cell, notebook

ROOT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")

FILE = "import torch\n\nx = torch.zeros(3, 4)\ny = x + torch.zeros(3, 5)\n"
DEFINITIONS = """\
import numpy as np


def attend(q, k):
    # q, k: (B, T, C)
    return q @ k.transpose(0, 2, 1)


def loss(pred, target):
    # pred: (B, 1), target: (B,)
    return ((pred - target) ** 2).mean()


features = np.zeros((32, 10))"""
WRONG = """\
%%namecheck --check-only
score = features @ np.zeros((1, 10))"""
FINE = """\
%%namecheck
queries = np.zeros((2, 5, 8))
weights = attend(queries, queries)
weights.shape"""
CELLS = ("%load_ext namecheck", DEFINITIONS, WRONG, FINE)


@pytest.mark.registry
@pytest.mark.skipif(CHROMIUM is None, reason="JupyterLab was not tried: there is no Chromium")
def test_findings_in_files_and_notebooks_and_below_cells(tmp_path: Path) -> None:
    assert CHROMIUM is not None
    run(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path, ROOT, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    run(sys.executable, "-m", "venv", tmp_path / "environment", cwd=tmp_path)
    python = tmp_path / "environment" / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", "--no-compile", f"{wheel}[jupyter]", cwd=tmp_path)
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "net.py").write_text(FILE)
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    (folder / "scores.ipynb").write_bytes(notebook(*map(code_cell, CELLS), **metadata))
    # With this in the environment, the pictures of the documentation are made anew.
    pictures = [ROOT / "docs/assets/editors"] if os.environ.get("NAMECHECK_PICTURES") else []
    script = Path(__file__).with_name("lab.py")
    output = run(python, script, folder, CHROMIUM, *pictures, cwd=tmp_path)
    seen = json.loads(output)
    assert seen["file"] == ["x + torch.zeros(3, 5)"]
    assert seen["notebook"] == ["pred - target"]
    wrong, fine = seen["below"]
    assert "1 finding" in wrong
    assert "NC203 contraction-size" in wrong
    assert "features is [32, 10] (In [2], line 14)" in wrong
    assert "no findings" in fine
    assert "(2, 5, 5)" in seen["outputs"]  # the cell was run
    for theme, is_light in (("light", True), ("dark", False)):
        text, ground = (sum(colour) for colour in seen[theme])
        assert (ground > text) is is_light
        assert abs(ground - text) > 400

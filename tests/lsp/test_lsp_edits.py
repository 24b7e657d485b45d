"""Edits of open files: only what asked for what changed is looked at again, and nothing is lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.random_edits import EDITS
from tests.test_cache_edits import FILES, LAYERS, MODEL

import namecheck.lsp.desk as desk_module
from namecheck.findings import Finding
from namecheck.lsp.desk import Desk
from namecheck.lsp.texts import Sheet
from namecheck.running.examination import examine
from namecheck.settings.config import Configuration


@pytest.fixture
def analyses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that were analysed, as it happens."""
    names: list[str] = []

    def counted(document: Any, *args: Any, **options: Any) -> Any:
        names.append(Path(document.path).name)
        return examine(document, *args, **options)

    monkeypatch.setattr(desk_module, "examine", counted)
    return names


def opened(desk: Desk, folder: Path, texts: Mapping[str, str]) -> None:
    """Have the desk look at the files of a folder with these texts."""
    sheets = {}
    for name, text in texts.items():
        path, uri = str(folder / name), (folder / name).as_uri()
        sheets[path] = Sheet(path, True, {None: text}, {None: uri}, {None: 1}, uri)
    desk.take(sheets)
    for path in sheets:
        desk.up_to_date(path)


def reported(desk: Desk) -> Mapping[str, Sequence[Finding]]:
    return desk.reported().findings


def new_desk(folder: Path) -> Desk:
    return Desk([str(folder)], Configuration(isolated=True))


def test_an_edit_of_another_function_leaves_the_importer(
    tmp_path: Path, analyses: list[str]
) -> None:
    model = MODEL.replace("7", "8")  # a mistake in `layers` would need all of it
    texts = {"sizes.py": "WIDTH = 8\n", "layers.py": LAYERS, "model.py": model}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    desk = new_desk(tmp_path)
    opened(desk, tmp_path, texts)
    for edited, concerned in (
        (LAYERS.replace("x + 1", "x + 2"), ["layers.py"]),
        (LAYERS.replace("x + 1", "x + 2\n    y = y - 1"), ["layers.py"]),
        ("# words\n\n" + LAYERS, ["layers.py"]),
        (LAYERS.replace("def norm", "def moved"), ["layers.py", "model.py"]),
        (
            LAYERS.replace("C = x.shape\n    return", "D = x.shape\n    return"),
            ["layers.py", "model.py"],
        ),
        (LAYERS, ["layers.py", "model.py"]),
    ):
        analyses.clear()
        texts["layers.py"] = edited
        opened(desk, tmp_path, texts)
        # A slow file is looked at in part first.
        assert list(dict.fromkeys(analyses)) == concerned
        anew = new_desk(tmp_path)
        opened(anew, tmp_path, texts)
        assert reported(desk) == reported(anew)


@pytest.mark.parametrize("seed", range(3))
def test_the_answer_after_random_edits_is_that_of_a_new_desk(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    texts = dict(FILES)
    desk = new_desk(tmp_path)
    for turn in range(25):
        if turn % 8 == 7:
            texts = dict(FILES)
        name = random.choice(sorted(texts))
        number = random.choices(range(len(EDITS)), [often for often, _ in EDITS])[0]
        texts[name] = EDITS[number][1](random, texts[name])
        if random.random() < 0.3:  # it is saved
            (tmp_path / name).write_text(texts[name])
        opened(desk, tmp_path, texts)
        anew = new_desk(tmp_path)
        opened(anew, tmp_path, texts)
        assert reported(desk) == reported(anew), (turn, name, number)

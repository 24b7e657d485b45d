"""Fixtures of the tests of the plugin."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from checked import mypy


@pytest.fixture(scope="session")
def warm_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """mypy's cache of the imports of programs, so that not every test reads NumPy's stubs."""
    folder = tmp_path_factory.mktemp("warm")
    (folder / "imports.py").write_text(
        "import namecheck_runtime\nimport namecheck_runtime.nn.functional\n"
    )
    mypy(folder, "imports.py")
    return folder / ".mypy_cache"


@pytest.fixture
def warm(tmp_path: Path, warm_cache: Path) -> Path:
    """A folder in which mypy has read the imports of programs."""
    shutil.copytree(warm_cache, tmp_path / ".mypy_cache")
    return tmp_path

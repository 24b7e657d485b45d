"""Where drivers of model files are."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
FOLDERS: Final = (
    ROOT / "tests/benchmarks/precision/drivers",
    ROOT / "tests/benchmarks/precision/drivers/claims",
    ROOT / "tests/programs/drivers",
    ROOT / "tests/programs/fresh/drivers",
)
"""Where drivers are."""


def every_driver() -> dict[str, Path]:
    """All drivers, by name."""
    paths = [path for folder in FOLDERS for path in sorted(folder.glob("[!_]*.py"))]
    return {path.stem: path for path in paths}

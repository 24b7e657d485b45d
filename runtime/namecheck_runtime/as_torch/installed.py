"""What `importlib.metadata` says of `torch` while this package stands in for it."""

from __future__ import annotations

from importlib.metadata import Distribution
from pathlib import Path
from typing import Any

from namecheck_runtime.as_torch.stand_ins import VERSION


class _Torch(Distribution):
    """A distribution that has a name and a version."""

    def read_text(self, filename: str) -> str | None:
        if filename != "METADATA":
            return None
        return f"Metadata-Version: 2.1\nName: torch\nVersion: {VERSION}\n"

    def locate_file(self, path: Any) -> Any:
        return Path(__file__).parent / path


def distributions(name: str | None) -> list[Any]:
    """The distribution of a name, if it is PyTorch's."""
    return [_Torch()] if name == "torch" else []

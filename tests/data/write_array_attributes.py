"""Writes the names of the attributes of arrays, which `hasattr` asks for in a drive.

`python tests/data/write_array_attributes.py`, with PyTorch and NumPy installed, writes
`namecheck/frameworks/array_attributes.py`. The names of older releases are kept.
"""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import numpy
import torch

ROOT = Path(__file__).parents[2] / "namecheck"
PATH = ROOT / "namecheck" / "frameworks" / "array_attributes.py"


def main() -> None:
    """Replace the two lists of names in the module."""
    sys.path[:0] = [str(ROOT), str(ROOT.parent / "runtime")]
    from namecheck.frameworks import array_attributes

    text = PATH.read_text()
    for cls, before in (
        (torch.Tensor, array_attributes.OF_TORCH),
        (numpy.ndarray, array_attributes.OF_NUMPY),
    ):
        names = {name for name in dir(cls) if not name.startswith("_")} | set(before.split())
        block = textwrap.fill(" ".join(sorted(names)), 98)
        text = text.replace(before.strip(), block)
    PATH.write_text(text)


if __name__ == "__main__":
    main()

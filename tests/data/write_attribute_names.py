"""Writes the names of the attributes of arrays and layers, which `hasattr` asks for in a drive.

`python tests/data/write_attribute_names.py`, with PyTorch and NumPy installed, writes
`namecheck/frameworks/attribute_names.py`. The names of older releases are kept.
"""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import numpy
import torch
from torch import nn

ROOT = Path(__file__).parents[2] / "namecheck"
PATH = ROOT / "namecheck" / "frameworks" / "attribute_names.py"

GIVEN = ((), (4,), (4, 4), (4, 4, 1), (4, 4, 4), (4, 2), ([2, 4],), (4, 8, [2, 4]), (1, (2, 2)))
"""Arguments of constructors, of which some fit each layer."""


def of_layers() -> set[str]:
    """The public names of the layers' classes and objects that not every module has."""
    found: set[str] = set()
    for cls in vars(nn).values():
        if not isinstance(cls, type) or not issubclass(cls, nn.Module):
            continue
        found |= {
            *dir(cls),
            *getattr(cls, "__annotations__", ()),
            *getattr(cls, "__constants__", ()),
        }
        for arguments in GIVEN:
            try:
                found |= set(dir(cls(*arguments)))
                break
            except Exception:
                continue
    return {name for name in found - set(dir(nn.Module())) if not name.startswith("_")}


def main() -> None:
    """Replace the lists of names in the module."""
    sys.path[:0] = [str(ROOT), str(ROOT.parent / "runtime")]
    from namecheck.frameworks import attribute_names

    text = PATH.read_text()
    for found, before in (
        (set(dir(torch.Tensor)), attribute_names.OF_TORCH),
        (set(dir(numpy.ndarray)), attribute_names.OF_NUMPY),
        (of_layers(), attribute_names.OF_LAYERS),
    ):
        names = {name for name in found if not name.startswith("_")} | set(before.split())
        text = text.replace(before.strip(), textwrap.fill(" ".join(sorted(names)), 98))
    PATH.write_text(text)


if __name__ == "__main__":
    main()

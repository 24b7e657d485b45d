"""Prints the candidates in the order in which they are drawn.

The first 20 count, each in its newest version. One is passed over only if it cannot be downloaded
as pure Python, if it needs a package that is neither NumPy, SciPy, einops, tqdm, packaging nor
smaller than 200 kB in pure Python, or if it defines no `nn.Module` that computes on the CPU.
Whether it runs under the runtime is found out afterwards.
"""

from __future__ import annotations

import random
from pathlib import Path

SEED = 20261126


def drawn() -> list[str]:
    """All candidates in their order."""
    lines = (Path(__file__).parent / "candidates.txt").read_text(encoding="utf-8").splitlines()
    names = [name for line in lines if not line.startswith("#") for name in line.split()]
    random.Random(SEED).shuffle(names)
    return names


if __name__ == "__main__":
    print("\n".join(drawn()))

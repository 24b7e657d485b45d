"""Writes `namecheck_runtime/methods.py`: the names of all methods that the registry has.

`python tests/data/write_methods.py` after an op got a spelling `Tensor.name`; a test compares.
"""

from __future__ import annotations

import textwrap
from pathlib import Path

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from namecheck_runtime.declare import REGISTRY

HEAD = '''"""The names of the methods that tensors get from the registry: the class has them before
rules are imported.  Written by `tests/data/write_methods.py`.
"""

from __future__ import annotations

from typing import Final

METHODS: Final = """
'''


def text() -> str:
    """What the module holds."""
    names = (path.removeprefix("Tensor.") for path in REGISTRY if path.startswith("Tensor."))
    words = " ".join(sorted(name for name in names if name.isidentifier()))
    return f'{HEAD}{textwrap.fill(words, 98)}\n""".split()  # noqa: SIM905\n'


if __name__ == "__main__":
    root = Path(__file__).parents[2]
    (root / "runtime/namecheck_runtime/methods.py").write_text(text(), encoding="utf-8")

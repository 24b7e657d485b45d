"""Model files give here what they give under PyTorch: results and gradients of all parameters.

`data/programs_torch.jsonl` has digests of PyTorch's arrays. Here run those that need no package;
`compare.py` runs them all.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import numpy as np

from digests import differences, digests, measured
from driver_files import every_driver

HERE: Final = Path(__file__).parent
NEEDS_NOTHING: Final = sorted(
    name
    for name, path in every_driver().items()
    if any(f'FILE = "{root}/' in path.read_text("utf-8") for root in ("examples", "tests"))
)
"""The drivers of files that this repository has."""

ASKS_FOR_ELEMENTS: Final = ("densities", "tutorial_tagger", "tutorials")
"""Those that need elements: distributions check them, a packed sequence is as long as a tensor
says, and `torch.FloatTensor(...)` is on the CPU whatever the default device is.
"""


def printed(*command: object) -> list[str]:
    """The lines that a command prints."""
    full = [sys.executable, *map(str, command)]
    done = subprocess.run(full, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_every_driver_was_measured() -> None:
    assert measured().keys() == every_driver().keys()
    assert len(NEEDS_NOTHING) > 8


def test_results_and_gradients_are_those_of_pytorch() -> None:
    lines = printed("-m", "namecheck_runtime.as_torch", HERE / "drive.py", *NEEDS_NOTHING)
    assert lines == [f"{name:24} equal" for name in NEEDS_NOTHING]


def test_sizes_need_no_kernel() -> None:
    names = [name for name in NEEDS_NOTHING if name not in ASKS_FOR_ELEMENTS]
    lines = printed("-m", "namecheck_runtime.as_torch", HERE / "on_meta.py", *names)
    assert lines == [f"{name:24} the same sizes" for name in names]


def test_a_difference_is_seen() -> None:
    arrays = {"result|a": np.arange(6.0).reshape(2, 3), "gradient|0": np.ones(2)}
    facts = digests(arrays)
    assert differences(facts, facts) == []
    assert differences(digests({**arrays, "gradient|0": np.array([1.0, 1.0 + 1e-7])}), facts)
    assert differences(digests({**arrays, "result|a": np.arange(6.0)}), facts)
    assert differences(digests({"result|a": arrays["result|a"]}), facts) == [
        "gradient|0 is missing"
    ]
    assert differences({**facts, "result|b": [[], 0, 1.0]}, facts) == ["result|b is too much"]

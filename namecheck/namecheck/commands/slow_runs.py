"""Whether namecheck is compiled, and what a long run says if it is not."""

from __future__ import annotations

import os
from time import monotonic, process_time
from typing import Final

from namecheck.printing.output import say

__all__ = ["SLOW", "is_compiled", "say_how_to_be_faster", "work"]

SLOW: Final = 10.0
"""Seconds of work after which a run says how the next one may be faster."""


def work() -> float:
    """Seconds of work so far, of this process and of those that it has waited for.

    What else the machine does would count by the clock, which is all that Windows has for this.
    """
    if os.name == "nt":
        return monotonic()
    times = os.times()  # in hundredths of a second
    return process_time() + times.children_user + times.children_system


def is_compiled() -> bool:
    """Whether mypyc has compiled this namecheck, as it has in released wheels."""
    from importlib.util import find_spec

    # One of the modules that mypyc compiles (pyproject.toml).
    spec = find_spec("namecheck_runtime.infer")
    return spec is not None and spec.origin is not None and not spec.origin.endswith(".py")


def say_how_to_be_faster(seconds: float) -> None:
    """Say after so many seconds of work that a compiled namecheck takes half the time."""
    if seconds > SLOW and not is_compiled():
        say(
            "This namecheck is not compiled; a compiled one takes half the time:"
            " python3 -m pip install --force-reinstall --only-binary :all: namecheck-tensors",
            err=True,
            dim=True,
        )

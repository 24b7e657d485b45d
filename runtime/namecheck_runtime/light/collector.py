"""The garbage collector, kept from looking where there is nothing to find."""

from __future__ import annotations

import gc


class CollectorPaused:
    """No garbage collection inside: what imports modules or builds a tree makes no garbage, and to
    look for some takes a sixth of the time.

    With `keeps` nothing that is made inside goes again: nobody looks through it next, either.
    """

    __slots__ = ("_collects", "_keeps")

    def __init__(self, keeps: bool = False) -> None:
        self._keeps = keeps

    def __enter__(self) -> None:
        self._collects = gc.isenabled()
        gc.disable()

    def __exit__(self, *fault: object) -> None:
        if not self._collects:
            return
        if self._keeps and not gc.get_freeze_count():
            # To the oldest generation, with all that there is.
            gc.freeze()
            gc.unfreeze()
        gc.enable()


__all__ = ["CollectorPaused"]

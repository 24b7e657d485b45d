"""Code during which the garbage collector would find nothing."""

from __future__ import annotations

import gc


class CollectorPaused:
    """A context without garbage collection.

    Importing modules or building a tree makes no garbage, and looking for it takes a sixth of the
    time. With `keeps`, all that is made inside stays, so the next collection skips it as well.
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
            # Moves all objects to the oldest generation.
            gc.freeze()
            gc.unfreeze()
        gc.enable()


__all__ = ["CollectorPaused"]

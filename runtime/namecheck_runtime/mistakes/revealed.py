"""NC8xx, as far as rules speak of it: what is known, told to whoever asked.  Nothing is wrong."""

from __future__ import annotations

from namecheck_runtime.lattice import Shape, known_dims, show
from namecheck_runtime.mistakes.base import Mistake

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar


class RevealedNames(Mistake):
    """What is known of a tensor, at a place that asks for it.

    ## What it tells
    `reveal_names(x)` of `namecheck_runtime` gives `x` back. Where the program is only read, it is
    told what is known of the dims of `x` there: their names and sizes, `[N=2, C]`; `?` for a dim of
    which nothing is known, `...` for any number of dims in front. Where several ways lead there, or
    it stands in a loop, that is what holds each time.

    This is a note and no mistake: it is always shown, without `--notes` too, and does not make
    `namecheck check` end with 1. mypy shows it as a note if `namecheck_plugin` is loaded, and a
    program that runs prints the names.

    ## Example
    ```python
    from namecheck_runtime import randn, reveal_names

    x = randn(2, 3, names=("N", "C"))
    reveal_names(x.sum("N"))         # names: [C=3]
    ```

    ## What to do
    Take the call out once you have read it.
    """

    code: ClassVar[str] = "NC803"
    name: ClassVar[str] = "revealed-names"
    level: ClassVar[str] = "note"

    shape: Shape

    def message(self) -> str:
        if not isinstance(self.shape, tuple) and not known_dims(self.shape):
            return "names: nothing is known of this tensor"
        return f"names: {show(self.shape)}"

"""NC803, the note that a program asks for with `reveal_names`.  It is not a mistake."""

from __future__ import annotations

from namecheck_runtime.lattice import Shape, known_dims, show
from namecheck_runtime.mistakes.base import Mistake

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar


class RevealedNames(Mistake):
    """What is known about a tensor, where the program asks for it.

    ## What it shows
    `reveal_names(x)` of `namecheck_runtime` returns `x`. A checker that reads the program reports
    what it knows about the dims of `x` there: their names and sizes, `[N=2, C]`; `?` for a dim that
    it knows nothing about, `...` for any number of dims in front. If several paths lead to the
    call, or it is in a loop, the answer is what holds each time.

    This is a note, not a mistake: it is always shown, even without `--notes`, and does not make
    `namecheck check` exit with 1. mypy shows it as a note if `namecheck_plugin` is loaded, and a
    program that runs prints the names.

    ## Example
    ```python
    from namecheck_runtime import randn, reveal_names

    x = randn(2, 3, names=("N", "C"))
    reveal_names(x.sum("N"))         # names: [C=3]
    ```

    ## What to do
    Remove the call once you have read the note.
    """

    code: ClassVar[str] = "NC803"
    name: ClassVar[str] = "revealed-names"
    level: ClassVar[str] = "note"

    shape: Shape

    def message(self) -> str:
        if not isinstance(self.shape, tuple) and not known_dims(self.shape):
            return "names: nothing is known about this tensor"
        return f"names: {show(self.shape)}"

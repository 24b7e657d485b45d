"""NC6xx: code for something that a library has taken out."""

from __future__ import annotations

from namecheck_runtime.lattice import Shape, show
from namecheck_runtime.mistakes.base import Mistake, verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar


class RemovedNamedTensors(Mistake):
    """PyTorch's named tensors, which torch 2.13 (July 2026) no longer has.

    ## What it finds
    `names=` given to a factory, `x.rename(...)`, `x.refine_names(...)`, `x.align_to(...)`,
    `x.names`, and a name where a dim is meant: `x.sum("C")`. Only on PyTorch's own tensors: not on
    those of `namecheck_runtime`, whose surface is the same, nor on xarray's or pandas' objects; and
    only where it is known that it is one. A file that imports `namecheck_runtime` is moving
    already: nothing is said there.

    ## Why it is bad
    It runs with torch 2.12 and raises with torch 2.13: `TypeError` for `names=` and for a name in
    place of a number, `AttributeError` for the methods.

    ## Example
    ```python
    import torch

    x = torch.randn(2, 3, names=("N", "C"))  # NC601
    ```

    ## Use instead
    The tensors of `namecheck_runtime`, which keep their names:

    ```python
    import namecheck_runtime as nt

    x = nt.randn(2, 3, names=("N", "C"))
    total = x.sum("C")
    ```
    """

    code: ClassVar[str] = "NC601"
    name: ClassVar[str] = "removed-named-tensors"
    level: ClassVar[str] = "warning"
    exception: ClassVar[type[Exception]] = TypeError

    shape: Shape
    """The tensor that is asked for a dim by name, or that has the method."""
    release: str
    """The first that is without it."""
    argument: str = ""
    """The parameter that is given names; "" when the op as a whole is gone."""
    names: tuple[str, ...] = ()
    """The names that stand in place of positions; none when the parameter takes names only."""
    positions: tuple[int | None, ...] = ()
    """Where each of them stands in the tensor, as far as that is known."""

    def message(self) -> str:
        gone = f"{self.release} removed named tensors"
        if not self.argument:
            return f"{gone}, and '{self.op.rpartition('.')[2].rstrip('=')}' with them"
        if not self.names:
            return f"{gone}: '{verb(self.op)}' takes no '{self.argument}'"
        given = _listed([repr(name) for name in self.names])
        return f"{gone}: '{verb(self.op)}' takes a position for '{self.argument}', not {given}"

    def hint(self) -> str | None:
        other = "import `namecheck_runtime`, whose tensors have names"
        if not self.names:
            return f"{other}, or write positions and leave the names to comments"
        if None in self.positions or not isinstance(self.shape, tuple):
            return f"write the position, or {other}"
        where = _listed([repr(name) for name in self.names])
        place = _listed([str(position) for position in self.positions])
        are = f"are dims {place}" if len(self.names) > 1 else f"is dim {place}"
        return f"{where} {are} of {show(self.shape)}: write that, or {other}"


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))

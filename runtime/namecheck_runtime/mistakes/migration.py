"""NC6xx: uses of something that a library has removed."""

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
    `x.names`, and a name in place of a dim: `x.sum("C")`. It is reported only for what is certainly
    one of PyTorch's own tensors: not for those of `namecheck_runtime`, whose surface is the same,
    nor for objects of xarray or pandas. A file that imports `namecheck_runtime` is already moving:
    nothing is reported there.

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
    """The tensor whose dim is looked up by name, or whose method is called."""
    release: str
    """The first release without it."""
    argument: str = ""
    """The parameter that takes the names; "" if the whole op is gone."""
    names: tuple[str, ...] = ()
    """The names passed in place of positions; none if the parameter takes names only."""
    positions: tuple[int | None, ...] = ()
    """The position of each of them in the tensor; None where it is not known."""

    def message(self) -> str:
        removal = f"{self.release} removed named tensors"
        if not self.argument:
            return f"{removal}, and '{self.op.rpartition('.')[2].rstrip('=')}' with them"
        if not self.names:
            return f"{removal}: '{verb(self.op)}' no longer takes '{self.argument}'"
        names = _listed([repr(name) for name in self.names])
        return f"{removal}: '{verb(self.op)}' takes a position for '{self.argument}', not {names}"

    def hint(self) -> str | None:
        other = "import `namecheck_runtime`, whose tensors have names"
        if not self.names:
            return f"{other}, or write positions and leave the names to comments"
        if None in self.positions or not isinstance(self.shape, tuple):
            return f"write the position, or {other}"
        names = _listed([repr(name) for name in self.names])
        positions = _listed([str(position) for position in self.positions])
        are = f"are dims {positions}" if len(self.names) > 1 else f"is dim {positions}"
        return f"{names} {are} of {show(self.shape)}: write that, or {other}"


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))

"""The ways to write the name of a dim: literal, constant, tuple, list; no enum."""

from typing import Final
from typing import Literal as L

import namecheck_runtime as nt
from namecheck_runtime import Tensor

N: Final = "N"
BOTH: Final = ("N", "C")
TYPED: Final[str] = "T"
LISTED: Final = ["N", "T"]
plain = "T"
changing = "N"
changing = "C"
choice: L["N", "T"] = "N"
one: L["N"] = "N"


class Axes:
    TIME: Final = "T"
    CHANNEL: L["C"] = "C"


x = nt.randn(2, 3, 4, names=("N", "T", "C"))

reveal_type(x.sum("N"))  # Tensor[T, C]
reveal_type(x.sum(N))  # Tensor[T, C]
reveal_type(x.sum((N, "C")))  # Tensor[T]
reveal_type(x.sum(BOTH))  # Tensor[T]
reveal_type(x.sum([N, "C"]))  # Tensor[T]
reveal_type(x.sum(LISTED))  # Tensor[C]
reveal_type(x.sum(TYPED))  # Tensor[N, C]
reveal_type(x.sum(plain))  # Tensor[N, C]
reveal_type(x.sum(one))  # Tensor[T, C]
reveal_type(x.sum(Axes.TIME))  # Tensor[N, C]
reveal_type(x.sum(Axes.CHANNEL))  # Tensor[N, T]
reveal_type(x.sum(changing))  # Tensor[...]
reveal_type(x.sum("N" if x.ndim else "T"))  # Tensor[...]
reveal_type(x.sum(dim=N, keepdim=True))  # Tensor[N, T, C]
reveal_type(x.align_to(*BOTH, "T"))  # Tensor[N, C, T]
reveal_type(x.align_to(*("C", "N", "T")))  # Tensor[C, N, T]
reveal_type(x.align_to("C", ...))  # Tensor[C, N, T]
reveal_type(x.align_to(..., "N"))  # Tensor[T, C, N]
reveal_type(x.rename("A", ...))  # Tensor[A, T, C]
reveal_type(x.rename(..., "A"))  # Tensor[N, T, A]
reveal_type(x.rename(N="B"))  # Tensor[B, T, C]
reveal_type(x.transpose(N, Axes.CHANNEL))  # Tensor[C, T, N]
reveal_type(x.sum(nt.randn(1, names=("N",)).names[0]))  # Tensor[...]


def of_parameters(
    t: Tensor[L["N"], L["C"]], which: L["N"], any_name: str, either: L["N", "C"]
) -> None:
    reveal_type(t.sum(which))  # Tensor[C]
    reveal_type(t.sum(any_name))  # Tensor[...]
    reveal_type(t.sum(either))  # Tensor[...]
    for name in ("N", "C"):
        reveal_type(t.sum(name))  # Tensor[...]
    for name in BOTH:
        reveal_type(t.mean(name))  # Tensor[...]
    local = "N"
    reveal_type(t.sum(local))  # Tensor[C]


of_parameters(nt.randn(2, 3, names=("N", "C")), "N", "C", "N")

"""The orders of a new tensor's elements in memory that a call may ask for: `memory_format=`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final


class memory_format:  # the public name is PyTorch's
    """The order of a copy's elements in memory."""

    __slots__ = ("name", "rank")

    def __init__(self, name: str, rank: int | None = None) -> None:
        self.name: str = name
        self.rank: int | None = rank
        """How many dims a tensor has to have for it; None: any number."""

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str:
        return self.name


contiguous_format: Final = memory_format("contiguous_format")
preserve_format: Final = memory_format("preserve_format")
channels_last: Final = memory_format("channels_last", 4)
channels_last_3d: Final = memory_format("channels_last_3d", 5)

ORDERS: Final[dict[str, memory_format]] = {
    order.name: order
    for order in (contiguous_format, preserve_format, channels_last, channels_last_3d)
}
"""All of them by name."""

KEYWORD: Final = "memory_format"
"""The keyword of every op that takes one."""

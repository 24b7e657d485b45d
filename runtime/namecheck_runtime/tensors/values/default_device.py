"""Where new tensors are if a call does not say: `set_default_device`, `with nt.device("meta"):`.

Functions that make tensors of sizes or of Python's values follow it, as PyTorch's do; ops that they
are part of do not.  Each thread has a default of its own.
"""

from __future__ import annotations

from threading import local
from typing import Any, Final, NoReturn

from namecheck_runtime.tensors.values.dtypes import CPU, device


class DefaultDevice(local):
    """The default device of one thread."""

    def __init__(self) -> None:
        self.device: device | None = None
        """None for the CPU, where the caller has set nothing."""
        self.outer: list[device | None] = []
        """Those that `with` blocks have replaced."""


DEFAULT: Final = DefaultDevice()


def set_default_device(device: Any) -> None:
    """Make new tensors on a device from now on, in this thread; None takes the CPU again.

    Raises RuntimeError for a device that is not known.  Source: torch.set_default_device.
    """
    DEFAULT.device = None if device is None else _Device(device)


def get_default_device() -> device:
    """Where new tensors are made.  Source: torch.get_default_device."""
    return CPU if DEFAULT.device is None else DEFAULT.device


def set_default_tensor_type(t: Any) -> NoReturn:
    """Refused: it would set two things in one.  Source: torch.set_default_tensor_type.

    Raises RuntimeError, which names the two functions that set them.
    """
    raise RuntimeError(
        f"set_default_tensor_type({t!r}) sets a dtype and a device in one, and is deprecated in "
        "PyTorch: call set_default_dtype(torch.float64), and set_default_device(..) for the device"
    )


_Device: Final = device


def _enter(self: device) -> device:
    DEFAULT.outer.append(DEFAULT.device)
    DEFAULT.device = self
    return self


def _exit(self: device, *failure: object) -> None:
    DEFAULT.device = DEFAULT.outer.pop()


# Given to the class here, as `dtypes` has values alone.
for _name, _method in (("__enter__", _enter), ("__exit__", _exit)):
    setattr(device, _name, _method)

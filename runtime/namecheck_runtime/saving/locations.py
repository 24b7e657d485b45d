"""Where the memory of a file goes: `map_location`, and the devices that third parties register.

A file has the location of each storage as text: `cpu`, `meta`, `cuda:0`, ...
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from namecheck_runtime.saving.refusals import RaisedOutsideError
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.dtypes import device as Device
from namecheck_runtime.tensors.values.storage import Storage

Place: TypeAlias = "Storage | Device"
"""The memory that tensors are made over; a device to which they are moved afterwards."""

Tagger: TypeAlias = Callable[[Any], "str | None"]
Deserializer: TypeAlias = Callable[[Any, str], "Place | None"]
Move: TypeAlias = Callable[[Storage, str], Place]

_PACKAGES: Final[list[tuple[int, Tagger, Deserializer]]] = []


class HeldElsewhere:
    """What a tagger is asked about for a tensor whose device has no storages of ours."""

    def __init__(self, device: Device, nbytes: int) -> None:
        self.device = device
        self._nbytes = nbytes

    def nbytes(self) -> int:
        """How many bytes its elements have."""
        return self._nbytes


def register_package(priority: int, tagger: Tagger, deserializer: Deserializer) -> None:
    """Let a third party say where its tensors are, and bring them back there.

    `tagger(storage)` gives the location to write into a file, or None for the storage of somebody
    else; it has a `device`.  `deserializer(storage, location)` gets a storage in the CPU's memory
    and gives the one to use, or the device to which the tensors are moved, or None for another
    location.  The package of the lowest priority is asked first: the CPU has 10, the devices of
    registered backends 30.

    As PyTorch's documentation of `torch.serialization.register_package` has it.
    """
    _PACKAGES.append((priority, tagger, deserializer))
    _PACKAGES.sort(key=lambda package: package[0])


def location_of(storage: Any) -> str:
    """The location of a storage.  Raises RuntimeError if no package knows it."""
    for _, tagger, _ in _PACKAGES:
        location = tagger(storage)
        if location is not None:
            return location
    raise RuntimeError(f"don't know how to determine data location of {type(storage).__name__}")


def restored(storage: Storage, location: str) -> Place:
    """The memory or the device for a storage of a file.

    Raises RuntimeError for a location that no package knows.
    """
    for _, _, deserializer in _PACKAGES:
        place = deserializer(storage, location)
        if place is not None:
            return place
    kind = location.partition(":")[0]
    if kind in ("cuda", "mps", "xpu", "hpu", "xla", "npu"):
        raise RuntimeError(
            f"Attempting to deserialize object on a {kind.upper()} device, but this library has "
            "none: please use load with map_location=nt.device('cpu') to map your storages to "
            "the CPU."
        )
    raise RuntimeError(
        f"don't know how to restore data location of Storage (tagged with {location})"
    )


def move_by(map_location: Any) -> Move:
    """The function from a storage and its location in the file to where it goes.

    `map_location` is None (where it was), a device or its name (all go there), a mapping of names
    of devices, or a function `(storage, location)` that gives a storage, or None to leave it where
    it was.  Raises TypeError for other values; what the function raises arrives at the caller of
    `load` as it is.
    """
    if map_location is None:
        choose: Callable[[Storage, str], Place] = restored
    elif isinstance(map_location, Mapping):
        choose = lambda storage, at: restored(storage, str(map_location.get(at, at)))  # noqa: E731
    elif isinstance(map_location, (str, Device)):
        choose = lambda storage, at: restored(storage, str(map_location))  # noqa: E731
    elif callable(map_location):

        def choose(storage: Storage, at: str) -> Place:
            place: Place | None = map_location(storage, at)
            return restored(storage, at) if place is None else place

    else:
        raise TypeError(
            "map_location must be a device, its name, a dict or a function, not "
            f"{type(map_location).__name__}"
        )

    def move(storage: Storage, location: str) -> Place:
        try:
            return choose(storage, location)
        except Exception as error:
            raise RaisedOutsideError(error) from None

    return move


# -- the devices that we have ----------------------------------------------------------------------


def _tag_of_cpu(storage: Any) -> str | None:
    return "cpu" if storage.device is dtypes.CPU else None


def _on_cpu(storage: Storage, location: str) -> Storage | None:
    return storage if location == "cpu" else None


def _tag_of_meta(storage: Any) -> str | None:
    return "meta" if storage.device.type == "meta" else None


def _on_meta(storage: Storage, location: str) -> Storage | None:
    return Storage(None, storage.nbytes()) if location == "meta" else None


def _tag_of_registered(storage: Any) -> str:
    return str(storage.device)


def _on_registered(storage: Storage, location: str) -> Device | None:
    return Device(location) if location.partition(":")[0] in Device.TYPES else None


register_package(10, _tag_of_cpu, _on_cpu)
register_package(22, _tag_of_meta, _on_meta)
register_package(30, _tag_of_registered, _on_registered)

"""Random numbers: generators, and the one that is used where none is given.

The numbers are NumPy's (PCG64), not PyTorch's: a seed repeats them here, it does not make those of
another library.
"""

from __future__ import annotations

import operator
import struct
import zlib
from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.object import Tensor, fresh
from namecheck_runtime.tensors.values.name_tuples import unnamed

# -- states ----------------------------------------------------------------------------------------

_MARK: Final = b"namecheck PCG64\x01"
"""What a state begins with; the last byte is the version of its form."""
_STATE: Final = struct.Struct("<16s Q 16s 16s I B")
"""The mark, the seed, PCG64's state and increment, half a draw that is kept, whether it is."""
_SUM: Final = struct.Struct("<I")
"""The CRC-32 of all that, behind it."""


def _packed(seed: int, state: dict[str, Any]) -> bytes:
    """The state of a generator as bytes that hold nothing but numbers."""
    own = state["state"]
    found = _STATE.pack(
        _MARK,
        seed,
        own["state"].to_bytes(16, "little"),
        own["inc"].to_bytes(16, "little"),
        state["uinteger"],
        state["has_uint32"],
    )
    return found + _SUM.pack(zlib.crc32(found))


def _unpacked(given: bytes) -> tuple[int, dict[str, Any]]:
    """The seed and NumPy's state.  Raises RuntimeError for bytes that are no whole state."""
    size = _STATE.size + _SUM.size
    if len(given) != size:
        raise RuntimeError(
            f"expected the {size} bytes of a state that get_rng_state() gave, but found "
            f"{len(given)}"
        )
    mark, seed, state, increment, half, kept = _STATE.unpack_from(given)
    if mark != _MARK:
        raise RuntimeError("these bytes are no state that get_rng_state() gave")
    # An increment that is even, or a flag that is neither, is none of PCG64's.
    sound = _SUM.pack(zlib.crc32(given[: _STATE.size])) == given[_STATE.size :]
    if not sound or kept > 1 or not increment[0] & 1:
        raise RuntimeError("the state of the generator is damaged: its checksum does not fit")
    whole = {"state": int.from_bytes(state, "little"), "inc": int.from_bytes(increment, "little")}
    return seed, {"bit_generator": "PCG64", "state": whole, "has_uint32": kept, "uinteger": half}


# -- generators ------------------------------------------------------------------------------------


class Generator:
    """A source of random numbers with a state of its own."""

    def __init__(self, device: object = "cpu") -> None:
        self._seed = 67280421310721
        self._begun: np.random.Generator | None = None

    def manual_seed(self, seed: int) -> Generator:
        """Begin again from a seed of 64 bits; gives the generator itself.

        A negative seed counts from 2**64.  Raises TypeError for what is no number, ValueError for
        one that 64 bits do not hold.
        """
        if isinstance(seed, float):
            seed = int(seed)  # as PyTorch does
        try:
            number = operator.index(seed)
        except TypeError:
            kind = type(seed).__name__
            raise TypeError(f"manual_seed(): the seed must be int, not {kind}") from None
        if not -(2**63) <= number < 2**64:
            raise ValueError("Overflow when unpacking long long")
        self._seed = number % 2**64
        self._begun = None
        return self

    @property
    def _source(self) -> np.random.Generator:
        """Where its numbers come from; NumPy's module is imported with the first of them."""
        if self._begun is None:
            self._begun = np.random.Generator(np.random.PCG64(self._seed))
        return self._begun

    def seed(self) -> int:
        """Begin again from a seed that the system chooses, and tell it."""
        self.manual_seed(int(np.random.SeedSequence().generate_state(1, np.uint64)[0]) >> 1)
        return self._seed

    def initial_seed(self) -> int:
        """The seed that it began from."""
        return self._seed

    def get_state(self) -> Tensor:
        """Its state, as a vector of bytes (uint8): numbers alone, see `set_state`."""
        state = _packed(self._seed, dict(self._source.bit_generator.state))
        return fresh(np.frombuffer(state, np.uint8).copy(), unnamed(1))

    def set_state(self, state: Tensor) -> Generator:
        """Go on from a state that `get_state` gave, on this machine or another.

        The bytes are read as numbers; nothing in them is run.  Raises TypeError for what is no
        tensor of bytes, RuntimeError for bytes that are no whole state; the generator goes on as it
        was then.
        """
        if not isinstance(state, Tensor):
            raise TypeError(f"expected a torch.ByteTensor, but got {type(state).__name__}")
        if state.dtype.name != "uint8":
            raise TypeError("RNG state must be a torch.ByteTensor")
        seed, found = _unpacked(state._elements().tobytes())
        self._source.bit_generator.state = found
        self._seed = seed
        return self


default_generator: Final = Generator()


def generator_of(given: Any) -> np.random.Generator:
    """The source of numbers of a call."""
    if given is None:
        return default_generator._source
    if not isinstance(given, Generator):
        kind = type(given).__name__
        raise TypeError(f"argument 'generator' must be torch.Generator, not {kind}")
    return given._source


def manual_seed(seed: int) -> Generator:
    """Begin again from a seed."""
    return default_generator.manual_seed(seed)


def seed() -> int:
    """Begin again from a seed that the system chooses, and tell it."""
    return default_generator.seed()


def initial_seed() -> int:
    """The seed that the default generator began from."""
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """The state of the default generator, as bytes."""
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Go on from a state that `get_rng_state` gave."""
    default_generator.set_state(new_state)

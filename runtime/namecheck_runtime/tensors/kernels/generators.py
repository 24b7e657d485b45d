"""Random numbers: generators, and the default one.

The numbers are NumPy's (PCG64), not PyTorch's: a seed repeats them here, but does not reproduce
those of another library.
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
"""The beginning of a state; its last byte is the version of the format."""
_STATE: Final = struct.Struct("<16s Q 16s 16s I B")
"""The mark, the seed, PCG64's state and increment, half a draw in store, and whether it is there.
"""
_SUM: Final = struct.Struct("<I")
"""The CRC-32 of all that, at the end."""


def _packed(seed: int, state: dict[str, Any]) -> bytes:
    """The state of a generator as bytes that hold only numbers."""
    words = state["state"]
    packed = _STATE.pack(
        _MARK,
        seed,
        words["state"].to_bytes(16, "little"),
        words["inc"].to_bytes(16, "little"),
        state["uinteger"],
        state["has_uint32"],
    )
    return packed + _SUM.pack(zlib.crc32(packed))


def _unpacked(packed: bytes) -> tuple[int, dict[str, Any]]:
    """The seed and NumPy's state.  Raises RuntimeError if the bytes are not a whole state."""
    size = _STATE.size + _SUM.size
    if len(packed) != size:
        raise RuntimeError(
            f"expected the {size} bytes of a state from get_rng_state(), but got {len(packed)}"
        )
    mark, seed, state, increment, half, has_half = _STATE.unpack_from(packed)
    if mark != _MARK:
        raise RuntimeError("these bytes are not a state from get_rng_state()")
    # PCG64 has only odd increments, and its flag is 0 or 1.
    sound = _SUM.pack(zlib.crc32(packed[: _STATE.size])) == packed[_STATE.size :]
    if not sound or has_half > 1 or not increment[0] & 1:
        raise RuntimeError("the state of the generator is damaged: its checksum does not match")
    words = {"state": int.from_bytes(state, "little"), "inc": int.from_bytes(increment, "little")}
    return seed, {
        "bit_generator": "PCG64",
        "state": words,
        "has_uint32": has_half,
        "uinteger": half,
    }


# -- generators ------------------------------------------------------------------------------------


class Generator:
    """A source of random numbers with a state of its own."""

    def __init__(self, device: object = "cpu") -> None:
        self._seed = 67280421310721
        self._begun: np.random.Generator | None = None

    def manual_seed(self, seed: int) -> Generator:
        """Restart from a seed of 64 bits; returns the generator itself.

        A negative seed counts from 2**64.  Raises TypeError if the seed is not a number, ValueError
        if 64 bits do not hold it.
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
        """NumPy's generator, which is made, and its module imported, with the first number."""
        if self._begun is None:
            self._begun = np.random.Generator(np.random.PCG64(self._seed))
        return self._begun

    def seed(self) -> int:
        """Restart from a seed that the system chooses; returns the seed."""
        self.manual_seed(int(np.random.SeedSequence().generate_state(1, np.uint64)[0]) >> 1)
        return self._seed

    def initial_seed(self) -> int:
        """The seed that it started from."""
        return self._seed

    def get_state(self) -> Tensor:
        """Its state, as a vector of bytes (uint8) that hold only numbers; see `set_state`."""
        state = _packed(self._seed, dict(self._source.bit_generator.state))
        return fresh(np.frombuffer(state, np.uint8).copy(), unnamed(1))

    def set_state(self, state: Tensor) -> Generator:
        """Continue from a state that `get_state` returned, on this machine or another.

        The bytes are read as numbers, and none of them is run as code.  Raises TypeError if `state`
        is not a tensor of bytes, RuntimeError if the bytes are not a whole state; the generator
        then keeps its own.
        """
        if not isinstance(state, Tensor):
            raise TypeError(f"expected a torch.ByteTensor, but got {type(state).__name__}")
        if state.dtype.name != "uint8":
            raise TypeError("RNG state must be a torch.ByteTensor")
        seed, unpacked = _unpacked(state._elements().tobytes())
        self._source.bit_generator.state = unpacked
        self._seed = seed
        return self


default_generator: Final = Generator()


def generator_of(generator: Any) -> np.random.Generator:
    """NumPy's generator for a call: of the given generator, or of the default one."""
    if generator is None:
        return default_generator._source
    if not isinstance(generator, Generator):
        kind = type(generator).__name__
        raise TypeError(f"argument 'generator' must be torch.Generator, not {kind}")
    return generator._source


def manual_seed(seed: int) -> Generator:
    """Restart the default generator from a seed; returns it."""
    return default_generator.manual_seed(seed)


def seed() -> int:
    """Restart from a seed that the system chooses; returns the seed."""
    return default_generator.seed()


def initial_seed() -> int:
    """The seed that the default generator started from."""
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """The state of the default generator, as bytes."""
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Continue the default generator from a state that `get_rng_state` returned."""
    default_generator.set_state(new_state)

"""Random numbers: generators, and the one that is used where none is given.

The numbers are NumPy's (PCG64), not PyTorch's: a seed repeats them here, it does not make those of
another library.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from namecheck_runtime.names import unnamed
from namecheck_runtime.tensors import Tensor, fresh


class Generator:
    """A source of random numbers with a state of its own."""

    def __init__(self, device: object = "cpu") -> None:
        self._seed = 67280421310721
        self._begun: np.random.Generator | None = None

    def manual_seed(self, seed: int) -> Generator:
        """Begin again from a seed; gives the generator itself."""
        self._seed = int(seed)
        self._begun = None
        return self

    @property
    def _source(self) -> np.random.Generator:
        """Where its numbers come from; NumPy's module is imported with the first of them."""
        if self._begun is None:
            self._begun = np.random.Generator(np.random.PCG64(self._seed % 2**64))
        return self._begun

    def seed(self) -> int:
        """Begin again from a seed that the system chooses, and tell it."""
        self.manual_seed(int(np.random.SeedSequence().generate_state(1, np.uint64)[0]) >> 1)
        return self._seed

    def initial_seed(self) -> int:
        """The seed that it began from."""
        return self._seed

    def get_state(self) -> Tensor:
        """Its state, as bytes."""
        import pickle

        state = pickle.dumps((self._seed, self._source.bit_generator.state))
        return fresh(np.frombuffer(state, np.uint8).copy(), unnamed(1))

    def set_state(self, state: Tensor) -> Generator:
        """Go on from a state that `get_state` gave."""
        import pickle

        self._seed, found = pickle.loads(state._elements().tobytes())
        self._source.bit_generator.state = found
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

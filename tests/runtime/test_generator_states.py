"""States of generators are plain numbers: draws continue from a state, and no state runs code."""

from __future__ import annotations

import copy
import os
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import namecheck_runtime as nt


def drawn(generator: nt.Generator) -> list[float]:
    """Some numbers of each kind; an integer takes half a draw, and the other half is kept."""
    options = {"generator": generator}
    return [
        *nt.rand(2, **options).tolist(),
        *nt.randn(2, **options).tolist(),
        *nt.randint(0, 9, (3,), **options).tolist(),
        *nt.randint(0, 9, (1,), **options).tolist(),
        *nt.randperm(5, **options).tolist(),
    ]


@pytest.mark.parametrize("seed", [0, 1, -1, 2**63, 2**64 - 1, -(2**63)])
def test_draws_continue_from_a_state(seed: int) -> None:
    generator = nt.Generator().manual_seed(seed)
    drawn(generator)
    state = generator.get_state()
    assert (state.dtype, state.ndim) == (nt.uint8, 1)
    expected = drawn(generator)
    assert drawn(generator) != expected
    for copied in (state, copy.deepcopy(state), pickle.loads(pickle.dumps(state)), state.clone()):
        assert drawn(generator.set_state(copied)) == expected
        assert generator.initial_seed() == seed % 2**64
    from_list = nt.tensor(state.tolist(), dtype=nt.uint8)
    second = nt.Generator().manual_seed(5)
    assert drawn(second.set_state(from_list)) == expected


def test_a_state_has_the_kept_half_of_a_draw() -> None:
    generator = nt.Generator().manual_seed(3)
    generator._source.integers(0, 9, dtype=np.int32)
    state = generator.get_state()
    expected = generator._source.integers(0, 2**31, 5, dtype=np.int32).tolist()
    generator.set_state(state)
    assert generator._source.integers(0, 2**31, 5, dtype=np.int32).tolist() == expected


def test_the_default_generator() -> None:
    state = nt.get_rng_state()
    expected = nt.rand(3).tolist()
    nt.set_rng_state(state)
    assert nt.rand(3).tolist() == expected
    nt.set_rng_state(state[None].t()[:, 0])
    assert nt.rand(3).tolist() == expected


class Command:
    """Runs a command when it is unpickled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return os.mkdir, (self.path,)


def test_no_code_in_a_state_runs(tmp_path: Any) -> None:
    mark = tmp_path / "ran"
    for bytes_ in (
        pickle.dumps((1, Command(str(mark)))),
        pickle.dumps((1, Command(str(mark)))).ljust(nt.get_rng_state().numel(), b"."),
    ):
        with pytest.raises(RuntimeError, match="state"):
            nt.set_rng_state(nt.from_numpy(np.frombuffer(bytes_, np.uint8).copy()))
    assert not mark.exists()
    # A state itself is not a pickle either.
    with pytest.raises(pickle.UnpicklingError):
        pickle.loads(bytes(nt.get_rng_state().tolist()))


def changed(index: int) -> Callable[[nt.Tensor], Any]:
    def change(state: nt.Tensor) -> nt.Tensor:
        copied = state.clone()
        copied[index] = (int(copied[index]) + 1) % 256
        return copied

    return change


WRONG: list[tuple[Callable[[nt.Tensor], Any], type[Exception], str]] = [
    (lambda s: s[:-1], RuntimeError, "expected the 65 bytes of a state"),
    (lambda s: nt.cat([s, s]), RuntimeError, "but got 130"),
    (lambda s: s[:0], RuntimeError, "but got 0"),
    (lambda s: s.float(), TypeError, "RNG state must be a torch.ByteTensor"),
    (lambda s: s.to(nt.int8), TypeError, "RNG state must be a torch.ByteTensor"),
    (lambda s: s.numpy(), TypeError, "expected a torch.ByteTensor, but got ndarray"),
    (lambda s: bytes(s.tolist()), TypeError, "expected a torch.ByteTensor, but got bytes"),
    (lambda s: None, TypeError, "but got NoneType"),
    (lambda s: s.to("meta"), TypeError, "meta"),
    (lambda s: nt.zeros(65, dtype=nt.uint8), RuntimeError, "not a state from get_rng_state"),
    (changed(0), RuntimeError, "not a state from get_rng_state"),
    (changed(15), RuntimeError, "not a state from get_rng_state"),
    *((changed(at), RuntimeError, "is damaged") for at in (16, 24, 40, 55, 60, 61, 64)),
]


@pytest.mark.parametrize(("spoil", "error", "text"), WRONG)
def test_a_wrong_state_changes_nothing(
    spoil: Callable[[nt.Tensor], Any], error: type[Exception], text: str
) -> None:
    generator = nt.Generator().manual_seed(11)
    drawn(generator)
    state = generator.get_state()
    with pytest.raises(error, match=text):
        generator.set_state(spoil(state))
    assert generator.get_state().tolist() == state.tolist()
    assert generator.initial_seed() == 11


@pytest.mark.parametrize("index", range(65))
def test_no_byte_can_be_changed(index: int) -> None:
    with pytest.raises(RuntimeError):
        nt.Generator().set_state(changed(index)(nt.get_rng_state()))


@pytest.mark.parametrize(
    ("seed", "error", "text"),
    [
        (2**64, ValueError, "Overflow"),
        (-(2**63) - 1, ValueError, "Overflow"),
        ("a", TypeError, "must be int, not str"),
        (None, TypeError, "must be int, not NoneType"),
    ],
)
def test_wrong_seeds_change_nothing(seed: Any, error: type[Exception], text: str) -> None:
    generator = nt.Generator().manual_seed(4)
    with pytest.raises(error, match=text):
        generator.manual_seed(seed)
    assert generator.initial_seed() == 4

"""Factories: names and sizes are those of the call."""

from typing import Final

import numpy as np

import namecheck_runtime as nt

NAMES: Final = ("N", "C")
N: Final = "N"
n = int("2")
shape = (2, 3)
names = ("N", "C")
unsure = [name for name in "NC"]

reveal_type(nt.zeros(2, 3, names=("N", "C")))  # Tensor[N, C]
reveal_type(nt.zeros((2, 3), names=("N", "C")))  # Tensor[N, C]
reveal_type(nt.zeros([2, 3], names=["N", "C"]))  # Tensor[N, C]
reveal_type(nt.zeros(2, 3, names=NAMES))  # Tensor[N, C]
reveal_type(nt.zeros(2, 3, names=(N, "C")))  # Tensor[N, C]
reveal_type(nt.zeros(2, 3, names=names))  # Tensor[N, C]
reveal_type(nt.zeros(shape, names=names))  # Tensor[N, C]
reveal_type(nt.zeros(2, 3, names=("N", None)))  # Tensor[N, 3]
reveal_type(nt.zeros(2, 3, names=None))  # Tensor[2, 3]
reveal_type(nt.zeros(2, 3))  # Tensor[2, 3]
reveal_type(nt.zeros(n, 3))  # Tensor[int, 3]
reveal_type(nt.zeros(n, 3, names=("N", "C")))  # Tensor[N, C]
reveal_type(nt.zeros(*shape))  # Tensor[2, 3]
reveal_type(nt.zeros(shape))  # Tensor[2, 3]
reveal_type(nt.zeros(2, 3, names=unsure))  # Tensor[...]
reveal_type(nt.ones(3))  # Tensor[3]
reveal_type(nt.empty(2, 0))  # Tensor[2, 0]
reveal_type(nt.full((2, 3), 1.5))  # Tensor[2, 3]
reveal_type(nt.full((2, 3), 7, names=("N", "C")))  # Tensor[N, C]
reveal_type(nt.rand(2, names=("N",)))  # Tensor[N]
reveal_type(nt.randint(0, 10, (2, 3)))  # Tensor[2, 3]
reveal_type(nt.randperm(5))  # Tensor[5]
reveal_type(nt.arange(5))  # Tensor[5]
reveal_type(nt.linspace(0, 1, 11))  # Tensor[11]
reveal_type(nt.eye(3))  # Tensor[3, 3]
reveal_type(nt.eye(3, 4))  # Tensor[3, 4]
reveal_type(nt.zeros_like(nt.zeros(2, 3, names=("N", "C"))))  # Tensor[N, C]
reveal_type(nt.zeros(2, 3, names=("N", "C")).new_zeros(4))  # Tensor[4]
reveal_type(nt.tensor([1.0, 2.0]))  # Tensor[2]
reveal_type(nt.tensor(3))  # Tensor[()]
reveal_type(nt.tensor([[1, 2], [3, 4]], names=("A", "B")))  # Tensor[A, B]
reveal_type(nt.from_numpy(np.zeros((2, 3))))  # Tensor[2, 3]
reveal_type(nt.as_tensor([1, 2]))  # Tensor[2]

"""Operators: direct, reflected and in place; comparisons; with numbers and arrays."""

import numpy as np

import namecheck_runtime as nt

x = nt.randn(2, 3, names=("N", "C"))
y = nt.randn(2, 3, names=("N", None))
u = nt.randn(2, 3)
c = nt.randn(3, names=("C",))
i = nt.ones(2, 3, names=("N", "C"), dtype=nt.int64)
b = x > 0

reveal_type(x + y)  # Tensor[N, C]
reveal_type(y + x)  # Tensor[N, C]
reveal_type(x - c)  # Tensor[N, C]
reveal_type(c - x)  # Tensor[N, C]
reveal_type(u * x)  # Tensor[N, C]
reveal_type(x / 2)  # Tensor[N, C]
reveal_type(2 / x)  # Tensor[N, C]
reveal_type(1 - x)  # Tensor[N, C]
reveal_type(1.5 * x)  # Tensor[N, C]
reveal_type(2**x)  # Tensor[N, C]
reveal_type(x**2)  # Tensor[N, C]
reveal_type(x // 2)  # Tensor[N, C]
reveal_type(7 // i)  # Tensor[N, C]
reveal_type(x % 2)  # Tensor[N, C]
reveal_type(7 % i)  # Tensor[N, C]
reveal_type(-x)  # Tensor[N, C]
reveal_type(+x)  # Tensor[N, C]
reveal_type(abs(x))  # Tensor[N, C]
reveal_type(~b)  # Tensor[N, C]
reveal_type(b & b)  # Tensor[N, C]
reveal_type(b | b)  # Tensor[N, C]
reveal_type(b ^ b)  # Tensor[N, C]
reveal_type(i << 1)  # Tensor[N, C]
reveal_type(i >> 1)  # Tensor[N, C]
reveal_type(1 << i)  # Tensor[N, C]
reveal_type(True & b)  # Tensor[N, C]

reveal_type(x @ x.T.rename("C", "M"))  # Tensor[N, M]
reveal_type(x @ c)  # Tensor[N]
reveal_type(u @ u.T)  # Tensor[2, 2]
reveal_type(u @ nt.randn(3, 4))  # Tensor[2, 4]

reveal_type(x == y)  # Tensor[N, C]
reveal_type(x != 0)  # Tensor[N, C]
reveal_type(x < y)  # Tensor[N, C]
reveal_type(x <= 1)  # Tensor[N, C]
reveal_type(x > 0)  # Tensor[N, C]
reveal_type(x <= 0)  # Tensor[N, C]
reveal_type(x > c)  # Tensor[N, C]

x += 1
reveal_type(x)  # Tensor[N, C]
x *= y
reveal_type(x)  # Tensor[N, C]
x -= c
reveal_type(x)  # Tensor[N, C]
x /= 2
reveal_type(x)  # Tensor[N, C]
i <<= 1
reveal_type(i)  # Tensor[N, C]

array = np.ones((2, 3))
reveal_type(x + array)  # Tensor[N, C]
reveal_type(array * x)  # Tensor[N, C]
reveal_type(x * np.float64(2))  # Tensor[..., N, C]
reveal_type((x + y) * 2 - c)  # Tensor[N, C]
reveal_type(-((x - 1) ** 2))  # Tensor[N, C]

# An array of NumPy on the left leaves the operator to the tensor.
a = np.ones((2, 3))
reveal_type(a * x)  # Tensor[N, C]
reveal_type(a @ x.T)  # Tensor[2, N]
reveal_type(a < x)  # Tensor[N, C]
reveal_type(a == x)  # Tensor[N, C]
reveal_type(np.ones(3, dtype=np.int64) - x)  # Tensor[N, C]
reveal_type(np.float64(3) * x)  # Tensor[..., N, C]
reveal_type(a * a)  # ndarray[tuple[Any, ...], dtype[float64]]

"""Every form of `x[...]`."""

import namecheck_runtime as nt

x = nt.randn(2, 3, 4, names=("N", "T", "C"))
u = nt.randn(5, 6)
rows = nt.tensor([0, 1])
n = int(nt.tensor(1).item())
picked = nt.tensor([0, 1, 0], names=("K",)) if n else nt.zeros(3, names=("K",), dtype=nt.int64)

reveal_type(x[0])  # Tensor[T, C]
reveal_type(x[-1])  # Tensor[T, C]
reveal_type(x[n])  # Tensor[T, C]
reveal_type(x[:])  # Tensor[N, T, C]
reveal_type(x[1:])  # Tensor[N, T, C]
reveal_type(x[n:])  # Tensor[N, T, C]
reveal_type(x[:, 0])  # Tensor[N, C]
reveal_type(x[:, :, 0])  # Tensor[N, T]
reveal_type(x[0, 0, 0])  # Tensor[()]
reveal_type(x[..., 0])  # Tensor[N, T]
reveal_type(x[0, ...])  # Tensor[T, C]
reveal_type(x[...])  # Tensor[N, T, C]
reveal_type(x[None])  # Tensor[1, N, T, C]
reveal_type(x[:, None])  # Tensor[N, 1, T, C]
reveal_type(x[..., None])  # Tensor[N, T, C, 1]
reveal_type(x[:, None, 0, :2])  # Tensor[N, 1, C]
reveal_type(x[0][1])  # Tensor[C]
reveal_type(x[0, 1:, ::2])  # Tensor[T, C]
reveal_type(u[0])  # Tensor[6]
reveal_type(u[1:3])  # Tensor[2, 6]
reveal_type(u[:, 1:3])  # Tensor[5, 2]
reveal_type(u[::2, ::3])  # Tensor[3, 2]
reveal_type(u[-2:])  # Tensor[2, 6]
reveal_type(u[n:])  # Tensor[int, 6]
reveal_type(u[rows])  # Tensor[int, 6]
reveal_type(u[:, rows])  # Tensor[5, int]
reveal_type(u[[0, 1, 2]])  # Tensor[3, 6]
reveal_type(u[u > 0])  # Tensor[...]
reveal_type(u[True])  # Tensor[1, 5, 6]
reveal_type(u[0, None, 1])  # Tensor[1]
reveal_type(u.shape[0])  # int
reveal_type(x.names[0])  # str | None

key = (0, slice(None))
reveal_type(x[key])  # Tensor[T, C]
whole = slice(None)
reveal_type(x[whole])  # Tensor[N, T, C]

for row in x:
    reveal_type(row)  # Tensor[T, C]
first, second = x
reveal_type(first)  # Tensor[T, C]
for index, row in enumerate(x):
    reveal_type(row)  # Tensor[T, C]
reveal_type([row.sum("T") for row in x])  # list[Tensor[C]]
reveal_type([*x][0])  # Any

x[0] = 1
x[:, 0] = nt.randn(4, names=("C",))
x[0, 0, 0] = 2.5
reveal_type(x)  # Tensor[N, T, C]

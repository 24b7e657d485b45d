"""A method of every family."""

from typing import Any

import namecheck_runtime as nt

x = nt.randn(2, 3, 4, names=("N", "T", "C"))
y = nt.randn(2, 3, 4, names=("N", "T", None))
v = nt.randn(4, names=("C",))
u = nt.randn(2, 3)

# Reductions drop dims, or keep them.
reveal_type(x.sum("T"))  # Tensor[N, C]
reveal_type(x.sum(("N", "T")))  # Tensor[C]
reveal_type(x.sum(["N", "T"]))  # Tensor[C]
reveal_type(x.sum())  # Tensor[()]
reveal_type(x.sum(1))  # Tensor[N, C]
reveal_type(x.sum(-1))  # Tensor[N, T]
reveal_type(x.sum(dim="C", keepdim=True))  # Tensor[N, T, C]
reveal_type(x.mean(axis="C"))  # Tensor[N, T]
reveal_type(x.amax(("N", "C")))  # Tensor[T]
reveal_type(x.std("N", keepdims=True))  # Tensor[N, T, C]
reveal_type(x.all("N"))  # Tensor[T, C]
reveal_type(x.argmax("C"))  # Tensor[N, T]
reveal_type(x.logsumexp("T"))  # Tensor[N, C]
reveal_type(x.norm(2, "C"))  # Tensor[N, T]
reveal_type(x.max())  # Tensor[()]
reveal_type(x.max("T"))  # tuple[Tensor[N, C], Tensor[N, C]]
reveal_type(x.min(0, keepdim=True)[1])  # Tensor[N, T, C]
reveal_type(x.median("C"))  # tuple[Tensor[N, T], Tensor[N, T]]
reveal_type(x.aminmax(dim="N"))  # tuple[Tensor[T, C], Tensor[T, C]]
values, indices = x.max("C")
reveal_type(values)  # Tensor[N, T]

# Methods that keep dims.
reveal_type(x.relu())  # Tensor[N, T, C]
reveal_type(x.exp().log().neg().abs())  # Tensor[N, T, C]
reveal_type(x.softmax("C"))  # Tensor[N, T, C]
reveal_type(x.log_softmax(dim="T"))  # Tensor[N, T, C]
reveal_type(x.cumsum("T"))  # Tensor[N, T, C]
reveal_type(x.cummax("T"))  # tuple[Tensor[N, T, C], Tensor[N, T, C]]
reveal_type(x.clamp(0, 1))  # Tensor[N, T, C]
reveal_type(x.to(nt.float64))  # Tensor[N, T, C]
reveal_type(x.float().double().half())  # Tensor[N, T, C]
reveal_type(x.clone().detach().contiguous())  # Tensor[N, T, C]
reveal_type(x.sort("T"))  # tuple[Tensor[N, T, C], Tensor[N, T, C]]
reveal_type(x.argsort("T"))  # Tensor[N, T, C]
reveal_type(x.topk(2, "C"))  # tuple[Tensor[N, T, C], Tensor[N, T, C]]
reveal_type(x.flip("T"))  # Tensor[N, T, C]
reveal_type(x.roll(1, "T"))  # Tensor[N, T, C]

# Methods that unify names.
reveal_type(x.add(y))  # Tensor[N, T, C]
reveal_type(x.mul(2))  # Tensor[N, T, C]
reveal_type(x.maximum(y))  # Tensor[N, T, C]
reveal_type(x.where(x > 0, y))  # Tensor[N, T, C]
reveal_type(x.masked_fill(y > 0, 0))  # Tensor[N, T, C]
reveal_type(x.lerp(y, 0.5))  # Tensor[N, T, C]
reveal_type(x.eq(y))  # Tensor[N, T, C]

# Permutations.
reveal_type(x.transpose("N", "C"))  # Tensor[C, T, N]
reveal_type(x.transpose(0, 1))  # Tensor[T, N, C]
reveal_type(x.permute(2, 0, 1))  # Tensor[C, N, T]
reveal_type(x.movedim(0, -1))  # Tensor[T, C, N]
reveal_type(x.swapaxes(0, 2))  # Tensor[C, T, N]
reveal_type(x.T)  # Tensor[C, T, N]
reveal_type(x.mT)  # Tensor[N, C, T]
reveal_type(u.T)  # Tensor[3, 2]
reveal_type(u.t())  # Tensor[3, 2]

# Contractions.
reveal_type(x.matmul(v))  # Tensor[N, T]
reveal_type(v.dot(v))  # Tensor[()]
reveal_type(v.outer(nt.randn(5, names=("K",))))  # Tensor[C, K]
reveal_type(x.select("T", 0).mm(nt.randn(4, 5, names=("C", "D"))))  # Tensor[N, D]

# Names.
reveal_type(x.rename(N="B"))  # Tensor[B, T, C]
reveal_type(x.rename("A", "B", "D"))  # Tensor[A, B, D]
reveal_type(x.rename(None))  # Tensor[2, 3, 4]
reveal_type(x.rename("A", ...))  # Tensor[A, T, C]
reveal_type(u.refine_names("N", "C"))  # Tensor[N, C]
reveal_type(x.align_to("C", "N", "T"))  # Tensor[C, N, T]
reveal_type(x.align_to("C", ...))  # Tensor[C, N, T]
reveal_type(v.align_as(x))  # Tensor[N, T, C]
reveal_type(x.names)  # tuple[str | None, ...]

# Views.
reveal_type(x.flatten(("T", "C"), "F"))  # Tensor[N, F]
reveal_type(x.unflatten("C", (("H", 2), ("D", 2))))  # Tensor[N, T, H, D]
reveal_type(u.reshape(3, 2))  # Tensor[3, 2]
reveal_type(u.view(-1))  # Tensor[6]
reveal_type(u.reshape(6))  # Tensor[6]
reveal_type(x.unsqueeze(0))  # Tensor[1, N, T, C]
reveal_type(nt.zeros(1, 3, names=("N", "C")).squeeze("N"))  # Tensor[C]
reveal_type(u.flatten())  # Tensor[6]
reveal_type(x.unfold("T", 2, 1))  # Tensor[N, T, C, 2]

# Pieces.
reveal_type(x.unbind("N"))  # tuple[Tensor[T, C], Tensor[T, C]]
reveal_type(x.chunk(2, "C"))  # tuple[Tensor[N, T, C], Tensor[N, T, C]]
reveal_type(x.split(2, "C"))  # tuple[Tensor[N, T, C], Tensor[N, T, C]]
reveal_type(x.narrow("T", 0, 2))  # Tensor[N, T, C]
reveal_type(x.select("T", 0))  # Tensor[N, C]

# Expanding.
reveal_type(v.expand(3, 4))  # Tensor[3, C]
reveal_type(u.expand_as(u))  # Tensor[2, 3]
reveal_type(u.repeat(2, 1))  # Tensor[4, 3]

# Indexing by a method.
reveal_type(x.index_select("C", nt.tensor([0, 1])))  # Tensor[N, T, C]
reveal_type(u.gather(0, nt.zeros(1, 3, dtype=nt.int64)))  # Tensor[1, 3]
reveal_type(u.diagonal(1))  # Tensor[2]
reveal_type(u.tril())  # Tensor[2, 3]
reveal_type(u.trace())  # Tensor[()]

# Questions.
reveal_type(x.shape)  # Size
reveal_type(x.size())  # Size
reveal_type(x.size("C"))  # 4
reveal_type(x.size(0))  # 2
reveal_type(x.dim())  # 3
reveal_type(x.ndim)  # 3
reveal_type(x.numel())  # 24
reveal_type(x.tolist())  # list[Any] | Any
reveal_type(x.sum().item())  # bool | Any

# A tensor keeps its type when it is changed in place.
reveal_type(x.add_(1))  # Tensor[N, T, C]
reveal_type(x.relu_())  # Tensor[N, T, C]
reveal_type(x.clone().zero_())  # Tensor[N, T, C]

# Nothing is known of the result for an unknown operand.
anything: Any = x
reveal_type(anything.sum("T"))  # Any

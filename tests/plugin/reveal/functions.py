"""Functions of the package, and the functional forms of layers."""

import namecheck_runtime.nn.functional as F
import numpy as np

import namecheck_runtime as nt
from namecheck_runtime import linalg
from namecheck_runtime import sum as total

x = nt.randn(2, 3, 4, names=("N", "T", "C"))
c = nt.randn(4, names=("C",))
u = nt.randn(2, 4)
images = nt.randn(8, 3, 32, 32, names=("N", "C", "H", "W"))
plain = nt.randn(8, 3, 32, 32)

reveal_type(nt.sum(x, "T"))  # Tensor[N, C]
reveal_type(total(x, ("N", "C")))  # Tensor[T]
reveal_type(nt.add(x, c))  # Tensor[N, T, C]
reveal_type(nt.mul(x, 2))  # Tensor[N, T, C]
reveal_type(nt.relu(x))  # Tensor[N, T, C]
reveal_type(nt.exp(x))  # Tensor[N, T, C]
reveal_type(nt.where(x > 0, x, 0.0))  # Tensor[N, T, C]
reveal_type(nt.where(x > 0, x, -x))  # Tensor[N, T, C]
reveal_type(nt.max(x, "C"))  # tuple[Tensor[N, T], Tensor[N, T]]
reveal_type(nt.max(x))  # Tensor[()]
reveal_type(nt.maximum(x, c))  # Tensor[N, T, C]
reveal_type(nt.cat([x, x], "T"))  # Tensor[N, T, C]
reveal_type(nt.cat((u, u)))  # Tensor[4, 4]
reveal_type(nt.cat((u, u), dim=1))  # Tensor[2, 8]
reveal_type(nt.stack([u, u, u]))  # Tensor[3, 2, 4]
reveal_type(nt.stack((u, u), dim=-1))  # Tensor[2, 4, 2]
reveal_type(nt.matmul(x, c))  # Tensor[N, T]
reveal_type(nt.einsum("ij,kj->ik", u, u))  # Tensor[2, 2]
reveal_type(nt.einsum("ij->", u))  # Tensor[()]
reveal_type(nt.transpose(x, "N", "C"))  # Tensor[C, T, N]
reveal_type(nt.squeeze(nt.zeros(1, 2)))  # Tensor[2]
reveal_type(nt.unsqueeze(u, 0))  # Tensor[1, 2, 4]
reveal_type(nt.flatten(u))  # Tensor[8]
reveal_type(nt.tril(u))  # Tensor[2, 4]
reveal_type(nt.split(x, 2, "C"))  # tuple[Tensor[N, T, C], Tensor[N, T, C]]
reveal_type(nt.sort(x, "C"))  # tuple[Tensor[N, T, C], Tensor[N, T, C]]
reveal_type(nt.topk(u, 2))  # tuple[Tensor[2, 2], Tensor[2, 2]]
reveal_type(nt.broadcast_tensors(u, nt.zeros(4)))  # tuple[Tensor[2, 4], Tensor[2, 4]]
reveal_type(nt.meshgrid(nt.arange(2), nt.arange(3), indexing="ij"))  # tuple[Tensor[2, 3], Tensor[2, 3]]
reveal_type(nt.outer(nt.arange(2), nt.arange(3)))  # Tensor[2, 3]
reveal_type(nt.bmm(nt.zeros(2, 3, 4), nt.zeros(2, 4, 5)))  # Tensor[2, 3, 5]
reveal_type(linalg.norm(u))  # Tensor[()]
reveal_type(linalg.inv(nt.eye(3)))  # Tensor[3, 3]
reveal_type(nt.linalg.svd(u, full_matrices=False))  # tuple[Tensor[2, 2], Tensor[2], Tensor[2, 4]]

reveal_type(F.relu(x))  # Tensor[N, T, C]
reveal_type(F.softmax(x, dim="C"))  # Tensor[N, T, C]
reveal_type(F.log_softmax(x, "T"))  # Tensor[N, T, C]
reveal_type(F.gelu(x))  # Tensor[N, T, C]
reveal_type(F.dropout(x, 0.1))  # Tensor[N, T, C]
reveal_type(F.layer_norm(plain, (32, 32)))  # Tensor[8, 3, 32, 32]
reveal_type(F.linear(u, nt.randn(5, 4)))  # Tensor[2, 5]
reveal_type(F.linear(u, nt.randn(5, 4), nt.randn(5)))  # Tensor[2, 5]
reveal_type(F.conv2d(plain, nt.randn(16, 3, 3, 3), padding=1))  # Tensor[8, 16, 32, 32]
reveal_type(F.conv2d(plain, nt.randn(16, 3, 3, 3), stride=2))  # Tensor[8, 16, 15, 15]
reveal_type(F.max_pool2d(plain, 2))  # Tensor[8, 3, 16, 16]
reveal_type(F.avg_pool2d(plain, 4))  # Tensor[8, 3, 8, 8]
reveal_type(F.embedding(nt.zeros(2, 5, dtype=nt.int64), nt.randn(11, 8)))  # Tensor[2, 5, 8]
reveal_type(F.cross_entropy(u, nt.zeros(2, dtype=nt.int64)))  # Tensor[()]
reveal_type(F.mse_loss(u, u))  # Tensor[()]
reveal_type(F.mse_loss(u, u, reduction="none"))  # Tensor[2, 4]
reveal_type(F.pad(u, (1, 1)))  # Tensor[2, 6]
reveal_type(F.one_hot(nt.zeros(3, dtype=nt.int64), 7))  # Tensor[3, 7]
reveal_type(F.scaled_dot_product_attention(plain, plain, plain))  # Tensor[8, 3, 32, 32]

# A ufunc of NumPy returns a tensor for a tensor.
reveal_type(np.sin(x))  # Tensor[N, T, C]
reveal_type(np.add(x, 1))  # Tensor[N, T, C]
reveal_type(np.add(np.ones(4), x))  # Tensor[N, T, C]
reveal_type(np.maximum(x, c))  # Tensor[N, T, C]
reveal_type(np.isnan(x))  # Tensor[N, T, C]
reveal_type(np.exp(c).sum())  # Tensor[()]
reveal_type(np.sin(np.ones(4)))  # ndarray[tuple[Any, ...], dtype[Any]]

"""Functions and the functional forms of layers."""

import namecheck_runtime as nt
import namecheck_runtime.nn.functional as F
from namecheck_runtime import cat

x = nt.randn(2, 3, names=("N", "C"))
y = nt.randn(2, 3, names=("N", "T"))
u = nt.randn(2, 4)
images = nt.randn(8, 3, 32, 32)

nt.add(x, y)  # type: ignore[named-tensor-NC101]
#         ^
nt.sum(x, "T")  # type: ignore[named-tensor-NC103]
#         ^
nt.where(x > 0, x, y)  # type: ignore[named-tensor-NC101]
#                  ^
nt.cat([x, y])  # type: ignore[named-tensor-NC101]
#      ^
cat((x, x), "T")  # type: ignore[named-tensor-NC103]
#           ^
nt.cat([u, nt.randn(2, 5)])  # type: ignore[named-tensor-NC207]
#      ^
nt.stack([u, nt.randn(2, 5)])  # type: ignore[named-tensor-NC207]
#        ^
nt.matmul(x, x)  # type: ignore[named-tensor-NC203]
#            ^
nt.bmm(nt.zeros(2, 3, 4), nt.zeros(2, 5, 6))  # type: ignore[named-tensor-NC203]
#                         ^
nt.einsum("ij,jk->ik", u, u)  # type: ignore[named-tensor-NC203]
#                         ^
nt.einsum("ijk->", u)  # type: ignore[named-tensor-NC304]
#                  ^
nt.zeros(2, 3, names=("N", "N"))  # type: ignore[named-tensor-NC104]
#                    ^
nt.zeros(2, 3, names=("N",))  # type: ignore[named-tensor-NC107]
#                    ^
nt.softmax(x, "T")  # type: ignore[named-tensor-NC103]
#             ^
nt.outer(u, u)  # type: ignore[named-tensor-NC303]
#        ^
F.softmax(x, dim="T")  # type: ignore[named-tensor-NC103]
#                ^
F.linear(u, nt.randn(5, 3))  # type: ignore[named-tensor-NC203]
#           ^
F.conv2d(images, nt.randn(16, 4, 3, 3))  # type: ignore[named-tensor-NC203]
#                ^
F.layer_norm(images, (3, 32))  # type: ignore[named-tensor-NC208]
#            ^
F.cross_entropy(u, nt.zeros(3, dtype=nt.int64))  # type: ignore[named-tensor-NC201]
#                  ^
F.embedding(nt.zeros(2, 5, dtype=nt.int64), nt.randn(11))  # type: ignore[named-tensor-NC303]
#                                           ^
F.max_pool2d(nt.zeros(3), 2)  # type: ignore[named-tensor-NC303]
#            ^
F.mse_loss(x, y)  # type: ignore[named-tensor-NC101]
#             ^

"""Subscripts."""

import namecheck_runtime as nt

x = nt.randn(2, 3, names=("N", "C"))
u = nt.randn(5, 6)
t = nt.randn(3, names=("T",))

x[0, 0, 0]  # type: ignore[named-tensor-NC301]
# ^
x[:, :, :, 0]  # type: ignore[named-tensor-NC301]
# ^
u[7]  # type: ignore[named-tensor-NC301]
# ^
u[:, -7]  # type: ignore[named-tensor-NC301]
# ^
u[0][0][0]  # type: ignore[named-tensor-NC301]
#       ^
x[..., 0, 0, 0]  # type: ignore[named-tensor-NC301]
# ^
x[0].sum("N")  # type: ignore[named-tensor-NC103]
#        ^
x[:, 0].sum("C")  # type: ignore[named-tensor-NC103]
#           ^
x[0] = t  # type: ignore[named-tensor-NC101]
#      ^
x[:, 0] = nt.zeros(7)  # type: ignore[named-tensor-NC206]
#         ^


def iterated() -> None:
    for row in nt.zeros(2, 3).sum():  # type: ignore[named-tensor-NC303]
    #          ^
        pass

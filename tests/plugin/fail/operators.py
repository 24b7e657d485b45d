"""Operators whose dims do not fit."""

import namecheck_runtime as nt

x = nt.randn(2, 3, names=("N", "C"))
y = nt.randn(2, 3, names=("N", "T"))
n = nt.randn(2, names=("N",))
u = nt.randn(4, 3)
v = nt.randn(5, 3)
b = x > 0

x + y  # type: ignore[named-tensor-NC101]
#   ^
y - x  # type: ignore[named-tensor-NC101]
#   ^
x * y  # type: ignore[named-tensor-NC101]
#   ^
x / y  # type: ignore[named-tensor-NC101]
#   ^
x**y  # type: ignore[named-tensor-NC101]
#  ^
x // y  # type: ignore[named-tensor-NC101]
#    ^
x % y  # type: ignore[named-tensor-NC101]
#   ^
b & (y > 0)  # type: ignore[named-tensor-NC101]
#    ^
x == y  # type: ignore[named-tensor-NC101]
#    ^
x < y  # type: ignore[named-tensor-NC101]
#   ^
x <= y  # type: ignore[named-tensor-NC101]
#    ^
x + n  # type: ignore[named-tensor-NC101]
#   ^
n + x  # type: ignore[named-tensor-NC101]
#   ^
(x + 1) * (y - 1)  # type: ignore[named-tensor-NC101]
#          ^
2 * x + y  # type: ignore[named-tensor-NC101]
#       ^
u + v  # type: ignore[named-tensor-NC201]
#   ^
u - nt.zeros(2)  # type: ignore[named-tensor-NC201]
#   ^
x @ x  # type: ignore[named-tensor-NC203]
#   ^
u @ v  # type: ignore[named-tensor-NC203]
#   ^
x @ n  # type: ignore[named-tensor-NC203]
#   ^
-(x + y)  # type: ignore[named-tensor-NC101]
#     ^

x += y  # type: ignore[named-tensor-NC101]
#    ^
x -= n  # type: ignore[named-tensor-NC101]
#    ^
u *= v  # type: ignore[named-tensor-NC201]
#    ^
x @ y.T @ n  # type: ignore[named-tensor-NC104]
#   ^


def after_an_error() -> None:
    z = x + y  # type: ignore[named-tensor-NC101]
    #       ^
    z.sum("anything")  # the result of an error is never reported

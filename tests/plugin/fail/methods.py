"""Methods: the error is at the wrong argument."""

from typing import Final, Literal as L

import namecheck_runtime as nt
from namecheck_runtime import Tensor

DIM: Final = "Q"
x = nt.randn(2, 3, 4, names=("N", "T", "C"))
y = nt.randn(2, 3, 5, names=("N", "T", "D"))
u = nt.randn(2, 3)

x.sum("Q")  # type: ignore[named-tensor-NC103]
#     ^
x.sum(DIM)  # type: ignore[named-tensor-NC103]
#     ^
x.sum(("N", "Q"))  # type: ignore[named-tensor-NC103]
#     ^
x.sum(dim="Q")  # type: ignore[named-tensor-NC103]
#         ^
x.sum(7)  # type: ignore[named-tensor-NC301]
#     ^
x.sum(("N", "N"))  # type: ignore[named-tensor-NC302]
#     ^
x.mean("N").mean("N")  # type: ignore[named-tensor-NC103]
#                ^
x.softmax("Q")  # type: ignore[named-tensor-NC103]
#         ^
x.cumsum("Q")  # type: ignore[named-tensor-NC103]
#        ^
x.max("Q")  # type: ignore[named-tensor-NC103]
#     ^
x.add(y)  # type: ignore[named-tensor-NC101]
#     ^
x.maximum(y)  # type: ignore[named-tensor-NC101]
#         ^
x.masked_fill(y > 0, 0)  # type: ignore[named-tensor-NC101]
#             ^
x.transpose("N", "Q")  # type: ignore[named-tensor-NC103]
#                ^
x.transpose(0, 5)  # type: ignore[named-tensor-NC301]
#              ^
x.permute(0, 1)  # type: ignore[named-tensor-NC303]
#            ^
x.permute(0, 0, 1)  # type: ignore[named-tensor-NC302]
#               ^
x.rename("A", "B")  # type: ignore[named-tensor-NC107]
#             ^
x.rename("A", "A", "B")  # type: ignore[named-tensor-NC104]
#                  ^
x.rename(Q="A")  # type: ignore[named-tensor-NC107]
x.refine_names("N", "T", "X")  # type: ignore[named-tensor-NC107]
#                        ^
x.align_to("N", "T")  # type: ignore[named-tensor-NC107]
#               ^
x.align_as(y)  # type: ignore[named-tensor-NC107]
#          ^
x.flatten(("N", "C"), "F")  # type: ignore[named-tensor-NC107]
#         ^
u.reshape(4, 2)  # type: ignore[named-tensor-NC204]
#            ^
u.view(7)  # type: ignore[named-tensor-NC204]
#      ^
u.expand(4, 3)  # type: ignore[named-tensor-NC206]
#           ^
x.select("Q", 0)  # type: ignore[named-tensor-NC103]
#        ^
x.narrow("T", 0, 9)  # type: ignore[named-tensor-NC212]
#                ^
x.unbind("Q")  # type: ignore[named-tensor-NC103]
#        ^
x.chunk(2, "Q")  # type: ignore[named-tensor-NC103]
#          ^
x.split(2, "Q")  # type: ignore[named-tensor-NC103]
#          ^
x.unsqueeze(9)  # type: ignore[named-tensor-NC301]
#           ^
x.matmul(nt.randn(5, 6))  # type: ignore[named-tensor-NC203]
#        ^
u.mm(u)  # type: ignore[named-tensor-NC203]
#    ^
u.dot(u)  # type: ignore[named-tensor-NC303]
x.sum("T").sum("T").exp()  # type: ignore[named-tensor-NC103]
#              ^
x.relu().sum("Q").exp()  # type: ignore[named-tensor-NC103]
#            ^
x.add_(y)  # type: ignore[named-tensor-NC101]
#      ^
nt.ones(2, 3, requires_grad=True).backward()  # type: ignore[named-tensor-NC505]
x.size("Q")  # type: ignore[named-tensor-NC103]
#      ^
x.index_select("Q", nt.tensor([0]))  # type: ignore[named-tensor-NC103]
#              ^


def inside(t: Tensor[L["N"], L["C"]], s: Tensor[L["T"]], unknown: Tensor) -> Tensor[L["N"]]:
    t + s  # type: ignore[named-tensor-NC101]
    #   ^
    t.sum("T")  # type: ignore[named-tensor-NC103]
    #     ^
    t.T + t  # type: ignore[named-tensor-NC101]
    #     ^
    t[:, :, 0]  # type: ignore[named-tensor-NC301]
    # ^
    (unknown + t) + s  # type: ignore[named-tensor-NC101]
    #               ^
    for row in t:
        row.sum("N")  # type: ignore[named-tensor-NC103]
        #       ^
    [row + s for row in t]  # type: ignore[named-tensor-NC101]
    #      ^
    (lambda a: a.sum("Q"))(t)  # type: ignore[named-tensor-NC103]
    #                ^
    return t.sum("N")  # type: ignore[return-value]
    #      ^

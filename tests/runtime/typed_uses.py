"""Ordinary uses of the surface.  Type checkers accept this file without a plugin and without an
ignored line, and it runs: `test_types.py` checks both.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar, assert_type
from typing import Literal as L

import numpy as np
from typing_extensions import TypeVarTuple

import namecheck_runtime as nt
import namecheck_runtime.nn.functional as F
from namecheck_runtime import Size, Tensor, dtype, fft, linalg, nn, special
from namecheck_runtime.nn.functional import relu

Ds = TypeVarTuple("Ds")
First = TypeVar("First")

Matrix = Tensor[L["N"], L["C"]]
Image = Tensor[L["C"], L["H"], L["W"]]


class Batch(Tensor[L["N"], *Ds]):
    """A subclass that adds a dim."""


class Plain(Tensor):
    """A subclass without dims."""


class Stack(Generic[*Ds]):
    """A container of tensors of the same dims."""

    def __init__(self, items: Iterable[Tensor[*Ds]]) -> None:
        self.items = list(items)

    def top(self) -> Tensor[*Ds]:
        return self.items[-1]


@dataclass
class Pair:
    left: Matrix
    right: Tensor | None = None


class Net(Protocol):
    def __call__(self, x: Matrix, /) -> Tensor: ...


def keep(*values: object) -> None:
    """Evaluate values that are here only for their type."""


def dims(x: Matrix) -> Tensor[L["N"]]:
    assert_type(x.relu(), Tensor[L["N"], L["C"]])
    assert_type(x.relu_(), Tensor[L["N"], L["C"]])
    assert_type(F.relu(x), Tensor[L["N"], L["C"]])
    assert_type(-x, Tensor[L["N"], L["C"]])
    assert_type(abs(x), Tensor[L["N"], L["C"]])
    assert_type(x.softmax("C"), Tensor[L["N"], L["C"]])
    assert_type(x.to(nt.float64), Tensor[L["N"], L["C"]])
    assert_type(copy.copy(x), Tensor[L["N"], L["C"]])
    assert_type(through(x), Tensor[L["N"], L["C"]])
    assert_type(x.sum("C"), Tensor)
    assert_type(x + 1, Tensor)
    x += 1
    x *= x
    assert_type(x, Tensor[L["N"], L["C"]])
    return x.sum("C")


def through(x: Tensor[*Ds]) -> Tensor[*Ds]:
    return relu(x)


def answers(x: Tensor) -> float:
    assert_type(x.shape, Size)
    assert_type(x.size(), Size)
    assert_type(x.size(0), int)
    assert_type(x.stride(), tuple[int, ...])
    assert_type(x.stride(0), int)
    assert_type(x.dim(), int)
    assert_type(x.numel(), int)
    assert_type(len(x), int)
    assert_type(bool(x.any()), bool)
    assert_type(x.names, tuple[str | None, ...])
    assert_type(x.dtype, dtype)
    assert_type(x.is_floating_point(), bool)
    assert_type(x.type(), str)
    assert_type(nt.equal(x, x), bool)
    assert_type(nt.allclose(x, x), bool)
    assert_type(x.max(), Tensor)
    values, indices = x.max(0)
    assert_type(values, Tensor)
    assert_type(x.max(axis=0).values, Tensor)
    assert_type(x.max(x), Tensor)
    assert_type(x.sort()[1], Tensor)
    pair: tuple[Tensor, Tensor] = x.topk(1)
    assert_type(x.unique(), Tensor)
    assert_type(x.unique(return_counts=True), tuple[Tensor, Tensor])
    assert_type(x.chunk(2), tuple[Tensor, ...])
    rows: list[float] = x.tolist()
    first: int = x[0].item()
    return x.sum().item() + len(rows) + first + indices.item() + pair[0].item()


def operators(x: Tensor, i: int) -> Tensor:
    y = 1 + x * 2.0 - x / 3 + True * x
    y = (2 - y) ** 2 // 1 % 5 + 2**y
    z = (x == y) | (x != 1) & ~(x < y) ^ (x <= 1)
    array = np.ones(3, np.float32)
    y = y + array
    keep(array + x, array * x, np.sqrt(x), np.add(x, 1), np.float32(2) / x, np.asarray(x))
    y @= nt.eye(3)
    y -= 1
    y[0] = 1.0
    y[y > 2] = 0
    y[..., None, 1:, ::2].add_(1)
    return y[0] + y[-1] + y[nt.tensor([0, 1, 2])].sum() + y[[0, 2]].sum() + z.sum() + y[i, ...]


def factories() -> tuple[Matrix, Tensor]:
    tensor = nt.zeros(2, 3, names=("N", "C"))
    nt.zeros((2, 3), dtype=nt.int64, device="cpu")
    nt.zeros(size=[2, 3], names=["N", None])
    nt.ones(tensor.shape)
    nt.full((2, 3), 1.5, names=("N", "C"), dtype=nt.float32)
    nt.randn(2, 3, generator=nt.Generator())
    nt.arange(3)
    nt.arange(0, 3, 0.5, names=("T",))
    nt.randint(5, (2, 3))
    nt.randint(0, 5, (2, 3))
    nt.tensor([[1, 2], [3, 4]], names=("N", "C"), dtype=nt.float64)
    nt.from_numpy(np.ones((2, 3)))
    nt.zeros_like(tensor).new_zeros(2, 3).new_full((2,), 1)
    nt.rand(*tensor.shape)
    return tensor, nt.empty(3, names=None)


def calls(x: Matrix, y: Tensor) -> None:
    out = nt.zeros(2, 3, names=("N", "C"))
    nt.add(x, 1, out=out)
    nt.add(x, y, alpha=2)
    nt.max(x, "N", out=(nt.zeros(3), nt.zeros(3, dtype=nt.int64)))
    nt.cat([x, y], dim="N")
    nt.cat((x, y), 0)
    nt.stack([x, y], axis=0)
    nt.einsum("nc,nc->n", x, y)
    nt.where(x > 0, x, 0.0)
    x.sum(("N", "C"))
    x.sum(axis=0, keepdims=True).squeeze("N")
    x.mean(dim=["N"], keepdim=True)
    x.view(3, 2).view((2, 3)).view(size=(2, 3)).view(nt.int32)
    x.reshape(-1).reshape([2, 3])
    x.permute("C", "N").permute(1, 0).permute((1, 0))
    keep(x.transpose("N", "C").transpose(0, 1).T.mT)
    x.align_to("C", "N").align_to(..., "C").align_as(x)
    x.rename("A", "B").rename(A="D").rename(None).refine_names("N", ...)
    x.flatten(["N", "C"], "F").unflatten("F", (("N", 2), ("C", 3)))
    x.expand(4, 2, 3).unbind(0)[0].split([1, 1], dim="N")
    x.std("C", unbiased=False).std(0, correction=0)
    x.names = ("A", None)
    x.names = None
    x.float().double().to("cpu").to(y).to(device="cpu", dtype=nt.float32).long()
    F.softmax(y, dim=1)
    F.max_pool2d(nt.ones(1, 4, 4), 2)[0].add(1)
    nn.functional.linear(y, nt.ones(3, 3))
    nt.nn.functional.dropout(y, 0.5, training=False)
    F.conv2d(nt.ones(1, 2, 5, 5), nt.ones(3, 2, 3, 3), None, stride=(1, 1), padding="same")
    linalg.norm(y, dim=(0, 1))
    nt.linalg.inv(nt.eye(3))
    fft.fft(y)
    special.expit(y)


def structure(stack: Stack[L["N"], L["C"]], pair: Pair, net: Net, other: object) -> Tensor | None:
    assert_type(stack.top(), Tensor[L["N"], L["C"]])
    every = [net(x).sum() for x in stack.items]
    by_name: dict[str, Tensor] = {"left": pair.left}
    functions: list[Callable[[Tensor], Tensor]] = [lambda x: x * 2]
    for row in pair.left:
        every.append(functions[0](row).sum())
    total = sum(every, start=nt.tensor(0.0)) + max(by_name.values(), key=lambda x: x.numel()).sum()
    if isinstance(other, Tensor):
        total = total + other.sum()
    return total if pair.right is None else pair.right + total


class Classifier(nn.Module):
    """A module with layers, parameters, buffers and containers."""

    steps: Tensor

    def __init__(self, features: int, classes: int = 2) -> None:
        super().__init__()
        self.hidden = nn.Linear(features, 8, bias=False, dtype=nt.float32)
        self.blocks = nn.ModuleList([nn.Conv1d(8, 8, (3,), padding=1), nn.Dropout(0.1)])
        self.head = nn.Sequential(nn.LayerNorm(8), nn.GELU(), nn.Linear(8, classes))
        self.scale = nn.Parameter(nt.ones(1))
        self.register_buffer("steps", nt.zeros(1))

    def forward(self, x: Tensor) -> Tensor:
        x = self.hidden(x).unsqueeze(-1)
        for block in self.blocks:
            x = block(x)
        result: Tensor = self.head(x.squeeze(-1)) * self.scale
        return result


def modules() -> None:
    model = Classifier(3).train()
    assert_type(model.eval(), Classifier)
    assert_type(model.double().float(), Classifier)
    loss = nn.CrossEntropyLoss(label_smoothing=0.1)(model(nt.ones(4, 3)), nt.zeros(4).long())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for name, parameter in model.named_parameters():
        assert_type(name, str)
        assert_type(parameter, nn.Parameter)
        keep(parameter.grad, parameter.shape)
    model.apply(lambda module: nn.init.zeros_(module.weight) if hasattr(module, "weight") else None)
    keep(isinstance(model.get_submodule("hidden"), nn.Linear), model.state_dict())
    model.load_state_dict(model.state_dict(), strict=True)


def subclasses(batch: Batch[L["C"]], plain: Plain) -> Tensor[L["N"], L["C"]]:
    assert_type(batch.relu_(), Batch[L["C"]])
    assert_type(batch.relu(), Tensor[L["N"], L["C"]])
    plain.sum()
    return batch


def main() -> None:
    x = nt.ones(2, 3, names=("N", "C"))
    dims(x.clone())
    answers(nt.ones(3))
    operators(nt.ones(3, 3), 0)
    tensor, _ = factories()
    calls(tensor, nt.ones(2, 3))
    structure(Stack([x]), Pair(x), dims, nt.ones(2))
    modules()


if __name__ == "__main__":
    main()

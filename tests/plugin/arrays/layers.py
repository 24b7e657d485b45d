"""Layers of PyTorch: the arguments of their constructors, and the dims of their results."""

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn


class Config:
    width: int
    name: str


class Net(nn.Module):
    def __init__(self, width: int, config: Config, deep: bool) -> None:
        super().__init__()
        self.fc = nn.Linear(64, out_features=10)
        self.scale = nn.Parameter(torch.zeros(64, 10))
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)
        self.crooked = nn.Linear(3 * width, width)
        self.width = width
        self.again = nn.Linear(self.width, 2)
        self.inner = config.width
        self.of_config = nn.Linear(config.width, 3 * config.width)
        self.config = config
        self.row = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 5))
        self.crooked_row = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(31, 5))
        self.table = nn.Embedding(1000, 64)
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.attention = nn.MultiheadAttention(64, 4, batch_first=True)
        self.norm = nn.LayerNorm(64)
        self.placeholder = nn.Linear(0, 3)
        if deep:
            self.head = nn.Linear(64, 3)
        else:
            self.head = nn.Linear(64, 4)

    def result(self, x: Float[Tensor, "b 64"]) -> Float[Tensor, "b 1"]:
        return self.fc(x)  # NC401

    def right(self, x: Float[Tensor, "b 64"]) -> Float[Tensor, "b 10"]:
        return self.fc(input=x)

    def input(self, x: Float[Tensor, "b 32"]) -> Float[Tensor, "b 10"]:
        return self.fc(x)  # NC208

    def parameter(self, x: Float[Tensor, "b 10"]) -> Float[Tensor, "b 64"]:
        x @ self.scale  # NC203
        return x @ self.scale.T

    def weight(self, x: Float[Tensor, "b 10"]) -> Float[Tensor, "b 64"]:
        x @ self.fc.weight.T  # NC203
        return x @ self.fc.weight

    def symbols(self, x: Float[Tensor, "b t d"]) -> Float[Tensor, "b t d"]:
        self.crooked(F.gelu(self.up(x)))  # NC208
        self.again(self.up(x)[..., 0, :])  # NC208
        return self.down(F.gelu(self.up(x)))

    def split(self, x: Float[Tensor, "b t d"]) -> Float[Tensor, "b t 2 d"]:
        wide = self.up(x)
        return wide.view(x.shape[0], x.shape[1], 4, self.width)  # NC401

    def of_a_config(self, x: Float[Tensor, "b t d"]) -> Float[Tensor, "b t 3 e"]:
        y = self.of_config(x)
        y.view(x.size(0), x.size(1), 2, self.inner)  # NC204
        return y.view(x.size(0), x.size(1), 3, self.inner)

    def rows(self, x: Float[Tensor, "b 64"]) -> Float[Tensor, "b 4"]:
        self.crooked_row(x)  # NC208
        x = self.row(x)
        return x  # NC401

    def others(self, ids: Int[Tensor, "b t"], image: Float[Tensor, "b 3 h w"]) -> None:
        words: Float[Tensor, "b t 32"] = self.table(ids)  # NC401
        right: Float[Tensor, "b t 64"] = self.norm(self.table(ids))
        maps: Float[Tensor, "b 3 h w"] = self.conv(image)  # NC401
        self.conv(self.conv(image))  # NC208
        found, weights = self.attention(right, right, right)
        same: Float[Tensor, "b t 64"] = found

    def either(self, x: Float[Tensor, "b 64"]) -> Float[Tensor, "b 3"]:
        self.placeholder(x)
        return self.head(x)

    def local(self, x: Float[Tensor, "b 64"]) -> Float[Tensor, "b 3"]:
        layer = nn.Linear(64, 4)
        layer = nn.Linear(64, 3)
        nn.Linear(32, 3)(x)  # NC208
        return layer(x)


class Base(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.changed = nn.Linear(64, 10)
        self.replaced = nn.Linear(64, 10)
        self.kept = nn.Linear(64, 10)
        self.tied = nn.Linear(64, 10)

    def forward(self, x: Float[Tensor, "b 64"]) -> Float[Tensor, "b 1"]:
        self.replaced(x)
        return self.changed(x)  # NC401


class Derived(Base):
    def __init__(self) -> None:
        super().__init__()
        self.changed = nn.Linear(64, 1)

        def later() -> None:
            self.kept = nn.Linear(64, 1)

    def again(self, x: Float[Tensor, "b 64"]) -> Float[Tensor, "b 1"]:
        self.kept(x) @ torch.zeros(1, 3)
        self.tied(x) @ torch.zeros(1, 3)  # NC203
        return self.changed(x)


def replace(net: Base) -> Float[Tensor, "b 1"]:
    net.replaced = nn.Linear(64, 1)
    return net.replaced(torch.zeros(3, 64))

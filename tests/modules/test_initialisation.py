"""How parameters are drawn, and `nn.utils`.  Most tests pass with `import torch as nt`, too."""

from __future__ import annotations

import math
from typing import Any

import pytest

import namecheck_runtime as nt

nn, init = nt.nn, nt.nn.init


@pytest.mark.parametrize(
    ("nonlinearity", "gain"),
    [
        (("linear",), 1),
        (("conv2d",), 1),
        (("sigmoid",), 1),
        (("tanh",), 5 / 3),
        (("relu",), math.sqrt(2)),
        (("leaky_relu",), math.sqrt(2 / (1 + 0.01**2))),
        (("leaky_relu", 0.2), math.sqrt(2 / 1.04)),
        (("selu",), 0.75),
    ],
)
def test_gains(nonlinearity: tuple[Any, ...], gain: float) -> None:
    assert init.calculate_gain(*nonlinearity) == pytest.approx(gain)


def test_gains_that_nobody_knows() -> None:
    with pytest.raises(ValueError, match=r"Unsupported nonlinearity softmax"):
        init.calculate_gain("softmax")
    with pytest.raises(ValueError, match=r"negative_slope True not a valid number"):
        init.calculate_gain("leaky_relu", True)


def spread(tensor: Any) -> tuple[float, float, float]:
    """The mean, the standard deviation and the largest absolute value."""
    return tensor.mean().item(), tensor.std().item(), tensor.abs().max().item()


SIZES = (60, 50, 3)
FAN_IN, FAN_OUT = 150, 180


@pytest.mark.parametrize(
    ("name", "options", "std", "bound"),
    [
        ("uniform_", {"a": -2.0, "b": 2.0}, 4 / math.sqrt(12), 2.0),
        ("normal_", {"std": 3.0}, 3.0, math.inf),
        ("trunc_normal_", {"std": 10.0}, 1.15, 2.0),
        ("xavier_uniform_", {"gain": 2.0}, 2 * math.sqrt(2 / (FAN_IN + FAN_OUT)), None),
        ("xavier_normal_", {}, math.sqrt(2 / (FAN_IN + FAN_OUT)), math.inf),
        ("kaiming_uniform_", {"nonlinearity": "relu"}, math.sqrt(2 / FAN_IN), None),
        ("kaiming_normal_", {"mode": "fan_out"}, math.sqrt(2 / FAN_OUT), math.inf),
    ],
)
def test_distributions(name: str, options: dict[str, Any], std: float, bound: float | None) -> None:
    nt.manual_seed(1)
    tensor = nt.empty(SIZES)
    assert getattr(init, name)(tensor, **options) is tensor
    mean, deviation, most = spread(tensor)
    assert abs(mean) < 0.1 * std
    assert deviation == pytest.approx(std, rel=0.05)
    limit = math.sqrt(3) * std if bound is None else bound
    assert most <= limit
    assert limit == math.inf or most > 0.97 * limit


def test_constants() -> None:
    assert init.ones_(nt.empty(2)).tolist() == [1, 1]
    assert init.zeros_(nt.ones(2)).tolist() == [0, 0]
    assert init.constant_(nt.ones(2), 3).tolist() == [3, 3]
    assert init.eye_(nt.empty(2, 3)).tolist() == [[1, 0, 0], [0, 1, 0]]
    assert init.dirac_(nt.empty(2, 2, 3)).tolist() == [
        [[0, 1, 0], [0, 0, 0]],
        [[0, 0, 0], [0, 1, 0]],
    ]
    grouped = init.dirac_(nt.empty(4, 1, 3, 3), groups=2)
    assert grouped[:, 0, 1, 1].tolist() == [1, 0, 1, 0]


@pytest.mark.parametrize("sizes", [(3, 5), (5, 3), (4, 2, 3)])
def test_orthogonal(sizes: tuple[int, ...]) -> None:
    weight = init.orthogonal_(nt.empty(sizes, dtype=nt.float64), gain=2.0)
    rows = weight.reshape(sizes[0], -1)
    product = rows @ rows.t() if rows.shape[0] <= rows.shape[1] else rows.t() @ rows
    identity = 4 * nt.eye(product.shape[0], dtype=nt.float64)
    assert nt.allclose(product, identity)


def test_sparse() -> None:
    weight = init.sparse_(nt.empty(10, 4), sparsity=0.25, std=1.0)
    assert (weight == 0).sum(0).tolist() == [3, 3, 3, 3]


@pytest.mark.parametrize(
    ("name", "sizes", "message"),
    [
        ("eye_", (2,), "Only tensors with 2 dimensions are supported"),
        ("dirac_", (2, 2), "Only tensors with 3, 4, or 5 dimensions are supported"),
        ("orthogonal_", (2,), "Only tensors with 2 or more dimensions are supported"),
        ("xavier_uniform_", (2,), "Fan in and fan out can not be computed for tensor with fewer"),
    ],
)
def test_ranks(name: str, sizes: tuple[int, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        getattr(init, name)(nt.empty(sizes))


def test_odd_arguments() -> None:
    with pytest.raises(ValueError, match=r"Mode fan not supported, please use one of"):
        init.kaiming_normal_(nt.empty(2, 2), mode="fan")
    with pytest.warns(UserWarning, match=r"Initializing zero-element tensors is a no-op"):
        init.kaiming_uniform_(nt.empty(0, 2))
    with pytest.warns(FutureWarning, match=r"is now deprecated in favor of"):
        init.constant(nt.empty(1), 1)
    with pytest.warns(UserWarning, match=r"mean is more than 2 std"):
        init.trunc_normal_(nt.empty(2), mean=9.0)


def test_parameters_are_drawn_in_place() -> None:
    layer = nn.Linear(3, 2)
    before = layer.weight
    init.xavier_uniform_(layer.weight)
    init.zeros_(layer.bias)
    assert layer.weight is before
    assert layer.weight.grad_fn is None
    assert layer.bias.tolist() == [0, 0]
    layer.reset_parameters()
    assert layer.bias.tolist() != [0, 0]


def test_the_same_seed_draws_the_same_layers() -> None:
    drawn = []
    for _ in range(2):
        nt.manual_seed(3)
        net = nn.Sequential(nn.Conv2d(2, 3, 3), nn.LSTM(2, 3), nn.MultiheadAttention(4, 2))
        drawn.append(nn.utils.parameters_to_vector(net.parameters()).tolist())
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize(
    ("layer", "bound"),
    [
        (lambda: nn.Linear(400, 30), 1 / 20),
        (lambda: nn.Conv2d(16, 30, 5), 1 / 20),
        (lambda: nn.Bilinear(400, 2, 30), 1 / 20),
        (lambda: nn.GRU(10, 400), 1 / 20),
        (lambda: nn.LSTMCell(10, 400), 1 / 20),
    ],
)
def test_layers_are_drawn_evenly(layer: Any, bound: float) -> None:
    nt.manual_seed(0)
    for parameter in layer().parameters():
        _, deviation, most = spread(parameter.detach())
        assert most <= bound
        if parameter.numel() > 1000:
            assert deviation == pytest.approx(bound / math.sqrt(3), rel=0.05)


def test_tables_are_drawn_from_a_normal_distribution() -> None:
    table = nn.Embedding(100, 50, padding_idx=3)
    assert table.weight[3].abs().sum().item() == 0
    assert spread(table.weight.detach())[1] == pytest.approx(1, rel=0.05)
    given = nn.Embedding.from_pretrained(nt.ones(3, 2))
    assert not given.weight.requires_grad
    assert given(nt.tensor([1])).tolist() == [[1, 1]]


# -- utils -----------------------------------------------------------------------------------------


def with_gradients() -> Any:
    net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
    for place, parameter in enumerate(net.parameters()):
        parameter.grad = nt.full(tuple(parameter.shape), float(place + 1))
    return net


@pytest.mark.parametrize(
    ("order", "total"),
    [(2.0, math.sqrt(4 + 8 + 18 + 16)), (1.0, 18.0), (math.inf, 4.0)],
)
def test_norms_of_gradients(order: float, total: float) -> None:
    net = with_gradients()
    norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0, norm_type=order)
    assert norm.item() == pytest.approx(total)
    after = nn.utils.get_total_norm([p.grad for p in net.parameters()], order)
    assert after.item() == pytest.approx(1, rel=1e-5)
    nn.utils.clip_grad_norm_(net.parameters(), 100.0)
    again = nn.utils.get_total_norm([p.grad for p in net.parameters()], order)
    assert again.item() == pytest.approx(after.item())


def test_norms_that_are_not_finite() -> None:
    net = with_gradients()
    net[0].bias.grad[0] = math.inf
    with pytest.raises(RuntimeError, match=r"The total norm of order 2.0 for gradients from"):
        nn.utils.clip_grad_norm_(net.parameters(), 1.0, error_if_nonfinite=True)
    assert nn.utils.get_total_norm([]).item() == 0


def test_values_of_gradients() -> None:
    net = with_gradients()
    nn.utils.clip_grad_value_(net.parameters(), 2.5)
    assert net[1].bias.grad.tolist() == [2.5]
    assert net[0].bias.grad.tolist() == [2, 2]


def test_parameters_as_a_vector() -> None:
    net = nn.Linear(2, 3)
    vector = nn.utils.parameters_to_vector(net.parameters())
    assert tuple(vector.shape) == (9,)
    assert vector.grad_fn is not None
    weight = net.weight
    nn.utils.vector_to_parameters(nt.arange(9.0), net.parameters())
    assert net.weight is weight
    assert net.bias.tolist() == [6, 7, 8]
    with pytest.raises(TypeError, match=r"expected torch.Tensor, but got"):
        nn.utils.vector_to_parameters([1.0], net.parameters())  # type: ignore[arg-type]


# -- names (not in PyTorch) ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        *("uniform_", "normal_", "trunc_normal_", "ones_", "eye_", "xavier_uniform_"),
        *("kaiming_normal_", "orthogonal_"),
    ],
)
def test_names_stay(name: str) -> None:
    tensor = nt.empty(3, 4, names=("O", "I"))
    assert getattr(init, name)(tensor).names == ("O", "I")


def test_gradients_keep_names_when_they_are_clipped() -> None:
    layer = nn.Linear(3, 2)
    layer.weight.names = ("O", "I")
    layer(nt.ones(4, 3)).sum().backward()
    nn.utils.clip_grad_norm_(layer.parameters(), 0.1)
    assert layer.weight.grad.names == ("O", "I")
    vector = nn.utils.parameters_to_vector(layer.parameters())
    nn.utils.vector_to_parameters(vector, layer.parameters())
    assert layer.weight.names == ("O", "I")


def test_data_on_meta_is_initialised_without_elements() -> None:
    weight = nt.nn.Parameter(nt.empty(4, 3, 2, device="meta"))
    assert nt.nn.init.orthogonal_(weight.data, gain=0.6).is_meta
    assert weight.data.rename(None).shape == (4, 3, 2)

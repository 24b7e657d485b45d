"""What layers take from their declarations: constructors, tensors, checks; names of results."""

from __future__ import annotations

import copy
import inspect
import pickle
from typing import Any

import numpy as np
import pytest

import namecheck_runtime as nt
from namecheck_runtime.layers import LAYERS
from namecheck_runtime.nn.parts import declared

nn = nt.nn


# -- constructors ----------------------------------------------------------------------------------


def test_signatures_are_the_declared_ones() -> None:
    text = str(inspect.signature(nn.Conv2d))
    assert text == (
        "(in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, "
        "bias=True, padding_mode='zeros', device=None, dtype=None)"
    )
    for name in dir(nn):
        layer = LAYERS.get(f"torch.nn.{name}")
        if layer is not None:
            parameters = inspect.signature(getattr(nn, name)).parameters
            assert list(parameters) == [p.name for p in layer.constructor.parameters]


def test_signatures_of_subclasses_are_their_own() -> None:
    class Square(nn.Linear):
        def __init__(self, size: int) -> None:
            super().__init__(size, size)

    assert list(inspect.signature(Square).parameters) == ["size"]
    assert list(inspect.signature(nn.Linear.__init__).parameters)[:2] == ["self", "in_features"]


def test_a_layer_keeps_nothing_twice() -> None:
    vectors = nt.randn(1000, 8)
    table = nn.Embedding.from_pretrained(vectors)
    assert len(pickle.dumps(table)) < 1.1 * len(pickle.dumps(vectors))
    stack = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2), 2)
    numbers = sum(parameter.numel() for parameter in stack.parameters())
    assert len(pickle.dumps(stack)) < 4.2 * numbers + 20_000
    with pytest.raises(RuntimeError) as caught:
        pickle.loads(pickle.dumps(stack))(nt.randn(3, 2, 6))
    assert "TransformerEncoder takes d_model = 8" in caught.value.__notes__[0]


def test_calls_have_the_declared_arguments() -> None:
    for name in dir(nn):
        layer = LAYERS.get(f"torch.nn.{name}")
        if layer is not None:
            mine = list(inspect.signature(getattr(nn, name).forward).parameters)[1:]
            if mine != ["tensors", "keywords"]:  # passed on to the function
                assert mine == [p.name for p in layer.forward.parameters], name


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: nn.Linear(3), r"Linear.__init__\(\) missing a required argument: 'out_features'"),
        (lambda: nn.Linear(3, 4, names=1), "got an unexpected keyword argument 'names'"),
        (lambda: nn.Linear(3, 4, True, None, None, 7), "too many positional arguments"),
        (lambda: nn.Linear("3", 4), r"does not take \('3', 4\)"),
        (lambda: nn.AvgPool1d(2, divisor_override=3), "unexpected keyword argument 'divisor_over"),
        (lambda: nn.RNN(3, 4, bias=1), "bias should be of type bool, got: int"),
    ],
)
def test_wrong_arguments(build: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        build()


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: nn.Conv2d(3, 4, 3, groups=2), "in_channels must be divisible by groups"),
        (lambda: nn.Conv2d(4, 3, 3, groups=2), "out_channels must be divisible by groups"),
        (lambda: nn.Conv2d(2, 2, 3, groups=0), "groups must be a positive integer"),
        (lambda: nn.Conv1d(2, 2, 3, padding="all"), "Invalid padding string 'all'"),
        (lambda: nn.Conv1d(2, 2, 3, 2, "same"), "not supported for strided convolutions"),
        (lambda: nn.Conv1d(2, 2, 3, padding_mode="x"), "padding_mode must be one of"),
        (lambda: nn.ConvTranspose1d(2, 2, 3, padding_mode="reflect"), 'Only "zeros" padding mode'),
        (lambda: nn.Dropout(1.5), "dropout probability has to be between 0 and 1, but got 1.5"),
        (lambda: nn.GroupNorm(3, 4), r"num_channels \(4\) must be divisible by num_groups \(3\)"),
        (lambda: nn.LSTM(3, 4, proj_size=4), "proj_size has to be smaller than hidden_size"),
        (lambda: nn.LSTM(3, 0), "hidden_size must be greater than zero"),
        (lambda: nn.LSTM(3, 4, dropout=2.0), "dropout should be a number in range"),
        (lambda: nn.RNN(3, 4, nonlinearity="selu"), "Unknown nonlinearity 'selu'"),
        (lambda: nn.MultiheadAttention(0, 2), "embed_dim and num_heads must be greater than 0"),
        (lambda: nn.MultiMarginLoss(p=3), "only p == 1 and p == 2 supported"),
        (lambda: nn.FractionalMaxPool2d(2), "requires specifying either an output size"),
        (lambda: nn.FractionalMaxPool2d(2, 2, 0.5), "only one of output_size and output_ratio"),
        (lambda: nn.FractionalMaxPool2d(2, output_ratio=2.0), "output_ratio must be between 0"),
        (lambda: nn.LPPool1d(0, 2), "norm_type must be a non-zero value"),
        (lambda: nn.Bilinear(0, 2, 3), "in1_features must be > 0"),
        (lambda: nn.AdaptiveLogSoftmaxWithLoss(4, 5, []), "sequence of length larger than 0"),
        (lambda: nn.AdaptiveLogSoftmaxWithLoss(4, 5, [3, 2]), "sorted in an increasing order"),
        (lambda: nn.TripletMarginWithDistanceLoss(margin=0), "expected margin to be greater"),
    ],
)
def test_impossible_values(build: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build()


def test_sizes_of_other_kinds() -> None:
    assert nn.Linear(np.int64(3), nt.tensor(4)).weight.shape == (4, 3)
    assert nn.Conv2d(1, 2, [3, 1]).kernel_size == (3, 1)
    assert nn.LayerNorm(nt.Size([3, 4])).normalized_shape == (3, 4)


def test_attributes_are_those_of_pytorch() -> None:
    conv = nn.Conv2d(4, 6, 3, padding=1, groups=2)
    assert (conv.kernel_size, conv.stride, conv.padding) == ((3, 3), (1, 1), (1, 1))
    assert (conv.dilation, conv.output_padding, conv.transposed) == ((1, 1), (0, 0), False)
    assert nn.Linear(3, 4, bias=False).bias is None
    assert nn.LSTM(3, 4).bias is True
    assert nn.LSTM(3, 4, 2, bidirectional=True).mode == "LSTM"
    assert len(nn.LSTM(3, 4, 2, bidirectional=True).all_weights) == 4
    attention = nn.MultiheadAttention(6, 2, kdim=3)
    assert (attention.head_dim, attention.kdim, attention.vdim) == (3, 3, 6)
    assert nn.MaxPool2d(3).stride == 3
    assert nn.BatchNorm1d(3).num_batches_tracked.dtype is nt.int64
    assert nn.CrossEntropyLoss().ignore_index == -100
    assert nn.TransformerEncoderLayer(4, 2).activation is nn.functional.relu


# -- checks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("layer", "sizes", "sentence", "code"),
    [
        (lambda: nn.Linear(3, 4), (2, 5), "mat1 and mat2 shapes cannot be multiplied", "NC208"),
        (lambda: nn.BatchNorm2d(3), (2, 3), r"expected 4D input \(got 2D input\)", "NC303"),
        (lambda: nn.Softmax2d(), (2, 3), "Softmax2d: expected input to be 3D or 4D", "NC303"),
        (lambda: nn.LSTM(3, 4), (5, 2, 6), "input.size.-1. must be equal to input_size", "NC208"),
        (lambda: nn.GRUCell(3, 4), (2, 5), "input has inconsistent input_size: got 5", "NC208"),
        (lambda: nn.LayerNorm(3), (2, 4), r"Given normalized_shape=\[3\]", "NC208"),
        (lambda: nn.ReflectionPad2d(1), (3, 3), "2D, 3D, 4D|3D or 4D", "NC303"),
    ],
)
def test_a_call_that_does_not_fit(layer: Any, sizes: Any, sentence: str, code: str) -> None:
    with pytest.raises(nt.TensorError, match=sentence) as caught:
        layer()(nt.randn(*sizes))
    assert caught.value.code == code
    assert type(layer()).__name__ in caught.value.__notes__[0]


def test_a_call_is_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    real = declared.infer
    monkeypatch.setattr(declared, "infer", lambda *a: (asked.append(a), real(*a))[1])
    layer = nn.Linear(3, 4)
    for _ in range(3):
        layer(nt.randn(2, 3))
    assert len(asked) == 1
    layer(nt.randn(5, 3))
    layer(nt.randn(5, 3, names=("N", "C")))
    assert len(asked) == 3


def test_a_parameter_of_another_shape() -> None:
    layer = nn.Linear(3, 4)
    layer.weight = nn.Parameter(nt.randn(2, 7))
    layer.bias = None
    assert layer(nt.randn(5, 7)).shape == (5, 2)
    with pytest.raises(RuntimeError, match="mat1 and mat2 shapes cannot be multiplied"):
        layer(nt.randn(5, 3))


def test_attributes_that_change() -> None:
    norm = nn.BatchNorm1d(3)
    norm.eps = 5.0
    assert norm(nt.randn(4, 3)).abs().max().item() < 1.2
    drop = nn.Dropout(0.5)
    drop.p = 0.0
    assert drop(nt.ones(100)).tolist() == [1] * 100


def test_subclasses() -> None:
    class Square(nn.Linear):
        def __init__(self, size: int) -> None:
            super().__init__(size, size)
            self.calls = 0

        def forward(self, x: Any, plus: float) -> Any:
            self.calls += 1
            return super().forward(x) + plus

    layer = Square(3)
    assert layer(nt.randn(2, 3), 1.0).shape == (2, 3)
    assert repr(layer) == "Square(in_features=3, out_features=3, bias=True)"
    with pytest.raises(RuntimeError, match="mat1 and mat2"):
        layer(nt.randn(2, 4), 1.0)
    assert copy.deepcopy(layer).calls == 2

    class Kept(nn.Conv1d):
        """Only a name."""

    assert Kept(1, 2, 3)(nt.randn(1, 1, 5)).shape == (1, 2, 3)


def test_copies_of_lazy_layers() -> None:
    lazy = nn.LazyConv2d(4, 3)
    for twin in (copy.deepcopy(lazy), pickle.loads(pickle.dumps(lazy))):
        assert twin(nt.randn(1, 5, 4, 4)).shape == (1, 4, 2, 2)
        assert type(twin) is nn.Conv2d
    assert lazy.has_uninitialized_params()
    assert lazy.to("meta")(nt.empty(1, 2, 4, 4, device="meta")).device.type == "meta"
    with pytest.raises(RuntimeError, match=r"Expected 2D .unbatched. or 3D .batched. input"):
        nn.LazyConv1d(4, 3)(nt.randn(5))


# -- names and dims --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("layer", "dims", "names"),
    [
        (lambda: nn.Linear(3, 4), "N:2 C:3", ("N", None)),
        (lambda: nn.Conv2d(3, 4, 3), "N:1 C:3 H:5 W:5", ("N", None, "H", "W")),
        (lambda: nn.BatchNorm1d(3), "N:4 C:3", ("N", "C")),
        (lambda: nn.Softmax("C"), "N:2 C:3", ("N", "C")),
        (lambda: nn.MaxPool1d(2), "N:1 C:2 L:6", ("N", "C", "L")),
        (lambda: nn.Embedding(5, 3), "N:2 T:4", ("N", "T", None)),
        (lambda: nn.LayerNorm(3), "T:2 C:3", ("T", "C")),
        (lambda: nn.Flatten(), "N:2 C:3 L:4", ("N", None)),
        (lambda: nn.TransformerEncoderLayer(4, 2), "T:3 N:2 C:4", ("T", "N", "C")),
        (lambda: nn.CrossMapLRN2d(3), "N:1 C:2 H:2 W:2", ("N", "C", "H", "W")),
        (lambda: nn.GRUCell(3, 4), "N:2 C:3", ("N", None)),
        (lambda: nn.InstanceNorm1d(3), "C:3 L:4", ("C", "L")),
    ],
)
def test_results_have_the_names_of_the_rule(layer: Any, dims: str, names: Any) -> None:
    parts = [part.split(":") for part in dims.split()]
    module, sizes = layer(), [int(size) for _, size in parts]
    x = nt.ones(*sizes, names=tuple(name for name, _ in parts))
    if isinstance(module, nn.Embedding):
        x = x.long()
    assert module(x).names == names


def test_names_of_states() -> None:
    x = nt.randn(5, 2, 3, names=("T", "N", "C"))
    output, (h, c) = nn.LSTM(3, 4, bidirectional=True)(x)
    assert output.names == ("T", "N", None)
    assert h.names == c.names == (None, "N", None)
    output, h = nn.GRU(3, 4)(x[:, 0])
    assert output.names == ("T", None)
    assert h.names == (None, None)
    with pytest.raises(RuntimeError, match=r"Expected hidden\[0\] size"):
        nn.LSTM(3, 4)(x, (nt.zeros(1, 3, 4), nt.zeros(1, 3, 4)))


@pytest.mark.parametrize(
    "layer",
    [
        lambda: nn.LSTM(3, 4, 2, bidirectional=True),
        lambda: nn.GRU(3, 4, batch_first=True),
        lambda: nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4), nn.ReLU(), nn.Dropout()),
        lambda: nn.TransformerEncoderLayer(3, 1),
        lambda: nn.Sequential(nn.LazyConv1d(4, 1), nn.BatchNorm1d(4)),
    ],
)
def test_layers_on_meta_have_the_same_dims(layer: Any) -> None:
    x = nt.randn(2, 5, 3, names=("T", "N", "C"))
    real, ghost = layer(), layer().to("meta")
    of_real, of_ghost = real(x), ghost(x.to("meta"))
    while isinstance(of_real, tuple):
        of_real, of_ghost = of_real[0], of_ghost[0]
    assert of_ghost.device.type == "meta"
    assert (of_ghost.names, of_ghost.shape) == (of_real.names, of_real.shape)


def test_dropout_and_statistics_follow_the_mode() -> None:
    net = nn.Sequential(nn.BatchNorm1d(2, momentum=0.5), nn.Dropout(0.5))
    net(nt.tensor([[1.0, 2.0], [3.0, 6.0]]))
    assert net[0].running_mean.tolist() == [1, 2]
    assert net[0].running_var.tolist() == [1.5, 4.5]
    net.eval()
    first, second = net(nt.ones(3, 2)), net(nt.ones(3, 2))
    assert first.tolist() == second.tolist()
    assert net[0].num_batches_tracked.item() == 1


def test_log_probabilities_of_rare_classes() -> None:
    layer = nn.AdaptiveLogSoftmaxWithLoss(8, 10, [3, 6], div_value=2.0)
    x = nt.randn(5, 8)
    every = layer.log_prob(x)
    assert every.shape == (5, 10)
    assert nt.allclose(every.exp().sum(1), nt.ones(5))
    assert layer.predict(x).tolist() == every.argmax(1).tolist()
    output, loss = layer(x, nt.tensor([0, 4, 9, 3, 6]))
    assert nt.allclose(output, every[nt.arange(5), nt.tensor([0, 4, 9, 3, 6])])
    assert loss.item() == pytest.approx(-output.mean().item())
    with pytest.raises(RuntimeError, match="Target values should be in"):
        layer(x, nt.tensor([0, 4, 10, 3, 6]))


def test_batch_norms_are_converted() -> None:
    net = nn.Sequential(nn.Conv1d(2, 3, 1), nn.BatchNorm1d(3))
    converted = nn.SyncBatchNorm.convert_sync_batchnorm(net)
    assert isinstance(converted[1], nn.SyncBatchNorm)
    assert list(converted.state_dict()) == [
        *("0.weight", "0.bias", "1.weight", "1.bias"),
        *("1.running_mean", "1.running_var", "1.num_batches_tracked"),
    ]


# -- bases that programs derive from ---------------------------------------------------------------


def test_losses_of_programs() -> None:
    class Focal(nn.modules.loss._WeightedLoss):
        def __init__(self, weight: Any = None, reduction: str = "mean") -> None:
            super().__init__(weight, None, None, reduction)

        def forward(self, input: Any, target: Any) -> Any:
            return nn.functional.cross_entropy(input, target, self.weight, reduction=self.reduction)

    loss = Focal(nt.ones(3), "none")
    assert list(loss.state_dict()) == ["weight"]
    assert loss(nt.randn(4, 3), nt.tensor([0, 1, 2, 0])).shape == (4,)


def test_norms_of_programs() -> None:
    class Norm(nn.modules.batchnorm._BatchNorm):
        def _check_input_dim(self, input: Any) -> None:
            if input.dim() != 5:
                raise ValueError("five")

    layer = Norm(3, momentum=0.3)
    assert layer(nt.randn(2, 3, 1, 1, 2)).shape == (2, 3, 1, 1, 2)
    with pytest.raises(ValueError, match="five"):
        layer(nt.randn(2, 3))


def test_convolutions_of_programs() -> None:
    class Same(nn.modules.conv._ConvNd):
        def __init__(self, in_channels: int, out_channels: int, size: int) -> None:
            pair = nn.modules.utils._pair
            super().__init__(
                *(in_channels, out_channels, pair(size), pair(1), pair(0), pair(1)),
                *(False, pair(0), 1, True, "zeros"),
            )

        def forward(self, x: Any) -> Any:
            return nn.functional.conv2d(x, self.weight, self.bias, padding="same")

    layer = Same(2, 4, 3)
    assert layer(nt.randn(1, 2, 5, 5)).shape == (1, 4, 5, 5)
    assert repr(layer) == "Same(2, 4, kernel_size=(3, 3), stride=(1, 1))"


@pytest.mark.parametrize(("mode", "gates"), [("LSTM", 4), ("GRU", 3), ("RNN_RELU", 1)])
def test_recurrent_layers_of_programs(mode: str, gates: int) -> None:
    class Own(nn.RNNBase):
        """Only a name."""

    layer = Own(mode, 3, 4, 2, batch_first=True)
    assert layer.weight_ih_l1.shape == (gates * 4, 4)
    assert layer(nt.randn(2, 5, 3))[0].shape == (2, 5, 4)
    assert isinstance(nn.LSTM(3, 4), nn.RNNBase)
    assert copy.deepcopy(layer).mode == mode

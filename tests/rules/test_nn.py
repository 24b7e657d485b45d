"""Layers, losses and their common rules, on partly known shapes."""

from __future__ import annotations

from typing import Any

import pytest

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from namecheck_runtime.infer import Answer, infer
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.layers import LAYERS, Instance
from namecheck_runtime.mistakes import Mistake
from shapes import shape, size, sym


def build(call: str) -> Instance:
    """`Conv2d(3, c, 3, padding=1)`: letters are symbols."""
    names: dict[str, Any] = {letter: sym(letter) for letter in "bcdefhkmnopqstvwxyEH"}
    names |= {"UNKNOWN": UNKNOWN, "quadruple": size("4*c"), "half": size("k//2")}
    name, _, arguments = call.partition("(")

    def gather(*positional: Any, **keywords: Any) -> Instance:
        instance = LAYERS[f"torch.nn.{name}"].build(positional, keywords)
        assert instance is not None, call
        return instance

    instance = eval(f"gather({arguments}", {"gather": gather, **names})
    assert isinstance(instance, Instance)
    return instance


def ask(call: str, *operands: str) -> Answer:
    return infer(build(call), tuple(map(shape, operands)))


KEPT = [
    # The last dim.
    ("Linear(c, quadruple)", "N:b T:t C:c", "N:b T:t 4*c"),
    ("Linear(c, d)", "... T:t c", "... T:t d"),
    ("Linear(c, d)", "...", "... d"),
    ("Linear(c, d)", "c", "d"),
    ("LazyLinear(d)", "N:b C:c", "N:b d"),
    ("LayerNorm(c)", "N:b T:t C:c", "N:b T:t C:c"),
    ("LayerNorm(c)", "...", "... ?:c"),
    ("LayerNorm((t, c))", "... T:t C:c", "... T:t C:c"),
    ("LayerNorm((t, c))", "... C:c", "... ?:t C:c"),
    ("RMSNorm(c)", "b t ?", "b t c"),
    ("Embedding(v, c)", "N:b T:t", "N:b T:t c"),
    ("Embedding(v, c)", "...", "... c"),
    ("Embedding(v, c)", "", "c"),
    # Convolutions: sizes stay if the arguments say so.
    ("Conv2d(c, d, 1)", "N:b C:c H:h W:w", "N:b d H:h W:w"),
    ("Conv2d(c, d, 3, padding=1)", "N:b C:c H:h W:w", "N:b d H:h W:w"),
    ("Conv2d(c, d, 3, padding='same')", "b c h ?", "b d h ?"),
    ("Conv2d(c, d, 5, padding=2, dilation=1)", "b c 28 28", "b d 28 28"),
    ("Conv2d(c, d, 3)", "b c H:h w", "b d H:h-2 w-2"),
    ("Conv2d(c, d, 16, stride=16)", "b c h w", "b d h//16 w//16"),
    ("Conv2d(c, d, p, stride=p)", "b c h w", "b d h//p w//p"),
    ("Conv2d(c, d, p, p)", "b c 2*p p*n", "b d 2 n"),
    ("Conv2d(c, d, 3, stride=2, padding=1)", "b c h 7", "b d (h+1)//2 4"),
    ("Conv2d(c, d, 2, 2)", "b c 2*h 32", "b d h 16"),
    ("Conv2d(c, d, 3, padding=1)", "c h w", "d h w"),
    ("Conv2d(c, d, 3, padding=1)", "...", "... d ?:? ?:?"),
    ("Conv2d(c, d, 3, padding=1)", "... W:w", "... d ?:? W:w"),
    ("Conv2d(c, d, 3, padding=1)", "... b c h w", "b d h w"),
    ("Conv2d(c, d, UNKNOWN)", "N:b c H:h W:w", "N:b d H:? W:?"),
    ("Conv2d(c, d, k, padding=half)", "b c h w", "b d h+2*(k//2)-k+1 w+2*(k//2)-k+1"),
    ("Conv1d(c, c, 3, padding=1, groups=c)", "N:b c T:t", "N:b c T:t"),
    ("LazyConv2d(d, 1)", "N:b ? h w", "N:b d h w"),
    ("ConvTranspose2d(c, d, 2, stride=2)", "N:b c H:h w", "N:b d H:2*h 2*w"),
    ("ConvTranspose2d(c, d, 4, 2, 1)", "b c h 7", "b d 2*h 14"),
    ("ConvTranspose1d(c, d, 3, padding=1)", "b c T:t", "b d T:t"),
    # Pools keep channels and names.
    ("MaxPool2d(2)", "N:b C:c H:2*h W:w", "N:b C:c H:h W:w//2"),
    ("MaxPool2d(3, 1, 1)", "N:b C:c H:h W:w", "N:b C:c H:h W:w"),
    ("MaxPool2d(2, ceil_mode=True)", "b c h 7", "b c ceil(h,2) 4"),
    ("MaxPool2d(3, 2, 1, ceil_mode=True)", "b c h 8", "b c ceil(h+1,2) 5"),
    ("AvgPool1d(UNKNOWN)", "b c T:t", "b c T:?"),
    ("AdaptiveAvgPool2d(1)", "N:b C:c H:h W:w", "N:b C:c H:1 W:1"),
    ("AdaptiveAvgPool2d((None, 7))", "b c H:h w", "b c H:h 7"),
    ("AdaptiveAvgPool2d(1)", "...", "... ?:? ?:1 ?:1"),
    # Norms over channels.
    ("BatchNorm2d(c)", "N:b C:c H:h W:w", "N:b C:c H:h W:w"),
    ("BatchNorm2d(c)", "... h w", "?:? ?:? h w"),
    ("BatchNorm1d(c)", "... h c", "... h c"),
    ("GroupNorm(8, c)", "b c h w", "b c h w"),
    ("InstanceNorm2d(c)", "b d h w", "b d h w"),
    # Padding and resizing.
    ("ZeroPad2d(1)", "N:b C:c H:h W:w", "N:b C:c H:h+2 W:w+2"),
    ("ReflectionPad1d((1, 2))", "b c t", "b c t+3"),
    ("Upsample(scale_factor=2)", "N:b C:c H:h W:w", "N:b C:c H:2*h W:2*w"),
    ("Upsample(scale_factor=2.0, mode='bilinear')", "...", "?:? ?:? ?:? ?:?"),
    ("Upsample(size=(7, UNKNOWN))", "b c h w", "b c 7 ?"),
    ("Upsample(scale_factor=0.5)", "b c h 8", "b c h//2 4"),
    # Channels and space.
    ("PixelShuffle(2)", "N:b C:4*c H:h w", "N:b C:c H:2*h 2*w"),
    ("PixelUnshuffle(2)", "b c 2*h w", "b 4*c h w//2"),
    ("Unfold(3, padding=1)", "N:b c h w", "N:b 9*c h*w"),
    ("Fold((8, 8), 2, stride=2)", "b 4*c 16", "b c 8 8"),
    ("Flatten()", "N:b C:c H:h W:w", "N:b c*h*w"),
    # Layers that keep the shape of the input.
    ("ReLU()", "... N:b ?:c", "... N:b ?:c"),
    ("Dropout(0.1)", "...", "..."),
    ("Identity(54, unused=1)", "N:b", "N:b"),
    ("Softmax(dim=-1)", "... t", "... t"),
    ("GLU()", "b t 2*c", "b t c"),
    ("GLU(1)", "b 2*c t", "b c t"),
    # Recurrent cells, attention layers.
    ("GRUCell(c, h)", "N:b c", "N:b h"),
    ("TransformerEncoderLayer(c, 8)", "... t c", "... t c"),
    ("TransformerEncoderLayer(c, 8)", "...", "... ?:c"),
]


@pytest.mark.parametrize(("call", "operands", "expected"), KEPT)
def test_the_answer_is_exact(call: str, operands: str, expected: str) -> None:
    answer = ask(call, operands)
    assert answer.result == shape(expected)
    assert not answer.doubts


SEVERAL = [
    ("LSTM(c, h)", "T:t N:b c", ("T:t N:b h", ("1 N:b h", "1 N:b h"))),
    ("LSTM(c, h, batch_first=True)", "N:b T:t c", ("N:b T:t h", ("1 N:b h", "1 N:b h"))),
    (
        "LSTM(c, h, 2, bidirectional=True)",
        "t b c",
        ("t b 2*h", ("4 b h", "4 b h")),
    ),
    ("LSTM(c, h, n, proj_size=p)", "t b c", ("t b p", ("n b p", "n b h"))),
    ("LSTM(c, h)", "t c", ("t h", ("1 h", "1 h"))),
    ("LSTM(c, h)", "...", ("... h", ("... h", "... h"))),
    ("LSTM(c, h, bidirectional=UNKNOWN)", "t b c", ("t b ?", ("? b h", "? b h"))),
    ("LSTM(c, h, batch_first=UNKNOWN)", "t b c", ("t b h", ("1 ?:? h", "1 ?:? h"))),
    ("GRU(c, h, batch_first=True)", "b t c", ("b t h", "1 b h")),
    ("LSTMCell(c, h)", "b c", ("b h", "b h")),
    ("MaxPool2d(2, return_indices=True)", "b c 4 4", ("b c 2 2", "b c 2 2")),
]


def nested(expected: Any) -> Any:
    if isinstance(expected, tuple):
        return tuple(map(nested, expected))
    return None if expected is None else shape(expected)


@pytest.mark.parametrize(("call", "operands", "expected"), SEVERAL)
def test_results_nest_as_torch_nests_them(call: str, operands: str, expected: Any) -> None:
    assert ask(call, operands).result == nested(expected)


ATTENTION = [
    ("MultiheadAttention(E, H)", ("t b E", "s b E", "s b E"), ("t b E", "b t s")),
    (
        "MultiheadAttention(E, H, batch_first=True)",
        ("N:b T:t E", "N:b S:s E", "N:b S:s E"),
        ("N:b T:t E", "N:b T:t S:s"),
    ),
    ("MultiheadAttention(E, H, kdim=c, vdim=d)", ("t b E", "s b c", "s b d"), ("t b E", "b t s")),
    ("MultiheadAttention(E, H)", ("t E", "s E", "s E"), ("t E", "t s")),
    ("MultiheadAttention(E, H)", ("...", "...", "..."), ("... E", "...")),
    ("MultiheadAttention(E, H, add_zero_attn=True)", ("t b E",) * 3, ("t b E", "b t t+1")),
]


@pytest.mark.parametrize(("call", "operands", "expected"), ATTENTION)
def test_attention(call: str, operands: tuple[str, ...], expected: Any) -> None:
    answer = ask(call, *operands)
    assert answer.result == nested(expected)
    assert not answer.duties


DUTIES = [
    ("Linear(c, d)", "b x", ("c", "x")),
    ("Conv2d(c, d, 3)", "b x h w", ("c", "x")),
    ("Conv2d(c, d, 3)", "... x h w", ("c", "x")),
    ("LayerNorm(c)", "... x", ("c", "x")),
    ("BatchNorm2d(c)", "b x h w", ("c", "x")),
    ("GroupNorm(8, c)", "b x t", ("c", "x")),
    ("LSTM(c, h)", "t b x", ("c", "x")),
    ("GRUCell(c, h)", "b x", ("c", "x")),
    ("Fold((8, 8), 2, stride=2)", "b 4*c x", ("16", "x")),
]


@pytest.mark.parametrize(("call", "operands", "expected"), DUTIES)
def test_an_undecided_requirement_is_a_duty(
    call: str, operands: str, expected: tuple[str, str]
) -> None:
    (duty,) = ask(call, operands).duties
    assert (duty.left, duty.right) == tuple(map(size, expected))
    assert not duty.or_one
    assert duty.mistake.code == "NC208"


REFUSED = [
    ("Linear(c, d)", "b c+1", "NC208", "Linear takes in_features = c, but its input [b, c + 1]"),
    ("Conv2d(3, d, 3)", "b 4 h w", "NC208", "Conv2d takes in_channels = 3, but its input"),
    ("Conv2d(c, d, 3)", "b c", "NC303", "Conv2d needs 3 or 4 dims, but [b, c] has 2 dims"),
    ("Conv2d(c, d, 3)", "... n b c h w", "NC303", "Conv2d needs 3 or 4 dims"),
    ("Conv2d(c, d, 7)", "b c 5 5", "NC212", "Conv2d of [b, c, 5, 5]: the window is larger"),
    ("BatchNorm2d(c)", "b c t", "NC303", "BatchNorm2d needs 4 dims"),
    ("LayerNorm((t, c))", "c", "NC303", "LayerNorm needs at least 2 dims"),
    ("LSTM(c, h)", "c", "NC303", "LSTM needs 2 or 3 dims"),
    ("GLU()", "b 7", "NC212", ""),
    ("PixelShuffle(2)", "b 6 h w", "NC212", "6 channels are not divisible by 4"),
    ("Upsample(scale_factor=2, mode='bilinear')", "b c t", "NC303", "Upsample needs 4 dims"),
]


@pytest.mark.parametrize(("call", "operands", "code", "text"), REFUSED)
def test_impossible_calls_are_refused(call: str, operands: str, code: str, text: str) -> None:
    with pytest.raises(Mistake) as caught:
        ask(call, operands)
    assert caught.value.code == code
    assert text in caught.value.message()


def loss(function: str, *operands: str, **options: Any) -> Answer:
    return infer(f"torch.nn.functional.{function}", tuple(map(shape, operands)), options)


EQUAL = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")


@pytest.mark.parametrize("function", EQUAL)
@pytest.mark.parametrize(
    ("input", "target"), [("b 1", "b"), ("b c", "b"), ("4 3", "4 1"), ("1 2*t", "t 2*t")]
)
def test_a_loss_of_unequal_shapes_is_doubted(function: str, input: str, target: str) -> None:
    expected = ["NC202"] if input != "1 2*t" else []
    answer = loss(function, input, target)
    assert [doubt.code for doubt in answer.doubts] == expected
    assert answer.result == ()


@pytest.mark.parametrize("function", EQUAL)
@pytest.mark.parametrize(
    ("input", "target"),
    [
        *[("b", "b"), ("b c", "b c"), ("b 1", "1"), ("b c", ""), ("", "1"), ("b", "...")],
        *[("... 1", "b"), ("b t", "b s"), ("b 1", "b t"), ("b ?", "b c")],
    ],
)
def test_a_loss_that_may_be_right_is_not_doubted(function: str, input: str, target: str) -> None:
    assert not loss(function, input, target).doubts


def test_the_message_of_a_loss() -> None:
    (doubt,) = loss("mse_loss", "b 1", "b").doubts
    assert str(doubt) == (
        "NC202: mse_loss compares equal shapes, but [b, 1] and [b] broadcast to [b, b]"
    )


@pytest.mark.parametrize(
    ("function", "input", "target", "reduction", "expected"),
    [
        ("mse_loss", "N:b c", "N:b c", "none", "N:b c"),
        ("mse_loss", "b c", "b c", "sum", ""),
        ("mse_loss", "b c", "b c", UNKNOWN, "..."),
        ("cross_entropy", "N:b C:c", "N:b", "none", "N:b"),
        ("cross_entropy", "b c t", "b t", "none", "b t"),
        ("cross_entropy", "b c t", "b c t", "none", "b t"),
        ("cross_entropy", "b c t", "...", "none", "?:b ?:t"),
        ("cross_entropy", "...", "b t", "none", "..."),
        ("nll_loss", "...", "b t", "none", "?:b ?:t"),
        ("binary_cross_entropy", "b c", "b c", "none", "b c"),
        ("kl_div", "b c", "b c", "batchmean", ""),
        ("triplet_margin_loss", "b c", "b c", "mean", None),
    ],
)
def test_reduction(
    function: str, input: str, target: str, reduction: Any, expected: str | None
) -> None:
    operands = (input, target) if expected is not None else (input, target, target)
    answer = loss(function, *operands, reduction=reduction)
    assert answer.result == shape(expected or "")


@pytest.mark.parametrize(
    ("input", "target", "message"),
    [
        (
            "2 7 5",
            "2 7",
            "cross_entropy of [2, 7, 5] needs a target of shape [2, 5], but it is [2, 7]",
        ),
        (
            "b c",
            "b 1 1",
            "cross_entropy of [b, c] needs a target of shape [b], but it is [b, 1, 1]",
        ),
        ("b 5", "b+1", "cross_entropy of [b, 5] needs a target of shape [b], but it is [b + 1]"),
    ],
)
def test_a_target_that_does_not_fit(input: str, target: str, message: str) -> None:
    with pytest.raises(Mistake) as caught:
        loss("cross_entropy", input, target)
    assert caught.value.message() == message


def test_functions_take_names_from_their_weights() -> None:
    answer = infer(
        "torch.nn.functional.conv2d", (shape("N:b c H:h W:w"), shape("O:d c 3 3")), {"padding": 1}
    )
    assert answer.result == shape("N:b O:d H:h W:w")
    answer = infer("torch.nn.functional.embedding", (shape("N:b T:t"), shape("V:v C:c")))
    assert answer.result == shape("N:b T:t C:c")


@pytest.mark.parametrize(
    ("query", "key", "value", "expected"),
    [
        ("b h T:t d", "b h s d", "b h s V:v", "b h T:t V:v"),
        ("... t d", "... s d", "... s v", "... t v"),
        ("...", "...", "... v", "... ?:? v"),
        ("t d", "s d", "s v", "t v"),
    ],
)
def test_scaled_dot_product_attention(query: str, key: str, value: str, expected: str) -> None:
    operands = tuple(map(shape, (query, key, value)))
    answer = infer("torch.nn.functional.scaled_dot_product_attention", operands)
    assert answer.result == shape(expected)
    assert not answer.duties


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("Linear(c, d)", {"weight": "d c", "bias": "d"}),
        ("Linear(c, d, bias=False)", {"weight": "d c", "bias": None}),
        ("Linear(c, d, bias=UNKNOWN)", {"weight": "d c"}),
        ("Conv2d(c, d, (3, 5), groups=2)", {"weight": "d c//2 3 5", "bias": "d"}),
        ("Conv1d(c, c, 3, groups=c)", {"weight": "c 1 3", "bias": "c"}),
        ("BatchNorm2d(c, affine=False)", {"weight": None, "bias": None, "running_mean": "c"}),
        ("LayerNorm((t, c))", {"weight": "t c", "bias": "t c"}),
        ("Embedding(v, c)", {"weight": "v c"}),
        ("LSTM(c, h, bias=False)", {"weight_ih_l0": "4*h c", "weight_hh_l0": "4*h h"}),
        ("MultiheadAttention(E, H)", {"in_proj_weight": "3*E E", "q_proj_weight": None}),
    ],
)
def test_the_tensors_of_a_layer(call: str, expected: dict[str, str | None]) -> None:
    instance = build(call)
    tensors = instance.layer.parameters(instance.fields)
    for name, text in expected.items():
        assert tensors[name] == (None if text is None else shape(text))
    if "UNKNOWN" in call:
        assert tensors.keys() == expected.keys()

"""The declared effects of ops on elements, and the dims that products sum over."""

from __future__ import annotations

from typing import Literal, get_args

import pytest

from namecheck_runtime.declare import OPS, REGISTRY, Effect, Summation
from namecheck_runtime.layers import LAYERS
from namecheck_runtime.rules.effects import EFFECTS, LAYER_EFFECTS
from shapes import shape


def test_the_declared_effects_are_those_of_the_alias() -> None:
    effects = {op.effect for op in OPS.values()} | {layer.effect for layer in LAYERS.values()}
    # The alias is a string, like every alias of the rulebook.
    words = eval(str(Effect), {"Literal": Literal})
    assert effects == set(get_args(words))


def test_no_op_has_two_effects() -> None:
    listed = [REGISTRY[path].op for paths in EFFECTS.values() for path in paths.split()]
    effects = {op.name: op.effect for op in listed}
    for effect, paths in EFFECTS.items():
        for path in paths.split():
            assert effects[REGISTRY[path].op.name] == effect, path


@pytest.mark.parametrize("effect", ["softmax", "unit", "mean", "spread", "sum"])
def test_ops_along_dims_have_a_parameter_dim(effect: str) -> None:
    ops = [op for op in OPS.values() if op.effect == effect]
    assert ops
    for op in ops:
        assert "dim" in op.parameters, op.name
    for name in LAYER_EFFECTS.get("softmax", "").split():
        constructor = LAYERS[f"torch.nn.{name}"].constructor
        assert "dim" in {parameter.name for parameter in constructor.parameters}


def test_contractions_declare_the_summed_dims() -> None:
    for op in OPS.values():
        assert (op.summation is not None) == (op.effect == "contraction"), op.name


@pytest.mark.parametrize(
    ("path", "left", "right", "equation", "expected"),
    [
        (
            "torch.matmul",
            "b h i d",
            "b h d j",
            "",
            Summation(((-1, -2),), ((-2, -2),), ((-1, -1),)),
        ),
        ("torch.matmul", "i d", "d", "", None),
        ("numpy.dot", "b i d", "d j", "", None),
        (
            "torch.einsum",
            "b n h d",
            "b m h d",
            "bnhd,bmhd->bhnm",
            Summation(
                ((-1, -1),), ((-3, -2),), ((-3, -1),), (tuple("bnhd"), tuple("bmhd"), tuple("bhnm"))
            ),
        ),
        (
            "torch.einsum",
            "b h i d",
            "b j d",
            "... i d, ... j d -> ... i j",
            Summation(
                ((-1, -1),), ((-2, -2),), ((-2, -1),), (tuple("id"), tuple("jd"), tuple("ij"))
            ),
        ),
        (
            "einops.einsum",
            "b h i j",
            "b j d",
            "b h i j, b j d -> b h i d",
            Summation(
                ((-1, -2),),
                ((-3, -3), (-2, -2)),
                ((-1, -1),),
                (tuple("bhij"), tuple("bjd"), tuple("bhid")),
            ),
        ),
        ("torch.einsum", "b i d", "b j d", "bid,bjd->bi", None),
        ("torch.einsum", "i d", "j d", "i...,j...->ij", None),
        ("torch.einsum", "i d", "j d", "id,jd,k->ij", None),
        ("torch.einsum", "i d", "j d", "id->", None),
    ],
)
def test_a_product_sums_over_these_dims(
    path: str, left: str, right: str, equation: str, expected: Summation | None
) -> None:
    summation = REGISTRY[path].op.summation
    assert summation is not None
    assert summation(shape(left), shape(right), equation) == expected


@pytest.mark.parametrize(
    ("name", "options", "first"),
    [
        ("LSTM", {"input_size": 3, "hidden_size": 4}, False),
        ("GRU", {"input_size": 3, "hidden_size": 4, "batch_first": True}, True),
        ("MultiheadAttention", {"embed_dim": 8, "num_heads": 2}, False),
        ("TransformerEncoderLayer", {"d_model": 8, "nhead": 2, "batch_first": True}, True),
        ("Transformer", {}, False),
    ],
)
def test_layers_of_sequences_know_where_the_batch_is(
    name: str, options: dict[str, int], first: bool
) -> None:
    built = LAYERS[f"torch.nn.{name}"].build((), options)
    assert built is not None
    assert built.layer.batch_first(built.fields) is first
    parameters = {parameter.name for parameter in built.layer.forward.parameters}
    assert set(built.layer.sequences) <= parameters


def test_a_stack_has_the_batch_where_its_layer_has_it() -> None:
    layer = LAYERS["torch.nn.TransformerEncoderLayer"].build((8, 2), {"batch_first": True})
    stack = LAYERS["torch.nn.TransformerEncoder"].build((layer, 3), {})
    assert stack is not None
    assert stack.layer.batch_first(stack.fields) is True
    assert LAYERS["torch.nn.Linear"].sequences == ()

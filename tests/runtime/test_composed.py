"""Ops composed of other ops, and tensors over foreign memory: names, devices, refusals.

`values_torch.jsonl` has the values of torch; calls that a file cannot hold (with a function or a
packed sequence) are compared with a definition.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

import namecheck_runtime as nt

F: Any = nt.nn.functional
rnn: Any = nt.nn.utils.rnn


def test_sequences_of_several_lengths() -> None:
    padded: Any = nt.arange(24).reshape(4, 3, 2).rename("T", "N", "C")
    packed = rnn.pack_padded_sequence(padded, [2, 4, 1], enforce_sorted=False)
    assert isinstance(packed, rnn.PackedSequence)
    assert packed.data.names == (None, "C")
    assert packed.data[:, 0].tolist() == [2, 0, 4, 8, 6, 14, 20]
    assert packed.batch_sizes.tolist() == [3, 2, 1, 1]
    assert packed.sorted_indices.tolist() == packed.unsorted_indices.tolist() == [1, 0, 2]
    back, lengths = rnn.pad_packed_sequence(packed, padding_value=-1, total_length=5)
    assert (back.shape, back.names, lengths.tolist()) == ((5, 3, 2), (None, None, "C"), [2, 4, 1])
    steps = nt.arange(4)[:, None] < lengths
    assert nt.equal(back[:4].rename(None)[steps], padded.rename(None)[steps])
    assert (back[:4].rename(None)[~steps] == -1).all()
    rows = rnn.unpack_sequence(packed)
    assert [row.tolist() for row in rows] == [
        row[:n].tolist() for row, n in zip(padded.transpose(0, 1), [2, 4, 1], strict=True)
    ]
    repacked = rnn.pack_sequence(rows, enforce_sorted=False)
    assert nt.equal(repacked.data, packed.data)


@pytest.mark.parametrize(
    ("lengths", "text"),
    [
        ([2, 4, 1], "`lengths` array must be sorted in decreasing order"),
        ([2, 1], "Expected `len(lengths)` to be equal to batch_size, but got 2 (batch_size=3)"),
        ([2, 1, 0], "Length of all samples has to be greater than 0"),
        ([5, 1, 1], "a length is 5, but there are 4 steps"),
    ],
)
def test_lengths_that_do_not_fit_are_refused(lengths: list[int], text: str) -> None:
    with pytest.raises(RuntimeError) as caught:
        rnn.pack_padded_sequence(nt.zeros(4, 3), lengths)
    assert str(caught.value).startswith(text)


def test_triplets_with_a_custom_distance() -> None:
    anchor, near, far = (nt.randn(4, 3, names=("N", "C")) for _ in range(3))

    def city(x: Any, y: Any) -> Any:
        return (x - y).abs().sum("C")

    loss = F.triplet_margin_with_distance_loss(
        anchor, near, far, distance_function=city, margin=0.5, reduction="none"
    )
    expected = (city(anchor, near) - city(anchor, far) + 0.5).clamp(min=0)
    assert loss.names == ("N",)
    assert nt.allclose(loss, expected)


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_attention_keeps_names(device: str) -> None:
    def normal(*size: int, **options: Any) -> Any:
        return nt.empty(*size, device=device, **options).fill_(0.5)

    query = normal(3, 2, 4, names=("L", "N", "E"))
    key = normal(5, 2, 4, names=("S", "N", "E"))
    options_ = (4, 2, normal(12, 4), None, None, None, False, 0.0, normal(4, 4), None)
    output, weights = F.multi_head_attention_forward(query, key, key, *options_)
    assert (output.names, weights.names) == (("L", "N", None), ("N", "L", "S"))
    # In self-attention one tensor is queries and keys, and no two dims may have one name.
    _, weights = F.multi_head_attention_forward(query, query, query, *options_)
    assert weights.names == ("N", "L", None)
    with pytest.raises(RuntimeError, match=r"^Need attn_mask"):
        F.multi_head_attention_forward(query, key, key, *options_, is_causal=True)


def test_a_buffer_is_shared() -> None:
    memory = bytearray(range(16))
    shared: Any = nt.frombuffer(memory, dtype=nt.int16, count=2, offset=4)
    assert shared.tolist() == [0x0504, 0x0706]
    shared[0] = 1
    assert memory[4:6] == b"\x01\x00"
    copied: Any = nt.frombuffer(b"abcd", dtype=nt.uint8)
    copied[0] = 0  # bytes are immutable, so the tensor has a copy
    assert copied.tolist() == [0, 98, 99, 100]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (
            {"offset": 1},
            "buffer length (9 bytes) after offset (1 bytes) must be a multiple of element size (4)",
        ),
        (
            {"count": 3},
            "requested buffer length (3 * 4 bytes) after offset (0 bytes) must not be greater than",
        ),
        (
            {"offset": 10},
            "offset (10 bytes) must be non-negative and no greater than buffer length (10 bytes)",
        ),
        ({"count": 0}, "both buffer length (10) and count (0) must not be 0"),
    ],
)
def test_buffers_that_do_not_fit_are_refused(options: dict[str, int], text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(text)):
        nt.frombuffer(bytearray(10), dtype=nt.int32, **options)

"""Files of data: what is read of JSON, TOML and YAML, and what cannot be read."""

from __future__ import annotations

import pytest

from namecheck.text.data_formats import UNCLEAR, read_data

TEXTS = [
    ("json", '{"dims": [4, 6], "bias": true}'),
    ("toml", "dims = [4, 6]\nbias = true\n"),
    ("yaml", "dims: [4,\n  6]\nbias: true  # flows over two lines\n"),
    ("yaml", "base: &base {bias: true}\nmodel:\n  <<: *base\n  dims: [4, 6]\n"),
]


@pytest.mark.parametrize(("form", "text"), TEXTS)
def test_what_is_read(form: str, text: str) -> None:
    read = read_data(form, text)
    assert read.get("model", read) == {"dims": [4, 6], "bias": True}


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("json", "[1"),
        ("json", "[" * 100_000),
        ("toml", "a = "),
        ("yaml", "a: [1"),
        ("yaml", "a: 1\n---\nb: 2\n"),
        ("yaml", "a: !!python/object:os.system {}\n"),
        ("yaml", "[" * 10_000),
    ],
)
def test_what_cannot_be_read(form: str, text: str) -> None:
    assert read_data(form, text) is UNCLEAR
